"""The same model with three sizes of one person; no Qt."""

from __future__ import annotations

from dataclasses import dataclass

from app import texts
from app.editing.persons import Person
from solver.base.words import Sentence, tr
from solver.project import Project

SIZES = ("hybrid_iii_5f", "hybrid_iii_50m", "hybrid_iii_95m")
"""Small woman, mid-size man, large man."""


@dataclass(frozen=True, slots=True)
class Sized:
    """Hold a model with one size, what its run is called, and what of the old body it has nothing for."""

    name: str
    project: Project
    lost: Sentence | None = None


def sized(project: Project, one: Person) -> list[Sized]:
    """Seat each size in turn where the person sits; who is that size already, as in the library, stays as it is."""
    from solver.analysis.crash.reseated import reseated
    from solver.bodies import library_body
    from solver.bodies.certificates import changed
    from solver.bodies.library.occupants import ahead_of
    from solver.bodies.library.replacing import left_out

    found = []
    for who in SIZES:
        body = library_body(who)
        is_there = len(body.segments) == len(one.segments) and not changed(
            project, ahead_of(one.prefix), who
        )
        done = project if is_there else reseated(project, one.prefix, body).project
        lost = left_out(project, done, one.prefix)
        found.append(Sized(f"{one.name}: {tr(texts.elements.DUMMIES[who])}", done, lost))
    return found
