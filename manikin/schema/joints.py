"""Joints between segments, and what acts in them (section 6).

Made from the schema by `make docs`; do not edit it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Required, TypeAlias, TypedDict

from manikin.schema.fields import Element

if TYPE_CHECKING:
    import solver.project.azimuths as _azimuths
    import solver.project.geometry as _geometry
    import solver.project.joints as _joints
    from manikin.schema.azimuths import FlexureTable, GlobographicStop
    from manikin.schema.contact import UnloadingLaw
    from manikin.schema.geometry import Frame


class Lock(TypedDict, total=False):
    """Hold an axis until a torque opens it, and hold it again when torque or rate fall (section 6)."""

    locked: bool
    """Locked at start (false): Whether the axis is held at the start."""
    unlock_torque_nm: float | None
    """Unlock torque (N*m, > 0, none): Torque above which a held axis opens; none for never."""
    lock_torque_nm: float | None
    """Lock torque (N*m, > 0, none): Torque below which an open axis is held again."""
    lock_rate_rad_per_s: float | None
    """Lock rate (rad/s, > 0, none): Rate below which an open axis is held again."""
    keeps_torque: bool
    """Keeps the torque (false): Once it has opened, the unlock torque stays against the motion until that turns round; then the axis is held again (seed 003, p. 23)."""


class Breakage(TypedDict, total=False):
    """Open a joint into a free one when its load passes a limit.

    Limits may be those of the whole load or of its components along the axes of the parent's frame. Over
    a ramp the load fades as the parts come away; before its end the joint may close again.
    """

    force_n: float | None
    """Force (N, > 0, none): Force at which the joint breaks."""
    torque_nm: float | None
    """Torque (N*m, > 0, none): Torque at which the joint breaks."""
    force_x_n: float | None
    """Force along x (N, > 0, none): Either way."""
    force_y_n: float | None
    """Force along y (N, > 0, none): Either way."""
    force_z_n: float | None
    """Force along z (N, > 0, none): Either way."""
    torque_x_nm: float | None
    """Torque about x (N*m, > 0, none): Either way."""
    torque_y_nm: float | None
    """Torque about y (N*m, > 0, none): Either way."""
    torque_z_nm: float | None
    """Torque about z (N*m, > 0, none): Either way."""
    ramp_m: float | None
    """Ramp of the force (m, > 0, none): Separation over which the force at the break fades; none: it is gone at once."""
    ramp_rad: float | None
    """Ramp of the torque (rad, > 0, none): Turn over which the torque at the break fades; none: it is gone at once."""
    heals_below_m: float | None
    """Heals below (m, > 0, none): Separation within which parts that come back close again, with limits as low as the load has become; none: never."""
    heals_below_rad: float | None
    """Heals below a turn (rad, > 0, none): Turn from the attitude at the break within which they close again; none: at any."""
    hangs_nm: float | None
    """Torque left (N*m, ≥ 0, none): Of a ball joint: once it has broken its parts stay together at its point, without its springs, and this constant torque alone resists any turn; none: they come apart."""


class Spring(TypedDict, total=False):
    """Resist an angle by a polynomial that stiffens beyond a stop (section 6.1, EFUNCT)."""

    linear_nm_per_rad: float
    """Linear (N*m/rad, 0.0): Torque for each radian, at any angle (s1); below zero it drives away from the centre."""
    stop_rad: float
    """Stop angle (rad, ≥ 0, 0.0): Angle at which the stop begins, to both sides (s5)."""
    quadratic_nm_per_rad2: float
    """Quadratic (N*m/rad2, 0.0): Torque for the square of the angle beyond the stop (s2)."""
    cubic_nm_per_rad3: float
    """Cubic (N*m/rad3, 0.0): Torque for the cube of the angle beyond the stop (s3)."""
    returned_ratio: float
    """Returned part (1, ≥ 0, ≤ 1, 1.0): Part of the torque of the stop, or of the function, that remains while it pushes back (s4); 1 loses nothing."""
    torque: str | None
    """Torque function (id in functions, none): Torque by angle instead of the polynomial; without negative arguments it holds for both sides."""
    restitution: float | None
    """Restitution (1, ≥ 0, ≤ 1, none): Ratio of rates at an impulse when the stop is entered; none for no impulse (section 7.6)."""


class Friction(TypedDict, total=False):
    """Resist a rate by viscous and Coulomb torque, the latter ramped around zero (equation 6.3)."""

    viscous_nms_per_rad: float
    """Viscous (N*m*s/rad, ≥ 0, 0.0): Torque for each radian per second (V1)."""
    relaxation_s: float | None
    """Relaxation (s, > 0, none): Time in which viscous torque comes up and dies away, by a spring in a row with its damper; none: at once."""
    coulomb_nm: float
    """Coulomb (N*m, ≥ 0, 0.0): Constant torque (V2)."""
    full_rate_rad_per_s: float
    """Full friction rate (rad/s, > 0, 0.5236): Rate at which Coulomb torque is full (V3)."""
    coefficient: float
    """Coefficient (1, ≥ 0, ≤ 10, 0.0): Of friction by the joint's own force: mu r |R|, with the same ramp as Coulomb's."""
    radius_m: float
    """Radius (m, ≥ 0, 0.0): Radius r at which that friction acts, as a pin's."""


class JointBase(Element, total=False):
    """Hold what all joints share: two segments and a frame in each."""

    parent: Required[str]
    """Parent (id in segments, required): Segment nearer to the root, or ground."""
    child: Required[str]
    """Child (id in segments, required): Segment carried by this joint."""
    parent_frame: Frame | _geometry.Frame
    """Frame in parent (its own defaults): Joint point and axes in the parent."""
    child_frame: Frame | _geometry.Frame
    """Frame in child (its own defaults): Joint point and axes in the child."""
    breakage: Breakage | _joints.Breakage | None
    """Breakage (none): Loads at which the joint breaks."""


class FreeJoint(JointBase, total=False):
    """Let the child move freely; it only says from where its start pose is counted."""

    kind: Required[Literal["free"]]
    """Kind ("free"): Six freedoms."""


class LockedJoint(JointBase, total=False):
    """Hold the child rigidly in the parent."""

    kind: Required[Literal["locked"]]
    """Kind ("locked"): No freedom."""


class BallJoint(JointBase, total=False):
    """Turn about a point; flexure bends the two z axes apart, torsion twists about them."""

    kind: Required[Literal["ball"]]
    """Kind ("ball"): Three rotations."""
    flexure: Spring | _joints.Spring
    """Flexure (its own defaults): Resistance to bending."""
    torsion: Spring | _joints.Spring
    """Torsion (its own defaults): Resistance to twisting."""
    friction: Friction | _joints.Friction
    """Friction (its own defaults): Resistance to the rate, any direction."""
    lock: Lock | _joints.Lock
    """Lock (its own defaults): Holding of all three rotations."""
    globographic: GlobographicStop | _azimuths.GlobographicStop | None
    """Globographic stop (none): Stop contour measured on a sphere."""
    by_azimuth: FlexureTable | _azimuths.FlexureTable | None
    """Flexure by azimuth (none): Torque by flexure and azimuth, beside the flexure's spring."""
    torque_law: UnloadingLaw
    """Torque law ("conserving"): Torsion, stop contour and flexure by azimuth act along the gradient of the energy they hold, and give back no more than they took; or as they are printed (section 6.1), which makes energy in a bent joint."""
    drive_inertia_kgm2: float
    """Drive inertia (kg*m2, ≥ 0, 0.0): Inertia of a motor and its gears as the axis feels it: the rotor's by the square of the ratio."""


class PinJoint(JointBase, total=False):
    """Turn about the common y axis of the two frames."""

    kind: Required[Literal["pin"]]
    """Kind ("pin"): One rotation about y."""
    spring: Spring | _joints.Spring
    """Spring (its own defaults): Resistance to the angle."""
    friction: Friction | _joints.Friction
    """Friction (its own defaults): Resistance to the rate."""
    lock: Lock | _joints.Lock
    """Lock (its own defaults): Holding of the rotation."""
    drive_inertia_kgm2: float
    """Drive inertia (kg*m2, ≥ 0, 0.0): Inertia of a motor and its gears as the axis feels it: the rotor's by the square of the ratio."""


class Axis(TypedDict, total=False):
    """Describe one of a joint's axes: its spring, friction, lock and the angle from which it counts."""

    centre_rad: float
    """Centre (rad, 0.0): Angle at which the spring is at rest."""
    spring: Spring | _joints.Spring
    """Spring (its own defaults): Resistance to the angle."""
    friction: Friction | _joints.Friction
    """Friction (its own defaults): Resistance to the rate."""
    lock: Lock | _joints.Lock
    """Lock (its own defaults): Holding of this axis."""
    drive_inertia_kgm2: float
    """Drive inertia (kg*m2, ≥ 0, 0.0): Inertia of a motor and its gears as the axis feels it: the rotor's by the square of the ratio."""


class UniversalJoint(JointBase, total=False):
    """Turn about the x axis of the parent's frame, then about the y axis of the child's frame."""

    kind: Required[Literal["universal"]]
    """Kind ("universal"): Two rotations, x then y."""
    first: Axis | _joints.Axis
    """First axis (its own defaults): Rotation about the parent frame's x."""
    second: Axis | _joints.Axis
    """Second axis (its own defaults): Rotation about the child frame's y."""


class EulerJoint(JointBase, total=False):
    """Turn by three massless pins z, x, z, each free or held: eight states (section 6.3, Table 6.1)."""

    kind: Required[Literal["euler"]]
    """Kind ("euler"): Precession, nutation and spin."""
    precession: Axis | _joints.Axis
    """Precession (its own defaults): Rotation about the parent frame's z."""
    nutation: Axis | _joints.Axis
    """Nutation (its own defaults): Rotation about the line of nodes."""
    spin: Axis | _joints.Axis
    """Spin (its own defaults): Rotation about the child frame's z."""
    globographic: GlobographicStop | _azimuths.GlobographicStop | None
    """Globographic stop (none): Stop contour measured on a sphere."""
    torque_law: UnloadingLaw
    """Torque law ("conserving"): Torsion, stop contour and flexure by azimuth act along the gradient of the energy they hold, and give back no more than they took; or as they are printed (section 6.1), which makes energy in a bent joint."""


class Slide(TypedDict, total=False):
    """Describe an axis along which a joint slides."""

    force: str | None
    """Spring force (id in functions, none): Restoring force by distance slid, none for no spring."""
    viscous_ns_per_m: float
    """Viscous (N*s/m, ≥ 0, 0.0): Force for each metre per second."""
    coulomb_n: float
    """Coulomb (N, ≥ 0, 0.0): Constant friction force."""
    full_rate_m_per_s: float
    """Full friction rate (m/s, > 0, 0.05): Speed at which Coulomb force is full."""
    coefficient: float
    """Coefficient (1, ≥ 0, ≤ 10, 0.0): Of friction by the force that presses across the slide: mu N, with the same ramp."""
    drive_mass_kg: float
    """Drive mass (kg, ≥ 0, 0.0): Mass that a drive adds to what slides, as the slide feels it: a rotor's inertia by the square of its turn for each metre."""
    locked: bool
    """Locked at start (false): Whether sliding is held at the start."""
    release_below_n: float | None
    """Release below (N, none): Axial force, tension positive, under which held sliding opens."""
    release_above_n: float | None
    """Release above (N, none): Axial force, tension positive, over which held sliding opens."""
    lock_force_n: float | None
    """Lock force (N, > 0, none): Force of spring and friction below which open sliding is held again."""
    lock_rate_m_per_s: float | None
    """Lock rate (m/s, > 0, none): Speed below which open sliding is held again."""
    keeps_force: bool
    """Keeps the force (false): Once it is released, the release force stays against the motion until that turns round; then sliding is held again."""


class SlipJoint(JointBase, total=False):
    """Slide along the z axis of the parent's frame, and turn as chosen."""

    kind: Required[Literal["slip"]]
    """Kind ("slip"): Sliding along z."""
    rotation: Literal["none", "pin_y", "pin_z", "ball"]
    """Rotation ("none"): How the child may turn: not, about y, about the sliding axis z, or freely."""
    slide: Slide | _joints.Slide
    """Sliding (its own defaults): What acts along the sliding axis."""
    flexure: Spring | _joints.Spring
    """Flexure (its own defaults): Resistance to bending or to the angle about y."""
    torsion: Spring | _joints.Spring
    """Torsion (its own defaults): Resistance to twisting about z."""
    friction: Friction | _joints.Friction
    """Friction (its own defaults): Resistance to the rate of turning."""
    lock: Lock | _joints.Lock
    """Lock (its own defaults): Holding of the rotation."""
    drive_inertia_kgm2: float
    """Drive inertia (kg*m2, ≥ 0, 0.0): Inertia of a motor and its gears as the axis feels it: the rotor's by the square of the ratio."""
    by_azimuth: FlexureTable | _azimuths.FlexureTable | None
    """Flexure by azimuth (none): Torque by flexure and azimuth, beside the flexure's spring."""
    torque_law: UnloadingLaw
    """Torque law ("conserving"): Torsion, stop contour and flexure by azimuth act along the gradient of the energy they hold, and give back no more than they took; or as they are printed (section 6.1), which makes energy in a bent joint."""


class SixJoint(JointBase, total=False):
    """Slide along x, y and z of the parent's frame, then turn about z, y and x: each with laws of its own."""

    kind: Required[Literal["six"]]
    """Kind ("six"): Three slides and three turns, each by itself."""
    x: Slide | _joints.Slide
    """Along x (its own defaults): What acts along the parent frame's x."""
    y: Slide | _joints.Slide
    """Along y (its own defaults): What acts along the parent frame's y."""
    z: Slide | _joints.Slide
    """Along z (its own defaults): What acts along the parent frame's z."""
    yaw: Axis | _joints.Axis
    """Yaw (its own defaults): Turn about the parent frame's z."""
    pitch: Axis | _joints.Axis
    """Pitch (its own defaults): Turn about y, after yaw."""
    roll: Axis | _joints.Axis
    """Roll (its own defaults): Turn about the child frame's x."""


class ExtensionalJoint(JointBase, total=False):
    """Join two pins by a strut without mass that changes its length (seed 003, section 3.4).

    The strut turns about y of the parent's frame, goes along its own z, and the child turns about y at its end.
    """

    kind: Required[Literal["extensional"]]
    """Kind ("extensional"): A strut between two pins: turn, length, turn."""
    rotation: Literal["both", "parent", "child", "none"]
    """Rotation at ("both"): At which of its ends the strut turns; elsewhere it is clamped."""
    rigid: bool
    """Rigid (false): Whether the length stays as it starts."""
    rest_length_m: float | None
    """Rest length (m, ≥ 0, none): Length at which its force is none; none for that at the start."""
    length: Slide | _joints.Slide
    """Length (its own defaults): What acts along the strut, by its extension."""
    at_parent: Axis | _joints.Axis
    """At the parent (its own defaults): Turn of the strut in the parent."""
    at_child: Axis | _joints.Axis
    """At the child (its own defaults): Turn of the child against the strut."""


Joint: TypeAlias = "FreeJoint | _joints.FreeJoint | LockedJoint | _joints.LockedJoint | BallJoint | _joints.BallJoint | PinJoint | _joints.PinJoint | UniversalJoint | _joints.UniversalJoint | EulerJoint | _joints.EulerJoint | SlipJoint | _joints.SlipJoint | SixJoint | _joints.SixJoint | ExtensionalJoint | _joints.ExtensionalJoint"


JointAxis: TypeAlias = Literal[
    "slide",
    "angle",
    "first",
    "second",
    "precession",
    "nutation",
    "spin",
    "x",
    "y",
    "z",
    "yaw",
    "pitch",
    "roll",
    "at_parent",
    "length",
    "at_child",
]
