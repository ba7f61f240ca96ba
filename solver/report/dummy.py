"""Which dummy sat there, and what its bench tests say of it."""

from __future__ import annotations

from solver.base.words import tr
from solver.bodies.certificates import Certificate, certificate_of, changed
from solver.injury import occupants
from solver.injury.judging import who
from solver.injury.parts import Occupant
from solver.injury.reference import reference
from solver.report.content import Cell, Table, Tone, text
from solver.report.gather import Subject


def dummy_tables(s: Subject) -> list[Table]:
    """Give a table for each dummy of the library among the bodies."""
    found = []
    for body in occupants(s.project):
        one = who(s.project, body)
        name = reference().bodies[one.size].library if one.how == "dummy" else ""
        if name:
            found.append(_table(s, body, name, one.name))
    return found


def _table(s: Subject, body: Occupant, name: str, title: str) -> Table:
    known = certificate_of(name)
    differs = changed(s.project, body.segments["head"].removesuffix("head"), name)
    rows = []
    if known is not None:
        for test in known.tests:
            inside = tr("{inside} of {figures}", inside=test.inside, figures=test.figures)
            tone: Tone = "good" if test.inside == test.figures else "bad"
            rows.append((text(tr(test.title)), text(test.paragraph, "muted"), Cell(inside, tone, number=True)))  # fmt: skip
    return Table(
        tr("Dummy: {name}", name=title),
        (tr("bench test"), tr("paragraph"), tr("figures inside")),
        tuple(rows),
        (0.3, 0.48, 0.22),
        (_validity(known, differs),),
    )


def _validity(known: Certificate | None, differs: tuple[str, ...]) -> str:
    """Say whether the certificate holds for this model."""
    if known is None:
        return tr("No bench tests are known for it: its laws are another dummy's in proportion.")
    if not known.is_current:
        return tr("The dummy of the library has changed since it was tested: run the bench again.")
    if differs:
        first = ", ".join(differs[:3])
        more = tr(" and {count} more", count=len(differs) - 3) if len(differs) > 3 else ""
        return tr(
            "Changed against the library: {first}{more}. The bench does not speak for it.",
            first=first,
            more=more,
        )
    return tr("As in the library; its certificate: manikin bench.")
