"""Cards B.3 to B.5: joints, their springs and stops, friction and locks; E.7 and F.4: torques by azimuth."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from solver.base.words import Sentence
from solver.exchange.decks.functions import Functions, d_of
from solver.exchange.decks.numbers import DEGREE
from solver.exchange.decks.order import ENDS, Row, is_euler
from solver.exchange.decks.taking import known

if TYPE_CHECKING:
    from solver.exchange.decks.taking import Taking

# Cards E.7: torques by flexure and azimuth.


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
        """One function: azimuth 0 for positive angles, 180 degrees for negative ones."""
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


KINDS = {0: "ball", 1: "pin", 2: "ball", 3: "ball", 5: "slip", 6: "slip", 7: "slip"}
ROTATIONS = {5: "ball", 6: "pin_y", 7: "pin_z"}
STATES = {  # held axes of an Euler joint by its state: precession, nutation, spin (section 6.3, Table 6.1)
    1: (True, False, False), 2: (False, True, False), 3: (False, False, True),
    4: (False, True, True), 5: (True, False, True), 6: (True, True, False),
    7: (True, True, True), 8: (False, False, False),
}  # fmt: skip
EULER_AXES = ("precession", "nutation", "spin")


def take_joints(taking: Taking, functions: Functions) -> None:
    """Take the joints; a joint without an inner segment makes the next segment a root."""
    deck = taking.deck
    azimuths = azimuths_of(taking)
    springs = deck.blocks("B.4.a", "B.4.b")
    frictions = deck.blocks("B.5.a", "B.5.b", "B.5.c")
    stops = {row["joint"]: row for row in deck.of("F.4.b")}
    for number, block in enumerate(deck.blocks("B.3.a", "B.3.b"), 1):
        cards = (*block, *springs[number - 1], *frictions[number - 1])
        row = block[0]
        if row["inner"] == 0:
            taking.joints.append("")
            for one in cards:
                taking.rule(one, "No inner segment: the next segment is the root of another tree.")
            continue
        if row["inner"] < 0:
            taking.rule(
                row, "Its inner segment is below zero: part of a flexible element (cards B.7)."
            )
        if not 0 < abs(row["inner"]) <= number:
            why = Sentence(
                "segment {inner} does not come before segment {outer}, which it carries: 1 to {last} do, and 0 begins another tree.",
                inner=abs(row["inner"]), outer=number + 1, last=number,
            )  # fmt: skip
            taking.refuse(row, "inner", why)
            taking.joints.append("")
            continue
        path = _Joint(taking, functions, cards, number, azimuths, stops.get(number)).add()
        for card in cards:
            taking.took(card, path)
    for row in deck.of("F.4.a"):
        taking.took(row)
    for row in deck.of("F.4.b"):
        if not taking.is_told(row):
            taking.impossible(row, "Its joint has no globographic stop (type 3 or an Euler joint).")
    tell_unused(taking)


class _Joint:
    """Make one joint of its cards."""

    def __init__(
        self, taking: Taking, functions: Functions, cards: Sequence[Row], number: int,
        azimuths: dict[int, Azimuths], stop: Row | None,
    ) -> None:  # fmt: skip
        self.taking, self.functions = taking, functions
        self.row, self.axes = cards[0], cards[1]
        self.springs = [one for one in cards if one.name.startswith("B.4")]
        self.frictions = [one for one in cards if one.name.startswith("B.5")]
        self.azimuths, self.stop = azimuths, stop
        self.number = number
        self.name = taking.named("joints", self.row["name"], f"joint_{number}")
        taking.joints.append(self.name)

    def add(self) -> str:
        """Add it and give its path."""
        row, taking = self.row, self.taking
        kind = abs(row["type"])
        fields: dict[str, Any] = {
            "parent": taking.segments[abs(row["inner"]) - 1],
            "child": taking.segments[self.number],
            "parent_frame": self._frame("inner", 0),
            "child_frame": self._frame("outer", 3),
        }
        if is_euler(row):
            fields |= {"kind": "euler", **self._euler()}
        elif kind in KINDS:
            fields |= {"kind": KINDS[kind], **self._plain(kind)}
        else:
            why = Sentence("{type} is no type of joint: -10 to 7 are.", type=row["type"])
            taking.refuse(row, "type", why)
            fields["kind"] = "ball"
        if any(self.axes["centre_angles"]) and not is_euler(row):
            taking.impossible(self.axes, "Centre angles are taken for Euler joints only.")
        shown = row["name"].strip()
        return taking.add("joints", row, id=self.name, name=shown, group="Occupant", **fields)

    def _frame(self, side: str, first: int) -> dict[str, Any]:
        taking = self.taking
        made: dict[str, Any] = {"position_m": taking.lengths(self.row[f"{side}_point"])}
        which = slice(first, first + 3)
        turn = taking.turn(self.axes, f"{side}_angles", "orders", which)
        if turn:
            made["orientation"] = turn
        return made

    def _plain(self, kind: int) -> dict[str, Any]:
        first, friction = self.springs[0], self.frictions[0]
        made: dict[str, Any] = {"friction": self._friction(friction)}
        locks = kind != 0
        made["lock"] = self._lock(friction, self.row["type"] < 0) if locks else {}
        one = first["first"], first["first_stop"]
        two = first["second"], first["second_stop"]
        if kind == 1:
            made["spring"] = self._spring(first, *one, friction, as_pin=True)
            if any(two[0]):
                self.taking.rule(first, "A pin has no torsion; the second five numbers do nothing.")
            return made
        if kind in (0, 2, 3, 5):
            if one[0][0] < 0.0:
                made["by_azimuth"] = self._by_azimuth(first, -one[0][0])
            else:
                made["flexure"] = self._spring(first, *one, friction)
            made["torsion"] = self._spring(first, *two, friction, as_torsion=True)
        elif kind == 6:
            made["flexure"] = self._spring(first, *one, friction, as_pin=True)
        else:
            made["torsion"] = self._spring(first, *two, friction, as_torsion=True)
        if kind >= 5:
            made |= {"rotation": ROTATIONS[kind], "slide": self._slide()}
        if kind == 3:
            made["globographic"] = self._globographic()
        return {name: value for name, value in made.items() if value is not None}

    def _slide(self) -> dict[str, Any]:
        row, force = self.row, self.taking.units.force
        made: dict[str, Any] = {"locked": row["state"] == -1}
        low, high = sorted((row["tension"], row["compression"]))
        if low or high:
            made |= {"release_below_n": low * force, "release_above_n": high * force}
            self.taking.rule(row, "The lower limit opens the slide below it, the higher one above.")
        return made

    def _euler(self) -> dict[str, Any]:
        row = self.row
        state = (
            row["state"] if 1 <= row["state"] <= 8 else 8 if row["type"] == 4 else 11 + row["type"]
        )
        held = STATES.get(state)
        if held is None:
            why = Sentence(
                "type {type} is no state of an Euler joint: 4 and -4 to -10 are, or 1 to 8 in columns 51-54.",
                type=row["type"],
            )
            self.taking.refuse(row, "type", why)
            return {}
        card, last = self.springs
        sets = ((card, card["first"], card["first_stop"]), (card, card["second"], card["second_stop"]),
                (last, last["third"], last["third_stop"]))  # fmt: skip
        if any(last["start"]):
            self.taking.rule(last, "Its start angles are not used: cards G.3 say where it stands.")
        made: dict[str, Any] = {}
        for axis, axis_row, rubs, is_held, centre in zip(
            EULER_AXES, sets, self.frictions, held, self.axes["centre_angles"], strict=True
        ):
            made[axis] = {
                "centre_rad": centre * DEGREE,
                "spring": self._spring(*axis_row, rubs),
                "friction": self._friction(rubs),
                "lock": self._lock(rubs, is_held),
            }
        if self.stop is not None:
            made["globographic"] = self._globographic()
        return made

    def _spring(
        self, row: Row, s: Sequence[float], stop: float, rubs: Row,
        as_pin: bool = False, as_torsion: bool = False,
    ) -> dict[str, Any]:  # fmt: skip
        torque = self.taking.units.torque
        made: dict[str, Any] = {}
        if rubs["impulse"]:
            made["restitution"] = self._restitution(rubs)
        if s[0] < 0.0:
            function = self._two_sided(row, -s[0])
            return made | ({"torque": function} if function else {})
        if not any(s[:3]):
            return made | ({"stop_rad": stop * DEGREE} if stop > 0.0 else {})
        if not 0.0 <= s[3] <= 1.0:
            why = Sentence("the part given back is {value:g}; it lies between 0 and 1.", value=s[3])
            self.taking.refuse(row, "first", why)
            return made
        if stop > 0.0:
            made |= {"linear_nm_per_rad": s[0] * (torque / DEGREE), "stop_rad": stop * DEGREE,
                     "quadratic_nm_per_rad2": s[1] * (torque / DEGREE**2),
                     "cubic_nm_per_rad3": s[2] * (torque / DEGREE**3)}  # fmt: skip
            made = {k: v for k, v in made.items() if v}
            if s[3] != 1.0:
                made["returned_ratio"] = s[3]
            if s[1] < 0.0 or s[2] < 0.0:
                self.taking.rule(
                    row,
                    "A coefficient below zero is taken as it stands: beyond the stop it drives on.",
                )
            return made
        if s[1] or s[2]:
            self.taking.rule(
                row, "Without a stop angle the second and third coefficient do nothing."
            )
        if not s[0]:
            return made
        if s[3] == 1.0:
            return made | {"linear_nm_per_rad": s[0] * (torque / DEGREE)}
        self.taking.rule(
            row, "Without a stop angle the whole linear torque gives back only its part."
        )
        name = self._line(row, s[0] * torque / DEGREE)
        return made | {"torque": name, "returned_ratio": s[3]}

    def _line(self, row: Row, slope: float) -> str:
        name = self.taking.named("functions", f"{self.name}_linear", "linear")
        form = {"kind": "table", "x": [-math.pi, math.pi], "y": [-slope * math.pi, slope * math.pi]}
        self.taking.add(
            "functions", row, id=name, group="Curves", x_unit="rad", y_unit="N*m", form=form
        )
        return name

    def _restitution(self, rubs: Row) -> float | None:
        value = 2.0 * rubs["impulse"] - 1.0
        if not 0.0 <= value <= 1.0:
            why = Sentence(
                "{value:g} is no factor of an impulse; it lies between 0.5 and 1.",
                value=rubs["impulse"],
            )
            self.taking.refuse(rubs, "impulse", why)
            return None
        return float(value)

    def _friction(self, row: Row) -> dict[str, Any]:
        units = self.taking.units
        made: dict[str, Any] = {}
        if row["viscous"]:
            made["viscous_nms_per_rad"] = row["viscous"] * (units.torque * units.time / DEGREE)
        if row["coulomb"]:
            made["coulomb_nm"] = row["coulomb"] * units.torque
        if row["full_rate"] > 0.0:
            made["full_rate_rad_per_s"] = row["full_rate"] * (DEGREE / units.time)
        else:
            self.taking.rule(row, "Without a rate of full friction 30 deg/s is taken.")
        return made

    def _lock(self, row: Row, locked: bool) -> dict[str, Any]:
        torque = self.taking.units.torque
        made: dict[str, Any] = {"locked": True} if locked else {}
        if row["unlock"] > 0.0:
            made["unlock_torque_nm"] = row["unlock"] * torque
        if row["lock"] > 0.0:
            made["lock_torque_nm"] = row["lock"] * torque
            if row["lock_rate"]:
                self.taking.rule(row, "With a torque to lock at, the rate to lock at does nothing.")
        elif row["lock_rate"] > 0.0:
            made["lock_rate_rad_per_s"] = row["lock_rate"] / self.taking.units.time
        return made

    def _by_azimuth(self, row: Row, number: float) -> dict[str, Any] | None:
        table = self.azimuths.get(int(number))
        if table is None:
            self.taking.refuse(
                row,
                "first",
                Sentence(
                    "there is no function {number}: cards E.7 make {known}.",
                    number=int(number),
                    known=known(self.azimuths),
                ),
            )
            return None
        return {
            "around": [
                {"azimuth_rad": azimuth, "torque": name} for azimuth, name in table.functions()
            ]
        }

    def _two_sided(self, row: Row, number: float) -> str | None:
        """Make one function of both sides: torsion and pins know azimuth 0 and 180 degrees only."""
        table = self.azimuths.get(int(number))
        if table is None:
            self.taking.refuse(
                row,
                "first",
                Sentence(
                    "there is no function {number}: cards E.7 make {known}.",
                    number=int(number),
                    known=known(self.azimuths),
                ),
            )
            return None
        self.taking.rule(
            row, "The function's azimuth 0 acts to one side, 180 degrees to the other."
        )
        return table.two_sided()

    def _globographic(self) -> dict[str, Any] | None:
        stop = self.stop
        if stop is None:
            self.taking.rule(self.row, "No card F.4.b gives its stop contour; it turns freely.")
            return None
        f = stop["functions"]
        torque = self.functions.of(stop, f[0], "torque")
        contour = self.functions.of(stop, f[1], "contour")
        if torque is None or contour is None:
            self.taking.impossible(
                stop, "A globographic stop needs functions of torque and contour."
            )
            return None
        block = self.taking.functions[abs(f[1])]
        if d_of(self.taking, f[1], 1) > 0.0 and d_of(self.taking, f[1], 2) > 0.0:
            sentence = (
                "Its contour is two polynomials of the cosine of the azimuth; it is kept as points."
            )
            self.taking.rule(stop, sentence)
            self._points_of(block, contour)
        self.taking.took(stop, f"joints/{self.name}")
        return {"contour": {"kind": "function", "angle": contour}, "torque": torque}

    def _points_of(self, block: list[Row], name: str) -> None:
        """Turn P1(cos) + sin P2(cos) into points of the azimuth, a degree apart."""
        first, second = (one["a"] for one in block[2:4])
        xs = [k * DEGREE for k in range(361)]
        ys = [
            sum(a * math.cos(x) ** k for k, a in enumerate(first))
            + math.sin(x) * sum(a * math.cos(x) ** k for k, a in enumerate(second))
            for x in xs
        ]
        self.taking.element("functions", name)["form"] = {"kind": "table", "x": xs, "y": ys}
