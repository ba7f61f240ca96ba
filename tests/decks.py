"""Decks for tests: the two public ones, and small ones put together card by card."""

from __future__ import annotations

from typing import Any

from solver.base.places import resources
from solver.exchange.decks.cards import CARDS
from solver.exchange.decks.importing import Imported, taken
from solver.exchange.decks.order import Row
from solver.exchange.decks.writing import write_deck

FOLDER = resources() / "data" / "decks"
SLED, GEBOD = ((FOLDER / name).read_bytes() for name in ("sled.ain", "gebod-50m.ain"))
NO_FUNCTIONS = (0, 0, 0, 0, 0)


def card(which: str, /, **values: Any) -> Row:
    """Make a card; what is not named is blank."""
    told = CARDS[which]
    for one in told.fields:
        blank: Any = "" if one.kind == "A" else 0
        given = values.pop(one.name, None)
        given = given.tolist() if hasattr(given, "tolist") else given
        if one.count:
            given = (*(given or ()), *(blank,) * (one.count - len(given or ())))
        values[one.name] = blank if given is None else given
    return Row(told, values)


def many(which: str, field: str, numbers: list[int]) -> list[Row]:
    """Put numbers on as many cards as they need."""
    holds = CARDS[which].fields[-1].slots
    return [card(which, **{field: numbers[k : k + holds]}) for k in range(0, len(numbers), holds)]


class Small:
    """Put a deck together: segments in a chain on ball joints, and what is added to each group."""

    def __init__(self, segments: int = 2) -> None:
        self.segments = segments
        self.counts: dict[str, int] = {}
        self.joints = [card("B.3.a", name=f"J{n}", inner=n, inner_point=(0, 0, 5), outer_point=(0, 0, -5))
                       for n in range(1, segments)]  # fmt: skip
        self.axes = [card("B.3.b") for _ in self.joints]
        self.springs = [[card("B.4.a")] for _ in self.joints]
        self.rubs = [[card("B.5.a", full_rate=30)] for _ in self.joints]
        self.vehicle = [card("C.1", title="CAR"), card("C.2")]
        self.flexible: list[Row] = []
        self.shapes: dict[str, list[Row]] = {
            letter: [] for letter in ("D.2", "D.3", "D.4", "D.5", "D.6", "D.8", "D.9")
        }
        self.functions: list[Row] = []
        self.winds: list[Row] = []
        self.azimuths: list[Row] = []
        self.contacts: dict[str, list[Row]] = {
            name: [] for name in ("F.1.b", "F.2.b", "F.3.b", "F.4.b")
        }
        self.late: list[Row] = []
        self.start = card("G.1")
        self.roots = [card("G.2")]
        self.turns = [card("G.3", orders=(3, 2, 1)) for _ in range(segments)]
        self.more: list[Row] = []

    def rows(self) -> list[Row]:
        """Give all cards in their order."""
        n = self.segments
        d = self.shapes
        planes, belts = len(d["D.2"]) // 4, len(d["D.3"]) // 3
        counts = {"planes": planes, "belts": belts, "ellipsoids": len(d["D.5"]), "constraints": len(d["D.6"]),
                  "springs": len(d["D.8"]), "forces": len(d["D.9"]), **self.counts}  # fmt: skip
        out = [card("A.1", date="TODAY"), card("A.2", text="SMALL"), card("A.2"),
               card("A.3", length="IN.", force="LB.", time="SEC.", gravity=(0, 0, 386.088)),
               card("A.4", iterations=4, steps=10, interval=0.002, first=5e-4, largest=1e-3, smallest=6.25e-5),
               card("A.5"), card("B.1", segments=n, joints=n - 1, title="CHAIN")]  # fmt: skip
        out += [
            card("B.2.a", name=f"S{k}", weight=10, inertia=(1, 1, 1), semi_axes=(3, 3, 5))
            for k in range(n)
        ]
        out += [one for pair in zip(self.joints, self.axes, strict=True) for one in pair]
        out += [one for many in self.springs for one in many] + [
            one for many in self.rubs for one in many
        ]
        out += (
            [card("B.6") for _ in range(n)]
            + self.flexible
            + self.vehicle
            + [card("D.1.a", **counts)]
        )
        if self.counts.get("more"):
            out.append(card("D.1.b", actuators=1))
        for name in ("D.2", "D.3", "D.4", "D.5", "D.6"):
            out += d[name]
        out += [
            *many("D.7", "flags", [0] * n),
            *d["D.8"],
            *d["D.9"],
            *self.functions,
            card("E.1", number=999),
            *self.winds,
        ]
        out += [*self.azimuths, card("E.7.a", number=999)] if self.azimuths else []
        for name, field, total in (
            ("F.1", "plane", planes),
            ("F.2", "belt", belts),
            ("F.3", "first", n),
            ("F.4", "joint", n - 1),
        ):
            if not total:
                continue
            here = self.contacts[f"{name}.b"]
            each = [sum(1 for one in here if one[field] == k) for k in range(1, total + 1)]
            heads = many(f"{name}.a", "flags" if name == "F.4" else "counts", each)
            out += [*heads, *sorted(here, key=lambda one: one[field])]
        out += [
            *self.late,
            self.start,
            *self.roots,
            *self.turns,
            *self.more,
        ]
        out += [card(name) for k in range(1, 4) for name in (f"H.{k}", f"H.{k} end")]
        out += [card(f"H.{k}") for k in range(4, 10)] + [card("H.10.a")]
        return out + ([card("H.11")] if self.counts.get("more") else [])

    def text(self, free: bool = False) -> str:
        """Write the deck."""
        rows = self.rows()
        if free:
            rows = [card("H.7 free") if one.name == "H.7" else one for one in rows]
        return "\n".join(write_deck(rows, free).lines) + "\n"

    def read(self, free: bool = False) -> Imported:
        """Write the deck and read it."""
        return taken(self.text(free).encode(), free)


def constant(number: int, value: float, along: float = 0.0, impulse: float = 0.0) -> list[Row]:
    """Make a constant function."""
    return [
        card("E.1", number=number, title=f"CONSTANT {number}"),
        card("E.2", d=(0, 0, value, impulse, along)),
    ]


def table(number: int, *pairs: float) -> list[Row]:
    """Make a table."""
    rows = [card("E.1", number=number, title=f"TABLE {number}"), card("E.2", d=(pairs[0], -pairs[-2])),
            card("E.4.a", points=len(pairs) // 2)]  # fmt: skip
    return rows + [card("E.4.b", pairs=pairs[k : k + 6]) for k in range(0, len(pairs), 6)]


def plane(number: int) -> list[Row]:
    """Make a floor below the chain."""
    return [card("D.2.a", number=number, title="FLOOR"), card("D.2.b", corner=(-50, 50, 20)),
            card("D.2.c", corner=(50, 50, 20)), card("D.2.d", corner=(-50, -50, 20))]  # fmt: skip
