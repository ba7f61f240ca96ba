"""Numbers on cards: in columns as a Fortran program reads and writes them, their units, and angles.

The angle of axis k stands in field 4 - k (yaw, pitch, roll); the order only says in which sequence the
moving axes are turned about. A third turn about the first axis again is written with a minus, and has
the field that is left. Where no order stands, cards G.3 turn about 1, 2, 3 (roll first), as CVS-IV did
without having such fields; all others turn about 3, 2, 1 (yaw first).
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from solver.base.words import Sentence
from solver.engine.maths.rotation import Array
from solver.exchange.decks.order import Row
from solver.project.angles import angles_from
from solver.project.geometry import Orientation
from solver.project.pose import turn

# Numbers and texts in columns, as a Fortran program reads and writes them.

_REAL = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_WHOLE = re.compile(r"[+-]?\d+", re.ASCII)
_EXPONENT = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))(?:[eEdDqQ]\s*([+-]?\d+)|([+-]\d+))", re.ASCII)
_VALUE = re.compile(r"""(?:(\d+)\*)?("(?:[^"]|"")*"|'(?:[^']|'')*'|[^\s,/"']*)""")

LARGEST = 1e15
"""No number of a deck reaches it; a larger one is a slip."""
MOST_REPEATS = 10_000


def real(text: str) -> float | None:
    """Read a real number; blanks are nothing, an empty field is zero; None for what is no number.

    The exponent may be led in by E, D or Q, or by its sign alone.
    """
    text = text.strip()
    if not text:
        return 0.0
    if _REAL.fullmatch(text):
        value = float(text)
    else:
        parts = _EXPONENT.fullmatch(text.replace(" ", ""))
        if parts is None:
            bare = text.replace(" ", "")
            return real(bare) if bare != text else None
        value = float(f"{parts[1]}e{parts[2] or parts[3]}")
    return value if abs(value) <= LARGEST else None


def integer(text: str) -> int | None:
    """Read a whole number; blanks are nothing, an empty field is zero; None for what is no whole number."""
    text = text.strip()
    if not text:
        return 0
    if not _WHOLE.fullmatch(text):
        text = text.replace(" ", "")
        if not _WHOLE.fullmatch(text):
            return None
    return int(text) if len(text) <= 10 else None


def has_inner_blank(text: str) -> bool:
    """Whether blanks stand within a number, where they count for nothing."""
    return " " in text.strip()


def values_of(line: str) -> list[str | None]:
    """Cut a free line into its values: blanks or commas part them, 3*0 repeats one, a slash ends it.

    None is a value left out between commas. A text in quotes keeps its quotes.
    """
    found = list[str | None]()
    at, awaited = 0, True
    while at < len(line):
        sign = line[at]
        if sign.isspace():
            at += 1
            continue
        if sign == "/":
            break
        if sign == ",":
            if awaited:
                found.append(None)
            at, awaited = at + 1, True
            continue
        match = _VALUE.match(line, at)
        if match is None or match.end() == at:
            found.append(line[at:].strip())
            break
        times = min(int(match[1] or 1), MOST_REPEATS)
        found.extend([match[2] or None] * times)
        at, awaited = match.end(), False
    return found


def unquoted(text: str) -> str:
    """Take the quotes off a text."""
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1].replace(text[0] * 2, text[0])
    return text


def written(value: float, width: int) -> str | None:
    """Write a real number into so many columns with as many digits as go in; None if it does not fit."""
    if value == 0.0:
        return "0.0".rjust(width) if width > 3 else "0.".rjust(width)
    best, least = None, math.inf
    for text in _forms(value, width):
        off = abs(float(text) - value)
        if off < least:
            best, least = text, off
    if best is None or least > abs(value):
        return None
    return best.rjust(width)


def _forms(value: float, width: int) -> list[str]:
    forms = list[str]()
    for digits in range(width - 1, -1, -1):
        text = _bare(f"{value:.{digits}f}")
        if len(text) <= width and "." in text:
            forms.append(text)
            break
    for digits in range(width - 1, -1, -1):
        head, power = f"{value:.{digits}E}".split("E")
        text = f"{head if '.' in head else head + '.'}E{int(power)}"
        if len(text) <= width:
            forms.append(text)
            break
    return forms


def _bare(text: str) -> str:
    """Take off what a Fortran program does not need: zeros at the end, and the one before the point."""
    if "." not in text:
        text += "."
    text = text.rstrip("0")
    if text.endswith("."):
        text += "0" if len(text) < 4 else ""
    for sign in ("", "-"):
        if text.startswith(f"{sign}0.") and text.strip("-0.") != "":
            return sign + text[len(sign) + 1 :]
    return text


# Units of a deck, and the way to SI and back without losing a bit.

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
        """The unit of accelerations."""
        return self.length / self.time**2

    @property
    def mass(self) -> float:
        """The mass of a unit of weight."""
        return self.force / (self.g * self.acceleration)

    @property
    def inertia(self) -> float:
        """The unit of moments of inertia: force, length, time squared."""
        return self.force * self.length * self.time**2

    @property
    def torque(self) -> float:
        """The unit of torques."""
        return self.force * self.length

    @property
    def speed(self) -> float:
        """The unit of speeds."""
        return self.length / self.time

    @property
    def pressure(self) -> float:
        """The unit of pressures."""
        return self.force / self.length**2


def unit_named(text: str, table: dict[str, float]) -> float | None:
    """Give a unit by its name on card A.3, whatever dots and blanks stand in it; none for a blank name."""
    return table.get(text.strip().strip(".").strip().upper().rstrip("."))


def undone(value: float, unit: float) -> float:
    """The number that becomes this value in SI, to the bit where there is one."""
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


# Angles on cards: which field belongs to which axis, in which order they turn, angles told as projections.

YAW_FIRST = (3, 2, 1)
ROLL_FIRST = (1, 2, 3)
LETTERS = "xyz"
JOINT_ANGLES = (3, 1, 3)
"""Orders, without signs, of the angles of an Euler joint: precession, nutation, spin."""


class NoTurn(ValueError):
    """Say why numbers on a card are no turn."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(str(sentence))
        self.sentence = sentence


def fields_of(orders: Sequence[int]) -> tuple[str, tuple[int, ...]]:
    """The axes that orders turn about, and the field of each one's angle, from 0; raises NoTurn."""
    axes = [abs(one) for one in orders]
    text = " ".join(str(one) for one in orders)
    if not all(1 <= axis <= 3 for axis in axes):
        raise NoTurn(Sentence("{orders} is no order of axes: each is 1, 2 or 3.", orders=text))
    if axes[0] == axes[1] or axes[1] == axes[2]:
        raise NoTurn(Sentence("{orders} turns about one axis twice in a row.", orders=text))
    fields = tuple(
        sum(orders) - one - 3 if one < 0 else 3 - axis
        for one, axis in zip(orders, axes, strict=True)
    )
    if sorted(fields) != [0, 1, 2]:
        minus = f"{axes[0]} {axes[1]} -{axes[0]}"
        raise NoTurn(
            Sentence(
                "{orders} turns about the first axis again without a minus: {minus}.",
                orders=text, minus=minus,
            )
        )  # fmt: skip
    return "".join(LETTERS[axis - 1] for axis in axes), fields


def taken_turn(
    angles: Sequence[float], orders: Sequence[int], default: Sequence[int]
) -> dict[str, Any] | None:
    """An orientation of three angles in degrees; None where nothing turns. Raises NoTurn."""
    order, fields = fields_of(orders if orders and orders[0] else default)
    if not any(angles):
        return None
    made: dict[str, Any] = {"angles_rad": [angles[field] * DEGREE for field in fields]}
    if order != "zyx":
        made["order"] = order
    return made


def given_orders(order: str) -> tuple[int, ...]:
    """The numbers that say an order, with the minus of a third turn about the first axis."""
    first, second, third = (LETTERS.index(axis) + 1 for axis in order)
    return first, second, -third if third == first else third


def orientation_of(R: Array) -> dict[str, Any]:
    """A turn as an orientation by yaw, pitch and roll."""
    return {"angles_rad": list(angles_from(R, "zyx"))}


def matrix(orientation: dict[str, Any] | None) -> Array:
    """The turn of an orientation that was taken."""
    return turn(Orientation(**orientation)) if orientation else np.eye(3)


def projected(row: Row) -> Array:
    """Give the turn that two axes of a segment tell by their projections (card G.3.b); raises NoTurn."""
    numbers = row["numbers"]
    first, second = numbers[1], numbers[3]
    if first == second or not {first, second} <= {1, 2, 3}:
        raise NoTurn(
            Sentence(
                "{first} and {second} are not two axes of the segment.", first=first, second=second
            )
        )
    axes = np.zeros((3, 3))
    for plane, axis, told_ in ((numbers[0], first, row["a"][:3]), (numbers[2], second, row["a"][3:])):  # fmt: skip
        axes[axis - 1] = _direction(plane, told_)
    one, two = axes[first - 1], axes[second - 1]
    one /= np.linalg.norm(one)
    two -= (two @ one) * one
    if np.linalg.norm(two) < 1e-9:
        raise NoTurn(Sentence("both axes point the same way."))
    two /= np.linalg.norm(two)
    third = np.cross(one, two) if (second - first) % 3 == 1 else np.cross(two, one)
    axes[5 - first - second] = third
    R: Array = axes.T
    return R


def _direction(plane: int, a: Sequence[float]) -> Array:
    """Where an axis points: by two angles of its projections, or by components (plane below zero)."""
    if plane < 0:
        if not any(a):
            raise NoTurn(Sentence("the three components of an axis are zero."))
        return np.array(a, dtype=float)
    if plane not in (1, 2, 3):
        raise NoTurn(
            Sentence("{plane} is no plane of projection: 1, 2, 3 or below zero.", plane=plane)
        )
    one, two = (math.radians(value) for value in a[:2])
    if math.sin(one) * math.cos(two) == 0.0:
        raise NoTurn(Sentence("sin A1 cos A2 is zero, so the two angles tell no axis."))
    sign = -1.0 if math.sin(one) < 0.0 and math.cos(two) < 0.0 else 1.0
    made = np.zeros(3)
    for step, value in enumerate(
        (math.sin(one) * math.cos(two), math.sin(one) * math.sin(two), math.cos(one) * math.cos(two))
    ):  # fmt: skip
        made[(plane - 1 + step) % 3] = sign * value
    return made
