"""From a deck to a project, with what became of every card."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from solver.base.atomic import read_most
from solver.base.words import Sentence, msgid
from solver.exchange.decks import (
    belts,
    bodies,
    contacts,
    control,
    forces,
    joints,
    motion,
    outputs,
    start,
)
from solver.exchange.decks.bodies import Planes
from solver.exchange.decks.functions import Functions, take_functions
from solver.exchange.decks.reading import LARGEST_DECK, Deck, read_deck
from solver.exchange.decks.taking import CardNote, Taking
from solver.project.document import Project
from solver.project.problems import Problem, ProjectError, error
from solver.project.reading import validated

FREE = ".lin"
"""Ending of decks in free form."""


STEPPED_OVER = {
    "F.5": msgid(
        "Torques of joints of versions before V, whose columns no source here tells: enter them on cards E.7, "
        "and their numbers on B.4."
    ),
    "F.9": msgid("Forces of water have no like here."),
    "I": msgid(
        "Cards after the last one that is known (plots of older versions) have no use here."
    ),
}
"""Why cards are stepped over."""


@dataclass(frozen=True)
class Imported:
    """Hold the project made of a file, and what became of each part of that file."""

    project: Project
    notes: tuple[CardNote, ...]
    deck: Deck
    """Its cards."""
    text: tuple[str, ...] = ()
    """Lines of the file."""

    @property
    def lost(self) -> tuple[CardNote, ...]:
        """Give what could not be taken."""
        return tuple(one for one in self.notes if one.how == "impossible")


def read_ain(path: Path | str) -> Imported:
    """Read a deck from a file; raises ProjectError with every problem. The file is never changed."""
    file = Path(path)
    try:
        if not file.exists():
            raise ProjectError(
                [error("file-missing", "", Sentence("There is no file '{name}'.", name=str(file)))]
            )
        data = read_most(file, LARGEST_DECK)
    except (OSError, ValueError) as failure:
        why = getattr(failure, "strerror", None) or "no reason given"
        sentence = Sentence("'{name}' cannot be read: {reason}.", name=str(file), reason=why)
        raise ProjectError([error("file-unreadable", "", sentence)]) from None
    return taken(data, free=file.suffix.lower() == FREE, source=file.name)


def taken(data: bytes, free: bool = False, source: str = "") -> Imported:
    """Make a project of a deck's bytes."""
    deck = read_deck(data, free)
    taking = Taking(deck)
    if source:
        taking.data["source"] = f"deck {source}"
    _take(taking)
    if taking.problems:
        raise ProjectError(taking.problems)
    try:
        project = validated(taking.data)
    except ProjectError as failure:
        raise ProjectError([_placed(taking, one) for one in failure.problems]) from None
    return Imported(project, (*_of_the_deck(deck), *taking.report()), deck, tuple(deck.lines))


def _take(taking: Taking) -> None:
    control.take_title_and_units(taking)
    bodies.take_segments(taking)
    if taking.deck.whole:
        motion.take_vehicles(taking)
        belts.name_bags(taking)
    take_functions(taking)
    functions = Functions(taking)
    joints.take_joints(taking, functions)
    bodies.take_flexible(taking)
    if taking.deck.whole:
        planes = Planes(taking)
        laws = contacts.Laws(taking, functions)
        contacts.take_contacts(taking, functions, planes, laws)
        belts.take_harnesses(taking, functions, laws)
        belts.take_belts(taking, laws)
        belts.take_airbags(taking)
        forces.take_forces(taking, functions, planes)
        start.take_start(taking)
        outputs.take_outputs(taking)
        for row in taking.deck.of("D.1.a", "D.1.b"):
            taking.took(row)
    functions.rest()
    bodies.take_rest(taking)
    control.take_runs(taking)


def _of_the_deck(deck: Deck) -> list[CardNote]:
    """Say what is not on a card: how the file was written, comments, lines that are no known card."""
    notes = [CardNote(0, 0, "deck", "rule", (one,)) for one in deck.remarks]
    kept = Sentence("A comment; it stands in the project's note.")
    notes += [CardNote(line, line, "#", "note", (kept,)) for line, _ in deck.comments]
    for first, last, group in deck.skipped:
        notes.append(CardNote(first, last, group, "impossible", (Sentence(STEPPED_OVER[group]),)))
    return notes


def _placed(taking: Taking, problem: Problem) -> Problem:
    """Say on which line of the deck stands what a project cannot hold."""
    parts = problem.path.split("/")
    for length in range(len(parts), 0, -1):
        row = taking.origin.get("/".join(parts[:length]))
        if row is not None:
            what = Sentence("Card {card}: {what}", card=row.name, what=problem.what)
            return Problem(problem.severity, problem.code, f"line {row.line}", what, problem.mend)
    return problem
