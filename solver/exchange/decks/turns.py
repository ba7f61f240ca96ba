"""Angles on cards: which field belongs to which axis, in which order they turn, angles told as projections.

The angle of axis k stands in field 4 - k (yaw, pitch, roll); the order only says in which sequence the
moving axes are turned about. A third turn about the first axis again is written with a minus, and has
the field that is left. Where no order stands, cards G.3 turn about 1, 2, 3 (roll first), as CVS-IV did
without having such fields; all others turn about 3, 2, 1 (yaw first).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from solver.base.words import Sentence
from solver.engine.maths.rotation import Array
from solver.exchange.decks.order import Row
from solver.exchange.decks.units import DEGREE
from solver.project.angles import angles_from
from solver.project.geometry import Orientation
from solver.project.pose import turn

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
    """Give the axes that orders turn about, and the field of each one's angle, from 0; raises NoTurn."""
    axes = [abs(one) for one in orders]
    told = " ".join(str(one) for one in orders)
    if not all(1 <= axis <= 3 for axis in axes):
        raise NoTurn(Sentence("{orders} is no order of axes: each is 1, 2 or 3.", orders=told))
    if axes[0] == axes[1] or axes[1] == axes[2]:
        raise NoTurn(Sentence("{orders} turns about one axis twice in a row.", orders=told))
    fields = tuple(
        sum(orders) - one - 3 if one < 0 else 3 - axis
        for one, axis in zip(orders, axes, strict=True)
    )
    if sorted(fields) != [0, 1, 2]:
        minus = f"{axes[0]} {axes[1]} -{axes[0]}"
        raise NoTurn(
            Sentence(
                "{orders} turns about the first axis again without a minus: {minus}.",
                orders=told, minus=minus,
            )
        )  # fmt: skip
    return "".join(LETTERS[axis - 1] for axis in axes), fields


def taken_turn(
    angles: Sequence[float], orders: Sequence[int], default: Sequence[int]
) -> dict[str, Any] | None:
    """Give an orientation of three angles in degrees; None where nothing turns. Raises NoTurn."""
    order, fields = fields_of(orders if orders and orders[0] else default)
    if not any(angles):
        return None
    made: dict[str, Any] = {"angles_rad": [angles[field] * DEGREE for field in fields]}
    if order != "zyx":
        made["order"] = order
    return made


def given_orders(order: str) -> tuple[int, ...]:
    """Give the numbers that say an order, with the minus of a third turn about the first axis."""
    first, second, third = (LETTERS.index(axis) + 1 for axis in order)
    return first, second, -third if third == first else third


def told(R: Array) -> dict[str, Any]:
    """Give a turn as an orientation by yaw, pitch and roll."""
    return {"angles_rad": list(angles_from(R, "zyx"))}


def matrix(orientation: dict[str, Any] | None) -> Array:
    """Give the turn of an orientation that was taken."""
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
    """Give where an axis points: by two angles of its projections, or by components (plane below zero)."""
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
