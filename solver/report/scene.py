"""The model at frames of a run for pictures: as people see it in the window, or as the shapes that the engine knows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from solver.engine.maths.rotation import matrix
from solver.model.route import over_sphere
from solver.project import Project
from solver.project.belts import Belt
from solver.project.geometry import Ellipsoid, powers_of
from solver.project.pose import plane_corners, turn
from solver.project.segments import GROUND
from solver.report.raster import rendered
from solver.report.raycast import Array, Camera, Cord, Ground, Sheet, Solid, picture
from solver.results.trajectory import Table, Trajectory
from solver.scene.instant import Instants, Looks, Surface

BODY_TONES = ((0.86, 0.75, 0.64), (0.81, 0.66, 0.55), (0.90, 0.81, 0.72))
VEHICLE_TONE, PLANE_TONE = (0.71, 0.73, 0.75), (0.44, 0.58, 0.71)
BELT_TONE, BAG_TONE = (0.16, 0.22, 0.30), (0.93, 0.92, 0.88)
BELT_WIDTH_M = 0.047
NEAR = 0.12
"""Part of the model's size by which planes widen the picture."""
AROUND = 0.06
"""Part of the model's size that is left free around it."""

SLIM = 2.0
"""So many times as wide as high a picture is at most, or as high as wide."""

LEVEL = 1.2
"""So much higher than the highest of a row's pictures all of them may be, so that they stand side by side at one height."""
ABOVE_RAD, BELOW_M = np.radians(7.0), 0.002
"""From how far above the horizon one looks: heights are shown by less than 1 % too low; and how far the ground lies below all."""
WIDEST = 1600
"""Pixels: a long road in view would make a picture of many millions."""


View = Literal["side", "front"]


@dataclass(frozen=True, slots=True)
class Scene:
    """What is to be seen at one frame, and the points that must be in the picture."""

    points: Array
    surfaces: tuple[Surface, ...] = ()
    """What people see; else there are the engine's shapes: solids, sheets and cords."""
    solids: tuple[Solid, ...] = ()
    sheets: tuple[Sheet, ...] = ()
    cords: tuple[Cord, ...] = ()


def driven(project: Project) -> tuple[str, ...]:
    """Name the segments whose motion is prescribed, in the order of their motions."""
    return tuple(dict.fromkeys(motion.segment for motion in project.motions))


def scenes(
    project: Project,
    run: Trajectory,
    frames: Sequence[int],
    looks: Looks = "skin",
    around: bool = True,
) -> list[Scene]:
    """Place everything as it is at frames, with skins, with both half seen through, or as the engine's shapes.

    `around` adds what usually stands around people.
    """
    if looks == "shapes":
        return [_bare(project, run, frame) for frame in frames]
    instants = Instants(project, run, looks, around=around)
    return [_seen(instants.at(frame)) for frame in frames]


def scene(project: Project, run: Trajectory, frame: int, looks: Looks = "skin") -> Scene:
    """Place everything as it is at one frame."""
    return scenes(project, run, (frame,), looks)[0]


def _seen(surfaces: Sequence[Surface]) -> Scene:
    own = [one.points for one in surfaces if not one.is_around]
    return Scene(_framed(own, [one.points for one in surfaces if one.is_around]), tuple(surfaces))


def _framed(own: Sequence[Array], around: Sequence[Array]) -> Array:
    """The points that a picture must hold: of what is around as far as it is near."""
    everything = np.concatenate([np.zeros((0, 3)), *own])
    ends = np.concatenate([np.zeros((0, 3)), *around])
    if len(everything) == 0:
        return ends if len(ends) else np.array([-np.ones(3), np.ones(3)])
    low, high = everything.min(0), everything.max(0)
    near = NEAR * float((high - low).max())
    return np.concatenate([everything, np.clip(ends, low - near, high + near)])


def _bare(project: Project, run: Trajectory, frame: int) -> Scene:
    place = _Places(run, frame)
    solids = list(_bodies(project, place))
    moved = set(driven(project))
    cords = [*_belts(project, place), *_straps(run, frame, project)]
    bags = list(_bags(run, frame))
    own = [_corners(solid) for owner, solid in solids if owner not in moved]
    own += [*(_corners(solid) for solid in bags), *(cord.points for cord in cords)]
    sheets = tuple(_sheets(project, place))
    ends = [s.corner + a * s.edge + b * s.other for s in sheets for a in (0, 1) for b in (0, 1)]
    points = _framed(own, [np.array(ends)] if ends else [])
    return Scene(points, (), (*(solid for _, solid in solids), *bags), sheets, tuple(cords))


def _corners(solid: Solid) -> Array:
    return np.asarray(solid.centre + (_CORNERS * solid.semi) @ solid.R.T)


def cameras(
    project: Project,
    scenes: Sequence[Scene],
    view: View,
    runs: Sequence[int] = (),
    height_m: float = 0.0,
) -> list[Camera]:
    """Look at several scenes from the side or the front, at one scale; those of one of the `runs` stand on one ground.

    No picture is much wider than high or higher than wide, and each shows at least `height_m`.
    """
    up = -np.array(project.gravity_m_per_s2, float)
    has_weight = bool(np.linalg.norm(up) > 0.0)
    up = up / np.linalg.norm(up) if has_weight else np.array([0.0, 0.0, -1.0])
    ahead = np.eye(3)[int(np.argmax(np.abs(up) < 0.7))]
    ahead = ahead - (ahead @ up) * up
    ahead /= np.linalg.norm(ahead)
    # from the right-hand side, or from ahead, and a little from above
    right = ahead if view == "side" else np.cross(up, ahead)
    back = np.cross(right, up)
    upwards = np.cos(ABOVE_RAD) * up - np.sin(ABOVE_RAD) * back
    boxes = [np.stack([s.points @ right, s.points @ upwards], axis=1) for s in scenes]
    sizes = np.max([np.ptp(box, axis=0) for box in boxes], axis=0)
    lowest, highest = (
        float(end) for end in (min(b[:, 1].min() for b in boxes), max(b[:, 1].max() for b in boxes))
    )
    is_level = highest - lowest <= LEVEL * sizes[1]
    if is_level:
        sizes[1] = highest - lowest
    half = 0.5 * (sizes + AROUND * max(float(sizes.max()), 0.1))
    half[1] = max(half[1], half[0] / SLIM, 0.5 * height_m)
    half[0] = max(half[0], half[1] / SLIM)
    runs = runs or [0] * len(scenes)
    low: dict[int, float] = {}
    for of, one in zip(runs, scenes, strict=True):
        low[of] = min([low.get(of, np.inf), *(float((s.points @ up).min()) for s in one.surfaces)])
    out = []
    for of, box in zip(runs, boxes, strict=True):
        is_known = has_weight and np.isfinite(low[of])
        ground = Ground(up, low[of] - BELOW_M) if is_known else None
        middle = 0.5 * (box.min(0) + box.max(0))
        if is_level:
            middle[1] = 0.5 * (lowest + highest)
        (x0, y0), (x1, y1) = middle - half, middle + half
        low_, high = (float(x0), float(y0)), (float(x1), float(y1))
        out.append(Camera(right, upwards, low_, high, view == "front", ground))
    return out


def drawn(
    scene_: Scene, camera: Camera, height: int
) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Draw a scene as an RGB picture of a height in pixels, or lower where it would be too wide."""
    (x0, y0), (x1, y1) = camera.low, camera.high
    height = min(height, max(1, round(WIDEST * (y1 - y0) / (x1 - x0))))
    if scene_.surfaces:
        return rendered(scene_.surfaces, camera, height)
    solids = scene_.solids
    if camera.ghosts:
        # what the vehicle carries in front of the occupant must not hide him
        solids = tuple(replace(s, opacity=0.3) if s.tone == VEHICLE_TONE else s for s in solids)
    return picture(solids, scene_.sheets, scene_.cords, camera, height)


_CORNERS = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)], float)


class _Places:
    """Give attitudes and places of segments at a frame."""

    def __init__(self, run: Trajectory, frame: int) -> None:
        table = run.table("segments")
        self._row = {id_: n for n, id_ in enumerate(table.ids)}
        self._p, self._q = table["position"][frame], table["quaternion_wxyz"][frame]

    def __contains__(self, segment: str) -> bool:
        return segment == GROUND or segment in self._row

    def turn(self, segment: str) -> Array:
        return np.eye(3) if segment == GROUND else matrix(self._q[self._row[segment]])

    def point(self, segment: str, point: Sequence[float] | Array) -> Array:
        origin = np.zeros(3) if segment == GROUND else self._p[self._row[segment]]
        return np.asarray(origin + self.turn(segment) @ np.asarray(point, float))


def _bodies(project: Project, place: _Places) -> Iterator[tuple[str, Solid]]:
    moved, hidden = set(driven(project)), _only_for_straps(project)
    for number, segment in enumerate(s for s in project.segments if s.id in place):
        tone = VEHICLE_TONE if segment.id in moved else BODY_TONES[number % len(BODY_TONES)]
        for surface in segment.surfaces:
            if (segment.id, surface.id) in hidden and len(segment.surfaces) > 1:
                continue
            powers = powers_of(surface)
            yield (
                segment.id,
                Solid(
                    place.turn(segment.id) @ turn(surface.orientation),
                    place.point(segment.id, surface.centre_m),
                    np.array(surface.semi_axes_m),
                    np.array(powers),
                    tone,
                ),
            )


def _only_for_straps(project: Project) -> set[tuple[str, str]]:
    """Name surfaces that straps lie on and nothing else touches: they are helps, not the body."""
    under = {
        (ref.segment, ref.surface)
        for harness in project.harnesses
        for strap in harness.straps
        for point in strap.points
        if (ref := getattr(point, "surface", None)) is not None
    }
    touched = {
        (ref.segment, ref.surface)
        for contact in project.contacts
        for field in ("first", "second", "surface")
        if (ref := getattr(contact, field, None)) is not None
    }
    return under - touched


def _sheets(project: Project, place: _Places) -> Iterator[Sheet]:
    for plane in project.planes:
        if not plane.bounded or plane.segment not in place:
            continue
        corner, edge, other = plane_corners(plane)
        R = place.turn(plane.segment)
        yield Sheet(place.point(plane.segment, corner), R @ edge, R @ other, PLANE_TONE)


def _straps(run: Trajectory, frame: int, project: Project) -> Iterator[Cord]:
    table = run.table("strap_points")
    for harness in project.harnesses:
        for strap in harness.straps:
            lead = f"{harness.id}.{strap.id}."
            rows = [n for n, id_ in enumerate(table.ids) if id_.startswith(lead)]
            if len(rows) > 1:
                yield Cord(np.array(table["position"][frame][rows]), strap.width_m, BELT_TONE)


def _bags(run: Trajectory, frame: int) -> Iterator[Solid]:
    table: Table = run.table("airbags")
    for n in range(len(table.ids)):
        semi = np.array(table["semi_axes"][frame, n])
        if table["state"][frame, n] > 0 and float(semi.min()) > 1e-3:
            yield Solid(
                matrix(table["quaternion_wxyz"][frame, n]),
                np.array(table["position"][frame, n]),
                semi,
                np.full(3, 2.0),
                BAG_TONE,
                opacity=0.55,
            )


def _belts(project: Project, place: _Places) -> Iterator[Cord]:
    surfaces = {(s.id, e.id): e for s in project.segments for e in s.surfaces}
    for belt in project.belts:
        body = surfaces.get((belt.surface.segment, belt.surface.surface))
        if body is not None:
            yield Cord(_belt_line(belt, body, place), BELT_WIDTH_M, BELT_TONE)


def _belt_line(belt: Belt, body: Ellipsoid, place: _Places) -> Array:
    """Lay a belt in the plane of its anchors and fixed point (7.3)."""
    a = place.point(belt.anchor_a.segment, belt.anchor_a.position_m)
    b = place.point(belt.anchor_b.segment, belt.anchor_b.position_m)
    f = place.point(belt.surface.segment, belt.fixed_point_m)
    # in the axes in which the ellipsoid is a unit sphere, its section is a circle
    scale = place.turn(belt.surface.segment) @ turn(body.orientation) * np.array(body.semi_axes_m)
    centre = place.point(belt.surface.segment, body.centre_m)
    A, B, F = (np.linalg.solve(scale, p - centre) for p in (a, b, f))
    return np.array([a, *(centre + scale @ p for p in over_sphere(A, F, B)), b])
