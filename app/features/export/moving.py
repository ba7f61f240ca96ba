"""Gather what moves in a run: bodies, planes and bags by their places, webbing by its lines."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

import numpy as np

from app.run_view.cameras import Cameras, Looks, looks
from app.run_view.motion import Motion
from app.run_view.replay import Replay
from app.scene.form import Form
from solver.engine.maths.rotation import Array
from solver.project import Project
from solver.project.pose import Placed, full_bag
from solver.project.schema import links
from solver.project.segments import GROUND
from solver.results.trajectory import Trajectory
from solver.scene.meshes import Mesh, body
from solver.scene.placing import Pose, pose_at_start
from solver.scene.shapes import Shape, shapes
from solver.scene.tones import (
    BAG_TONE,
    BEAM_TONES,
    BELT_TONE,
    BODY_TONES,
    LINK_TONE,
    MUSCLE_TONE,
    PLANE_TONE,
    REACH_OPACITY,
    REACH_TONE,
    VEHICLE_TONE,
)

AROUND = 24
"""Points around a body; those of the window's scene are more."""
STATIONS = 33
"""Places along webbing."""
_LINK_WIDTH_M = 0.006
_TONES = {
    "vehicle": VEHICLE_TONE,
    "plane": PLANE_TONE,
    "belt": BELT_TONE,
    "bag": BAG_TONE,
    "reach": REACH_TONE,
}
_CLEAR = {"plane": 0.35, "bag": 0.45, "reach": REACH_OPACITY}


@dataclass(slots=True)
class Solid:
    """A mesh in axes of its own and, frame by frame, its turn, place (m) and stretch."""

    name: str
    mesh: Mesh
    tone: str
    opacity: float
    turns: Array
    places: Array
    stretches: Array


@dataclass(slots=True)
class Strip:
    """Both edges of webbing or of a link frame by frame, each (T, n, 3) in m."""

    name: str
    tone: str
    left: Array
    right: Array


@dataclass(frozen=True, slots=True)
class Moving:
    """A scene of a run: its times (s), the direction up, and everything that moves."""

    times: Array
    up: Array
    solids: tuple[Solid, ...]
    strips: tuple[Strip, ...]
    poses: Mapping[str, tuple[Array, Array]]
    """Turns (T, 3, 3) and places (T, 3) m of all segments."""
    looks: Looks | None = None
    """From where keyed cameras see it; None without any."""


class _Recorder:
    """Take what a replay tells a stage."""

    def __init__(self) -> None:
        self.pose: Pose = {}
        self.forms: Mapping[tuple[str, str], Form] = {}
        self.bags: Mapping[str, Placed | None] = {}

    def move(
        self,
        pose: Pose,
        forms: Mapping[tuple[str, str], Form],
        bags: Mapping[str, Placed | None] | None,
        idle: Collection[str],
    ) -> None:
        self.pose, self.forms, self.bags = pose, forms, bags or {}


def moving(
    project: Project,
    run: Trajectory,
    rides_on: str = GROUND,
    tell: Callable[[int, int], None] | None = None,
    cameras: Cameras | None = None,
) -> Moving:
    """Gather the scene of a run at all its frames, as a camera that rides sees it, and from where keyed cameras look."""
    from solver.scene.placing import up_of

    motion = Motion(run)
    # files of scenes turn and stretch solids, and shear none
    replay = Replay(project, motion, sags=False)
    replay.ride(rides_on)
    seen = shapes(project, pose_at_start(project))
    count = len(motion.time)
    solids = [
        (s, _solid(s, count)) for s in seen if s.kind in ("body", "vehicle", "plane", "reach")
    ]
    bags = _bags(project, count)
    strips: dict[tuple[str, str], Strip] = {}
    recorder = _Recorder()
    poses = {name: (np.zeros((count, 3, 3)), np.zeros((count, 3))) for name in motion.names}
    for row, t in enumerate(motion.time):
        replay.show(recorder, float(t))
        for name, (turns, places) in poses.items():
            turns[row], places[row] = recorder.pose[name].R_WS, recorder.pose[name].p_W
        for shape, solid in solids:
            placed = recorder.pose[shape.segment]
            solid.turns[row], solid.places[row] = placed.R_WS, placed.p_W
        for element, (bag, own) in bags.items():
            _place_bag(bag, own, recorder.bags.get(element), row)
        for key, form in recorder.forms.items():
            left, right = _edges(form.mesh)
            if key not in strips:
                strips[key] = _strip(key, count, len(left))
            strips[key].left[row], strips[key].right[row] = left, right
        if tell is not None:
            tell(row + 1, count)
    all_solids = [solid for _, solid in solids] + [bag for bag, _ in bags.values()]
    up = up_of(project)
    seen_from = looks(cameras, replay, up) if cameras is not None and cameras.keys else None
    return Moving(
        np.asarray(motion.time), up, tuple(all_solids), tuple(strips.values()), poses, seen_from
    )


def _solid(shape: Shape, count: int) -> Solid:
    tone = BODY_TONES[shape.tone % len(BODY_TONES)] if shape.kind == "body" else _TONES[shape.kind]
    return _still(shape.element, _plain(shape.mesh), tone, _CLEAR.get(shape.kind, 1.0), count)


def _still(name: str, mesh: Mesh, tone: str, opacity: float, count: int) -> Solid:
    turns = np.tile(np.eye(3), (count, 1, 1))
    places, stretches = np.zeros((count, 3)), np.ones((count, 3))
    return Solid(name, mesh, tone, opacity, turns, places, stretches)


def _plain(mesh: Mesh) -> Mesh:
    """Leave the outlines of sheets out."""
    return Mesh(mesh.points, mesh.faces, mesh.normals)


def _bags(project: Project, count: int) -> dict[str, tuple[Solid, tuple[Array, Array]]]:
    """The bags, each with turn and centre of the full bag in its panel's segment."""
    out = {}
    for bag in project.airbags:
        full = full_bag(bag, project)
        if full is not None:
            element = f"airbags/{bag.id}"
            mesh = body(bag.semi_axes_m, around=AROUND)
            solid = _still(element, mesh, BAG_TONE, _CLEAR["bag"], count)
            out[element] = (solid, (full.R_WS, full.p_W))
    return out


def _place_bag(bag: Solid, full: tuple[Array, Array], at: Placed | None, row: int) -> None:
    """Read turn, stretch and place from what moves the full bag; folded it is a point."""
    if at is None:
        bag.stretches[row] = 0.0
        return
    stretched = at.R_WS @ full[0]
    bag.stretches[row] = np.linalg.norm(stretched, axis=0)
    bag.turns[row] = stretched / bag.stretches[row]
    bag.places[row] = at.R_WS @ full[1] + at.p_W


def _strip(key: tuple[str, str], count: int, n: int) -> Strip:
    element, part = key
    kind = element.split("/")[0]
    tone = LINK_TONE if kind in links() else _STRIP_TONES[kind]
    name = f"{element}/{part}" if part else element
    edges = np.zeros((2, count, n, 3))
    return Strip(name, tone, edges[0], edges[1])


_STRIP_TONES = {
    "belts": BELT_TONE,
    "harnesses": BELT_TONE,
    "coordinate_forces": MUSCLE_TONE,
    "beams": BEAM_TONES[0],
    "crash_frames": BEAM_TONES[0],
    "modal_bodies": BEAM_TONES[0],
}


def _edges(mesh: Mesh) -> tuple[Array, Array]:
    """Both edges of a ribbon at equal parts of its length; of a line, edges made up."""
    if len(mesh.lines) == 1:
        line = mesh.points[list(mesh.lines[0])]
        along = line[-1] - line[0]
        across = np.cross(along, np.eye(3)[int(np.argmin(np.abs(along)))])
        across *= 0.5 * _LINK_WIDTH_M / max(float(np.linalg.norm(across)), 1e-12)
        return line - across, line + across
    left, right = (mesh.points[list(edge)] for edge in mesh.lines[:2])
    pieces = np.linalg.norm(np.diff(0.5 * (left + right), axis=0), axis=1)
    way = np.concatenate([[0.0], np.cumsum(pieces)])
    at = np.linspace(0.0, way[-1], STATIONS)
    one, other = (
        np.column_stack([np.interp(at, way, edge[:, k]) for k in range(3)])
        for edge in (left, right)
    )
    # between two twisted pieces it would be narrower
    width = float(np.linalg.norm(right[0] - left[0]))
    middle, across = 0.5 * (one + other), other - one
    across *= 0.5 * width / np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-12)
    return middle - across, middle + across
