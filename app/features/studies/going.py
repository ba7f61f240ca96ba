"""Run a study in a thread of its own, and tell the window how far it is."""

from __future__ import annotations

import glob
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray
from PySide6.QtCore import QObject, QTimer, Signal

from app.features.studies.making import titles_of, units_of
from app.home import home
from app.run_view.record import without_studies
from solver.base.places import is_shipped
from solver.base.words import tr
from solver.project import Project, ProjectError
from solver.project.studies import Study

if TYPE_CHECKING:
    # loaded where a study is run or read: it takes the solver with it
    from solver.studies import Layout, Progress, StudyResult

Array = NDArray[Any]

_LOOK_MS = 100
_MINUTE_S = 60.0
_TELL_S = 0.3
"""Live tables are taken over not more often than this."""


@dataclass(frozen=True, slots=True)
class StudyTable:
    """A study's table as it stands: what the views draw."""

    study: Study
    layout: Layout
    inputs: Array
    outputs: Array
    status: Array
    units: tuple[str, ...]
    """Of parameters, SI."""
    titles: tuple[str, ...]
    """Of parameters and responses, in the words of the inspector and of the injury figures."""
    model: Project
    """What was solved."""
    result: StudyResult | None = None
    """Once it has ended."""

    @property
    def answer_units(self) -> dict[str, str]:
        """Give the SI unit of each answer by its id."""
        return dict(zip(self.layout.responses, self.layout.response_units, strict=True))

    def is_old(self, project: Project) -> bool:
        """Whether the model is another one by now."""
        return without_studies(self.model) != without_studies(project)

    @property
    def shown(self) -> Array:
        """Tell which runs have come back with numbers."""
        found: Array = (self.status == 1) | (self.status == 2)
        return found


def table_of(result: StudyResult, project: Project) -> StudyTable:
    """The table of a study that has ended, or was read, beside a project that may be what it solved."""
    from solver.studies.work import model_hash

    is_same = model_hash(project) == result.project_sha256
    labels = units_of(result.project, result.study), titles_of(result.project, result.study)
    model = project if is_same else result.project
    rows = result.rows
    return StudyTable(
        result.study, result.layout, rows.inputs, rows.outputs, rows.status, *labels, model, result
    )


@dataclass(frozen=True, slots=True)
class Stand:
    """Say how far a study is."""

    done: int = 0
    of: int = 0
    failed: int = 0
    seconds_left: float | None = None


class Going(QObject):
    """One study that is being run; `progressed` when it is further, `ended` with its result, `failed` with why not."""

    progressed = Signal()
    ended = Signal(object)
    failed = Signal(object)

    def __init__(
        self, project: Project, study: Study, files: Iterator[Path], parent: QObject
    ) -> None:
        super().__init__(parent)
        self.study, self._files = study, files
        self.stand = Stand()
        self.seen: StudyTable | None = None
        self._said = units_of(project, study), titles_of(project, study)
        self.project, self._wish = project, threading.Event()
        self._lock, self._new, self._taken_at = threading.Lock(), False, 0.0
        self._result: StudyResult | None = None
        self._failure: Exception | None = None
        self._thread = threading.Thread(target=self._run, name="study", daemon=True)
        self._look = QTimer(self, interval=_LOOK_MS)
        self._look.timeout.connect(self._on_look)

    def start(self) -> None:
        """Begin."""
        self._thread.start()
        self._look.start()

    def cancel(self) -> None:
        """Stop; what has come back stays in the file."""
        self._wish.set()

    def wait(self, seconds: float) -> None:
        """Wait for its end, as the window closes."""
        self._look.stop()
        self._thread.join(seconds)

    def _run(self) -> None:
        try:
            self._result = self._solved()
        except Exception as failure:  # noqa: BLE001  (handed to the window's thread)
            self._failure = failure

    def _solved(self) -> StudyResult:
        """Go on in the first file that asks the same of the same model, or begin a new one."""
        from solver.studies import StudyError, run_study

        for file in self._files:
            is_there = file.exists()
            try:
                return run_study(
                    self.project, self.study.id, file, watch=self._watch, cancel=self._wish.is_set,
                    resume=is_there,
                )  # fmt: skip
            except StudyError:
                if not is_there:
                    raise
        raise AssertionError("files never end")

    def _watch(self, progress: Progress) -> None:
        """Take over what there is, in the study's own thread."""
        stand = Stand(progress.done, progress.of, progress.failed, progress.seconds_left)
        now, seen = time.monotonic(), None
        if now - self._taken_at > _TELL_S:
            rows = progress.rows
            seen = StudyTable(
                self.study,
                rows.layout,
                rows.inputs.copy(),
                rows.outputs.copy(),
                rows.status.copy(),
                *self._said,
                self.project,
            )
            self._taken_at = now
        with self._lock:
            self.stand, self.seen, self._new = stand, seen or self.seen, True

    def _on_look(self) -> None:
        with self._lock:
            new, self._new = self._new, False
        if self._thread.is_alive():
            if new:
                self.progressed.emit()
            return
        self._look.stop()
        if self._failure is not None:
            self.failed.emit(self._failure)
        else:
            self.ended.emit(self._result)


def _stem(project_file: Path | None, study: Study) -> Path:
    """Where files of a study stand: beside the project; in the window's own folder where it was never saved or is shipped."""
    if project_file is not None and not is_shipped(project_file):
        return project_file.with_name(f"{project_file.stem}_{study.id}")
    folder = home() / "studies"
    folder.mkdir(exist_ok=True)
    name = time.strftime("%Y-%m-%d_%H%M%S") if project_file is None else project_file.stem
    return folder / f"{name}_{study.id}"


def files_for(project_file: Path | None, study: Study) -> Iterator[Path]:
    """Give files for a study, one after the other."""
    stem = _stem(project_file, study)
    for n in count(1):
        yield stem.with_name(f"{stem.name}{'' if n == 1 else f'_{n}'}.study.h5")


def kept_of(project_file: Path | None, study: Study, project: Project) -> StudyTable | None:
    """Read what an earlier day has left of a study beside the project; the newest that can be read."""
    if project_file is None:
        return None
    stem = _stem(project_file, study)
    found = sorted(
        stem.parent.glob(f"{glob.escape(stem.name)}*.study.h5"),
        key=lambda one: -one.stat().st_mtime,
    )
    if not found:
        return None
    from solver.studies import StudyError
    from solver.studies.result import open_whole

    for file in found:
        try:
            seen = table_of(open_whole(file), project)
        except (StudyError, ProjectError):
            continue
        if seen.study.id == study.id:
            return seen
    return None


def time_left(seconds: float) -> str:
    """Say how much time is left."""
    if seconds < _MINUTE_S:
        return tr("{seconds:.0f} s left", seconds=seconds)
    return tr("{minutes:.0f} min left", minutes=seconds / _MINUTE_S)


def ending_of(result: StudyResult) -> str:
    """Say how a study has ended, and where it stands."""
    done = int((result.rows.status > 0).sum())
    name = result.study.name or result.study.id
    file = result.path.name if result.path is not None else ""
    if result.status == "completed":
        return tr("{name} is done: {done} runs, in {file}.", name=name, done=done, file=file)
    return tr("{name} was cancelled after {done} runs; run it again and it goes on, from {file}.", name=name, done=done, file=file)  # fmt: skip
