"""Where people are over a whole run, as a camera that rides sees them, and the side from which their motion is seen best."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from app.run_view.replay import Replay
from app.scene.covering import Thing, met, outermost
from app.scene.lens import OrbitCamera
from solver.engine.maths.rotation import Array
from solver.injury.parts import bodies, ends, occupants
from solver.project.segments import GROUND

_LOOKS, _TRIED, _CHOSEN = 16, 3, 6
"""Instants at which one looks where everybody is, at which one tries what covers them, and sides from which one tries it."""
_FAR_M, _LESS = 1.5, 0.6
"""A way on the ground from which on the camera goes with what carries people, and how much of it they have on that at most."""
_STILL_M = 0.03
"""Below such a way (root of the mean square) a motion asks for no side."""
_SIDES = tuple(math.radians(k) for k in range(0, 360, 15))
_HEIGHTS = (math.radians(12.0), math.radians(28.0))
_USUAL = (math.radians(52.0), math.radians(16.0))
_SEEN, _FACE, _LIKE = 0.8, 0.25, 0.1
"""What it counts beside the motion, of which all of it counts 1, that people are not covered, that one sees their faces,
and that the side is near the usual one (chosen by eye on samples and load cases)."""
_MATTERS = {"head": 3.0, "chest": 2.0}
"""How much more than hands and feet others matter."""


@dataclass(frozen=True, eq=False, slots=True)
class Course:
    """Places in ground axes (m), as a camera that rides sees them."""

    times: tuple[float, ...]
    """Instants (s) at which one has looked."""
    ends: Array
    """Outermost places of heads, hands and feet at all of these (n, 3)."""
    all: Array
    """Outermost places of all of their parts (n, 3)."""
    middles: Array
    """Middles of heads, chests, hands and feet (instants, n, 3)."""
    weights: Array
    """How much each of these matters (n)."""
    faces: Array
    """Where people look at the start (n, 3)."""

    @property
    def has_people(self) -> bool:
        """Whether there is anybody."""
        return len(self.all) > 0


def course_of(replay: Replay) -> Course:
    """Follow all people through a run."""
    project, motion = replay.project, replay.motion
    count = len(motion.time)
    rows = np.unique(np.linspace(0, max(count - 1, 0), min(count, _LOOKS)).astype(int))
    names = {s for body in bodies(project) for s in body if s in motion.names}
    outer = {s: points for s, points in outermost(project).items() if s in names}
    at_end = {s for person in ends(project) for s in person.values()} & names
    told = [(part, s) for person in ends(project) for part, s in person.items() if s in names]
    chests = [one.segments.get("upper_torso", "") for one in occupants(project)]
    told += [("chest", s) for s in chests if s in names]
    if not told:
        outer = {}  # a leg of a robot is nobody
    far, whole, middles = [np.zeros((0, 3))], [np.zeros((0, 3))], []
    faces = np.zeros((0, 3))
    for n, t in enumerate(motion.time[rows]):
        pose = replay.seen_at(float(t))
        places = {s: points @ pose[s].R_WS.T + pose[s].p_W for s, points in outer.items()}
        whole += places.values()
        far += [places[s] for s in at_end]
        middles.append([pose[s].p_W for _, s in told])
        if n == 0:
            faces = np.array([pose[s].R_WS[:, 0] for s in chests if s in names]).reshape(-1, 3)
    weights = np.array([_MATTERS.get(part, 1.0) for part, _ in told])
    where = np.array(middles).reshape(len(rows), -1, 3)
    times = tuple(float(t) for t in motion.time[rows])
    return Course(times, np.vstack(far), np.vstack(whole), where, weights, faces)


def carrier(replay: Replay) -> str:
    """Name what carries people a long way, who move much less on it than on the ground; the ground where nothing does."""
    project, motion = replay.project, replay.motion
    count = Counter(plane.segment for plane in project.planes if plane.segment in motion.names)
    inside = {s for body in bodies(project) for s in body}
    named = [s for s in count if s not in inside]
    way = [motion.way(s) for s in inside if s in motion.names]
    if not named or not way:
        return GROUND
    found = max(named, key=lambda segment: count[segment])
    with_it = motion.way(found)
    far = max(float(np.ptp(one, axis=0).max()) for one in way)
    near = max(float(np.ptp(one - with_it, axis=0).max()) for one in way)
    return found if far > _FAR_M and near < _LESS * far else GROUND


Things = Callable[[float, Array], Sequence[Thing]]
"""Gives what is solid at an instant (s), seen from an eye (m)."""


def best_side(
    course: Course, camera: OrbitCamera, fit: Callable[[OrbitCamera], None], things: Things
) -> tuple[float, float]:
    """The azimuth and elevation (rad) from which people's motion is seen best: across it, and past what covers them."""
    looks = [(a, e) for e in _HEIGHTS for a in _SIDES]
    motion = course.middles - course.middles.mean(axis=0)
    size = float((motion**2).sum(axis=2).mean())
    scores = []
    for azimuth, elevation in looks:
        camera.azimuth, camera.elevation = azimuth, elevation
        towards = camera.axes()[2]
        along = float(((motion @ towards) ** 2).mean())
        across = 1.0 - along / size if size > _STILL_M**2 else 0.5
        face = float(np.mean(course.faces @ towards)) if len(course.faces) else 0.0
        usual = math.cos(azimuth - _USUAL[0]) + math.cos(4.0 * (elevation - _USUAL[1]))
        scores.append(across + _FACE * face + _LIKE * usual)
    best = np.argsort(scores)[::-1][:_CHOSEN]
    eyes = []
    for n in best:
        camera.azimuth, camera.elevation = looks[n]
        fit(camera)
        eyes.append(camera.eye())
    tried = np.unique(np.linspace(0, len(course.times) - 1, _TRIED).astype(int))
    seen = np.zeros(len(eyes))
    for k in tried:
        seen += _seen_from(np.array(eyes), course.middles[k], course.weights, partial(things, course.times[k]))  # fmt: skip
    found = int(np.argmax(np.array(scores)[best] + _SEEN * seen / len(tried)))
    return looks[int(best[found])]


def _seen_from(
    eyes: Array, places: Array, weights: Array, things: Callable[[Array], Sequence[Thing]]
) -> Array:
    """How much of what matters each eye sees, from 0 to 1 (n)."""
    covered = np.zeros((len(eyes), len(places)), bool)
    solid: dict[tuple[int, int], tuple[Thing, list[int]]] = {}
    for n, eye in enumerate(eyes):
        for thing in things(eye):
            solid.setdefault((id(thing.mesh), id(thing.at)), (thing, []))[1].append(n)
    for thing, of in solid.values():
        rays = np.repeat(eyes[of], len(places), axis=0), np.tile(places, (len(of), 1))
        covered[of] |= met(thing, *rays).reshape(len(of), -1)
    seen: Array = 1.0 - covered @ weights / float(weights.sum())
    return seen


__all__ = ["Course", "Things", "best_side", "carrier", "course_of"]
