"""How a body's mass is shared among its parts, by published tables: adults by weight and height, children by age."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from solver.bodies.dimensions import Dimensions
from solver.bodies.entries import read

PARTS = ("head", "trunk", "upper_arm", "forearm", "upper_leg", "lower_leg", "foot")
"""Parts of the tables: the head with its neck, the forearm with its hand; limbs count twice."""
NECK_PART = 0.196
"""Mass of the neck in that of head and neck: the printed 50th-percentile man's (1.03 of 5.24 kg)."""
GROWN_UP = 18.0
"""Age (years) from which a person is shared as an adult."""
KNOWN_KG = (45.0, 110.0)
"""Weights between which the adults' regressions are used; beyond, the parts grow as the body does."""


def shares(d: Dimensions) -> dict[str, float]:
    """Give the mass (kg) of each part; limbs are one side, and all add up to the weight."""
    found = _child(d) if d.sex == "child" else _adult(d)
    whole = sum(mass * _sides(part) for part, mass in found.items())
    return {part: mass * d["weight_kg"] / whole for part, mass in found.items()}


def table_of(d: Dimensions) -> dict[str, float]:
    """Give what the table says by itself, before parts are made to add up."""
    return _child(d) if d.sex == "child" else _adult(d)


def density(part: str) -> float:
    """Give the density of a part (kg/m3)."""
    table: Mapping[str, float] = read("shares")["densities_kg_per_m3"]
    return float(table[part if part in table else "trunk"])


def _sides(part: str) -> float:
    return 1.0 if part in ("head", "trunk") else 2.0


def _adult(d: Dimensions) -> dict[str, float]:
    weight = min(max(d["weight_kg"], KNOWN_KG[0]), KNOWN_KG[1])
    height = 100.0 * d["standing_height_m"]
    table = read("shares")
    mean_kg, mean_cm = table["adults_at"][d.sex]
    more = d["weight_kg"] / weight
    return {
        part: more * (mean + by_weight * (weight - mean_kg) + by_height * (height - mean_cm))
        for part, (mean, by_weight, by_height) in (
            (name, table["adults"][d.sex][name]) for name in PARTS
        )
    }


def _child(d: Dimensions) -> dict[str, float]:
    table = read("shares")["children"]
    ages = table["age_years"]
    age = min(d.age_years if d.age_years is not None else GROWN_UP, GROWN_UP)
    return {part: 0.01 * d["weight_kg"] * _along(age, ages, table[part]) for part in PARTS}


def _along(age: float, ages: list[float], percents: list[float]) -> float:
    """Give a percentage straight between the table's ages, and along its first line below them."""
    if age < ages[0]:
        slope = (percents[1] - percents[0]) / (ages[1] - ages[0])
        return percents[0] + slope * (age - ages[0])
    return float(np.interp(age, ages, percents))
