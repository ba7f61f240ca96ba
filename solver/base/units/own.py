"""Own systems of units, told as a list: `mm,t,s,deg` or `in,lbf,s`; what it does not say follows from it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from solver.base.units.expressions import evaluate, unit
from solver.base.units.table import ANGLE, PLAIN, UNITS, Dimension, UnitError

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
    """Tell whether a system's name is a list of units."""
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
    """Give the unit in which an own system shows an SI unit; that itself where it has no kind."""
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
    """Tell whether a number before a unit is read as that many of it: 5 km/h is, 5 25.4*mm is not."""
    try:
        return evaluate(f"5 {text}").value == evaluate(f"5*({text})").value
    except UnitError:
        return False


def _is_name(text: str) -> bool:
    return text in UNITS and text.isalpha()
