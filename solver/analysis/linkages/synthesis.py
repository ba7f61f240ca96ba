"""Dimensions of a linkage so that a point of it follows a path, or passes points: by least squares.

Of a path (J. M. Hansen, seed 001, pages 441 to 454) both curves are cubic splines of their chord length from 0 to 1, and
compared at even lengths; where the crank begins and how far it turns is found beside the dimensions; the
path is come to in steps, from that of the first design. Of points (M. R. Hansen, pages 423 to 439) the crank's turn from the
first to each is found within an interval, and designs to begin from are the best of many drawn at random.

For each design and each place of the crank the loops are closed from where they were closed before, so that the
linkage stays in its branch; what cannot be closed counts as a miss.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from solver.analysis.linkages.least import Rows, in_box, least
from solver.analysis.linkages.loops import CLOSED, Loops, Numbers, Slot
from solver.analysis.linkages.serial import LinkageError
from solver.base.words import Sentence
from solver.engine.maths.rotation import Array
from solver.project.document import Project
from solver.project.geometry import PointRef
from solver.project.problems import did_you_mean

STEP = 1e-7
"""Difference of a dimension (m, rad) by which slopes are taken."""
DRAWN = 120
"""Designs that are drawn for each start."""
TRIED = 6
"""Of these the best are tried, and the best of what comes of them is the start's."""
PASSED = 1e-6
"""Distance (m) below which a point counts as passed."""
FINEST = math.radians(4.0)
"""Step of the crank (rad) with which a linkage is followed from place to place."""
SAME = 1e-5
"""Difference of coordinates (rad, m) below which two poses are one."""

Dimensions = Callable[[Array], Array]
"""Give the values of slots (B, s) for those of the parameters (B, k)."""


@dataclass(frozen=True, slots=True)
class Led:
    """Say which point is led by which crank, and what is varied: slots, their values by parameters, and their bounds."""

    point: PointRef
    crank: str
    slots: tuple[Slot, ...]
    values: Dimensions
    low: Array
    high: Array
    now: Array
    """Parameters as the project stands."""


@dataclass(frozen=True, slots=True)
class Found:
    """A design: its parameters, the crank's angles (rad) at each place, where the point is there, and how far off (m).

    `turns` says whether the linkage goes through all places in one branch, followed in steps of four degrees; `open_m` by how
    much its loops stay open at most.
    """

    values: Array
    crank: Array
    places: Array
    miss: Array
    turns: bool
    open_m: float

    @property
    def mean_m(self) -> float:
        """The mean distance."""
        return float(self.miss.mean())

    @property
    def largest_m(self) -> float:
        """The largest distance, or what loops stay open by where that is more."""
        return max(float(self.miss.max()), self.open_m)


class _Search:
    """Evaluate designs and angles of the crank at once; each start remembers where its loops were closed last."""

    def __init__(self, project: Project, led: Led, count: int) -> None:
        self.led = led
        self.loops = Loops(project, {"point": led.point})
        self.crank = self._crank_of()
        self.count = count
        self.q = np.zeros((0, count, len(self.loops.start)))

    def _crank_of(self) -> int:
        found = [
            k for k, (joint, _) in enumerate(self.loops.coordinates) if joint == self.led.crank
        ]
        if len(found) != 1:
            known = [joint for joint, _ in self.loops.coordinates]
            hint = did_you_mean(self.led.crank, known) or Sentence("")
            raise LinkageError(
                "'{joint}' is no crank of this linkage: a joint with one coordinate that moves the point or a loop. {hint}",
                joint=self.led.crank, hint=hint,
            )  # fmt: skip
        return found[0]

    def numbers(self, values: Array, times: int) -> Numbers:
        """The numbers of designs, each as often as there are places."""
        slots = self.led.values(values)
        return self.loops.design(self.led.slots, np.repeat(slots, times, axis=0))

    def closed(
        self, values: Array, crank: Array, q: Array, rounds: int = 30
    ) -> tuple[Array, Array, Array]:
        """Close loops of designs (B, k) at angles of the crank (B, P) from poses (B, P, n).

        Gives poses, what stays open (B, P, m) and where the point is (B, P, 3).
        """
        B, P = crank.shape
        flat = q.reshape(B * P, -1).copy()
        flat[:, self.crank] = crank.reshape(-1)
        numbers = self.numbers(values, P)
        flat, off = self.loops.closed(numbers, flat, [self.crank], rounds)
        at = self.loops.point(numbers, self.loops.moving(numbers, flat), "point")
        return (
            flat.reshape(B, P, -1),
            off.reshape(B, P, -1),
            np.broadcast_to(at, (B * P, 3)).reshape(B, P, 3),
        )

    def swept(self, values: Array, crank: Array, q: Array) -> Array:
        """Close loops of designs (B, k) from place to place of the crank (B, P), from a pose (B, n) at the first."""
        out = list[Array]()
        before = crank[:, 0]
        here = q
        for angle in crank.T:
            count = max(1, math.ceil(float(np.abs(angle - before).max()) / FINEST))
            for k in range(1, count + 1):
                step = before + (angle - before) * k / count
                here = self.closed(values, step[:, None], here[:, None])[0][:, 0]
            before = angle
            out.append(here)
        return np.stack(out, axis=1)


def slopes_of(
    residuals: Callable[[Array, Rows], Array], z: Array, rows: Rows
) -> tuple[Array, Array]:
    """Residuals (B, m) and their slopes (B, m, n) by differences."""
    B, n = z.shape
    all_ = np.repeat(z[:, None], n + 1, axis=1)
    all_[:, range(1, n + 1), range(n)] += STEP
    r = residuals(all_.reshape(B * (n + 1), n), np.repeat(rows, n + 1)).reshape(B, n + 1, -1)
    return r[:, 0], np.moveaxis(r[:, 1:] - r[:, :1], 1, 2) / STEP


def through_points(
    project: Project, led: Led, points: Array, low: Array, high: Array, starts: int, seed: int, tell: Callable[[float], object] | None = None
) -> list[Found]:  # fmt: skip
    """Find dimensions with which a point passes points (P, 3), the crank turned from the first to each within intervals.

    `low` and `high` (P - 1) bound the turn from the first point (rad). One answer for each start, always the same for one seed.
    """
    P, k = len(points), len(led.now)
    search = _Search(project, led, P)
    lows = np.concatenate([led.low, [-math.inf], low])
    highs = np.concatenate([led.high, [math.inf], high])

    def crank_of(z: Array) -> Array:
        turned = np.concatenate([np.zeros((len(z), 1)), z[:, k + 1 :]], axis=1)
        return np.asarray(z[:, k : k + 1] + turned)

    drawn = in_box(starts * DRAWN, lows, highs, seed)
    random = np.random.default_rng(seed)
    # each from any pose, so that all branches come up
    q = np.repeat(
        random.uniform(-math.pi, math.pi, (len(drawn), 1, len(search.loops.start))), P, axis=1
    )
    cost = np.zeros(len(drawn))
    for i in range(0, len(drawn), 1000):
        part = slice(i, i + 1000)
        first = crank_of(drawn[part])[:, :1]
        one, _, _ = search.closed(drawn[part, :k], first, q[part, :1], 15)
        q[part], off, at = search.closed(drawn[part, :k], crank_of(drawn[part]), np.repeat(one, P, axis=1), 15)  # fmt: skip
        cost[part] = ((at - points) ** 2).sum(axis=(1, 2)) + (off**2).sum(axis=(1, 2))
        if tell is not None:
            tell(0.3 * (i + 1) / len(drawn))
    order = (
        np.argsort(cost.reshape(starts, DRAWN), axis=1)[:, :TRIED]
        + DRAWN * np.arange(starts)[:, None]
    )
    tried = order.reshape(-1)
    free = [n for n in range(q.shape[2]) if n != search.crank]
    z = np.concatenate([drawn[tried], q[tried][:, :, free].reshape(len(tried), -1)], axis=1)
    count = k + P
    ends = np.full(P * len(free), math.inf)
    lows, highs = np.concatenate([lows, -ends]), np.concatenate([highs, ends])

    def off_by(z: Array, _: Rows) -> Array:
        poses = np.zeros((len(z) * P, q.shape[2]))
        poses[:, free] = z[:, count:].reshape(len(z) * P, -1)
        poses[:, search.crank] = crank_of(z[:, :count]).reshape(-1)
        numbers = search.numbers(z[:, :k], P)
        off = search.loops.open(numbers, poses)[0]
        at = search.loops.point(numbers, search.loops.moving(numbers, poses), "point")
        return np.concatenate([(at - np.tile(points, (len(z), 1))).reshape(len(z), -1), off.reshape(len(z), -1)], axis=1)  # fmt: skip

    # dimensions, the crank and the poses at all points together: loops need not close on the way
    z, _ = least(lambda x, rows: slopes_of(off_by, x, rows), z, lows, highs, rounds=150, small=1e-12, step=1e-14, gain=1e-7)  # fmt: skip
    if tell is not None:
        tell(0.9)
    poses = np.zeros((len(z), P, q.shape[2]))
    poses[:, :, free] = z[:, count:].reshape(len(z), P, -1)
    found = _told(
        search, z[:, :k], crank_of(z[:, :count]), poses, np.repeat(points[None], len(z), axis=0)
    )
    # of those that pass all points one that goes through them in one branch is the better
    return [min(found[i : i + TRIED], key=_worth) for i in range(0, len(found), TRIED)]


def _worth(one: Found) -> tuple[bool, bool, float]:
    """What is better comes first: what passes all points and turns, what passes them, what misses them less."""
    passes = one.largest_m < PASSED
    return not passes, not one.turns, one.largest_m


def _remember(memory: dict[str, Array], poses: Array, r: Array, rows: Rows) -> None:
    """Keep the poses of the best design of each start: the next are closed from there."""
    cost = (r * r).sum(axis=1)
    for one in np.unique(rows):
        here = np.flatnonzero(rows == one)
        least_ = here[cost[here].argmin()]
        if cost[least_] < memory["cost"][one]:
            memory["cost"][one], memory["q"][one] = cost[least_], poses[least_]


def along_path(
    project: Project, led: Led, points: Array, begin: float, sweep: float, steps: int, starts: int, seed: int,
    samples: int = 20, cranks: int = 30, tell: Callable[[float], object] | None = None,
) -> list[Found]:  # fmt: skip
    """Find dimensions with which a point follows a path (P, 3) while the crank turns on.

    The first start is the project as it stands, the crank `begin` (rad) beyond its start and turning by `sweep`; further ones
    have dimensions drawn between their bounds. The path is come to in `steps`, from that of the first design.
    """
    k = len(led.now)
    search = _Search(project, led, cranks + 1)
    lows = np.concatenate([led.low, [-math.inf, -math.inf]])
    highs = np.concatenate([led.high, [math.inf, math.inf]])
    turned = np.linspace(0.0, 1.0, cranks + 1)

    def crank_of(z: Array) -> Array:
        return np.asarray(z[:, k : k + 1] + z[:, k + 1 :] * turned)

    z = np.tile([*led.now, search.loops.start[search.crank] + begin, sweep], (starts, 1))
    if starts > 1:
        z[1:, :k] = in_box(starts, led.low, led.high, seed)[1:]
    first = search.closed(z[:, :k], z[:, k : k + 1], np.repeat(search.loops.start[None, None], starts, axis=0))[0]  # fmt: skip
    memory = {
        "q": search.swept(z[:, :k], crank_of(z), first[:, 0]),
        "cost": np.full(starts, math.inf),
    }
    wanted = _even(points, samples)
    _, _, at = search.closed(z[:, :k], crank_of(z), memory["q"])
    began = np.stack([_even(one, samples) for one in at])
    for n in range(1, steps + 1):
        target = began + (wanted - began) * (n / steps)
        memory["cost"][:] = math.inf

        def off_by(z: Array, rows: Rows, target: Array = target) -> Array:
            poses, off, at = search.closed(z[:, :k], crank_of(z), memory["q"][rows])
            path = np.stack([_even(one, samples) for one in at])
            r = np.concatenate(
                [(path - target[rows]).reshape(len(z), -1), off.reshape(len(z), -1)], axis=1
            )
            _remember(memory, poses, r, rows)
            return r

        z, _ = least(lambda x, rows: slopes_of(off_by, x, rows), z, lows, highs, rounds=60, small=1e-9, step=1e-9, gain=1e-5)  # fmt: skip
        if tell is not None:
            tell(0.9 * n / steps)
    found = _told(search, z[:, :k], crank_of(z), memory["q"], None)
    out = list[Found]()
    for one in found:
        at = _even(one.places, samples)
        out.append(
            Found(
                one.values,
                one.crank,
                at,
                np.linalg.norm(at - wanted, axis=1),
                one.turns,
                one.open_m,
            )
        )
    return out


def _even(points: Array, count: int) -> Array:
    """Places at even parts (count + 1) of the chord length of a path, by natural cubic splines."""
    from scipy.interpolate import CubicSpline

    way = np.linalg.norm(np.diff(points, axis=0), axis=1)
    # what stands still for a while still has to rise
    u = np.concatenate([[0.0], np.cumsum(np.maximum(way, 1e-12 + 1e-9 * way.max()))])
    out: Array = CubicSpline(u / u[-1], points, bc_type="natural")(np.linspace(0.0, 1.0, count + 1))
    return out


def _told(
    search: _Search, values: Array, crank: Array, q: Array, wanted: Array | None
) -> list[Found]:
    poses, off, at = search.closed(values, crank, q, 60)
    miss = np.zeros(crank.shape) if wanted is None else np.linalg.norm(at - wanted, axis=2)
    open_m = np.abs(off).max(axis=(1, 2), initial=0.0)
    followed = search.swept(values, crank, poses[:, 0])
    apart = np.abs((followed - poses + math.pi) % (2.0 * math.pi) - math.pi).max(axis=(1, 2))
    _, left, _ = search.closed(values, crank, followed, 1)
    turns = (apart < SAME) & (np.abs(left).max(axis=(1, 2), initial=0.0) < CLOSED)
    return [
        Found(values[i], crank[i], at[i], miss[i], bool(turns[i]), float(open_m[i]))
        for i in range(len(values))
    ]
