"""Make couplings of axes, closures by frames and points on curves into arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np

from solver.engine.dynamics.tree import Array
from solver.engine.forces.cams import CAM_SEEN, Cams
from solver.engine.forces.closures import (
    CLOSED_SEEN,
    TURNS_ALIKE,
    TURNS_CROSSED,
    TURNS_FREE,
    TURNS_PARALLEL,
    Closures,
)
from solver.engine.forces.couplings import COUPLING_SEEN, Couplings
from solver.engine.maths import profile
from solver.engine.maths.curve import NONE
from solver.model.arrays import reals, wholes
from solver.model.motions import axis_body
from solver.model.tree import Trees, frame_on, point_on, turn
from solver.project.closures import (
    CLOSURES,
    FIRST_AXIS,
    PointOnCurve,
    curve_of,
    foot_on,
    nearest_on,
)
from solver.project.couplings import COUPLINGS
from solver.project.document import Project
from solver.project.geometry import FrameRef
from solver.project.histories import course_of
from solver.project.links import Closure, Coupling
from solver.project.pose import Placed

T = TypeVar("T")

TURNS = {
    "free": TURNS_FREE, "parallel": TURNS_PARALLEL, "alike": TURNS_ALIKE, "crossed": TURNS_CROSSED,
}  # fmt: skip


def couplings_of(project: Project) -> list[Coupling]:
    """The couplings, in the order of their arrays."""
    return [c for c in project.constraints if isinstance(c, COUPLINGS)]


def closures_of(project: Project) -> list[Closure]:
    """The closures by frames, in the order of their arrays."""
    return [c for c in project.constraints if isinstance(c, CLOSURES)]


def cams_of(project: Project) -> list[PointOnCurve]:
    """The points on curves, in the order of their arrays."""
    return [c for c in project.constraints if isinstance(c, PointOnCurve)]


def compile_couplings(project: Project, trees: Trees) -> Couplings:
    """All couplings, with the offsets that follow from the start."""
    rows = couplings_of(project)
    ends = [
        [axis_body(project, trees, axis.joint, axis.axis) for axis in (row.first, row.second)]
        for row in rows
    ]
    functions = {one.id: one for one in project.functions}
    courses = [course_of(row, functions.get(getattr(row, "function", None) or "")) for row in rows]
    offsets = []
    for row, (a, b), course in zip(rows, ends, courses, strict=True):
        x, y = (float(trees.q[trees.tree.at_q[body]]) for body in (a, b))
        offsets.append(y - profile.value(course, x)[0] if row.offset is None else row.offset)
    return Couplings(
        a=wholes(a for a, _ in ends),
        b=wholes(b for _, b in ends),
        offset=reals(offsets),
        row=np.full(len(rows), NONE, np.int64),
        seen=np.zeros((len(rows), COUPLING_SEEN)),
        profiles=profile.joined(courses),
    )


def axes_last(ref: FrameRef, axis: str) -> Array:
    """A frame's turn in its segment, the axis that is meant as its z."""
    return turn(ref.frame.orientation)[:, FIRST_AXIS[axis]]


def compile_closures(project: Project, trees: Trees) -> Closures:
    """All closures by frames."""
    rows = closures_of(project)
    a = [frame_on(trees, row.a) for row in rows]
    b = [
        frame_on(trees, row.b)[:2]
        if isinstance(row.b, FrameRef)
        else point_on(trees, row.b.segment, row.b.position_m)
        for row in rows
    ]
    turned = [
        axes_last(row.b, row.axis) if isinstance(row.b, FrameRef) else np.eye(3) for row in rows
    ]
    return Closures(
        a=wholes(one[0] for one in a),
        b=wholes(one[0] for one in b),
        at_a=reals((one[1] for one in a), 3),
        at_b=reals((one[1] for one in b), 3),
        R_a=reals((axes_last(row.a, row.axis).ravel() for row in rows), 9),
        R_b=reals((one.ravel() for one in turned), 9),
        ways=wholes(([way in row.ways for way in "uvw"] for row in rows), 3),
        turns=wholes(TURNS[row.turns] for row in rows),
        first=np.zeros((len(rows), 3), np.int64),
        seen=np.zeros((len(rows), CLOSED_SEEN)),
    )


def compile_cams(project: Project, trees: Trees, pose: Mapping[str, Placed]) -> Cams:
    """All points on curves, each at its foot at the start."""
    rows = cams_of(project)
    a = [frame_on(trees, row.a) for row in rows]
    b = [point_on(trees, row.b.segment, row.b.position_m) for row in rows]
    curves = [curve_of(row) for row in rows]
    knots = [curve.knot for curve in curves if curve is not None]
    # of the last knot nothing is read
    polys = [np.append(curve.poly, np.zeros((1, 8)), 0) for curve in curves if curve is not None]
    cams = Cams(
        a=wholes(one[0] for one in a),
        b=wholes(one[0] for one in b),
        at_a=reals((one[1] for one in a), 3),
        at_b=reals((one[1] for one in b), 3),
        R_a=reals((one[2].ravel() for one in a), 9),
        across=wholes(row.across == "held" for row in rows),
        radius=reals(row.sign * row.radius_m for row in rows),
        closed=wholes(row.closed for row in rows),
        knots=np.cumsum([0, *map(len, knots)]).astype(np.int64),
        knot=_joined(knots, (0,)),
        poly=_joined(polys, (0, 8)),
        first=np.zeros(len(rows), np.int64),
        at=np.zeros(len(rows)),
        now=np.zeros(len(rows)),
        seen=np.zeros((len(rows), CAM_SEEN)),
        normal=np.zeros((len(rows), 3)),
    )
    for n, (row, curve) in enumerate(zip(rows, curves, strict=True)):
        assert curve is not None
        point = seen_on(row, pose)
        cams.at[n] = foot_on(curve, point, nearest_on(curve, point, row.near_m), row.closed)
        cams.now[n] = cams.at[n]
    return cams


def seen_on(row: PointOnCurve, pose: Mapping[str, Placed]) -> Array:
    """Where a point stands at the start, in the axes of its curve's frame."""
    one, other = pose[row.a.segment], pose[row.b.segment]
    R_WA = one.R_WS @ turn(row.a.frame.orientation)
    away = other.p_W + other.R_WS @ np.array(row.b.position_m) - one.p_W
    out: Array = R_WA.T @ (away - one.R_WS @ np.array(row.a.frame.position_m))
    return out


def _joined(parts: Sequence[Array], empty: tuple[int, ...]) -> Array:
    return np.concatenate([np.zeros(empty), *parts])


def rows_of_closures(couplings: Couplings, closures: Closures, cams: Cams) -> int:
    """Count the rows that all of these can have at once."""
    of_turns = {TURNS_FREE: 0, TURNS_PARALLEL: 2, TURNS_ALIKE: 3, TURNS_CROSSED: 1}
    of_closures = int(np.sum(closures.ways)) + sum(of_turns[int(one)] for one in closures.turns)
    return len(couplings.a) + of_closures + len(cams.a) + int(np.sum(cams.across))
