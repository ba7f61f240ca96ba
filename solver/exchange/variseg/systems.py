"""Systems of units and axes of users."""

from __future__ import annotations

import math
from dataclasses import dataclass

DEGREE = math.pi / 180.0
Pair = tuple[float, float]


@dataclass(frozen=True)
class System:
    """Hold a system of units: what its length, mass, time, force and angle are in SI."""

    length: float = 1.0
    mass: float = 1.0
    time: float = 1.0
    force: float = 1.0
    angle: float = DEGREE

    @property
    def torque(self) -> float:
        """Give the unit of torques."""
        return self.force * self.length


UNITS = {"SI": System(), "ANSI": System(0.0254, 0.45359237, 1.0, 4.4482216152605)}
"""Systems that the report predefines; what they measure in is assumed, angles in degrees."""


@dataclass(frozen=True)
class Axes:
    """Hold a segment's system: where and how it starts, and how its user measures in it."""

    place: Pair = (0.0, 0.0)
    angle: float = 0.0
    velocity: Pair = (0.0, 0.0)
    rate: float = 0.0
    omega: float = 0.5 * math.pi
    sense: float = 1.0

    def inside(self, x: float, z: float) -> Pair:
        """Give a point of the user's axes in right-angled ones, z upwards (equation 5)."""
        c, s = math.cos(self.omega), math.sin(self.omega)
        return x + z * (c if abs(c) > 1e-15 else 0.0), z * s

    def turned(self, point: Pair) -> Pair:
        """Give a vector of these axes along the inertial ones."""
        c, s = math.cos(self.angle), math.sin(self.angle)
        return c * point[0] - s * point[1], s * point[0] + c * point[1]
