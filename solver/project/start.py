"""Where everything is and how it moves at time zero."""

from __future__ import annotations

from solver.project.fields import (
    REQUIRED,
    ZERO3,
    Id,
    Numbers,
    Part,
    Vec3,
    choice,
    number,
    ref,
)
from solver.project.geometry import Orientation
from solver.project.segments import GROUND


class RootStart(Part):
    """Place the mass centre of a tree's root; the rest of the tree follows through the joints.

    A segment with a motion is placed here too; its motion brings it on from there, at time zero by its
    start value, or by its position at that time.
    """

    segment: Id = ref(REQUIRED, "segments", "Root", "Segment that no joint carries.")
    position_m: Vec3 = number(ZERO3, "m", "Position", "Mass centre, in the axes of 'relative to'.")
    velocity_m_per_s: Vec3 = number(
        ZERO3,
        "m/s",
        "Velocity",
        "Velocity of the mass centre, added to that of 'moves with'.",
    )
    relative_to: Id = ref(
        GROUND,
        "segments",
        "Relative to",
        "Segment from which the place counts, as it stands at time zero.",
    )
    moves_with: Id = ref(
        GROUND,
        "segments",
        "Moves with",
        "Segment whose motion at time zero the whole tree shares, such as the vehicle.",
    )


class AttitudeStart(Part):
    """Turn a segment, whatever its joints; the joint must allow the turn."""

    segment: Id = ref(REQUIRED, "segments", "Segment", "Segment that is turned.")
    orientation: Orientation = choice(Orientation(), "Orientation", "Turn from 'relative to'.")
    relative_to: Id = ref(
        GROUND, "segments", "Relative to", "Segment from whose axes it is turned."
    )
    angular_velocity_rad_per_s: Vec3 = number(
        ZERO3,
        "rad/s",
        "Angular velocity",
        "In the segment's own axes, added to 'moves with'.",
    )


class JointStart(Part):
    """Set a joint's own coordinates, for a segment without an attitude.

    pin: one angle; universal: two; euler: precession, nutation, spin; ball: yaw, pitch, roll of the
    child's frame in the parent's; slip: the distance slid, then the angles of its rotation; free: x,
    y, z and then yaw, pitch, roll; locked: none.
    """

    joint: Id = ref(REQUIRED, "joints", "Joint", "Joint that is set.")
    values: Numbers = number((), "m|rad", "Values", "Angles in rad, distances in m.", max_length=6)
    rates: Numbers = number(
        (),
        "m/s|rad/s",
        "Rates",
        "Rates of the same coordinates; none for rest.",
        max_length=6,
    )


class Initial(Part):
    """Give the start: roots and attitudes, or roots and joint coordinates, or a mixture."""

    roots: tuple[RootStart, ...] = choice(
        (), "Roots", "One for each tree; others start at the origin."
    )
    attitudes: tuple[AttitudeStart, ...] = choice((), "Attitudes", "Turned segments.")
    joints: tuple[JointStart, ...] = choice((), "Joints", "Joints that are set.")
