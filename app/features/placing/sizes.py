"""The same model with three sizes of one person; no Qt."""

from __future__ import annotations

from dataclasses import dataclass

from app import texts
from app.editing.persons import Person
from solver.project import Project
from solver.words import tr

SIZES = ("hybrid_iii_5f", "hybrid_iii_50m", "hybrid_iii_95m")
"""Small woman, mid-size man, large man."""
_SAME_KG = 0.01


@dataclass(frozen=True, slots=True)
class Sized:
    """Hold a model with one size, and what its run is called."""

    name: str
    project: Project


def sized(project: Project, one: Person) -> list[Sized]:
    """Seat each size in turn where the person sits; the size that it has already stays as it is."""
    from solver.bodies import library_body
    from solver.equilibrium import reseated

    found = []
    for who in SIZES:
        body = library_body(who)
        is_there = abs(body.mass_kg - one.mass_kg) < _SAME_KG and len(body.segments) == len(
            one.segments
        )
        done = project if is_there else reseated(project, one.prefix, body).project
        found.append(Sized(f"{one.name}: {tr(texts.elements.DUMMIES[who])}", done))
    return found
