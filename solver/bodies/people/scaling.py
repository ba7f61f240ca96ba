"""How laws of the 50th-percentile man are carried over to people of other sizes and ages: all rules by name, in one place.

| rule | what follows | from |
|---|---|---|
| equal stress, equal velocity | mass m, stiffness E L, damping sqrt(m E L), depth L, of the chest | Eppinger (1976), Mertz (1984), Mertz and others (1989) |
| equal stress in bending | moments at equal angles go with E A L: E times the mass where densities are alike, E girth^2 length for the neck | the same |
| equal stress along a disc | stiffness E L | the same |
| equal angles | ranges of motion do not change with size, but with age and sex (`ranges.py`) | assumed |
| same time | damping of joints goes with their stiffness | assumed |
| bone by age | E of the chest: the skull's bone, 9.9 GPa grown up | Mertz and others (2001), from memory |
| soft tissue by age | E of joints, spine and neck: 0.9 to 10 years, then up to 1 at 18 | so that necks at 3 and 6 years have 0.18 and 0.27 of a man's moments: Yoganandan and others give 0.18-0.19 and 0.25 from tests of tissue |

What they are worth for children is open: four such rules made the chest of a seven-year-old softer than it was
(Kent and others, 2009).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from solver.bodies.dimensions import Dimensions, adult_dimensions
from solver.bodies.parts import Ribs

BONE_AGE = (1.0, 3.0, 6.0, 10.0, 18.0)
BONE_GPA = (3.2, 4.7, 6.6, 8.45, 9.9)
"""Of the skull's bone in bending, by age (years): Mertz and others (2001), from memory."""

SOFT_AGE, SOFT = (10.0, 18.0), (0.9, 1.0)
"""Of discs, ligaments and joints: see the table above."""


@dataclass(frozen=True, slots=True)
class Scaling:
    """Hold how a person compares with the 50th-percentile man."""

    mass: float
    sitting: float
    """Of seated heights."""
    chest: float
    """Of the chest's depth."""
    neck: float
    """Of girth squared times length."""
    bone: float
    soft: float

    @property
    def moments(self) -> float:
        """Give the factor of moments of joints of limbs and trunk, at equal angles."""
        return self.soft * self.mass

    @property
    def along(self) -> float:
        """Give the factor of stiffness of discs along themselves: E L."""
        return self.soft * self.sitting

    @property
    def neck_moments(self) -> float:
        """Give the factor of moments of the neck, at equal angles."""
        return self.soft * self.neck

    @property
    def chest_stiffness(self) -> float:
        """Give the factor of stiffness of the chest: E L."""
        return self.bone * self.sitting

    @property
    def chest_damping(self) -> float:
        """Give the factor of damping of the chest: sqrt(m k)."""
        return math.sqrt(self.mass * self.chest_stiffness)

    def ribs(self, man: Ribs) -> Ribs:
        """Give a person's chest from the man's."""
        stiff, damp = self.chest_stiffness, self.chest_damping
        return Ribs(
            stiffness=man.stiffness * stiff,
            beyond=man.beyond * stiff,
            knee_m=man.knee_m * self.chest,
            series=man.series * stiff,
            series_damping=man.series_damping * damp,
            damping_in=man.damping_in * damp,
            damping_out=man.damping_out * damp,
            outward=man.outward * stiff,
            growth=man.growth * damp / self.chest,
        )


def scaling(d: Dimensions) -> Scaling:
    """Compare a person with the 50th-percentile man."""
    man = adult_dimensions("male")

    def ratio(name: str) -> float:
        return d[name] / man[name]

    sitting = ratio("seated_height_m")
    return Scaling(
        mass=ratio("weight_kg"),
        sitting=sitting,
        chest=ratio("chest_depth_m"),
        neck=ratio("neck_circumference_m") ** 2 * sitting,
        bone=bone(d.age_years),
        soft=soft(d.age_years),
    )


def bone(age_years: float | None) -> float:
    """Give the modulus of bone in parts of a grown-up's; no age is a grown-up."""
    if age_years is None:
        return 1.0
    return float(np.interp(age_years, BONE_AGE, BONE_GPA)) / BONE_GPA[-1]


def soft(age_years: float | None) -> float:
    """Give the modulus of soft tissue in parts of a grown-up's; no age is a grown-up."""
    return 1.0 if age_years is None else float(np.interp(age_years, SOFT_AGE, SOFT))
