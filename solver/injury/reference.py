"""Limits of regulations, risk curves and intercepts, read from `resources/injury.json` and the entries of dummies."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from functools import cache
from typing import Any, Literal, NamedTuple, TypeVar

from solver.base.words import tr
from solver.bodies.body import BodyError
from solver.bodies.dummies import DUMMIES, JudgedAs, dummy_entry, of_size
from solver.project.criteria import injury_data

Name = TypeVar("Name", bound=str)

LIKE = 0.15
"""Part of a dummy's mass by which a body may differ and still be of its size (*assumed*)."""


@dataclass(frozen=True, slots=True)
class Dummy:
    """A dummy that limits or intercepts are for.

    With a mass (kg) bodies are told by it, and by what the dummy of that name in the library weighs; without
    one it holds where a project names it.
    """

    id: str
    name: str
    source: str
    mass_kg: float = 0.0
    library: str = ""
    code: str = ""
    """Its letters in the codes of measured channels."""
    condyles_m: float | None = None
    """How far the load cell of its neck lies above the condyles."""
    ratings: tuple[str, ...] = ()
    """Ratings of frontal tests that are made for it."""


@dataclass(frozen=True, slots=True)
class Standard:
    """A regulation or another set of criteria, and from where bodies are pushed in its tests.

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
    """A limit in the criterion's unit; `unchecked`: from memory, not compared with any text.

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
    """The probability of an injury of a level by the value of a criterion.

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
        """The probability at a value in the criterion's unit."""
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
    """The probability of an injury of a level, at an age (years) where its curve knows ages.

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
    """All that is compared with."""

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
    mid_size: str
    """The dummy whose constants are taken where nothing says of whom."""

    def size_of(self, mass: float) -> str:
        """The dummy of about a mass (kg); empty where there is none."""
        near = self.nearest(mass, [one.id for one in self.bodies.values() if one.mass_kg])
        own = self.bodies[near].mass_kg
        return near if abs(mass - own) <= LIKE * own else ""

    def nearest(self, mass: float, among: Iterable[Name]) -> Name:
        """Give that of some dummies whose mass differs by the smallest factor; those without one are none."""
        known = [one for one in among if self.bodies[one].mass_kg]
        return min(known, key=lambda one: abs(math.log(mass / self.bodies[one].mass_kg)))


def risks_at(curves: tuple[RiskCurve, ...], value: float) -> tuple[Risk, ...]:
    """The risk of each level, and mark those that published curves put above a lower level."""
    out: list[Risk] = []
    for curve in sorted(curves, key=lambda one: one.level):
        p = curve(value)
        over = any(one.source == curve.source and p > one.probability for one in out)
        out.append(Risk(curve.level, p, curve.source, over, curve.age, curve.unchecked))
    return tuple(out)


@cache
def reference() -> Reference:
    """Read the data once."""
    data = _with_dummies(injury_data())
    limits: dict[str, tuple[Limit, ...]] = {}
    for one in data["limits"]:
        held: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in one.items()}
        limit = Limit(**held)
        limits[limit.criterion] = (*limits.get(limit.criterion, ()), limit)
    risks: dict[str, tuple[RiskCurve, ...]] = {}
    for one in data["risks"]:
        curve = RiskCurve(**{**one, "sizes": tuple(one["sizes"])})
        risks[curve.criterion] = (*risks.get(curve.criterion, ()), curve)
    bodies = {one["id"]: Dummy(**one) for one in data["bodies"]}
    return Reference(
        bodies,
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
        next(one.id for one in bodies.values() if one.library == of_size("mid-size")),
    )


def _with_dummies(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """The tables with what the dummies of the library say of themselves, before the other bodies, after other limits."""
    found = [(name, entry) for name in DUMMIES if (entry := dummy_entry(name).judged_as)]
    own = {name: one.model_dump() for name, one in found}

    def of_parts(part: str) -> list[Any]:
        return [{"body": one["id"], **one[part]} for one in own.values() if one[part]]

    return {
        **data,
        "bodies": [
            *(
                {k: one[k] for k in _OF_BODY} | {"library": name, "mass_kg": one["mass_kg"] or 0.0}
                for name, one in own.items()
            ),
            *data["bodies"],
        ],
        "necks": [*of_parts("neck"), *data["necks"]],
        "tibias": [*of_parts("tibia"), *data["tibias"]],
        "chests": [*of_parts("chest"), *data["chests"]],
        "limits": [*data["limits"], *(row for _, one in found for row in _rows(one, "limits"))],
        "risks": [*data["risks"], *(row for _, one in found for row in _rows(one, "risks"))],
        "made_for": [
            {**one, "sizes": [*one["sizes"], *_who_has(found, one["criterion"])]}
            for one in data["made_for"]
        ],
    }


_OF_BODY = ("id", "name", "mass_kg", "source", "ratings", "code", "condyles_m")
_ROWS = {"limits": Limit, "risks": RiskCurve}


def _rows(one: JudgedAs, table: Literal["limits", "risks"]) -> Iterator[dict[str, Any]]:
    """A dummy's own rows, which are of it alone; raises BodyError for a field that is wrong."""
    about = {"body": one.name} if table == "limits" else {}
    known = {f.name for f in fields(_ROWS[table])}
    asked = {f.name for f in fields(_ROWS[table]) if f.default is MISSING}
    for row in getattr(one, table):
        whole = {**row, **about, "sizes": [one.id]}
        wrong = [*(set(whole) - known), *(asked - set(whole))]
        if wrong or row.keys() & {"body", "sizes"}:
            raise BodyError(
                "The entry of '{name}': a row of '{table}' has {known} and no more; wrong: {wrong}.",
                name=one.id,
                table=table,
                known=", ".join(sorted(known - {"body", "sizes"})),
                wrong=", ".join(sorted(wrong or row.keys() & {"body", "sizes"})),
            )
        yield whole


def _who_has(found: list[tuple[str, JudgedAs]], criterion: str) -> Iterator[str]:
    return (one.id for _, one in found if criterion in one.constants)


def _intercepts(rows: list[dict[str, Any]], loads: tuple[str, ...]) -> dict[str, dict[str, float]]:
    return {one["body"]: {load: float(one[load]) for load in loads} for one in rows}
