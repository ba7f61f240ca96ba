"""Gather what moves in a run: bodies, planes and bags by their places, webbing by its lines."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from app.features.export.changing import Changing, Solid, still
from app.run_view.cameras import CameraKey, Cameras, Looks, looks
from app.run_view.course import best_side, carrier, course_of
from app.run_view.motion import Motion
from app.run_view.replay import Replay
from app.scene.covering import Thing
from app.scene.form import Bags, Forms, Laid
from app.scene.framing import frame
from app.scene.lens import OrbitCamera
from solver.engine.maths.rotation import Array
from solver.injury.parts import bodies
from solver.project import Project
from solver.project.pose import Placed, full_bag
from solver.project.schema import links
from solver.project.segments import GROUND
from solver.results.trajectory import Trajectory
from solver.scene.around.surroundings import surroundings
from solver.scene.meshes import Indices, Mesh, body
from solver.scene.people.build import Person, people
from solver.scene.people.hands import Hands, Held, grasps
from solver.scene.people.skin import LIFT_M, Skin, skin_of
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
    STUFF_TONES,
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
_SEEN, _BREATH = 0.25, 0.12
"""How much is seen of glass, and of what one sees through beside it."""
_CLEAR = {"plane": 0.35, "bag": 0.45, "reach": REACH_OPACITY}


@dataclass(frozen=True, slots=True)
class Worn:
    """A person's skin: points that follow up to three bones each, and how these go (T, n)."""

    name: str
    skin: Skin
    owners: Indices
    shares: Array
    turns: Array
    places: Array


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
    """From where keyed cameras see it, or the director's; None without any."""
    side: tuple[float, float] | None = None
    """The azimuth and elevation (rad) from which the director sees it."""


class _Recorder:
    """Take what a replay tells a stage."""

    def __init__(self) -> None:
        self.pose: Pose = {}
        self.forms: Forms = {}
        self.bags: Bags = {}

    def move(
        self, pose: Pose, forms: Forms, bags: Bags | None, idle: Collection[str], laid: Laid
    ) -> None:
        self.pose, self.forms, self.bags = pose, forms, bags or {}


def moving(
    project: Project,
    run: Trajectory,
    rides_on: str = GROUND,
    tell: Callable[[int, int], None] | None = None,
    cameras: Cameras | None = None,
    *,
    furnished: bool = False,
    directed: bool = False,
) -> Moving:
    """Gather the scene of a run at all its frames, as a camera that rides sees it, and from where keyed cameras look.

    Where it is `furnished`, planes are what they stand for, and what stands around people is there. Without keyed
    cameras it may be `directed`: seen from the side from which people's motion is seen best.
    """
    from solver.scene.placing import up_of

    motion = Motion(run)
    # what is only turned and stretched does not sag
    replay = Replay(project, motion, sags=furnished)
    replay.ride(rides_on)
    seen = shapes(project, pose_at_start(project))
    count = len(motion.time)
    solids = [
        (s.segment, _solid(s, count)) for s in seen if s.kind in ("body", "vehicle", "plane", "reach")
    ]  # fmt: skip
    changing = Changing(project, run, motion, seen) if furnished else None
    if changing is not None:
        solids = [one for s in seen for one in _furnished(s, count)]
        solids += _surroundings(project, count, changing)
    bags = {} if furnished else _bags(project, count)
    strips: dict[tuple[str, str], Strip] = {}
    recorder = _Recorder()
    poses = {name: (np.zeros((count, 3, 3)), np.zeros((count, 3))) for name in motion.names}
    for row, t in enumerate(motion.time):
        replay.show(recorder, float(t))
        for name, (turns, places) in poses.items():
            turns[row], places[row] = recorder.pose[name].R_WS, recorder.pose[name].p_W
        if changing is not None:
            changing.take(row, recorder.pose, recorder.bags)
        for segment, solid in (*solids, *(changing.added if changing is not None else ())):
            if segment is None:
                continue
            placed = recorder.pose[segment]
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
    if changing is not None:
        all_solids += [solid for _, solid in changing.added]
        all_solids = [part for solid in all_solids for part in changing.parts(solid)]
    up = up_of(project)
    side = None
    if directed and (cameras is None or not cameras.keys):
        cameras = _director(replay, all_solids, up)
        side = next(((key.azimuth, key.elevation) for key in cameras.keys), None)
    seen_from = looks(cameras, replay, up) if cameras is not None and cameras.keys else None
    return Moving(
        np.asarray(motion.time),
        up,
        tuple(all_solids),
        tuple(strips.values()),
        poses,
        seen_from,
        side,
    )


_PICTURE_PX = 1600.0, 900.0


def _director(replay: Replay, solids: Sequence[Solid], up: Array) -> Cameras:
    """The camera that the window would choose: it goes with what carries people, sees all of their way, and looks past what covers them."""
    scene, motion = (replay.rider, replay.turns_too), replay.motion
    if replay.rider == GROUND:
        replay.ride(carrier(replay))
    course, rides = course_of(replay), (replay.rider, replay.turns_too)
    if course.has_people:
        inside = {f"segments/{s}" for body in bodies(replay.project) for s in body}
        solid = [s for s in solids if s.opacity == 1.0 and not s.one_sided and s.name not in inside]

        def things(t: float, _: Array) -> list[Thing]:
            row, back = motion.near(t), []
            for replay.rider, replay.turns_too in (scene, rides):
                back.append(replay.carried(t))
            turn = back[1].R_WS @ back[0].R_WS.T
            shift = back[1].p_W - turn @ back[0].p_W
            return [
                Thing(n, s.mesh, Placed(turn @ s.turns[row], turn @ s.places[row] + shift))
                for n, s in enumerate(solid)
                if s.shown is None or s.shown[row]
            ]

        places, camera = (course.all, course.ends), OrbitCamera(up)
        camera.azimuth, camera.elevation = best_side(course, camera, lambda c: c.fit(places[0], 1.0), things)  # fmt: skip
        frame(camera, _PICTURE_PX, places, ())
        found = Cameras((CameraKey.of(camera, float(motion.time[0]), *rides),))
    else:
        found = Cameras()
    replay.rider, replay.turns_too = scene
    return found


def _furnished(shape: Shape, count: int) -> Iterator[tuple[str, Solid]]:
    """A shape as what it stands for, with what holds it."""
    if shape.kind not in ("body", "vehicle", "plane", "reach", "tyre", "wheel"):
        return
    made = shape.furniture
    if made is None or made.is_endless:
        if shape.kind not in ("tyre", "wheel"):
            yield shape.segment, _solid(shape, count)
        return
    clear = _SEEN if made.is_clear else 1.0
    solid = still(shape.element, _plain(made.mesh), STUFF_TONES[made.stuff], clear, count)
    solid.stuff = made.stuff
    yield shape.segment, solid
    if made.frame is not None:
        frame = still(f"{shape.element}/frame", _plain(made.frame), STUFF_TONES["leather"], 1.0, count)  # fmt: skip
        frame.stuff = "leather"
        yield shape.segment, frame


def _surroundings(project: Project, count: int, changing: Changing) -> Iterator[tuple[str, Solid]]:
    """What stands around people; of what has a front only the faces to that side, so that one looks in past it."""
    pose = pose_at_start(project)
    for n, one in enumerate(surroundings(project, pose)):
        mesh = _plain(one.mesh)
        if not len(mesh.faces) or one.segment not in pose:
            continue
        if one.front is not None and one.is_solid:
            a, b, c = mesh.points[mesh.faces].transpose(1, 0, 2)
            mesh = Mesh(mesh.points, mesh.faces[np.cross(b - a, c - a) @ one.front > 0.0], mesh.normals)  # fmt: skip
        if not len(mesh.faces):
            continue
        clear = 1.0 if one.is_solid else _SEEN if one.stuff == "glass" else _BREATH
        solid = still(f"around/{one.stuff}/{n}", mesh, STUFF_TONES[one.stuff], clear, count)
        solid.stuff, solid.one_sided = one.stuff, one.is_solid
        changing.has(solid.name, one)
        yield one.segment, solid


def _dressed(scene: Moving, project: Project) -> list[tuple[Person, Skin]]:
    return [
        (one, skin_of(one.figure))
        for one in people(project)
        if all(s in scene.poses for s in one.segments)
    ]


def worn_by(project: Project, scene: Moving) -> tuple[list[Worn], Moving]:
    """The skins of a scene's people, and the scene without the shapes below them, its webbing on their clothes."""
    dressed, held = _dressed(scene, project), grasps(project)
    covered = {f"segments/{s}" for person, _ in dressed for s in person.segments}
    solids = tuple(one for one in scene.solids if one.name not in covered)
    strips = tuple(laid(scene, strip, dressed, held) for strip in scene.strips)
    found = [worn_of(scene, *one, held) for one in dressed]
    return found, replace(scene, solids=solids, strips=strips)


def worn_of(scene: Moving, person: Person, skin: Skin, held: Sequence[Held]) -> Worn:
    """The skin of a person and how its bones go in a scene."""
    hands = Hands(person, skin.fingers, held)
    rows = np.array([skin.rows(*hands.placed(pose, np.zeros(3))) for pose in poses_of(scene)])
    before = np.array([bone.R_WS for bone in skin.starts])
    starts = np.array([bone.p_W for bone in skin.starts])
    # from where the points are to where the bones are at each frame
    turns = rows[:, :, :3].transpose(0, 1, 3, 2) @ before.transpose(0, 2, 1)
    places = rows[:, :, 3] - np.einsum("tbij,bj->tbi", turns, starts)
    weights = skin.shares.toarray()
    owners = np.argsort(-weights, axis=1)[:, :3]
    shares = np.take_along_axis(weights, owners, axis=1)
    return Worn(person.segments[0], skin, owners, shares / shares.sum(axis=1, keepdims=True), turns, places)  # fmt: skip


def poses_of(scene: Moving) -> Iterator[dict[str, Placed]]:
    """Where all segments are, frame by frame."""
    for row in range(len(scene.times)):
        yield {
            name: Placed(turns[row], places[row]) for name, (turns, places) in scene.poses.items()
        }


def laid(
    scene: Moving, strip: Strip, skins: Sequence[tuple[Person, Skin]], held: Sequence[Held]
) -> Strip:
    """Both edges of webbing, laid onto clothes; any other strip as it is."""
    if not skins or not strip.name.startswith(("belts/", "harnesses/")):
        return strip
    edges = np.stack([strip.left, strip.right], axis=2)
    shape = edges.shape[1:]
    for row, pose in enumerate(poses_of(scene)):
        points = edges[row].reshape(-1, 3)
        for person, skin in skins:
            near = points.mean(axis=0)
            at, normals = skin.posed(*Hands(person, skin.fingers, held).placed(pose, near))
            points = skin.clothes(at, normals).lifted(points - near, LIFT_M) + near
        edges[row] = points.reshape(shape)
    return Strip(strip.name, strip.tone, edges[:, :, 0], edges[:, :, 1])


def _solid(shape: Shape, count: int) -> Solid:
    tone = BODY_TONES[shape.tone % len(BODY_TONES)] if shape.kind == "body" else _TONES[shape.kind]
    return still(shape.element, _plain(shape.mesh), tone, _CLEAR.get(shape.kind, 1.0), count)


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
            solid = still(element, mesh, BAG_TONE, _CLEAR["bag"], count)
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
