"""Study files of a project: those that stand in a folder, the newest of each study."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from solver.project.document import Project
from solver.project.problems import ProjectError
from solver.studies.errors import StudyError
from solver.studies.file import is_study
from solver.studies.result import StudyResult, open_study
from solver.studies.work import model_hash

ENDING = ".h5"


def studies_beside(
    folder: Path, project: Project, files: Iterable[Path] | None = None
) -> list[StudyResult]:
    """Give for each study of the project what its newest finished file in a folder holds; in the project's order.

    A file belongs to the project where its study stands in it by its id, and its model is the same or has the
    same title. What cannot be read is passed over.
    """
    wanted = [study.id for study in project.studies]
    if not wanted:
        return []
    found = dict[str, StudyResult]()
    there = folder.glob(f"*{ENDING}") if files is None else files
    for file in sorted(there, key=lambda one: -one.stat().st_mtime):
        if len(found) == len(wanted):
            break
        try:
            one = open_study(file) if file.is_file() and is_study(file) else None
            if one is None or one.status != "completed":
                continue
            is_ours = one.study.id in wanted and (
                one.project.title == project.title or not is_old(one, project)
            )
        except (StudyError, ProjectError, OSError, StopIteration):
            continue
        if is_ours:
            found.setdefault(one.study.id, one)
    return [found[name] for name in wanted if name in found]


def is_old(result: StudyResult, project: Project) -> bool:
    """Tell whether a study was made with another model than this one."""
    return model_hash(project) != result.project_sha256
