"""New segments, joints, planes, functions and laws."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.editing.naming import free_id, taken
from app.editing.parts import new_part
from solver.base.words import tr
from solver.editing.bench import Bench, CannotMake
from solver.editing.by_hand import Stops, stops_between
from solver.engine.maths.rotation import Array
from solver.project.fields import Part
from solver.project.geometry import upright
from solver.project.inertia import filled
from solver.project.joint_table import MODELS
from solver.project.joints import BallJoint, ExtensionalJoint, PinJoint, UniversalJoint
from solver.project.posing import root_of
from solver.project.schema import kind_words, models_of
from solver.project.segments import GROUND, Segment
from solver.scene.placing import placeable, up_of

Row = tuple[str, str, Callable[[Bench], str]]
"""The list, the kind, and what makes an element on a bench."""

_RADIUS_M, _DENSITY = 0.1, 1000.0
_SOURCE = "Mass and moments of its shape, evenly filled at 1000 kg/m3: assumed, 900 to 1100 for people. They follow the shape until they are typed."
_NEAR_M = 0.15
"""A joint of one segment goes to what is not farther from it than this, rather than to the ground (assumed)."""


def _segment(bench: Bench) -> str:
    """Make a ball beside what there is, or on top of what is selected, as large as that."""
    places = [bench.centre(segment) for segment in bench.project.segments]
    below = _stood_on(bench)
    semi_axes = (_RADIUS_M,) * 3 if below is None else below.surfaces[0].semi_axes_m
    surface = {"id": "surface", "name": "Surface", "kind": "ellipsoid", "semi_axes_m": semi_axes}
    name = free_id("segment", taken(bench.project, "segments"))
    plain = bench.part(
        "Segment", id=name, source=_SOURCE, mass_kg=0.0, inertia_kgm2=(0.0,) * 3, surfaces=[surface]
    )
    segment = filled(plain, _DENSITY)
    bench.append("segments", segment)
    if below is not None:
        up = up_of(bench.project)
        half = float(np.linalg.norm(np.array(semi_axes) * up))
        at = bench.centre(below) + (bench.reach(below, up) + half) * up
        _start(bench, name, at, root_of(placeable(bench.project), below.id))
    else:
        beside = [max(float(p[0]) for p in places) + 0.4, *places[-1][1:]] if places else [0.0] * 3
        _start(bench, name, np.array(beside))
    return name


def _stood_on(bench: Bench) -> Segment | None:
    """What a new segment stands on: the selected segment, or what the selected joint carries."""
    carried = {joint.id: joint.child for joint in bench.project.joints}
    names = [*bench.picked("segments"), *(carried.get(one, "") for one in bench.picked("joints"))]
    segments = {segment.id: segment for segment in bench.project.segments}
    found = [segments[one] for one in names if one in segments and segments[one].surfaces]
    return found[-1] if found else None


def _start(bench: Bench, segment: str, at_W: Array, like: str = GROUND) -> None:
    """Let a segment start at a place, moving with what another one moves with."""
    initial = bench.project.initial
    carrier = next((r.moves_with for r in initial.roots if r.segment == like), GROUND)
    x, y, z = (round(float(v), 3) + 0.0 for v in at_W)
    root = bench.part("RootStart", segment=segment, position_m=(x, y, z), moves_with=carrier)
    initial = initial.model_copy(update={"roots": (*initial.roots, root)})
    bench.project = bench.project.model_copy(update={"initial": initial})


def joint_maker(kind: str, model: type[Part], **more: Any) -> Callable[[Bench], str]:
    """Make a joint where its child ends towards its parent."""

    def make(bench: Bench) -> str:
        parent, child = joint_ends(bench)
        point = joint_point(bench, parent, child)
        at = bench.pose[parent]
        R_PC = at.R_WS.T @ bench.pose[child.id].R_WS
        orientation = upright(R_PC)
        stops = stops_between(bench.project, parent, child.id)
        laws = {} if stops is None else _stopped(stops, model)
        made = bench.add(
            "joints",
            model.__name__,
            f"{kind}_joint" if parent == GROUND else f"{child.id}_joint",
            parent=parent,
            child=child.id,
            parent_frame={
                "position_m": bench.seen_from(parent, point),
                "orientation": orientation,
            },
            child_frame={"position_m": bench.seen_from(child.id, point)},
            **laws,
            **more,
        )
        forget_start(bench, child.id)
        return made

    return make


def _stopped(stops: Stops, model: type[Part]) -> dict[str, Any]:
    """The stops of a person as fields of a joint; nothing for kinds that have none of their own."""
    bent = {"spring": stops.flexure, "friction": stops.friction}
    laws: dict[type[Part], dict[str, Any]] = {
        BallJoint: {"flexure": stops.flexure, "torsion": stops.torsion, "friction": stops.friction},
        PinJoint: bent,
        UniversalJoint: {"first": bent, "second": bent},
    }
    if model not in laws:
        return {}
    return {**laws[model], "note": stops.note, "source": stops.source}


def joint_ends(bench: Bench) -> tuple[str, Segment]:
    """Choose parent and child: as selected, else ground and the first segment that is attached to nothing."""
    carried = {joint.child for joint in bench.project.joints}
    driven = {motion.segment for motion in bench.project.motions}
    picked = bench.picked("segments")
    everything = bench.segments()
    free = [s for s in everything if s.id not in carried and s.id not in driven]
    if not everything:
        raise CannotMake(tr("A joint needs a segment: add one first."))
    if len(picked) >= 2:
        parent, child = picked[0], picked[1]
        if child in carried and parent not in carried:
            parent, child = child, parent
        if child in carried or _is_below(bench, parent, child):
            raise CannotMake(
                tr("'{name}' is attached to a joint already: select one that is not.", name=child)
            )
        return parent, next(s for s in everything if s.id == child)
    near = _near(bench, picked[0]) if len(picked) == 1 and picked[0] not in carried else None
    if near is not None:
        return near, next(s for s in everything if s.id == picked[0])
    if picked and picked[0] in carried:
        other = next((s for s in free if not _is_below(bench, picked[0], s.id)), None)
        if other is None:
            raise CannotMake(
                tr(
                    "'{name}' is attached to a joint already, and so is every other segment.",
                    name=picked[0],
                )
            )
        return picked[0], other
    if not free:
        raise CannotMake(tr("Every segment is attached to a joint already: add a segment first."))
    return GROUND, free[0]


def _is_below(bench: Bench, segment: str, ancestor: str) -> bool:
    """Whether a segment hangs, through joints, on another."""
    parent = {joint.child: joint.parent for joint in bench.project.joints}
    seen: set[str] = set()
    here: str | None = segment
    while here is not None and here not in seen:
        if here == ancestor:
            return True
        seen.add(here)
        here = parent.get(here)
    return False


def _near(bench: Bench, name: str) -> str | None:
    """The segment that one stands on or beside, whose parent it is not; None where none is near."""
    segments = {segment.id: segment for segment in bench.project.segments}
    own = segments[name]
    away: dict[str, float] = {}
    for other in segments.values():
        if (
            other.id != name
            and own.surfaces
            and other.surfaces
            and not _is_below(bench, other.id, name)
        ):
            between = bench.centre(other) - bench.centre(own)
            size = float(np.linalg.norm(between))
            way = between / size if size > 1e-6 else up_of(bench.project)
            away[other.id] = size - bench.reach(own, way) - bench.reach(other, way)
    least = min(away, key=lambda one: away[one], default=None)
    return least if least is not None and away[least] < _NEAR_M else None


def joint_point(bench: Bench, parent: str, child: Segment) -> Array:
    """Put the joint where the child ends towards its parent; on top of it for ground."""
    centre = bench.centre(child)
    if parent == GROUND:
        towards = up_of(bench.project)
    else:
        other = next(s for s in bench.project.segments if s.id == parent)
        towards = bench.centre(other) - centre
        size = float(np.linalg.norm(towards))
        towards = towards / size if size > 1e-6 else up_of(bench.project)
    point: Array = centre + bench.reach(child, towards) * towards
    return point


def forget_start(bench: Bench, child: str) -> None:
    """Drop the place and attitude of a segment that a joint carries from now on."""
    initial = bench.project.initial
    initial = initial.model_copy(
        update={
            "roots": tuple(r for r in initial.roots if r.segment != child),
            "attitudes": tuple(a for a in initial.attitudes if a.segment != child),
        }
    )
    bench.project = bench.project.model_copy(update={"initial": initial})


def _plane(bench: Bench) -> str:
    """Lay a square metre below the model, its front upwards; on the selected segment, if any."""
    up = up_of(bench.project)
    side = np.cross(up, np.eye(3)[int(np.argmin(np.abs(up)))])
    side /= np.linalg.norm(side)
    R_WF = np.column_stack([np.cross(side, up), side, up])
    picked = bench.picked("segments")
    segment = picked[0] if picked else GROUND
    seen = [bench.centre(s) - bench.reach(s, up) * up for s in bench.project.segments if s.surfaces]
    low = min(seen, key=lambda p: float(p @ up)) if seen else np.zeros(3)
    where = bench.seen_from(segment, low)
    R_SF = bench.pose[segment].R_WS.T @ R_WF
    frame = {"position_m": where, "orientation": upright(R_SF)}
    return bench.add(
        "planes",
        "Plane",
        "plane",
        segment=segment,
        placement={"kind": "frame", "frame": frame, "length_m": 1.0, "width_m": 1.0},
    )


def _function(form: dict[str, Any], name: str, x_unit: str = "m") -> Callable[[Bench], str]:
    return lambda bench: bench.add(
        "functions", "Function", name, x_unit=x_unit, y_unit="N", form=form
    )


_SUM = {"kind": "sum", "terms": [
    {"kind": "polynomial", "coefficients": [0.0, 100.0], "x_max": 1.0},
    {"kind": "sine", "amplitude": 50.0, "omega": 31.41592653589793, "x_max": 1.0},
    {"kind": "exponential", "amplitude": 20.0, "growth": -5.0, "x_max": 1.0},
]}  # fmt: skip
_SWEEP = {"kind": "sweep", "from_hz": 1.0, "to_hz": 50.0, "amplitude": 100.0, "duration_s": 10.0}
_RANDOM = {"kind": "random", "high_hz": 50.0, "line_hz": 0.125, "rms": 100.0, "duration_s": 8.0}


def _table(bench: Bench) -> str:
    return (
        bench.function("m", "N")
        if not bench.picked("functions")
        else _function({"kind": "table", "x": [0.0, 0.1], "y": [0.0, 1000.0]}, "table")(bench)
    )


def _law(kind: str, model: type[Part]) -> Callable[[Bench], str]:
    """Make a law with what it needs; some begin with more than that."""
    name, more = _LAWS.get(kind, (kind, {}))

    def make(bench: Bench) -> str:
        id_ = free_id(name, taken(bench.project, "contact_laws"))
        bench.append("contact_laws", new_part(bench, model, id=id_, **more))
        return id_

    return make


_LAWS: dict[str, tuple[str, dict[str, Any]]] = {
    "hysteretic": ("padding", {"energy_ratio": 0.4, "offset_ratio": 0.1, "friction": 0.3}),
    "rate": ("rate_padding", {}),
    "damped": ("damped", {"damping_ns_per_m": 500.0}),
    "kelvin_voigt": (
        "spring_dashpot",
        {"stiffness_n_per_m": 50_000.0, "damping_ns_per_m": 500.0},
    ),
    "lankarani_nikravesh": ("lankarani", {}),
    "permanent_indentation": ("indentation", {}),
    "exponential_panel": ("panel", {}),
}
"""Ids of new laws and numbers beyond those that every part begins with; of others the kind is the id."""

BODIES: tuple[Row, ...] = (
    ("segments", "", _segment),
    *(
        ("joints", kind, joint_maker(kind, model))
        for model in MODELS
        for kind in kind_words(model)
        if model is not ExtensionalJoint
    ),
    ("planes", "", _plane),
    ("functions", "table", _table),
    ("functions", "constant", _function({"kind": "constant", "value": 1.0}, "constant")),
    ("functions", "polynomial", _function({"kind": "polynomial", "coefficients": [0.0, 10000.0], "x_max": 0.1}, "polynomial")),
    ("functions", "sine", _function({"kind": "sine", "amplitude": 100.0, "omega": 62.83185307179586, "x_max": 1.0}, "sine", "s")),
    ("functions", "exponential", _function({"kind": "exponential", "amplitude": 100.0, "growth": -10.0, "x_max": 1.0}, "exponential", "s")),
    ("functions", "sum", _function(_SUM, "sum", "s")),
    ("functions", "two_ranges", _function({"kind": "two_ranges", "split": 0.05, "first": {"kind": "constant", "value": 100.0}, "second": {"kind": "table", "x": [0.05, 0.1], "y": [100.0, 2000.0]}}, "two_ranges")),
    ("functions", "sweep", _function(_SWEEP, "sweep", "s")),
    ("functions", "random", _function(_RANDOM, "random", "s")),
    *(
        ("contact_laws", kind, _law(kind, model))
        for model in models_of("contact_laws")
        for kind in kind_words(model)
    ),
)  # fmt: skip
