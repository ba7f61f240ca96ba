"""What a run writes beside the motion itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, get_args

from pydantic import Field

from solver.project.criteria import CRITERIA, judged_bodies, judged_necks
from solver.project.fields import (
    REQUIRED,
    ZERO3,
    Element,
    Flag,
    Id,
    Number,
    Vec3,
    choice,
    number,
    ref,
)
from solver.project.segments import GROUND

# Injury figures that a project asks for, and what each of them is made of.

if TYPE_CHECKING:
    CriterionName = str
else:
    CriterionName = Literal[tuple(CRITERIA)]

if TYPE_CHECKING:
    Neck = str
    Body = str
else:
    Neck = Literal[judged_necks()]
    Body = Literal[tuple(judged_bodies())]
"""Dummies with intercepts of Nij, and all bodies with limits: those of the library have them in their own files."""


class InjuryOutput(Element):
    """Compute an injury figure from outputs (card H.12); docs/injury.md says how."""

    cfc: Literal[0, 60, 180, 600, 1000] | None = choice(
        None,
        "Filter class",
        "Class to which all channels are filtered; none: by criterion and body part; 0: unfiltered.",
    )
    kind: Literal["injury"] = choice("injury", "Kind", "An injury figure.")
    criterion: CriterionName = choice(REQUIRED, "Criterion", "Figure to compute.")
    output: Id = ref(
        REQUIRED,
        "outputs",
        "Output",
        "What it is made of, such as the acceleration of a point or the force in a joint.",
    )
    second: Id | None = ref(
        None,
        "outputs",
        "Second output",
        "The torque for Nij, Nkm, LNL, bending of the neck, tibia index; angular acceleration for GAMBIT, "
        "HIP, UBrIC; head for NIC; lower spine for TTI; deflection for CTI; the contact for contact HIC; "
        "the other strap for strap_tension_total.",
    )
    channel: Literal["x", "y", "z", "resultant", "penetration", "length", "slide"] | None = choice(
        None,
        "Channel",
        "Which channel is the deflection; none: penetration, length, slide, or x of a point.",
    )
    lever_m: Number = number(
        0.0,
        "m",
        "Lever",
        "Height of the place of the load above the occipital condyles (0.01778 in a Hybrid III 50th); of a pubic "
        "load the way from the cut to the symphysis.",
    )
    compared_with: Body | None = choice(
        None,
        "Compared with",
        "Dummy whose limits and risks are used; none: the one whose mass the body has, if there is one.",
    )
    neck: Neck = choice("hybrid_iii_50", "Neck", "Body whose intercepts are used for Nij.")
    depth_m: Number = number(0.229, "m", "Chest depth", "Of the viscous criterion.", gt=0)
    scale: Number = number(1.3, "1", "Scale", "Of the viscous criterion.", gt=0)
    age_years: Number | None = number(
        None,
        "",
        "Age",
        "Years of who is meant, for the risk of the chest by age; none: the 35 years that US NCAP takes.",
        ge=16,
        le=100,
    )


FilterClass = Literal[60, 180, 600, 1000]


Loaded = Literal[
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
"""Lists whose elements have loads and states to write."""

LOADED: tuple[Loaded, ...] = get_args(Loaded)


class OutputBase(Element):
    """Hold what all outputs share."""

    cfc: FilterClass | None = choice(
        None,
        "Filter class",
        "Channel frequency class of SAE J211 (60, 180, 600, 1000); none: unfiltered.",
    )


class PointOutput(OutputBase):
    """Follow a point of a segment (cards H.1 to H.3)."""

    kind: Literal["point"] = choice("point", "Kind", "Motion of a point.")
    segment: Id = ref(REQUIRED, "segments", "Segment", "Segment that carries the point.")
    point_m: Vec3 = number(ZERO3, "m", "Point", "From the mass centre, segment axes.")
    quantity: Literal["position", "velocity", "acceleration"] = choice(
        "acceleration", "Quantity", "What is written, as x, y, z and resultant."
    )
    relative_to: Id = ref(GROUND, "segments", "Relative to", "Segment as seen from which it moves.")
    axes: Literal["segment", "relative"] = choice(
        "segment",
        "Axes",
        "Whether components are along the segment's axes or those of 'relative to'.",
    )
    with_gravity: Flag = choice(
        False,
        "Feels gravity",
        "Whether an acceleration is what a sensor shows: less gravity.",
    )
    frame: Id | None = ref(
        None,
        "frames",
        "Own frame",
        "Frame in which it is told, seen from the segment that carries it; none: as said above.",
    )


class RotationOutput(OutputBase):
    """Follow the turning of a segment (cards H.4 to H.6)."""

    kind: Literal["rotation"] = choice("rotation", "Kind", "Turning of a segment.")
    segment: Id = ref(REQUIRED, "segments", "Segment", "Segment that is followed.")
    quantity: Literal["angle", "velocity", "acceleration"] = choice(
        "angle", "Quantity", "What is written."
    )
    angles: Literal["yaw_pitch_roll", "euler", "about_axis"] = choice(
        "yaw_pitch_roll",
        "Angles",
        "Form of angles: yaw, pitch, roll, or precession, nutation, spin, or one about an axis; all are "
        "followed on past half a turn.",
    )
    axis: Vec3 = number(
        (0.0, 1.0, 0.0),
        "1",
        "Axis",
        "Axis about which one angle is counted, along the axes of 'relative to'; any length.",
    )
    relative_to: Id = ref(GROUND, "segments", "Relative to", "Segment as seen from which it turns.")
    frame: Id | None = ref(
        None,
        "frames",
        "Own frame",
        "Frame in which it is told, seen from the segment that carries it; none: as seen from 'relative to'.",
    )


class JointOutput(OutputBase):
    """Follow a joint (cards H.7 and H.9)."""

    kind: Literal["joint"] = choice("joint", "Kind", "Angles and loads of a joint.")
    joint: Id = ref(REQUIRED, "joints", "Joint", "Joint that is followed.")
    quantity: Literal["angle", "torque", "force"] = choice(
        "angle",
        "Quantity",
        "Angles, torques (in all, and of each spring, stop and friction by itself) or reaction force.",
    )
    in_axes_of: Literal["ground", "parent", "child"] = choice(
        "parent", "Axes", "Axes in which vectors are written."
    )
    frame: Id | None = ref(
        None, "frames", "Own frame", "Frame along whose axes vectors are written; none: as said above."
    )  # fmt: skip


class WholeOutput(JointOutput):
    """Follow a joint's torque or force with what acts beside and across it, as muscles do: a sensor that bodies have and projects do not name."""


class ElementOutput(OutputBase):
    """Follow a contact, belt, harness, airbag, spring or constraint: all its loads and states."""

    kind: Literal["element"] = choice("element", "Kind", "Loads of an element.")
    of: Loaded = choice(REQUIRED, "List", "List that holds the element.")
    element: Id = choice(REQUIRED, "Element", "Id of the element in that list.")
    frame: Id | None = ref(
        None,
        "frames",
        "Own frame",
        "Frame in which its forces, torques and places are told; none: ground axes.",
    )


class BodyOutput(OutputBase):
    """Follow a set of segments: mass centre, momenta, energy (card H.10)."""

    kind: Literal["body"] = choice("body", "Kind", "Figures of several segments together.")
    segments: tuple[Id, ...] = ref(
        REQUIRED,
        "segments",
        "Segments",
        "Segments of the set.",
        min_length=1,
        max_length=1000,
    )
    relative_to: Id = ref(GROUND, "segments", "Relative to", "Segment as seen from which it moves.")


class TouchOutput(OutputBase):
    """Record how hard a segment is touched: a sensor that bodies have and projects do not name."""

    kind: Literal["touch"] = choice("touch", "Kind", "Loads of all contacts and airbags.")
    segment: Id = ref(REQUIRED, "segments", "Segment", "Segment that is touched.")


Output = Annotated[
    PointOutput | RotationOutput | JointOutput | ElementOutput | BodyOutput | InjuryOutput,
    Field(discriminator="kind"),
]
