"""Frames of plastic hinges: stiff members that fold at their ends, as the fronts of vehicles do (001, Dias and Pereira)."""

from __future__ import annotations

from typing import Literal

from solver.project.fields import (
    REQUIRED,
    Element,
    Flag,
    Id,
    Number,
    NumberOrFunction,
    Part,
    Vec3,
    choice,
    number,
    ref,
    value_or_function,
)
from solver.project.geometry import Frame
from solver.project.sections import Section
from solver.project.segments import GROUND


class FrameNode(Part):
    """Join members rigidly in a point."""

    id: Id = choice(REQUIRED, "Id", "Its body is called frame#id.")
    position_m: Vec3 = number(REQUIRED, "m", "Position", "In the frame's own axes.")
    held: Literal["no", "pin", "fixed"] = choice(
        "no", "Held", "By the frame's segment: not, by a pin about y (in space a ball), or clamped."
    )
    mass_kg: Number = number(0.0, "kg", "Mass besides", "Of what it carries, in its point.", ge=0)


class FrameMember(Part):
    """Be a stiff bar between two nodes that folds at its ends."""

    id: Id = choice(REQUIRED, "Id", "Its body is called frame#id, its hinges frame#id#a and frame#id#b.")  # fmt: skip
    a: Id = choice(REQUIRED, "From", "Node where it begins.")
    b: Id = choice(REQUIRED, "To", "Node where it ends.")
    section: Section = choice(REQUIRED, "Section", "Shape across; its z lies in the plane of a planar frame.")  # fmt: skip
    hinges: Literal["both", "a", "b", "none"] = choice(
        "both", "Hinges", "Ends at which it can fold; at the others it is rigid with the node."
    )
    limit_nm: NumberOrFunction | None = value_or_function(
        None,
        "N*m",
        "rad",
        "Limit moment",
        "Moment at which a hinge turns, constant or by its angle, which softens as walls fold; none: the plastic moment of the section.",
    )
    stiffness_nm_per_rad: Number | None = number(
        None, "N*m/rad", "Stiffness", "Of each hinge below its limit; none: 6 E I / L, as a bar bent by both ends.", gt=0
    )  # fmt: skip


class CrashFrame(Element):
    """Fold under load: rigid members between nodes, with a plastic hinge at each end that folds.

    A tenth of each member's mass at either end goes with the node. Hinges unload along their stiffness. A planar frame
    lies in x and z of its own axes and folds about y; one in space folds about both axes across and twists, each with its own limit.
    """

    segment: Id = ref(GROUND, "segments", "Segment", "Segment that carries it, and holds its held nodes.")  # fmt: skip
    frame: Frame = choice(Frame(), "Frame", "Own axes in that segment.")
    planar: Flag = choice(True, "Planar", "Whether it folds in its x-z plane alone.")
    nodes: tuple[FrameNode, ...] = choice(
        REQUIRED, "Nodes", "Points in which members meet.", min_length=2, max_length=200
    )
    members: tuple[FrameMember, ...] = choice(
        REQUIRED, "Members", "Bars.", min_length=1, max_length=400
    )
    elastic_pa: Number = number(REQUIRED, "Pa", "Elastic modulus", "E.", gt=0)
    yield_pa: Number = number(REQUIRED, "Pa", "Yield stress", "For limit moments that are not given.", gt=0)  # fmt: skip
    density_kg_per_m3: Number = number(REQUIRED, "kg/m3", "Density", "Of the members.", gt=0)

    def called(self, part: str) -> str:
        """Name the body of a node or a member."""
        return f"{self.id}#{part}"

    @property
    def hinge_names(self) -> tuple[str, ...]:
        """Name the forces that are its hinges."""
        axes = ("",) if self.planar else ("#x", "#y", "#z")
        return tuple(
            f"{self.id}#{one.id}#{end}{axis}"
            for one in self.members
            for end in ("a", "b")
            if one.hinges in ("both", end)
            for axis in axes
        )
