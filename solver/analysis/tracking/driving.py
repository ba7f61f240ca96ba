"""A motion that was followed as drivers of the model: what a run then needs to follow it is its loads."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from solver.analysis.tracking.following import Followed
from solver.analysis.tracking.tracks import TrackError
from solver.engine.maths.rotation import Array, from_angles
from solver.project.angles import angles_from
from solver.project.document import Project
from solver.project.drivers import Driver, FrameDriver
from solver.project.fields import ZERO3
from solver.project.functions import Function, Table
from solver.project.geometry import FrameRef
from solver.project.joint_table import driven_axes, is_free, row_of
from solver.project.joints import Joint
from solver.project.motions import History, Motion, MotionComponent
from solver.project.segments import GROUND

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
    """Give the project that starts in the first pose and is led through all of them.

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
            "Segment '{segment}' hangs on a free joint; a motion cannot move it.", segment=root
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
