"""What is shown: units of display systems, conversion, and how numbers and units are written."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeVar

from solver.base.units.expressions import unit
from solver.base.units.own import is_own, own_unit
from solver.base.units.table import UnitError

SYSTEMS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "si": {},
        "metric": {
            "s": "ms", "m": "mm", "m2": "cm2", "m3": "l", "m/s2": "g", "rad": "deg", "N": "kN",
            "Pa": "kPa", "K": "degC", "N/m": "N/mm", "N*s/m": "N*s/mm", "kg": "kg",
        },
        "inch_pound": {
            "s": "ms", "m": "in", "m2": "in2", "m3": "in3", "m/s": "ft/s", "m/s2": "g",
            "rad": "deg", "rad/s": "deg/s", "rad/s2": "deg/s2", "kg": "lb", "kg/m3": "lb/ft3",
            "kg*m2": "lbf*s2*in", "N": "lbf", "N*m": "in*lbf", "N/m": "lbf/in", "N*s/m": "lbf*s/in",
            "N*m/rad": "in*lbf/deg", "N*m*s/rad": "in*lbf*s/deg", "Pa": "psi", "N/m2": "psi",
            "J": "ft*lbf", "K": "degF", "N*s": "lbf*s", "N*m*s": "in*lbf*s", "kg*m/s": "lbf*s",
            "kg*m2/s": "in*lbf*s", "kg/s": "lb/s",
        },
    }
)  # fmt: skip
"""For each display system the unit that stands for an SI unit; SI itself where none is named."""

Numbers = TypeVar("Numbers", float, Any)


def display_unit(si_unit: str, system: str) -> str:
    """Give the unit in which a display system shows an SI unit; an own one is a list, as `mm,t,s` (`own`)."""
    if is_own(system):
        return own_unit(si_unit, system)
    if system not in SYSTEMS:
        raise UnitError(
            "There are no units '{system}'; there are {systems}, and lists of units such as mm,t,s.",
            system=system,
            systems=", ".join(SYSTEMS),
        )
    return SYSTEMS[system].get(si_unit, si_unit)


def convert(values: Numbers, source: str, target: str) -> Numbers:
    """Turn numbers or arrays from one unit into another."""
    if source == target:
        return values
    a, b = unit(source), unit(target)
    if a.dimension != b.dimension:
        raise UnitError(
            "'{source}' cannot be turned into '{target}'.", source=source, target=target
        )
    return (values * a.factor + (a.offset - b.offset)) / b.factor


def show(value: float, si_unit: str, shown_unit: str = "", digits: int = 6) -> str:
    """Write an SI value as a short number with its unit; `parse` reads it back."""
    shown = shown_unit or si_unit
    number = convert(float(value), si_unit, shown)
    if not math.isfinite(number):
        raise UnitError("Only finite numbers are shown.")
    text = f"{number + 0.0:.{digits}g}"
    return text if shown in ("", "1") else f"{text} {pretty(shown)}"


def plain(number: float, digits: int = 4) -> str:
    """Write a number with so many digits at least, as people read it: large ones without a power of ten."""
    return f"{number:.0f}" if abs(number) >= 10.0 ** (digits - 1) else f"{number:.{digits}g}"


def pretty(text: str) -> str:
    """Write a unit as it is printed: m/s², N·m, °C, µs; nothing for the unit 1."""
    if text in ("", "1"):
        return ""
    out = text.replace("*", "·").replace("degC", "°C").replace("degF", "°F")
    out = re.sub(r"\bdeg(?=\b|\d)", "°", out)
    out = re.sub(r"\bu(?=[ms]\b)", "µ", out)
    return re.sub(r"(?<=[A-Za-z°])([23])", lambda m: "²³"[int(m[1]) - 2], out)
