"""New couplings of axes, closures of loops, and points on curves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.editing.new_bodies import Row
from app.editing.new_forces import two_points
from solver.base.words import msgid, tr
from solver.editing.bench import Bench, CannotMake
from solver.engine.maths.rotation import Array
from solver.project.geometry import upright
from solver.project.joint_table import axes_of, driven_axes, row_of, slides_of
from solver.project.joints import Joint, is_angle
from solver.project.segments import GROUND
from solver.scene.placing import in_ground, up_of

_CAM_M, _CAM_POINTS = 0.05, 24
"""Radius of a new cam, and how many points its circle has."""

_COUPLING = msgid("A coupling needs two axes that are free: {first} and {second}.")
_TURNS, _SLIDES = msgid("one that turns"), msgid("one that slides")


def _free_axes(bench: Bench) -> list[tuple[str, str]]:
    """The axes of joints that may be coupled: those of selected joints, else of all."""
    picked = bench.picked("joints")
    driven = {(one.joint, one.axis) for one in bench.project.drivers}
    joints = sorted(
        bench.project.joints,
        key=lambda one: picked.index(one.id) if one.id in picked else len(picked),
    )
    return [
        (joint.id, axis)
        for joint in joints
        if row_of(joint).acts != "euler"
        for axis in driven_axes(joint)
        if (joint.id, axis) not in driven and not _is_locked(joint, axis)
    ]


def _is_locked(joint: Joint, axis: str) -> bool:
    turns = [one.lock.locked for one in axes_of(joint) if one.turn.name == axis]
    slides = [one.locked for along, one in slides_of(joint) if along.name == axis]
    return any((*turns, *slides))


def _coupling(model: str, name: str, second_turns: bool | None, **more: Any) -> Callable[[Bench], str]:  # fmt: skip
    def make(bench: Bench) -> str:
        axes: Any = _free_axes(bench)
        first = next((one for one in axes if second_turns is None or is_angle(one[1])), None)
        second = next(
            (one for one in axes if one != first and (second_turns is None or is_angle(one[1]) == second_turns)),
            None,
        )  # fmt: skip
        if first is None or second is None:
            words = tr(_SLIDES) if second_turns is False else tr(_TURNS)
            raise CannotMake(tr(_COUPLING, first=tr(_TURNS), second=words))
        ends = [{"joint": joint, "axis": axis} for joint, axis in (first, second)]
        return bench.add("constraints", model, name, first=ends[0], second=ends[1], **more)

    return make


def _closure(model: str, name: str, frames: bool = True) -> Callable[[Bench], str]:
    """Hold the second of two segments against the first, where and as it stands."""

    def make(bench: Bench) -> str:
        a, b, _ = two_points(bench, tr("A constraint"))
        where = in_ground(bench.pose, b["segment"], b["position_m"])
        ends = [_frame(bench, one["segment"], where, np.eye(3)) for one in (a, b)]
        return bench.add("constraints", model, name, a=ends[0], b=ends[1] if frames else b)

    return make


def _frame(bench: Bench, segment: str, point: Array, R_WF: Array) -> dict[str, Any]:
    """A frame of a segment at a place of the ground, turned as wanted there."""
    R_WS = np.eye(3) if segment == GROUND else bench.pose[segment].R_WS
    frame = {
        "position_m": bench.seen_from(segment, point),
        "orientation": upright(R_WS.T @ R_WF),
    }
    return {"segment": segment, "frame": frame}


def _cam(bench: Bench) -> str:
    """A round cam below a point: its circle is a first guess that is to be replaced."""
    a, b, _ = two_points(bench, tr("A point on a curve"))
    up = up_of(bench.project)
    where = in_ground(bench.pose, b["segment"], b["position_m"])
    ahead = np.array([1.0, 0.0, 0.0])
    # x ahead, y up
    R_WF = np.column_stack([ahead, up, np.cross(ahead, up)])
    turned = 2.0 * np.pi * np.arange(_CAM_POINTS) / _CAM_POINTS
    x, y = (
        tuple(round(float(c), 9) + 0.0 for c in _CAM_M * one)
        for one in (np.cos(turned), np.sin(turned))
    )
    return bench.add(
        "constraints", "PointOnCurve", "cam",
        a=_frame(bench, a["segment"], where - _CAM_M * up, R_WF), b=b, x_m=x, y_m=y,
    )  # fmt: skip


CLOSURES: tuple[Row, ...] = (
    ("constraints", "point_on_line", _closure("PointOnLine", "on_line", frames=False)),
    ("constraints", "point_on_plane", _closure("PointOnPlane", "on_plane", frames=False)),
    ("constraints", "point_on_curve", _cam),
    ("constraints", "parallel_axes", _closure("ParallelAxes", "parallel")),
    ("constraints", "revolute", _closure("Revolute", "pin")),
    ("constraints", "cylindrical", _closure("Cylindrical", "bore")),
    ("constraints", "prismatic", _closure("Prismatic", "slide")),
    ("constraints", "universal_closure", _closure("UniversalClosure", "cross")),
    ("constraints", "weld", _closure("Weld", "weld")),
    ("constraints", "gear", _coupling("Gear", "gear", True, ratio=-1.0)),
    ("constraints", "belt_drive", _coupling("BeltDrive", "belt_drive", True, first_radius_m=0.1, second_radius_m=0.1)),
    ("constraints", "rack", _coupling("Rack", "rack", False, radius_m=0.05)),
    ("constraints", "screw", _coupling("Screw", "screw", False, lead_m=0.005)),
    ("constraints", "coupled", _coupling("Coupled", "coupled", None, coefficients=(0.0, 1.0), start_value=None)),
)  # fmt: skip
