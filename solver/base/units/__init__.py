"""Units: what is shown and typed in them, and SI behind it.

from solver.base.units import convert, display_unit, parse, show
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, TypeVar

from solver.base.units.table import (
    ANGLE,
    PLAIN,
    UNITS,
    Dimension,
    Quantity,
    Unit,
    UnitError,
    evaluate,
    parse,
    unit,
)

__all__ = [
    "SYSTEMS",
    "Quantity",
    "Unit",
    "UnitError",
    "convert",
    "display_unit",
    "evaluate",
    "given_by",
    "is_own",
    "parse",
    "plain",
    "pretty",
    "product",
    "raised",
    "show",
    "spelled",
    "unit",
]


# Own systems of units, told as a list: `mm,t,s,deg` or `in,lbf,s`; what it does not say follows from it.

_BASES: tuple[tuple[Dimension, str], ...] = (
    ((1.0, 0.0, 0.0, 0.0, 0.0), "m"),
    ((0.0, 1.0, 0.0, 0.0, 0.0), "kg"),
    ((0.0, 0.0, 1.0, 0.0, 0.0), "s"),
    ((0.0, 0.0, 0.0, 1.0, 0.0), "K"),
    (ANGLE, "rad"),
)
_FORCE: Dimension = (1.0, 1.0, -2.0, 0.0, 0.0)
_KEPT = ("Hz",)
_PART = re.compile(r"([*/])|([A-Za-z]+)\^?(\d*)|1")


def spelled(units: Sequence[str]) -> str:
    """Write a list of units as the name of a system."""
    return ",".join(one.strip() for one in units) + ("," if len(units) == 1 else "")


def is_own(system: str) -> bool:
    """Whether a system's name is a list of units."""
    return "," in system


@lru_cache(maxsize=64)
def given_by(system: str) -> Mapping[Dimension, str]:
    """Give the unit of each kind that a list names; raises UnitError with a sentence."""
    found = dict[Dimension, str]()
    for word in system.split(","):
        text = re.sub(r"\s+", "*", re.sub(r"\s*([*/^])\s*", r"\1", word.strip()))
        if not text:
            continue
        one = unit(text)
        if one.dimension == PLAIN:
            raise UnitError("'{text}' measures nothing: a system has units with a kind.", text=text)
        if not one.factor > 0.0:
            raise UnitError("'{text}' is not above zero, as a unit must be.", text=text)
        if one.dimension in found:
            raise UnitError(
                "'{one}' and '{other}' measure the same; a system has one unit of each kind.",
                one=found[one.dimension],
                other=text,
            )
        found[one.dimension] = text
    return found


@lru_cache(maxsize=2048)
def own_unit(si_unit: str, system: str) -> str:
    """The unit in which an own system shows an SI unit; that itself where it has no kind."""
    given = given_by(system)
    try:
        wanted = unit(si_unit)
    except UnitError:
        return si_unit
    if wanted.dimension == PLAIN:
        return si_unit
    if wanted.dimension in given:
        text = given[wanted.dimension]
        return text if _is_name(text) or _stands_behind(text) else f"({text})"
    powers = dict[str, float]()
    sign = 1.0
    for mark, name, power in _PART.findall(si_unit):
        if mark:
            sign = -1.0 if mark == "/" else 1.0
        elif name:
            _add(powers, given, name, sign * float(power or 1))
    found = _written(powers)
    return found if unit(found).dimension == wanted.dimension else si_unit


def _add(powers: dict[str, float], given: Mapping[Dimension, str], name: str, power: float) -> None:
    """Put a named unit into powers of the system's units."""
    dimension = UNITS[name].dimension
    direct = given.get(dimension)
    if name in _KEPT and direct is None:
        direct = name
    if direct is not None and not unit(direct).offset:
        powers[direct] = powers.get(direct, 0.0) + power
        return
    rest = list(dimension)
    mass = given.get(_BASES[1][0])
    force = given.get(_FORCE)
    if force is not None and (mass is None or (rest[1] == 1.0 and rest[2] <= -2.0)):
        # a pressure is a force by an area; a mass without a unit is a force by an acceleration
        powers[force] = powers.get(force, 0.0) + power * rest[1]
        rest = [one - rest[1] * of for one, of in zip(rest, _FORCE, strict=True)]
    for exponent, (base, usual) in zip(rest, _BASES, strict=True):
        text = given.get(base, usual)
        text = usual if unit(text).offset else text
        if exponent:
            powers[text] = powers.get(text, 0.0) + power * exponent


def _written(powers: Mapping[str, float]) -> str:
    above = [_power(text, p) for text, p in powers.items() if p > 0.0]
    below = [_power(text, -p) for text, p in powers.items() if p < 0.0]
    return "/".join(["*".join(above) or "1", *below])


def _power(text: str, power: float) -> str:
    plain = _is_name(text)
    word = text if plain else f"({text})"
    if power == 1.0:
        return word
    return f"{word}{power:g}" if plain and power in (2.0, 3.0, 4.0) else f"{word}^{power:g}"


def _stands_behind(text: str) -> bool:
    """Whether a number before a unit is read as that many of it: 5 km/h is, 5 25.4*mm is not."""
    try:
        return evaluate(f"5 {text}").value == evaluate(f"5*({text})").value
    except UnitError:
        return False


def _is_name(text: str) -> bool:
    return text in UNITS and text.isalpha()


# Units of products and powers, in the names that they have: N*m over m is N, and N*m stays apart from J.

_NAMED = re.compile(r"[^\W\d_]+|[%°'\"]|1")
_EXPONENT = re.compile(r"\^?(-?\d+(?:\.\d+)?)")


def product(one: str, other: str, power: float = 1.0) -> str:
    """The unit of a product, or with power -1 of a quotient.

    >>> product("N", "m"), product("N*m", "m", -1.0), product("m/s", "m/s", -1.0)
    ('N*m', 'N', '1')
    """
    powers = _powers(one)
    for name, exponent in _powers(other).items():
        powers[name] = powers.get(name, 0.0) + power * exponent
    return _written(powers)


def raised(text: str, power: float) -> str:
    """The unit of a power.

    >>> raised("m/s", 2.0), raised("(m/s)^2/Hz", 0.5)
    ('m2/s2', 'm/s/Hz^0.5')
    """
    return _written({name: power * exponent for name, exponent in _powers(text).items()})


def _powers(text: str) -> dict[str, float]:
    """Take a unit apart into names and their powers."""
    found, sign, at = dict[str, float](), 1.0, 0
    while at < len(text):
        if text[at] in "*/":
            sign = 1.0 if text[at] == "*" else -1.0
            at += 1
            continue
        if text[at] == "(":
            end = _closing(text, at)
            inner, at = _powers(text[at + 1 : end]), end + 1
        elif (name := _NAMED.match(text, at)) is not None:
            inner, at = {} if name[0] == "1" else {name[0]: 1.0}, name.end()
        else:
            raise UnitError("'{text}' is no unit.", text=text[:40])
        power = _EXPONENT.match(text, at)
        if power is not None:
            at = power.end()
        exponent = sign * (1.0 if power is None else float(power[1]))
        for one, had in inner.items():
            found[one] = found.get(one, 0.0) + exponent * had
    return found


def _closing(text: str, at: int) -> int:
    depth = 0
    for place in range(at, len(text)):
        depth += (text[place] == "(") - (text[place] == ")")
        if depth == 0:
            return place
    raise UnitError("A bracket of '{text}' is not closed.", text=text[:40])


# What is shown: units of display systems, conversion, and how numbers and units are written.

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
    """The unit in which a display system shows an SI unit; an own one is a list, as `mm,t,s` (`own`)."""
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
