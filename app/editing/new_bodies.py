"""New segments, joints, planes, functions and laws."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.editing.naming import free_id, taken
from app.editing.parts import new_part
from solver.base.words import tr
from solver.editing.bench import Bench, CannotMake
from solver.engine.maths.rotation import Array
from solver.project.fields import Part
from solver.project.geometry import upright
from solver.project.joint_table import MODELS
from solver.project.joints import ExtensionalJoint
from solver.project.schema import kind_words, models_of
from solver.project.segments import GROUND, Segment
from solver.scene.placing import up_of

Row = tuple[str, str, Callable[[Bench], str]]
"""The list, the kind, and what makes an element on a bench."""

_RADIUS_M, _MASS_KG = 0.1, 1.0
_SPHERE_KGM2 = round(0.4 * _MASS_KG * _RADIUS_M**2, 9)


def _segment(bench: Bench) -> str:
    """Make a ball of one kilogram beside what there is."""
    places = [bench.centre(segment) for segment in bench.project.segments]
    surface = {
        "id": "surface",
        "name": "Surface",
        "kind": "ellipsoid",
        "semi_axes_m": (_RADIUS_M,) * 3,
    }
    name = bench.add(
        "segments",
        "Segment",
        "segment",
        mass_kg=_MASS_KG,
        inertia_kgm2=(_SPHERE_KGM2,) * 3,
        surfaces=[surface],
    )
    if places:
        beside = round(max(float(p[0]) for p in places) + 0.4, 3)
        at = places[-1]
        root = bench.part(
            "RootStart",
            segment=name,
            position_m=(beside, round(float(at[1]), 3), round(float(at[2]), 3)),
        )
        initial = bench.project.initial
        initial = initial.model_copy(update={"roots": (*initial.roots, root)})
        bench.project = bench.project.model_copy(update={"initial": initial})
    return name


def joint_maker(kind: str, model: type[Part], **more: Any) -> Callable[[Bench], str]:
    """Make a joint where its child ends towards its parent."""

    def make(bench: Bench) -> str:
        parent, child = joint_ends(bench)
        point = joint_point(bench, parent, child)
        at = bench.pose[parent]
        R_PC = at.R_WS.T @ bench.pose[child.id].R_WS
        orientation = upright(R_PC)
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
            **more,
        )
        forget_start(bench, child.id)
        return made

    return make


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
