"""Cards G.1 and G.4 to G.6: a deck that asks for an equilibrium is settled here."""

from __future__ import annotations

from dataclasses import replace

from solver.analysis.equilibrium import SettleError, settle
from solver.base.words import Sentence
from solver.exchange.decks.importing import Imported
from solver.exchange.decks.start import EQUILIBRIUM
from solver.project.posing import root_of
from solver.project.problems import ProjectError

WAYS = {1: ("x", "y", "z"), 2: ("yaw", "pitch", "roll")}
"""What the components of a variable of cards G.5 are, by its kind."""


def wants_rest(made: Imported) -> bool:
    """Tell whether the deck asks for an equilibrium."""
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
    told = Sentence(
        "It asks for an equilibrium: settled with {free} free; '{segment}' moved {way:.1f} mm.",
        free=", ".join(done.free), segment=done.moved, way=1e3 * done.moved_m,
    )  # fmt: skip
    return _told(replace(made, project=done.project), told, found=True)


def _told(made: Imported, sentence: Sentence, *, found: bool) -> Imported:
    notes = tuple(
        replace(one, how="rule" if found else "impossible", says=(sentence,))
        if one.card == "G.1"
        else one
        for one in made.notes
    )
    return replace(made, notes=notes)
