"""One run: the exact model it solved, what it found, and what people call it."""

from __future__ import annotations

import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from weakref import WeakKeyDictionary

from app.run_view.solving import Solving
from solver.base.words import msgid, tr
from solver.injury import Assessment, assess
from solver.project import Project, ProjectError, parse
from solver.project.criteria import HIC
from solver.project.segments import GROUND
from solver.results import ResultsError, open_results
from solver.results.memory import MemoryTrajectory
from solver.results.quantities import Quantities, quantities
from solver.results.trajectory import Trajectory

ENDED: dict[str, str] = {
    "completed": msgid("{name} is done: {ms:g} ms in {took:.2f} s."),
    "cancelled": msgid("{name} was cancelled after {took:.2f} s; what it found can be played."),
}
"""What is said of a run that has ended so."""


@dataclass(frozen=True, slots=True)
class Effort:
    """Say what a run took: time, steps, evaluations, and the error of its energy account."""

    wall_s: float = 0.0
    steps: float = 0
    evaluations: float = 0
    energy_balance_J: float = 0.0


@dataclass(eq=False, slots=True, weakref_slot=True)
class RunRecord:
    """A run that waits, goes on or has ended; or one read from a file."""

    name: str
    project: Project = field(repr=False)
    solving: Solving | None = None
    opened: Trajectory | None = None
    file: Path | None = None
    note: str = ""
    created: float = field(default_factory=time.time)
    """When it was asked for (s since 1970)."""
    fleeting: bool = False
    """Whether another one takes its place soon, so that it is not kept on the disk."""
    kept: Path | None = None
    """Where it is kept from one start to the next."""
    stored: str = ""
    """Digest of the file that it came in with a sample, solved elsewhere; none of a run of one's own."""
    engine: str = ""
    """Mark of the solver's state that found it, where that is known."""
    known: Effort = field(default_factory=Effort)
    """What it took, as far as a kept run tells."""
    _assessed: Assessment | None = field(default=None, repr=False)

    @property
    def trajectory(self) -> Trajectory | None:
        """What has been found so far; none before the first instant."""
        return self.opened if self.solving is None else self.solving.trajectory

    @property
    def seen(self) -> Trajectory | None:
        """What has been found so far, of one length, while the solver goes on."""
        found = self.trajectory
        return (
            found.snapshot() if self.is_running and isinstance(found, MemoryTrajectory) else found
        )

    @property
    def is_running(self) -> bool:
        """Whether the solver works on it."""
        return self.solving is not None and self.solving.is_running

    @property
    def is_solving(self) -> bool:
        """Whether the solver works on it, and is not held."""
        return self.solving is not None and self.is_running and not self.solving.is_paused

    @property
    def is_waiting(self) -> bool:
        """Whether it stands in the queue."""
        return self.solving is not None and self.solving.stage == "waiting"

    @property
    def has_ended(self) -> bool:
        """Whether it holds instants, and no more will come."""
        found = self.trajectory
        return found is not None and not self.is_running and len(found.time) > 0

    @property
    def status(self) -> str:
        """Give waiting, running, completed, cancelled or failed."""
        if self.solving is None:
            return "" if self.opened is None else self.opened.status
        if self.solving.stage == "ended":
            return self.solving.status
        return "waiting" if self.is_waiting else "running"

    @property
    def message(self) -> str:
        """The sentence that belongs to the status."""
        if self.solving is not None:
            return self.solving.message
        return "" if self.opened is None else self.opened.message

    @property
    def effort(self) -> Effort:
        """What it has taken so far."""
        one = self.solving
        if one is None:
            return self.known
        return Effort(one.wall_s, one.steps, one.evaluations, one.energy_balance_J)

    @property
    def run(self) -> str:
        """The id of the project's run that it is; empty where a file does not tell."""
        if self.solving is not None and self.solving.run is not None:
            return self.solving.run
        found = self.trajectory
        return str(getattr(found, "run_id", ""))

    @property
    def duration_s(self) -> float:
        """How long the run is to last (s)."""
        wanted = None if self.solving is None else self.solving.run
        runs = [run for run in self.project.runs if wanted in (None, run.id)]
        if self.opened is not None and len(self.opened.time):
            return float(self.opened.time[-1])
        return runs[0].duration_s if runs else 0.0

    @property
    def is_assessed(self) -> bool:
        """Whether the injury figures are there without computing them."""
        known = self._assessed or (None if self.solving is None else self.solving.assessment)
        return known is not None

    def assess(self) -> Assessment | None:
        """The injury figures, computed once; None while there are none to give."""
        found = self.trajectory
        if found is None or not self.has_ended:
            return None
        if self._assessed is None and self.solving is not None:
            self._assessed = self.solving.assessment
        if self._assessed is None:
            try:
                self._assessed = assess(found, self.project)
            except ResultsError:
                return None
        return self._assessed

    def leave_memory(self) -> bool:
        """Read an ended run from where it is kept from now on; tells whether it does so now."""
        solving = self.solving
        if solving is None or self.kept is None or not self.has_ended:
            return False
        try:
            opened = open_results(self.kept)
        except ResultsError:
            return False
        self.known, self._assessed = self.effort, self._assessed or solving.assessment
        self.opened, self.solving = opened, None
        return True

    def close(self) -> None:
        """Close the file that it was read from."""
        close = getattr(self.opened, "close", None)
        if close is not None:
            close()


def read_record(file: Path) -> RunRecord:
    """Read a results file with the model inside; ResultsError says why it cannot."""
    trajectory = open_results(file)
    try:
        project = parse(trajectory.project_json.decode()).project
    except (ProjectError, UnicodeDecodeError):
        trajectory.close()
        raise ResultsError(
            tr("'{file}' is damaged: the model inside cannot be read.", file=file)
        ) from None
    return RunRecord(file.stem, project, opened=trajectory, file=file)


class Age:
    """Compare runs with a model; its text is made once, where it is needed."""

    def __init__(self) -> None:
        self._text_of: Project | None = None
        self._text = b""
        self._last: tuple[Project, Project, bool] | None = None
        """Which two models were compared last, and what came of it."""

    def is_outdated(self, record: RunRecord, project: Project) -> bool:
        """Whether a model has changed since a run.

        A run read from a file holds its curves inside; its text is compared, not its parts.
        """
        last = self._last
        if last is None or last[0] is not record.project or last[1] is not project:
            is_same = record.project is project or without_studies(
                record.project
            ) == without_studies(project)
            last = self._last = record.project, project, is_same
        if last[2]:
            return False
        if record.opened is None or not _has_csv(project):
            return True
        if self._text_of is not project:
            from solver.running.simulation import project_bytes

            self._text_of, self._text = project, project_bytes(project)
        return record.opened.project_json != self._text


def without_studies(project: Project) -> Project:
    """What a run depends on: what is asked of many runs changes none."""
    if not project.studies and not project.assumed:
        return project
    return project.model_copy(update={"studies": (), "assumed": ()})


def _has_csv(project: Project) -> bool:
    return any(getattr(one.form, "csv", None) is not None for one in project.functions)


def headline(record: RunRecord) -> str:
    """Say the figure that people look for first; empty where a run has none."""
    injury = record.trajectory.injury if record.trajectory is not None else {}
    leading = next((injury[name] for name in HIC if name in injury), None)
    if leading is None or record.status != "completed":
        return ""
    known = record.assess() if record.is_assessed else None
    if known is not None and any(f.name == leading.name and f.spoilt for f in known.figures):
        return tr("{name} is {value:.4g}, not judged.", name=leading.name, value=leading.value)
    return tr("{name} is {value:.4g}.", name=leading.name, value=leading.value)


def vehicle(project: Project) -> str:
    """Name the driven segment that carries most planes; the ground where nothing is driven.

    The camera goes with it, so that what happens in a car is seen in the car.
    """
    driven = [motion.segment for motion in project.motions]
    count = Counter(plane.segment for plane in project.planes)
    return max(driven, key=lambda segment: count[segment], default=GROUND)


class Catalogue:
    """Keep the quantities of runs that have ended, as they do not change any more, and grow those of others."""

    def __init__(self) -> None:
        self._ended: WeakKeyDictionary[RunRecord, tuple[Trajectory, Quantities]] = (
            WeakKeyDictionary()
        )
        self._growing: WeakKeyDictionary[RunRecord, Quantities] = WeakKeyDictionary()

    def of(self, record: RunRecord) -> Quantities | None:
        """What a run can be asked for; none before its first instant."""
        # asked first: the solver may end the run between the two
        has_ended = record.has_ended
        seen = record.seen
        if seen is None or not len(seen.time):
            return None
        if not has_ended:
            before = self._growing.get(record)
            self._growing[record] = quantities(seen) if before is None else before.grown(seen)
            return self._growing[record]
        before = self._growing.pop(record, None)
        if record not in self._ended or self._ended[record][0] is not seen:
            # a run may be read from its file by now, and shall leave the memory
            before = self._ended[record][1] if record in self._ended else before
            self._ended[record] = (seen, quantities(seen) if before is None else before.grown(seen))
        return self._ended[record][1]

    def look_through(self, record: RunRecord) -> None:
        """List all that an ended run can be asked for, before a window does: of a file that takes a while."""
        found = self.of(record)
        if found is not None:
            # a damaged file is told where somebody looks at it
            with suppress(ResultsError):
                len(found.infos)

    def is_final(self, record: RunRecord, found: Quantities) -> bool:
        """Whether these quantities are of the whole run, so that curves of them can be kept."""
        return record in self._ended and self._ended[record][1] is found
