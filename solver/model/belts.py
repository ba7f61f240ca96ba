"""Make simple belts into arrays."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from solver.engine.dynamics.tree import Array
from solver.engine.forces.belts import FIXED, LENGTHS, Belts, belt_path
from solver.engine.forces.laws import MEMORY
from solver.model.arrays import reals, wholes
from solver.model.points import placed, point_on
from solver.model.surfaces import SurfaceNumbers
from solver.model.tree import Trees, turn
from solver.project.belts import Belt
from solver.project.document import Project
from solver.project.pose import Placed

SEEN = 8


def compile_belts(
    project: Project,
    trees: Trees,
    numbers: SurfaceNumbers,
    laws: Mapping[str, int],
    pose: Mapping[str, Placed],
) -> Belts:
    """Give all simple belts, with their unstretched lengths from those at the start."""
    rows = project.belts
    a = [point_on(trees, b.anchor_a.segment, b.anchor_a.position_m) for b in rows]
    b = [point_on(trees, b.anchor_b.segment, b.anchor_b.position_m) for b in rows]
    laid = [_laid(belt, numbers, pose) for belt in rows]
    count = len(rows)
    return Belts(
        a=wholes(body for body, _ in a),
        b=wholes(body for body, _ in b),
        at_a=reals((at for _, at in a), 3),
        at_b=reals((at for _, at in b), 3),
        surface=wholes(numbers.number(belt.surface) for belt in rows),
        fixed=reals((path[FIXED] for path in laid), 3),
        one=wholes(belt.friction == "none" for belt in rows),
        law=wholes(laws[belt.law] for belt in rows),
        rest=reals((_rest(belt, path) for belt, path in zip(rows, laid, strict=True)), 2),
        mode=np.zeros(2 * count, np.int64),
        memory=np.zeros((2 * count, MEMORY)),
        seen=np.zeros((count, SEEN)),
        path=np.zeros((9, 3)),
        turn=np.zeros(9),
    )


def _laid(belt: Belt, numbers: SurfaceNumbers, pose: Mapping[str, Placed]) -> Array:
    """Lay a belt at the start, in the own axes of its surface."""
    shape = numbers.shapes[numbers.number(belt.surface)][1]
    at = pose[belt.surface.segment]
    R_WE = at.R_WS @ turn(shape.orientation)
    centre = at.p_W + at.R_WS @ np.array(shape.centre_m)
    semi = np.array(shape.semi_axes_m)
    fixed = R_WE.T @ at.R_WS @ (np.array(belt.fixed_point_m) - np.array(shape.centre_m))
    path = np.zeros((9, 3))
    path[0] = R_WE.T @ (placed(pose, belt.anchor_a) - centre)
    path[1] = R_WE.T @ (placed(pose, belt.anchor_b) - centre)
    # radially onto the surface
    path[FIXED] = fixed / np.linalg.norm(fixed / semi)
    belt_path(semi[None, :], 0, path)
    return path


def _rest(belt: Belt, path: Array) -> tuple[float, float]:
    """Share the slack between both sides by their lengths."""
    one, two = float(path[LENGTHS, 0]), float(path[LENGTHS, 1])
    stretch = 1.0 + belt.slack_m / (one + two)
    return one * stretch, two * stretch
