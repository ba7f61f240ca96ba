"""New connectors: struts, edges along each other, and the fifteen of Table 2 of seed 003."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.editing.new_bodies import Row, forget_start, joint_ends, joint_maker, joint_point
from app.editing.new_forces import rolling_maker
from solver.base.words import tr
from solver.editing.bench import Bench, CannotMake
from solver.engine.maths.rotation import Array
from solver.project.geometry import upright
from solver.project.joints import PinJoint
from solver.project.segments import GROUND
from solver.scene.placing import up_of

_SHORTEST_M, _HANGS_M, _CIRCLE_M = 0.1, 0.2, 0.05
"""Least length of a new strut, its length below the ground's point, and the radius of a new shoulder."""

_TURN_NM, _SLIDE_N, _BREAK_N, _RAMP_M = 50.0, 2000.0, 5000.0, 0.01
_LOCK: dict[str, Any] = {"locked": True, "unlock_torque_nm": _TURN_NM, "keeps_torque": True}
_HELD: dict[str, Any] = {"locked": True, "release_above_n": _SLIDE_N, "release_below_n": -_SLIDE_N, "keeps_force": True}  # fmt: skip
_BREAKS: dict[str, Any] = {"force_n": _BREAK_N, "ramp_m": _RAMP_M}
_BENDS: dict[str, Any] = {
    "spring": {"linear_nm_per_rad": 20.0},
    "friction": {"viscous_nms_per_rad": 1.0},
}
"""What new connectors begin with, to be replaced."""


def strut_maker(rotation: str, name: str = "strut", **more: Any) -> Callable[[Bench], str]:
    """Make a strut from the parent's end towards the child to the child's end."""

    def make(bench: Bench) -> str:
        parent, child = joint_ends(bench)
        end = joint_point(bench, parent, child)
        if parent == GROUND:
            begins = end + _HANGS_M * up_of(bench.project)
        else:
            other = next(s for s in bench.project.segments if s.id == parent)
            way = end - bench.centre(other)
            size = float(np.linalg.norm(way))
            way = way / size if size > 1e-6 else up_of(bench.project)
            begins = bench.centre(other) + bench.reach(other, way) * way
        far = float(np.linalg.norm(end - begins))
        way = (end - begins) / far if far > 1e-3 else -up_of(bench.project)
        if far < _SHORTEST_M:
            far, begins = _SHORTEST_M, end - _SHORTEST_M * way
        R_WF = _axes(way)
        made = bench.add(
            "joints",
            "ExtensionalJoint",
            name if parent == GROUND else f"{child.id}_{name}",
            parent=parent,
            child=child.id,
            parent_frame=_frame(bench, parent, begins, R_WF),
            child_frame=_frame(bench, child.id, end, R_WF),
            rotation=rotation,
            **more,
        )
        forget_start(bench, child.id)
        values = {
            "both": (0.0, far, 0.0),
            "parent": (0.0, far),
            "child": (far, 0.0),
            "none": (far,),
        }
        start = bench.part("JointStart", joint=made, values=values[rotation])
        initial = bench.project.initial
        initial = initial.model_copy(update={"joints": (*initial.joints, start)})
        bench.project = bench.project.model_copy(update={"initial": initial})
        return made

    return make


def _axes(way: Array) -> Array:
    """Give axes of which z goes along a way and y to the side, as far as can be."""
    side = np.array([0.0, 1.0, 0.0]) if abs(way[1]) < 0.9 else np.array([1.0, 0.0, 0.0])
    side = side - (side @ way) * way
    side = side / np.linalg.norm(side)
    return np.column_stack([np.cross(side, way), side, way])


def _frame(bench: Bench, segment: str, point: Array, R_WF: Array) -> dict[str, Any]:
    R_SF = bench.pose[segment].R_WS.T @ R_WF
    return {"position_m": bench.seen_from(segment, point), "orientation": upright(R_SF)}


def edges(bench: Bench) -> str:
    """A segment and what carries the model a plane each, with an edge along each other."""
    segment = bench.segment(tr("Edges along each other"))
    carrier = bench.carrier()
    if carrier == segment.id:
        raise CannotMake(tr("Edges along each other need a segment that moves by itself."))
    up = up_of(bench.project)
    R_WF = _axes(up)
    at = bench.centre(segment) - bench.reach(segment, up) * up
    planes = []
    for name in (segment.id, carrier):
        frame = _frame(bench, name, at, R_WF)
        # its first edge goes through the point
        centre = np.array(frame["position_m"]) + bench.pose[name].R_WS.T @ (0.1 * R_WF[:, 1])
        frame["position_m"] = tuple(round(float(c), 9) + 0.0 for c in centre)
        placement = {"kind": "frame", "frame": frame, "length_m": 0.3, "width_m": 0.2}
        planes.append(bench.add("planes", "Plane", "edge", segment=name, placement=placement))
    return bench.add(
        "constraints", "EdgeOnEdge", "edges", plane=planes[0], on=planes[1], static_force_n=200.0,
        sliding_force_n=150.0,
    )  # fmt: skip


def _shoulder(bench: Bench) -> str:
    """Let a segment move freely within a circle about a point of another: a string that is slack inside."""
    parent, child = joint_ends(bench)
    end = joint_point(bench, parent, child)
    middle = end + 0.4 * _CIRCLE_M * up_of(bench.project)
    return bench.add(
        "springs", "LinearSpring", f"{child.id}_circle",
        a={"segment": parent, "position_m": bench.seen_from(parent, middle)},
        b={"segment": child.id, "position_m": bench.seen_from(child.id, end)},
        rest_length_m=_CIRCLE_M, stiffness_n_per_m=50_000.0, damping_ns_per_m=100.0, tension_only=True,
    )  # fmt: skip


_BOTH: dict[str, Any] = {"at_parent": {"lock": _LOCK}, "at_child": {"lock": _LOCK}}

CONNECTORS: tuple[Row, ...] = (
    ("joints", "connector_pin", joint_maker("pin", PinJoint)),
    ("joints", "connector_extensional_none", strut_maker("none")),
    ("joints", "connector_extensional_both", strut_maker("both")),
    ("joints", "connector_extensional_one", strut_maker("child")),
    ("joints", "connector_rigid_none", strut_maker("none", "link", rigid=True)),
    ("joints", "connector_rigid_one", strut_maker("child", "link", rigid=True)),
    ("joints", "connector_rigid_both", strut_maker("both", "link", rigid=True)),
    ("joints", "connector_pin_locks", joint_maker("pin", PinJoint, lock=_LOCK)),
    ("joints", "connector_pin_breaks", joint_maker("pin", PinJoint, lock=_LOCK, breakage=_BREAKS)),
    ("joints", "connector_breaks_both", strut_maker("both", length=_HELD, breakage=_BREAKS, **_BOTH)),
    ("joints", "connector_breaks_one", strut_maker("child", length=_HELD, breakage=_BREAKS, at_child={"lock": _LOCK})),
    ("joints", "connector_breaks_none", strut_maker("none", length=_HELD, breakage=_BREAKS)),
    ("constraints", "connector_rolling", rolling_maker(breakage={"pull_n": _BREAK_N, "ramp_m": _RAMP_M})),
    ("joints", "connector_neck", strut_maker("both", "neck", at_parent=_BENDS, at_child=_BENDS, length={"viscous_ns_per_m": 500.0, "coulomb_n": 100.0})),
    ("springs", "connector_shoulder", _shoulder),
)  # fmt: skip
"""The connectors of Table 2, in its order."""
