"""From cards to connectors: the fifteen of the report, what resists in them, locks, breaks, pulls, and moves by itself."""

from __future__ import annotations

import math
from typing import Any

from solver.base.words import Sentence
from solver.exchange.variseg.cards import GROUND, TYPES, Card, System
from solver.exchange.variseg.placing import Placing

NAMES = tuple(TYPES)
LINES = {
    "EXT0": "none", "EXT2": "both", "EXT1": "one", "RIGID1": "one", "RIGID2": "both", "BREAKEXT2": "both",
    "BREAKEXT1": "one", "BREAKEXT0": "none", "NECK": "both",
}  # fmt: skip
"""Connectors with a line between two ends, and at which of these they turn."""
LOCKED = ("LOCKPIN", "BREAKPIN", "BREAKEXT2", "BREAKEXT1", "BREAKEXT0")
BREAKING = ("BREAKPIN", "BREAKEXT2", "BREAKEXT1", "BREAKEXT0", "ROLL")
AXES = {"FROM": "at_parent", "TO": "at_child", "LENG": "length"}
TURNING = {"none": (), "parent": ("FROM",), "child": ("TO",), "both": ("FROM", "TO")}
FAR_M = 100.0
"""Way to both sides up to which a spring along a line is told."""
QUANTITIES = {
    "POS": ("position", ("m", "rad")),
    "VEL": ("velocity", ("m/s", "rad/s")),
    "ACC": ("acceleration", ("m/s2", "rad/s2")),
}
BETWEEN = {"POS": "four_points", "VEL": "spline", "ACC": "lines"}
"""How tables are joined: a position by the cubics of equation (50), a velocity smoothly, an acceleration by lines (55)."""


def type_of(card: Card) -> str:
    """The name of a connector's type, by name or number; as it is written where it is none."""
    told = card.text("TYPE").upper()
    if told.isdecimal() and 1 <= int(told) <= len(NAMES):
        return NAMES[int(told) - 1]
    return told


def carries(card: Card) -> bool:
    """Whether a connector says where the segment stands that it goes to."""
    return type_of(card) not in ("ROLL", "SHOULDER")


class Connecting(Placing):
    """Make connectors and what belongs to them."""

    def _conn(self, card: Card) -> str:
        kind = type_of(card)
        self._of(card, "FROM"), self._of(card, "TO")
        if kind not in TYPES:
            known = ", ".join(NAMES)
            self._wrong(card, Sentence("'{type}' is no connector; there are 1 to 15, or {known}.", type=card.text("TYPE"), known=known))  # fmt: skip
            return ""
        if kind in LOCKED and card.name not in self.by["LOCK"]:
            self._wrong(card, Sentence("{type} needs a card LOCK of its name.", type=kind))
        if kind in BREAKING[:-1] and card.name not in self.by["BRK"]:
            self._wrong(card, Sentence("{type} needs a card BRK of its name.", type=kind))
        if kind == "ROLL":
            return self._roll(card)
        if kind == "SHOULDER":
            return self._shoulder(card)
        return self._line_joint(card, kind) if kind in LINES else self._pin(card, kind)

    def _segment(self, card: Card, name: str) -> str:
        return "ground" if card.text(name) == GROUND else card.text(name)

    def _ends(self, card: Card) -> tuple[dict[str, Any], dict[str, Any]]:
        units = self._system(card)
        ends = (("FROM", "XF", "ZF"), ("TO", "XT", "ZT"))
        one, two = ({"position_m": self._point(card, card.text(s), x, z, units)} for s, x, z in ends)  # fmt: skip
        return one, two

    def _pin(self, card: Card, kind: str) -> str:
        one, two = self._ends(card)
        if kind == "RIGID":
            rest = self._placed(card.text("TO")).angle - self._placed(card.text("FROM")).angle
            if card.number("LENG"):
                along, length = self._dir(card), card.number("LENG") * self._system(card).length
                x, y, z = one["position_m"]
                one["position_m"] = [x + length * math.cos(along), y, z - length * math.sin(along)]
        else:
            force = self.by["JFOR"].get(card.name)
            rest = force.number("REST") * self._system(force).angle if force else 0.0
        if rest and card.name in self.by["BRK"]:
            # limits are those along FROM's own axes
            two["orientation"] = {"angles_rad": [0.0, -rest, 0.0]}
        elif rest:
            one["orientation"] = {"angles_rad": [0.0, rest, 0.0]}
        return self._add(
            "joints", card, kind="locked" if kind == "RIGID" else "pin", parent=self._segment(card, "FROM"),
            child=card.text("TO"), parent_frame=one, child_frame=two,
        )  # fmt: skip

    def _dir(self, card: Card) -> float:
        """The angle from FROM's x to the line at the start."""
        return card.number("DIR") * self._system(card).angle * self._axes(card.text("FROM")).sense

    def _at_to(self, card: Card) -> float:
        """The angle from the line to TO's x at the start."""
        begins = self._placed(card.text("FROM")).angle + self._dir(card)
        return self._placed(card.text("TO")).angle - begins

    def _line_joint(self, card: Card, kind: str) -> str:
        rotation = LINES[kind]
        if rotation == "one":
            end = card.text("END").upper()
            if end not in ("FROM", "TO"):
                self._wrong(card, Sentence("field END is FROM or TO."))
            rotation = "parent" if end == "FROM" else "child"
        if card.number("LENG") <= 0.0:
            self._wrong(card, Sentence("its line has a length above zero at the start."))
        one, two = self._ends(card)
        # z of both frames goes along the line: x turned by 90 degrees clockwise of z up
        along = self._dir(card) + 0.5 * math.pi
        one["orientation"] = {"angles_rad": [0.0, along, 0.0]}
        two["orientation"] = {"angles_rad": [0.0, 0.5 * math.pi - self._at_to(card), 0.0]}
        return self._add(
            "joints", card, kind="extensional", parent=self._segment(card, "FROM"), child=card.text("TO"),
            parent_frame=one, child_frame=two, rotation=rotation, rigid=kind.startswith("RIGID"),
        )  # fmt: skip

    def _start_of_line(self, card: Card) -> bool:
        """Start a segment at the end of a line by the line's own coordinates; says whether it hangs at one."""
        joint = self._joint(card.name)
        if joint is None or joint["kind"] != "extensional":
            return False
        spins = self._placed(card.text("TO")).rate - self._placed(card.text("FROM")).rate
        length = card.number("LENG") * self._system(card).length
        turns = TURNING[joint["rotation"]]
        values = [*([0.0] if "FROM" in turns else []), length, *([0.0] if "TO" in turns else [])]  # fmt: skip
        rates = [0.0] * len(values)
        if turns:
            rates[-1 if "TO" in turns else 0] = spins
        start: dict[str, Any] = {"joint": card.name, "values": values}
        if any(rates):
            start["rates"] = rates
        self.data["initial"].setdefault("joints", []).append(start)
        return True

    def _joint(self, name: str) -> Any:
        return next((one for one in self.data.get("joints", []) if one["id"] == name), None)

    def _roll(self, card: Card) -> str:
        units = self._system(card)
        shape, on = card.text("SHAP"), card.text("ON")
        kinds = tuple("ELL" if one in self.by["ELL"] else "LINE" if one in self.by["LINE"] else "" for one in (shape, on))  # fmt: skip
        if "" in kinds or kinds == ("LINE", "ELL"):
            self._wrong(card, Sentence("SHAP and ON name an ellipse on a line or on an ellipse, or a line on a line."))  # fmt: skip
            return ""
        for name, end in ((shape, "TO"), (on, "FROM")):
            owner = (self.by["ELL"].get(name) or self.by["LINE"][name]).text("SEG")
            if owner != card.text(end):
                self._wrong(card, Sentence("'{name}' is on {owner}, not on {end}.", name=name, owner=owner, end=card.text(end)))  # fmt: skip
        held = {"static_force_n": card.number("HOLD") * units.force, "sliding_force_n": card.number("SLID") * units.force}  # fmt: skip
        never = "HOLD" not in card.given
        if kinds[0] == "LINE":
            return self._add("constraints", card, kind="edge_on_edge", plane=shape, on=on, **({"mode": "held"} if never else held))  # fmt: skip
        law = {"mode": "roll"} if never else {"friction_law": "force", **held}
        other = {"plane": on} if kinds[1] == "LINE" else {"other": {"segment": card.text("FROM"), "surface": on}}  # fmt: skip
        surface = {"segment": card.text("TO"), "surface": shape}
        return self._add("constraints", card, kind="roll_slide", surface=surface, **other, **law)

    def _shoulder(self, card: Card) -> str:
        units, (one, two) = self._system(card), self._ends(card)
        if card.number("RS") <= 0.0 or card.number("STIF") <= 0.0:
            self._wrong(card, Sentence("RS and STIF are above zero."))
        return self._add(
            "springs", card, kind="linear", a={"segment": self._segment(card, "FROM"), **one}, b={"segment": card.text("TO"), **two},
            rest_length_m=card.number("RS") * units.length, stiffness_n_per_m=card.number("STIF") * units.force / units.length,
            damping_ns_per_m=card.number("DAMP") * units.force * units.time / units.length, tension_only=True,
        )  # fmt: skip

    # what belongs to a connector

    def _freedom(self, card: Card, name: str, end: str) -> tuple[Any, str]:
        """The joint of a connector and the field of one of its freedoms; refused where it has none."""
        joint = self._joint(name)
        if joint is None:
            self._wrong(card, Sentence("there is no connector of this name with such a freedom."))
            return None, ""
        if joint["kind"] == "pin" and end in ("", "PIN"):
            return joint, "angle"
        if joint["kind"] == "extensional":
            turns = TURNING[joint["rotation"]]
            if end in turns or (end == "LENG" and not joint["rigid"]):
                return joint, AXES[end]
            self._wrong(card, Sentence("connector {name} has the freedoms {known}.", name=name,
                                       known=", ".join((*turns, *(() if joint["rigid"] else ("LENG",)))) or "-"))  # fmt: skip
            return None, ""
        self._wrong(card, Sentence("connector {name} has no such freedom.", name=name))
        return None, ""

    def _jfor(self, card: Card) -> str:
        name, _, end = card.name.partition(" ")
        joint, axis = self._freedom(card, name, end.strip().upper())
        if joint is None:
            return ""
        units = self._system(card)
        if axis == "length":
            self._along(card, joint, units)
            return f"joints/{name}"
        torque, angle = units.torque, units.angle
        spring: dict[str, Any] = {
            "linear_nm_per_rad": card.number("STIF") * torque / angle, "stop_rad": card.number("STOP") * angle,
            "quadratic_nm_per_rad2": card.number("QUAD") * torque / angle**2, "cubic_nm_per_rad3": card.number("CUBI") * torque / angle**3,
        }  # fmt: skip
        spring = {k: v for k, v in spring.items() if v}
        if card.text("TAB"):
            spring = {"torque": self._table(card, ("rad", "N*m"))}
        friction = {
            "viscous_nms_per_rad": card.number("VISC") * torque * units.time / angle, "coulomb_nm": card.number("FRIC") * torque,
            "full_rate_rad_per_s": card.number("RATE") * angle / units.time,
        }  # fmt: skip
        if axis == "angle":
            joint["spring"], joint["friction"] = spring, friction
            return f"joints/{name}"
        made = joint.setdefault(axis, {})
        made["spring"], made["friction"] = spring, friction
        if "REST" in card.given:
            conn = self.by["CONN"][name]
            now = self._dir(conn) if axis == "at_parent" else self._at_to(conn)
            made["centre_rad"] = card.number("REST") * angle - now
        return f"joints/{name}"

    def _along(self, card: Card, joint: Any, units: System) -> None:
        """Resist along a line, by its extension."""
        if card.number("STOP") or card.number("QUAD"):
            self._wrong(card, Sentence("along a line there is STIF with CUBI, or a table."))
        made = joint.setdefault("length", {})
        stiff = card.number("STIF") * units.force / units.length
        cubic = card.number("CUBI") * units.force / units.length**3
        if card.text("TAB"):
            made["force"] = self._table(card, ("m", "N"))
        elif stiff or cubic:
            form = {"kind": "polynomial", "coefficients": [0.0, stiff, 0.0, cubic] if cubic else [0.0, stiff],
                    "x_min": -FAR_M, "x_max": FAR_M}  # fmt: skip
            made["force"] = self._function(f"{joint['id']}_length", ("m", "N"), form)
        made["viscous_ns_per_m"] = card.number("VISC") * units.force * units.time / units.length
        made["coulomb_n"] = card.number("FRIC") * units.force
        if "RATE" in card.given:
            made["full_rate_m_per_s"] = card.number("RATE") * units.length / units.time
        if "REST" in card.given:
            joint["rest_length_m"] = card.number("REST") * units.length

    def _lock(self, card: Card) -> str:
        units, conn = self._system(card), self.by["CONN"].get(card.name)
        if conn is None or type_of(conn) not in LOCKED:
            self._wrong(card, Sentence("there is no connector of this name that can be locked."))
            return ""
        for end in ("PIN", "FROM", "LENG", "TO"):
            load = card.number(end)
            if not load:
                continue
            joint, axis = self._freedom(card, card.name, end)
            if joint is None:
                return ""
            if load < 0.0:
                self._wrong(card, Sentence("loads at which it opens are above zero."))
            if axis == "length":
                load *= units.force
                held = {"locked": True, "release_above_n": load, "release_below_n": -load, "keeps_force": True}  # fmt: skip
                joint["length"] = joint.get("length", {}) | held
                continue
            lock = {"locked": True, "unlock_torque_nm": load * units.torque, "keeps_torque": True}
            (joint if axis == "angle" else joint.setdefault(axis, {}))["lock"] = lock
        return f"joints/{card.name}"

    def _brk(self, card: Card) -> str:
        units, conn = self._system(card), self.by["CONN"].get(card.name)
        kind = type_of(conn) if conn is not None else ""
        if kind not in BREAKING:
            self._wrong(card, Sentence("there is no connector of this name that can break."))
            return ""
        force, length = units.force, units.length
        limits = {
            "force_n": card.number("FORC") * force, "force_x_n": card.number("FX") * force, "force_z_n": card.number("FZ") * force,
            "torque_nm": card.number("TORQ") * units.torque,
        }  # fmt: skip
        fades = {"ramp_m": card.number("RAMP") * length, "heals_below_m": card.number("HEAL") * length}  # fmt: skip
        made = {k: v for k, v in {**limits, **fades}.items() if v}
        if min([0.0, *made.values()]) < 0.0 or not any(limits.values()):
            self._wrong(card, Sentence("give a limit above zero."))
            return ""
        if kind != "ROLL":
            joint = self._joint(card.name)
            if joint is not None:
                joint["breakage"] = made
            return f"joints/{card.name}"
        rolls = next((one for one in self.data.get("constraints", []) if one["id"] == card.name), None)  # fmt: skip
        if rolls is None:
            return ""
        line = rolls["kind"] == "edge_on_edge"
        if set(made) - {"force_n", "ramp_m"}:
            self._wrong(card, Sentence("of ROLL there are FORC and RAMP."))
        rolls["breakage"] = {"across_n" if line else "pull_n": made["force_n"]} if "force_n" in made else {}  # fmt: skip
        if "ramp_m" in made:
            rolls["breakage"]["ramp_m"] = made["ramp_m"]
        return f"constraints/{card.name}"

    def _musc(self, card: Card) -> str:
        units = self._system(card)
        self._of(card, "CONN", "CONN")
        joint, axis = self._freedom(card, card.text("CONN"), card.text("AT").upper())
        if joint is None:
            return ""
        load, way = (units.force, units.length) if axis == "length" else (units.torque, units.angle)
        if card.number("A3") <= 0.0:
            self._wrong(card, Sentence("A3 is above zero."))
        active: float | str = card.number("ACT")
        if card.text("TAB"):
            active = self._table(card, ("s", "1"))
        law = {"kind": "muscle", "stiffness": card.number("A1") * load / way, "stiffness_active": card.number("A2") * load / way,
               "damping": card.number("A3") * load * units.time / way, "activation": active}  # fmt: skip
        coordinate = {"kind": "joint", "joint": card.text("CONN"), "axis": axis}
        return self._add("coordinate_forces", card, coordinate=coordinate, laws=[law])

    # forced variables, and tables

    def _move(self, card: Card) -> str:
        units, segment = self._system(card), self._of(card, "SEG")
        seen = GROUND if card.text("COORD") == GROUND else self._of(card, "COORD")
        what, component = card.text("KIND").upper(), card.text("COMP").upper()
        if what not in QUANTITIES or component not in ("X", "Z", "TH"):
            self._wrong(card, Sentence("KIND is POS, VEL or ACC, and COMP is X, Z or TH."))
            return ""
        axes = self._axes(seen) if seen != GROUND else self.axes[GROUND]
        if component != "TH" and abs(math.cos(axes.omega)) > 1e-12:
            self._wrong(card, Sentence("the axes of {seen} stand askew: one component of them leaves the other not free.", seen=seen))  # fmt: skip
        # z of a system is up or down, here it is down; angles are clockwise or not
        sign = {"X": 1.0, "Z": -math.copysign(1.0, math.sin(axes.omega)), "TH": axes.sense}[component]  # fmt: skip
        quantity, told = QUANTITIES[what]
        unit = told[component == "TH"]
        made = {"quantity": quantity}
        if card.text("TAB"):
            history: dict[str, Any] = {"kind": "function", "function": self._table(card, ("s", unit), BETWEEN[what])}  # fmt: skip
            if sign < 0.0:
                history["scale"] = sign
        else:
            history = {"kind": "constant", "value": sign * card.number("VAL") * self._size(unit, units)}  # fmt: skip
        way = self._size("rad" if component == "TH" else "m", units)
        if "S0" in card.given and what != "POS":
            made["start_value"] = sign * card.number("S0") * way  # type: ignore[assignment]
        if "V0" in card.given and what == "ACC":
            made["start_rate"] = sign * card.number("V0") * way / units.time  # type: ignore[assignment]
        return self._add(
            "frame_drivers", card, moved={"segment": segment, "frame": {"position_m": self._point(card, segment, "X", "Z", units)}},
            seen_from={"segment": "ground" if seen == GROUND else seen}, component={"X": "x", "Z": "z", "TH": "pitch"}[component],
            pulse=history, **made,
        )  # fmt: skip

    @staticmethod
    def _size(unit: str, units: System) -> float:
        """What a number in the user's unit is in SI."""
        top, _, below = unit.partition("/")
        size = {"m": units.length, "rad": units.angle, "s": units.time, "1": 1.0, "N": units.force, "N*m": units.torque}[top]  # fmt: skip
        return size / units.time ** {"": 0, "s": 1, "s2": 2}[below]

    def _tabl(self, card: Card) -> str:
        x = card.pairs[::2]
        if len(x) != len(card.pairs[1::2]) or not x:
            self._wrong(card, Sentence("times and values come in pairs, one at least."))
        elif not self._named(card.name):
            self._made_of(card, card.name, ("s", "N"), "lines")
        return f"functions/{card.name}"

    def _named(self, name: str) -> bool:
        """Whether a card names a table."""
        return any(one.values.get("TAB") == name for one in self.cards if one.kind != "TABL")

    def _table(self, card: Card, units: tuple[str, str], between: str = "lines") -> str:
        """The id of a function made of the table that a card names, in the units that it needs."""
        name = card.text("TAB")
        table = self.by["TABL"].get(name)
        if table is None:
            self._of(card, "TAB", "TABL")
            return name
        made = {one["id"]: one for one in self.data.get("functions", [])}
        for id_ in (name, f"{name}_{card.name}"):
            there = made.get(id_)
            if there is None:
                return self._made_of(table, id_, units, between)
            if (there["x_unit"], there["y_unit"]) == units and there["form"].get("between", "lines") == between:  # fmt: skip
                return id_
        return name

    def _made_of(self, table: Card, id_: str, units: tuple[str, str], between: str) -> str:
        told = self._system(table)
        at, of = (self._size(unit, told) for unit in units)
        form = {"kind": "table", "x": [v * at for v in table.pairs[::2]], "y": [v * of for v in table.pairs[1::2]]}  # fmt: skip
        if between != "lines":
            form["between"] = between
        return self._function(id_, units, form, f"line {table.line}, card TABL")

    def _constant(self, id_: str, value: float, unit: str) -> str:
        return self._function(id_, ("s", unit), {"kind": "constant", "value": value})

    def _function(self, id_: str, units: tuple[str, str], form: Any, source: str = "") -> str:
        one = {"id": id_, "x_unit": units[0], "y_unit": units[1], "form": form}
        self.data.setdefault("functions", []).append(one | ({"source": source} if source else {}))
        return id_
