"""Which dummy a body is, or is like: limits are chosen by that, and what they rest on is said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from solver.base.words import Sentence, msgid
from solver.bodies.dummies import masses
from solver.injury.parts import Occupant, weight
from solver.injury.reference import reference
from solver.project.document import Project

WHOLE = ("head", "upper_torso", "lower_torso", "left_upper_leg", "right_upper_leg")
"""Parts without which a body's mass says nothing of its size."""
PARTS = {
    "head": msgid("head"),
    "upper_torso": msgid("upper torso"),
    "lower_torso": msgid("lower torso"),
    "left_upper_leg": msgid("left upper leg"),
    "right_upper_leg": msgid("right upper leg"),
}
"""What these parts are called."""
SAME = 1e-3
"""Part of its mass by which a part may differ and still be that of a dummy of the library."""


@dataclass(frozen=True, slots=True)
class Who:
    """Say which dummy a body is compared with, and why.

    `how` is "dummy" where its parts weigh what those of the library's dummy do, "mass" where it is like one in
    mass alone, else empty; its size is empty then too. The mass is zero where too little of a body is there.
    """

    size: str = ""
    how: Literal["dummy", "mass", ""] = ""
    mass: float = 0.0

    @property
    def name(self) -> str:
        """Name the dummy."""
        return reference().bodies[self.size].name if self.size else ""

    @property
    def said(self) -> Sentence:
        """Say who it is."""
        if self.how == "dummy":
            return Sentence("{dummy}, a dummy of the library", dummy=self.name)
        if self.how == "mass":
            return Sentence(
                "a body of {mass:.3g} kg, compared with {dummy}, which it is like in mass alone (assumed)",
                mass=self.mass,
                dummy=self.name,
            )
        if self.mass:
            return Sentence("no limit is known for a body of {mass:.3g} kg", mass=self.mass)
        return Sentence("no limit is known for a part of a body")


def mass_of(project: Project, body: Occupant | None) -> float | None:
    """Give the mass of a body (kg); none where too little of it is there to tell its size."""
    if body is None or not set(WHOLE) <= set(body.segments):
        return None
    return weight(project, body)


def who(project: Project, body: Occupant | None) -> Who:
    """Tell which dummy a body is."""
    mass = mass_of(project, body)
    if body is None or mass is None:
        return Who()
    own = {s.id: s.mass_kg for s in project.segments}
    for one in reference().bodies.values():
        if one.library:
            parts = masses(one.library)
            if all(abs(own[body.segments[p]] - parts[p]) <= SAME * parts[p] for p in WHOLE):
                return Who(one.id, "dummy", mass)
    size = reference().size_of(mass) if mass > 0.0 else ""
    return Who(size, "mass" if size else "", mass)
