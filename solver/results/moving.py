"""Motion of points of segments as seen from any segment, from the frames of a run.

A segment S carries a moving frame with its origin in its mass centre. What is seen from it loses the
frame's own velocity, turning, Coriolis and centripetal acceleration (CVS-IV Volume 1, section 2.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from solver.engine.maths.rotation import matrices
from solver.results.layout import ResultsError
from solver.results.trajectory import Array, SegmentMotion

GROUND = "ground"


class HasSegments(Protocol):
    """Be a run whose segments can be read."""

    @property
    def time(self) -> Array:
        """Give the times of the frames (s)."""

    def segment(self, id_: str) -> SegmentMotion:
        """Give one segment's motion."""


@dataclass(frozen=True, slots=True)
class PointMotion:
    """Hold the motion of a point and its segment, as seen from a frame, along chosen axes."""

    position: Array
    velocity: Array
    acceleration: Array
    turn: Array
    """R_FS (T, 3, 3), from the segment's axes to those of the frame it is seen from."""
    angular_velocity: Array
    angular_acceleration: Array


@dataclass(frozen=True, slots=True)
class _Seen:
    """Hold a segment's motion in ground axes."""

    R: Array
    p: Array
    v: Array
    a: Array
    w: Array
    alpha: Array

    def at(self, point: Array) -> _Seen:
        """Go from the mass centre to a point given in segment axes."""
        arm = self.R @ point
        turning = np.cross(self.w, arm)
        return _Seen(
            self.R,
            self.p + arm,
            self.v + turning,
            self.a + np.cross(self.alpha, arm) + np.cross(self.w, turning),
            self.w,
            self.alpha,
        )


def point_motion(
    run: HasSegments,
    segment: str,
    point: Sequence[float] = (0.0, 0.0, 0.0),
    seen_from: str = GROUND,
    axes: str = "",
) -> PointMotion:
    """Give the motion of a point of a segment over all frames.

    The point counts from the mass centre along the segment's axes (m). Components are along the axes
    of `axes`, or of `seen_from` where that is empty; "ground" is the inertial frame.
    """
    body = _ground(run, segment).at(np.asarray(point, float))
    frame = _ground(run, seen_from)
    r = body.p - frame.p
    v = body.v - frame.v - np.cross(frame.w, r)
    a = body.a - frame.a - np.cross(frame.alpha, r) - np.cross(frame.w, np.cross(frame.w, r))
    a = a - 2.0 * np.cross(frame.w, v)
    w = body.w - frame.w
    alpha = body.alpha - frame.alpha - np.cross(frame.w, w)
    R = turns(run, axes or seen_from)
    return PointMotion(
        position=along(R, r),
        velocity=along(R, v),
        acceleration=along(R, a),
        turn=np.swapaxes(frame.R, 1, 2) @ body.R,
        angular_velocity=along(R, w),
        angular_acceleration=along(R, alpha),
    )


def turns(run: HasSegments, segment: str) -> Array:
    """Give R_WS (T, 3, 3) of a segment, or of the ground."""
    if segment == GROUND:
        return np.broadcast_to(np.eye(3), (len(run.time), 3, 3))
    return matrices(run.segment(segment).quaternion_wxyz)


def along(R_WA: Array, vectors: Array) -> Array:
    """Give the components of ground vectors (T, 3) along the axes of turns (T, 3, 3)."""
    out: Array = np.einsum("tji,tj->ti", R_WA, vectors)
    return out


def _ground(run: HasSegments, segment: str) -> _Seen:
    if segment == GROUND:
        zero = np.zeros((len(run.time), 3))
        return _Seen(turns(run, GROUND), zero, zero, zero, zero, zero)
    motion = run.segment(segment)
    if motion.position.ndim != 2:
        raise ResultsError("The motion of '{segment}' has an unexpected shape.", segment=segment)
    R = matrices(motion.quaternion_wxyz)
    return _Seen(
        R,
        motion.position,
        motion.velocity,
        motion.acceleration,
        np.einsum("tij,tj->ti", R, motion.angular_velocity),
        np.einsum("tij,tj->ti", R, motion.angular_acceleration),
    )
