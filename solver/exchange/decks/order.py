"""Which card follows which: one walk for the reader and the writer of a deck.

The walk asks for a card and is told its row, from which it sees what comes next.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

from solver.exchange.decks.cards import CARDS, Card

ENDS = 999
"""A function with this number ends a group of functions."""


class Row:
    """What stands on one card, and on which lines of the deck."""

    __slots__ = ("card", "last", "line", "remarks", "values")

    def __init__(self, card: Card, values: dict[str, Any], line: int = 0, last: int = 0) -> None:
        self.card = card
        self.values = values
        self.line, self.last = line, last
        self.remarks: list[Any] = []

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    @property
    def name(self) -> str:
        """The card's name."""
        return self.card.name


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask for a card, with so many entries of its last field; or for all until a card of the name `until`."""

    card: Card
    entries: int | None = None
    may_end: bool = False
    """Whether the deck may end here."""
    until: tuple[str, ...] = ()
    if_there: bool = False
    """Whether decks may be without it."""


class CountError(Exception):
    """Say that a count on a card cannot be one."""

    def __init__(self, row: Row, field: str, most: int) -> None:
        super().__init__(field)
        self.row, self.field, self.most = row, field, most


Walk = Generator[Ask, Row, None]
MOST = 2000


def counted(row: Row, field: str, most: int = MOST, of: int | None = None) -> int:
    """A count from a card, if it can be one."""
    value: int = row[field] if of is None else row[field][of]
    if not 0 <= value <= most:
        raise CountError(row, field, most)
    return value


def one(name: str, entries: int | None = None, may_end: bool = False) -> Ask:
    """Ask for a card by its name."""
    return Ask(CARDS[name], entries, may_end)


def listed(name: str, field: str, total: int) -> Generator[Ask, Row, list[tuple[Row, int]]]:
    """Ask for as many cards as hold so many numbers; give each with its row."""
    found = list[tuple[Row, int]]()
    holds = CARDS[name].fields[-1].slots
    while len(found) < total:
        left = min(holds, total - len(found))
        row = yield one(name, left)
        found += [(row, value) for value in row[field][:left]]
    return found


def walk(whole: bool, free: bool) -> Walk:
    """Go through a deck, or through the cards B of a body alone."""
    flags: tuple[int, ...] = (0,) * 36
    if whole:
        for name in ("A.1", "A.2", "A.2", "A.3", "A.4"):
            yield one(name)
        row = yield one("A.5")
        flags = row["flags"]
        for _ in range(counted(row, "flags", 10, 33)):
            yield one("A.6")
    body = yield one("B.1")
    segments, joints = counted(body, "segments"), counted(body, "joints")
    if deformables(body):
        raise CountError(body, "deformable", 0)
    inner, has_azimuths = yield from _body(segments, joints)
    if not whole:
        return
    yield from _vehicles()
    counts = yield one("D.1.a")
    actuators = 0
    if counts["more"]:
        row = yield one("D.1.b")
        actuators = counted(row, "actuators", 500)
    yield from _shapes(counts, segments)
    yield from _functions(counts, has_azimuths)
    yield from _contacts(counts, segments, joints, actuators, free)
    yield from _start(segments, inner)
    yield from _outputs(flags, actuators, free)


def deformables(body: Row) -> int:
    """How many deformable bodies a card B.1 asks for; a longer name may stand in their place."""
    text = str(body["deformable"]).strip()
    return int(text) if text.isascii() and text.isdigit() else 0


def _body(segments: int, joints: int) -> Generator[Ask, Row, tuple[list[int], bool]]:
    for _ in range(segments):
        row = yield one("B.2.a")
        if row["principal"]:
            yield one("B.2.b")
    types = list[Row]()
    for _ in range(joints):
        types.append((yield one("B.3.a")))
        yield one("B.3.b")
    has_azimuths = False
    for joint in types:
        row = yield one("B.4.a")
        has_azimuths |= row["first"][0] < 0 or row["second"][0] < 0
        if is_euler(joint):
            row = yield one("B.4.b")
            has_azimuths |= row["third"][0] < 0
    for joint in types:
        yield one("B.5.a")
        if is_euler(joint):
            yield one("B.5.b")
            yield one("B.5.c")
    for _ in range(segments):
        yield one("B.6")
    inner = [row["inner"] for row in types]
    if any(number < 0 for number in inner):
        row = yield one("B.7.a")
        flexible = counted(row, "count", 17)
        for _ in range(4 * flexible):
            yield one("B.7.b")
    return inner, has_azimuths


def is_euler(joint: Row) -> bool:
    """Whether a joint is one of three pins (reading guide, section 8)."""
    return bool(joint["type"] == 4 or (joint["state"] == 0 and joint["type"] <= -4))


def _vehicles() -> Walk:
    for _ in range(6):
        yield one("C.1")
        row = yield one("C.2")
        points = row["points"]
        if points < 0:
            yield from _in_six_components(row)
        else:
            yield from listed("C.3", "values", counted(row, "points", 5000))
        if row["segment"] == 0:
            break


def _in_six_components(head: Row) -> Walk:
    row = yield one("C.2.b")
    gives = counted(row, "gives", 3)
    if gives:
        points = counted(row, "points", 5000) + gives - 1
    elif head["points"] < -5000:
        raise CountError(head, "points", 5000)
    else:
        points = -head["points"]
    for _ in range(points):
        yield one("C.5" if gives else "C.4")


def _shapes(counts: Row, segments: int) -> Walk:
    for _ in range(counted(counts, "planes")):
        for letter in "abcd":
            yield one(f"D.2.{letter}")
    for _ in range(counted(counts, "belts", 100)):
        for letter in "abc":
            yield one(f"D.3.{letter}")
    for _ in range(counted(counts, "bags", 100)):
        bag = yield one("D.4.a")
        for letter in "bcdef":
            yield one(f"D.4.{letter}")
        for _ in range(counted(bag, "panels", 20)):
            yield one("D.4.g")
            yield one("D.4.h")
    for _ in range(counted(counts, "ellipsoids")):
        yield one("D.5")
    for _ in range(counted(counts, "constraints")):
        yield one("D.6")
    yield from listed("D.7", "flags", segments)
    for _ in range(counted(counts, "springs")):
        yield one("D.8")
    for _ in range(counted(counts, "forces")):
        yield one("D.9")


def _functions(counts: Row, has_azimuths: bool) -> Walk:
    while True:
        row = yield one("E.1")
        if row["number"] >= ENDS:
            break
        parts = yield one("E.2")
        d = parts["d"]
        if d[1] == 0.0:
            continue
        for part in (d[1], d[2]):
            if part > 0.0:
                yield one("E.3")
            elif part < 0.0:
                points = yield one("E.4.a")
                yield from listed("E.4.b", "pairs", 2 * counted(points, "points", 5000))
    for _ in range(counted(counts, "winds")):
        yield one("E.6.a")
        row = yield one("E.6.b")
        if row["d"][0] == 0.0:
            points = yield one("E.6.c")
            for _ in range(counted(points, "points", 5000)):
                yield one("E.6.d")
    while has_azimuths:
        row = yield one("E.7.a")
        if row["number"] >= ENDS:
            break
        yield one("E.7.b")
        row = yield one("E.7.c")
        angles = abs(row["angles"])
        if angles > 500:
            raise CountError(row, "angles", 500)
        for _ in range(counted(row, "azimuths", 500)):
            yield from listed("E.7.d", "values", angles)


def _contacts(counts: Row, segments: int, joints: int, actuators: int, free: bool) -> Walk:
    for name, field, total, then in (
        ("F.1.a", "counts", counts["planes"], "F.1.b"),
        ("F.2.a", "counts", counts["belts"], "F.2.b"),
        ("F.3.a", "counts", segments, "F.3.b"),
        ("F.4.a", "flags", joints, "F.4.b"),
    ):
        each = yield from listed(name, field, total)
        for row, number in each:
            if not 0 <= number <= MOST:
                raise CountError(row, field, MOST)
            for _ in range(number):
                yield one(then)
    if counts["joint_functions"]:
        yield Ask(CARDS["F.5"], until=("F.6", "F.7", "F.8", "F.9", "F.10", "G.1"))
    for _ in range(counts["bags"]):
        row = yield one("F.6")
        counted(row, "count", 10)
    if counts["winds"]:
        blown = yield from listed("F.7.a", "flags", segments)
        for _ in range(sum(1 for _, flag in blown if flag)):
            row = yield one("F.7.b")
            more = 2 * counted(row, "count", 11 if free else 100) - 22
            while more > 0:
                yield one("F.7.c")
                more -= 14
    if counted(counts, "harnesses", 5):
        yield from _harnesses(counts["harnesses"])
    if counts["water"]:
        yield Ask(CARDS["F.9"], until=("F.10", "G.1"))
    for _ in range(actuators):
        yield one("F.10")


def _harnesses(harnesses: int) -> Walk:
    row = yield one("F.8.a")
    for harness in range(harnesses):
        belts = counted(row, "belts", 100, harness)
        each = yield from listed("F.8.b", "points", belts)
        for count, points in each:
            if not 0 <= points <= 500:
                raise CountError(count, "points", 500)
            yield one("F.8.c")
            for _ in range(points):
                yield one("F.8.d1")
                yield one("F.8.d2")


def _start(segments: int, inner: list[int]) -> Walk:
    first = yield one("G.1")
    for number in range(segments):
        if number == 0 or (number <= len(inner) and inner[number - 1] == 0) or number > len(inner):
            yield one("G.2")
    for _ in range(segments):
        row = yield one("G.3")
        if row["orders"][0] < 0:
            yield one("G.3.b")
    if first["equilibrium"] == 15:
        row = yield one("G.4")
        for _ in range(counted(row, "variables", 10)):
            yield one("G.5")
        for _ in range(counted(row, "constraints", 5)):
            yield one("G.6")


def _outputs(flags: tuple[int, ...], actuators: int, free: bool) -> Walk:
    for number in range(1, 4):
        row = yield one(f"H.{number}", may_end=True)
        for _ in range(counted(row, "count", 500) - 1):
            yield one(f"H.{number}+")
        if row["count"] <= 1:
            yield Ask(CARDS[f"H.{number} end"], may_end=True, if_there=True)
    for number in range(4, 10):
        if free and number == 7:
            yield one("H.7 free", may_end=True)
            continue
        row = yield one(f"H.{number}", may_end=True)
        left = 2 * counted(row, "count", 500) - 22
        while left > 0:
            yield one(f"H.{number}+")
            left -= 22
    row = yield one("H.10.a", may_end=True)
    for _ in range(counted(row, "sets", 50)):
        row = yield one("H.10.b")
        left = counted(row, "count", 500) - 22
        while left > 0:
            yield one("H.10+")
            left -= 22
        yield one("H.10.c")
    if actuators:
        row = yield one("H.11", may_end=True)
        counted(row, "count", 11)
    if flags[3]:
        holds = 3 if free else 15
        row = yield one("H.12", holds, may_end=True)
        left = 3 * counted(row, "sets", 50) - holds
        while left > 0:
            yield one("H.12+", holds)
            left -= holds
