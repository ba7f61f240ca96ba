"""What a run writes beside the motion itself.

Made from the schema by `make docs`; do not edit it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Required, TypeAlias

from manikin.schema.fields import Element

if TYPE_CHECKING:
    from collections.abc import Sequence

    import solver.project.outputs as _outputs
    from manikin.schema.numbers import Vec3


class InjuryOutput(Element, total=False):
    """Compute an injury figure from outputs (card H.12); docs/injury.md says how."""

    cfc: Literal[0, 60, 180, 600, 1000] | None
    """Filter class (none): Class to which all channels are filtered; none: by criterion and body part; 0: unfiltered."""
    kind: Required[Literal["injury"]]
    """Kind ("injury"): An injury figure."""
    criterion: Required[CriterionName]
    """Criterion (required): Figure to compute."""
    output: Required[str]
    """Output (id in outputs, required): What it is made of, such as the acceleration of a point or the force in a joint."""
    second: str | None
    """Second output (id in outputs, none): The torque for Nij, Nkm, LNL, bending of the neck, tibia index; angular acceleration for GAMBIT, HIP, UBrIC; head for NIC; lower spine for TTI; deflection for CTI; the contact for contact HIC; the other strap for strap_tension_total."""
    channel: Literal["x", "y", "z", "resultant", "penetration", "length", "slide"] | None
    """Channel (none): Which channel is the deflection; none: penetration, length, slide, or x of a point."""
    lever_m: float
    """Lever (m, 0.0): Height of the place of the load above the occipital condyles (0.01778 in a Hybrid III 50th); of a pubic load the way from the cut to the symphysis."""
    compared_with: Body | None
    """Compared with (none): Dummy whose limits and risks are used; none: the one whose mass the body has, if there is one."""
    neck: Neck
    """Neck ("hybrid_iii_50"): Body whose intercepts are used for Nij."""
    depth_m: float
    """Chest depth (m, > 0, 0.229): Of the viscous criterion."""
    scale: float
    """Scale (1, > 0, 1.3): Of the viscous criterion."""
    age_years: float | None
    """Age (≥ 16, ≤ 100, none): Years of who is meant, for the risk of the chest by age; none: the 35 years that US NCAP takes."""


class OutputBase(Element, total=False):
    """Hold what all outputs share."""

    cfc: FilterClass | None
    """Filter class (none): Channel frequency class of SAE J211 (60, 180, 600, 1000); none: unfiltered."""


class PointOutput(OutputBase, total=False):
    """Follow a point of a segment (cards H.1 to H.3)."""

    kind: Required[Literal["point"]]
    """Kind ("point"): Motion of a point."""
    segment: Required[str]
    """Segment (id in segments, required): Segment that carries the point."""
    point_m: Vec3
    """Point (m, [0.0, 0.0, 0.0]): From the mass centre, segment axes."""
    quantity: Literal["position", "velocity", "acceleration"]
    """Quantity ("acceleration"): What is written, as x, y, z and resultant."""
    relative_to: str
    """Relative to (id in segments, "ground"): Segment as seen from which it moves."""
    axes: Literal["segment", "relative"]
    """Axes ("segment"): Whether components are along the segment's axes or those of 'relative to'."""
    with_gravity: bool
    """Feels gravity (false): Whether an acceleration is what a sensor shows: less gravity."""
    frame: str | None
    """Own frame (id in frames, none): Frame in which it is told, seen from the segment that carries it; none: as said above."""


class RotationOutput(OutputBase, total=False):
    """Follow the turning of a segment (cards H.4 to H.6)."""

    kind: Required[Literal["rotation"]]
    """Kind ("rotation"): Turning of a segment."""
    segment: Required[str]
    """Segment (id in segments, required): Segment that is followed."""
    quantity: Literal["angle", "velocity", "acceleration"]
    """Quantity ("angle"): What is written."""
    angles: Literal["yaw_pitch_roll", "euler", "about_axis"]
    """Angles ("yaw_pitch_roll"): Form of angles: yaw, pitch, roll, or precession, nutation, spin, or one about an axis; all are followed on past half a turn."""
    axis: Vec3
    """Axis (1, [0.0, 1.0, 0.0]): Axis about which one angle is counted, along the axes of 'relative to'; any length."""
    relative_to: str
    """Relative to (id in segments, "ground"): Segment as seen from which it turns."""
    frame: str | None
    """Own frame (id in frames, none): Frame in which it is told, seen from the segment that carries it; none: as seen from 'relative to'."""


class JointOutput(OutputBase, total=False):
    """Follow a joint (cards H.7 and H.9)."""

    kind: Required[Literal["joint"]]
    """Kind ("joint"): Angles and loads of a joint."""
    joint: Required[str]
    """Joint (id in joints, required): Joint that is followed."""
    quantity: Literal["angle", "torque", "force"]
    """Quantity ("angle"): Angles, torques (in all, and of each spring, stop and friction by itself) or reaction force."""
    in_axes_of: Literal["ground", "parent", "child"]
    """Axes ("parent"): Axes in which vectors are written."""
    frame: str | None
    """Own frame (id in frames, none): Frame along whose axes vectors are written; none: as said above."""


class ElementOutput(OutputBase, total=False):
    """Follow a contact, belt, harness, airbag, spring or constraint: all its loads and states."""

    kind: Required[Literal["element"]]
    """Kind ("element"): Loads of an element."""
    of: Required[Loaded]
    """List (required): List that holds the element."""
    element: Required[str]
    """Element (required): Id of the element in that list."""
    frame: str | None
    """Own frame (id in frames, none): Frame in which its forces, torques and places are told; none: ground axes."""


class BodyOutput(OutputBase, total=False):
    """Follow a set of segments: mass centre, momenta, energy (card H.10)."""

    kind: Required[Literal["body"]]
    """Kind ("body"): Figures of several segments together."""
    segments: Required[Sequence[str]]
    """Segments (id in segments, at least 1 entry, required): Segments of the set."""
    relative_to: str
    """Relative to (id in segments, "ground"): Segment as seen from which it moves."""


CriterionName: TypeAlias = Literal[
    "HIC",
    "HIC15",
    "HIC36",
    "contact_HIC",
    "contact_HIC15",
    "contact_HIC36",
    "HSI",
    "CSI",
    "3ms",
    "3ms_in_one",
    "BrIC",
    "DAMAGE",
    "GAMBIT",
    "HIP",
    "UBrIC",
    "Nij",
    "Nkm",
    "NIC",
    "T1_acceleration",
    "head_contact_time",
    "LNL",
    "neck_tension",
    "neck_compression",
    "neck_shear",
    "neck_flexion",
    "neck_extension",
    "neck_tension_by_duration",
    "neck_shear_by_duration",
    "lumbar_compression",
    "chest_deflection",
    "rib_deflection",
    "abdomen_deflection",
    "VC",
    "CTI",
    "TTI",
    "DRI",
    "DRI_x",
    "DRI_y",
    "Brinkley_low",
    "Brinkley_moderate",
    "Brinkley_high",
    "T12_3ms",
    "spine_acceleration",
    "shoulder_force",
    "abdomen_force",
    "pubic_force",
    "pubic_load",
    "pelvic_force",
    "femur_compression",
    "femur_by_duration",
    "knee_slide",
    "tibia_index",
    "tibia_compression",
    "tibia_bending",
    "MCL_elongation",
    "ACL_elongation",
    "strap_tension",
    "strap_tension_total",
]


Body: TypeAlias = Literal[
    "hybrid_iii_50",
    "hybrid_iii_5",
    "hybrid_iii_95",
    "hybrid_iii_6y",
    "hybrid_iii_3y",
    "es_2re",
    "sid_iis",
    "crabi_12m",
    "thor_50",
    "es_2",
    "sid",
    "world_sid_50",
    "q0",
    "q1",
    "q1_5",
    "q3",
    "q6",
    "q10",
    "headform",
    "flex_pli",
]


Neck: TypeAlias = Literal[
    "hybrid_iii_50",
    "hybrid_iii_5",
    "hybrid_iii_95",
    "hybrid_iii_6y",
    "hybrid_iii_3y",
    "crabi_12m",
    "thor_50",
]


FilterClass: TypeAlias = Literal[60, 180, 600, 1000]


Loaded: TypeAlias = Literal[
    "contacts",
    "belts",
    "harnesses",
    "airbags",
    "springs",
    "tyres",
    "tension_elements",
    "constraints",
    "loads",
    "winds",
    "drivers",
    "frame_drivers",
    "coordinate_forces",
    "flexible_elements",
    "symmetry",
    "beams",
]


Output: TypeAlias = "PointOutput | _outputs.PointOutput | RotationOutput | _outputs.RotationOutput | JointOutput | _outputs.JointOutput | ElementOutput | _outputs.ElementOutput | BodyOutput | _outputs.BodyOutput | InjuryOutput | _outputs.InjuryOutput"
