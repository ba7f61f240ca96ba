"""Cards E: functions, each made for the quantities that its user needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solver.base.words import Sentence
from solver.exchange.decks.order import ENDS, Row
from solver.exchange.decks.units import DEGREE, Units

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
    """Give a function's title, without the two zeros that old programs put behind it."""
    title: str = block[0]["title"]
    return title.strip()


def d_of(taking: Taking, number: int, index: int) -> float:
    """Give one of a function's numbers D0 to D4; 0 for no function."""
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
        """Give the id of a function made for a use; none for number 0."""
        number = abs(number)
        if number == 0:
            return None
        if (number, role) not in self._made:
            block = self.taking.functions.get(number)
            if block is None:
                why = Sentence("there is no function {number}.", number=number)
                self.taking.refuse(row, "functions", why)
                return None
            self._made[number, role] = self._make(block, number, role)
        return self._made[number, role]

    def value(self, row: Row, number: int, role: str) -> float | str | None:
        """Give a number where a function is constant, else its id; none for number 0."""
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
            told = Sentence(
                "The table ends at {end:g}, before {high:g}; its last value holds.",
                end=pairs[-1][0], high=abs(high),
            )  # fmt: skip
            self.taking.rule(row, told)
        return {"kind": "table", "x": [p[0] * x for p in pairs], "y": [p[1] * y for p in pairs]}
