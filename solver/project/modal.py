"""Modal bodies: segments that bend by shape functions."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from solver.project.fields import (
    REQUIRED,
    ZERO3,
    Count,
    Element,
    Flag,
    Id,
    NotNegative3,
    Number,
    Numbers,
    Part,
    Vec3,
    choice,
    number,
    ref,
)
from solver.project.geometry import Frame
from solver.project.sections import Section, is_sound

MOST_MODES = 40
"""Modes of one body; its equations take time by their second power."""


BESIDE = 0.1
"""How far from all given nodes a place may be that goes with them, as a part of the size of these (*assumed*)."""


class BeamShapes(Part):
    """Take the modes of a straight beam along x of its frame, found by finite elements.

    Axes as those of a beam that is a part: y along the width of its section, z along the height.
    """

    kind: Literal["beam"] = choice("beam", "Kind", "Modes of a straight beam.")
    frame: Frame = choice(
        Frame(), "Frame", "Where the beam begins in the segment; it goes along x of this frame."
    )
    length_m: Number = number(REQUIRED, "m", "Length", "L.", gt=0)
    section: Section = choice(
        REQUIRED, "Section", "Shape across, or its numbers; it does not shear."
    )
    elastic_pa: Number = number(REQUIRED, "Pa", "Elastic modulus", "E.", gt=0)
    shear_pa: Number = number(REQUIRED, "Pa", "Shear modulus", "G.", gt=0)
    density_kg_per_m3: Number = number(REQUIRED, "kg/m3", "Density", "Of the material.", gt=0)
    ends: Literal["clamped", "free", "pinned"] = choice(
        "clamped",
        "Ends",
        "How the segment goes with the beam: clamped at its beginning, with the mean motion of a beam whose ends are "
        "free, or so that both ends stay on the axis.",
    )
    bending_y: Count = choice(
        0, "Modes along y", "How many bending modes move along y.", ge=0, le=12
    )
    bending_z: Count = choice(
        0, "Modes along z", "How many bending modes move along z.", ge=0, le=12
    )
    twist: Count = choice(0, "Modes of twist", "How many.", ge=0, le=12)
    stretch: Count = choice(
        0, "Modes of stretch", "How many; they are fast, and make steps short.", ge=0, le=12
    )
    static: Flag = choice(
        False,
        "Static shapes",
        "Among the modes are the static shapes by forces and moments at the ends, so that what holds there bends the beam "
        "exactly at rest; along y and z these are two.",
    )
    pieces: Count = choice(24, "Pieces", "Finite elements along the beam.", ge=1, le=200)

    @property
    def most_bending(self) -> int:
        """Give how many modes of bending its pieces can show: between pins the next would leave all nodes at rest."""
        return self.pieces - 1 if self.ends == "pinned" else self.pieces

    @property
    def lacks_static(self) -> bool:
        """Whether there is room along an axis for a mode, but not for both static shapes."""
        return self.static and 1 in (self.bending_y, self.bending_z)

    @property
    def has_modes(self) -> bool:
        """Whether modes can be found: walls fit, there are modes, and pieces enough for them."""
        bending, axial = (self.bending_y, self.bending_z), (self.twist, self.stretch)
        enough = max(bending) <= self.most_bending and max(axial) <= self.pieces
        return is_sound(self.section) and enough and any(bending + axial) and not self.lacks_static


class ShapeNode(Part):
    """Give a point mass of a body and how it moves with each mode."""

    position_m: Vec3 = number(
        ZERO3, "m", "Position", "At rest, segment axes, from the segment's mass centre."
    )
    mass_kg: Number = number(0.0, "kg", "Mass", "Of the node.", ge=0)
    inertia_kgm2: NotNegative3 = number(
        ZERO3, "kg*m2", "Inertia", "Of the node about its own x, y and z, segment axes."
    )
    shapes_m: tuple[Vec3, ...] = number(
        REQUIRED, "m", "Shapes", "Displacement by a unit of each mode, segment axes."
    )
    turns_rad: tuple[Vec3, ...] = number(
        (), "rad", "Turns", "Turn by a unit of each mode; none for a node that does not turn."
    )
    pairs_m: tuple[Vec3, ...] = number(
        (),
        "m",
        "Shapes by pairs",
        "Displacement of second order by units of two modes, such as what bending draws it nearer: 1 and 1, 1 and 2 and so on, "
        "2 and 2 and so on. It makes a body stiff that turns or is pulled, and lets it buckle; none for no such.",
    )


class GivenShapes(Part):
    """Take modes that another program has found: nodes with masses and shapes, generalised masses and stiffnesses."""

    kind: Literal["nodes"] = choice("nodes", "Kind", "Nodes with masses and shapes.")
    nodes: tuple[ShapeNode, ...] = choice(
        REQUIRED, "Nodes", "Masses and how they move.", min_length=1
    )
    modal_mass_kg: tuple[Numbers, ...] = number(
        REQUIRED, "kg", "Modal masses", "Generalised mass matrix, a row for each mode."
    )
    modal_stiffness_n_per_m: tuple[Numbers, ...] = number(
        REQUIRED, "N/m", "Modal stiffness", "Generalised stiffness matrix, a row for each mode."
    )
    faces: tuple[Vec3, ...] = number(
        (),
        "1",
        "Triangles",
        "Triangles that are drawn between nodes, whose numbers count from 0; a line between two where the last two are the "
        "same. None: lines from node to nearest node.",
    )


Shapes = Annotated[BeamShapes | GivenShapes, Field(discriminator="kind")]


class ModalBody(Element):
    """Let a segment bend by shape functions in its frame; its mass comes to that of the segment.

    Other segments hold at its nodes by locked joints, whose place and turn the modes change.
    """

    segment: Id = ref(REQUIRED, "segments", "Segment", "Segment that is the body's frame.")
    shapes: Shapes = choice(REQUIRED, "Shapes", "Where its modes come from.")
    nodes: tuple[Id, ...] = ref(
        (), "joints", "Nodes", "Locked joints that hold segments at nodes of this body."
    )
    start_m: Numbers = number(
        (),
        "m",
        "Start",
        "Amplitude of each mode at the start (of twist in rad); none for a body at rest in its shape. Settling finds those of its equilibrium.",
    )
    damping: Numbers = number(
        (0.0,),
        "1",
        "Damping",
        "Part of critical damping of each mode; the last one holds for all that follow.",
        min_length=1,
    )


def modes_of(body: ModalBody) -> int:
    """Count the modes of a modal body."""
    s = body.shapes
    if isinstance(s, BeamShapes):
        return s.bending_y + s.bending_z + s.twist + s.stretch
    return len(s.modal_mass_kg)
