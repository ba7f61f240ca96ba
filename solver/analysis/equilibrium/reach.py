"""Targets for hands and feet: points of segments that stay at a place while the body settles.

The joints between such a segment and the trunk follow; they hold whatever torque that takes. The trunk
begins where a segment carries more than one other, or at the root.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from solver.analysis.equilibrium.freedoms import open_speeds
from solver.analysis.equilibrium.refusal import SettleError
from solver.analysis.equilibrium.statics import Statics
from solver.engine.dynamics.tree import Array
from solver.project.document import Project
from solver.project.geometry import PointRef
from solver.project.joint_table import carrying
from solver.project.segments import GROUND

CLOSE = 1e-9
"""Distance (m) from the target at which a point has reached it."""

ROUNDS = 200
LONGEST = 0.15
"""Longest step of a joint (rad, m) in one round."""

NOTICED = math.radians(0.5)
"""How far (rad) beyond a stop a reaching joint may go."""


@dataclass(frozen=True)
class Reach:
    """Keep a point of a segment at a target: a point of another segment, or of the ground.

    `joints` are those that follow; none for those of the limb.
    """

    point: PointRef
    target: PointRef
    joints: tuple[str, ...] = ()


class Reaching:
    """Keep all targets while a model moves."""

    def __init__(self, statics: Statics, reach: Sequence[Reach]) -> None:
        self._statics, self._reach = statics, tuple(reach)
        names = dict.fromkeys(
            j for r in reach for j in (r.joints or limb(statics.project, r.point.segment))
        )
        for name in names:
            if name not in statics.model.trees.joints:
                raise SettleError("There is no joint '{name}' to reach with.", name=name)
        self.joints: tuple[str, ...] = tuple(names)
        self._speeds = [s for name in names for s in open_speeds(statics, name)]
        for r in reach:
            if not any(
                open_speeds(statics, j)
                for j in (r.joints or limb(statics.project, r.point.segment))
            ):
                raise SettleError(
                    "'{segment}' cannot reach: no joint between it and the trunk is open. Name the joints that may move, or leave the target out.", segment=r.point.segment
                )  # fmt: skip

    def __bool__(self) -> bool:
        return bool(self._reach)

    def _rows(self) -> tuple[Array, Array]:
        """Give by how much points are off (3 rows a target) and what all speeds do to that."""
        statics = self._statics
        unit = statics.columns(np.eye(len(statics.rest)))
        error, rows = [], []
        for r in self._reach:
            p, A = _point(statics, unit.w, unit.v, r.point)
            t, B = _point(statics, unit.w, unit.v, r.target)
            error.append(p - t)
            rows.append(A - B)
        return np.concatenate(error), np.concatenate(rows)

    def followed(self, directions: Array) -> Array:
        """Let the limbs follow directions of the rest, at the last evaluation."""
        if not self._reach:
            return directions
        _, rows = self._rows()
        out = directions.copy()
        own = rows[:, self._speeds]
        out[self._speeds] -= np.linalg.pinv(own, rcond=1e-6) @ (rows @ directions)
        return out

    def reached(self, q: Array) -> Array:
        """Move the limbs until all points are at their targets, by the least changes of their joints."""
        if not self._reach:
            return q
        statics, damping = self._statics, 1e-3
        statics.evaluate(q)
        error, rows = self._rows()
        for _ in range(ROUNDS):
            off = float(np.linalg.norm(error))
            if off < CLOSE:
                return q
            own = rows[:, self._speeds]
            normal = own @ own.T + damping * damping * np.eye(len(error))
            step = -own.T @ np.linalg.solve(normal, error)
            step *= min(1.0, LONGEST / max(float(np.abs(step).max()), 1e-300))
            by = np.zeros(len(statics.rest))
            by[self._speeds] = step
            there = statics.moved(q, by)
            statics.evaluate(there)
            found, found_rows = self._rows()
            if float(np.linalg.norm(found)) < off:
                q, error, rows, damping = there, found, found_rows, max(0.3 * damping, 1e-9)
            elif damping > 1e3:
                break
            else:
                damping *= 4.0
        self._refuse(error)
        return q

    def _refuse(self, error: Array) -> None:
        off = np.linalg.norm(error.reshape(-1, 3), axis=1)
        worst = int(np.argmax(off))
        if off[worst] < 1e-6:
            return
        r = self._reach[worst]
        joints = ", ".join(
            f"'{j}'" for j in r.joints or limb(self._statics.project, r.point.segment)
        )
        where = "ground" if r.target.segment == GROUND else f"'{r.target.segment}'"
        raise SettleError(
            "'{segment}' does not reach its target on {where}: it is {off:.2g} mm away with {joints} as far as they go. Move the target or the body nearer, or let more joints follow.", segment=r.point.segment, where=where, off=1e3 * off[worst], joints=joints
        )  # fmt: skip


def limb(project: Project, segment: str) -> tuple[str, ...]:
    """Name the joints from a segment up to the trunk."""
    carried = {j.child: j for j in carrying(project.joints)}
    carries: dict[str, int] = {}
    for joint in carried.values():
        carries[joint.parent] = carries.get(joint.parent, 0) + 1
    out: list[str] = []
    while segment in carried:
        joint = carried[segment]
        out.append(joint.id)
        segment = joint.parent
        if segment == GROUND or carries[segment] > 1:
            break
    return tuple(out)


def _point(statics: Statics, w: Array, v: Array, point: PointRef) -> tuple[Array, Array]:
    """Give the place of a point, and its velocity by all speeds."""
    if point.segment == GROUND:
        return np.array(point.position_m), np.zeros((3, w.shape[2]))
    trees = statics.model.trees
    if point.segment not in trees.body_of:
        raise SettleError(
            "There is no segment '{segment}' to reach with or to.", segment=point.segment
        )
    i, motion = trees.body_of[point.segment], statics.work.motion
    arm = motion.R[i].reshape(3, 3) @ (np.array(point.position_m) - trees.origin[point.segment])
    return motion.p[i] + arm, v[i] + np.cross(w[i], arm[:, None], axis=0)
