"""Make harnesses into arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from solver.dynamics.tree import Array
from solver.forces.laws import MEMORY
from solver.forces.spools import NO_LIMIT, Spools
from solver.forces.straps import ANCHOR, JUNCTION, RING, SURFACE, Straps
from solver.forces.triggers import NEVER
from solver.maths.curve import Curve, curve_at, joined, table
from solver.model.arrays import reals, wholes
from solver.model.functions import Numbered
from solver.model.points import point_on
from solver.model.surfaces import SurfaceNumbers
from solver.model.tree import Trees, turn
from solver.project.belts import (
    AnchorPoint,
    JunctionPoint,
    RingPoint,
    Strap,
    StrapEnd,
    StrapPoint,
    SurfacePoint,
    TimeTrigger,
)
from solver.project.contact import RateWebbingLaw
from solver.project.document import Project
from solver.project.geometry import SurfaceRef
from solver.project.pose import Placed

SEEN = 6
LEAST = 0.01
"""Least slope where webbing begins to pull, in parts of its stiffness, that its shape goes by."""

SAMPLES = 400
"""Points of the table that joins a film spool and a load limiter."""


@dataclass(slots=True)
class _Row:
    """One point of a strap as it starts."""

    point: StrapPoint
    harness: int
    strap: Strap
    last: bool
    body: int = -1
    at: Array | None = None
    place: Array | None = None
    surface: int = -1
    axes: Array | None = None
    turned: Array | None = None
    normal: Array | None = None
    kind: int = ANCHOR
    unknown: int = -1
    join: int = -1
    spool: int = -1
    rest: float = 1.0

    @property
    def now(self) -> Array:
        """Give the place at the start, ground axes."""
        assert self.place is not None
        return self.place


def devices_of(project: Project) -> Iterator[tuple[str, StrapEnd, bool]]:
    """Give the devices of strap ends in the order of their rows: strap, device, whether at the end."""
    for harness in project.harnesses:
        for strap in harness.straps:
            for device, ends in ((strap.start_device, False), (strap.end_device, True)):
                if device is not None:
                    yield f"{harness.id}.{strap.id}", device, ends


def compile_harnesses(
    project: Project,
    trees: Trees,
    numbers: SurfaceNumbers,
    laws: Mapping[str, int],
    functions: Numbered,
    pose: Mapping[str, Placed],
    first_trigger: int,
) -> tuple[Straps, Spools, list[float]]:
    """Give all straps as they lie at the start, their devices, and times at which these act."""
    rows, sizes, ends = _rows_of(project, trees, numbers, pose)
    for _, group in _by_strap(rows):
        _lay(group)
    spools, breaks = _spools(project, rows, functions, first_trigger)
    by_id = {law.id: law for law in project.contact_laws}
    watched = {rows[p].harness for p in spools.point if spools.sensors[rows[p].spool, 2] < NO_LIMIT}
    rated = {r.harness for r in rows if isinstance(by_id[r.strap.law], RateWebbingLaw)} | watched
    bases = {law: functions[by_id[law].base] for law in {r.strap.law for r in rows}}  # type: ignore[union-attr]
    stiff = {law: _stiffness(base) for law, base in bases.items()}
    eases = {law: min(stiff[law], _first_slope(base)) for law, base in bases.items()}
    count, widest = len(rows), max((n + m for n, m in sizes), default=0)
    ways = [_way(rows, k) for k in range(count)]
    on = [r.point if isinstance(r.point, SurfacePoint) else None for r in rows]
    return (
        Straps(
            first=wholes(ends),
            size=wholes(sizes, 2),
            rated=wholes(h in rated for h in range(len(sizes))),
            kind=wholes(r.kind for r in rows),
            last=wholes(r.last for r in rows),
            left=wholes(-1 if k == 0 or rows[k - 1].last else k - 1 for k in range(count)),
            right=wholes(-1 if r.last else k + 1 for k, r in enumerate(rows)),
            body=wholes(r.body for r in rows),
            surface=wholes(r.surface for r in rows),
            law=wholes(laws[r.strap.law] for r in rows),
            flesh=wholes(-1 if s is None or s.flesh is None else laws[s.flesh] for s in on),
            across=wholes(-1 if s is None else functions.number(s.friction_across) for s in on),
            along=wholes(functions.number(_along(r.point)) for r in rows),
            marks=wholes(s is not None and s.follows == "webbing" for s in on),
            keeps=wholes(s is not None and not s.may_leave for s in on),
            join=wholes(r.join for r in rows),
            unknown=wholes(r.unknown for r in rows),
            spool=wholes(r.spool for r in rows),
            way=reals(ways, 3),
            prefers=wholes(s is not None and s.preferred_direction is not None for s in on),
            stiff=reals(stiff[r.strap.law] for r in rows),
            eases=reals(eases[r.strap.law] for r in rows),
            at=reals((r.at for r in rows), 3),
            rest=reals(r.rest for r in rows),
            laid=reals(r.rest for r in rows),
            mode=np.zeros(count, np.int64),
            memory=np.zeros((count, MEMORY)),
            before=np.zeros(count),
            flesh_mode=np.zeros(count, np.int64),
            flesh_memory=np.zeros((count, MEMORY)),
            flesh_before=np.zeros(count),
            x=reals((r.at for r in rows), 3),
            fed=np.zeros(count),
            long=reals(r.rest for r in rows),
            x_end=reals((r.at for r in rows), 3),
            long_end=reals(r.rest for r in rows),
            way_end=reals(ways, 3),
            seen=np.zeros((count, SEEN)),
            slopes=np.zeros((count, 3)),
            hard=np.zeros(count),
            seen_end=np.zeros((count, SEEN)),
            depth_end=np.zeros(count),
            force=np.zeros((count, 3)),
            place=np.zeros((count, 3)),
            turn=np.zeros((count, 9)),
            frame=np.zeros((count, 9)),
            gap=np.zeros(count),
            slope=np.zeros((count, 3)),
            bend=np.zeros((count, 3)),
            moved=np.zeros((count, 3)),
            speed=np.zeros((count, 3)),
            a=np.zeros((widest, widest)),
            b=np.zeros(widest),
            rates=np.zeros(widest),
            axis=np.zeros((count, 3)),
            counts=np.zeros(3, np.int64),
            going=np.ones(len(sizes)),
            turned=np.full(len(sizes), -np.inf),
            kept=np.zeros((count, 4)),
            found=np.zeros((count, 4)),
            calm=np.zeros(8),
        ),
        spools,
        breaks,
    )


def _along(point: StrapPoint) -> float | str | None:
    if isinstance(point, RingPoint):
        return float(point.friction)
    return point.friction_along if isinstance(point, SurfacePoint) else None


def _way(rows: Sequence[_Row], k: int) -> Array:
    """Give the direction of the strap at a point of a surface, in the surface's axes."""
    row = rows[k]
    if not isinstance(row.point, SurfacePoint):
        return np.zeros(3)
    assert row.axes is not None
    assert row.turned is not None
    if row.point.preferred_direction is not None:
        return np.asarray(row.axes.T @ np.array(row.point.preferred_direction))
    one, two = row.now - rows[k - 1].now, rows[k + 1].now - row.now
    way: Array = one / np.linalg.norm(one) + two / np.linalg.norm(two)
    return np.asarray(row.turned.T @ way)


def _stiffness(base: Curve) -> float:
    """Give a measure of the tension at a strain of one."""
    curves = joined([base])
    return max(curve_at(curves, 0, x)[0] / x for x in (0.01, 0.03, 0.1))


def _first_slope(base: Curve) -> float:
    """Give the slope of tension by strain where webbing begins to pull."""
    curves = joined([base])
    for x in np.linspace(0.0, 0.1, SAMPLES):
        pull, slope = curve_at(curves, 0, x)
        if slope > 0.0 or pull > 0.0:
            return max(float(slope), LEAST * _stiffness(base))
    return LEAST * _stiffness(base)


def _rows_of(
    project: Project, trees: Trees, numbers: SurfaceNumbers, pose: Mapping[str, Placed]
) -> tuple[list[_Row], list[tuple[int, int]], list[int]]:
    """Give the points of all straps, the numbers of unknowns of each harness, and where each begins."""
    rows: list[_Row] = []
    sizes: list[tuple[int, int]] = []
    ends = [0]
    spool = 0
    for h, harness in enumerate(project.harnesses):
        begin, count = len(rows), 0
        joins: dict[str, int] = {}
        for strap in harness.straps:
            for i, point in enumerate(strap.points):
                last = i == len(strap.points) - 1
                row = _Row(point, h, strap, last)
                device = strap.start_device if i == 0 else strap.end_device if last else None
                if isinstance(point, AnchorPoint) and device is not None:
                    row.spool, spool = spool, spool + 1
                    row.unknown, count = count, count + 1
                elif isinstance(point, RingPoint):
                    row.kind, row.unknown, count = RING, count, count + 1
                elif isinstance(point, SurfacePoint):
                    row.kind, row.unknown, count = SURFACE, count, count + 3
                elif isinstance(point, JunctionPoint):
                    row.kind = JUNCTION
                    row.join = joins.setdefault(point.junction, len(rows))
                rows.append(row)
        for row in rows[begin:]:
            if row.kind == JUNCTION:
                row.unknown = count + 3 * list(joins.values()).index(row.join)
        _place(rows[begin:], trees, numbers, pose)
        sizes.append((count, 3 * len(joins)))
        ends.append(len(rows))
    return rows, sizes, ends


def _place(
    rows: Sequence[_Row], trees: Trees, numbers: SurfaceNumbers, pose: Mapping[str, Placed]
) -> None:
    """Find where points start, and in whose axes they are given."""
    held = next(
        (r.point.segment for r in rows if isinstance(r.point, AnchorPoint | RingPoint)), None
    )
    for row in rows:
        point = row.point
        if isinstance(point, AnchorPoint | RingPoint):
            row.body, row.at = point_on(trees, point.segment, point.position_m)
            at = pose[point.segment]
            row.place = at.p_W + at.R_WS @ np.array(point.position_m)
        elif point.surface is not None:
            _put_on(row, point.surface, point.position_m, trees, numbers, pose)
        else:
            # a free junction is followed along with something near
            near = held or next(
                r.point.surface.segment for r in rows if isinstance(r.point, SurfacePoint)
            )
            at, row.place = pose[near], np.array(point.position_m)
            row.body, row.at = point_on(trees, near, at.R_WS.T @ (row.place - at.p_W))


def _put_on(
    row: _Row,
    ref: SurfaceRef,
    position: Sequence[float],
    trees: Trees,
    numbers: SurfaceNumbers,
    pose: Mapping[str, Placed],
) -> None:
    """Move a point radially onto its surface."""
    row.surface = numbers.number(ref)
    shape = numbers.shapes[row.surface][1]
    row.body, _ = point_on(trees, ref.segment, shape.centre_m)
    row.axes = turn(shape.orientation)
    own = row.axes.T @ (np.array(position) - np.array(shape.centre_m))
    row.at = own * to_surface(own, np.array(shape.semi_axes_m), np.array(powers_of(shape)))
    at = pose[ref.segment]
    row.turned = at.R_WS @ row.axes
    row.place = at.p_W + at.R_WS @ np.array(shape.centre_m) + row.turned @ row.at
    semi, power = np.array(shape.semi_axes_m), np.array(powers_of(shape))
    row.normal = row.turned @ (
        power * np.sign(row.at) * (np.abs(row.at) / semi) ** (power - 1.0) / semi
    )


def powers_of(shape: object) -> tuple[float, float, float]:
    """Give the powers of a surface."""
    powers: tuple[float, float, float] = getattr(shape, "powers", (2.0, 2.0, 2.0))
    return powers


def to_surface(own: Array, semi: Array, power: Array) -> float:
    """Give the factor that brings a point along its radius onto a surface."""
    return _factor(own.tobytes(), semi.tobytes(), power.tobytes())


@lru_cache(maxsize=1024)
def _factor(*numbers: bytes) -> float:
    own, semi, power = (np.frombuffer(one) for one in numbers)
    low, high = 0.0, 2.0 / max(float(np.max(np.abs(own) / semi)), 1e-300)
    while True:
        middle = 0.5 * (low + high)
        if not low < middle < high:
            # two neighbours among all numbers
            return middle
        if float(np.sum((np.abs(own) * middle / semi) ** power)) < 1.0:
            low = middle
        else:
            high = middle


def _by_strap(rows: Sequence[_Row]) -> Iterator[tuple[int, list[_Row]]]:
    group: list[_Row] = []
    for k, row in enumerate(rows):
        group.append(row)
        if row.last:
            yield k, group
            group = []


def _lay(group: list[_Row]) -> None:
    """Lift points that a taut strap would not touch, and share the length among the pieces.

    A point is dropped if the pull of its neighbours in play would lift it (later-program 1.4); it then
    starts on the straight line between them.
    """
    kept = [0]
    for k in range(1, len(group)):
        while len(kept) > 1 and _lifts(group[kept[-2]], group[kept[-1]], group[k]):
            kept.pop()
        kept.append(k)
    for i, j in pairwise(kept):
        a, b = group[i].now, group[j].now
        steps = [0.0]
        for k in range(i, j):
            steps.append(steps[-1] + float(np.linalg.norm(group[k + 1].now - group[k].now)))
        for k in range(i + 1, j):
            row = group[k]
            assert row.at is not None
            assert row.turned is not None
            there = a + (b - a) * steps[k - i] / steps[-1]
            row.at, row.place = row.at + row.turned.T @ (there - row.now), there
    lengths = [float(np.linalg.norm(b.now - a.now)) for a, b in pairwise(group)]
    stretch = 1.0 + group[0].strap.slack_m / sum(lengths)
    for row, length in zip(group, lengths, strict=False):
        row.rest = length * stretch


def _lifts(before: _Row, row: _Row, after: _Row) -> bool:
    """Say whether the strap would lift a point off its surface."""
    if not isinstance(row.point, SurfacePoint) or not row.point.may_leave:
        return False
    one, two = row.now - before.now, after.now - row.now
    pull = two / np.linalg.norm(two) - one / np.linalg.norm(one)
    assert row.normal is not None
    return bool(row.normal @ pull >= 0.0)


def _spools(
    project: Project, rows: Sequence[_Row], functions: Numbered, first_trigger: int
) -> tuple[Spools, list[float]]:
    """Give the devices of all strap ends."""
    places = [k for k, r in enumerate(rows) if r.spool >= 0]
    made = [device for _, device, _ in devices_of(project)]
    count, breaks, triggers = len(made), [], first_trigger
    retractors = [d.retractor for d in made]
    trigger = []
    for device in made:
        trigger.append(triggers if device.pretensioner else -1)
        if device.pretensioner:
            triggers += 1
            if isinstance(device.pretensioner.trigger, TimeTrigger):
                breaks.append(device.pretensioner.trigger.time_s)

    def limit(value: float | None) -> float:
        return NO_LIMIT if value is None else float(value)

    return (
        Spools(
            point=wholes(places),
            body=wholes(rows[k].body for k in places),
            at=reals((rows[k].at for k in places), 3),
            winding=reals(r.tension_n if r else 0.0 for r in retractors),
            empty=reals(r.spool_m if r else 0.0 for r in retractors),
            sensors=reals(
                (
                    (limit(r.lock_acceleration_m_per_s2), limit(r.lock_payout_m), limit(r.lock_payout_rate_m_per_s))
                    if r
                    else (NO_LIMIT,) * 3
                    for r in retractors
                ),
                3,
            ),
            delay=reals(r.lock_delay_s if r else 0.0 for r in retractors),
            gives=wholes(_gives(d, functions) for d in made),
            trigger=wholes(trigger),
            stroke=wholes(functions.number(d.pretensioner.stroke) if d.pretensioner else -1 for d in made),
            limit=reals(limit(d.pretensioner.force_limit_n) if d.pretensioner else NO_LIMIT for d in made),
            locked=wholes(r is None for r in retractors),
            locks=np.full(count, NEVER),
            drawn=np.zeros(count),
            given=np.zeros(count),
            time=np.full(1, -np.inf),
            drawn_end=np.zeros(count),
            given_end=np.zeros(count),
            locked_end=np.zeros(count, np.int64),
            time_end=np.zeros(1),
            pulls=np.zeros(count),
            fired=np.zeros(count, np.int64),
            present=np.zeros((count, 2)),
        ),
        breaks,
    )  # fmt: skip


def _gives(device: StrapEnd, functions: Numbered) -> int:
    """Give the number of the tension at which a held end gives, by webbing given; -1 if it holds."""
    film = device.retractor.film_spool if device.retractor else None
    limiter = device.load_limiter.force if device.load_limiter else None
    if film is None or limiter is None:
        return functions.number(film or limiter)
    return functions.add(f"{film}+{limiter}", _in_series(functions[film], functions[limiter]))


def _in_series(one: Curve, two: Curve) -> Curve:
    """Join two tensions by webbing given, one behind the other: at each tension both have given."""
    at = _reader(one), _reader(two)
    ends = [max(curve.start[-1], 1e-3) for curve in (one, two)]
    grids = [np.linspace(0.0, end, SAMPLES) for end in ends]
    levels = [
        np.maximum.accumulate([read(x) for x in grid]) for read, grid in zip(at, grids, strict=True)
    ]
    top = min(float(level[-1]) for level in levels)
    tensions = np.unique(np.concatenate([[min(level[0] for level in levels)], *levels]))
    tensions = tensions[tensions <= top]
    given = sum(
        np.interp(tensions, *_rising(level, grid))
        for level, grid in zip(levels, grids, strict=True)
    )
    weaker = int(levels[1][-1] < levels[0][-1])
    return table(
        [*np.asarray(given).tolist(), float(np.asarray(given)[-1]) + ends[weaker]],
        [*tensions.tolist(), top],
    )


def _rising(level: Array, grid: Array) -> tuple[Array, Array]:
    """Keep the first place of each level."""
    values, places = np.unique(level, return_index=True)
    return values, grid[places]


def _reader(curve: Curve) -> Callable[[float], float]:
    curves = joined([curve])
    return lambda x: float(curve_at(curves, 0, float(x))[0])
