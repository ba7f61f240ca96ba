"""Cards E of a project's functions: the way back of `functions`."""

from __future__ import annotations

import re
from typing import Any

from solver.exchange.decks.functions import ROLES, scales_of
from solver.exchange.decks.giving import Giving, card
from solver.exchange.decks.order import Row
from solver.exchange.decks.units import undone
from solver.project.forms import samples
from solver.project.functions import Constant, Polynomial, Table, TwoRanges

_NUMBERED = re.compile(r"f(\d{1,3})(?:_|$)")
WIDE = 1e5
"""Where a line or a constant by a rate ends, in the deck's units."""


class GivenFunctions:
    """Give numbers to functions as they are asked for, each use with what else its cards hold."""

    def __init__(self, giving: Giving) -> None:
        self.giving = giving
        self.rows = list[Row]()
        self.used_elsewhere = set[str]()
        """Functions that other cards hold, as the pulse of a vehicle."""
        self._made: dict[tuple[Any, ...], int] = {}

    def of(self, value: float | str | None, role: str, d3: float = 0.0, d4: float = 0.0) -> int:
        """Give the number of a function, or of a constant; 0 for none."""
        if value is None:
            return 0
        key = (value, ROLES[role], d3, d4)
        if key not in self._made:
            self._made[key] = self._number(value)
            self._write(self._made[key], value, role, d3, d4)
        return self._made[key]

    def _number(self, value: float | str | None) -> int:
        """Give the number that a function had in a deck, or the next one that is free."""
        taken = set(self._made.values())
        had = _NUMBERED.match(value) if isinstance(value, str) else None
        if had and int(had[1]) not in taken:
            return int(had[1])
        known = {int(m[1]) for name in self.giving.functions if (m := _NUMBERED.match(name))}
        number = 1
        while number in taken or number in known:
            number += 1
        return number

    def rest(self) -> None:
        """Write functions that nothing uses as plain numbers; others are named."""
        used = {key[0] for key in self._made}
        for name, one in self.giving.functions.items():
            if name in used or name in self.used_elsewhere:
                continue
            if (one.x_unit, one.y_unit) == ROLES["plain"]:
                self.of(name, "plain")
            else:
                self.giving.lose(f"functions/{name}", "No card uses it; it is left out.")

    def line(self, slope: float, role: str) -> int:
        """Give the number of a straight line through zero, to both sides."""
        key = ("line", slope, role)
        if key not in self._made:
            number = self._made[key] = self._number(None)
            x, y = scales_of(self.giving.units, role)
            self._head(number, f"{slope:g} X", (-WIDE, WIDE))
            self.rows.append(card("E.3", a=(0.0, undone(slope, y / x))))
        return self._made[key]

    def _head(self, number: int, title: str, d: tuple[float, ...]) -> None:
        self.rows += [card("E.1", number=number, title=title[:20]), card("E.2", d=d)]

    def _write(self, number: int, value: float | str, role: str, d3: float, d4: float) -> None:
        x, y = scales_of(self.giving.units, role)
        if isinstance(value, int | float):
            self._head(number, f"{value:g}", (0.0, 0.0, undone(value, y), d3, d4))
            return
        told = self.giving.functions[value]
        form: Any = told.form
        title = told.name or told.id
        if isinstance(form, Constant):
            self._head(number, title, (0.0, 0.0, undone(form.value, y), d3, d4))
            return
        if isinstance(form, TwoRanges):
            split = undone(form.split, x)
            first, last = self._sound(form.first, value), self._sound(form.second, value)
            low, _ = self._ends(first, x)
            _, high = self._ends(last, x)
            one = split if isinstance(first, Polynomial) else -split
            two = high if isinstance(last, Polynomial) else -high
            self._head(number, title, (low, one, two, d3, d4))
            self._part(first, x, y)
            self._part(last, x, y)
            return
        form = self._sound(form, value)
        low, high = self._ends(form, x)
        if high <= 0.0:
            self.giving.lose(
                f"functions/{value}", "A function that ends at or below zero is not written."
            )
            high = 1.0
        self._head(
            number, title, (low, high if isinstance(form, Polynomial) else -high, 0.0, d3, d4)
        )
        self._part(form, x, y)

    def _sound(self, form: Any, name: str) -> Polynomial | Table:
        """Give a form that cards can hold: a polynomial, or points joined by lines."""
        if isinstance(form, Polynomial):
            return form
        if isinstance(form, Constant):
            return Table(x=(0.0, 1.0), y=(form.value, form.value))
        if isinstance(form, Table) and form.between == "lines":
            return form
        drawn = samples(form)
        self.giving.lose(
            f"functions/{name}", "A smooth or swinging curve is written as points joined by lines."
        )
        return Table(x=tuple(float(v) for v in drawn[0]), y=tuple(float(v) for v in drawn[1]))

    def _ends(self, form: Polynomial | Table, x: float) -> tuple[float, float]:
        if isinstance(form, Polynomial):
            return undone(form.x_min, x) if form.x_min else 0.0, undone(form.x_max, x)
        return undone(form.x[0], x) if form.x[0] else 0.0, undone(form.x[-1], x)

    def _part(self, form: Polynomial | Table, x: float, y: float) -> None:
        if isinstance(form, Polynomial):
            a = [
                undone(value, y / x**k) if value else 0.0
                for k, value in enumerate(form.coefficients)
            ]
            self.rows.append(card("E.3", a=a))
            return
        pairs = [
            v for p in zip(form.x, form.y, strict=True) for v in (undone(p[0], x), undone(p[1], y))
        ]
        self.rows.append(card("E.4.a", points=len(form.x)))
        self.rows += [card("E.4.b", pairs=pairs[k : k + 6]) for k in range(0, len(pairs), 6)]
