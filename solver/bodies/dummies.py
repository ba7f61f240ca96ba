"""Crash test dummies of the library, each one file with a source for every number."""

from __future__ import annotations

import functools
from collections.abc import Mapping

from solver.base.places import resources
from solver.bodies.arms import with_clear_arms
from solver.bodies.body import Body, BodyError
from solver.bodies.poses import STANDING, attitudes_of
from solver.project.document import Project
from solver.project.reading import parse

DUMMIES = (
    "hybrid_iii_50m",
    "hybrid_iii_5f",
    "hybrid_iii_95m",
    "hybrid_iii_6y",
    "hybrid_iii_3y",
)
"""Names of the dummies that are shipped."""

RESTS = ("lumbar", "waist", "disc_1")
"""Joints of brackets: they are set so that rubber is at rest in the pose."""


@functools.cache
def dummy(name: str) -> Body:
    """Give a dummy of the library, standing; `pose` seats it."""
    return body_of(dummy_file(name))


def masses(name: str) -> Mapping[str, float]:
    """Give the mass of each segment of a dummy (kg), by its plain id."""
    return {one.id: one.mass_kg for one in dummy_file(name).segments}


def body_of(piece: Project) -> Body:
    """Give the body that the file of a dummy holds, or a project made from one."""
    body = Body(
        title=piece.title,
        source=piece.source,
        note=piece.note,
        segments=piece.segments,
        joints=piece.joints,
        functions=piece.functions,
        attitudes=attitudes_of(STANDING, (segment.id for segment in piece.segments)),
        pose=STANDING,
        also=Project(contact_laws=piece.contact_laws, coordinate_forces=piece.coordinate_forces),
        rests=RESTS,
    )
    return with_clear_arms(body)


@functools.cache
def dummy_file(name: str) -> Project:
    """Give the file of a dummy: a project that holds it alone, and the studies that its laws were fitted by."""
    if name not in DUMMIES:
        raise BodyError(
            "There is no dummy '{name}'. There are: {known}.", name=name, known=", ".join(DUMMIES)
        )
    file = resources() / "dummies" / f"{name}.json"
    return parse(file.read_text(encoding="utf-8")).project
