"""Make drivers into arrays."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from solver.engine.dynamics.tree import DRIVEN, Array, IntArray
from solver.engine.forces.drivers import BEFORE, DRIVER_COLUMNS, DURING, LEFT_FREE, STANDS, Drivers
from solver.engine.maths import profile
from solver.engine.maths.curve import NONE
from solver.model.arrays import reals, wholes
from solver.model.functions import Numbered
from solver.model.joints import Numbers
from solver.model.points import frame_on
from solver.model.tree import Trees
from solver.project.belts import Trigger
from solver.project.document import Project
from solver.project.drivers import Driver, DriverBase, FrameDriver
from solver.project.histories import FOREVER, position
from solver.project.joint_table import driven_axes, row_of
from solver.project.pose import Placed, component_of, value_at_start

RESTS = {"free": LEFT_FREE, "held": STANDS}
COMPONENTS = ("x", "y", "z", "yaw", "pitch", "roll")


def drivers_of(project: Project) -> list[Driver | FrameDriver]:
    """Give all drivers, in the order of their arrays."""
    return [*project.drivers, *project.frame_drivers]


def axis_body(project: Project, trees: Trees, joint: str, axis: str) -> int:
    """Give the body of one axis of a joint, in its chain."""
    found = next(one for one in project.joints if one.id == joint)
    return trees.joints[joint].bodies[driven_axes(found).index(axis)]


def triggers_of_drivers(project: Project) -> list[tuple[str, Trigger]]:
    """Give the triggers of drivers whose time is known only in the run, with the paths of these."""
    made = [
        (list_, one) for list_ in ("drivers", "frame_drivers") for one in getattr(project, list_)
    ]
    return [(f"{list_}/{one.id}", one.trigger) for list_, one in made if one.zero_s is None]


def compile_drivers(
    project: Project, pose: Mapping[str, Placed], trees: Trees, functions: Numbered, numbers: Numbers,
    trigger: int,
) -> tuple[Drivers, list[float]]:  # fmt: skip
    """Give all drivers, and the times at which steps end for them; and mark the axes that are driven.

    `trigger` is the number of the first of their triggers.
    """
    rows, joints = drivers_of(project), {joint.id: joint for joint in project.joints}
    ends: list[float] = []
    triggers: list[int] = []
    axes, eulers, turns, profiles, offsets = [], [], [], [], []
    frames = [
        (frame_on(trees, one.seen_from), frame_on(trees, one.moved))
        for one in project.frame_drivers
    ]
    nowhere = (NONE, np.zeros(3), np.eye(3))
    frames = [(nowhere, nowhere)] * len(project.drivers) + frames
    for one in rows:
        if isinstance(one, Driver):
            joint = joints[one.joint]
            body = axis_body(project, trees, one.joint, one.axis)
            is_euler = row_of(joint).acts == "euler"
            axes.append(body)
            eulers.append(numbers["euler", one.joint] if is_euler else NONE)
            turns.append(driven_axes(joint).index(one.axis) if is_euler else NONE)
            here = float(trees.q[trees.tree.at_q[body]])
        else:
            for found in (axes, eulers, turns):
                found.append(NONE)
            here = component_of(pose, one)
        made = position(one, functions, here)
        profiles.append(made)
        offsets.append(0.0 if one.begins_at_once else here)
        triggers.append(NONE if one.zero_s is not None else trigger)
        trigger += one.zero_s is None
        ends += _breaks(one, made)
    count, mates = len(rows), _mates(rows)
    drivers = Drivers(
        axis=wholes(axes),
        a=wholes(a[0] for a, _ in frames),
        b=wholes(b[0] for _, b in frames),
        at_a=reals((a[1] for a, _ in frames), 3),
        at_b=reals((b[1] for _, b in frames), 3),
        R_a=reals((a[2].ravel() for a, _ in frames), 9),
        R_b=reals((b[2].ravel() for _, b in frames), 9),
        component=wholes(
            COMPONENTS.index(one.component) if isinstance(one, FrameDriver) else NONE
            for one in rows
        ),
        profile=wholes(range(count)),
        trigger=wholes(triggers),
        zero=reals(one.zero_s or 0.0 for one in rows),
        begins=reals(one.from_s for one in rows),
        ends=reals(FOREVER if one.until_s is None else one.until_s for one in rows),
        rests=wholes(((RESTS[one.before], RESTS[one.after]) for one in rows), 2),
        places=wholes(one.quantity == "position" for one in rows),
        phase=wholes(DURING if one.begins_at_once else BEFORE for one in rows),
        offset=reals(offsets),
        euler=wholes(eulers),
        turn=wholes(turns),
        first=np.full(count, NONE, np.int64),
        seen=np.zeros((count, DRIVER_COLUMNS)),
        way=np.zeros((count, 2)),
        last=np.zeros((count, 2)),
        mates=mates,
        part=np.zeros((count, 3)),
        fold=_folds(project, rows, mates),
        profiles=profile.joined(profiles),
    )
    for body, one in zip(axes, rows, strict=True):
        if body != NONE and (one.begins_at_once or one.before == "held"):
            trees.locked[body] = DRIVEN
    return drivers, ends


def _mates(rows: Sequence[DriverBase]) -> IntArray:
    """Give, for each driver of an angle, those of yaw, pitch and roll of the same frames."""
    found = {
        (one.moved, one.seen_from, one.component): n
        for n, one in enumerate(rows)
        if isinstance(one, FrameDriver)
    }
    return wholes(
        (
            [found.get((one.moved, one.seen_from, name), NONE) for name in ("yaw", "pitch", "roll")]
            if isinstance(one, FrameDriver) and one.turns
            else [NONE] * 3
            for one in rows
        ),
        3,
    )


def _folds(project: Project, rows: Sequence[DriverBase], mates: IntArray) -> Array:
    """Give half a turn for each yaw and roll beside a pitch that starts beyond 90 degrees: they are told within."""
    functions = {one.id: one for one in project.functions}

    def is_beyond(n: int) -> bool:
        one = rows[n]
        acts = one.begins_at_once or one.before == "held"
        return acts and one.gives_start and math.cos(value_at_start(one, functions)) < 0.0

    return np.array(
        [
            math.pi if mate[1] not in (NONE, n) and is_beyond(mate[1]) else 0.0
            for n, mate in enumerate(mates)
        ]
    )


def _breaks(one: DriverBase, made: profile.Profile) -> list[float]:
    """Give when a driver begins, ends, and bends in between, where that is known ahead."""
    if one.zero_s is None:
        return []
    until = FOREVER if one.until_s is None else one.until_s
    inner = [float(t) for t in made.start[1:] if one.from_s < t < until]
    return [one.zero_s + t for t in (one.from_s, *inner, until) if t < FOREVER]


def rows_of_drivers(drivers: Drivers) -> int:
    """Count the rows that drivers of frames can have at once."""
    return int(np.sum(drivers.axis < 0))
