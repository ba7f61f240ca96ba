"""Solve the runs of a study, one after the other: what a worker does, wherever it is."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from solver.base.places import __version__
from solver.base.words import Note, Sentence
from solver.bodies.dummies import body_of
from solver.engine.signals import SignalError
from solver.project import ProjectError, parse, to_json
from solver.project.changes import with_value
from solver.project.checks import check, checked
from solver.project.document import Project
from solver.project.problems import SimulationError
from solver.project.studies import FitStudy, Study
from solver.project.study_parts import FigureResponse
from solver.project.varying import FormulaError, with_numbers
from solver.results.layout import ResultsError
from solver.results.memory import (
    EVERYTHING,
    MemoryTrajectory,
    NotRecorded,
    SparseTrajectory,
    Wanted,
)
from solver.results.quantities import Quantities
from solver.running.simulation import Simulation, chosen_run
from solver.studies.bench.fixtures import scene
from solver.studies.bench.table import BenchTest, bench_test
from solver.studies.responses import Answered, Reader, Targets, targets_of
from solver.studies.rows import LONGEST, Array, RowResult, StudyError, Task

WARNING = "warning: "
"""What leads in the notes that a row keeps."""


@dataclass(frozen=True, slots=True)
class Setup:
    """All that a worker must know: plain data, so that it can be sent anywhere."""

    project: bytes
    """With its curves, and with this study alone."""
    study: str
    version: str = __version__

    @property
    def key(self) -> str:
        """Name it by what it holds."""
        return hashlib.sha256(self.project + self.study.encode()).hexdigest()


def setup_of(project: Project, study: Study) -> Setup:
    """What workers need for a study."""
    alone = project.model_copy(update={"studies": (study,)})
    return Setup(to_json(alone, embed_curves=True).encode(), study.id)


@dataclass(frozen=True, slots=True)
class _Answers:
    """What was read from a run."""

    answered: Answered
    curves: Array
    residuals: Array
    said: tuple[Sentence, ...]
    """What closing the loops moved, if its numbers left any open."""


@dataclass(frozen=True, slots=True)
class _Known:
    """What was read from the runs of a test so far, and the catalogue of the last of them."""

    wanted: Wanted
    names: tuple[object, ...]
    catalogue: Quantities


class Work:
    """Solve runs of one study."""

    def __init__(self, setup: Setup) -> None:
        if setup.version != __version__:
            raise StudyError(
                "The worker is of version {here}, the study of version {there}.",
                here=__version__,
                there=setup.version,
            )
        whole = parse(setup.project.decode()).project
        self.study: Study = next(one for one in whole.studies if one.id == setup.study)
        self.base = whole.model_copy(update={"studies": (), "assumed": ()})
        self._names = [one.id for one in self.study.parameters]
        self._figures = {
            one.figure for one in self.study.responses if isinstance(one, FigureResponse)
        }
        self._known: dict[int, _Known] = {}

    @cached_property
    def tests(self) -> list[tuple[Project, str | None]]:
        """What each test makes of the project, and how it is solved; without tests there is one."""
        if not isinstance(self.study, FitStudy) or not self.study.tests:
            return [(self.base, self.study.run)]
        out = list[tuple[Project, str | None]]()
        for test, bench in zip(self.study.tests, self.benches, strict=True):
            project = self.base
            for change in test.changes:
                project = with_value(project, change.path, change.value)
            # a scene of the bench is solved as it stands there
            out.append((project, None if bench else test.run or self.study.run))
        return out

    @cached_property
    def benches(self) -> list[BenchTest | None]:
        """The bench test that each test is; none of one that is not."""
        if not isinstance(self.study, FitStudy) or not self.study.tests:
            return [None]
        return [
            None if one is None else bench_test(one.dummy, one.test, one.speed_ratio)
            for one in (test.bench for test in self.study.tests)
        ]

    def shown(self, test: int) -> tuple[Project, str | None]:
        """What is run in a test, with the numbers of the project, and how it is solved."""
        return self._staged(self.tests[test][0], test), self.tests[test][1]

    def _staged(self, project: Project, test: int) -> Project:
        """Put the body of a project into the fixture of its bench test, where it has one."""
        bench = self.benches[test]
        return project if bench is None else scene(bench, body_of(project))

    @cached_property
    def durations(self) -> list[float]:
        """The duration of the run of each test (s)."""
        return [chosen_run(*self.shown(test)).duration_s for test in range(len(self.tests))]

    @cached_property
    def targets(self) -> list[Targets]:
        """What each test is fitted to."""
        if not isinstance(self.study, FitStudy):
            return []
        return [
            targets_of(project, test, duration)
            for test, (project, _), duration in zip(
                self.study.tests, self.tests, self.durations, strict=True
            )
        ]

    def project(self, values: tuple[float, ...], test: int = 0) -> Project:
        """The project of a run; raises ProjectError where a number does not fit."""
        return self._closed(values, test)[0]

    def _closed(self, values: tuple[float, ...], test: int) -> tuple[Project, tuple[Sentence, ...]]:
        """The project of a run, and what closing its loops moved."""
        made = with_numbers(self.tests[test][0], self.study, values)
        made, said = with_closed_loops(made, self.study)
        return self._staged(made, test), said

    def solved(
        self,
        values: tuple[float, ...],
        test: int = 0,
        cancel: Callable[[], bool] | None = None,
    ) -> tuple[MemoryTrajectory, Project]:
        """Solve one run into memory, without injury figures."""
        project = self.project(values, test)
        simulation = Simulation(checked(project), self.tests[test][1])
        memory = simulation.memory()
        outcome = simulation.go([memory], cancel=cancel)
        memory.finish(outcome.status, outcome.message, (), outcome.notes)
        return memory, project

    def _read(
        self, task: Task, cancel: Callable[[], bool] | None
    ) -> tuple[SparseTrajectory, _Answers | None]:
        """Solve one run and read what is asked of it; nothing is read of one that has not come to its end.

        The first run of a test is recorded whole, those behind it as far as it was read. A run of which more
        is read is solved once more, whole.
        """
        known = self._known.get(task.test)
        try:
            return self._read_of(task, cancel, EVERYTHING if known is None else known.wanted)
        except NotRecorded:
            return self._read_of(task, cancel, EVERYTHING)

    def _read_of(
        self, task: Task, cancel: Callable[[], bool] | None, wanted: Wanted
    ) -> tuple[SparseTrajectory, _Answers | None]:
        project, said = self._closed(task.values, task.test)
        simulation = Simulation(checked(project), self.tests[task.test][1], wanted=wanted)
        run = simulation.sparse()
        outcome = simulation.go([run], cancel=cancel)
        run.finish(outcome.status, outcome.message, (), outcome.notes)
        if run.status != "completed":
            return run, None
        known, names = self._known.get(task.test), run.names()
        catalogue = known.catalogue if known is not None and known.names == names else None
        reader = Reader(run, project, self._figures, catalogue)
        values = dict(zip(self._names, task.values, strict=True))
        answered = reader.answered(self.study.responses, values)
        left = np.zeros(0)
        if self.targets:
            numbers = dict(zip((r.id for r in self.study.responses), answered.values, strict=True))
            left = self.targets[task.test].residuals(reader, project, numbers)
        curves = reader.curves(self.study.curves, self.durations[task.test])
        answers = _Answers(answered, curves, left, said)
        read = run.read if known is None else run.read | known.wanted
        self._known[task.test] = _Known(read, names, reader.quantities)
        return run, answers

    def found(self, task: Task, cancel: Callable[[], bool] | None = None) -> RowResult:
        """Solve one run and answer what is asked of it; whatever goes wrong is a row with its reason."""
        begin = time.perf_counter()
        nothing = tuple(np.nan for _ in self.study.responses)
        try:
            run, answers = self._read(task, cancel)
            if answers is None:
                return RowResult(task.number, "failed", nothing, run.message, seconds=time.perf_counter() - begin)  # fmt: skip
        except ProjectError as failure:
            worst = failure.problems[0]
            sentence = Sentence("{path}: {what}", path=worst.path, what=worst.what)
            return RowResult(task.number, "failed", nothing, sentence.english(), seconds=time.perf_counter() - begin)  # fmt: skip
        except (SimulationError, ResultsError, SignalError, StudyError, FormulaError) as failure:
            return RowResult(task.number, "failed", nothing, failure.said.english(), seconds=time.perf_counter() - begin)  # fmt: skip
        wide = np.full(self.width, np.nan)
        wide[: len(answers.residuals)] = answers.residuals
        missing = answers.answered.missing
        return RowResult(
            task.number,
            "partly" if missing else "done",
            answers.answered.values,
            within(
                [*(one.english() for one in (*missing, *answers.said)), *warnings(run.notes)],
                LONGEST,
            ),
            answers.curves,
            wide,
            time.perf_counter() - begin,
        )

    @property
    def width(self) -> int:
        """Count the residuals of a row."""
        return max((targets.count for targets in self.targets), default=0)


def with_closed_loops(project: Project, study: Study) -> tuple[Project, tuple[Sentence, ...]]:
    """Give a project whose loops are closed where a number has left them open, and what that moved; as it is where they do not close."""
    if not project.constraints:
        return project, ()
    from solver.analysis.equilibrium.assembly import closed, is_open
    from solver.analysis.equilibrium.statics import SettleError

    if not is_open(check(project)):
        return project, ()
    try:
        done = closed(project, study.hold)
    except SettleError:
        return project, ()
    # what moved furthest leads; speeds that were changed and stops that were passed follow
    sentences = tuple(done.sentences())
    more = sentences[len(done.moved) :]
    moved = tuple(
        Sentence("Loops closed: {what}", what=one) for one in sentences[: len(done.moved)]
    )
    return done.project, (*moved[:1], *more)


def warnings(notes: Sequence[Note]) -> Iterator[str]:
    """What a run warns of: bodies that passed through others, and laws beyond their curves."""
    for note in notes:
        text = note.english() if isinstance(note, Sentence) else note
        if text.startswith(WARNING):
            yield f"{text}."


def within(sentences: Sequence[str], most: int) -> str:
    """Put as many sentences behind each other as so many bytes hold, and say how many are left."""
    for count in range(len(sentences), 0, -1):
        left = len(sentences) - count
        more = [f"There are {left} more."] if left else []
        found = " ".join([*sentences[:count], *more])
        if len(found.encode()) <= most:
            return found
    return sentences[0] if sentences else ""


@lru_cache(maxsize=4)
def work_of(setup: Setup) -> Work:
    """The work on a study; a worker that has been at it before goes on with what it knows."""
    return Work(setup)


def model_hash(project: Project) -> str:
    """Name a model by all that a run of it depends on: what people call it and its studies left out."""
    said = {"studies": (), "assumed": (), "title": "", "note": "", "source": ""}
    bare = project.model_copy(update=said)
    return hashlib.sha256(to_json(bare, embed_curves=True).encode()).hexdigest()
