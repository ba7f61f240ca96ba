"""Cards E: functions, each made for the quantities that its user needs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from solver.base.words import Sentence
from solver.exchange.decks.giving import Giving, card
from solver.exchange.decks.numbers import DEGREE, Units, undone
from solver.exchange.decks.order import ENDS, Row
from solver.exchange.decks.taking import known
from solver.project.forms import samples
from solver.project.functions import Constant, Polynomial, Table, TwoRanges

if TYPE_CHECKING:
    from solver.exchange.decks.taking import Taking

ROLES: dict[str, tuple[str, str]] = {
    "force": ("m", "N"), "factor": ("m", "N"), "gate": ("m/s", "1"), "damping": ("m/s", "N"),
    "ratio": ("m", "1"), "webbing": ("1", "N"), "webbing_factor": ("1", "N"),
    "webbing_gate": ("1/s", "1"), "webbing_damping": ("1/s", "N"), "webbing_ratio": ("1", "1"),
    "torque": ("rad", "N*m"), "pull_by_rate": ("m/s", "N"), "force_by_time": ("s", "N"),
    "torque_by_time": ("s", "N*m"), "angle_by_time": ("s", "rad"), "gain": ("rad", "N*m/rad"),
    "rate_gain": ("rad", "N*m*s/rad"), "sum_gain": ("rad", "N*m/rad/s"), "contour": ("rad", "rad"),
    "plain": ("1", "1"), "drag": ("s", "1"),
}  # fmt: skip
"""Units of argument and value for everything that a function can be used for."""
NOTE_PLAIN = "In no use; its numbers are in the deck's own units."


def scales(taking: Taking, role: str) -> tuple[float, float]:
    """Give the factors to SI of argument and value, in the units of a deck that is read."""
    return scales_of(taking.units, role)


def scales_of(units: Units, role: str) -> tuple[float, float]:
    """Give the factors to SI of argument and value."""
    factor = {
        "1": 1.0, "m": units.length, "m/s": units.speed, "N": units.force, "N*m": units.torque,
        "s": units.time, "1/s": 1 / units.time, "rad": DEGREE, "N*m/rad": units.torque / DEGREE,
        "N*m*s/rad": units.torque * units.time / DEGREE,
        "N*m/rad/s": units.torque / units.time / DEGREE,
    }  # fmt: skip
    x, y = ROLES[role]
    # torques by overrun, and contours, are given by radians (reading guide, section 6)
    return (1.0 if role in ("torque", "contour") else factor[x]), (
        1.0 if role == "contour" else factor[y]
    )


def take_functions(taking: Taking) -> None:
    """Note which cards each function has; a later one of the same number replaces an earlier."""
    for block in taking.deck.blocks("E.1", "E.2", "E.3", "E.4.a", "E.4.b"):
        row = block[0]
        if row["number"] >= ENDS:
            taking.took(row)
            continue
        old = taking.functions.get(row["number"])
        if old is not None:
            for one in old:
                taking.impossible(one, "A later function has the same number and replaces it.")
        taking.functions[row["number"]] = block


def title_of(block: list[Row]) -> str:
    """A function's title, without the two zeros that old programs put behind it."""
    title: str = block[0]["title"]
    return title.strip()


def d_of(taking: Taking, number: int, index: int) -> float:
    """One of a function's numbers D0 to D4; 0 for no function."""
    block = taking.functions.get(abs(number))
    return float(block[1]["d"][index]) if block else 0.0


def constant_of(taking: Taking, number: int) -> float | None:
    """Give a function's value where it is the same everywhere."""
    block = taking.functions.get(abs(number))
    if block is None:
        return None
    d = block[1]["d"]
    return float(d[2]) if d[1] == 0.0 else None


class Functions:
    """Make functions for their users, each once for the same use."""

    def __init__(self, taking: Taking) -> None:
        self.taking = taking
        self._made: dict[tuple[int, str], str] = {}

    def of(self, row: Row, number: int, role: str) -> str | None:
        """The id of a function made for a use; none for number 0."""
        number = abs(number)
        if number == 0:
            return None
        if (number, role) not in self._made:
            block = self.taking.functions.get(number)
            if block is None:
                why = Sentence(
                    "there is no function {number}; cards E.1 make {known}, and 0 is none.",
                    number=number, known=known(self.taking.functions),
                )  # fmt: skip
                self.taking.refuse(row, "functions", why)
                return None
            self._made[number, role] = self._make(block, number, role)
        return self._made[number, role]

    def value(self, row: Row, number: int, role: str) -> float | str | None:
        """A number where a function is constant, else its id; none for number 0."""
        constant = constant_of(self.taking, number) if number else None
        if constant is None:
            return self.of(row, number, role)
        for one in self.taking.functions[abs(number)]:
            self.taking.took(one)
        return constant * scales(self.taking, role)[1]

    def rest(self) -> None:
        """Keep functions that nobody uses, as plain numbers."""
        for number, block in self.taking.functions.items():
            if not self.taking.is_told(block[0]):
                self._make(block, number, "plain")

    def _make(self, block: list[Row], number: int, role: str) -> str:
        taking = self.taking
        form = self._form(block, *scales(taking, role))
        first = not any(made == number for made, _ in self._made)
        name = taking.named("functions", f"f{number}" + ("" if first else f"_{role}"), f"f{number}")
        plain = role == "plain"
        path = taking.add(
            "functions", block[0], id=name, name=title_of(block), group="Curves",
            note=NOTE_PLAIN if plain else None,
            x_unit=ROLES[role][0], y_unit=ROLES[role][1], form=form,
        )  # fmt: skip
        for one in block:
            if plain:
                taking.note(one, "Nothing uses this function; it is kept with plain numbers.", path)
            else:
                taking.took(one, path)
        return name

    def _form(self, block: list[Row], x: float, y: float) -> dict[str, Any]:
        d = block[1]["d"]
        if d[1] == 0.0:
            return {"kind": "constant", "value": d[2] * y}
        rest = iter(block[2:])
        first = self._part(rest, d[0], d[1], x, y, block[1])
        if d[2] == 0.0:
            return first
        second = self._part(rest, abs(d[1]), d[2], x, y, block[1])
        return {"kind": "two_ranges", "split": abs(d[1]) * x, "first": first, "second": second}

    def _part(
        self, rest: Any, low: float, high: float, x: float, y: float, row: Row
    ) -> dict[str, Any]:
        if high > 0.0:
            a = list(next(rest)["a"])
            while len(a) > 1 and a[-1] == 0.0:
                a.pop()
            return {
                "kind": "polynomial",
                "coefficients": [value * (y / x**k) for k, value in enumerate(a)],
                "x_min": low * x,
                "x_max": high * x,
            }
        points = next(rest)["points"]
        numbers = list[float]()
        while len(numbers) < 2 * points:
            numbers += next(rest)["pairs"]
        pairs = [(numbers[2 * k], numbers[2 * k + 1]) for k in range(points)]
        if pairs and pairs[-1][0] < abs(high):
            sentence = Sentence(
                "The table ends at {end:g}, before {high:g}; its last value holds.",
                end=pairs[-1][0], high=abs(high),
            )  # fmt: skip
            self.taking.rule(row, sentence)
        return {"kind": "table", "x": [p[0] * x for p in pairs], "y": [p[1] * y for p in pairs]}


# Cards E of a project's functions: the way back of `functions`.

_NUMBERED = re.compile(r"f(\d{1,3})(?:_|$)")
WIDE = 1e5
"""Where a line or a constant by a rate ends, in the deck's units."""


class GivenFunctions:
    """Numbers to functions as they are asked for, each use with what else its cards hold."""

    def __init__(self, giving: Giving) -> None:
        self.giving = giving
        self.rows = list[Row]()
        self.used_elsewhere = set[str]()
        """Functions that other cards hold, as the pulse of a vehicle."""
        self._made: dict[tuple[Any, ...], int] = {}

    def of(self, value: float | str | None, role: str, d3: float = 0.0, d4: float = 0.0) -> int:
        """The number of a function, or of a constant; 0 for none."""
        if value is None:
            return 0
        key = (value, ROLES[role], d3, d4)
        if key not in self._made:
            self._made[key] = self._number(value)
            self._write(self._made[key], value, role, d3, d4)
        return self._made[key]

    def _number(self, value: float | str | None) -> int:
        """The number that a function had in a deck, or the next one that is free."""
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
        """The number of a straight line through zero, to both sides."""
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
        """A form that cards can hold: a polynomial, or points joined by lines."""
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
