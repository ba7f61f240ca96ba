"""Limits of regulations, risk curves and intercepts, read from `resources/injury.json`."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, TypeVar

from solver.base.places import resources
from solver.base.words import tr

Name = TypeVar("Name", bound=str)

LIKE = 0.15
"""Part of a dummy's mass by which a body may differ and still be of its size (*assumed*)."""


@dataclass(frozen=True, slots=True)
class Dummy:
    """Hold a dummy that limits or intercepts are for.

    With a mass (kg) bodies are told by it, and by what the dummy of that name in the library weighs; without
    one it holds where a project names it.
    """

    id: str
    name: str
    source: str
    mass_kg: float = 0.0
    library: str = ""


@dataclass(frozen=True, slots=True)
class Standard:
    """Hold a regulation or another set of criteria, and from where bodies are pushed in its tests.

    It belongs to the load cases `cases`, where there are none to all. One that is `declared` holds where a project
    names such a case, or where it names none and asks for the figure; others where it names none, too.
    """

    id: str
    name: str
    way: str
    cases: tuple[str, ...] = ()
    declared: bool = False


@dataclass(frozen=True, slots=True)
class Limit:
    """Hold a limit in the criterion's unit; `unchecked`: from memory, not compared with any text.

    It holds for bodies of `sizes`, where there are none for any. With `push` it holds where the trunk is pushed
    from there alone, with `or_asked` also where the project asks for the figure. `seen` says where it was
    looked up: in the text of its source, or at second hand.
    """

    criterion: str
    limit: float
    body: str
    sizes: tuple[str, ...]
    source: str
    push: tuple[str, ...] = ()
    or_asked: bool = False
    unchecked: bool = False
    standard: str = ""
    seen: str = ""


@dataclass(frozen=True, slots=True)
class MadeFor:
    """Say for whom the constants of a criterion were found, and for which pushes; none: all."""

    criterion: str
    of: str
    sizes: tuple[str, ...]
    push: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RiskCurve:
    """Give the probability of an injury of a level by the value of a criterion.

    Lognormal: Phi((ln x - a) / b); logistic: 1 / (1 + exp(a - b x)); power: the same of x^exponent; Weibull:
    1 - exp(-((x - start) / a)^b); x in the unit of the source. Of one that knows ages `a` is that at `age` years,
    and falls by `per_year`.
    """

    criterion: str
    level: str
    form: str
    a: float
    b: float
    unit_factor: float
    sizes: tuple[str, ...]
    source: str
    push: str = ""
    exponent: float = 1.0
    start: float = 0.0
    seen: str = ""
    age: float = 0.0
    per_year: float = 0.0
    unchecked: bool = False

    def __call__(self, value: float) -> float:
        """Give the probability at a value in the criterion's unit."""
        x = value * self.unit_factor
        if self.form == "lognormal":
            if x <= 0.0:
                return 0.0
            return 0.5 * math.erfc((self.a - math.log(x)) / (self.b * math.sqrt(2.0)))
        if self.form == "weibull":
            return -math.expm1(-((max(x - self.start, 0.0) / self.a) ** self.b))
        if self.form == "power":
            x = max(x, 0.0) ** self.exponent
        # written so that nothing overflows
        y = self.b * x - self.a
        return 1.0 / (1.0 + math.exp(-y)) if y >= 0.0 else math.exp(y) / (1.0 + math.exp(y))


class Risk(NamedTuple):
    """Hold the probability of an injury of a level, at an age (years) where its curve knows ages.

    `crossed`: it is above that of a lower level.
    """

    level: str
    probability: float
    source: str
    crossed: bool = False
    age: float = 0.0
    unchecked: bool = False
    """Whether its curve is from memory."""

    @property
    def said(self) -> str:
        """Say it in short, with a mark where it cannot be so."""
        star = "*" if self.unchecked else ""
        said = f"{self.level} {_percent(self.probability)}{star}"
        if self.age:
            said = tr("{risk} at {age:g} years", risk=said, age=self.age)
        return tr("{risk} (curves cross)", risk=said) if self.crossed else said


def _percent(part: float) -> str:
    """Write a risk in percent, as far as its curve tells one from none and from all."""
    if part < 1e-3:
        return "< 0.1 %"
    return "> 99 %" if part > 0.99 else f"{100.0 * part:.2g} %"


@dataclass(frozen=True, slots=True)
class Reference:
    """Hold all that is compared with."""

    bodies: Mapping[str, Dummy]
    limits: Mapping[str, tuple[Limit, ...]]
    risks: Mapping[str, tuple[RiskCurve, ...]]
    necks: Mapping[str, Mapping[str, float]]
    assumed_necks: frozenset[str]
    """Dummies whose intercepts were not compared with the text of their source."""
    tibias: Mapping[str, Mapping[str, float]]
    chests: Mapping[str, Mapping[str, float]]
    """Scale and depth (m) of the viscous criterion."""
    durations: Mapping[str, tuple[tuple[float, float], ...]]
    """Limits (N) of criteria by the duration (s) of a load."""
    standards: Mapping[str, Standard]
    made_for: Mapping[str, MadeFor]
    """Criteria whose own constants are of one kind of body."""

    def size_of(self, mass: float) -> str:
        """Give the dummy of about a mass (kg); empty where there is none."""
        near = self.nearest(mass, [one.id for one in self.bodies.values() if one.mass_kg])
        own = self.bodies[near].mass_kg
        return near if abs(mass - own) <= LIKE * own else ""

    def nearest(self, mass: float, among: Iterable[Name]) -> Name:
        """Give that of some dummies whose mass differs by the smallest factor; those without one are none."""
        known = [one for one in among if self.bodies[one].mass_kg]
        return min(known, key=lambda one: abs(math.log(mass / self.bodies[one].mass_kg)))


def risks_at(curves: tuple[RiskCurve, ...], value: float) -> tuple[Risk, ...]:
    """Give the risk of each level, and mark those that published curves put above a lower level."""
    out: list[Risk] = []
    for curve in sorted(curves, key=lambda one: one.level):
        p = curve(value)
        over = any(one.source == curve.source and p > one.probability for one in out)
        out.append(Risk(curve.level, p, curve.source, over, curve.age, curve.unchecked))
    return tuple(out)


@cache
def reference() -> Reference:
    """Read the data once."""
    data: dict[str, Any] = json.loads((resources() / "injury.json").read_text(encoding="utf-8"))
    limits: dict[str, tuple[Limit, ...]] = {}
    for one in data["limits"]:
        held: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in one.items()}
        limit = Limit(**held)
        limits[limit.criterion] = (*limits.get(limit.criterion, ()), limit)
    risks: dict[str, tuple[RiskCurve, ...]] = {}
    for one in data["risks"]:
        curve = RiskCurve(**{**one, "sizes": tuple(one["sizes"])})
        risks[curve.criterion] = (*risks.get(curve.criterion, ()), curve)
    return Reference(
        {one["id"]: Dummy(**one) for one in data["bodies"]},
        limits,
        risks,
        _intercepts(data["necks"], ("tension", "compression", "flexion", "extension")),
        frozenset(one["body"] for one in data["necks"] if one.get("unchecked")),
        _intercepts(data["tibias"], ("moment", "force")),
        _intercepts(data["chests"], ("scale", "depth")),
        {one["criterion"]: tuple(map(tuple, one["points"])) for one in data["durations"]},
        {
            one["id"]: Standard(**{**one, "cases": tuple(one.get("cases", ()))})
            for one in data["standards"]
        },
        {
            one["criterion"]: MadeFor(
                one["criterion"], one["of"], tuple(one["sizes"]), tuple(one.get("push", ()))
            )
            for one in data["made_for"]
        },
    )


def _intercepts(rows: list[dict[str, Any]], loads: tuple[str, ...]) -> dict[str, dict[str, float]]:
    return {one["body"]: {load: float(one[load]) for load in loads} for one in rows}
