"""What the ratings of frontal tests give a dummy: points of Euro NCAP, stars of US NCAP.

They rate the dummies and tests that they were made for: a Hybrid III of the library, pushed from ahead in a frontal
crash of a car. A rating of a figure that is not judged, or that may not be its largest yet, is withheld. What no figure tells of, such as an unstable airbag or a foot well that breaks, is not in them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solver.base.words import NOTHING, Sentence, msgid
from solver.engine.signals import clip_summed, period
from solver.engine.signals.filters import passed
from solver.injury.figures import Figure, Score
from solver.injury.judging import Case
from solver.injury.reference import reference

# What every criterion gives.

Array = NDArray[np.float64]

G = 9.80665
"""Standard gravity (m/s2)."""


@dataclass(frozen=True, slots=True)
class Signal:
    """What a sensor gave: vectors (3, T) or a deflection (T), SI, filtered to a class (0: not).

    `on_child` says of a joint's load on which of its segments it acts.
    """

    time: NDArray[np.float64]
    value: NDArray[np.float64]
    cfc: int
    on_child: bool = True


class Measure(NamedTuple):
    """A figure, its window or instant (s), and what else is to be known of it."""

    value: float
    t1: float
    t2: float
    note: Sentence = NOTHING


def peak(time: Array, value: Array, note: Sentence = NOTHING) -> Measure:
    """Give the largest value and its instant."""
    k = int(np.argmax(value))
    return Measure(float(value[k]), float(time[k]), float(time[k]), note)


# Loads by how long they last: what is above a level for a time in all, against a limit that falls with it.
#
# UN R94, 5.2.1.2 and 5.2.1.6 limit shear and tension of the neck and the force in the femur so. All spells above a
# level count together, as in Euro NCAP's cumulative exceedence.

CLOSE = 1e-7
"""Part of the value within which the largest one is looked for."""

Points = Sequence[tuple[float, float]]
"""Durations (s) and limits; straight between, level beyond."""


Badness = Callable[[Array, Array], Array]
"""Of levels and the times above them, element by element."""


def limit_at(points: Points, duration: ArrayLike) -> Array:
    """The limits for loads that last for some durations."""
    at, limits = zip(*points, strict=True)
    return np.asarray(np.interp(np.asarray(duration), np.asarray(at), np.asarray(limits)))


def worst(time: Array, load: Array, badness: Badness) -> tuple[float, float, float]:
    """The largest badness(level, time above it in all) of a load, that level and that time.

    `badness` never falls as either grows, so that between two levels it is at most that of the higher
    level and the longer time: intervals that promise more than what is found are halved, all in each round.
    """
    high = float(load.max())
    if high <= 0.0:
        return 0.0, 0.0, 0.0
    lasting = _lasting(time, load)
    low, top = np.array([0.0]), np.array([high])
    after, until = lasting(low), lasting(top)
    """The times above the lower and the upper levels."""
    best = max(zip(badness(top, until), top, until, strict=True))
    best = max([best, *zip(badness(low, after), low, after, strict=True)])
    while len(low):
        middle = 0.5 * (low + top)
        open_ = badness(top, after) > best[0] * (1.0 + CLOSE)
        open_ &= (low < middle) & (middle < top)
        low, middle, top = low[open_], middle[open_], top[open_]
        between = lasting(middle)
        best = max([best, *zip(badness(middle, between), middle, between, strict=True)])
        after = np.concatenate([after[open_], between])
        low, top = np.concatenate([low, middle]), np.concatenate([middle, top])
    value, level, duration = map(float, best)
    return value, level, duration


def _lasting(time: Array, load: Array) -> Callable[[Array], Array]:
    """What tells the time at or above levels, all spells together (s).

    Steps that are above as a whole are found by their order, those that cross one by one.
    """
    low, top = np.minimum(load[:-1], load[1:]), np.maximum(load[:-1], load[1:])
    step, order = np.diff(time), np.argsort(low)
    floors = low[order]
    above = np.concatenate([np.cumsum(step[order][::-1])[::-1], [0.0]])

    def lasting(levels: Array) -> Array:
        n, k = np.nonzero((low < levels[:, None]) & (levels[:, None] < top))
        parts = step[k] * (top[k] - levels[n]) / (top[k] - low[k])
        crossing = np.bincount(n, parts, minlength=len(levels))
        return np.asarray(above[np.searchsorted(floors, levels)] + crossing)

    return lasting


def by_duration(time: Array, load: Array, points: Points) -> Measure:
    """The largest load as a part of the limit for the time that it is exceeded for."""
    value, level, duration = worst(time, load, lambda f, d: f / limit_at(points, d))
    note = Sentence(
        "{level:.4g} N for {duration:.3g} ms in all, where {limit:.4g} N may be",
        level=level,
        duration=1e3 * duration,
        limit=float(limit_at(points, duration)),
    )
    if 0.0 < duration < time[-1] - time[0]:
        kept = clip_summed(time, load, duration)
        return Measure(value, kept.t1, kept.t2, note)
    at = float(time[int(np.argmax(load))])
    return Measure(value, at, at, note)


# Single masses on a spring and a damper, driven at their foot: x'' + c x' + k x = a, from rest.


def deflection(time: Array, drive: Array, damping: float, stiffness: float) -> Array:
    """Give x at all samples, exact for a drive that goes straight between them.

    The state y = (x, x') goes from sample to sample by y+ = E y + F a + H a+, which a filter does for
    x alone. What the drive is at the first sample acts as a step, the rest rises from there.
    """
    step = period(time)
    A, B = np.array([[0.0, 1.0], [-stiffness, -damping]]), np.array([0.0, 1.0])
    inverse = np.array([[-damping / stiffness, -1.0 / stiffness], [1.0, 0.0]])
    E = _exponential(A, step)
    held = inverse @ (E - np.eye(2)) @ B
    H = inverse @ (held / step - B)
    F = held - H
    turned = np.trace(E) * np.eye(2) - E
    below = np.array([1.0, -np.trace(E), np.linalg.det(E)])
    of_step = np.array([0.0, held[0], -(turned @ held)[0]])
    of_rest = np.array([H[0], F[0] - (turned @ H)[0], -(turned @ F)[0]])
    first = np.full(len(drive), drive[0])
    out: Array = passed(of_step, below, first) + passed(of_rest, below, drive - first)
    return out


def _exponential(A: Array, step: float) -> Array:
    """Give exp(A step) of a matrix (2, 2): by its mean eigenvalue and the distance of the two from it."""
    mean = 0.5 * float(np.trace(A))
    away = np.sqrt(complex(mean**2 - float(np.linalg.det(A))))
    sine = step if away == 0.0 else (np.sinh(away * step) / away).real
    rest = A - mean * np.eye(2)
    out: Array = np.exp(mean * step) * (np.cosh(away * step).real * np.eye(2) + sine * rest)
    return out


def response_index(time: Array, acceleration: Array, omega: float, ratio: float) -> Array:
    """Give omega^2 x over time: the acceleration (m/s2) that would hold the spring at x."""
    return omega**2 * deflection(time, acceleration, 2.0 * ratio * omega, omega**2)


def coupled(time: Array, drive: Array, stiffness: Array, damping_time: float) -> Array:
    """Give x (3, T) of three unit masses with C = damping_time * K, mode by mode."""
    squares, shapes = np.linalg.eigh(stiffness)
    modes = [
        deflection(time, row, damping_time * float(square), float(square))
        for row, square in zip(shapes.T @ drive, squares, strict=True)
    ]
    out: Array = shapes @ np.stack(modes)
    return out


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
    """A load over time."""

    time: Array
    value: Array


Loads = Mapping[str, Sequence[Load]]
"""Loads of a body by criterion, of both legs where it has two; the head's acceleration (g) as `HEAD`."""

HEAD = "head"


@dataclass(frozen=True, slots=True)
class Sliding:
    """All points below `good` and none from `poor` on; above `cap` the whole test has none."""

    criterion: str
    good: float
    poor: float
    cap: float = 0.0


@dataclass(frozen=True, slots=True)
class Lasting:
    """Points between two limits that fall with the time for which a load lasts."""

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
    """The ratings of a body, or why one is withheld; none of one that is no dummy of the library or is pushed otherwise.

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
    known = {"us_ncap": (_NCAP, {}), "euro_ncap_wall": (_WALL, WALL), "euro_ncap_barrier": (_BARRIER, BARRIER)}  # fmt: skip
    yield from (known[one] for one in reference().bodies[size].ratings)


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
    """The figures of a criterion, of both legs."""
    at = {"head_3ms": ("3ms", "head")}.get(criterion, (criterion, ""))
    return [f for f in figures if f.criterion == at[0] and at[1] in ("", f.part)]


def largest(figures: Sequence[Figure], criterion: str) -> float | None:
    """The largest value of a criterion, of both legs; none where it was not computed."""
    return max((f.value for f in _of(figures, criterion)), default=None)


def us_ncap(name: str, size: str, figures: Sequence[Figure]) -> Score | Sentence | None:
    """Rate by risks: 1 - product(1 - p) of head, neck, chest and femur, over that of the average car."""
    safe, parts = 1.0, []
    for region, criteria in US_NCAP.items():
        level = "AIS2+" if region == "femur" else "AIS3+"
        risks = []
        for criterion in criteria:
            value = largest(figures, criterion)
            if value is None:
                return None
            known = reference().risks[criterion]
            curve = next((c for c in known if c.level == level and size in c.sizes), None)
            if curve is None:
                why = Sentence("no risk {level} by {criterion} is known for this body", level=level, criterion=criterion)  # fmt: skip
                return Sentence("{name}: not rated: {why}", name=Sentence(_NCAP), why=why)
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
    """Points of a value between two limits."""
    share = (rule.poor - value) / (rule.poor - rule.good)
    return FULL * min(max(share, 0.0), 1.0)


def by_time(rule: Lasting, load: Load) -> float:
    """The fewest points that a load has for any time that it lasts for in all."""

    def lost(level: Array, duration: Array) -> Array:
        good, poor = limit_at(rule.good, duration), limit_at(rule.poor, duration)
        room = np.where(poor > good, poor - good, 1.0)
        share = np.where(poor > good, np.minimum((level - good) / room, 1.0), 1.0)
        return np.where(level > good, share, 0.0)

    return FULL * (1.0 - worst(load.time, load.value, lost)[0])
