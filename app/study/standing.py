"""Tell how a joint stands at an instant of a run: its own coordinates, as results have them."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.study.motion import Motion
from solver.project import Project
from solver.project.angles import joint_values
from solver.project.joint_table import Row, carrying, is_sliding, row_of
from solver.project.joints import Joint
from solver.project.pose import turn
from solver.scene.placing import Pose
from solver.scene.reach import Standing

_BROKEN = 1 << 3


class Standings:
    """Read the joints of a run, finished or growing."""

    def __init__(self, project: Project, motion: Motion) -> None:
        self._joints = {joint.id: joint for joint in carrying(project.joints)}
        self._motion = motion

    def at(self, id_: str, t: float, pose: Pose) -> Standing | None:
        """Give a joint at an instant (s) at which everything stands as in `pose`; None where results tell nothing.

        Angles and the way of one slide are those of the channels; of three slides these have only the length.
        """
        table: Any = self._motion.loads.table("joints")
        joint = self._joints.get(id_)
        if joint is None or id_ not in table.ids or not len(self._motion.time):
            return None
        (i, w), n = self._motion.between(t), table.ids.index(id_)
        j = min(i + 1, len(table["angle"]) - 1)
        angle = (1.0 - w) * table["angle"][i, n] + w * table["angle"][j, n]
        row = row_of(joint)
        turned = tuple(float(v) for v in angle[: len(row.turns)])
        if is_sliding(joint):
            slid: tuple[float, ...] = (
                float((1.0 - w) * table["slide"][i, n] + w * table["slide"][j, n]),
            )
        else:
            slid = row.slid(_from_pose(joint, row, turned, pose))
        state = int(table["state"][self._motion.near(t), n])
        return Standing(row.chained(slid, turned), _held(row, state), bool(state & _BROKEN))


def _from_pose(joint: Joint, row: Row, turned: tuple[float, ...], pose: Pose) -> tuple[float, ...]:
    parent, child = pose[joint.parent], pose[joint.child]
    R_WP = parent.R_WS @ turn(joint.parent_frame.orientation)
    R_WC = child.R_WS @ turn(joint.child_frame.orientation)
    away = child.of(joint.child_frame.position_m) - parent.of(joint.parent_frame.position_m)
    like = row.chained((0.0,) * len(row.slides), turned)
    return joint_values(joint, R_WP.T @ R_WC, np.asarray(R_WP.T @ away), like)


def _held(row: Row, state: int) -> frozenset[str]:
    """Name the coordinates that locks hold, by the bits of a state; a ball's turns have one bit together."""
    names = [one.name for one in row.freedoms]
    if row.acts == "ball":
        names = [*(slide.name for slide in row.slides), "ball"]
    found = {name for k, name in enumerate(names) if state >> (k if k < 3 else k + 1) & 1}
    return frozenset(found | ({one.name for one in row.turns} if "ball" in found else set()))
