"""Joints between segments, and what acts in them (section 6)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from solver.project.azimuths import FlexureTable, GlobographicStop
from solver.project.fields import (
    REQUIRED,
    Element,
    Flag,
    Id,
    Number,
    Part,
    choice,
    function,
    number,
    ref,
)
from solver.project.geometry import Frame

# What holds joints, and may give: locks of turns, and loads at which joints break (section 6; seed 003, p. 22).


class Lock(Part):
    """Hold an axis until a torque opens it, and hold it again when torque or rate fall (section 6)."""

    locked: Flag = choice(False, "Locked at start", "Whether the axis is held at the start.")
    unlock_torque_nm: Number | None = number(
        None,
        "N*m",
        "Unlock torque",
        "Torque above which a held axis opens; none for never.",
        gt=0,
    )
    lock_torque_nm: Number | None = number(
        None,
        "N*m",
        "Lock torque",
        "Torque below which an open axis is held again.",
        gt=0,
    )
    lock_rate_rad_per_s: Number | None = number(
        None, "rad/s", "Lock rate", "Rate below which an open axis is held again.", gt=0
    )
    keeps_torque: Flag = choice(
        False,
        "Keeps the torque",
        "Once it has opened, the unlock torque stays against the motion until that turns round; then the axis is "
        "held again (seed 003, p. 23).",
    )


class Breakage(Part):
    """Open a joint into a free one when its load passes a limit.

    Limits may be those of the whole load or of its components along the axes of the parent's frame. Over
    a ramp the load fades as the parts come away; before its end the joint may close again.
    """

    force_n: Number | None = number(None, "N", "Force", "Force at which the joint breaks.", gt=0)
    torque_nm: Number | None = number(
        None, "N*m", "Torque", "Torque at which the joint breaks.", gt=0
    )
    force_x_n: Number | None = number(None, "N", "Force along x", "Either way.", gt=0)
    force_y_n: Number | None = number(None, "N", "Force along y", "Either way.", gt=0)
    force_z_n: Number | None = number(None, "N", "Force along z", "Either way.", gt=0)
    torque_x_nm: Number | None = number(None, "N*m", "Torque about x", "Either way.", gt=0)
    torque_y_nm: Number | None = number(None, "N*m", "Torque about y", "Either way.", gt=0)
    torque_z_nm: Number | None = number(None, "N*m", "Torque about z", "Either way.", gt=0)
    ramp_m: Number | None = number(
        None,
        "m",
        "Ramp of the force",
        "Separation over which the force at the break fades; none: it is gone at once.",
        gt=0,
    )
    ramp_rad: Number | None = number(
        None,
        "rad",
        "Ramp of the torque",
        "Turn over which the torque at the break fades; none: it is gone at once.",
        gt=0,
    )
    heals_below_m: Number | None = number(
        None,
        "m",
        "Heals below",
        "Separation within which parts that come back close again, with limits as low as the load has become; "
        "none: never.",
        gt=0,
    )
    heals_below_rad: Number | None = number(
        None,
        "rad",
        "Heals below a turn",
        "Turn from the attitude at the break within which they close again; none: at any.",
        gt=0,
    )
    hangs_nm: Number | None = number(
        None,
        "N*m",
        "Torque left",
        "Of a ball joint: once it has broken its parts stay together at its point, without its springs, and this "
        "constant torque alone resists any turn; none: they come apart.",
        ge=0,
    )

    @property
    def limits(self) -> tuple[float | None, ...]:
        """All loads at which it may break."""
        forces = self.force_n, self.force_x_n, self.force_y_n, self.force_z_n
        return (*forces, self.torque_nm, self.torque_x_nm, self.torque_y_nm, self.torque_z_nm)

    @property
    def fades(self) -> bool:
        """Whether it breaks over a ramp."""
        return self.ramp_m is not None or self.ramp_rad is not None


class Spring(Part):
    """Resist an angle by a polynomial that stiffens beyond a stop (section 6.1, EFUNCT)."""

    linear_nm_per_rad: Number = number(
        0.0,
        "N*m/rad",
        "Linear",
        "Torque for each radian, at any angle (s1); below zero it drives away from the centre.",
    )
    stop_rad: Number = number(
        0.0, "rad", "Stop angle", "Angle at which the stop begins, to both sides (s5).", ge=0
    )
    quadratic_nm_per_rad2: Number = number(
        0.0,
        "N*m/rad2",
        "Quadratic",
        "Torque for the square of the angle beyond the stop (s2).",
    )
    cubic_nm_per_rad3: Number = number(
        0.0,
        "N*m/rad3",
        "Cubic",
        "Torque for the cube of the angle beyond the stop (s3).",
    )
    returned_ratio: Number = number(
        1.0,
        "1",
        "Returned part",
        "Part of the torque of the stop, or of the function, that remains while it pushes back (s4); "
        "1 loses nothing.",
        ge=0,
        le=1,
    )
    torque: Id | None = function(
        None,
        "rad",
        "N*m",
        "Torque function",
        "Torque by angle instead of the polynomial; without negative arguments it holds for both sides.",
    )
    restitution: Number | None = number(
        None,
        "1",
        "Restitution",
        "Ratio of rates at an impulse when the stop is entered; none for no impulse (section 7.6).",
        ge=0,
        le=1,
    )


class Friction(Part):
    """Resist a rate by viscous and Coulomb torque, the latter ramped around zero (equation 6.3)."""

    viscous_nms_per_rad: Number = number(
        0.0, "N*m*s/rad", "Viscous", "Torque for each radian per second (V1).", ge=0
    )
    relaxation_s: Number | None = number(
        None,
        "s",
        "Relaxation",
        "Time in which viscous torque comes up and dies away, by a spring in a row with its damper; none: at once.",
        gt=0,
    )
    coulomb_nm: Number = number(0.0, "N*m", "Coulomb", "Constant torque (V2).", ge=0)
    full_rate_rad_per_s: Number = number(
        0.5236,
        "rad/s",
        "Full friction rate",
        "Rate at which Coulomb torque is full (V3).",
        gt=0,
    )
    coefficient: Number = number(
        0.0,
        "1",
        "Coefficient",
        "Of friction by the joint's own force: mu r |R|, with the same ramp as Coulomb's.",
        ge=0,
        le=10,
    )
    radius_m: Number = number(
        0.0, "m", "Radius", "Radius r at which that friction acts, as a pin's.", ge=0
    )


TorqueLaw = Literal["conserving", "printed"]


def _torque_law() -> Any:
    return choice(
        "conserving",
        "Torque law",
        "Torsion, stop contour and flexure by azimuth act along the gradient of the energy they hold, and give "
        "back no more than they took; or as they are printed (section 6.1), which makes energy in a bent joint.",
    )


def _by_azimuth() -> Any:
    return choice(
        None, "Flexure by azimuth", "Torque by flexure and azimuth, beside the flexure's spring."
    )


JointAxis = Literal[
    "slide", "angle", "first", "second", "precession", "nutation", "spin", "x", "y", "z", "yaw", "pitch", "roll",
    "at_parent", "length", "at_child"
]  # fmt: skip
"""Names of axes that can be driven, or on which laws act one by one."""

OF_JOINTS = (
    "slide: of a slip joint; angle: of a pin or a slip joint that turns; first, second: of a universal joint; "
    "precession, nutation, spin: of an Euler joint; at_parent, length, at_child: of an extensional joint; "
    "the others: of a joint of six."
)


def is_angle(axis: JointAxis) -> bool:
    """Whether an axis turns; else it slides."""
    return axis not in ("slide", "x", "y", "z", "length")


def _drive_inertia() -> Any:
    return number(
        0.0,
        "kg*m2",
        "Drive inertia",
        "Inertia of a motor and its gears as the axis feels it: the rotor's by the square of the ratio.",
        ge=0,
    )


class JointBase(Element):
    """Hold what all joints share: two segments and a frame in each."""

    parent: Id = ref(REQUIRED, "segments", "Parent", "Segment nearer to the root, or ground.")
    child: Id = ref(REQUIRED, "segments", "Child", "Segment carried by this joint.")
    parent_frame: Frame = choice(Frame(), "Frame in parent", "Joint point and axes in the parent.")
    child_frame: Frame = choice(Frame(), "Frame in child", "Joint point and axes in the child.")
    breakage: Breakage | None = choice(None, "Breakage", "Loads at which the joint breaks.")


class FreeJoint(JointBase):
    """Let the child move freely; it only says from where its start pose is counted."""

    kind: Literal["free"] = choice("free", "Kind", "Six freedoms.")


class LockedJoint(JointBase):
    """Hold the child rigidly in the parent."""

    kind: Literal["locked"] = choice("locked", "Kind", "No freedom.")


class BallJoint(JointBase):
    """Turn about a point; flexure bends the two z axes apart, torsion twists about them."""

    kind: Literal["ball"] = choice("ball", "Kind", "Three rotations.")
    flexure: Spring = choice(Spring(), "Flexure", "Resistance to bending.")
    torsion: Spring = choice(Spring(), "Torsion", "Resistance to twisting.")
    friction: Friction = choice(Friction(), "Friction", "Resistance to the rate, any direction.")
    lock: Lock = choice(Lock(), "Lock", "Holding of all three rotations.")
    globographic: GlobographicStop | None = choice(
        None, "Globographic stop", "Stop contour measured on a sphere."
    )
    by_azimuth: FlexureTable | None = _by_azimuth()
    torque_law: TorqueLaw = _torque_law()
    drive_inertia_kgm2: Number = _drive_inertia()


class PinJoint(JointBase):
    """Turn about the common y axis of the two frames."""

    kind: Literal["pin"] = choice("pin", "Kind", "One rotation about y.")
    spring: Spring = choice(Spring(), "Spring", "Resistance to the angle.")
    friction: Friction = choice(Friction(), "Friction", "Resistance to the rate.")
    lock: Lock = choice(Lock(), "Lock", "Holding of the rotation.")
    drive_inertia_kgm2: Number = _drive_inertia()


class Axis(Part):
    """Describe one of a joint's axes: its spring, friction, lock and the angle from which it counts."""

    centre_rad: Number = number(0.0, "rad", "Centre", "Angle at which the spring is at rest.")
    spring: Spring = choice(Spring(), "Spring", "Resistance to the angle.")
    friction: Friction = choice(Friction(), "Friction", "Resistance to the rate.")
    lock: Lock = choice(Lock(), "Lock", "Holding of this axis.")
    drive_inertia_kgm2: Number = _drive_inertia()


class UniversalJoint(JointBase):
    """Turn about the x axis of the parent's frame, then about the y axis of the child's frame."""

    kind: Literal["universal"] = choice("universal", "Kind", "Two rotations, x then y.")
    first: Axis = choice(Axis(), "First axis", "Rotation about the parent frame's x.")
    second: Axis = choice(Axis(), "Second axis", "Rotation about the child frame's y.")


class EulerJoint(JointBase):
    """Turn by three massless pins z, x, z, each free or held: eight states (section 6.3, Table 6.1)."""

    kind: Literal["euler"] = choice("euler", "Kind", "Precession, nutation and spin.")
    precession: Axis = choice(Axis(), "Precession", "Rotation about the parent frame's z.")
    nutation: Axis = choice(Axis(), "Nutation", "Rotation about the line of nodes.")
    spin: Axis = choice(Axis(), "Spin", "Rotation about the child frame's z.")
    globographic: GlobographicStop | None = choice(
        None, "Globographic stop", "Stop contour measured on a sphere."
    )
    torque_law: TorqueLaw = _torque_law()


class Slide(Part):
    """Describe an axis along which a joint slides."""

    force: Id | None = function(
        None,
        "m",
        "N",
        "Spring force",
        "Restoring force by distance slid, none for no spring.",
    )
    viscous_ns_per_m: Number = number(
        0.0, "N*s/m", "Viscous", "Force for each metre per second.", ge=0
    )
    coulomb_n: Number = number(0.0, "N", "Coulomb", "Constant friction force.", ge=0)
    full_rate_m_per_s: Number = number(
        0.05, "m/s", "Full friction rate", "Speed at which Coulomb force is full.", gt=0
    )
    coefficient: Number = number(
        0.0,
        "1",
        "Coefficient",
        "Of friction by the force that presses across the slide: mu N, with the same ramp.",
        ge=0,
        le=10,
    )
    drive_mass_kg: Number = number(
        0.0,
        "kg",
        "Drive mass",
        "Mass that a drive adds to what slides, as the slide feels it: a rotor's inertia by the square of its turn for each metre.",
        ge=0,
    )
    locked: Flag = choice(False, "Locked at start", "Whether sliding is held at the start.")
    release_below_n: Number | None = number(
        None,
        "N",
        "Release below",
        "Axial force, tension positive, under which held sliding opens.",
    )
    release_above_n: Number | None = number(
        None,
        "N",
        "Release above",
        "Axial force, tension positive, over which held sliding opens.",
    )
    lock_force_n: Number | None = number(
        None,
        "N",
        "Lock force",
        "Force of spring and friction below which open sliding is held again.",
        gt=0,
    )
    lock_rate_m_per_s: Number | None = number(
        None, "m/s", "Lock rate", "Speed below which open sliding is held again.", gt=0
    )
    keeps_force: Flag = choice(
        False,
        "Keeps the force",
        "Once it is released, the release force stays against the motion until that turns round; then sliding is "
        "held again.",
    )


class SlipJoint(JointBase):
    """Slide along the z axis of the parent's frame, and turn as chosen."""

    kind: Literal["slip"] = choice("slip", "Kind", "Sliding along z.")
    rotation: Literal["none", "pin_y", "pin_z", "ball"] = choice(
        "none",
        "Rotation",
        "How the child may turn: not, about y, about the sliding axis z, or freely.",
    )
    slide: Slide = choice(Slide(), "Sliding", "What acts along the sliding axis.")
    flexure: Spring = choice(Spring(), "Flexure", "Resistance to bending or to the angle about y.")
    torsion: Spring = choice(Spring(), "Torsion", "Resistance to twisting about z.")
    friction: Friction = choice(Friction(), "Friction", "Resistance to the rate of turning.")
    lock: Lock = choice(Lock(), "Lock", "Holding of the rotation.")
    drive_inertia_kgm2: Number = _drive_inertia()
    by_azimuth: FlexureTable | None = _by_azimuth()
    torque_law: TorqueLaw = _torque_law()


class SixJoint(JointBase):
    """Slide along x, y and z of the parent's frame, then turn about z, y and x: each with laws of its own."""

    kind: Literal["six"] = choice("six", "Kind", "Three slides and three turns, each by itself.")
    x: Slide = choice(Slide(), "Along x", "What acts along the parent frame's x.")
    y: Slide = choice(Slide(), "Along y", "What acts along the parent frame's y.")
    z: Slide = choice(Slide(), "Along z", "What acts along the parent frame's z.")
    yaw: Axis = choice(Axis(), "Yaw", "Turn about the parent frame's z.")
    pitch: Axis = choice(Axis(), "Pitch", "Turn about y, after yaw.")
    roll: Axis = choice(Axis(), "Roll", "Turn about the child frame's x.")


class ExtensionalJoint(JointBase):
    """Join two pins by a strut without mass that changes its length (seed 003, section 3.4).

    The strut turns about y of the parent's frame, goes along its own z, and the child turns about y at its end.
    """

    kind: Literal["extensional"] = choice(
        "extensional", "Kind", "A strut between two pins: turn, length, turn."
    )
    rotation: Literal["both", "parent", "child", "none"] = choice(
        "both", "Rotation at", "At which of its ends the strut turns; elsewhere it is clamped."
    )
    rigid: Flag = choice(False, "Rigid", "Whether the length stays as it starts.")
    rest_length_m: Number | None = number(
        None, "m", "Rest length", "Length at which its force is none; none for that at the start.", ge=0
    )  # fmt: skip
    length: Slide = choice(Slide(), "Length", "What acts along the strut, by its extension.")
    at_parent: Axis = choice(Axis(), "At the parent", "Turn of the strut in the parent.")
    at_child: Axis = choice(Axis(), "At the child", "Turn of the child against the strut.")


Joint = Annotated[
    FreeJoint
    | LockedJoint
    | BallJoint
    | PinJoint
    | UniversalJoint
    | EulerJoint
    | SlipJoint
    | SixJoint
    | ExtensionalJoint,
    Field(discriminator="kind"),
]
