"""What muscles, drivers, loads and winds push with."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from solver.analysis.acting.seen import Seen, units
from solver.analysis.acting.share import Share
from solver.engine.maths.profile import value
from solver.project.coordinates import ComponentCoordinate, DistanceCoordinate
from solver.project.pose import turn


def of_laws(seen: Seen, segment: str) -> Iterator[Share]:
    """Give what laws resist between points, as muscles do; those of joints stand in what these hold with."""
    known = {one.id: one for one in seen.project.coordinate_forces}
    for id_, row in seen.rows("coordinate_forces"):
        way, element = known[id_].coordinate, f"coordinate_forces/{id_}"
        resisted = row["force"][:, None]
        if isinstance(way, DistanceCoordinate):
            ends = (way.a, *way.via, way.b)
            if segment not in [end.segment for end in ends]:
                continue
            at = [seen.points(end.segment, end.position_m) for end in ends]
            for (n, one), (m, other) in pairwise(enumerate(ends)):
                pull = resisted * units(at[m] - at[n])
                if one.segment == segment:
                    yield Share("muscles", element, pull, at[n])
                if other.segment == segment:
                    yield Share("muscles", element, -pull, at[m])
        elif isinstance(way, ComponentCoordinate):
            axes = seen.turns(way.a.segment) @ turn(way.a.frame.orientation)
            pull = resisted * axes[:, :, "xyz".index(way.axis)]
            where = seen.points(way.b.segment, way.b.position_m)
            for end, sign in ((way.b.segment, -1.0), (way.a.segment, 1.0)):
                if end == segment:
                    yield Share("muscles", element, sign * pull, where)


def of_drivers(seen: Seen, segment: str) -> Iterator[Share]:
    """Give what drivers of frames push with; those of joints stand in what these hold with."""
    known = {one.id: one for one in seen.project.frame_drivers}
    for id_, row in seen.rows("frame_drivers"):
        one = known[id_]
        if one.turns or segment not in (one.moved.segment, one.seen_from.segment):
            continue
        axes = seen.turns(one.seen_from.segment) @ turn(one.seen_from.frame.orientation)
        push = row["force"][:, None] * axes[:, :, "xyz".index(one.component)]
        where = seen.points(one.moved.segment, one.moved.frame.position_m)
        for end, sign in ((one.moved.segment, 1.0), (one.seen_from.segment, -1.0)):
            if end == segment:
                yield Share("drivers", f"frame_drivers/{id_}", sign * push, where)


def of_loads(seen: Seen, segment: str) -> Iterator[Share]:
    """Give prescribed forces by their histories."""
    loads = [one for one in seen.project.loads if one.segment == segment and one.kind == "force"]
    if not loads:
        return
    from solver.project.histories import curve_of, scaled

    functions = {one.id: one for one in seen.project.functions}
    for one in loads:
        history = scaled(curve_of(functions[one.history]), 1.0)
        sizes = np.array([value(history, float(t))[0] for t in seen.time])
        way = np.array(one.direction) / np.linalg.norm(one.direction)
        ways = way if one.axes == "ground" else seen.turns(segment) @ way
        yield Share("loads", f"loads/{one.id}", sizes[:, None] * ways, seen.points(segment, one.point_m))  # fmt: skip


def of_winds(seen: Seen, segment: str) -> Iterator[Share]:
    """Give winds that blow on one segment alone; of others results tell only the sum."""
    known = {one.id: one for one in seen.project.winds}
    for id_, row in seen.rows("winds"):
        if {target.surface.segment for target in known[id_].targets} == {segment}:
            yield Share("winds", f"winds/{id_}", row["force"])
