"""Crash test dummies of the library, each one file with a source for every number."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

from pydantic import Field, ValidationError

from solver.base.places import resources
from solver.bodies.body import IN, INERTIA, LB, Body, BodyError, read, tidy, tidy3, turn_of
from solver.bodies.poses import STANDING, attitudes_of, with_clear_arms
from solver.bodies.skeleton import Figures, JointPoints, Skeleton, assemble
from solver.project.criteria import bodies_of_the_library, entry_in
from solver.project.document import Project
from solver.project.fields import ZERO3, Flag, Id, Number, Part, Text, Vec3
from solver.project.geometry import Ellipsoid
from solver.project.problems import problems_of
from solver.project.reading import parse

DUMMIES = bodies_of_the_library("dummies")
"""Names of the dummies that are shipped."""

RESTS = ("lumbar", "waist", "disc_1")
"""Joints of brackets: they are set so that rubber is at rest in the pose."""

Size = Literal["small", "mid-size", "large"]
"""The small woman, the mid-size man and the large man that adults are compared with."""


class Neck(Part):
    """Hold intercepts of Nij (N, N*m)."""

    tension: Number
    compression: Number
    flexion: Number
    extension: Number
    source: Text = Field(min_length=1)
    seen: Text = ""
    unchecked: Flag = False


class Tibia(Part):
    """Hold intercepts of the tibia index (N*m, N)."""

    moment: Number
    force: Number
    source: Text = Field(min_length=1)
    seen: Text = ""


class Chest(Part):
    """Hold scale and depth (m) of the viscous criterion."""

    scale: Number
    depth: Number
    source: Text = Field(min_length=1)
    seen: Text = ""


class JudgedAs(Part):
    """Say what injury figures of a dummy are compared with; limits of regulations that name several bodies stand in `injury.json`."""

    id: Id
    """What `compared_with` calls it."""
    name: Text = Field(min_length=1)
    mass_kg: float | None = Field(default=None, gt=0.0)
    """As published: bodies that are like it in mass are compared with it; none: itself alone is."""
    source: Text = Field(min_length=1)
    code: Text = ""
    """Its two letters in the codes of measured channels (ISO/TS 13499)."""
    condyles_m: float | None = Field(default=None, gt=0.0)
    """How far its upper load cell of the neck lies above the condyles."""
    neck: Neck | None = None
    tibia: Tibia | None = None
    chest: Chest | None = None
    limits: tuple[Mapping[str, Any], ...] = ()
    """Rows as in `injury.json`, without `body` and `sizes`."""
    risks: tuple[Mapping[str, Any], ...] = ()
    """Rows as there, without `sizes`."""
    constants: tuple[Id, ...] = ()
    """Criteria whose own constants hold for it."""
    ratings: tuple[Literal["us_ncap", "euro_ncap_wall", "euro_ncap_barrier"], ...] = ()


class DummyEntry(Part):
    """What the library must know of a dummy beside its parts; it stands first in the dummy's file, as `dummy`."""

    name: Text = Field(min_length=1)
    """What people choose it by."""
    size: Size | None = None
    """Which of the three adults it is; one dummy is each."""
    judged_as: JudgedAs | None = None
    """None: as what is like it in mass."""
    held_against: Mapping[Literal["ahead", "side", "behind", "below", "above"], Text] = {}
    """By push: which measurements it was held against as a whole, and what failed."""
    made_for: Literal["frontal", "side"] = "frontal"
    """Crashes that it is made for."""
    tests: tuple[Mapping[str, Any], ...] = ()
    """Certification tests, as `studies/bench` reads them."""
    rests: tuple[Id, ...] = RESTS
    """Joints of its brackets, where they have other names."""


@functools.cache
def dummy_entry(name: str) -> DummyEntry:
    """The entry of a dummy; raises BodyError for a field that is wrong or unknown."""
    data = entry_in(_text(name))
    if data is None:
        raise BodyError(
            "The file of the dummy '{name}' does not begin with its entry 'dummy'.", name=name
        )
    try:
        return DummyEntry.model_validate(data)
    except ValidationError as failure:
        found = problems_of(failure, data, DummyEntry)[0]
        raise BodyError(
            "The entry of the dummy '{name}': {found}", name=name, found=found
        ) from None


def called(name: str) -> str:
    """What people choose a body of the library by."""
    name_text: str = dummy_entry(name).name if name in DUMMIES else _data(name)["name"]
    return name_text


@functools.cache
def of_size(size: Size, kind: Literal["dummies", "printed"] = "dummies") -> str:
    """Name the body of the library that is the small woman, the mid-size man or the large man."""
    known = bodies_of_the_library(kind)
    sizes = [dummy_entry(one).size if one in DUMMIES else _data(one).get("size") for one in known]
    if sizes.count(size) != 1:
        raise BodyError(
            "Of the bodies {known} one must be the '{size}' one, not {count}.",
            known=", ".join(known),
            size=size,
            count=sizes.count(size),
        )
    return known[sizes.index(size)]


@functools.cache
def dummy(name: str) -> Body:
    """A dummy of the library, standing; `pose` seats it."""
    return body_of(dummy_file(name), dummy_entry(name).rests)


def masses(name: str) -> Mapping[str, float]:
    """The mass of each segment of a dummy (kg), by its plain id."""
    return {one.id: one.mass_kg for one in dummy_file(name).segments}


def body_of(piece: Project, rests: Sequence[str] = RESTS) -> Body:
    """The body that the file of a dummy holds, or a project made from one."""
    body = Body(
        title=piece.title,
        source=piece.source,
        note=piece.note,
        segments=piece.segments,
        joints=piece.joints,
        functions=piece.functions,
        attitudes=attitudes_of(STANDING, (segment.id for segment in piece.segments)),
        pose=STANDING,
        also=Project(
            contact_laws=piece.contact_laws,
            coordinate_forces=piece.coordinate_forces,
            outputs=piece.outputs,
        ),
        rests=tuple(rests),
    )
    return with_clear_arms(body)


@functools.cache
def dummy_file(name: str) -> Project:
    """The file of a dummy: a project that holds it alone, and the studies that its laws were fitted by."""
    data = json.loads(_text(name))
    data.pop("dummy", None)
    return parse(json.dumps(data)).project


def _text(name: str) -> str:
    if name not in DUMMIES:
        raise BodyError(
            "There is no dummy '{name}'. There are: {known}.", name=name, known=", ".join(DUMMIES)
        )
    return (resources() / "dummies" / f"{name}.json").read_text(encoding="utf-8")


# The bodies of the library, as printed, and the masses of dummies.

LIBRARY = bodies_of_the_library("printed")
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
    """A body of the library, standing: as printed, or a dummy."""
    if name in DUMMIES:
        return dummy(name)
    data = _data(name)
    man = assemble(
        printed_skeleton(name), title=data["title"], source=data["source"], note=data["note"]
    )
    return replace(man, is_printed=True)


def printed_skeleton(name: str) -> Skeleton:
    """The figures of a body of the library in SI units."""
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
