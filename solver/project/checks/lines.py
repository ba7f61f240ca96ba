"""Check lines through points and round obstacles."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from solver.base.words import Sentence
from solver.project.checks.index import Index
from solver.project.checks.registry import PHYSICS, TOPOLOGY, finds, problem
from solver.project.coordinates import (
    AnyObstacle,
    CylinderObstacle,
    DistanceCoordinate,
    JointCoordinate,
    PathPoint,
    PointMove,
    PointRange,
)
from solver.project.joint_table import row_of
from solver.project.pose import turn
from solver.project.problems import Problem


@finds(
    TOPOLOGY,
    error={
        "line-axis": "A point of a line follows an axis that does not turn or slide alone.",
        "line-obstacle": "An obstacle stands between points that its line does not have.",
    },
)
def lines(index: Index) -> Iterator[Problem]:
    """Find points that follow what is no single axis, and obstacles on no leg."""
    followed: Iterator[tuple[PointMove | PointRange, str]]
    for followed in (index.of(PointMove), index.of(PointRange)):
        for one, path in followed:
            yield from _axis(index, one.coordinate, f"{path}/coordinate/axis")
    only: Iterator[tuple[PointRange, str]] = index.of(PointRange)
    for span, path in only:
        if span.lower is not None and span.upper is not None and span.lower > span.upper:
            sentence = Sentence("The lower end lies above the upper one: it never counts.")
            yield problem("coordinate-limits", f"{path}/upper", sentence, "Exchange them.")
    found: Iterator[tuple[DistanceCoordinate, str]] = index.of(DistanceCoordinate)
    for line, path in found:
        last = len(line.points) - 1
        for n, over in enumerate(line.over):
            to = last if over.to_point is None else over.to_point
            if not over.from_point < to <= last:
                sentence = Sentence(
                    "It would stand between the points {first} and {second}; the line has those from 0 to {last}.",
                    first=over.from_point, second=to, last=last,
                )  # fmt: skip
                hint = "Number the points from A (0) on, and let it begin before it ends."
                yield problem("line-obstacle", f"{path}/over/{n}/from_point", sentence, hint)


def _axis(index: Index, at: JointCoordinate, path: str) -> Iterator[Problem]:
    joint = index.by_id["joints"].get(at.joint)
    if joint is None:
        return
    row = row_of(joint)
    names = [one.name for one in row.slides] + ([one.name for one in row.turns] if row.acts == "axes" else [])  # fmt: skip
    if joint.breakage is not None or at.axis not in names:
        sentence = Sentence("'{axis}' of '{joint}' is no axis that turns or slides alone and holds.", axis=at.axis, joint=at.joint)  # fmt: skip
        hint = "Take an axis of a pin, a slip or a universal joint that does not break."
        yield problem("line-axis", path, sentence, hint)


@finds(
    PHYSICS,
    note={"line-inside": "A point of a line starts inside an obstacle, which does not stand in its way there."},
)  # fmt: skip
def obstacles(index: Index) -> Iterator[Problem]:
    """Find points inside of what a line is to go round."""
    found: Iterator[tuple[DistanceCoordinate, str]] = index.of(DistanceCoordinate)
    for line, path in found:
        for n, over in enumerate(line.over):
            if getattr(over, "within", False):
                continue
            end = len(line.points) if over.to_point is None else over.to_point + 1
            if any(_is_inside(index, over, p) for p in line.points[over.from_point : end]):
                sentence = Sentence("A point of the line starts inside it: beside that point the line goes straight through.")  # fmt: skip
                yield problem("line-inside", f"{path}/over/{n}", sentence, "Move the point out, or make the obstacle smaller.")  # fmt: skip


def _is_inside(index: Index, over: AnyObstacle, point: PathPoint) -> bool:
    if point.moves or point.only or not {over.segment, point.segment} <= index.pose.keys():
        return False
    at, held = index.pose[over.segment], index.pose[point.segment]
    place = at.R_WS.T @ (held.p_W + held.R_WS @ np.array(point.position_m) - at.p_W)
    local = turn(over.frame.orientation).T @ (place - np.array(over.frame.position_m))
    parts = local / np.array(over.sizes)
    if isinstance(over, CylinderObstacle):
        if over.length_m is not None and abs(parts[2]) > 1.0:
            return False
        parts = parts[:2]
    return bool(float(parts @ parts) < 1.0 - 1e-9)
