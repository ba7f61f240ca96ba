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
from solver.project.pose import turn
from solver.project.problems import Problem


@finds(
    TOPOLOGY,
    error={
        "line-axis": "A point of a line follows an axis of a joint that may break.",
        "line-obstacle": "An obstacle stands between points that its line does not have.",
    },
)
def lines(index: Index) -> Iterator[Problem]:
    """Find points that follow what may break, and obstacles on no leg."""
    followed: Iterator[tuple[PointMove | PointRange, str]]
    for followed in (index.of(PointMove), index.of(PointRange)):
        for one, path in followed:
            yield from _axis(index, one.coordinate, f"{path}/coordinate/joint")
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
    if joint.breakage is not None:
        sentence = Sentence(
            "'{joint}' may break; then the point would have no place.", joint=at.joint
        )
        yield problem("line-axis", path, sentence, "Let it not break, or give the point a fixed place.")  # fmt: skip


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
