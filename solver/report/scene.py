"""The model at frames of a run for pictures: as people see it in the window, or as the shapes that the engine knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from solver.engine.maths.rotation import Array
from solver.project import Project
from solver.results.trajectory import Trajectory
from solver.scene.instant import Instants, Looks, Surface
from solver.scene.raster import Camera, Ground, Picture, rendered

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


def drawn(scene_: Scene, camera: Camera, height: int) -> Picture:
    """Draw a scene as an RGB picture of a height in pixels, or lower where it would be too wide."""
    (x0, y0), (x1, y1) = camera.low, camera.high
    height = min(height, max(1, round(WIDEST * (y1 - y0) / (x1 - x0))))
    return rendered(scene_.surfaces, camera, height)
