"""Show an instant of a run on the stage: segments, webbing, links and bags."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from app.run_view.motion import Motion
from app.scene.form import Bags, Form, Laid
from solver.engine.maths.rotation import Array
from solver.project import Project
from solver.project.coordinate_forces import (
    CoordinateForce,
    HillMuscle,
    Muscle,
)
from solver.project.coordinates import (
    DistanceCoordinate,
)
from solver.project.links import Disc, LinearSpring, TabulatedSpring
from solver.project.pose import Placed, four_corners, full_bag, turn
from solver.project.segments import GROUND, Segment
from solver.scene.meshes import ACROSS, Mesh
from solver.scene.placing import Pose, Stretched, in_ground, turns_over, up_of
from solver.scene.shapes import Shape, links, surfaces_of, webbing
from solver.scene.straps import FACES, stretched
from solver.scene.webbing import PARTS, StrapPath

KEPT = 400
"""Frames whose webbing and links are kept as they lie, each some 150 kB, and instants with what lies as it does there, each some 200 kB."""

_LOOKS = 24
"""Instants at which one looks whether all stays in the picture."""


@dataclass(frozen=True, eq=False, slots=True)
class Moment:
    """Where everything is at an instant, and what has been laid there so far."""

    stood: Pose
    """In ground axes."""
    carried: Placed
    """What takes the ground to the camera."""
    pose: Pose
    bags: Bags
    idle: frozenset[str]
    laid: Laid = field(default_factory=dict)


class Replay:
    """Put a motion's instants before a camera that stands on the ground, or rides on a segment.

    With `sags`, a slack bag lies flat and hangs; else it stays the ellipsoid that the results tell of.
    """

    def __init__(self, project: Project, motion: Motion, *, sags: bool = True) -> None:
        self.project, self.motion, self._sags = project, motion, sags
        self.bearing = Bearing(project, motion)
        self.rider = GROUND
        self.turns_too = True
        self.moment = Moment({}, Placed(np.eye(3), np.zeros(3)), {}, {}, frozenset())
        """The instant that was shown last."""
        self._moments: dict[float, Moment] = {}
        self._surfaces = surfaces_of(project)
        self._full = {bag.id: full_bag(bag, project) for bag in project.airbags}
        self._forms: dict[int, dict[tuple[str, str], Form]] = {}
        self._ways: tuple[object, Array] | None = None
        """Of how much of the run they were found, and the ways of all that moves."""

    def refresh(self) -> None:
        """Look again at a motion that has grown."""
        self.motion.refresh()
        self.bearing.refresh()
        self._moments.clear()

    @property
    def now(self) -> Placed:
        """What took the ground to the camera at the instant that was shown last."""
        return self.moment.carried

    @property
    def stood(self) -> Pose:
        """Where everything stood at that instant, in ground axes."""
        return self.moment.stood

    def ride(self, segment: str, turns_too: bool | None = None) -> None:
        """Let the camera go with a segment; `turns_too` also when it turns: None, unless it turns over as prescribed."""
        if turns_too is None:
            turns_too = not turns_over(self.project, segment)
        self.rider, self.turns_too = segment, turns_too
        self._forms.clear()
        self._moments.clear()

    def show(self, stage: Any, t: float) -> None:
        """Show an instant (s)."""
        one = self.moment = self._at(t)
        stage.move(one.pose, self._formed(one.pose, one.carried, t), one.bags, one.idle, one.laid)

    def _at(self, t: float) -> Moment:
        """An instant (s), found once: a run that plays again comes to the same ones."""
        if t not in self._moments:
            pose = self.motion.pose(t)
            carried = self.carried(t, pose)
            bags = {f"airbags/{bag.id}": self._bag(bag, carried, t) for bag in self.project.airbags}
            idle = self.bearing.idle(self.motion.near(t))
            if len(self._moments) >= KEPT:
                self._moments.pop(next(iter(self._moments)))
            self._moments[t] = Moment(pose, carried, self._seen(pose, carried), bags, idle)
        return self._moments[t]

    def lay_ahead(self, stage: Any, t: float, pitch: float) -> bool:
        """Lay what one instant more has, the next from one (s) on, so far (s) from each other; tells whether one was left."""
        first, count = round(t / pitch), round(self.motion.end / pitch) + 1
        several = (n * pitch for n in (*range(first, count), *range(first)))
        at = next((one for one in several if one not in self._moments), None)
        if at is None or len(self._moments) >= KEPT:
            return False
        one = self._at(at)
        stage.lay_ahead(self._formed(one.pose, one.carried, at), one.pose, one.bags, one.laid)
        return True

    def way(self, name: str) -> Array:
        """The places of a segment's centre as a camera that rides sees them (n, 3)."""
        way = self.motion.way(name)
        if not self._rides() or not len(way):
            return way
        turns, places = self.motion.turns(self.rider), self.motion.way(self.rider)
        away = way - places
        if self.turns_too:
            away = np.einsum("ij,tkj,tk->ti", turns[0], turns, away)
        return np.asarray(places[0] + away)

    def ways(self) -> Array:
        """Where the ends of all that moves are at instants from the start to the end (n, 3), as a camera that rides sees them."""
        count = len(self.motion.time)
        of = (count, self.rider, self.turns_too)
        if self._ways is not None and self._ways[0] == of:
            return self._ways[1]
        rows = np.unique(np.linspace(0, max(count - 1, 0), min(count, _LOOKS)).astype(int))
        ends = {one.id: _ends(one) for one in self.project.segments}
        if self._rides() and not self.turns_too:
            # what turns before a camera that does not is seen up to its corners
            planes = [plane for plane in self.project.planes if plane.segment == self.rider]
            ends[self.rider] = np.vstack([ends[self.rider], *map(four_corners, planes)])
        ways = [np.zeros((0, 3))]
        for t in self.motion.time[rows]:
            seen = self.seen_at(t)
            ways += [seen[name].p_W + places @ seen[name].R_WS.T for name, places in ends.items()]
        self._ways = of, np.vstack(ways)
        return self._ways[1]

    def carried(self, t: float, pose: Pose | None = None) -> Placed:
        """What takes the ground to where a camera that rides sees it."""
        if not self._rides():
            return Placed(np.eye(3), np.zeros(3))
        first, now = self.motion.start()[self.rider], (pose or self.motion.pose(t))[self.rider]
        R = first.R_WS @ now.R_WS.T if self.turns_too else np.eye(3)
        return Placed(R, first.p_W - R @ now.p_W)

    def seen_at(self, t: float) -> Pose:
        """The pose at an instant (s) as a camera that rides sees it."""
        pose = self.motion.pose(t)
        return self._seen(pose, self.carried(t, pose))

    def _seen(self, pose: Pose, carried: Placed) -> Pose:
        """A pose as a camera that rides sees it."""
        if not self._rides():
            return pose
        seen = {
            name: Placed(carried.R_WS @ placed.R_WS, carried.R_WS @ placed.p_W + carried.p_W)
            for name, placed in pose.items()
        }
        if self.turns_too:
            # it stands still to the last digit, and so does all that is drawn in its axes
            seen[self.rider] = self.motion.start()[self.rider]
        return seen

    def _rides(self) -> bool:
        return self.rider in self.motion.names

    def _formed(self, pose: Pose, carried: Placed, t: float) -> dict[tuple[str, str], Form]:
        """Lay webbing and links again, once for each frame."""
        frame = self.motion.near(t)
        if frame not in self._forms:
            down = -carried.R_WS @ up_of(self.project)

            def found(name: str) -> StrapPath | None:
                points = self.motion.strap(name, t)
                if points is None:
                    return None
                places = points @ carried.R_WS.T + carried.p_W
                return StrapPath(places, self.motion.spare(name, t), down)

            shapes = (
                *webbing(self.project, self._surfaces, pose, found),
                *links(self.project, pose),
            )
            if len(self._forms) >= KEPT:
                self._forms.pop(next(iter(self._forms)))
            slack = self.bearing.slack(frame)
            self._forms[frame] = {
                (s.element, s.part): Form(s.mesh, self._loads(s, pose, frame), s.element in slack)
                for s in shapes
            }
        return self._forms[frame]

    def _loads(self, shape: Shape, pose: Pose, frame: int) -> Array | None:
        """The load (N) of each face of webbing and discs; None for links."""
        id_ = shape.element.partition("/")[2]
        if shape.kind == "disc":
            load = self.bearing.axial(id_, frame)
            return None if load is None else np.full(len(shape.mesh.faces), load)
        if shape.kind != "belt":
            return None
        if shape.part:
            tension = self.motion.loads.of_strap(f"{id_}.{shape.part}", frame)
            return on_faces(shape.mesh, None if tension is None else np.repeat(tension, PARTS))
        parts = self.motion.loads.of_belt(id_, frame)
        belt = next(belt for belt in self.project.belts if belt.id == id_)
        fixed = in_ground(pose, belt.surface.segment, belt.fixed_point_m)
        return on_faces(shape.mesh, None if parts is None else in_parts(shape.mesh, fixed, parts))

    def _bag(self, bag: Any, carried: Placed, t: float) -> Placed | None:
        """What takes the drawn full bag to the bag as it is; None while it is folded."""
        full, state = self._full[bag.id], self.motion.bag(bag.id, t)
        if full is None or state is None:
            return None
        placed, semi_axes = state
        left = self.motion.fullness(bag.id, np.array(bag.semi_axes_m), t) if self._sags else 1.0
        A, p_W = stretched(bag, full, placed, semi_axes, left, -up_of(self.project))
        return Stretched(carried.R_WS @ A, carried.R_WS @ p_W + carried.p_W)


def in_parts(webbing: Mesh, fixed: Array, parts: Array) -> Array:
    """The tension of each piece of a simple belt: A's until the fixed point, B's behind it."""
    line = _line(webbing)
    middle = int(np.argmin(np.sum((line - fixed) ** 2, axis=1)))
    tension: Array = np.where(np.arange(len(line) - 1) < middle, parts[0], parts[1])
    return tension


def on_faces(webbing: Mesh, tension: Array | None) -> Array | None:
    """The tension of each face; fittings at the ends have that of the piece beside them, rings the last.

    None where the pieces are others than those of the tensions.
    """
    pieces = len(webbing.lines[0]) - 1
    if tension is None or len(tension) != pieces:
        return None
    others = len(webbing.faces) - ACROSS * pieces - FACES
    ends = (np.full(FACES, tension[0]), np.full(others, tension[-1]))
    return np.concatenate([np.repeat(tension, ACROSS), *ends])


def _line(webbing: Mesh) -> Array:
    """Give the middle of a ribbon from its two edges."""
    one, other = (webbing.points[list(edge)] for edge in webbing.lines[:2])
    return np.asarray(0.5 * (one + other))


FREE = 0
"""State of a driver, in results, that leaves its coordinate free."""


def _ends(segment: Segment) -> Array:
    """The ends of a segment's surfaces along their axes, or its centre where it has none (n, 3)."""
    half = [(one.centre_m, turn(one.orientation) * one.semi_axes_m) for one in segment.surfaces]
    return np.vstack(
        [np.zeros((0 if half else 1, 3)), *(c + s * axes.T for c, axes in half for s in (-1, 1))]
    )


class Bearing:
    """Read the loads of discs, springs, strings and lines of muscles, and what drivers do, in a run, finished or growing."""

    def __init__(self, project: Project, motion: Motion) -> None:
        self._motion = motion
        self._discs = [spring for spring in project.springs if isinstance(spring, Disc)]
        self._lines = {
            "springs": [s.id for s in project.springs if _may_be_slack(s)],
            "tension_elements": [t.id for t in project.tension_elements],
            "coordinate_forces": [f.id for f in project.coordinate_forces if _may_be_slack(f)],
        }
        self._drivers = {
            "drivers": [one.id for one in project.drivers],
            "frame_drivers": [one.id for one in project.frame_drivers],
        }
        self._axial: dict[str, Array] = {}
        self._slack: dict[str, tuple[list[str], Array]] = {}

    def refresh(self) -> None:
        """Look again at a run that has grown."""
        self._axial.clear()
        self._slack.clear()

    def axial(self, disc: str, frame: int) -> float | None:
        """The load along a disc (N), without its sign; None where the run does not tell."""
        loads = self._loads().get(disc)
        return None if loads is None or frame >= len(loads) else float(loads[frame])

    def highest(self) -> float:
        """The highest load along any disc so far (N); 0 without discs."""
        return max(
            (float(loads.max()) for loads in self._loads().values() if loads.size), default=0.0
        )

    def slack(self, frame: int) -> frozenset[str]:
        """Name the elements that could pull and bear nothing at a frame."""
        found: set[str] = set()
        for group, ids in self._lines.items():
            if not ids:
                continue
            if group not in self._slack:
                self._slack[group] = self._without_load(group, ids)
            names, bare = self._slack[group]
            if frame < len(bare):
                found.update(f"{group}/{names[n]}" for n in np.flatnonzero(bare[frame]))
        return frozenset(found)

    def idle(self, frame: int) -> frozenset[str]:
        """Name the drivers that leave free, at a frame, what they drive at other times."""
        found: set[str] = set()
        for group, ids in self._drivers.items():
            if not ids:
                continue
            table = self._motion.loads.table(group)
            states = table["state"]
            if frame < len(states):
                free = {table.ids[n] for n in np.flatnonzero(states[frame] == FREE)}
                found.update(f"{group}/{id_}" for id_ in ids if id_ in free)
        return frozenset(found)

    def _without_load(self, group: str, ids: list[str]) -> tuple[list[str], Array]:
        table = self._motion.loads.table(group)
        names = [name for name in ids if name in table.ids]
        load = table["tension" if group == "tension_elements" else "force"]
        load = load[:, [table.ids.index(name) for name in names]]
        return names, ~np.any(load.reshape(*load.shape[:2], -1), axis=2)

    def _loads(self) -> dict[str, Array]:
        if self._discs and not self._axial:
            table = self._motion.loads.table("springs")
            force = table["force"]
            for disc in self._discs:
                if disc.id not in table.ids or disc.a.segment not in self._motion.names:
                    continue
                turns = self._motion.turns(disc.a.segment)
                count = min(len(turns), len(force))
                axis = turns[:count] @ turn(disc.a.frame.orientation)[:, 2]
                along = np.einsum("fk,fk->f", force[:count, table.ids.index(disc.id)], axis)
                self._axial[disc.id] = np.abs(along)
        return self._axial


def _may_be_slack(item: object) -> bool:
    match item:
        case LinearSpring() | TabulatedSpring():
            return item.tension_only
        case CoordinateForce():
            pulls = any(isinstance(law, Muscle | HillMuscle) for law in item.laws)
            return isinstance(item.coordinate, DistanceCoordinate) and (
                item.side != "both" or pulls
            )
        case _:
            return False
