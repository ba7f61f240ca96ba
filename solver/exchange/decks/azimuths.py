"""Cards E.7: torques by flexure and azimuth."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from solver.exchange.decks.order import ENDS, Row
from solver.exchange.decks.units import DEGREE

if TYPE_CHECKING:
    from solver.exchange.decks.taking import Taking


class Azimuths:
    """Make functions of one set of cards E.7."""

    def __init__(self, taking: Taking, block: list[Row]) -> None:
        self.taking, self.block = taking, block
        self._made: list[tuple[float, str]] | None = None
        self._both: str | None = None
        head = block[2]
        self.angles, self.count = head["angles"], head["azimuths"]
        values = [value for row in block[3:] for value in row["values"]]
        per = -(-abs(self.angles) // 6) * 6
        self.rows = [values[k * per : k * per + abs(self.angles)] for k in range(self.count)]

    def _curve(self, k: int) -> tuple[list[float], list[float]]:
        """Give torque by flexure at one azimuth; nothing below zero."""
        row, torque = self.rows[k % self.count], self.taking.units.torque
        if self.angles >= 0:
            step, start = math.pi / max(self.angles - 1, 1), row[0] * DEGREE
            points = [(i * step, row[i] * torque) for i in range(1, self.angles)]
            points = [(x, y) for x, y in points if x > start]
            points = [(0.0, 0.0), *([(start, 0.0)] if start > 0.0 else []), *points]
            return [x for x, _ in points], [max(y, 0.0) for _, y in points]
        start = row[0] * DEGREE
        xs = [i * DEGREE for i in range(181)]
        ys = [
            max(sum(c * max(x - start, 0.0) ** (n + 1) for n, c in enumerate(row[1:])), 0.0)
            for x in xs
        ]
        return xs, [y * torque for y in ys]

    def functions(self) -> list[tuple[float, str]]:
        """Give azimuths with their functions."""
        if self._made is None:
            self._made = []
            for k in range(self.count):
                x, y = self._curve(k)
                name = self._add(f"f{self.block[0]['number']}_{k + 1}", x, y)
                self._made.append((-math.pi + k * 2.0 * math.pi / self.count, name))
        return self._made

    def two_sided(self) -> str:
        """Give one function: azimuth 0 for positive angles, 180 degrees for negative ones."""
        if self._both is None:
            up, down = self._curve(self.count // 2), self._curve(0)
            x = [-value for value in reversed(down[0][1:])] + up[0]
            y = [-value for value in reversed(down[1][1:])] + up[1]
            self._both = self._add(f"f{self.block[0]['number']}_both", x, y)
        return self._both

    def _add(self, name: str, x: list[float], y: list[float]) -> str:
        row = self.block[0]
        name = self.taking.named("functions", name, "azimuth")
        path = self.taking.add("functions", row, id=name, name=row["title"].strip(), group="Curves",
                               x_unit="rad", y_unit="N*m", form={"kind": "table", "x": x, "y": y})  # fmt: skip
        for one in self.block:
            self.taking.took(one, path)
        return name


def azimuths_of(taking: Taking) -> dict[int, Azimuths]:
    """Give these functions by their numbers."""
    found = dict[int, Azimuths]()
    for block in taking.deck.blocks("E.7.a", "E.7.b", "E.7.c", "E.7.d"):
        if block[0]["number"] >= ENDS:
            taking.took(block[0])
        elif len(block) > 3:
            found[block[0]["number"]] = Azimuths(taking, block)
    return found


def tell_unused(taking: Taking) -> None:
    """Say which of these functions no joint uses."""
    for row in taking.deck.of("E.7.a", "E.7.b", "E.7.c", "E.7.d"):
        if not taking.is_told(row):
            taking.note(row, "No joint uses this function.")
