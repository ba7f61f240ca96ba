"""From cards to a project: the plane of VARISEG is x and z here, its z up is minus z, its angles turn about y."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from solver.base.atomic import read_most
from solver.base.words import Sentence
from solver.exchange.decks.taking import CardNote, How
from solver.exchange.variseg.cards import (
    DEGREE,
    GROUND,
    LARGEST,
    SPECS,
    Card,
    Pair,
    System,
    cards_of,
)
from solver.exchange.variseg.connectors import Connecting, carries
from solver.project.document import Project
from solver.project.problems import Problem, ProjectError, error
from solver.project.reading import validated


@dataclass(frozen=True)
class ReadCards:
    """The project made of cards, and what became of each."""

    project: Project
    notes: tuple[CardNote, ...]
    text: tuple[str, ...] = ()


def read_variseg(path: Path | str) -> ReadCards:
    """Read cards from a file; raises ProjectError with every problem. The file is never changed."""
    file = Path(path)
    try:
        data = read_most(file, LARGEST)
    except (OSError, ValueError) as failure:
        why = getattr(failure, "strerror", None) or "no reason given"
        sentence = Sentence("'{name}' cannot be read: {reason}.", name=str(file), reason=why)
        raise ProjectError([error("file-unreadable", "", sentence)]) from None
    if len(data) > LARGEST:
        raise ProjectError(
            [error("variseg-large", "", Sentence("A file of cards has at most 1 MB."))]
        )
    return taken(data.decode("utf-8-sig", "replace"), file.name)


def taken(text: str, source: str = "") -> ReadCards:
    """Make a project of the text of cards."""
    cards, problems, comments = cards_of(text)
    if not cards and not problems:
        problems.append(error("variseg-empty", "", Sentence("There are no cards.")))
    taking = _Taking(cards, problems)
    if not problems:
        taking.take()
    if problems:
        raise ProjectError(problems)
    if source:
        taking.data["source"] = f"cards {source}"
    taking.data["note"] = "\n".join(words for _, words in comments)
    notes = [
        CardNote(n, n, "#", "note", (Sentence("A comment; it stands in the project's note."),))
        for n, _ in comments
    ]
    project = validated(taking.data)
    return ReadCards(
        project,
        tuple(sorted((*notes, *taking.notes), key=lambda one: one.first)),
        tuple(text.splitlines()),
    )


class _Taking(Connecting):
    """Make elements of cards."""

    def __init__(self, cards: list[Card], problems: list[Problem]) -> None:
        super().__init__(cards, problems)
        self.notes = list[CardNote]()

    def take(self) -> None:
        """Take all cards, what others name first."""
        steps: list[tuple[str, Callable[[Card], str]]] = [
            ("REF", self._ref), ("SEG", self._seg), ("RSEG", self._rseg), ("TABL", self._tabl), ("ELL", self._ell),
            ("LINE", self._line), ("CONN", self._conn), ("JFOR", self._jfor), ("LOCK", self._lock), ("BRK", self._brk), ("MUSC", self._musc),
            ("MOVE", self._move), ("APPL", self._appl), ("CONT", self._cont), ("RUN", self._run),
        ]  # fmt: skip
        for card in self.cards:
            if card.name in self.by[card.kind]:
                self._wrong(card, Sentence("there is another card of this name."))
            self.by[card.kind][card.name] = card
        self.data["initial"] = {"roots": [], "attitudes": []}
        for kind, step in steps:
            for card in self.by[kind].values():
                path = step(card)
                how: How = "taken" if SPECS[kind].printed else "rule"
                says = (
                    ()
                    if SPECS[kind].printed
                    else (Sentence("A card of our own (docs/variseg.md)."),)
                )
                self.notes.append(
                    CardNote(card.line, card.last, kind, how, says, (path,) if path else ())
                )
        self._start()
        if "runs" not in self.data:
            self.data["runs"] = [{"id": "run", "duration_s": 0.1}]
        self.data.setdefault("gravity_m_per_s2", [0.0, 0.0, 9.80665])

    # the cards

    def _ref(self, card: Card) -> str:
        lines = [card.number(name) for name in ("LENG", "MASS", "TIME", "FORC", "ANGL")]
        if min(lines) <= 0.0:
            self._wrong(card, Sentence("every unit is above zero."))
        self.units[card.name] = System(*lines)
        return ""

    def _seg(self, card: Card) -> str:
        units = self._system(card)
        if card.number("ELAM") not in (1.0, -1.0):
            self._wrong(card, Sentence("field ELAM is +1 or -1."))
        if abs(math.sin(card.number("OMEG") * DEGREE)) < 1e-9:
            self._wrong(card, Sentence("field OMEG must not be 0, 180 or -180 degrees."))
        moment = card.number("IMM") * units.force * units.length * units.time**2
        return self._add(
            "segments",
            card,
            mass_kg=card.number("MASS") * units.mass,
            inertia_kgm2=[moment] * 3,
            surfaces=[],
        )

    def _rseg(self, card: Card) -> str:
        self._of(card, "COORD") if card.text("COORD") != GROUND else None
        if card.name not in self.by["SEG"]:
            self._wrong(card, Sentence("there is no card SEG of this name."))
        return f"segments/{card.name}"

    def _appl(self, card: Card) -> str:
        units, segment = self._system(card), self._of(card, "SEG")
        axes = {GROUND: "ground", "OWN": "segment"}.get(card.text("AXES").upper(), "")
        turns = segment if axes == "segment" else GROUND if axes else self._of(card, "AXES")
        angle = card.number("ANG") * units.angle * self._axes(turns).sense
        if card.text("TAB"):
            table = self._table(card, ("s", "N"))
        else:
            table = self._constant(f"{card.name}_force", card.number("FORC") * units.force, "N")
        return self._add("loads", card, segment=segment, point_m=self._point(card, segment, "X", "Z", units), history=table,
                         direction=[math.cos(angle), 0.0, -math.sin(angle)], axes=axes or turns)  # fmt: skip

    def _ell(self, card: Card) -> str:
        units, name = self._system(card), self._of(card, "SEG")
        a, b = card.number("A") * units.length, card.number("B") * units.length
        wide = card.number("WIDE") * units.length or 0.5 * (a + b)
        if min(a, b, wide) <= 0.0:
            self._wrong(card, Sentence("semi-axes are above zero."))
        shape: dict[str, Any] = {
            "id": card.name, "kind": "ellipsoid", "semi_axes_m": [a, wide, b], "centre_m": self._point(card, name, "X", "Z", units),
            "source": f"line {card.line}, card ELL",
        }  # fmt: skip
        turn = card.number("ANG") * units.angle * self._axes(name).sense
        if turn:
            shape["orientation"] = {"angles_rad": [0.0, turn, 0.0]}
        for one in self.data["segments"]:
            if one["id"] == name:
                one["surfaces"].append(shape)
        return f"segments/{name}/surfaces/{card.name}"

    def _line(self, card: Card) -> str:
        units, name = self._system(card), self._of(card, "SEG")
        half = 0.5 * card.number("WIDE") * units.length
        one, two = (
            self._point(card, name, "X1", "Z1", units),
            self._point(card, name, "X2", "Z2", units),
        )
        if one == two or half <= 0.0:
            self._wrong(card, Sentence("its ends are two points, and it has a width."))
        corners = {
            "p1_m": [one[0], half, one[2]],
            "p2_m": [two[0], half, two[2]],
            "p3_m": [one[0], -half, one[2]],
        }
        return self._add(
            "planes",
            card,
            segment="ground" if name == GROUND else name,
            placement={"kind": "points", **corners},
        )

    def _cont(self, card: Card) -> str:
        units = self._system(card)
        shape, line = self._of(card, "ELL", "ELL"), self._of(card, "LINE", "LINE")
        law: dict[str, Any] = {"id": card.name, "kind": "kelvin_voigt", "stiffness_n_per_m": card.number("STIF") * units.force / units.length,
               "damping_ns_per_m": card.number("DAMP") * units.force * units.time / units.length}  # fmt: skip
        if card.number("FRIC"):
            law["friction"] = card.number("FRIC")
        self.data.setdefault("contact_laws", []).append(law)
        ref = {
            "segment": self.by["ELL"][shape].text("SEG") if shape in self.by["ELL"] else "",
            "surface": shape,
        }
        return self._add("contacts", card, kind="plane", plane=line, surface=ref, law=card.name)

    def _run(self, card: Card) -> str:
        units = self._system(card)
        self.data["title"] = card.name
        self.data["gravity_m_per_s2"] = [0.0, 0.0, card.number("GRAV")]
        run = {
            "id": "run",
            "duration_s": card.number("TEND") * units.time,
            "frame_interval_s": card.number("DT") * units.time,
        }
        self.data["runs"] = [run]
        return "runs/run"

    def _start(self) -> None:
        """Place roots by their cards; of what a connector carries the angle counts, and its place must fit."""
        start = self.data["initial"]
        # what has no mass is moved by cards in the plane; nothing else says that it stays there
        still = [one["id"] for one in self.data["segments"] if not one["mass_kg"]] if "segments" in self.data else []  # fmt: skip
        carried = {card.text("TO"): card for card in self.by["CONN"].values() if carries(card)}
        for name in self.by["SEG"]:
            at, conn = self._placed(name), carried.get(name)
            if conn is not None and self._start_of_line(conn):
                continue
            turn: dict[str, Any] = {
                "segment": name,
                "orientation": {"angles_rad": [0.0, at.angle, 0.0]},
            }
            if at.rate:
                turn["angular_velocity_rad_per_s"] = [0.0, at.rate, 0.0]
            start["attitudes"].append(turn)
            if conn is None and name in still:
                flat = {"id": f"{name}_flat", "kind": "planar", "segment": name}
                self.data.setdefault("symmetry", []).append(flat)
            if conn is None:
                x, z = at.place
                root = {"segment": name, "position_m": [x, 0.0, -z]}
                if any(at.velocity):
                    root["velocity_m_per_s"] = [at.velocity[0], 0.0, -at.velocity[1]]
                start["roots"].append(root)
            elif name in self.by["RSEG"] and self.by["RSEG"][name].given & {"X", "Z"}:
                self._fits(conn, name)

    def _fits(self, conn: Card, name: str) -> None:
        units, ends = self._system(conn), list[Pair]()
        for segment, x, z in ((conn.text("FROM"), "XF", "ZF"), (name, "XT", "ZT")):
            at = self._placed(segment)
            a, b = at.turned(
                at.inside(conn.number(x) * units.length, conn.number(z) * units.length)
            )
            ends.append((at.place[0] + a, at.place[1] + b))
        off = math.dist(*ends)
        if off > 1e-6:
            self._wrong(self.by["RSEG"][name], Sentence(
                "connector {name} holds it {off:.3g} m from where it is placed; leave X and Z out.", name=conn.name, off=off))  # fmt: skip
