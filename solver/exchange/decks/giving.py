"""What is kept while cards are made of a project: numbers of its elements, functions, what a deck cannot say."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from solver.base.words import Sentence, sentence_of
from solver.exchange.decks.cards import CARDS
from solver.exchange.decks.numbers import DEGREE, Units, fields_of, given_orders, undone
from solver.exchange.decks.order import Row
from solver.project.document import Project
from solver.project.geometry import Orientation, SurfaceRef
from solver.project.pose import start_pose


class Giving:
    """The numbers by which cards name a project's elements, and what is left out."""

    def __init__(self, project: Project, free: bool) -> None:
        self.project, self.free = project, free
        self.units = Units()
        self.losses = list[tuple[str, Sentence]]()
        """Path and what a deck cannot say of it."""
        self.pose = start_pose(project)
        self.order = list[str]()
        """Segments of the bodies by number, from 1."""
        self.vehicles = list[str]()
        """Segments with motions, numbered after the bodies; the last is the primary one."""
        self.planes: dict[str, int] = {}
        self.ellipsoids: dict[tuple[str, str], int] = {}
        self.joints: dict[str, int] = {}
        self.moved = {one.segment for one in project.motions}
        """Segments with motions: cards C say where they are."""
        self.functions = {one.id: one for one in project.functions}

    def lose(self, path: str, sentence: Sentence | str) -> None:
        """Note what a deck cannot say."""
        remark = (path, sentence_of(sentence))
        if remark not in self.losses:
            self.losses.append(remark)

    def segment(self, name: str) -> int:
        """A segment's number; the ground is 0."""
        if name in self.order:
            return self.order.index(name) + 1
        if name in self.vehicles:
            return len(self.order) + self.vehicles.index(name) + 1
        return 0

    def ellipsoid(self, ref: SurfaceRef) -> int:
        """A surface's number."""
        return self.ellipsoids[ref.segment, ref.surface]

    def number(self, value: float, unit: float) -> float:
        """A quantity in the deck's units."""
        return undone(value, unit) if value else 0.0

    def numbers(self, values: Iterable[float], unit: float) -> tuple[float, ...]:
        """Give quantities in the deck's units."""
        return tuple(self.number(float(value), unit) for value in values)

    def beyond(self, place: float, centre: float) -> float:
        """The length that, added to a centre, becomes a place in SI, to the bit where there is one."""
        unit = self.units.length
        near = (place - centre) / unit
        tried = [float(f"{near:.{digits}g}") for digits in (6, 9, 12, 15)] + [near]
        for side in (math.inf, -math.inf):
            step = near
            for _ in range(3):
                step = math.nextafter(step, side)
                tried.append(step)
        return next((one for one in tried if one * unit + centre == place), near)

    def lengths(self, values: Iterable[float]) -> tuple[float, ...]:
        """Give lengths in the deck's units."""
        return self.numbers(values, self.units.length)

    def turn(self, orientation: Orientation) -> tuple[tuple[float, ...], tuple[int, ...]]:
        """Give angles, each in the field of its axis, and the order in which they turn."""
        orders = given_orders(orientation.order)
        _, fields = fields_of(orders)
        angles = self.numbers(orientation.angles_rad, DEGREE)
        return tuple(angles[fields.index(field)] for field in range(3)), orders

    def is_at_origin(self, name: str) -> bool:
        """Whether a segment starts with the ground's place and axes."""
        placed = self.pose[name]
        return bool(np.array_equal(placed.R_WS, np.eye(3)) and not placed.p_W.any())


def card(which: str, /, **values: Any) -> Row:
    """Make a card; what is not named is blank."""
    told = CARDS[which]
    for one in told.fields:
        blank: Any = "" if one.kind == "A" else 0
        given = values.get(one.name)
        if one.count:
            given = tuple(given or ())
            values[one.name] = given + (blank,) * (one.count - len(given))
        elif given is None:
            values[one.name] = blank
    return Row(told, values)


def many(which: str, field: str, numbers: Sequence[Any]) -> list[Row]:
    """Put numbers on as many cards as they need."""
    holds = CARDS[which].fields[-1].slots
    return [card(which, **{field: numbers[k : k + holds]}) for k in range(0, len(numbers), holds)]


def short(name: str, taken: set[str], most: int = 4) -> str:
    """A name of so many letters that no other has."""
    base, number = name[:most], 1
    while base in taken:
        tail = str(number)
        base, number = name[: most - len(tail)] + tail, number + 1
    taken.add(base)
    return base
