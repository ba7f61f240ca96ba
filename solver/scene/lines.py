"""Lines round obstacles as they run in a pose, and the obstacles."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from solver.engine.maths.rotation import Array
from solver.model.paths import Courses
from solver.project import Project
from solver.project.coordinates import AnyObstacle, CylinderObstacle, DistanceCoordinate
from solver.project.geometry import Frame
from solver.project.joint_table import driven_axes
from solver.project.pose import turn
from solver.scene.meshes import Mesh, body
from solver.scene.placing import Pose

FLAT = 40.0
"""Power of the ends of a cylinder that is drawn."""
_last: list[tuple[Project, dict[str, int], Courses]] = []
"""The lines of the project that was drawn last."""


def courses_of(project: Project, pose: Pose) -> dict[str, Array]:
    """The points of lines that are not straight from point to point, by the ids of their forces (m, ground axes)."""
    known = _last[0] if _last else None
    if known is None or known[0] is not project:
        rows = {
            one.id: one.coordinate
            for one in project.coordinate_forces
            if isinstance(one.coordinate, DistanceCoordinate)
            and one.coordinate.bends
            and _is_whole(project, one.coordinate)
        }
        numbers = {id_: n for n, id_ in enumerate(rows)}
        known = project, numbers, Courses(project, list(rows.values()))
        _last[:] = [known]
    _, numbers, courses = known
    if not numbers or not courses.needed() <= pose.keys():
        return {}
    laid = courses.laid(pose)
    return {id_: laid.course(n) for id_, n in numbers.items()}


def _is_whole(project: Project, line: DistanceCoordinate) -> bool:
    """Whether all that its points follow is there: while a project is edited it may not be."""
    joints, functions = {one.id: one for one in project.joints}, {one.id for one in project.functions}  # fmt: skip
    moves = [move for point in line.points for move in point.moves]
    led = [one.coordinate for one in (*moves, *(p.only for p in line.points)) if one is not None]
    return all(one.function in functions for one in moves) and all(
        at.joint in joints and at.axis in driven_axes(joints[at.joint]) for at in led
    )


def obstacles_of(project: Project, pose: Pose) -> Iterator[tuple[str, str, Mesh]]:
    """Each obstacle once, with the element that it belongs to and its segment."""
    seen = set[tuple[str, Frame, tuple[float, float, float]]]()
    for force in project.coordinate_forces:
        over: tuple[AnyObstacle, ...] = getattr(force.coordinate, "over", ())
        for one in over:
            key = (one.segment, one.frame, one.sizes)
            if key not in seen and one.segment in pose:
                seen.add(key)
                is_flat = isinstance(one, CylinderObstacle)
                yield (
                    f"coordinate_forces/{force.id}",
                    one.segment,
                    _mesh(one.sizes, one.frame, is_flat),
                )


@lru_cache(maxsize=256)
def _mesh(sizes: tuple[float, float, float], frame: Frame, is_flat: bool) -> Mesh:
    """Make it once: what is not changed is not drawn again."""
    made = body(sizes, (2.0, 2.0, FLAT if is_flat else 2.0))
    return made.moved(turn(frame.orientation), np.array(frame.position_m))
