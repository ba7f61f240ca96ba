"""The motion of a model from tracks: its pose at each instant, from one to the next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from solver.analysis.tracking.chain import Chain, Coordinate
from solver.analysis.tracking.fitting import (
    Ends,
    Wanted,
    Weigh,
    absolute,
    carried_on,
    ends_of,
    goals,
    laid_over,
    solve,
    weights_of,
)
from solver.analysis.tracking.tracks import TrackError, Tracks
from solver.engine.maths.rotation import Array, from_angles
from solver.project.angles import angles_from
from solver.project.document import Project
from solver.project.fields import ZERO3
from solver.project.functions import Function, Table
from solver.project.geometry import FrameRef
from solver.project.joint_table import driven_axes, is_free, row_of
from solver.project.joints import Joint
from solver.project.motions import Driver, FrameDriver, History, Motion, MotionComponent
from solver.project.pose import Placed
from solver.project.posing import with_pose
from solver.project.segments import GROUND

Told = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class Followed:
    """A motion: at each `time` (s) the `value` (T, n) of each coordinate (rad or m).

    Of roots these are places and yaw, pitch and roll in ground axes; `place` and `attitude` hold the same
    as (T, 3) and (T, 3, 3). `miss` is the root mean square distance of the markers (m), `worst` the same
    for each marker over all times. `project` starts in the first pose.
    """

    project: Project
    time: Array
    coordinates: tuple[Coordinate, ...]
    value: Array
    miss: Array
    worst: Mapping[str, float]
    place: Mapping[str, Array]
    attitude: Mapping[str, Array]
    left_out: int

    @property
    def rms(self) -> float:
        """The root mean square distance over all times (m)."""
        return float(np.sqrt((self.miss**2).mean()))

    def named(self) -> list[tuple[str, Array, str]]:
        """Name, values and unit of each coordinate, as OpenSim names them: a joint of one axis by its name alone."""
        joints = [c.of for c in self.coordinates]
        return [
            (c.of if joints.count(c.of) == 1 else f"{c.of}_{c.name}", self.value[:, n], "rad" if c.turns else "m")
            for n, c in enumerate(self.coordinates)
        ]  # fmt: skip

    def smoothed(self, cut_off_hz: float) -> Followed:
        """The motion without what is faster than a frequency: Butterworth, forward and backward."""
        from scipy.spatial.transform import Rotation

        from solver.engine.signals import low_pass, period

        step = period(self.time)

        def slow(values: Array) -> Array:
            columns = [low_pass(column, step, cut_off_hz) for column in values.T]
            return np.stack(columns, axis=1)

        attitude = {}
        for root, R in self.attitude.items():
            # turns from the first attitude, as rotation vectors without jumps, are smoothed
            turned = _continuous(Rotation.from_matrix(R @ R[0].T).as_rotvec())
            attitude[root] = Rotation.from_rotvec(slow(turned)).as_matrix() @ R[0]
        return replace(
            self,
            value=slow(self.value),
            place={root: slow(p) for root, p in self.place.items()},
            attitude=attitude,
        )


def _continuous(turned: Array) -> Array:
    """Give rotation vectors without jumps from one to the next by a whole turn."""
    out = turned.copy()
    for n in range(1, len(out)):
        angle = float(np.linalg.norm(out[n]))
        if angle == 0.0:
            continue
        axis = out[n] / angle
        whole = np.round((out[n - 1] @ axis - angle) / (2.0 * np.pi))
        out[n] = (angle + 2.0 * np.pi * whole) * axis
    return out


def follow(
    project: Project,
    tracks: Tracks,
    free: Sequence[str] = ("all",),
    hold: Sequence[str] = (),
    weights: Mapping[str, float] | None = None,
    told: Told | None = None,
    weigh: Weigh = "distances",
    wanted: Mapping[str, Wanted] | None = None,
    ranges: Mapping[str, Ends] | None = None,
) -> Followed:
    """Find the pose at each time of the tracks, each from the one before.

    What the markers seen at a time do not determine stays as it was. Times at which none of the model's
    markers was seen are left out. `told` is called with the part that is done.
    """
    chain = Chain(project, free, hold)
    weight = weights_of(chain, weights, weigh)
    tracks = replace(tracks, names=tuple(chain.known(name) for name in tracks.names))
    held, ends = goals(chain, wanted or {}), ends_of(chain, ranges or {})
    names = [name for name in tracks.names if weight.get(name, 0.0) > 0.0]
    if not names:
        raise TrackError(
            "None of the model's markers was seen: {names}.", names=", ".join(chain.markers)
        )
    seen = tracks.selected(names)
    kept = np.flatnonzero(seen.seen.any(axis=1))
    if not len(kept):
        raise TrackError("None of the markers was seen at any time.")
    roots = chain.roots
    values, misses, each = [], [], {name: [] for name in names}  # type: ignore[var-annotated]
    place: dict[str, list[Array]] = {root: [] for root in roots}
    attitude: dict[str, list[Array]] = {root: [] for root in roots}
    first: Project | None = None
    for count, k in enumerate(kept):
        here = {n: p for n, p in zip(names, seen.point[k], strict=True) if np.isfinite(p).all()}
        if count == 0:
            laid_over(chain, here, weight)
        solved = solve(chain, here, weight, held, ends)
        pose = chain.pose(solved.q)
        if first is None:
            first = _posed(project, pose, chain.values(solved.q))
        values.append(absolute(chain, solved.q, pose))
        distance = np.linalg.norm(solved.miss, axis=1)
        misses.append(float(np.sqrt((distance**2).mean())))
        for name, off in zip(solved.names, distance, strict=True):
            each[name].append(float(off))
        for root in roots:
            place[root].append(pose[root].p_W)
            attitude[root].append(pose[root].R_WS)
        chain.moved_to(solved.q)
        if told is not None:
            told((count + 1) / len(kept))
    assert first is not None
    value = np.array(values)
    for n, c in enumerate(chain.coordinates):
        if c.root and c.turns:
            value[:, n] = np.unwrap(value[:, n])
    return Followed(
        project=first,
        time=seen.time[kept],
        coordinates=chain.coordinates,
        value=value,
        miss=np.array(misses),
        worst={n: float(np.sqrt(np.mean(np.square(off)))) for n, off in each.items() if off},
        place={root: np.array(rows) for root, rows in place.items()},
        attitude={root: np.array(rows) for root, rows in attitude.items()},
        left_out=len(seen.time) - len(kept),
    )


def _posed(
    project: Project, pose: Mapping[str, Placed], values: Mapping[str, tuple[float, ...]]
) -> Project:
    segments = {segment.id for segment in project.segments}
    target = {name: placed for name, placed in pose.items() if name in segments}
    return with_pose(project, carried_on(project, target), values)


# A motion that was followed as drivers of the model: what a run then needs to follow it is its loads.

LEAST = 4
"""Fewest instants through which a motion is drawn smoothly."""


class _Made:
    """Collect functions, drivers and motions, with ids that are free."""

    def __init__(self, project: Project, time: Array) -> None:
        self.project, self.time = project, time
        self.functions: list[Function] = []
        self.drivers: list[Driver] = []
        self.frame_drivers: list[FrameDriver] = []
        self.motions: list[Motion] = []
        self.balls: set[str] = set()
        """Ball joints that are driven."""
        self.led: set[str] = set()
        """Segments that driven joints carry."""

    def free_id(self, list_name: str, wanted: str) -> str:
        made = getattr(self, list_name)
        taken = {one.id for one in (*getattr(self.project, list_name), *made)}
        name, n = wanted, 2
        while name in taken:
            name, n = f"{wanted}_{n}", n + 1
        return name

    def history(self, name: str, unit: Any, values: Iterable[float]) -> History:
        """Make a function of time through values."""
        id_ = self.free_id("functions", name)
        t = tuple(float(v) for v in self.time - self.time[0])
        form = Table(x=t, y=tuple(float(v) for v in values), between="spline")
        self.functions.append(Function(id=id_, x_unit="s", y_unit=unit, form=form))
        return History(function=id_)


def driven(project: Project, followed: Followed) -> Project:
    """The project that starts in the first pose and is led through all of them.

    Joints are driven axis by axis, ball joints by yaw, pitch and roll of their frames, roots by motions.
    Time zero is the first instant. Runs that last longer end with the tracks.
    """
    if len(followed.time) < LEAST:
        raise TrackError(
            "A motion needs {least} instants or more; here are {count}.",
            least=LEAST,
            count=len(followed.time),
        )
    made = _Made(project, followed.time)
    joints = {joint.id: joint for joint in project.joints}
    columns = {(c.of, c.name): n for n, c in enumerate(followed.coordinates) if not c.root}
    for name in dict.fromkeys(c.of for c in followed.coordinates if not c.root):
        _drive(made, followed, joints[name], columns)
    for root in followed.place:
        _move(made, followed, root)
    lasts = float(followed.time[-1] - followed.time[0])
    runs = [
        run.model_copy(update={"duration_s": lasts}) if run.duration_s > lasts else run
        for run in project.runs
    ]
    begun = _at_rest(followed.project, made)
    return begun.model_copy(
        update={
            "functions": (*begun.functions, *made.functions),
            "drivers": (*begun.drivers, *made.drivers),
            "frame_drivers": (*begun.frame_drivers, *made.frame_drivers),
            "motions": (*begun.motions, *made.motions),
            "runs": tuple(runs),
        }
    )


def _at_rest(project: Project, made: _Made) -> Project:
    """Take out rates of the start that motions and drivers give now."""
    moved = {motion.segment for motion in made.motions}
    turned = {driver.joint for driver in made.drivers} | made.balls
    initial = project.initial
    roots = [
        one.model_copy(update={"velocity_m_per_s": ZERO3, "moves_with": GROUND})
        if one.segment in moved
        else one
        for one in initial.roots
    ]
    attitudes = [
        one.model_copy(update={"angular_velocity_rad_per_s": ZERO3})
        if one.segment in moved | made.led
        else one
        for one in initial.attitudes
    ]
    joints = [
        one.model_copy(update={"rates": ()}) if one.joint in turned else one
        for one in initial.joints
    ]
    start = {"roots": tuple(roots), "attitudes": tuple(attitudes), "joints": tuple(joints)}
    return project.model_copy(update={"initial": initial.model_copy(update=start)})


def _drive(
    made: _Made, followed: Followed, joint: Joint, columns: dict[tuple[str, str], int]
) -> None:
    if any(one.joint == joint.id for one in made.project.drivers):
        raise TrackError("Joint '{joint}' is driven already.", joint=joint.id)
    made.led.add(joint.child)
    axes = driven_axes(joint)
    turns = {turning.name for turning in row_of(joint).turns}
    for axis in axes:
        if (joint.id, axis) in columns:
            values = followed.value[:, columns[joint.id, axis]]
            unit = "rad" if axis in turns else "m"
            pulse = made.history(f"{joint.id}_{axis}", unit, values)
            id_ = made.free_id("drivers", f"{joint.id}_{axis}")
            given = {"id": id_, "joint": joint.id, "axis": axis, "pulse": pulse}
            made.drivers.append(Driver(**given))
    if row_of(joint).acts != "ball":
        return
    made.balls.add(joint.id)
    names = [turning.name for turning in row_of(joint).turns]
    if not all((joint.id, name) in columns for name in names):
        raise TrackError(
            "Of ball joint '{joint}' all of yaw, pitch and roll must be free, or none.",
            joint=joint.id,
        )
    angles = np.stack([followed.value[:, columns[joint.id, name]] for name in names], axis=1)
    angles = np.array([angles_from(from_angles(tuple(a), "zyx"), "zyx") for a in angles])
    angles[:, [0, 2]] = np.unwrap(angles[:, [0, 2]], axis=0)
    seen_from = FrameRef(segment=joint.parent, frame=joint.parent_frame)
    moved = FrameRef(segment=joint.child, frame=joint.child_frame)
    for name, values in zip(("yaw", "pitch", "roll"), angles.T, strict=True):
        pulse = made.history(f"{joint.id}_{name}", "rad", values)
        id_ = made.free_id("frame_drivers", f"{joint.id}_{name}")
        made.frame_drivers.append(
            FrameDriver(id=id_, moved=moved, seen_from=seen_from, component=name, pulse=pulse)
        )


def _move(made: _Made, followed: Followed, root: str) -> None:
    """Let a root go as its places and attitudes say, from where it starts."""
    if any(one.segment == root for one in made.project.motions):
        raise TrackError("Segment '{segment}' has a motion already.", segment=root)
    if any(is_free(j) and j.child == root for j in made.project.joints):
        raise TrackError(
            "Segment '{segment}' is attached by a free joint; a motion cannot move it.",
            segment=root,
        )
    p, R = followed.place[root], followed.attitude[root]
    shift = p - p[0]
    angles = np.unwrap([angles_from(one @ R[0].T, "zyx") for one in R], axis=0)
    parts = []
    for name, values in zip("xyz", shift.T, strict=True):
        pulse = made.history(f"{root}_{name}", "m", values)
        parts.append(MotionComponent(component=name, quantity="position", pulse=pulse))
    for name, values in zip(("yaw", "pitch", "roll"), angles.T, strict=True):
        pulse = made.history(f"{root}_{name}", "rad", values)
        parts.append(MotionComponent(component=name, quantity="position", pulse=pulse))
    id_ = made.free_id("motions", f"{root}_motion")
    made.motions.append(Motion(id=id_, segment=root, components=tuple(parts)))
