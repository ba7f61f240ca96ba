"""How far joints of people go, by age and sex, in parts of the man that they are scaled from.

| rule | what follows | from |
|---|---|---|
| limbs by sex and age | stops of hip, knee, ankle, shoulder, elbow: the whole range in parts of that of men of 20 to 44 years | Soucie and others (2011) |
| lumbar spine by age | flexion, extension and sideways; twist stays | Troke and others (2001) |
| neck by age | half a degree a year less in each plane from 20 to 59 years, shared out to both ways | Salo and others (2009) |
| same stiffness at rest | only the angle changes at which a joint stiffens or stops | assumed |

Who has no age is 32 years old, the middle of the group that the man stands for. Beyond the ages that were measured their ends
hold. A child, of whom the sex is not kept, has the mean of girls and boys. Thoracic spine, clavicles and wrists stay: nothing was found.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from solver.bodies.dimensions import Dimensions
from solver.bodies.entries import read
from solver.bodies.people.spine import NECK_RANGE_DEG, Bends

MAN_YEARS = 32.0
"""Age of the man that people are scaled from, and of whoever has none."""
WAYS = ("flexion", "extension", "sideways", "twist")


@dataclass(frozen=True, slots=True)
class Ranges:
    """Hold ranges in parts of the man's: of limbs by joint, of spine and neck by way."""

    limbs: Mapping[str, float]
    lumbar: Mapping[str, float]
    neck: Mapping[str, float]

    def of(self, joint: str, law: Bends) -> Bends:
        """Give a joint of spine or neck with the range of this person."""
        by = self.lumbar if joint.startswith("lumbar") else self.neck
        if joint.startswith("thoracic"):
            return law

        def far(way: str) -> tuple[float, float]:
            stiff, angle = getattr(law, way)
            return stiff, angle * by[way]

        return replace(
            law,
            flexion=far("flexion"),
            extension=far("extension"),
            sideways=far("sideways"),
            twist=far("twist"),
        )


def ranges(d: Dimensions) -> Ranges:
    """Compare a person's ranges with the man's."""
    table: Any = read("ranges")
    age = MAN_YEARS if d.age_years is None else d.age_years
    sexes = ("female", "male") if d.sex == "child" else (d.sex,)
    limbs = {
        joint: sum(_whole(table, by[sex], age) for sex in sexes)
        / len(sexes)
        / _whole(table, by["male"], MAN_YEARS)
        for joint, by in table["limbs"].items()
    }
    low, neck = table["lumbar"], table["neck"]
    lumbar = {
        way: float(
            np.interp(age, low["ages"], low[way]) / np.interp(MAN_YEARS, low["ages"], low[way])
        )
        for way in WAYS
    }
    years = float(np.clip(age, *neck["ages"])) - MAN_YEARS
    less = neck["degrees_per_year"] * years
    planes = {
        "flexion": NECK_RANGE_DEG["flexion"] + NECK_RANGE_DEG["extension"],
        "sideways": 2.0 * NECK_RANGE_DEG["sideways"],
        "twist": 2.0 * NECK_RANGE_DEG["twist"],
    }
    by_plane = {way: 1.0 + less / whole for way, whole in planes.items()}
    return Ranges(limbs, lumbar, by_plane | {"extension": by_plane["flexion"]})


def _whole(table: Any, ways: list[list[float]], age: float) -> float:
    return sum(float(np.interp(age, table["ages"], way)) for way in ways)
