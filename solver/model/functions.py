"""Make the project's functions into numbered curves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from solver.engine.dynamics.tree import Array
from solver.engine.maths import curve, profile
from solver.engine.maths.curve import NONE, Curve, Curves, joined
from solver.project.document import Project
from solver.project.histories import curve_of, position
from solver.project.joint_table import driven_axes
from solver.project.motions import Driver, FrameDriver, History, Prescribed, PulseShape
from solver.project.pose import component_of, joint_values, start_pose

MISSED = 1e-3
"""Part of what a history brings in all that its straight summary between two stops may miss."""


def stops(made: Curve) -> list[float]:
    """The times above zero at which steps end, so that none goes past what a history brings.

    Of the breaks those without which its running sum would be drawn wrong (Douglas and Peucker).
    """
    curves = curve.joined([made])
    t = np.unique(made.start)
    brought = np.array([curve.curve_area(curves, 0, x) for x in t])
    allowed = MISSED * float(np.ptp(brought))
    kept, spans = {0, len(t) - 1}, [(0, len(t) - 1)]
    while spans:
        i, j = spans.pop()
        if j - i < 2:
            continue
        line = np.interp(t[i : j + 1], t[[i, j]], brought[[i, j]])
        k = i + int(np.argmax(np.abs(brought[i : j + 1] - line)))
        if abs(brought[k] - line[k - i]) > allowed:
            kept.add(k)
            spans += [(i, k), (k, j)]
    return [float(t[k]) for k in sorted(kept) if t[k] > 0.0]


class Numbered:
    """Number the curves that elements ask for: functions by id, and constants."""

    def __init__(self, project: Project) -> None:
        self._functions = {f.id: f for f in project.functions}
        self._by_id: dict[str, Curve] = {}
        self._curves: list[Curve] = []
        self._numbers: dict[str | float, int] = {}

    def __getitem__(self, id_: str) -> Curve:
        """Give a function's pieces by its id; they are made once, and only where they are asked for."""
        if id_ not in self._by_id:
            self._by_id[id_] = curve_of(self._functions[id_])
        return self._by_id[id_]

    def number(self, wanted: str | float | None) -> int:
        """The number of a function, of a constant, or of none."""
        if wanted is None:
            return NONE
        if wanted not in self._numbers:
            self._numbers[wanted] = len(self._curves)
            self._curves.append(self.curve(wanted))
        return self._numbers[wanted]

    def curve(self, wanted: str | float) -> Curve:
        """The pieces of a function, or of a constant."""
        return self[wanted] if isinstance(wanted, str) else curve.constant(wanted)

    def has(self, name: str) -> bool:
        """Whether a curve has its number already."""
        return name in self._numbers

    def value(self, wanted: str | float, x: float) -> float:
        """The value of a function, or of a constant, at a place."""
        if not isinstance(wanted, str):
            return wanted
        return float(curve.curve_at(curve.joined([self[wanted]]), 0, x)[0])

    def add(self, name: str, made: Curve) -> int:
        """Give a number to a curve that is no function of the project."""
        self._numbers[name] = len(self._curves)
        self._curves.append(made)
        return self._numbers[name]

    def even(self, wanted: str | float) -> int:
        """The number of a function of the size of its argument, or of a constant."""
        if not isinstance(wanted, str):
            return self.number(wanted)
        name = repr(("even", wanted))
        if not self.has(name):
            self.add(name, _by_size(self[wanted]))
        return self.number(name)

    def curves(self) -> Curves:
        """All that were asked for."""
        return curve.joined(self._curves)


def _by_size(made: Curve) -> Curve:
    """A curve from zero on, and its mirror image below."""
    right = curve.split(curve.constant(0.0), made, 0.0)
    start, poly = right.start[1:], right.poly[1:]
    spans = [*(b - a for a, b in pairwise(start)), 0.0]
    # p(x - a) up to b becomes p(b - a - u) from -b on; the last one rules all that lies before it
    image = [np.polynomial.Polynomial(p)(np.polynomial.Polynomial([h, -1.0])).coef for p, h in zip(poly, spans, strict=True)]  # fmt: skip
    left = [-a - h for a, h in zip(start, spans, strict=True)]
    return Curve((*left[::-1], *start), (*(tuple(p.tolist()) for p in image[::-1]), *poly))


# What is lost at least by who loads a law of section 7.5 from zero to a depth, wherever he then turns.
#
# What is held on the way in is what any later path gives back at most: the work so far, less the least of what turning
# here or anywhere deeper would lose. So a loss never comes back, and at a turn it only grows.

PIECES, LOOKS = 48, 16
"""How many pieces the curve has at least, and how many places of each are looked at."""

LOSS_MISSED = 1e-6
"""Part of the most that is lost by which a piece may miss it."""


def least_lost(
    functions: Numbered, base: str, spike: str | None, ratio: float | str, offset: float | str
) -> int:
    """The number of that curve: by base, spike or none, part returned and offset kept."""
    name = repr(("least lost", base, spike, ratio, offset))
    if not functions.has(name):
        loads = tuple(functions[one] for one in (base, spike) if one is not None)
        parts = tuple(functions.curve(one) for one in (ratio, offset))
        functions.add(name, _curve(loads, parts))
    return functions.number(name)


@lru_cache(maxsize=128)
def _curve(loads: tuple[Curve, ...], parts: tuple[Curve, ...]) -> Curve:
    start = max(loads[0].start[0], 0.0)
    breaks = np.unique([x for one in (*loads, *parts) for x in one.start if x > start])
    end = 2.0 * (breaks[-1] if len(breaks) else start + 1.0) - start
    ends = np.unique([start, *breaks, end])
    count = max(PIECES // (len(ends) - 1), 1)
    cells = [np.linspace(a, b, count + 1) for a, b in pairwise(ends)]
    at = np.unique(np.concatenate(cells))
    share = np.arange(LOOKS) / LOOKS
    x = np.append((at[:-1, None] + share * np.diff(at)[:, None]).ravel(), at[-1])
    force, work = np.sum([_looked(one, x) for one in loads], axis=0)
    least = np.minimum.accumulate(_lost(x, force, work, loads[0], parts, start)[::-1])[::-1]
    y = least[::LOOKS]
    # cubics with the slopes at both ends, which rise wherever the values do; lines where these miss a corner
    h, steep = np.diff(at), np.diff(y) / np.diff(at)
    fine = np.diff(least).reshape(-1, LOOKS) / (h / LOOKS)[:, None]
    slopes = (1.5 * fine[:, [0, -1]] - 0.5 * fine[:, [1, -2]]).clip(0.0, 3.0 * steep[:, None])
    a, b = slopes.T
    poly = np.stack([y[:-1], a, (3.0 * steep - 2.0 * a - b) / h, (a + b - 2.0 * steep) / h**2])
    u = share[:, None] * h
    missed = np.abs(np.polynomial.polynomial.polyval(u, poly, tensor=False).T.ravel() - least[:-1])
    bent = np.max(missed.reshape(-1, LOOKS), axis=1) > LOSS_MISSED * least[-1]
    starts: list[float] = [start]
    pieces: list[tuple[float, ...]] = [(0.0,)]
    for k, is_bent in enumerate(bent.tolist()):
        rows = range(k * LOOKS, (k + 1) * LOOKS) if is_bent else (k * LOOKS,)
        starts += [float(x[i]) for i in rows]
        pieces += (
            [(float(least[i]), float(fine[k, i % LOOKS])) for i in rows]
            if is_bent
            else [tuple(poly[:, k].tolist())]
        )
    return Curve((*starts, float(at[-1])), (*pieces, (float(y[-1]),)))


def _lost(
    x: Array, force: Array, work: Array, base: Curve, parts: Sequence[Curve], start: float
) -> Array:
    """What turning at each place loses: (7.65), between zero and all that has been put in."""
    returned, kept = (_looked(one, x)[0] for one in parts)
    reach = force * (1.0 - kept) * (x - start)
    wanted = np.clip(returned * _looked(base, x)[1], reach / 3.0, 2.0 * reach / 3.0)
    gives_all = (returned >= 1.0) & (kept <= 0.0)
    lost: Array = np.where(gives_all, 0.0, np.maximum(work - wanted, 0.0))
    return lost


def _looked(one: Curve, x: Array) -> Array:
    """Values and areas from zero of a curve."""
    made = joined([one])
    i = np.clip(np.searchsorted(made.start, x, side="right") - 1, 0, None)
    u, poly = x - made.start[i], made.poly[i]
    value, area = np.zeros(len(x)), np.zeros(len(x))
    for k in range(poly.shape[1] - 1, -1, -1):
        value = value * u + poly[:, k]
        area = area * u + poly[:, k] / (k + 1)
    return np.stack([value, made.area[i] + area * u])


# Give a prescribed motion's place, speed and acceleration over time, by its exact integrals.


@dataclass(frozen=True, slots=True)
class PulsePath:
    """Times (s), and the three quantities (m or rad and seconds); a jump has its time twice."""

    time: Array
    place: Array
    speed: Array
    acceleration: Array

    def given(self, quantity: str) -> Array:
        """The quantity that is prescribed."""
        return {"position": self.place, "velocity": self.speed}.get(quantity, self.acceleration)


def pulse_path(project: Project, component: Prescribed, end: float, parts: int = 400) -> PulsePath:
    """Follow one coordinate from time zero to an end (s), with all breaks and their middles."""
    made = position(component, Numbered(project), _start(project, component))
    inner = [float(t) for t in made.start if 0.0 < t < end]
    edges = [0.0, *inner, end]
    middles = [0.5 * (a + b) for a, b in pairwise(edges)]
    plain = sorted({*np.linspace(0.0, end, parts + 1).tolist(), *middles, *inner})
    broken = set(inner)
    profiles = profile.joined([made])
    tiny = 1e-9 * end
    rows, times = [], []
    for t in plain:
        # a break is seen from both of its sides
        for within in (t - tiny, t + tiny) if t in broken else (t,):
            times.append(t)
            rows.append(profile.profile_at(profiles, 0, t, within))
    x, v, a = np.array(rows).T
    return PulsePath(np.array(times), x, v, a)


def _start(project: Project, component: Prescribed) -> float:
    """Where a driven coordinate starts that does not say so itself."""
    if isinstance(component, FrameDriver):
        return component_of(start_pose(project), component)
    if not isinstance(component, Driver):
        return 0.0
    joint = next(one for one in project.joints if one.id == component.joint)
    values = joint_values(project).get(joint.id)
    return values[driven_axes(joint).index(component.axis)] if values else 0.0


def end_of(project: Project, component: Prescribed, least: float = 0.0) -> float:
    """A time (s) by which a pulse is over, or `least` where that is later."""
    pulse = component.pulse
    last = 0.0
    if isinstance(pulse, History):
        last = float(Numbered(project)[pulse.function].start[-1])
    elif isinstance(pulse, PulseShape):
        last = pulse.start_s + pulse.duration_s
    return max(last, least) or 0.1
