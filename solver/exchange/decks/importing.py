"""From a deck to a project, with what became of every card."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from solver.analysis.equilibrium import SettleError, settle
from solver.base.atomic import read_most
from solver.base.words import Sentence, msgid
from solver.exchange.decks import belts, bodies, contacts, control, forces, joints, motion, outputs
from solver.exchange.decks.bodies import Planes
from solver.exchange.decks.control import EQUILIBRIUM
from solver.exchange.decks.functions import Functions, take_functions
from solver.exchange.decks.reading import LARGEST_DECK, Deck, read_deck
from solver.exchange.decks.taking import CardNote, Taking
from solver.project.document import Project
from solver.project.posing import root_of
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
    """The project made of a file, and what became of each part of that file."""

    project: Project
    notes: tuple[CardNote, ...]
    deck: Deck
    """Its cards."""
    text: tuple[str, ...] = ()
    """Lines of the file."""

    @property
    def lost(self) -> tuple[CardNote, ...]:
        """What could not be taken."""
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
        control.take_start(taking)
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


# Cards G.1 and G.4 to G.6: a deck that asks for an equilibrium is settled here.

WAYS = {1: ("x", "y", "z"), 2: ("yaw", "pitch", "roll")}
"""What the components of a variable of cards G.5 are, by its kind."""


def wants_rest(made: Imported) -> bool:
    """Whether the deck asks for an equilibrium."""
    return any(row["equilibrium"] == EQUILIBRIUM for row in made.deck.of("G.1"))


def freedoms(made: Imported) -> list[str]:
    """Give what its cards G.5 let move: shifts and turns of whole bodies, as settling names them."""
    bodies = [one.id for one in made.project.segments]
    found = dict[str, None]()
    for row in made.deck.of("G.5"):
        way, number = WAYS.get(row["kind"], ()), row["segment"]
        if 1 <= row["component"] <= len(way) and 1 <= number <= len(bodies):
            found[f"{root_of(made.project, bodies[number - 1])}.{way[row['component'] - 1]}"] = None
    return list(found)


def settled(made: Imported) -> Imported:
    """Find the equilibrium that a deck asks for, and say on its card G.1 how that went."""
    if not wants_rest(made):
        return made
    free = freedoms(made)
    try:
        done = settle(made.project, free or None)
    except (SettleError, ProjectError) as failure:
        why = Sentence(
            "It asks for an equilibrium, and none was found: {why} The start stays as the cards have it.",
            why=str(failure),
        )
        return _told(made, why, found=False)
    sentence = Sentence(
        "It asks for an equilibrium: settled with {free} free; '{segment}' moved {way:.1f} mm.",
        free=", ".join(done.free), segment=done.moved, way=1e3 * done.moved_m,
    )  # fmt: skip
    return _told(replace(made, project=done.project), sentence, found=True)


def _told(made: Imported, sentence: Sentence, *, found: bool) -> Imported:
    notes = tuple(
        replace(one, how="rule" if found else "impossible", says=(sentence,))
        if one.card == "G.1"
        else one
        for one in made.notes
    )
    return replace(made, notes=notes)
