"""What is seen at a frame of a run, as painted surfaces in ground axes: people, webbing, bags, seats and all that moves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from solver.engine.maths.rotation import Array, matrices
from solver.project import Project
from solver.project.airbags import Airbag
from solver.project.contact import PlaneContact
from solver.project.pose import Placed, full_bag, panel_of
from solver.project.segments import GROUND
from solver.results.trajectory import Trajectory
from solver.scene import tones
from solver.scene.around.build import Around
from solver.scene.around.struck import seen_at
from solver.scene.around.surroundings import surroundings
from solver.scene.cushions import Bodies
from solver.scene.damage import Damage, Damaged
from solver.scene.fabric import Cloths
from solver.scene.furnishing import Furniture
from solver.scene.meshes import Indices, Mesh, column, faceted, joined, outline
from solver.scene.people.build import Person, people
from solver.scene.people.hands import Hands, Held, grasps
from solver.scene.people.skin import LIFT_M, skin_of, tears_of
from solver.scene.placing import Pose, pose_at_start, up_of
from solver.scene.shapes import Shape, links, shapes, surfaces_of, webbing
from solver.scene.straps import FINER, dressed, stretched
from solver.scene.tones import rgb
from solver.scene.webbing import StrapPath, body_of, spare_of

# Press into cushions what lies on them in a pose.

_BESIDE_M = 0.05
"""How far from a cushion a body may be that is still looked at, for its shade."""


class Pressing:
    """Know which surfaces may press into which plane of a project."""

    def __init__(self, project: Project) -> None:
        surfaces = surfaces_of(project)
        number: dict[tuple[str, str], int] = {}
        pressing: dict[str, list[int]] = {}
        for contact in project.contacts:
            if isinstance(contact, PlaneContact):
                key = (contact.surface.segment, contact.surface.surface)
                if key in surfaces:
                    own = number.setdefault(key, len(number))
                    pressing.setdefault(f"planes/{contact.plane}", []).append(own)
        self._pressing = {plane: np.array(own) for plane, own in pressing.items()}
        self._segments = [segment for segment, _ in number]
        self._own = Bodies.of([body_of(surfaces[key], key[0], {key[0]: _STILL}) for key in number])
        self._reaches = self._own.reaches()

    def placed(self, pose: Pose) -> Bodies:
        """All that may press into a cushion where it stands; what stands nowhere is left out later."""
        places = [pose.get(segment, _STILL) for segment in self._segments]
        turns = np.array([place.R_WS for place in places]).reshape(-1, 3, 3)
        return self._own.carried(turns, np.array([place.p_W for place in places]).reshape(-1, 3))

    def near(
        self, element: str, furniture: Furniture, at: Placed, pose: Pose, bodies: Bodies
    ) -> tuple[NDArray[np.int64], Bodies]:
        """Which of the placed bodies are close to a plane's cushion, and where they are in its axes.

        `at` is where the segment of the plane stands.
        """
        assert furniture.cushion is not None
        assert furniture.at is not None
        own_at = furniture.at
        at = Placed(at.R_WS @ own_at.R_WS, at.R_WS @ own_at.p_W + at.p_W)
        own = self._pressing.get(element, np.zeros(0, np.int64))
        own = own[[self._segments[n] in pose for n in own]] if len(own) else own
        away = (bodies.places[own] - at.p_W) @ at.R_WS
        reach = self._reaches[own] + _BESIDE_M
        long, across, _ = furniture.cushion.size
        close = (np.abs(away[:, 0]) < long + reach) & (np.abs(away[:, 1]) < across + reach)
        close &= away[:, 2] < reach
        return own[close], bodies.some(own[close]).seen_from(at)


def dented(furniture: Furniture, bodies: Bodies, *, is_rough: bool = False) -> Mesh:
    """The mesh of a cushion, in its segment's axes, below bodies in its own."""
    made, own = furniture.cushion, furniture.at
    assert made is not None
    assert own is not None
    if not len(bodies):
        return _bare(furniture) if is_rough else furniture.mesh
    made = made.rough if is_rough else made
    return made.pressed(bodies).moved(own.R_WS, own.p_W)


@lru_cache(maxsize=128)
def _bare(furniture: Furniture) -> Mesh:
    """The mesh of a cushion with fewer points that nobody lies on."""
    assert furniture.cushion is not None
    assert furniture.at is not None
    return furniture.cushion.rough.mesh.moved(furniture.at.R_WS, furniture.at.p_W)


Looks = Literal["skin", "both", "shapes"]
LOOKS: tuple[Looks, ...] = ("skin", "both", "shapes")
"""How people are seen: with their skin, with it half seen through, or as the shapes that the engine knows."""

_AROUND, _SHEET_M = 48, 0.5
_HALF, _SHEET, _BEHIND, _BAG = 0.38, 0.30, 0.24, 0.72
"""How much is seen of a skin over its shapes, of a bare plane, of furniture from behind, and of an open bag: one wants to
know where the head is in it."""
_BREATH, _EDGES, _LINE_M = 0.12, 0.30, 0.0015
"""How much is seen of what stands around people and bears nothing, of its edges, and the radius of these."""
WHITE = 0.6
"""How much is seen of what is white of broken glass."""
_LINK_M, _MUSCLE_M = 0.0030, 0.0025
"""Radius of what is a line to the engine."""
_SOFT_STATE = 2
"""State of a bag that has been filled, whether it is tight or slack."""


@dataclass(frozen=True, eq=False, slots=True)
class Surface:
    """Hold triangles in ground axes (m), with the normal and the colour (0 to 1) of each point."""

    points: Array
    faces: Indices
    normals: Array
    colours: Array
    opacity: float = 1.0
    is_closed: bool = False
    """Whether it is not seen from within."""
    is_around: bool = False
    """Whether it surrounds people: of that only what is near must be in a picture, and it must not hide them."""
    front: Array | None = None
    """The direction from which it is seen, where it is furniture; from behind one sees through it."""
    element: str = ""
    """What it is of; empty for a skin."""
    least: float = 0.0
    """Cosine of the angle to that direction from which on it is seen."""

    behind: float = _BEHIND
    """How much is seen of it from behind."""

    def opacity_from(self, back: Array) -> float:
        """How much is seen of it by an eye that is far away in a direction."""
        is_behind = self.front is not None and float(back @ self.front) <= self.least
        return min(self.opacity, self.behind) if is_behind else self.opacity


class Instants:
    """Know what a project shows at the frames of a run, with what usually stands around people or without.

    Without a run it is the start, with bags full.
    """

    def __init__(
        self,
        project: Project,
        run: Trajectory | None,
        looks: Looks = "skin",
        *,
        around: bool = True,
    ) -> None:
        self._project, self._run, self._looks = project, run, looks
        self._surfaces = surfaces_of(project)
        self._shapes = shapes(project, pose_at_start(project))
        self._people = [] if looks == "shapes" else people(project)
        self._held = grasps(project)
        self._cloths, self._pressing = Cloths(project), Pressing(project)
        is_around = around and looks != "shapes"
        self._around = surroundings(project, pose_at_start(project)) if is_around else []
        self._damage: Mapping[str, Damaged] = {}
        self._spoilt: Damage | None = None
        if run is not None and is_around:
            self._spoilt = Damage(project, lambda: run.table("contacts"), lambda n: self._pose(run, n))  # fmt: skip
        self._moved = {motion.segment for motion in project.motions}

    def at(self, frame: int = 0) -> list[Surface]:
        """All that is seen at a frame."""
        pose = pose_at_start(self._project) if self._run is None else self._pose(self._run, frame)
        worn = [
            _Worn(one, pose, self._held)
            for one in self._people
            if all(s in pose for s in one.segments)
        ]
        out = [one.surface(_HALF if self._looks == "both" else 1.0) for one in worn]
        dressed_ = {f"segments/{s}" for one in worn for s in one.person.segments}
        covered = dressed_ if self._looks == "skin" else set[str]()
        bodies = self._pressing.placed(pose)
        bags = {f"airbags/{bag.id}": self._bag(bag, frame) for bag in self._project.airbags}
        for shape in self._shapes:
            at = pose.get(shape.segment)
            if at is None or shape.element in covered:
                continue
            first = len(out)
            if shape.kind == "bag":
                out += self._open(shape, bags.get(shape.element), pose)
            elif shape.kind == "pack":
                if bags.get(shape.element) is None:
                    out.append(_painted(_fine(shape), at, tones.PACK_TONE))
            elif shape.kind == "plane":
                out += self._plane(shape, at, pose, bodies)
            elif shape.kind == "tyre":
                out.append(_painted(_fine(shape), at, tones.TYRE_TONE))
            elif shape.kind in ("body", "vehicle"):
                out += self._body(shape, at)
            elif shape.kind == "reach":
                out.append(_painted(shape.mesh, at, tones.REACH_TONE, tones.REACH_OPACITY, is_around=True))  # fmt: skip
            out[first:] = [replace(one, element=shape.element) for one in out[first:]]
        for one in self._around:
            if one.segment in pose:
                out += _surrounding(one, pose[one.segment])
        out += self._lines(frame, pose, worn)
        return out

    def _pose(self, run: Trajectory, frame: int) -> Pose:
        if not run.segment_ids:
            return {GROUND: _STILL}
        table = run.table("segments")
        turns, places = matrices(table["quaternion_wxyz"][frame]), table["position"][frame]
        pose = {id_: Placed(turns[n], places[n]) for n, id_ in enumerate(run.segment_ids)}
        return {**pose, GROUND: _STILL}

    def _body(self, shape: Shape, at: Placed) -> Iterator[Surface]:
        made = shape.furniture
        if made is not None and self._looks != "shapes" and len(made.mesh.faces):
            yield from _furnished(made, at, made.mesh)
            return
        if made is not None and self._around:
            # what is seen around people stands for all of it
            return
        own = tones.BODY_TONES[shape.tone % len(tones.BODY_TONES)]
        tone = own if shape.kind == "body" else tones.VEHICLE_TONE
        yield _painted(_fine(shape), at, tone, is_around=shape.segment in self._moved)

    def _plane(self, shape: Shape, at: Placed, pose: Pose, bodies: Bodies) -> Iterator[Surface]:
        furniture = shape.furniture
        if furniture is None or self._looks == "shapes":
            sheet = faceted(shape.mesh, _SHEET_M)
            yield _painted(sheet, at, tones.PLANE_TONE, _SHEET, is_around=True)
            yield _edged(shape.mesh, at, tones.PLANE_TONE)
            return
        mesh = furniture.mesh
        if furniture.cushion is not None:
            _, close = self._pressing.near(shape.element, furniture, at, pose, bodies)
            mesh = dented(furniture, close)
        damage = self._damage.get(shape.element)
        if damage is None:
            yield from _furnished(furniture, at, mesh)
            return
        if damage.has_burst:
            mesh = Mesh(mesh.points[:1], normals=np.zeros((1, 3)))
        yield from _furnished(furniture, at, damage.mesh or mesh)
        if damage.cracks is not None:
            white = Mesh(damage.cracks.points, damage.cracks.faces, damage.cracks.normals)
            yield _painted(white, at, tones.CRACK_TONES[0], WHITE, is_around=True)
            yield _edged(damage.cracks, at, tones.CRACK_TONES[1])

    def _open(self, shape: Shape, at: Placed | None, pose: Pose) -> Iterator[Surface]:
        if at is None:
            return
        mesh = self._cloths.laid(shape.element, at, pose)
        yield _painted(mesh, at, tones.BAG_TONE, _BAG)

    def _bag(self, bag: Airbag, frame: int) -> Placed | None:
        """What takes a full bag to where it is; none where it is folded or stands nowhere."""
        if self._run is None:
            panel = panel_of(bag, self._project)
            return None if panel is None else pose_at_start(self._project).get(panel.segment)
        table = self._run.table("airbags")
        full = full_bag(bag, self._project)
        n = table.ids.index(bag.id) if bag.id in table.ids else -1
        if full is None or n < 0 or not table["state"][frame, n]:
            return None
        semi = np.asarray(table["semi_axes"][frame, n])
        left = 1.0
        if table["state"][frame, n] == _SOFT_STATE:
            left = min(1.0, float(np.prod(semi / np.array(bag.semi_axes_m))))
        turned = matrices(np.asarray(table["quaternion_wxyz"][frame, n])[None])[0]
        placed = Placed(turned, np.asarray(table["position"][frame, n]))
        return Placed(*stretched(bag, full, placed, semi, left, -up_of(self._project)))

    def _lines(self, frame: int, pose: Pose, worn: Sequence[_Worn]) -> Iterator[Surface]:
        """Lay webbing as the run has found it, on clothes; draw links and muscles as thin tubes."""
        run, down = self._run, -up_of(self._project)

        def found(name: str) -> StrapPath | None:
            assert run is not None
            points, harnesses = run.table("strap_points"), run.table("harnesses")
            rows = [n for n, id_ in enumerate(points.ids) if id_.rsplit(".", 1)[0] == name]
            if not rows:
                return None
            spare = (0.0, 0.0)
            if name in harnesses.ids:
                spare = spare_of(harnesses["strain"][frame, harnesses.ids.index(name)])
            return StrapPath(np.asarray(points["position"][frame][rows]), spare, down)

        for shape in webbing(self._project, self._surfaces, pose, None if run is None else found):
            mesh = shape.mesh
            if worn:
                laid, count = mesh.points, len(mesh.lines[0])
                for one in worn:
                    laid = one.laid(laid, count)
                mesh = dressed(mesh, laid, FINER, lambda lines: _raised(lines, worn))
            else:
                mesh = dressed(mesh, mesh.points, FINER)
            bare = Mesh(mesh.points, mesh.faces, mesh.normals)
            yield replace(_painted(bare, _STILL, tones.BELT_TONE), element=shape.element)
        for shape in links(self._project, pose):
            made, tone = shape.mesh, tones.DISC_TONE
            if shape.kind == "beam":
                tone = tones.BEAM_TONES[shape.tone]
            elif shape.kind != "disc":
                is_muscle = shape.kind == "muscle"
                tone = tones.MUSCLE_TONE if is_muscle else tones.LINK_TONE
                made = _tubed(shape.mesh, _MUSCLE_M if is_muscle else _LINK_M)
            yield replace(_painted(faceted(made), _STILL, tone), element=shape.element)


_STILL = Placed(np.eye(3), np.zeros(3))


class _Worn:
    """A person's skin in a pose, about the pelvis: it is posed in seven digits."""

    def __init__(self, person: Person, pose: Pose, held: Sequence[Held]) -> None:
        self.person, self._skin = person, skin_of(person.figure)
        places = [pose[segment] for segment in person.segments]
        self._origin = places[0].p_W
        self._torn = tears_of(self._skin)
        self._places = places
        near = Hands(person, self._skin.fingers, held).placed(pose, self._origin)
        self._points, self._normals = self._skin.posed(*near)
        self._clothes = self._skin.clothes(self._points, self._normals)

    def surface(self, opacity: float) -> Surface:
        """The skin; what hangs between bones that have come apart is left out."""
        faces = self._skin.mesh.faces
        torn = self._torn.torn(self._places)
        if torn:
            faces = faces[~self._torn.between(torn)]
        return Surface(
            self._points.astype(float) + self._origin,
            faces,
            self._normals.astype(float),
            self._skin.colours,
            opacity,
            is_closed=not torn,
        )

    def laid(self, points: Array, count: int) -> Array:
        """Move a ribbon's points onto clothes."""
        return self._clothes.laid(points - self._origin, count) + self._origin

    def raised(self, points: Array) -> Array:
        """Move places that lie low over clothes once more."""
        return self._clothes.lifted(points - self._origin, LIFT_M, 1) + self._origin


def _raised(lines: Array, worn: Sequence[_Worn]) -> Array:
    for one in worn:
        lines = one.raised(lines)
    return lines


def _fine(shape: Shape) -> Mesh:
    """The mesh of a shape with normals."""
    if shape.round is not None:
        return shape.round.mesh(_AROUND, _AROUND)
    return shape.mesh if shape.mesh.normals is not None else faceted(shape.mesh)


def _furnished(furniture: Furniture, at: Placed, mesh: Mesh) -> Iterator[Surface]:
    if furniture.is_endless:
        # the ground is drawn by anyone who draws: here is only how high it lies
        mesh = Mesh(furniture.middle[None], normals=np.zeros((1, 3)))
    tone = tones.STUFF_TONES[furniture.stuff]
    made = _painted(mesh, at, tone, _BEHIND if furniture.is_clear else 1.0, is_around=True)
    front = None if furniture.front is None else at.R_WS @ furniture.front
    yield replace(made, front=front, least=furniture.least)
    if furniture.frame is not None:
        yield _painted(furniture.frame, at, tones.STUFF_TONES["leather"], is_around=True)


def _surrounding(one: Around, at: Placed) -> Iterator[Surface]:
    """Give something that bears nothing: slim bars as they are, all else as thin edges and a breath of colour.

    Nothing is seen of what stands between the eye and people.
    """
    tone, front, mesh = tones.STUFF_TONES[one.stuff], _points_to(one, at), seen_at(one, at)
    bare = Mesh(mesh.points, mesh.faces, mesh.normals)
    made = _painted(bare, at, tone, 1.0 if one.is_solid else _BREATH, is_around=True)
    yield replace(made, front=front, behind=0.0)
    if not one.is_solid and mesh.lines:
        lines = _edged(mesh, at, tones.STUFF_TONES["trim"], _EDGES)
        yield replace(lines, front=front, behind=0.0)


def _edged(mesh: Mesh, at: Placed, tone: str, opacity: float = 1.0) -> Surface:
    """The lines of a mesh as thin bars."""
    return _painted(barred(mesh), at, tone, opacity, is_around=True)


def barred(mesh: Mesh) -> Mesh:
    """The lines of a mesh as thin bars."""
    return faceted(_tubed(outline(mesh), _LINE_M))


def _points_to(one: Around, at: Placed) -> Array | None:
    """Give the direction from which more is seen of it than its edges, in ground axes."""
    return None if one.front is None else np.asarray(at.R_WS @ one.front)


def _painted(
    mesh: Mesh, at: Placed, tone: str, opacity: float = 1.0, *, is_around: bool = False
) -> Surface:
    """Put a mesh into ground axes in one colour; a place may stretch it."""
    points = mesh.points @ at.R_WS.T + at.p_W
    assert mesh.normals is not None
    normals = mesh.normals @ np.linalg.inv(at.R_WS)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    colours = np.tile(rgb(tone), (len(points), 1))
    if mesh.shade is not None:
        colours *= np.asarray(mesh.shade, float)[:, None]
    return Surface(points, mesh.faces, normals, colours, opacity, is_around=is_around)


def _tubed(mesh: Mesh, radius: float) -> Mesh:
    """Give lines as tubes, with whatever faces are at their ends."""
    parts = [Mesh(mesh.points, mesh.faces)] if len(mesh.faces) else []
    for line in mesh.lines:
        for a, b in pairwise(line):
            one, other = mesh.points[a], mesh.points[b]
            way = other - one
            size = float(np.linalg.norm(way))
            if size < 1e-9:
                continue
            z = way / size
            x = np.cross(z, np.eye(3)[int(np.argmin(np.abs(z)))])
            x /= np.linalg.norm(x)
            R = np.column_stack([x, np.cross(z, x), z])
            parts.append(column(radius, (one, R), (other, R), around=8))
    return joined(*(Mesh(part.points, part.faces) for part in parts))
