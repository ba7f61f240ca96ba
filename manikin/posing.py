"""Poses: joints turned, segments turned, whole bodies moved, sides mirrored, copies in rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Self

import numpy as np

from manikin.changing import Changing, Point, Vector, point_of, turned_by, vector
from solver.project.geometry import PointRef
from solver.project.posing import (
    Balance,
    angles_of,
    weight_balance,
    with_attitude,
    with_balance,
    with_joint,
    with_tree_moved,
    with_two_points,
    within_stops,
)

ORIGIN: Vector = (0.0, 0.0, 0.0)


class Posed(Changing):
    """Pose a model at its start; what is turned takes along what it carries."""

    def joint_at_start(self, joint: str) -> tuple[float, ...]:
        """Give a joint's own coordinates at the start (rad and m), whatever sets them.

        >>> mk.sample("pendulum").pose_joint("pivot", [0.2]).joint_at_start("pivot")
        (0.2,)
        """
        return angles_of(self._project, joint)

    def pose_joint(self, joint: str, values: Sequence[float]) -> Self:
        """Set a joint's coordinates at the start (rad and m); what it carries goes along. Raises PoseError.

        >>> mk.sample("pendulum").pose_joint("pivot", [0.2, 0.1])
        Traceback (most recent call last):
        manikin.PoseError: A pin joint takes 1 values, not 2 ('pivot').
        """
        return self._with(with_joint(self._project, joint, values))

    def pose_segment(
        self,
        segment: str,
        turn_rad: Vector,
        *,
        relative_to: str = "ground",
        about: Vector = ORIGIN,
    ) -> Self:
        """Turn a segment to an attitude, yaw, pitch and roll (rad) in the axes of another; what it carries goes along.

        One that no joint carries turns about a point of itself (m). Raises PoseError where its joint does not allow the attitude.
        """
        return self._with(
            with_attitude(
                self._project, segment, turned_by(turn_rad), relative_to, vector(about, "The place")
            )
        )

    def move(
        self,
        segment: str,
        by_m: Vector = ORIGIN,
        *,
        turn_rad: Vector = ORIGIN,
        about: Vector | None = None,
    ) -> Self:
        """Move the whole body of a segment: turn it (yaw, pitch, roll) about a place in ground axes, or its root's mass centre, then shift it (m).

        >>> model = mk.sample("frontal")
        >>> moved = model.move("driver_head", (0.0, 0.0, -0.1))
        >>> before, after = (one.project.initial.roots[-1].position_m[2] for one in (model, moved))
        >>> round(after - before, 9)
        -0.1
        """
        turned = turned_by(turn_rad) if any(turn_rad) else None
        way = vector(by_m, "The way")
        at = None if about is None else vector(about, "The place")
        return self._with(with_tree_moved(self._project, segment, way, turned, at))

    def within_stops(self, joint: str, values: Sequence[float]) -> tuple[float, ...]:
        """Give the coordinates nearest to some at which no stop of a joint pushes (rad and m)."""
        return within_stops(self._project, joint, values)

    def put_points(
        self,
        first: Point,
        first_place: Vector,
        second: Point,
        second_place: Vector,
        *,
        axis: Vector | None = None,
    ) -> Self:
        """Move a body so that one point of it is at its place, such as an H-point, and another as near to its own as can be.

        Points are pairs of a segment and a place on it, places are in ground axes (m). It turns by the least angle, or about the `axis`
        alone: (0, 1, 0) keeps a seated body upright in its plane. Raises PoseError.

        >>> hips, head = ("driver_lower_torso", (0.0, 0.0, 0.0)), ("driver_head", (0.0, 0.0, 0.0))
        >>> model, there = mk.sample("frontal"), (0.1, 0.0, -0.4)
        >>> model = model.put_points(hips, there, head, (0.0, 0.0, -1.0), axis=(0, 1, 0))
        >>> [round(value, 9) for value in model.project.initial.roots[-1].position_m]
        [0.1, 0.0, -0.4]
        """
        done = with_two_points(
            self._project, point_of(first), first_place, point_of(second), second_place, axis
        )
        return self._with(done.project)

    def weigh(self, segment: str, supports: Sequence[Point | Vector] = ()) -> Balance:
        """Weigh the body of a segment, and share its weight among supports: points of segments, or places in ground axes (m).

        >>> found = mk.sample("frontal").weigh("driver_head")
        >>> round(found.mass_kg, 1)
        77.7
        """
        given = [_support(one) for one in supports]
        return weight_balance(self._project, segment, given)

    def balance(self, segment: str, over: Point, *, axis: Vector = (0.0, 1.0, 0.0)) -> Self:
        """Turn the body of a segment about an axis (ground axes) through a point of it, until its mass centre stands above that. Raises PoseError."""
        return self._with(with_balance(self._project, segment, point_of(over), axis))

    def mirror(
        self, *paths: str, across: Literal["x", "y", "z"] | None = None, at: float = 0.0
    ) -> Self:
        """Write the mirror image of elements (`segments/left_hand`, `joints/left_knee`) on the other side; joints go with the segments that they carry.

        A twin is the segment that a segment names, or what has the same id with left and right exchanged; what has none gets one.
        With `across` the image is made about a plane across an axis of the ground, `at` a place along it (m): a door, a seat.

        >>> model = mk.sample("sled").pose_joint("left_elbow", [0.7]).mirror("segments/left_forearm")
        >>> round(model.joint_at_start("right_elbow")[0], 9)
        0.7
        """
        from solver.editing.mirroring import mirrored, mirrored_about

        if across is not None:
            done = mirrored_about(self._project, paths, "xyz".index(across), at)
            return self._with(done.project)
        return self._with(mirrored(self._project, paths).project)

    def duplicate(self, *paths: str, by: Vector) -> Self:
        """Copy elements (`planes/seat`) under free ids, shifted by a way in ground axes (m); segments take their joints along. Raises CannotCopy, a ValueError.

        >>> mk.sample("sled").duplicate("planes/seat", by=(0, 0.9, 0)).project.planes[-1].id
        'seat_2'
        """
        from solver.editing.copies import duplicated

        return self._with(duplicated(self._project, paths, np.array(vector(by, "A way"))).project)

    def array(self, *paths: str, count: int, step: Vector) -> Self:
        """Make a row of `count` of some elements, with those that are there, each a step in ground axes (m) from the one before. Raises CannotCopy, a ValueError.

        >>> row = mk.sample("sled").array("planes/seat", count=3, step=(0.9, 0, 0))
        >>> [one.id for one in row.project.planes[-2:]]
        ['seat_2', 'seat_3']
        """
        from solver.editing.copies import arrayed

        done = arrayed(self._project, paths, count, np.array(vector(step, "A step")))
        return self._with(done.project)


def _support(given: Point | Vector) -> PointRef | Vector:
    """A point of a segment, or a place in ground axes."""
    if len(given) == 2:
        return point_of(given)
    return given
