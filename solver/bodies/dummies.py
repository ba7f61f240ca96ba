"""Crash test dummies of the library, each one file with a source for every number."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from solver.base.places import resources
from solver.bodies.body import IN, INERTIA, LB, Body, BodyError, read, tidy, tidy3, turn_of
from solver.bodies.poses import STANDING, attitudes_of, with_clear_arms
from solver.bodies.skeleton import Figures, JointPoints, Skeleton, assemble
from solver.project.document import Project
from solver.project.fields import ZERO3, Vec3
from solver.project.geometry import Ellipsoid
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


# The bodies of the library, as printed, and the masses of dummies.

LIBRARY = ("male-50", "male-95")
"""Names of the bodies that are shipped as printed."""


@dataclass(frozen=True, slots=True)
class MassTable:
    """Hold masses (kg) by segment, what they are of and how sure they are; `pairs` count twice."""

    title: str
    source: str
    confidence: str
    total_kg: float
    masses_kg: dict[str, float]
    pairs: tuple[str, ...]


@cache
def library_body(name: str) -> Body:
    """Give a body of the library, standing: as printed, or a dummy."""
    if name in DUMMIES:
        return dummy(name)
    data = _data(name)
    man = assemble(
        printed_skeleton(name), title=data["title"], source=data["source"], note=data["note"]
    )
    return replace(man, is_printed=True)


def printed_skeleton(name: str) -> Skeleton:
    """Give the figures of a body of the library in SI units."""
    data = _data(name)
    return Skeleton(
        {segment: _figures(entry) for segment, entry in data["segments"].items()},
        {
            joint: JointPoints(_metres(entry["in_parent_in"]), _metres(entry["in_child_in"]))
            for joint, entry in data["joints"].items()
        },
    )


def dummy_masses() -> dict[str, MassTable]:
    """Give tables of segment masses that come without the rest of a body, each with its source."""
    tables = {}
    for name, entry in read("masses").items():
        factor = {"kg": 1.0, "lb": LB}[entry["unit"]]
        tables[name] = MassTable(
            title=entry["title"],
            source=entry["source"],
            confidence=entry["confidence"],
            total_kg=entry["total"] * factor,
            masses_kg={segment: mass * factor for segment, mass in entry["masses"].items()},
            pairs=tuple(entry["pairs"]),
        )
    return tables


def _data(name: str) -> Any:
    if name not in LIBRARY:
        raise BodyError(
            "There is no body '{name}'. There are: {library}.",
            name=name,
            library=", ".join((*LIBRARY, *DUMMIES)),
        )
    return read(name)


def _figures(entry: Any) -> Figures:
    more = tuple(
        Ellipsoid(
            id=one["id"],
            name=one["name"],
            note=one["note"],
            semi_axes_m=_metres(one["semi_axes_in"]),
            centre_m=_metres(one["centre_in"]),
        )
        for one in entry.get("more_surfaces", ())
    )
    return Figures(
        mass_kg=tidy(entry["weight_lb"] * LB),
        inertia_kgm2=tidy3([value * INERTIA for value in entry["inertia_lbf_s2_in"]]),
        semi_axes_m=_metres(entry["semi_axes_in"]),
        centre_m=_metres(entry.get("centre_in", ZERO3)),
        principal_axes=turn_of(entry.get("principal_axes_deg", ZERO3)),
        more_surfaces=more,
    )


def _metres(inches: Any) -> Vec3:
    return tidy3([float(value) * IN for value in inches])
