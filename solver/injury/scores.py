"""What the ratings of frontal tests give a dummy: points of Euro NCAP, stars of US NCAP.

They rate the dummies and tests that they were made for: a Hybrid III of the library, pushed from ahead in a frontal
crash of a car. A rating of a figure that is not judged, or that may not be its largest yet, is withheld. What no figure tells of, such as an unstable airbag or a foot well that breaks, is not in them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from solver.base.words import NOTHING, Sentence, msgid
from solver.injury.figures import Figure, Score
from solver.injury.judging import Case
from solver.injury.measure import Array, Points, limit_at, worst
from solver.injury.reference import reference

FULL = 4.0
"""Points of a body region."""
HARD_G = 80.0
"""Peak of the head's acceleration (g) from which on it counts as struck (Euro NCAP)."""
BASE = 0.15
"""Risk of the average car of US NCAP, by which that of a car is divided."""
MATTERS = 0.1
"""Part of its limit from which on a figure that still rises when the run ends withholds a rating (*assumed*)."""
STARS = (0.67, 1.0, 1.33, 2.67)
"""Relative risks below which there are five, four, three and two stars (US NCAP 2008)."""


class Load(NamedTuple):
    """Hold a load over time."""

    time: Array
    value: Array


Loads = Mapping[str, Sequence[Load]]
"""Loads of a body by criterion, of both legs where it has two; the head's acceleration (g) as `HEAD`."""

HEAD = "head"


@dataclass(frozen=True, slots=True)
class Sliding:
    """Give all points below `good` and none from `poor` on; above `cap` the whole test has none."""

    criterion: str
    good: float
    poor: float
    cap: float = 0.0


@dataclass(frozen=True, slots=True)
class Lasting:
    """Give points between two limits that fall with the time for which a load lasts."""

    criterion: str
    good: Points
    poor: Points


Rule = Sliding | Lasting

WALL: Mapping[str, tuple[Rule, ...]] = {
    "head": (Sliding("HIC15", 500.0, 700.0, 700.0), Sliding("head_3ms", 72.0, 80.0, 80.0)),
    "neck": (
        Sliding("neck_shear", 1200.0, 1950.0, 2700.0),
        Sliding("neck_tension", 1700.0, 2620.0, 2900.0),
        Sliding("neck_extension", 36.0, 49.0, 57.0),
    ),
    "chest": (Sliding("chest_deflection", 0.018, 0.034, 0.034), Sliding("VC", 0.5, 1.0, 1.0)),
    "femur": (Sliding("femur_compression", 2600.0, 6200.0),),
}
"""Wall at 50 km/h, small woman (Euro NCAP adult occupant protocol 9.3, second hand)."""

BARRIER: Mapping[str, tuple[Rule, ...]] = {
    "head and neck": (
        Sliding("HIC15", 500.0, 700.0, 700.0),
        Sliding("head_3ms", 72.0, 80.0, 80.0),
        Lasting(
            "neck_shear_by_duration",
            ((0.0, 1900.0), (0.025, 1200.0), (0.035, 1200.0), (0.045, 1100.0)),
            ((0.0, 3100.0), (0.025, 1500.0), (0.035, 1500.0), (0.045, 1100.0)),
        ),
        Lasting(
            "neck_tension_by_duration",
            ((0.0, 2700.0), (0.035, 2300.0), (0.06, 1100.0)),
            ((0.0, 3300.0), (0.035, 2900.0), (0.06, 1100.0)),
        ),
        Sliding("neck_extension", 42.0, 57.0),
    ),
    "chest": (Sliding("chest_deflection", 0.022, 0.042, 0.042), Sliding("VC", 0.5, 1.0, 1.0)),
    "femur and knee": (
        Lasting("femur_by_duration", ((0.0, 3800.0),), ((0.0, 9070.0), (0.01, 7560.0))),
        Sliding("knee_slide", 0.006, 0.015),
    ),
    "lower leg": (Sliding("tibia_index", 0.4, 1.3), Sliding("tibia_compression", 2000.0, 8000.0)),
}
"""Moving barrier, half width, passenger of middle size (the same protocol)."""

REGIONS = {
    "head": msgid("head"),
    "neck": msgid("neck"),
    "chest": msgid("chest"),
    "femur": msgid("femur"),
    "head and neck": msgid("head and neck"),
    "femur and knee": msgid("femur and knee"),
    "lower leg": msgid("lower leg"),
}
"""What the regions are called."""

_WALL, _BARRIER = (
    msgid("Euro NCAP 9.3, wall at 50 km/h"),
    msgid("Euro NCAP 9.3, moving barrier, passenger"),
)
_NCAP = msgid("US NCAP, frontal")


US_NCAP: Mapping[str, tuple[str, ...]] = {
    "head": ("HIC15",),
    "neck": ("Nij", "neck_tension", "neck_compression"),
    "chest": ("chest_deflection",),
    "femur": ("femur_compression",),
}
"""Criteria of the regions that US NCAP looks at."""


def rated(
    name: str, case: Case, figures: Sequence[Figure], loads: Loads, goes_on: Sentence = NOTHING
) -> list[Score | Sentence]:
    """Give the ratings of a body, or why one is withheld; none of one that is no dummy of the library or is pushed otherwise.

    `goes_on` says that the run ends before the pulse does.
    """
    size = case.who.size
    if case.who.how != "dummy" or case.way != "ahead" or case.load not in ("", "frontal"):
        return []
    out: list[Score | Sentence | None] = []
    for title, rules in _tests(size):
        asked = [one.criterion for of in rules.values() for one in of] if rules else [one for of in US_NCAP.values() for one in of]  # fmt: skip
        why = next((why for one in asked for why in _unfit(figures, one)), goes_on)
        if not case.load:
            why = Sentence("it is for frontal crashes of cars, and the project names no load case")
        if why:
            lead = f"{name}: " if name else ""
            out.append(
                Sentence("{lead}{name}: not rated: {why}", lead=lead, name=Sentence(title), why=why)
            )
        elif rules:
            out.append(euro_ncap(name, str(Sentence(title)), rules, figures, loads))
        else:
            out.append(us_ncap(name, size, figures))
    return [one for one in out if one is not None]


def _tests(size: str) -> Iterator[tuple[str, Mapping[str, tuple[Rule, ...]]]]:
    """Give the ratings of a dummy with their rules; US NCAP has none but risks."""
    if size in ("hybrid_iii_50", "hybrid_iii_5"):
        yield _NCAP, {}
    if size == "hybrid_iii_5":
        yield _WALL, WALL
    if size == "hybrid_iii_50":
        yield _BARRIER, BARRIER


def _unfit(figures: Sequence[Figure], criterion: str) -> Iterator[Sentence]:
    """Say of figures that a rating needs why they are no ground for one."""
    for one in _of(figures, criterion):
        if one.spoilt:
            yield Sentence("{figure} is not judged: {why}", figure=one.name, why=one.spoilt)
        elif one.until is not None and (one.share is None or one.share >= MATTERS):
            yield Sentence(
                "{figure} is largest at the end of the run, {ms:.4g} ms",
                figure=one.name,
                ms=1e3 * one.until,
            )


def _of(figures: Sequence[Figure], criterion: str) -> list[Figure]:
    """Give the figures of a criterion, of both legs."""
    at = {"head_3ms": ("3ms", "head")}.get(criterion, (criterion, ""))
    return [f for f in figures if f.criterion == at[0] and at[1] in ("", f.part)]


def largest(figures: Sequence[Figure], criterion: str) -> float | None:
    """Give the largest value of a criterion, of both legs; none where it was not computed."""
    return max((f.value for f in _of(figures, criterion)), default=None)


def us_ncap(name: str, size: str, figures: Sequence[Figure]) -> Score | None:
    """Rate by risks: 1 - product(1 - p) of head, neck, chest and femur, over that of the average car."""
    safe, parts = 1.0, []
    for region, criteria in US_NCAP.items():
        level = "AIS2+" if region == "femur" else "AIS3+"
        risks = []
        for criterion in criteria:
            value = largest(figures, criterion)
            if value is None:
                return None
            curve = next(
                c for c in reference().risks[criterion] if c.level == level and size in c.sizes
            )
            risks.append(curve(max(value, 0.0)))
        safe *= 1.0 - max(risks)
        parts.append((Sentence(REGIONS[region]), f"{100.0 * max(risks):.2g} %"))
    relative = (1.0 - safe) / BASE
    stars = 5 - sum(relative >= bound for bound in STARS)
    return Score(str(Sentence(_NCAP)), name, relative, 0.0, tuple(parts), stars)


def euro_ncap(
    name: str,
    title: str,
    rules: Mapping[str, tuple[Rule, ...]],
    figures: Sequence[Figure],
    loads: Loads,
) -> Score | None:
    """Rate by regions: each has the points of its worst figure."""
    parts, total, capped = [], 0.0, False
    for region, criteria in rules.items():
        points = [FULL]
        for rule in criteria:
            if isinstance(rule, Lasting):
                if not loads.get(rule.criterion):
                    return None
                points += [by_time(rule, load) for load in loads[rule.criterion]]
                continue
            value = largest(figures, rule.criterion)
            if value is None:
                return None
            hard = any(load.value.max() >= HARD_G for load in loads.get(HEAD, ()))
            if rule.criterion in ("HIC15", "head_3ms") and not hard:
                continue  # a head that is not struck hard has all points
            points.append(sliding(rule, value))
            capped = capped or (rule.cap > 0.0 and value > rule.cap)
        total += min(points)
        parts.append((Sentence(REGIONS[region]), f"{min(points):.3g}"))
    notes = (Sentence("a limit of the whole test is exceeded: no points"),) if capped else ()
    best = FULL * len(rules)
    return Score(title, name, 0.0 if capped else total, best, tuple(parts), 0, notes)


def sliding(rule: Sliding, value: float) -> float:
    """Give points of a value between two limits."""
    share = (rule.poor - value) / (rule.poor - rule.good)
    return FULL * min(max(share, 0.0), 1.0)


def by_time(rule: Lasting, load: Load) -> float:
    """Give the fewest points that a load has for any time that it lasts for in all."""

    def lost(level: Array, duration: Array) -> Array:
        good, poor = limit_at(rule.good, duration), limit_at(rule.poor, duration)
        room = np.where(poor > good, poor - good, 1.0)
        share = np.where(poor > good, np.minimum((level - good) / room, 1.0), 1.0)
        return np.where(level > good, share, 0.0)

    return FULL * (1.0 - worst(load.time, load.value, lost)[0])
