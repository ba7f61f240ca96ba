"""The bodies of the library, as printed, and the masses of dummies."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from solver.bodies.body import Body, BodyError
from solver.bodies.dummies import DUMMIES, dummy
from solver.bodies.entries import read, turn_of
from solver.bodies.skeleton import Figures, JointPoints, Skeleton, assemble
from solver.bodies.units import IN, INERTIA, LB, tidy, tidy3
from solver.project.fields import ZERO3, Vec3
from solver.project.geometry import Ellipsoid

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
