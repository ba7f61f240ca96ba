"""Modal bodies: segments that bend by shape functions.

Made from the schema by `make docs`; do not edit it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Required, TypeAlias, TypedDict

from manikin.schema.fields import Element

if TYPE_CHECKING:
    from collections.abc import Sequence

    import solver.project.geometry as _geometry
    import solver.project.modal as _modal
    from manikin.schema.geometry import Frame
    from manikin.schema.numbers import Numbers, Vec3
    from manikin.schema.sections import Section


class BeamShapes(TypedDict, total=False):
    """Take the modes of a straight beam along x of its frame, found by finite elements.

    Axes as those of a beam that is a part: y along the width of its section, z along the height.
    """

    kind: Required[Literal["beam"]]
    """Kind ("beam"): Modes of a straight beam."""
    frame: Frame | _geometry.Frame
    """Frame (its own defaults): Where the beam begins in the segment; it goes along x of this frame."""
    length_m: Required[float]
    """Length (m, > 0, required): L."""
    section: Required[Section]
    """Section (required): Shape across, or its numbers; it does not shear."""
    elastic_pa: Required[float]
    """Elastic modulus (Pa, > 0, required): E."""
    shear_pa: Required[float]
    """Shear modulus (Pa, > 0, required): G."""
    density_kg_per_m3: Required[float]
    """Density (kg/m3, > 0, required): Of the material."""
    ends: Literal["clamped", "free", "pinned"]
    """Ends ("clamped"): How the segment goes with the beam: clamped at its beginning, with the mean motion of a beam whose ends are free, or so that both ends stay on the axis."""
    bending_y: int
    """Modes along y (≥ 0, ≤ 12, 0): How many bending modes move along y."""
    bending_z: int
    """Modes along z (≥ 0, ≤ 12, 0): How many bending modes move along z."""
    twist: int
    """Modes of twist (≥ 0, ≤ 12, 0): How many."""
    stretch: int
    """Modes of stretch (≥ 0, ≤ 12, 0): How many; they are fast, and make steps short."""
    static: bool
    """Static shapes (false): Among the modes are the static shapes by forces and moments at the ends, so that what holds there bends the beam exactly at rest; along y and z these are two."""
    pieces: int
    """Pieces (≥ 1, ≤ 200, 24): Finite elements along the beam."""


class ShapeNode(TypedDict, total=False):
    """Give a point mass of a body and how it moves with each mode."""

    position_m: Vec3
    """Position (m, [0.0, 0.0, 0.0]): At rest, segment axes, from the segment's mass centre."""
    mass_kg: float
    """Mass (kg, ≥ 0, 0.0): Of the node."""
    inertia_kgm2: Vec3
    """Inertia (kg*m2, ≥ 0, of its shape, or of its largest surface): Of the node about its own x, y and z, segment axes."""
    shapes_m: Required[Sequence[Vec3]]
    """Shapes (m, required): Displacement by a unit of each mode, segment axes."""
    turns_rad: Sequence[Vec3]
    """Turns (rad, []): Turn by a unit of each mode; none for a node that does not turn."""
    pairs_m: Sequence[Vec3]
    """Shapes by pairs (m, []): Displacement of second order by units of two modes, such as what bending draws it nearer: 1 and 1, 1 and 2 and so on, 2 and 2 and so on. It makes a body stiff that turns or is pulled, and lets it buckle; none for no such."""


class GivenShapes(TypedDict, total=False):
    """Take modes that another program has found: nodes with masses and shapes, generalised masses and stiffnesses."""

    kind: Required[Literal["nodes"]]
    """Kind ("nodes"): Nodes with masses and shapes."""
    nodes: Required[Sequence[ShapeNode | _modal.ShapeNode]]
    """Nodes (at least 1 entry, required): Masses and how they move."""
    modal_mass_kg: Required[Sequence[Numbers]]
    """Modal masses (kg, required): Generalised mass matrix, a row for each mode."""
    modal_stiffness_n_per_m: Required[Sequence[Numbers]]
    """Modal stiffness (N/m, required): Generalised stiffness matrix, a row for each mode."""
    faces: Sequence[Vec3]
    """Triangles (1, []): Triangles that are drawn between nodes, whose numbers count from 0; a line between two where the last two are the same. None: lines from node to nearest node."""


class ModalBody(Element, total=False):
    """Let a segment bend by shape functions in its frame; its mass comes to that of the segment.

    Other segments hold at its nodes by locked joints, whose place and turn the modes change.
    """

    segment: Required[str]
    """Segment (id in segments, required): Segment that is the body's frame."""
    shapes: Required[Shapes]
    """Shapes (required): Where its modes come from."""
    nodes: Sequence[str]
    """Nodes (id in joints, []): Locked joints that hold segments at nodes of this body."""
    start_m: Numbers
    """Start (m, []): Amplitude of each mode at the start (of twist in rad); none for a body at rest in its shape. Settling finds those of its equilibrium."""
    damping: Numbers
    """Damping (1, at least 1 entry, [0.0]): Part of critical damping of each mode; the last one holds for all that follow."""


Shapes: TypeAlias = "BeamShapes | _modal.BeamShapes | GivenShapes | _modal.GivenShapes"
