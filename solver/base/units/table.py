"""What a unit is, and the units that have names.

Factors are exact by definition (international yard and pound agreement of 1959, BIPM SI brochure,
9th edition, table 8; standard gravity 9.80665 m/s2 of the 3rd CGPM, 1901).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from solver.base.words import Refusal

Dimension = tuple[float, float, float, float, float]
"""Exponents of m, kg, s, K and rad. The radian counts, so that N*m/rad is not taken for N*m."""

PLAIN: Dimension = (0.0, 0.0, 0.0, 0.0, 0.0)
ANGLE: Dimension = (0.0, 0.0, 0.0, 0.0, 1.0)

STANDARD_GRAVITY = 9.80665


class UnitError(Refusal, ValueError):
    """Say in one sentence what is wrong with a unit or with an expression."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Hold a unit: SI value = factor times value, plus offset."""

    factor: float
    dimension: Dimension = PLAIN
    offset: float = 0.0


@dataclass(frozen=True, slots=True)
class Quantity:
    """Hold a number in SI with its dimension."""

    value: float
    dimension: Dimension = PLAIN

    def times(self, other: Quantity) -> Quantity:
        """Multiply."""
        return Quantity(self.value * other.value, _sum(self.dimension, other.dimension, 1.0))

    def over(self, other: Quantity) -> Quantity:
        """Divide."""
        if other.value == 0.0:
            raise UnitError("The expression divides by zero.")
        return Quantity(self.value / other.value, _sum(self.dimension, other.dimension, -1.0))

    def plus(self, other: Quantity, sign: float = 1.0) -> Quantity:
        """Add, or subtract with sign -1."""
        if self.dimension != other.dimension:
            raise UnitError(
                "The expression adds {dimension_name} and {dimension_name_2}.",
                dimension_name=dimension_name(self.dimension),
                dimension_name_2=dimension_name(other.dimension),
            )
        return Quantity(self.value + sign * other.value, self.dimension)

    def to_the(self, exponent: float) -> Quantity:
        """Raise to a power."""
        if abs(exponent) > 20.0:
            raise UnitError("The power {exponent:g} is beyond 20.", exponent=exponent)
        m, kg, s, K, rad = (exponent * n for n in self.dimension)
        try:
            value = self.value**exponent
        except (ZeroDivisionError, OverflowError):
            raise UnitError(
                "{value:g} cannot be raised to {exponent:g}.", value=self.value, exponent=exponent
            ) from None
        if isinstance(value, complex):
            raise UnitError(
                "{value:g} cannot be raised to {exponent:g}.", value=self.value, exponent=exponent
            )
        return Quantity(value, (m, kg, s, K, rad))


def _sum(a: Dimension, b: Dimension, sign: float) -> Dimension:
    m, kg, s, K, rad = (x + sign * y for x, y in zip(a, b, strict=True))
    return (m, kg, s, K, rad)


_LENGTH, _MASS, _TIME = (1.0, 0.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0, 0.0), (0, 0, 1.0, 0, 0)
_TEMPERATURE, _RATE = (0.0, 0.0, 0.0, 1.0, 0.0), (0.0, 0.0, -1.0, 0.0, 0.0)
_FORCE, _PRESSURE, _ENERGY = (1.0, 1.0, -2.0, 0, 0), (-1.0, 1.0, -2.0, 0, 0), (2.0, 1.0, -2.0, 0, 0)
_POWER, _VOLUME, _SPEED = (2.0, 1.0, -3.0, 0, 0), (3.0, 0, 0, 0, 0), (1.0, 0, -1.0, 0, 0)
_ACCELERATION, _TURNING = (1.0, 0, -2.0, 0, 0), (0, 0, -1.0, 0, 1.0)

_INCH, _POUND = 0.0254, 0.45359237
_POUND_FORCE = _POUND * STANDARD_GRAVITY

_NAMED: dict[Dimension, dict[str, float]] = {
    PLAIN: {"%": 0.01},
    _LENGTH: {
        "m": 1.0, "mm": 1e-3, "cm": 1e-2, "dm": 0.1, "km": 1e3, "um": 1e-6, "in": _INCH,
        "mil": 1e-3 * _INCH, "ft": 12.0 * _INCH, "yd": 36.0 * _INCH, "mi": 63360.0 * _INCH,
    },
    _MASS: {
        "kg": 1.0, "gram": 1e-3, "t": 1e3, "lb": _POUND, "lbm": _POUND, "oz": _POUND / 16.0,
        "slug": _POUND_FORCE / (12.0 * _INCH),
    },
    _TIME: {"s": 1.0, "ms": 1e-3, "us": 1e-6, "min": 60.0, "h": 3600.0},
    _RATE: {"Hz": 1.0, "kHz": 1e3},
    _TEMPERATURE: {"K": 1.0},
    ANGLE: {"rad": 1.0, "mrad": 1e-3, "deg": math.pi / 180.0, "rev": 2.0 * math.pi},
    _TURNING: {"rpm": 2.0 * math.pi / 60.0},
    _FORCE: {
        "N": 1.0, "mN": 1e-3, "daN": 10.0, "kN": 1e3, "MN": 1e6, "lbf": _POUND_FORCE,
        "kip": 1e3 * _POUND_FORCE, "kgf": STANDARD_GRAVITY,
    },
    _PRESSURE: {
        "Pa": 1.0, "hPa": 1e2, "kPa": 1e3, "MPa": 1e6, "GPa": 1e9, "mbar": 1e2, "bar": 1e5,
        "atm": 101325.0, "psi": _POUND_FORCE / _INCH**2,
    },
    _ENERGY: {"J": 1.0, "mJ": 1e-3, "kJ": 1e3, "MJ": 1e6, "Nm": 1.0, "kNm": 1e3},
    _POWER: {"W": 1.0, "kW": 1e3, "MW": 1e6, "hp": 550.0 * 12.0 * _INCH * _POUND_FORCE},
    _VOLUME: {"l": 1e-3, "L": 1e-3, "ml": 1e-6},
    _SPEED: {"mph": 63360.0 * _INCH / 3600.0, "kph": 1.0 / 3.6, "fps": 12.0 * _INCH},
    _ACCELERATION: {"g": STANDARD_GRAVITY, "G": STANDARD_GRAVITY},
}  # fmt: skip

_ALSO = {"µm": "um", "μm": "um", "µs": "us", "μs": "us", "°": "deg", "'": "ft", '"': "in"}
_ALSO |= {"°C": "degC", "°F": "degF", "′": "ft", "″": "in"}


def _units() -> dict[str, Unit]:
    out = {
        name: Unit(factor, dimension)
        for dimension, names in _NAMED.items()
        for name, factor in names.items()
    }
    out["degC"] = Unit(1.0, _TEMPERATURE, 273.15)
    out["degF"] = Unit(5.0 / 9.0, _TEMPERATURE, 459.67 * 5.0 / 9.0)
    return out | {name: out[other] for name, other in _ALSO.items()}


UNITS: Mapping[str, Unit] = MappingProxyType(_units())
"""Units by name. `g` is standard gravity, `gram` the mass; `lb` is a mass, `lbf` a force."""

_KNOWN: dict[Dimension, str] = {
    PLAIN: "a plain number", _LENGTH: "a length", _MASS: "a mass", _TIME: "a time",
    _RATE: "a frequency", _TEMPERATURE: "a temperature", ANGLE: "an angle",
    _TURNING: "an angular velocity", (0, 0, -2.0, 0, 1.0): "an angular acceleration",
    _FORCE: "a force", _PRESSURE: "a pressure", _ENERGY: "a moment or energy",
    _POWER: "a power", (2.0, 0, 0, 0, 0): "an area", _VOLUME: "a volume", _SPEED: "a speed",
    _ACCELERATION: "an acceleration", (0, 1.0, -2.0, 0, 0): "a stiffness",
    (2.0, 1.0, 0, 0, 0): "an inertia",
}  # fmt: skip


def dimension_name(dimension: Dimension) -> str:
    """Name a dimension in words."""
    if dimension in _KNOWN:
        return _KNOWN[dimension]
    parts = zip(("m", "kg", "s", "K", "rad"), dimension, strict=True)
    return " ".join(f"{name}^{power:g}" for name, power in parts if power)
