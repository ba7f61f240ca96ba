"""Watch what goes beyond the curve that gives its force, where the curve's last value holds, or deeper than a formula is meant.

A curve that is level at its end is meant to go on like that, as a load limiter's or crushing foam's; one
that still rises or falls there has nothing to say beyond it, and the force is a guess.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from solver.base.words import NOTHING, Note, Sentence, marked, msgid
from solver.engine.dynamics.tree import Array
from solver.engine.forces.coordinates.arrays import SEEN_DRIVE, SEEN_WAY
from solver.engine.forces.straps.arrays import STRAIN
from solver.engine.integrate.samples import Samples
from solver.model.arrays import Timed
from solver.model.compile import Model
from solver.model.links import lines_of
from solver.project.contact import ContactLaw, FormulaLaw
from solver.project.coordinate_forces import RateResistance, RestResistance, StopResistance
from solver.project.coordinates import Actuator
from solver.project.document import Project
from solver.project.forms import samples as course_of
from solver.project.functions import Function
from solver.project.links import TabulatedSpring
from solver.results.events import named
from solver.results.trajectory import Frame

LEVEL = 1e-3
"""Change over the last hundredth of a curve, in parts of a hundredth of its largest value, below which it
is level at its end."""

MOST_TOLD = 10
"""Elements that a log tells of, those farthest beyond first."""

BEYOND = msgid(
    "{what} went to {amount}, beyond the end of '{curve}' at {end}, from {first:.4g} ms on; "
    "there its force stayed that of the curve's end, {force:.4g} kN"
)


BEYOND_ANGLE = msgid(
    "{what} went to {amount}, beyond the end of '{curve}' at {end}, from {first:.4g} ms on; "
    "there its torque stayed that of the curve's end, {force:.4g} N*m"
)


BEYOND_LAW = msgid(
    "{what} went to {amount}, beyond the end of what '{curve}' is meant for, {end}, from {first:.4g} ms on"
)


@dataclass(frozen=True, slots=True)
class _Curve:
    """A function that gives a force, or a law by a formula, and its end; the force there, none of a formula."""

    id: str
    unit: str
    end: float
    force: float | None


class CurveRange:
    """Take samples as they come; keep by how much each element went beyond its curve, and since when."""

    def __init__(self, model: Model) -> None:
        self._model = model
        project = model.project
        rising = {f.id: made for f in project.functions if (made := _rising(f)) is not None}
        of_law = {
            law.id: _meant(law) or rising.get(getattr(law, "base", ""))
            for law in project.contact_laws
        }
        lines = [(f"springs/{s.id}", s) for s in lines_of(project)]
        self._curves: dict[str, list[tuple[str, _Curve | None]]] = {
            "contacts": [(f"contacts/{c.id}", of_law[c.law]) for c in project.contacts],
            "belts": [(f"belts/{b.id}", of_law[b.law]) for b in project.belts],
            "harnesses": _pieces(project, of_law),
            "coordinates": [(path, curve) for path, curve, *_ in _on_coordinates(project, rising)],
            "lines": [
                (path, rising.get(s.force or "") if isinstance(s, TabulatedSpring) else None)
                for path, s in lines
            ],
        }
        found = _on_coordinates(project, rising)
        self._row = np.array([n for _, _, n, _, _ in found], int)
        self._sign = np.array([sign for *_, sign, _ in found], float)
        self._at = np.array([at for *_, at in found], float)
        self._ends = {
            group: np.array([np.inf if c is None else c.end for _, c in rows])
            for group, rows in self._curves.items()
            if any(c is not None for _, c in rows)
        }
        self._most = {group: np.zeros(len(end)) for group, end in self._ends.items()}
        self._first = {group: np.full(len(end), np.nan) for group, end in self._ends.items()}

    def memory(self) -> tuple[Any, ...]:
        """What has been seen."""
        return self._most, self._first

    def recall(self, memory: tuple[Any, ...]) -> None:
        """Follow on from there."""
        self._most, self._first = memory

    def take(self, time: Array, groups: Frame, samples: Samples) -> None:
        """Take the next samples: depths, strains and elongations."""
        rows = len(time)
        for group, end in self._ends.items():
            match group:
                case "contacts":
                    # beyond an edge there is a depth, and no force
                    amount = groups["contacts"]["penetration"]
                    if not np.any(np.max(amount, axis=0) > end):
                        continue
                    amount = np.where(groups["contacts"]["state"] != 0, amount, 0.0)
                case "belts":
                    amount = np.max(groups["belts"]["strain"], axis=2)
                case "harnesses":
                    amount = samples.pieces[:rows, :, STRAIN]
                case "coordinates":
                    way = samples.coordinates[:rows, self._row, SEEN_WAY]
                    amount = self._sign * (way - self._at)
                case _:
                    amount = samples.lines[:rows, :, 3] - self._model.system.lines.rest
            is_beyond = amount > end * (1.0 + 1e-9)
            new = np.flatnonzero(np.any(is_beyond, axis=0) & np.isnan(self._first[group]))
            self._first[group][new] = time[np.argmax(is_beyond[:, new], axis=0)]
            self._most[group] = np.maximum(self._most[group], np.max(amount, axis=0))

    def sentences(self) -> Iterator[Sentence]:
        """Say what went beyond its curve, each element once, those farthest beyond first."""
        found: dict[str, tuple[float, Sentence]] = {}
        for group, first in self._first.items():
            for k in np.flatnonzero(~np.isnan(first)):
                path, curve = self._curves[group][k]
                assert curve is not None
                most = float(self._most[group][k])
                if path not in found or most / curve.end > found[path][0]:
                    found[path] = most / curve.end, _sentence(path, curve, most, float(first[k]))
        for _, sentence in sorted(found.values(), key=lambda one: -one[0]):
            yield sentence


def log_lines(guesses: Sequence[Sentence]) -> Iterator[Sentence]:
    """Give the lines of a log about what went beyond its curve."""
    for one in guesses[:MOST_TOLD]:
        yield Sentence("warning: {what}", what=one)
    if len(guesses) > MOST_TOLD:
        yield Sentence(
            "warning: {count} more elements went beyond their curves, less far",
            count=len(guesses) - MOST_TOLD,
        )


def _rising(function: Function) -> _Curve | None:
    """A function's end, unless it is level there or has none."""
    x, y = course_of(function.form)
    if len(x) < 2 or not x[-1] > 0.0:
        return None
    step = 0.01 * (x[-1] - x[0])
    change = abs(y[-1] - np.interp(x[-1] - step, x, y))
    if change <= 0.01 * LEVEL * np.max(np.abs(y)):
        return None
    return _Curve(function.id, function.x_unit, float(x[-1]), float(y[-1]))


def _meant(law: ContactLaw) -> _Curve | None:
    """Give the depth to which a law by a formula is meant, where it says so."""
    if not isinstance(law, FormulaLaw) or law.deepest_m is None:
        return None
    return _Curve(law.id, "m", law.deepest_m, None)


def _pieces(
    project: Project, of_law: Mapping[str, _Curve | None]
) -> list[tuple[str, _Curve | None]]:
    """The curve of each piece of webbing, in the order of their arrays; a strap's last point has none."""
    rows: list[tuple[str, _Curve | None]] = []
    for harness in project.harnesses:
        for strap in harness.straps:
            path = f"harnesses/{harness.id}/{strap.id}"
            rows += [(path, of_law[strap.law])] * (len(strap.points) - 1) + [(path, None)]
    return rows


def _on_coordinates(
    project: Project, rising: Mapping[str, _Curve]
) -> list[tuple[str, _Curve | None, int, float, float]]:
    """The curves of laws of coordinates by place, with element, sign and place from which each counts."""
    rows: list[tuple[str, _Curve | None, int, float, float]] = []
    for n, one in enumerate(project.coordinate_forces):
        path = f"coordinate_forces/{one.id}"
        for law in one.laws:
            if isinstance(law, RateResistance):
                rows.append((path, rising.get(law.base or ""), n, 1.0, 0.0))
            elif isinstance(law, RestResistance | StopResistance):
                lower, upper = (
                    (law.at, law.at) if isinstance(law, RestResistance) else (law.lower, law.upper)
                )
                below = law.above if law.below is None else law.below
                if upper is not None:
                    rows.append((path, rising.get(law.above), n, 1.0, upper))
                if lower is not None:
                    rows.append((path, rising.get(below), n, -1.0, lower))
    return rows


def _sentence(path: str, curve: _Curve, most: float, first: float) -> Sentence:
    amount, end = (
        Sentence("{value:.3g} %", value=100.0 * x)
        if curve.unit == "1"
        else Sentence("{value:.4g} degrees", value=math.degrees(x))
        if curve.unit == "rad"
        else Sentence("{value:.4g} mm", value=1e3 * x)
        for x in (most, curve.end)
    )
    if curve.force is None:
        return Sentence(
            BEYOND_LAW,
            what=named(path),
            amount=amount,
            curve=curve.id,
            end=end,
            first=1e3 * first,
        )
    return Sentence(
        BEYOND_ANGLE if curve.unit == "rad" else BEYOND, what=named(path), amount=amount, curve=curve.id, end=end, first=1e3 * first,
        force=curve.force if curve.unit == "rad" else 1e-3 * curve.force,
    )  # fmt: skip


# Watch actuators that stand at their limit most of the time: such a one does not hold its target.

MOST, FEWEST = 0.5, 10
"""Part of the samples at which it gave anything, and least number of these, from which it is told."""

SATURATED = msgid(
    "note: {what} gave its limit, {limit:.4g} {unit}, for {share:.0%} of the time in which it acted: "
    "it does not hold its target"
)
SEVERAL = msgid(
    "note: {count} actuators of '{group}' gave their limits for more than half of the time in which they acted, {what} "
    "most of all, for {share:.0%}: they do not hold their targets"
)


class Saturation:
    """Count at how many samples actuators act, and at how many they give their limit.

    Watched are elements of which one actuator is all that acts by itself.
    """

    def __init__(self, model: Model) -> None:
        self._rows: list[tuple[int, str, float, str, str]] = []
        for n, one in enumerate(model.project.coordinate_forces):
            timed = [law for law in one.laws if isinstance(law, Timed)]
            if len(timed) == 1 and isinstance(timed[0], Actuator) and timed[0].limit is not None:
                unit = "N*m" if one.coordinate.turns else "N"
                path = f"coordinate_forces/{one.id}"
                self._rows.append((n, path, timed[0].limit, unit, one.group))
        self._counts = np.zeros((2, len(self._rows)), np.int64)

    def memory(self) -> tuple[Any, ...]:
        """What has been counted."""
        return (self._counts,)

    def recall(self, memory: tuple[Any, ...]) -> None:
        """Follow on from there."""
        (self._counts,) = memory

    def take(self, time: Array, samples: Samples) -> None:
        """Take the next samples."""
        if not self._rows:
            return
        given = np.abs(samples.coordinates[: len(time), [row[0] for row in self._rows], SEEN_DRIVE])
        limit = np.array([row[2] for row in self._rows])
        acts, full = given > 0.0, given >= limit * (1.0 - 1e-9)
        self._counts = self._counts + np.array([acts.sum(axis=0), full.sum(axis=0)])

    def sentences(self) -> Iterator[Sentence]:
        """Say which of them stood at their limit: of several in one group, such as a posture, how many."""
        passed: dict[str, list[tuple[float, str, float, str]]] = {}
        for (_, path, limit, unit, group), acts, full in zip(
            self._rows, *self._counts, strict=True
        ):
            if acts >= FEWEST and full > MOST * acts:
                passed.setdefault(group or path, []).append((float(full / acts), path, limit, unit))
        for group, found in passed.items():
            share, path, limit, unit = max(found)
            if len(found) > 1:
                yield Sentence(SEVERAL, count=len(found), group=group, what=named(path), share=share)  # fmt: skip
            else:
                yield Sentence(SATURATED, what=named(path), limit=limit, unit=unit, share=share)


# Watch the energy account of a run for what loses less than nothing, and for what holds belts' planes.

NOTICED = 1e-3
"""Part of the energy turned over from which it is told."""

ROUNDING, NOTHING_J = 1e-9, 1e-12
"""Part of all energy that is there, and energy (J), below which nothing is told: so little is rounding."""

LOST, WORK = "lost_in_", "work_of_"
MARK = " more than they took and held"
"""Words by which the sentences of older files are known."""
GAVE = msgid(
    "{cause} gave {energy:.4g} J more than they took and held, {share:.1%} of the energy turned over"
)
GAVE_BECAUSE = msgid(
    "{cause} gave {energy:.4g} J more than they took and held, {share:.1%} of the energy turned over; "
    "{why}"
)

WHY = {
    "joint_springs": Sentence(
        "torques as printed act across the gradient of their energy in a bent joint (torque_law)"
    ),
    "contact_geometry": Sentence(
        "surfaces that fade at an edge (edge), or whose depth counts between centres (depth), do that: let a plane "
        "end beyond what touches it, or let depth count along the normal"
    ),
    "harnesses": Sentence("look at its webbing's law and the sizes of its steps"),
}
"""What is known to do it, by cause."""


class Ledger:
    """Follow the energy account from block to block."""

    def __init__(self) -> None:
        self.turned_over = 0.0
        """Greatest sum of what causes have lost, done and hold, each without its sign (J)."""
        self.moving = 0.0
        """Greatest kinetic energy (J)."""
        self._strain = 0.0
        self._there = 0.0
        self._potential = 0.0
        self._off, self._moved = 0.0, 0.0
        self._top: dict[str, float] = {}
        self._fall: dict[str, float] = {}
        self._planes = 0.0
        self._wound = 0.0
        self._ends: tuple[Array, Array] | None = None

    def memory(self) -> dict[str, Any]:
        """All that has been followed."""
        return vars(self)

    def recall(self, memory: dict[str, Any]) -> None:
        """Follow on from there."""
        vars(self).update(memory)

    def take(self, groups: Mapping[str, Mapping[str, Array]]) -> None:
        """Take the next samples of a run: its groups, each of arrays (T, ...)."""
        energy = groups["energy"]
        if not self._top:
            self._strain = float(energy["strain"][0])
            self._potential = float(energy["potential"][0])
        sizes = [np.abs(energy["strain"] - self._strain)]
        for name, values in energy.items():
            if name.startswith((LOST, WORK)):
                sizes.append(np.abs(values))
            if name.startswith(LOST):
                self._fell(name.removeprefix(LOST), values, groups)
        self._fell("contact_geometry", -energy["work_of_contact_geometry"], groups)
        self.turned_over = max(self.turned_over, float(np.max(sum(sizes))))
        sizes += [energy["kinetic"], np.abs(energy["potential"] - self._potential)]
        self._moved = max(self._moved, float(np.max(sum(sizes))))
        self._off = max(self._off, float(np.max(np.abs(energy["balance"]))))
        there = sum(np.abs(energy[name]) for name in ("kinetic", "potential", "strain"))
        self.moving = max(self.moving, float(np.max(energy["kinetic"])))
        self._there = max(self._there, float(np.max(there)))
        self._planes = max(self._planes, float(np.max(np.abs(energy["work_of_belt_planes"]))))

    def _fell(self, cause: str, lost: Array, groups: Mapping[str, Mapping[str, Array]]) -> None:
        """Keep by how much what a cause has lost has fallen below what it once was."""
        if cause == "harnesses" and "harnesses" in groups:
            lost = lost + self._wound_in(groups["harnesses"])
        top = np.maximum.accumulate(np.append(self._top.get(cause, 0.0), lost))
        self._top[cause] = float(top[-1])
        self._fall[cause] = max(self._fall.get(cause, 0.0), float(np.max(top[1:] - lost)))

    def _wound_in(self, harnesses: Mapping[str, Array]) -> Array:
        """What spools and pretensioners have put in: tension times webbing drawn in."""
        tension, payout = harnesses["tension"], harnesses["payout"]
        if self._ends is not None:
            tension = np.concatenate([self._ends[0], tension])
            payout = np.concatenate([self._ends[1], payout])
        self._ends = tension[-1:].copy(), payout[-1:].copy()
        drawn = np.minimum(np.diff(payout, axis=0), 0.0)
        put_in = -0.5 * np.sum((tension[1:] + tension[:-1]) * drawn, axis=(1, 2))
        out = self._wound + np.cumsum(put_in)
        if len(out) < len(harnesses["payout"]):
            out = np.append(self._wound, out)
        self._wound = float(out[-1])
        return out

    def sentences(self) -> Iterator[Sentence]:
        """Say what is noticeable."""
        least = max(NOTICED * self.turned_over, ROUNDING * self._there, NOTHING_J)
        for cause, fall in self._fall.items():
            if fall > least:
                share = fall / self.turned_over
                why = WHY.get(cause, NOTHING)
                yield Sentence(
                    GAVE_BECAUSE if why else GAVE,
                    cause=Sentence(cause.replace("_", " ")),
                    energy=fall,
                    share=share,
                    why=why,
                )
        if self._planes > least:
            yield Sentence(
                "the fixed points of belts, which carry no load, held planes that tilted, and did up to "
                "{work:.4g} J of work, {share:.1%} of the energy turned over; where a belt moves "
                "sideways over a body, use a harness",
                work=self._planes,
                share=self._planes / self.turned_over,
            )

    def warnings(self) -> Iterator[Sentence]:
        """Say by how much the account is off, where the solution cannot be trusted."""
        if self._off > max(NOTICED * self._moved, NOTHING_J):
            off = Sentence(
                "the energy account is off by up to {energy:.3g} J, {share:.2g} % of all that moved: steps are "
                "too coarse for this model, or sizes in it too far apart. Tighten the tolerances, or take smaller steps",
                energy=self._off,
                share=100.0 * self._off / self._moved if self._moved else 100.0,
            )
            yield Sentence("warning: {what}", what=off)


def guesses(notes: Sequence[Note]) -> tuple[Note, ...]:
    """Give the notes of a run about what went beyond the curve of its force (`ends`)."""
    return marked(notes, " beyond the end of ")


def gains(notes: Sequence[Note]) -> tuple[Note, ...]:
    """Give the notes of a run about what gave more than it took."""
    return marked(notes, MARK)
