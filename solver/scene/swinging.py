"""How far down what hangs on the ground by a joint may come as it swings."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solver.maths.rotation import Array
from solver.project import Project
from solver.project.joints import BallJoint, EulerJoint, JointBase, PinJoint, UniversalJoint
from solver.project.segments import GROUND, Segment

_TURNS = (PinJoint, BallJoint, UniversalJoint, EulerJoint)


def lowest_swing(project: Project, up: Array) -> float:
    """Give the height (m) below which no chain hangs, each stretched out downwards; infinity where none swings."""
    reach = _Reach(project)
    return min(
        (
            float(np.array(joint.parent_frame.position_m) @ up) - reach.below(joint)
            for joint in project.joints
            if joint.parent == GROUND and isinstance(joint, _TURNS)
        ),
        default=np.inf,
    )


class _Reach:
    """Know how far a chain of segments reaches from where it hangs."""

    def __init__(self, project: Project) -> None:
        self._segments = {one.id: one for one in project.segments}
        self._below: dict[str, list[JointBase]] = {}
        for joint in project.joints:
            self._below.setdefault(joint.parent, []).append(joint)

    def below(self, joint: JointBase, seen: frozenset[str] = frozenset()) -> float:
        """Give how far (m) from a joint its child, and all that hangs on that, may come."""
        name, at = joint.child, joint.child_frame.position_m
        if name in seen or name not in self._segments:
            return 0.0
        farther = (
            _apart(one.parent_frame.position_m, at) + self.below(one, seen | {name})
            for one in self._below.get(name, ())
        )
        return max((_size(self._segments[name], at), *farther))


def _size(segment: Segment, at: Sequence[float]) -> float:
    """Give how far (m) the surfaces of a segment are from one of its points, at most."""
    return max((_apart(s.centre_m, at) + max(s.semi_axes_m) for s in segment.surfaces), default=0.0)


def _apart(a: Sequence[float], b: Sequence[float]) -> float:
    return float(np.linalg.norm(np.subtract(a, b)))
