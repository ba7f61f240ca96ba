"""From cards to the text of a deck: canonical columns, or free form with every digit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from solver.base.atomic import write_atomic
from solver.base.words import Refusal, Sentence
from solver.exchange.decks import bodies, control, forces, motion
from solver.exchange.decks.belts import give_belts, give_harnesses
from solver.exchange.decks.cards import LABELS, Card, Field
from solver.exchange.decks.contacts import GivenLaws, counted, give_contacts
from solver.exchange.decks.functions import GivenFunctions
from solver.exchange.decks.giving import Giving, card, many
from solver.exchange.decks.importing import FREE
from solver.exchange.decks.joints_back import give_joints
from solver.exchange.decks.numbers import written
from solver.exchange.decks.order import ENDS, Row, walk
from solver.exchange.decks.outputs import give_outputs
from solver.project.document import Project
from solver.project.joints import FreeJoint, Joint
from solver.project.motions import History

MOST_LABEL = 8
NOT_ASKED = {
    "B.1": " 0",
    "H.1": " 0",
    "H.1+": " 0",
    "H.2": " 0",
    "H.2+": " 0",
    "H.3": " 0",
    "H.3+": " 0",
}
"""What the old program reads of a card in free form beyond its fields here: deformable bodies, their nodes."""
CLOSE = 1e-6
"""Relative change of a number from which on it counts as one whose digits did not go in."""


class DeckError(Refusal):
    """Say in one sentence why a deck cannot be written."""

    __module__ = "manikin"


DUST = 1e-9
"""What is smaller in the units of a deck is a rest of arithmetic."""


@dataclass
class Text:
    """The lines of a deck, and which numbers had more digits than their columns."""

    lines: list[str] = field(default_factory=list)
    shortened: list[tuple[str, str, float, float]] = field(default_factory=list)
    """Card, field, the number and what became of it."""

    @property
    def largest(self) -> tuple[float, str]:
        """The largest relative change of a number, and its card; what is nearly nothing may become so."""
        found = ((abs(b - a) / max(abs(a), DUST), card) for card, _, a, b in self.shortened)
        return max(found, default=(0.0, ""))


def write_deck(rows: Iterable[Row], free: bool = False, whole: bool = True) -> Text:
    """Write cards in the order that a deck has; a ValueError names a card that stands where another is due."""
    text = Text()
    steps = walk(whole, free)
    ask = next(steps)
    for row in rows:
        if row.name != ask.card.name:
            raise ValueError(row.name, ask.card.name)
        line = _free(row, ask.entries) if free else _fixed(row, text)
        text.lines.append(line)
        try:
            ask = steps.send(row)
        except StopIteration:
            return text
    raise ValueError("", ask.card.name)


def _values(row: Row, one: Field) -> tuple[Any, ...]:
    blank: Any = "" if one.kind == "A" else 0
    value = row.values.get(one.name)
    if value is None:
        return (blank,) * one.slots
    values = tuple(value) if one.count else (value,)
    return values + (blank,) * (one.slots - len(values))


def _fixed(row: Row, text: Text) -> str:
    card = row.card
    line = ""
    for one in card.fields:
        line = line.ljust(one.start)
        for value in _values(row, one):
            line += _cell(row, one, value, text)
    if card.end <= LABELS:
        line = f"{line.ljust(LABELS)}{_label(card)}"
    return line.rstrip()


def _label(card: Card) -> str:
    name = card.name.rstrip("+").split(" ")[0]
    return name[:MOST_LABEL]


def _cell(row: Row, one: Field, value: Any, text: Text) -> str:
    if one.kind == "A":
        return str(value)[: one.width].ljust(one.width)
    if one.kind == "I":
        label = str(int(value)).rjust(one.width)
        if len(label) > one.width:
            raise DeckError(
                "Card {card}, field {field}: {value} does not go into {width} columns.",
                card=row.name, field=one.name, value=value, width=one.width,
            )  # fmt: skip
        return label
    number = float(value)
    put = written(number, one.width)
    if put is None:
        raise DeckError(
            "Card {card}, field {field}: {value:g} does not go into {width} columns; free form (.lin) has no such limit.",
            card=row.name, field=one.name, value=number, width=one.width,
        )  # fmt: skip
    became = float(put)
    if became != number:
        text.shortened.append((row.name, one.name, number, became))
    return put


def _free(row: Row, entries: int | None) -> str:
    parts = list[str]()
    fields = [one for one in row.card.fields if not one.fixed_only]
    for one in fields:
        values = _values(row, one)
        if one is fields[-1] and entries is not None:
            values = values[:entries]
        for value in values:
            if one.kind == "A":
                parts.append('"' + str(value).replace('"', "'") + '"')
            elif one.kind == "I":
                parts.append(str(int(value)))
            else:
                parts.append(repr(float(value)))
    beyond = NOT_ASKED.get(row.name, "")
    if row.name == "B.7.a":  # the old program reads the count from a line of its own
        parts = [f"{parts[0]}  Card B.7.a\n", *parts[1 : 1 + row["count"]]]
    return " " + " ".join(parts) + f"{beyond}  Card {_label(row.card)}"


# From a project to a deck, with what the deck cannot say.

UNSAID = {"six", "extensional"}
LEFT_OUT = {
    "airbags": "Airbags are not written; enter them on cards D.4 and F.6.",
    "winds": "Winds are not written; enter them on cards E.6 and F.7.",
    "tyres": "Tyres are left out: nothing rolls on roads.",
    "coordinate_forces": "Forces on single coordinates are left out.",
    "drivers": "Joints that move as prescribed are left out.",
    "frame_drivers": "Frames that move as prescribed are left out.",
    "symmetry": "Symmetry of segments is left out.",
    "modal_bodies": "Segments that bend by modes are written as rigid, without the mass of what bends.",
}
NO_CAR = "CAR"


@dataclass(frozen=True)
class Exported:
    """The text of a deck, what it cannot say of the project, and which numbers lost digits."""

    text: Text
    losses: tuple[tuple[str, Sentence], ...]

    def lines(self) -> list[str]:
        """Write what the deck cannot say, one thing a line, and how many numbers lost digits."""
        return list(map(str, self.sentences()))

    def sentences(self) -> list[Sentence]:
        """Say what the deck cannot say, and how many numbers lost digits."""
        out = [Sentence("{path}: {why}", path=path, why=why) for path, why in self.losses]
        if self.text.shortened:
            most, card = self.text.largest
            out.append(Sentence(
                "{count} numbers have more digits than their columns; the largest change is {most:.1e} of a number, on card {card}. "
                "Free form (.lin) keeps all digits.", count=len(self.text.shortened), most=most, card=card,
            ))  # fmt: skip
        return out


def write_ain(project: Project, path: Path | str) -> Exported:
    """Write a deck, whole or not at all: in columns, or in free form where the name ends with .lin.

    Raises DeckError where the project has parts without which a deck would be another model.
    """
    file = Path(path)
    made = given(project, file.suffix.lower() == FREE)
    write_atomic(file, ("\n".join(made.text.lines) + "\n").encode())
    return made


def given(project: Project, free: bool = False) -> Exported:
    """Make a deck of a project whose checks have no errors."""
    giving = Giving(project, free)
    _number(giving)
    text = write_deck(_rows(giving), free)
    return Exported(text, tuple(giving.losses))


def _number(giving: Giving) -> None:
    """Numbers to the bodies' segments, each after the one that carries it, and then to the vehicles."""
    project = giving.project
    carried: dict[str, Joint] = {
        one.child: one for one in project.joints if not isinstance(one, FreeJoint)
    }
    inner = {one.parent for one in project.joints}
    unsaid = [one for one in project.joints if one.kind in UNSAID]
    hung = [one for one in carried.values() if one.parent == "ground"]
    for one, why in (*((j, Sentence("of its kind ({kind}) a deck has none", kind=j.kind)) for j in unsaid),
                     *((j, Sentence("a deck has no joints to the ground")) for j in hung)):  # fmt: skip
        raise DeckError("Joint '{joint}' cannot be written: {why}.", joint=one.id, why=why)
    loose = {s.id for s in project.segments if s.id not in carried and s.id not in inner}
    giving.vehicles = [one.id for one in project.segments if one.id in loose & giving.moved]
    waiting = [one.id for one in project.segments if one.id not in giving.vehicles]
    while waiting:
        ready = next(n for n in waiting if n not in carried or carried[n].parent in giving.order)
        waiting.remove(ready)
        giving.order.append(ready)
    if not giving.order:
        raise DeckError("A deck needs a body: a segment that does not move as prescribed.")
    if not giving.vehicles:
        giving.vehicles = [NO_CAR]


def _rows(giving: Giving) -> list[Row]:
    project, n = giving.project, len(giving.order)
    for name, why in LEFT_OUT.items():
        for one in getattr(project, name):
            giving.lose(f"{name}/{one.id}", why)
    functions = GivenFunctions(giving)
    laws = GivenLaws(giving, functions)
    body = bodies.give_segments(giving) + give_joints(giving) + control.give_tests(giving)
    body += bodies.give_flexible(giving)
    shapes = bodies.give_ellipsoids(giving)
    flat = bodies.give_planes(giving)
    pressed, pairs = give_contacts(giving, laws)
    harnesses = give_harnesses(giving, functions, laws)
    belts, lying = give_belts(giving, laws, functions)
    d = forces.give_forces(giving, functions)
    functions.used_elsewhere = {
        c.pulse.function
        for m in project.motions
        for c in m.components
        if isinstance(c.pulse, History)
    }
    functions.rest()
    counts = card(
        "D.1.a", planes=len(project.planes), belts=len(lying), ellipsoids=len(shapes), constraints=len(d["D.6"]),
        springs=len(d["D.8"]), harnesses=min(len(project.harnesses), 5), forces=len(d["D.9"]),
    )  # fmt: skip
    return [
        *control.give_control(giving), *body, *motion.give_vehicles(giving), counts, *flat, *belts, *shapes,
        *d["D.6"], *many("D.7", "flags", [0] * n), *d["D.8"], *d["D.9"],
        *functions.rows, card("E.1", number=ENDS),
        *counted("F.1.a", "counts", "plane", pressed, len(project.planes)),
        *counted("F.2.a", "counts", "belt", lying, len(lying)),
        *counted("F.3.a", "counts", "first", pairs, n),
        *many("F.4.a", "flags", [0] * (n - 1)), *harnesses, *control.give_start(giving), *give_outputs(giving),
    ]  # fmt: skip
