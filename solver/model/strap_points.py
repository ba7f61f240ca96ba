"""The points of straps as they lie at the start."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from solver.engine.dynamics.tree import Array
from solver.engine.forces.straps.arrays import ANCHOR, JUNCTION, RING, SURFACE
from solver.engine.maths.alike import dot, into, length, to_power
from solver.engine.maths.hyperellipsoids import levels
from solver.model.surfaces import SurfaceNumbers
from solver.model.tree import Bodies, Places, point_on, turn
from solver.project.belts import (
    AnchorPoint,
    JunctionPoint,
    RingPoint,
    Strap,
    StrapPoint,
    SurfacePoint,
)
from solver.project.document import Project
from solver.project.geometry import SurfaceRef, powers_of
from solver.project.memo import memoised
from solver.project.pose import Placed, start_pose


@dataclass(slots=True)
class Row:
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
        """The place at the start, ground axes."""
        assert self.place is not None
        return self.place


def way_of(rows: Sequence[Row], k: int) -> Array:
    """The direction of the strap at a point of a surface, in the surface's axes."""
    row = rows[k]
    if not isinstance(row.point, SurfacePoint):
        return np.zeros(3)
    assert row.axes is not None
    assert row.turned is not None
    if row.point.preferred_direction is not None:
        return np.asarray(into(row.axes, np.array(row.point.preferred_direction)))
    one, two = row.now - rows[k - 1].now, rows[k + 1].now - row.now
    way: Array = one / length(one) + two / length(two)
    return np.asarray(into(row.turned, way))


@memoised
def rows_of(
    project: Project, body_of: Mapping[str, int], origin: Mapping[str, Array]
) -> tuple[list[Row], list[tuple[int, int]], list[int]]:
    """The points of all straps, the numbers of unknowns of each harness, and where each begins."""
    trees, numbers, pose = Places(body_of, origin), SurfaceNumbers(project), start_pose(project)
    rows: list[Row] = []
    sizes: list[tuple[int, int]] = []
    ends = [0]
    spool = 0
    for h, harness in enumerate(project.harnesses):
        begin, count = len(rows), 0
        joins: dict[str, int] = {}
        for strap in harness.straps:
            for i, point in enumerate(strap.points):
                last = i == len(strap.points) - 1
                row = Row(point, h, strap, last)
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
    for _, group in by_strap(rows):
        lay(group)
    return rows, sizes, ends


def _place(
    rows: Sequence[Row], trees: Bodies, numbers: SurfaceNumbers, pose: Mapping[str, Placed]
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
            row.body, row.at = point_on(trees, near, into(at.R_WS, row.place - at.p_W))


def _put_on(
    row: Row,
    ref: SurfaceRef,
    position: Sequence[float],
    trees: Bodies,
    numbers: SurfaceNumbers,
    pose: Mapping[str, Placed],
) -> None:
    """Move a point radially onto its surface."""
    row.surface = numbers.number(ref)
    shape = numbers.shapes[row.surface][1]
    row.body, _ = point_on(trees, ref.segment, shape.centre_m)
    row.axes = turn(shape.orientation)
    own = into(row.axes, np.array(position) - np.array(shape.centre_m))
    semi, power = np.array(shape.semi_axes_m), np.array(powers_of(shape))
    row.at = own / levels((own / semi)[None], power)[0]
    at = pose[ref.segment]
    row.turned = at.R_WS @ row.axes
    row.place = at.p_W + at.R_WS @ np.array(shape.centre_m) + row.turned @ row.at
    row.normal = row.turned @ (
        power * np.sign(row.at) * to_power(np.abs(row.at) / semi, power - 1.0) / semi
    )


def by_strap(rows: Sequence[Row]) -> Iterator[tuple[int, list[Row]]]:
    """The rows of each strap, with the number of its last."""
    group: list[Row] = []
    for k, row in enumerate(rows):
        group.append(row)
        if row.last:
            yield k, group
            group = []


def lay(group: list[Row]) -> None:
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
            steps.append(steps[-1] + length(group[k + 1].now - group[k].now))
        for k in range(i + 1, j):
            row = group[k]
            assert row.at is not None
            assert row.turned is not None
            there = a + (b - a) * steps[k - i] / steps[-1]
            row.at, row.place = row.at + into(row.turned, there - row.now), there
    lengths = [length(b.now - a.now) for a, b in pairwise(group)]
    stretch = 1.0 + group[0].strap.slack_m / sum(lengths)
    for row, far in zip(group, lengths, strict=False):
        row.rest = far * stretch


def _lifts(before: Row, row: Row, after: Row) -> bool:
    """Whether the strap would lift a point off its surface."""
    if not isinstance(row.point, SurfacePoint) or not row.point.may_leave:
        return False
    one, two = row.now - before.now, after.now - row.now
    pull = two / length(two) - one / length(one)
    assert row.normal is not None
    return bool(dot(row.normal, pull) >= 0.0)
