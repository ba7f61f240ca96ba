"""Pages of plots that fit most models: head and its turn, discs, chest, pelvis, belts, airbag, energy."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from app import texts
from solver.base.words import tr
from solver.project import Project
from solver.project.fields import ZERO3
from solver.project.links import Disc
from solver.project.outputs import PointOutput
from solver.project.segments import GROUND
from solver.results.quantities import QuantityInfo

Page = list[list[str]]
"""Names of quantities, plot by plot."""

_PARTS = (
    ("head", r"head|skull"),
    ("chest", r"chest|thorax|upper_?torso"),
    ("pelvis", r"pelvis|lower_?torso|hip"),
)
"""What a segment's name ends with; a name that goes on, such as 'head_restraint', is of something else."""
_MANY = 6


def pages(
    project: Project, infos: Mapping[str, QuantityInfo], segments: Sequence[str]
) -> dict[str, Page]:
    """Give the pages for which a run of a project has something to show."""
    out: dict[str, Page] = {}
    for name, pattern in _PARTS:
        whole = re.compile(rf"(^|[_.-])({pattern})([_.-]?\d+)?$", re.IGNORECASE)
        segment = next((s for s in segments if whole.search(s)), None)
        if segment is not None:
            out[name] = _body_part(project, infos, segment)
            if name == "head":
                about = (
                    ("angular_acceleration", "y"),
                    ("angular_velocity", "y"),
                    ("angle", "pitch"),
                )
                out["turn"] = [[f"segments/{segment}/{what}/{axis}"] for what, axis in about]
    discs = [f"springs/{spring.id}" for spring in project.springs if isinstance(spring, Disc)]
    if discs and f"{discs[0]}/force/resultant" in infos:
        out["discs"] = [
            [f"{disc}/{load}/resultant" for disc in discs[: 2 * _MANY]]
            for load in ("force", "torque")
        ]
    if not out and segments:
        out["motion"] = [
            [f"segments/{segments[0]}/acceleration/resultant"],
            [f"segments/{segments[0]}/velocity/{axis}" for axis in "xyz"],
        ]
    loads = _columns(infos, ("belts", "tension"), ("harnesses", "tension"))
    payout = _columns(infos, ("belts", "length"), ("harnesses", "payout"))
    if loads:
        out["belts"] = [loads[:_MANY], payout[:_MANY]]
    if any(name.startswith("airbags/") for name in infos):
        out["airbag"] = [
            _columns(infos, ("airbags", "pressure"), ("airbags", "volume")),
            [n for n in _columns(infos, ("airbags", "force")) if n.endswith("resultant")],
        ]
    contacts = [n for n in _columns(infos, ("contacts", "force")) if n.endswith("resultant")]
    if contacts:
        out["contacts"] = [contacts[: 2 * _MANY]]
    out["energy"] = [
        [f"energy/{n}" for n in ("kinetic", "potential", "strain", "dissipated", "external")],
        ["energy/balance"],
    ]
    return {
        tr(texts.words.PAGES[name]): [plot for plot in page if plot] for name, page in out.items()
    }


def _body_part(project: Project, infos: Mapping[str, QuantityInfo], segment: str) -> Page:
    """Plot the acceleration of a segment's mass centre, as recorded where that is done."""
    outputs = [
        f"{one.id}_resultant"
        for one in project.outputs
        if isinstance(one, PointOutput)
        and (one.segment, one.relative_to, one.point_m) == (segment, GROUND, ZERO3)
        and one.frame is None
        and one.quantity == "acceleration"
    ]
    recorded = [n for n in (*outputs, f"{segment}.acceleration_resultant") if n in infos]
    first = recorded[:1] or [f"segments/{segment}/acceleration/resultant"]
    return [first, [f"segments/{segment}/acceleration/{axis}" for axis in "xz"]]


def _columns(infos: Mapping[str, QuantityInfo], *columns: tuple[str, str]) -> list[str]:
    return list(_named(infos.values(), columns))


def _named(infos: Iterable[QuantityInfo], columns: Sequence[tuple[str, str]]) -> Iterable[str]:
    wanted = list(infos)
    for group, column in columns:
        yield from (i.name for i in wanted if (i.group, i.column) == (group, column))
