"""Show what a car runs against or is struck by, and how its nose folds up by as much as it comes nearer to a wall."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from solver.engine.maths.rotation import Array
from solver.project import Project
from solver.project.pose import Placed, plane_corners
from solver.project.segments import GROUND, Plane
from solver.scene.around.build import Around, Point, box, prism, rounded, skinned
from solver.scene.meshes import Mesh
from solver.scene.placing import Pose

_WALLS = (
    ("offset", r"offset deformable barrier"),
    ("wall", r"against an? (rigid )?(wall|barrier)"),
)
_MOVING = r"struck by a (moving )?barrier"
_GAP_M = 0.01
"""How far before a wall the nose is at the start."""
_WALL_M, _OFFSET_M, _OVERLAP = (1.25, 0.9), (0.65, 0.54), 0.4
"""Height and depth of a wall over the road; height of a barrier that gives way, its depth, and the part of the car's width that meets it."""
_TROLLEY_M = ((0.30, 0.76), 0.75, 0.5)
"""Heights over the road between which the foam of a moving barrier lies (FMVSS 214, within some cm), half its width, and how deep it is."""
_STEP_M = 0.004
"""A nose is folded again where it has come so much nearer."""
_BUCKLE, _FOLDS = 0.30, 0.07
"""How high the bonnet rises in its middle, and folds beside that, in parts of how far it is pushed."""


@dataclass(frozen=True, slots=True)
class Press:
    """How something at a car's nose gives way before a wall that stands on the ground."""

    at: Point
    """Where the segment that carries it is at the start (m)."""
    way: Point
    """Ahead, in ground axes and in those of the segment."""
    ahead: Point
    up: Point
    base: Point
    """Where the nose begins, in the segment's axes (m), and how long and high it is."""
    long: float
    high: float
    folds: bool
    """Whether it folds, or is pushed as it is."""

    def depth(self, at: Placed) -> float:
        """How far it is pushed (m)."""
        gone = float((at.p_W - np.array(self.at)) @ np.array(self.way)) - _GAP_M
        return min(max(gone, 0.0), 0.9 * self.long)


def seen_at(one: Around, at: Placed) -> Mesh:
    """The mesh of something around people where its segment is."""
    press = one.press
    if not isinstance(press, Press):
        return one.mesh
    step = round(press.depth(at) / _STEP_M)
    return _pressed(one.mesh, press, step) if step else one.mesh


@lru_cache(maxsize=256)
def _pressed(mesh: Mesh, press: Press, step: int) -> Mesh:
    depth = step * _STEP_M
    ahead, up, base = np.array(press.ahead), np.array(press.up), np.array(press.base)
    points = mesh.points
    if not press.folds:
        points = points[[int(np.argmax(points @ ahead))]]
    part = np.clip((points - base) @ ahead / press.long, 0.0, 1.0)
    # what is pushed most is ahead, and nothing passes what is ahead of it
    back = depth * part ** min(max(press.long / depth, 1.0), 2.5)
    if not press.folds:
        return Mesh(mesh.points - back * ahead, mesh.faces, mesh.normals, mesh.lines)
    height = np.clip((points - base) @ up / press.high, 0.0, 1.0)
    inside = np.sin(np.pi * part) ** 2
    rise = depth * inside * (_BUCKLE * height**3 + _FOLDS * np.sin(7.0 * np.pi * part) * height)
    moved = mesh.points - back[:, None] * ahead + rise[:, None] * up
    return Mesh(moved, mesh.faces, _normals(moved, mesh), mesh.lines)


def _normals(points: Array, mesh: Mesh) -> Array:
    a, b, c = points[mesh.faces].transpose(1, 0, 2)
    ways = np.cross(b - a, c - a)
    # faces of a room turn as they are seen from outside
    out = np.zeros_like(points)
    for k in range(3):
        out[:, k] = np.bincount(mesh.faces.ravel(), np.repeat(ways[:, k], 3), len(points))
    normals: Array = out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-300)
    return normals


def against(project: Project, pose: Pose, found: Sequence[Around]) -> Iterator[Around]:
    """Give what stands around people with the wall that its car runs against, where a motion says so."""
    noses = [one for one in found if one.group == "nose"]
    kinds = {one.segment: _wall_of(project, one.segment) for one in noses}
    built = dict[str, Around]()
    for one in found:
        kind = kinds.get(one.segment, "") if one.group == "nose" else ""
        if not kind or one.line is None:
            yield one
            continue
        at = pose[one.segment]
        yield _with_press(one, rounded(at.p_W), rounded(at.R_WS @ np.array(one.line.ahead)))
        if one.segment not in built:
            built[one.segment] = _wall(one, kind, rounded(at.p_W), tuple(map(rounded, at.R_WS)))
    yield from built.values()


@lru_cache(maxsize=128)
def _with_press(one: Around, at: Point, way: Point) -> Around:
    line = one.line
    assert line is not None
    folds = one.stuff == "paint"
    press = Press(at, way, line.ahead, line.up, line.base, line.long, line.high, folds)
    return replace(one, press=press)


@lru_cache(maxsize=32)
def _wall(one: Around, kind: str, at: Point, turn: tuple[Point, ...]) -> Around:
    """A wall of concrete across the way of a nose, or a barrier that gives way before a part of it."""
    line = one.line
    assert line is not None
    ahead, up, base = np.array(line.ahead), np.array(line.up), np.array(line.base)
    side = np.cross(ahead, up)
    is_offset = kind == "offset"
    high, deep = _OFFSET_M if is_offset else _WALL_M
    begin, low = line.long + _GAP_M, line.road
    half = line.half
    wide = (-half - 0.05, half * (2.0 * _OVERLAP - 1.0)) if is_offset else (-half - 0.5, half + 0.5)
    if is_offset and line.side > 0.0:
        wide = (-wide[1], -wide[0])
    low += 0.20 if is_offset else 0.0
    made = box((begin, wide[0], low), (begin + deep, wide[1], low + high))
    axes = np.column_stack([ahead, side, up])
    R = np.array(turn)
    mesh = Mesh(made.points, made.faces[:, ::-1], made.normals, made.lines).moved(axes, base)
    mesh = mesh.moved(R, np.array(at))
    middle = 0.5 * (mesh.points.min(axis=0) + mesh.points.max(axis=0))
    return Around(GROUND, mesh, "foil" if is_offset else "concrete", True, middle, None, one.of)


def _wall_of(project: Project, segment: str) -> str:
    """What a segment runs against, as the name of its motion says."""
    names = " ".join(m.name.lower() for m in project.motions if m.segment == segment)
    return next((kind for kind, words in _WALLS if re.search(words, names)), "")


def trolley(project: Project, doors: Sequence[Plane], floor: Plane | None) -> Iterator[Around]:
    """Show the foam of a moving barrier outside a door that it pushes in, where a motion says so."""
    names = " ".join(m.name.lower() for m in project.motions)
    moved = {m.segment for m in project.motions}
    pushed = [door for door in doors if door.segment in moved and door.bounded]
    if re.search(_MOVING, names) and pushed and floor is not None:
        yield _foam(pushed[0], floor)


@lru_cache(maxsize=32)
def _foam(door: Plane, floor: Plane) -> Around:
    corner, edge, other = plane_corners(door)
    front = np.cross(edge, other)
    front /= np.linalg.norm(front)
    a, b, c = plane_corners(floor)
    up = np.cross(b, c)
    up /= np.linalg.norm(up)
    along = np.cross(up, front)
    middle = corner + 0.5 * (edge + other)
    level = float((a + 0.5 * (b + c) - middle) @ up) - 0.27
    (low, high), half, deep = _TROLLEY_M
    off = 0.16
    outline = [(-half, low), (half, low), (half, high), (-half, high)]
    start = np.array([middle + x * along + (level + z) * up - off * front for x, z in outline])
    block = prism(start, -deep * front)
    body = prism(np.array([middle + x * along + (level + z) * up - (off + deep) * front for x, z in ((-0.62, 0.22), (0.62, 0.22), (0.62, 0.95), (-0.62, 0.95))]), -1.2 * front)  # fmt: skip
    made = skinned(np.vstack([block.points, body.points]), np.vstack([block.faces, body.faces + len(block.points)]))  # fmt: skip
    centre = 0.5 * (made.points.min(axis=0) + made.points.max(axis=0))
    return Around(door.segment, made, "foil", True, centre, None, frozenset({f"planes/{door.id}"}))
