"""Criteria of injury that other packages add: computed for every body that has what they need."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from solver.base import extensions
from solver.base.extensions import Extension, ExtensionError
from solver.base.units import UnitError
from solver.base.units.table import unit
from solver.base.words import Sentence
from solver.engine.signals import SignalError
from solver.injury.parts import Occupant, sides
from solver.injury.reference import Limit
from solver.injury.scores import Measure, Signal
from solver.injury.sensors import Sensor, Wanted, wanted
from solver.project import Project
from solver.project.criteria import CRITERIA, Criterion, Need

Figured = float | tuple[float, float, float] | Measure
"""A value, perhaps with its window (s)."""

_NAME = re.compile(r"[A-Za-z]\w*")
_PARTS = ("head", "neck", "upper_torso", "lower_torso", "upper_leg", "lower_leg")
_NEEDS = get_args(Need)


@dataclass(frozen=True, kw_only=True)
class AddedCriterion:
    """A criterion of injury of another package.

    `compute` gets what the sensors of a body's part gave, by what is needed: times (s), values in SI along the
    part's axes, filtered. It gives a value in `unit`, perhaps with the window in which it came about (s). `part` is
    that of a body: head, neck, upper_torso, lower_torso, upper_leg, lower_leg; of legs there are two figures.
    A `limit` is above what is good, and `source` says whose it is.
    """

    title: str
    unit: str
    part: str
    needs: tuple[Need, ...]
    compute: Callable[[Mapping[str, Signal]], Figured]
    classes: tuple[int, ...] = ()
    """Filter classes of the needs (SAE J211); 0: that of the part, head 1000, else 180."""
    limit: float | None = None
    source: str = ""
    remembers: bool = True
    """Whether it depends on what was: its last samples alone do not tell what it is at the end."""

    def info(self, name: str) -> Criterion:
        """The criterion as the tables have theirs."""
        classes = self.classes or (0,) * len(self.needs)
        sensors = tuple(zip(self.needs, classes, strict=True))
        return Criterion(
            self.title, self.unit, "", (_Computing(name, self),), sensors, remembers=self.remembers
        )

    def limits(self, name: str) -> tuple[Limit, ...]:
        """Its limit, for any body."""
        if self.limit is None:
            return ()
        return (Limit(name, self.limit, "any body", (), self.source or self.title),)


@dataclass(frozen=True)
class _Computing:
    """Compute a criterion, and say what its package did wrong."""

    name: str
    of: AddedCriterion

    def __call__(self, given: Sequence[Signal], _: object) -> Measure:
        """Give the figure of what the sensors gave."""
        try:
            found = self.of.compute(dict(zip(self.of.needs, given, strict=True)))
            value, *window = map(float, found[:3] if isinstance(found, tuple) else (found,))
            time = given[0].time
            first, last = window[:2] or (time[0], time[-1])
            measure = Measure(float(value), float(first), float(last))
        except (Exception, SystemExit) as raised:
            raise SignalError(_named(self.name).failed(raised).said) from raised
        if not all(map(math.isfinite, measure[:3])):
            raise SignalError(_named(self.name).error("it gave {value}", value=str(found)).said)
        return measure


def added_criteria() -> Mapping[str, AddedCriterion]:
    """The criteria of other packages that can be used, by name."""
    return {
        name: one
        for name, one in extensions.loaded(extensions.CRITERIA, AddedCriterion)[0].items()
        if _fault(name, one) is None
    }


def broken_criteria() -> Sequence[Sentence]:
    """Say of the criteria of other packages that cannot be used why; each names it by `name`."""
    good, bad = extensions.loaded(extensions.CRITERIA, AddedCriterion)
    faults = (_fault(name, one) for name, one in good.items())
    return [one.said for one in (*bad, *filter(None, faults))]


def _fault(name: str, one: AddedCriterion) -> ExtensionError | None:
    """Say what of a criterion cannot be."""
    where = _named(name)
    if name in CRITERIA:
        return where.error("there is a criterion of that name")
    if not _NAME.fullmatch(name):
        return where.error("its name is not one word of letters, digits and _")
    if not one.needs or len(one.classes) not in (0, len(one.needs)):
        return where.error("it needs one thing at least, and as many filter classes as needs")
    part = one.part.removeprefix("left_").removeprefix("right_")
    for what, known in ((part, _PARTS), *((need, _NEEDS) for need in one.needs)):
        if what not in known:
            return where.error("'{what}' is none of {names}", what=what, names=", ".join(known))
    try:
        unit(one.unit)
    except UnitError as failure:
        return where.error("{failure}", failure=str(failure).rstrip("."))
    return None


def _named(name: str) -> Extension:
    return extensions.named(extensions.CRITERIA, name)


def criterion_named(name: str) -> Criterion:
    """A criterion of ours, or of another package."""
    found = CRITERIA.get(name)
    return added_criteria()[name].info(name) if found is None else found


def limits_of(name: str) -> tuple[Limit, ...]:
    """The limit that comes with a criterion of another package; none of ours."""
    one = None if name in CRITERIA else added_criteria().get(name)
    return () if one is None else one.limits(name)


def added_to(project: Project, body: Occupant) -> Iterator[Wanted]:
    """The figures of a body by criteria of other packages: name, criterion, part, outputs."""
    criteria = added_criteria()
    if not criteria:
        return
    there = _sensors(project, body)
    for name, one in criteria.items():
        for lead, tail in dict.fromkeys((("", ""), *sides(body))):
            part = f"{lead}{one.part}"
            outputs = [there.get((part, need)) for need in one.needs]
            if part and all(outputs):
                yield f"{name}{tail}", name, part, tuple(filter(None, outputs))


def _sensors(project: Project, body: Occupant) -> Mapping[tuple[str, str], Sensor]:
    """What of a body is measured, by part and by what it gives."""
    found: dict[tuple[str, str], Sensor] = {}
    for _, criterion, part, outputs in wanted(project, body):
        for need, output in zip(CRITERIA[criterion].needs, outputs, strict=True):
            found.setdefault((part, need), output)
    return found
