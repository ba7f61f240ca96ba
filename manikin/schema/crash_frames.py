"""Frames of plastic hinges: stiff members that fold at their ends, as the fronts of vehicles do (001, Dias and Pereira).

Made from the schema by `make docs`; do not edit it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Required, TypedDict

from manikin.schema.fields import Element

if TYPE_CHECKING:
    from collections.abc import Sequence

    import solver.project.crash_frames as _crash_frames
    import solver.project.geometry as _geometry
    from manikin.schema.geometry import Frame
    from manikin.schema.numbers import Vec3
    from manikin.schema.sections import Section


class FrameNode(TypedDict, total=False):
    """Join members rigidly in a point."""

    id: Required[str]
    """Id (required): Its body is called frame#id."""
    position_m: Required[Vec3]
    """Position (m, required): In the frame's own axes."""
    held: Literal["no", "pin", "fixed"]
    """Held ("no"): By the frame's segment: not, by a pin about y (in space a ball), or clamped."""
    mass_kg: float
    """Mass besides (kg, ≥ 0, 0.0): Of what it carries, in its point."""


class FrameMember(TypedDict, total=False):
    """Be a stiff bar between two nodes that folds at its ends."""

    id: Required[str]
    """Id (required): Its body is called frame#id, its hinges frame#id#a and frame#id#b."""
    a: Required[str]
    """From (required): Node where it begins."""
    b: Required[str]
    """To (required): Node where it ends."""
    section: Required[Section]
    """Section (required): Shape across; its z lies in the plane of a planar frame."""
    hinges: Literal["both", "a", "b", "none"]
    """Hinges ("both"): Ends at which it can fold; at the others it is rigid with the node."""
    limit_nm: float | str | None
    """Limit moment (id in functions, N*m, none): Moment at which a hinge turns, constant or by its angle, which softens as walls fold; none: the plastic moment of the section."""
    stiffness_nm_per_rad: float | None
    """Stiffness (N*m/rad, > 0, none): Of each hinge below its limit; none: 6 E I / L, as a bar bent by both ends."""


class CrashFrame(Element, total=False):
    """Fold under load: rigid members between nodes, with a plastic hinge at each end that folds.

    A tenth of each member's mass at either end goes with the node. Hinges unload along their stiffness. A planar frame
    lies in x and z of its own axes and folds about y; one in space folds about both axes across and twists, each with its own limit.
    """

    segment: str
    """Segment (id in segments, "ground"): Segment that carries it, and holds its held nodes."""
    frame: Frame | _geometry.Frame
    """Frame (its own defaults): Own axes in that segment."""
    planar: bool
    """Planar (true): Whether it folds in its x-z plane alone."""
    nodes: Required[Sequence[FrameNode | _crash_frames.FrameNode]]
    """Nodes (at least 2 entries, at most 200 entries, required): Points in which members meet."""
    members: Required[Sequence[FrameMember | _crash_frames.FrameMember]]
    """Members (at least 1 entry, at most 400 entries, required): Bars."""
    elastic_pa: Required[float]
    """Elastic modulus (Pa, > 0, required): E."""
    yield_pa: Required[float]
    """Yield stress (Pa, > 0, required): For limit moments that are not given."""
    density_kg_per_m3: Required[float]
    """Density (kg/m3, > 0, required): Of the members."""
