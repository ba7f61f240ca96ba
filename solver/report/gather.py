"""One run as a report sees it: its project, its instants, its loads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from solver.base.words import Refusal, msgid, tr
from solver.injury import Assessment, assess, occupants
from solver.project import Project, ProjectError, parse
from solver.project.runs import Run
from solver.report.scene import driven
from solver.results import Quantities
from solver.results.trajectory import Array, Channel, Facts, Trajectory, facts
from solver.running.outputs.penetration import Passage, passages
from solver.running.outputs.submarining import Submarining, submarining
from solver.studies import Band

# What can go wrong with a report.


class ReportError(Refusal):
    """Say in one sentence why a report cannot be made."""

    __module__ = "manikin"


ACTING_N = 1e-6
"""A force above this (N) is one."""


@dataclass(frozen=True, slots=True)
class Instant:
    """The instant that is shown as the peak."""

    frame: int
    time: float
    what: str


@dataclass(frozen=True, slots=True)
class Peak:
    """A largest size and its time (s)."""

    value: float
    time: float


@dataclass(frozen=True, slots=True)
class Touch:
    """How one contact went: spells (s), peak force (N), depth (m)."""

    name: str
    first: float
    last: float
    held: float
    force: Peak
    depth: Peak
    from_start: bool
    to_end: bool


class Subject:
    """A run that is reported on."""

    def __init__(self, run: Trajectory, label: str = "", standards: Sequence[str] = ()) -> None:
        self.run, self.standards = run, tuple(standards)
        self.band: Band | None = None
        """What assumed numbers leave open of its figures, where that was run."""
        self.facts: Facts = facts(run)
        self.label = label or self.facts.name
        try:
            self.project: Project = parse(run.project_json.decode()).project
        except (ProjectError, UnicodeDecodeError) as failure:
            first = str(failure).splitlines()[0] if str(failure) else tr("it is no project")
            raise ReportError(
                "The project inside '{label}' cannot be read: {first}",
                label=self.label,
                first=first,
            ) from None
        self.time: Array = run.time
        if len(self.time) == 0 or not run.segment_ids:
            raise ReportError(
                "'{label}' holds no frames of segments; there is nothing to report.",
                label=self.label,
            )
        self.ask = Quantities(run)

    @cached_property
    def assessment(self) -> Assessment:
        """The injury figures."""
        return assess(self.run, self.project, self.standards)

    @cached_property
    def settings(self) -> Run | None:
        """The run that was solved; none where an older file does not tell and there are several."""
        if not self.facts.run_id:
            return self.project.runs[0] if len(self.project.runs) == 1 else None
        return next((r for r in self.project.runs if r.id == self.facts.run_id), None)

    @cached_property
    def peak(self) -> Instant:
        """The instant of the greatest head acceleration, or of the greatest load."""
        for body in occupants(self.project):
            head = body.segments.get("head")
            if head in self.run.segment_ids:
                a = self.ask(f"segments/{head}/felt/resultant").value
                frame = int(np.argmax(a))
                return Instant(frame, float(self.time[frame]), tr("greatest head acceleration"))
        load = self.load
        if load.max(initial=0.0) > ACTING_N:
            frame = int(np.argmax(load))
            return Instant(
                frame, float(self.time[frame]), tr("greatest sum of contact and belt loads")
            )
        last = len(self.time) - 1
        return Instant(last, float(self.time[last]), tr("end of the run"))

    @cached_property
    def load(self) -> Array:
        """The sum of sizes of all contact, belt and airbag loads over the frames."""
        total = np.zeros(len(self.time))
        for group, column in (("contacts", "force"), ("airbags", "force")):
            total = total + np.linalg.norm(self.run.table(group)[column], axis=2).sum(axis=1)
        for group in ("belts", "harnesses"):
            total = total + self.run.table(group)["tension"].max(axis=2, initial=0.0).sum(axis=1)
        return np.asarray(total)

    @cached_property
    def pulse(self) -> list[Channel]:
        """Give the acceleration of the first driven segment along its strongest axis."""
        for segment in driven(self.project):
            if segment not in self.run.segment_ids:
                continue
            axes = [self.ask(f"segments/{segment}/acceleration/{axis}") for axis in "xyz"]
            strongest = max(axes, key=lambda c: float(np.max(np.abs(c.value))))
            if np.max(np.abs(strongest.value)) > 1e-9:
                return [strongest]
        return []

    def speed_change(self) -> float | None:
        """The change of speed of the pulse from start to end (m/s)."""
        if not self.pulse:
            return None
        _, segment, _, axis = self.pulse[0].name.split("/")
        v = self.ask(f"segments/{segment}/velocity/{axis}").value
        return float(v[-1] - v[0])

    def restraints(self) -> list[tuple[str, str, str, Peak]]:
        """For each belt, strap, airbag and tension element: name, what, SI unit, peak."""
        out: list[tuple[str, str, str, Peak]] = []
        for group in ("belts", "harnesses"):
            table = self.run.table(group)
            ends = (
                (msgid("tension, end A"), msgid("tension, end B"))
                if group == "belts"
                else (msgid("tension, first end"), msgid("tension, last end"))
            )
            for n, name in enumerate(table.ids):
                for side, end in enumerate(ends):
                    out.append((name, end, "N", self._peak(table["tension"][:, n, side])))
        table = self.run.table("tension_elements")
        for n, name in enumerate(table.ids):
            out.append((name, msgid("tension"), "N", self._peak(table["tension"][:, n])))
        table = self.run.table("airbags")
        for n, name in enumerate(table.ids):
            out.append((name, msgid("gauge pressure"), "Pa", self._peak(table["pressure"][:, n])))
            force = np.linalg.norm(table["force"][:, n], axis=1)
            out.append((name, msgid("force on occupants"), "N", self._peak(force)))
        return out

    @cached_property
    def passages(self) -> tuple[Passage, ...]:
        """What passed through what, the deepest first."""
        return passages(self.project, self.run)

    @cached_property
    def submarining(self) -> tuple[Submarining, ...]:
        """What lap belts did that did not stay on the pelvis, the earliest first."""
        return submarining(self.project, self.run)

    def touches(self) -> list[Touch]:
        """How contacts went, the strongest first; those that never acted are left out."""
        table = self.run.table("contacts")
        out = []
        for n, name in enumerate(table.ids):
            force = np.linalg.norm(table["force"][:, n], axis=1)
            acting = (force > ACTING_N) | (table["penetration"][:, n] > 0.0)
            if not acting.any():
                continue
            frames = np.flatnonzero(acting)
            gaps = np.diff(self.time, append=self.time[-1])
            out.append(
                Touch(
                    name,
                    float(self.time[frames[0]]),
                    float(self.time[frames[-1]]),
                    float(gaps[acting].sum()),
                    self._peak(force),
                    self._peak(table["penetration"][:, n]),
                    bool(acting[0]),
                    bool(acting[-1]),
                )
            )
        return sorted(out, key=lambda touch: -touch.force.value)

    def untouched(self) -> int:
        """Count the contacts that never acted."""
        return len(self.run.table("contacts").ids) - len(self.touches())

    def energy_share(self) -> float:
        """The greatest energy left over as a part of the greatest energy at work."""
        table = self.run.table("energy")
        at_work = max(
            float(np.max(np.abs(table[name]), initial=0.0))
            for name in ("kinetic", "external", "dissipated", "strain")
        )
        left = float(np.max(np.abs(table["balance"]), initial=0.0))
        return left / at_work if at_work > 0.0 else 0.0

    def _peak(self, values: Array) -> Peak:
        at = int(np.argmax(np.abs(values)))
        return Peak(float(values[at]), float(self.time[at]))


def distinct(labels: Sequence[str]) -> list[str]:
    """Give labels that differ."""
    if len(set(labels)) == len(labels):
        return list(labels)
    return [f"{label} ({chr(ord('A') + n)})" for n, label in enumerate(labels)]
