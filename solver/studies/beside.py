"""Study files of a project: those that stand in a folder, the newest of each study."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from solver.base.words import Sentence, msgid
from solver.project.document import Project
from solver.project.problems import ProjectError
from solver.studies.errors import StudyError
from solver.studies.file import kind_of
from solver.studies.result import StudyResult, open_whole
from solver.studies.work import model_hash

ENDING = ".h5"
LEFT_OUT = msgid("A study file beside the run was left out: {why}")
UNKNOWN = msgid("A file beside the run, which may hold a study, was left out: {why}")


@dataclass
class Beside:
    """Hold the studies that stand beside a project, and which files were left out, and why."""

    studies: list[StudyResult] = field(default_factory=list)
    left_out: list[Sentence] = field(default_factory=list)


def studies_beside(folder: Path, project: Project, files: Iterable[Path] | None = None) -> Beside:
    """Give for each study of the project what its newest finished file in a folder holds; in the project's order.

    A file belongs to the project where its study stands in it by its id, and its model is the same or has the
    same title. What cannot be read, and may be of a study, is told, and which files are of studies that have
    not ended; files behind the last one that was wanted are not looked at.
    """
    wanted, out = [study.id for study in project.studies], Beside()
    found = dict[str, StudyResult]()
    there = folder.glob(f"*{ENDING}") if files is None else files
    for file in sorted(there, key=lambda one: -one.stat().st_mtime):
        if len(found) == len(wanted):
            break
        kind = kind_of(file) if file.is_file() else "other"
        if kind == "other":
            continue
        try:
            one = open_whole(file)
            is_ours = one.study.id in wanted and (
                one.project.title == project.title or not is_old(one, project)
            )
        except StudyError as failure:
            # folders are nobody's business who reads a report
            said = Sentence(failure.said.template, **{**failure.said.values, "path": file.name})
            out.left_out.append(Sentence(LEFT_OUT if kind else UNKNOWN, why=said))
            continue
        except (ProjectError, OSError, StopIteration):
            said = Sentence("what '{file}' holds of its project is damaged", file=file.name)
            out.left_out.append(Sentence(LEFT_OUT, why=said))
            continue
        if is_ours and one.status != "completed":
            said = Sentence("'{file}' is of the study '{name}', which is {status}", file=file.name, name=one.study.id, status=Sentence(one.status))  # fmt: skip
            out.left_out.append(Sentence(LEFT_OUT, why=said))
        elif is_ours:
            found.setdefault(one.study.id, one)
    out.studies = [found[name] for name in wanted if name in found]
    return out


def is_old(result: StudyResult, project: Project) -> bool:
    """Tell whether a study was made with another model than this one."""
    return model_hash(project) != result.project_sha256
