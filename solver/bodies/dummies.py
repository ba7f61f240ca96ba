"""Crash test dummies of the library, each one file with a source for every number."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from typing import Any

from solver.bodies.body import Body, BodyError
from solver.bodies.poses import STANDING, attitudes_of
from solver.places import resources
from solver.project.document import Project

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


def dummy(name: str) -> Body:
    """Give a dummy of the library, standing; `pose` seats it."""
    if name not in DUMMIES:
        raise BodyError(
            "There is no dummy '{name}'. There are: {known}.", name=name, known=", ".join(DUMMIES)
        )
    return body_of(_file(name))


def masses(name: str) -> Mapping[str, float]:
    """Give the mass of each segment of a dummy (kg), by its plain id."""
    return {one["id"]: one["mass_kg"] for one in _file(name)["fragment"]["segments"]}


def body_of(data: Mapping[str, Any]) -> Body:
    """Give the body that a file of a dummy holds."""
    piece = Project.model_validate(data["fragment"])
    return Body(
        title=data["title"],
        source=data["source"],
        note=data["note"],
        segments=piece.segments,
        joints=piece.joints,
        functions=piece.functions,
        attitudes=attitudes_of(STANDING, (segment.id for segment in piece.segments)),
        pose=STANDING,
        also=Project(contact_laws=piece.contact_laws, coordinate_forces=piece.coordinate_forces),
        rests=RESTS,
    )


@functools.cache
def _file(name: str) -> Any:
    return json.loads((resources() / "dummies" / f"{name}.json").read_text(encoding="utf-8"))
