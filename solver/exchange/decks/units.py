"""Units of a deck, and the way to SI and back without losing a bit."""

from __future__ import annotations

import math
from dataclasses import dataclass

LENGTHS = {
    "IN": 0.0254,
    "INCH": 0.0254,
    "FT": 0.3048,
    "M": 1.0,
    "METE": 1.0,
    "CM": 0.01,
    "MM": 0.001,
}
FORCES = {"LB": 4.4482216152605, "LBS": 4.4482216152605, "LBF": 4.4482216152605,
          "N": 1.0, "NEWT": 1.0, "KN": 1000.0, "KGF": 9.80665, "KP": 9.80665}  # fmt: skip
TIMES = {"SEC": 1.0, "S": 1.0, "MSEC": 0.001, "MS": 0.001}
DEGREE = math.pi / 180.0
POUND_FORCE = LENGTHS["IN"], FORCES["LB"]


@dataclass(frozen=True)
class Units:
    """Say how large a deck's units are in SI; weights are forces, angles in degrees."""

    length: float = LENGTHS["IN"]
    force: float = FORCES["LB"]
    time: float = 1.0
    g: float = 386.088
    """Gravity that makes masses of weights, in the deck's own units."""

    @property
    def acceleration(self) -> float:
        """Give the unit of accelerations."""
        return self.length / self.time**2

    @property
    def mass(self) -> float:
        """Give the mass of a unit of weight."""
        return self.force / (self.g * self.acceleration)

    @property
    def inertia(self) -> float:
        """Give the unit of moments of inertia: force, length, time squared."""
        return self.force * self.length * self.time**2

    @property
    def torque(self) -> float:
        """Give the unit of torques."""
        return self.force * self.length

    @property
    def speed(self) -> float:
        """Give the unit of speeds."""
        return self.length / self.time

    @property
    def pressure(self) -> float:
        """Give the unit of pressures."""
        return self.force / self.length**2


def unit_named(text: str, table: dict[str, float]) -> float | None:
    """Give a unit by its name on card A.3, whatever dots and blanks stand in it; none for a blank name."""
    return table.get(text.strip().strip(".").strip().upper().rstrip("."))


def undone(value: float, unit: float) -> float:
    """Give the number that becomes this value in SI, to the bit where there is one."""
    near = value / unit
    for digits in range(6, 16, 3):  # the number with fewest digits first: it fits into columns
        tried = float(f"{near:.{digits}g}")
        if tried * unit == value:
            return tried
    for step in range(4):
        for side in (math.inf, -math.inf):
            tried = near
            for _ in range(step):
                tried = math.nextafter(tried, side)
            if tried * unit == value:
                return tried
    return near
