"""Pages of plots that fit a run: of the body, of each person and belt, of bags and energy; and a test's curves beside the run's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from app import texts
from app.curves.curves import Corridor, Measured, Wanted
from app.elements import element_label
from solver.base.words import tr
from solver.editing.persons import people
from solver.injury.parts import Occupant, occupants
from solver.injury.sensors import wanted, way_inwards
from solver.project import Project
from solver.project.fields import ZERO3
from solver.project.joints import SlipJoint
from solver.project.links import Disc
from solver.project.outputs import JointOutput, PointOutput
from solver.project.segments import GROUND
from solver.results.measured import (
    RESULTANT,
    TESTS,
    MeasuredChannel,
    measured_channels,
    measured_curve,
)
from solver.results.quantities import QuantityInfo


@dataclass(frozen=True, slots=True)
class PlotSpec:
    """Say what one plot shows: curves, what lies across (None for time), tests and corridors."""

    curves: tuple[Wanted, ...]
    across: Wanted | None = None
    tests: tuple[Measured, ...] = ()
    corridors: tuple[Corridor, ...] = ()


Page = tuple[PlotSpec, ...]
Infos = Mapping[str, QuantityInfo]

_PARTS = (
    ("head", r"head|skull"),
    ("chest", r"chest|thorax|upper_?torso"),
    ("pelvis", r"pelvis|lower_?torso|hip"),
)
"""What a segment's name ends with; a name that goes on, such as 'head_restraint', is of something else."""
_MANY = 6
_COLUMNS = {
    "head_a": ("head_3ms", 0, 1.0), "head_w": ("BrIC", 0, 1.0), "head_alpha_rad_s2": ("DAMAGE", 0, 1.0), "t1_a": ("NIC", 0, 1.0),
    "neck_F": ("Nij", 0, 1.0), "neck_M": ("Nij", 1, 1.0), "chest_a": ("chest_3ms", 0, 1.0), "chest_defl_mm": ("chest_deflection", 0, -1.0),
    "pelvis_a": ("pelvis_3ms", 0, 1.0), "femur_left_F": ("femur_compression_left", 0, -1.0), "femur_right_F": ("femur_compression_right", 0, -1.0),
}  # fmt: skip
"""How columns of tests begin, and the sensor of a body that measures the same: a figure of it, which of its outputs, and its
sense. Axes are those of SAE J211, as ours; there a chest that is pressed in and a thigh that is pressed are below zero."""
_Z_UP = "volunteers_15g/"
"""Tests whose z points up, and so their y to the left."""
_SHOWN = (f"a{RESULTANT}", "defl_mm", "w", "alpha_rad_s2", "Fx", "Fz", "My")
"""Which columns stand on the page of a test: of accelerations the resultant, where there is one."""


def pages(project: Project, infos: Infos, segments: Sequence[str]) -> dict[str, Page]:
    """The pages for which a run of a project has something to show."""
    out = _of_body(project, infos, segments)
    bodies = _of_people(project, infos)
    discs = [f"springs/{spring.id}" for spring in project.springs if isinstance(spring, Disc)]
    if discs and f"{discs[0]}/force/resultant" in infos:
        out[_title("discs")] = [
            [f"{disc}/{load}/resultant" for disc in discs[: 2 * _MANY]]
            for load in ("force", "torque")
        ]
    if not out and segments:
        out[_title("motion")] = [
            [f"segments/{segments[0]}/acceleration/resultant"],
            [f"segments/{segments[0]}/velocity/{axis}" for axis in "xyz"],
        ]
    out |= bodies
    made = {title: _page(names) for title, names in out.items()}
    made |= _of_belts(project, infos)
    rest: dict[str, list[list[str]]] = {}
    if any(name.startswith("airbags/") for name in infos):
        rest[_title("airbag")] = [
            _columns(infos, ("airbags", "pressure"), ("airbags", "volume")),
            [n for n in _columns(infos, ("airbags", "force")) if n.endswith("resultant")],
        ]
    contacts = [n for n in _columns(infos, ("contacts", "force")) if n.endswith("resultant")]
    if contacts:
        rest[_title("contacts")] = [contacts[: 2 * _MANY]]
    rest[_title("energy")] = [
        [f"energy/{n}" for n in ("kinetic", "potential", "strain", "dissipated", "external")],
        ["energy/balance"],
    ]
    return made | {title: _page(names) for title, names in rest.items()}


def _title(name: str) -> str:
    return tr(texts.words.PAGES[name])


def _page(plots: Iterable[Sequence[str]]) -> Page:
    return tuple(PlotSpec(tuple(map(Wanted, names))) for names in plots if names)


def _of_body(project: Project, infos: Infos, segments: Sequence[str]) -> dict[str, list[list[str]]]:
    """Head, how it turns, chest and pelvis of the first body."""
    out: dict[str, list[list[str]]] = {}
    for name, pattern in _PARTS:
        whole = re.compile(rf"(^|[_.-])({pattern})([_.-]?\d+)?$", re.IGNORECASE)
        segment = next((s for s in segments if whole.search(s)), None)
        if segment is not None:
            out[_title(name)] = _body_part(project, infos, segment)
            if name == "head":
                about = (
                    ("angular_acceleration", "y"),
                    ("angular_velocity", "y"),
                    ("angle", "pitch"),
                )
                turns = [[f"segments/{segment}/{what}/{axis}"] for what, axis in about]
                out[_title("turn")] = turns
    return out


def _of_people(project: Project, infos: Infos) -> dict[str, list[list[str]]]:
    """A page of each person, and where there are several one of all: what dummies measure, as a test lab draws it."""
    bodies = occupants(project)
    if not bodies:
        return {}
    found = [_measured_of(project, infos, body) for body in bodies]
    kinds = (
        ("head_3ms.0",),
        ("chest_3ms.0", "pelvis_3ms.0"),
        ("chest_deflection.0",),
        ("femur_compression_left.0.z", "femur_compression_right.0.z"),
    )
    names = person_names(project)
    out: dict[str, list[list[str]]] = {}
    for name, its in zip(names, found, strict=True):
        title = tr("Person: {name}", name=name) if len(bodies) > 1 else _title("person")
        out[title] = [[its[one] for one in kind if one in its] for kind in kinds]
    if len(bodies) > 1:
        shared = [kind for kinds_ in kinds[:3] for kind in kinds_]
        out = {_title("people"): [[its[one] for its in found if one in its] for one in shared], **out}  # fmt: skip
    return {title: plots for title, plots in out.items() if any(plots)}


def person_names(project: Project) -> list[str]:
    """What the bodies of a project are called, in their order; of two of one name each has its number."""
    names = [_person_name(project, body) for body in occupants(project)]
    return [f"{name} {n}" if names.count(name) > 1 else name for n, name in enumerate(names, 1)]


def _person_name(project: Project, body: Occupant) -> str:
    its = set(body.segments.values())
    found = next((one.name for one in people(project) if its & set(one.segments)), body.name)
    return found or body.name


def _measured_of(project: Project, infos: Infos, body: Occupant) -> dict[str, str]:
    """What the sensors of a body have recorded: by figure, output and axis, the quantity."""
    out: dict[str, str] = {}
    for figure, _, _, outputs in wanted(project, body):
        for n, one in enumerate(outputs):
            for end in ("resultant", "x", "y", "z"):
                if f"{one.id}_{end}" in infos:
                    key = f"{figure}.{n}" if end == "resultant" else f"{figure}.{n}.{end}"
                    out[key] = f"{one.id}_{end}"
            if isinstance(one, JointOutput) and f"{one.id}_slide" in infos:
                out[f"{figure}.{n}"] = f"{one.id}_slide"
    return out


def _of_belts(project: Project, infos: Infos) -> dict[str, Page]:
    """All belts at once; where there are several, a page of each, with pull over payout."""
    loads = _columns(infos, ("belts", "tension"), ("harnesses", "tension"))
    payout = _columns(infos, ("belts", "length"), ("harnesses", "payout"))
    if not loads:
        return {}
    out = {_title("belts"): _page([loads[:_MANY], payout[:_MANY]])}
    belts = dict.fromkeys(_belt_of(name) for name in loads)
    for path in belts if len(belts) > 1 else ():
        pulls, ways = (
            [one for one in names if _belt_of(one) == path][:_MANY] for names in (loads, payout)
        )
        title = tr("Belt: {name}", name=element_label(project, path))
        out[title] = _page([pulls, ways])
        if pulls and ways:
            out[title] += (PlotSpec((Wanted(pulls[0]),), Wanted(ways[0])),)
    return out


def _belt_of(quantity: str) -> str:
    """The belt or harness that a quantity is of; a harness has several straps."""
    group, element = quantity.split("/")[:2]
    return f"{group}/{element.partition('.')[0]}"


def _body_part(project: Project, infos: Infos, segment: str) -> list[list[str]]:
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


def _columns(infos: Infos, *columns: tuple[str, str]) -> list[str]:
    return [i.name for one in columns for i in infos.values() if (i.group, i.column) == one]


# tests beside a run


@dataclass(frozen=True, slots=True)
class Counterpart:
    """What of a run a curve of a test is held beside, and whether the test counts it the other way round."""

    quantity: str
    sense: float


def counterpart(
    project: Project, infos: Infos, one: MeasuredChannel, person: int = 0, drawn: Sequence[str] = ()
) -> Counterpart | None:
    """What of a person of a run, by number, a curve of a test is held beside; of whom curves are `drawn`, that comes before. None where nothing measures the same."""
    bodies = occupants(project)
    if person >= len(bodies):
        return None
    all_ = [_measured_of(project, infos, body) for body in bodies]
    its = next((its for its in all_ if set(drawn) & set(its.values())), all_[person])
    return _counterpart(project, its, one)


def _counterpart(
    project: Project, its: Mapping[str, str], one: MeasuredChannel
) -> Counterpart | None:
    start = next((start for start in _COLUMNS if one.column.startswith(start)), "")
    if not start:
        return None
    figure, n, sense = _COLUMNS[start]
    axis = one.column[len(start) :].partition("_")[0]
    if start == "head_alpha_rad_s2":
        axis = "y"
    name = its.get(f"{figure}.{n}" if axis in (RESULTANT, "") else f"{figure}.{n}.{axis}")
    if name is None:
        return None
    if one.test.startswith(_Z_UP) and axis in ("y", "z"):
        sense = -sense
    if figure == "chest_deflection":
        sense *= _inwards(project, name)
    return Counterpart(name, sense)


def _inwards(project: Project, quantity: str) -> float:
    """The sense in which a sternum slides inwards."""
    id_ = quantity.removesuffix("_slide").partition(".")[0]
    joint = next((j for j in project.joints if j.id == id_ and isinstance(j, SlipJoint)), None)
    return 1.0 if joint is None else way_inwards(joint)


def drawn_test(one: MeasuredChannel, beside: Counterpart | None) -> Measured:
    """A curve of a test, counted as the run counts what it is held beside."""
    time, value = measured_curve(one)
    name = one.whole
    if beside is not None and beside.sense < 0.0:
        return Measured(tr("{curve}, sign turned", curve=name), one.unit, time, -value)
    return Measured(name, one.unit, time, value)


def page_of_test(project: Project, infos: Infos, test: str, person: int = 0) -> Page:
    """A plot for each curve of a test that a person of a run, by number, measures, too: run and test beside each other."""
    bodies = occupants(project)
    if person >= len(bodies):
        return ()
    its, out = _measured_of(project, infos, bodies[person]), list[PlotSpec]()
    whole = {one.column.partition("_a")[0] for one in measured_channels() if one.test == test and RESULTANT in one.column}  # fmt: skip
    for one in measured_channels():
        beside = _counterpart(project, its, one) if one.test == test else None
        part, _, rest = one.column.partition("_")
        is_single = rest.startswith("a") and part not in whole
        if beside is not None and (is_single or any(word in one.column for word in _SHOWN)):
            out.append(PlotSpec((Wanted(beside.quantity),), tests=(drawn_test(one, beside),)))
    # accelerations and deflections first, then loads
    return tuple(sorted(out, key=lambda spec: spec.tests[0].unit.startswith("N")))


def title_of(test: str) -> str:
    """What a test is called."""
    return next(one.title for one in measured_channels() if one.test == test)


def pages_of_tests(project: Project, infos: Infos, person: int = 0) -> dict[str, Page]:
    """The pages of all tests of which a person of a run measures something."""
    found = {title_of(test): page_of_test(project, infos, test, person) for test in TESTS}
    return {title: page for title, page in found.items() if page}
