"""A study that has been run, or that is being run: its table, its answers, its runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np

from solver.base.extras import needed
from solver.base.places import __version__
from solver.base.words import Sentence, msgid
from solver.project.changes import with_value
from solver.project.document import Project
from solver.project.problems import ProjectError
from solver.project.studies import Study
from solver.project.varying import changes_of
from solver.results.memory import MemoryTrajectory
from solver.results.saving import save_run
from solver.studies.answer_types import Answers
from solver.studies.answers import answers_of, found_by_search
from solver.studies.file import Stored, kind_of, read_study
from solver.studies.rows import CURVE_SAMPLES, Array, Layout, Mask, Rows, StudyError, keeps_limits
from solver.studies.work import Setup, Work, model_hash, with_closed_loops, work_of

if TYPE_CHECKING:
    from pandas import DataFrame


class StudyResult:
    """A study and what came out of it, in memory or from its file."""

    def __init__(self, stored: Stored, path: Path | None = None) -> None:
        self._stored, self.path = stored, path

    @property
    def status(self) -> str:
        """Say how it ended: completed, cancelled; running where it goes on, or was killed."""
        return self._stored.state

    @property
    def rows(self) -> Rows:
        """The table as arrays."""
        return self._stored.rows

    @property
    def layout(self) -> Layout:
        """Name the columns, with units."""
        return self._stored.head.layout

    @cached_property
    def project(self) -> Project:
        """The project as it was, with this study alone."""
        return self._stored.project

    @cached_property
    def study(self) -> Study:
        """The study as it was asked for."""
        found = next((s for s in self.project.studies if s.id == self._stored.head.study), None)
        about = self.layout
        if found is None or (
            tuple(one.id for one in found.parameters) != about.parameters
            or tuple(one.id for one in found.responses) != about.responses
            or found.curves != about.curves
        ):
            raise StudyError("The file is damaged: its columns are not those of its study.")
        return found

    @property
    def seed(self) -> int:
        """The seed; 0 where nothing is drawn."""
        return self._stored.head.seed

    @property
    def versions(self) -> Mapping[str, str]:
        """Name the versions it was run with."""
        return self._stored.head.versions

    @property
    def project_sha256(self) -> str:
        """Name the model by all that a run of it depends on."""
        return self._stored.head.project_sha256

    @cached_property
    def table(self) -> DataFrame:
        """A data frame: parameters, responses, status, phase, test, message; one line for each run."""
        with needed("frames", StudyError):
            from pandas import DataFrame, Index

        return DataFrame(dict(self.rows.columns()), index=Index(range(len(self.rows)), name="run"))

    @cached_property
    def answers(self) -> Answers:
        """The answers (docs/studies.md), of what has been run so far."""
        answers = answers_of(self.study, self.layout, self.rows)
        try:
            found = answers | found_by_search(self._stored.answers, self.study, self.rows)
            return cast("Answers", found)
        except ValueError as failure:
            raise StudyError(
                "The answers in the file are damaged: {failure}", failure=failure
            ) from None

    @property
    def kept(self) -> Mask:
        """Tell which runs keep all limits."""
        return keeps_limits(self.study, self.rows)

    @property
    def best(self) -> list[int]:
        """Give the runs that serve the goals best and keep the limits: one, or with several goals the front."""
        found: list[int] = self.answers["best"]
        return found

    @cached_property
    def warned(self) -> list[int]:
        """Give the runs that have all their numbers, but warn of them in their message; the best of them first."""
        rows = self.rows
        found = [i for i in np.flatnonzero(rows.status == 1).tolist() if rows.messages[i]]
        best = set(self.best) if found else set()
        return sorted(found, key=lambda run: run not in best)

    def curves(self, name: str) -> tuple[Array, Array]:
        """Times (s) and a kept curve of every run (runs, times); without values where a run has none."""
        about = self.layout
        if name not in about.curves:
            raise StudyError("The study has not kept '{name}'.", name=name)
        time = np.linspace(0.0, about.durations[0], CURVE_SAMPLES)
        return time, self.rows.curves[:, about.curves.index(name)]

    def changes(self, run: int) -> dict[str, float | list[float]]:
        """What a run sets in the project, by path: a number, or a list of them where a curve is scaled."""
        self._known(run)
        return changes_of(self.project, self.study, self.rows.inputs[run].tolist())

    def design(self, run: int, project: Project | None = None) -> Project:
        """A project with the numbers of a run: the study's own, or another with the same paths."""
        out = self.project.model_copy(update={"studies": ()}) if project is None else project
        for path, value in self.changes(run).items():
            out = with_value(out, path, value)
        return with_closed_loops(out, self.study)[0]

    def solved(self, run: int) -> MemoryTrajectory:
        """Solve a run again, whole: it has the same bits as when the study was run."""
        return self._work.solved(*self._row(run))[0]

    def ran(self, run: int) -> Project:
        """What a run solved: its design in the test that it is of, or in the scene of that test."""
        return self._work.project(*self._row(run))

    @property
    def _work(self) -> Work:
        return work_of(Setup(self._stored.head.project, self._stored.head.study))

    def _row(self, run: int) -> tuple[tuple[float, ...], int]:
        self._known(run)
        return tuple(self.rows.inputs[run].tolist()), int(self.rows.test[run])

    def keep(self, run: int, path: Path | None = None) -> Path:
        """Write a run whole, as a results file: beside the study file where no other path is given."""
        if path is None:
            if self.path is None:
                raise StudyError("A study without a file has no place beside it; give a path.")
            folder = self.path.with_name(f"{self.path.stem}_runs")
            folder.mkdir(exist_ok=True)
            path = folder / f"run_{run:06d}.h5"
        return save_run(self.solved(run), path, __version__)

    def _known(self, run: int) -> None:
        if not 0 <= run < len(self.rows):
            raise StudyError(
                "The study has the runs 0 to {last}, not {run}.", last=len(self.rows) - 1, run=run
            )

    def __repr__(self) -> str:
        done = int((self.rows.status > 0).sum())
        return (
            f"<Study '{self._stored.head.study}': {self.status}, {done} of {len(self.rows)} runs>"
        )

    def _repr_html_(self) -> str:
        return f"<div>{escape(repr(self)[1:-1])}</div>" + str(self.table.to_html(max_rows=20))


def open_study(path: Path | str) -> StudyResult:
    """Open a study file, also while it is written or after its writer was killed; StudyError where it is none."""
    return StudyResult(read_study(Path(path)), Path(path))


def open_whole(path: Path) -> StudyResult:
    """Open a study file and look at all that is shown of it; StudyError where something is damaged."""
    found = open_study(path)
    _ = found.answers
    return found


# Study files of a project: those that stand in a folder, the newest of each study.

ENDING = ".h5"
LEFT_OUT = msgid("A study file beside the run was left out: {why}")
UNKNOWN = msgid("A file beside the run, which may hold a study, was left out: {why}")


@dataclass
class StudiesOfProject:
    """The studies that stand beside a project, and which files were left out, and why."""

    studies: list[StudyResult] = field(default_factory=list)
    left_out: list[Sentence] = field(default_factory=list)


def studies_of_project(
    folder: Path, project: Project, files: Iterable[Path] | None = None
) -> StudiesOfProject:
    """For each study of the project what its newest finished file in a folder holds; in the project's order.

    A file belongs to the project where its study stands in it by its id, and its model is the same or has the
    same title. What cannot be read, and may be of a study, is told, and which files are of studies that have
    not ended; files behind the last one that was wanted are not looked at.
    """
    wanted, out = [study.id for study in project.studies], StudiesOfProject()
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
            sentence = Sentence(failure.said.template, **{**failure.said.values, "path": file.name})
            out.left_out.append(Sentence(LEFT_OUT if kind else UNKNOWN, why=sentence))
            continue
        except (ProjectError, OSError, StopIteration):
            sentence = Sentence("what '{file}' holds of its project is damaged", file=file.name)
            out.left_out.append(Sentence(LEFT_OUT, why=sentence))
            continue
        if is_ours and one.status != "completed":
            sentence = Sentence("'{file}' is of the study '{name}', which is {status}", file=file.name, name=one.study.id, status=Sentence(one.status))  # fmt: skip
            out.left_out.append(Sentence(LEFT_OUT, why=sentence))
        elif is_ours:
            found.setdefault(one.study.id, one)
    out.studies = [found[name] for name in wanted if name in found]
    return out


def is_old(result: StudyResult, project: Project) -> bool:
    """Whether a study was made with another model than this one."""
    return model_hash(project) != result.project_sha256
