"""Make prescribed motions into profiles of position, by exact integrals."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence

import numpy as np

from solver.engine.dynamics.drive import Drives
from solver.engine.dynamics.tree import DRIVEN, Array, IntArray
from solver.engine.forces.drivers import BEFORE, DRIVER_COLUMNS, DURING, LEFT_FREE, STANDS, Drivers
from solver.engine.forces.loads import (
    NOT_YET,
    OUTLINE,
    WHOLE,
    WIND_PRESSURE,
    WIND_SPEED,
    Loads,
    Winds,
    make_workspace,
)
from solver.engine.maths import profile
from solver.engine.maths.curve import NONE
from solver.engine.maths.profile import Profile
from solver.engine.maths.rotation import from_angles, quaternion
from solver.model.arrays import reals, wholes
from solver.model.functions import Numbered, stops
from solver.model.joints import Numbers
from solver.model.surfaces import SurfaceNumbers
from solver.model.tree import Trees, frame_on, point_on
from solver.project.belts import Trigger
from solver.project.document import Project
from solver.project.histories import FOREVER, position, scaled
from solver.project.joint_table import driven_axes, row_of
from solver.project.motions import Driver, DriverBase, FrameDriver
from solver.project.pose import Placed, component_of, moved_at_start, value_at_start
from solver.project.segments import GROUND

COMPONENTS = ("x", "y", "z", "yaw", "pitch", "roll")


def compile_drives(
    project: Project, pose: Mapping[str, Placed], trees: Trees, functions: Numbered
) -> tuple[Drives, tuple[float, ...]]:
    """Which bodies are driven, and the times at which their motion breaks."""
    bodies: list[int] = []
    numbers: list[range] = []
    profiles: list[Profile] = []
    frames: list[tuple[Array, Array, Array]] = []
    moved = moved_at_start(project)
    for motion in project.motions:
        given = {c.component: c for c in motion.components}
        bodies.append(trees.body_of[motion.segment])
        numbers.append(range(len(profiles), len(profiles) + 6))
        for name in COMPONENTS:
            profiles.append(
                position(given[name], functions) if name in given else profile.constant(0.0)
            )
        placed = moved[motion.segment].back(pose[motion.segment])
        R_WM = from_angles(motion.axes.angles_rad, motion.axes.order)
        frames.append((placed.p_W, R_WM, R_WM.T @ placed.R_WS))
    drives = Drives(
        body=wholes(bodies),
        profile=wholes(numbers, 6),
        origin=reals((f[0] for f in frames), 3),
        R_WM=reals((f[1] for f in frames), 9),
        q_WM=reals((quaternion(f[1]) for f in frames), 4),
        q_MB=reals((quaternion(f[2]) for f in frames), 4),
        R_MB=reals((f[2] for f in frames), 9),
        profiles=profile.joined(profiles),
    )
    return drives, tuple(t for p in profiles for t in p.start[1:])


# Make drivers into arrays.

RESTS = {"free": LEFT_FREE, "held": STANDS}


def drivers_of(project: Project) -> list[Driver | FrameDriver]:
    """All drivers, in the order of their arrays."""
    return [*project.drivers, *project.frame_drivers]


def axis_body(project: Project, trees: Trees, joint: str, axis: str) -> int:
    """The body of one axis of a joint, in its chain."""
    found = next(one for one in project.joints if one.id == joint)
    return trees.joints[joint].bodies[driven_axes(found).index(axis)]


def triggers_of_drivers(project: Project) -> list[tuple[str, Trigger]]:
    """The triggers of drivers whose time is known only in the run, with the paths of these."""
    made = [
        (list_, one) for list_ in ("drivers", "frame_drivers") for one in getattr(project, list_)
    ]
    return [(f"{list_}/{one.id}", one.trigger) for list_, one in made if one.zero_s is None]


def compile_drivers(
    project: Project, pose: Mapping[str, Placed], trees: Trees, functions: Numbered, numbers: Numbers,
    trigger: int,
) -> tuple[Drivers, list[float]]:  # fmt: skip
    """All drivers, and the times at which steps end for them; and mark the axes that are driven.

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
    """When a driver begins, ends, and bends in between, where that is known ahead."""
    if one.zero_s is None:
        return []
    until = FOREVER if one.until_s is None else one.until_s
    inner = [float(t) for t in made.start[1:] if one.from_s < t < until]
    return [one.zero_s + t for t in (one.from_s, *inner, until) if t < FOREVER]


def rows_of_drivers(drivers: Drivers) -> int:
    """Count the rows that drivers of frames can have at once."""
    return int(np.sum(drivers.axis < 0))


# Make prescribed loads into arrays.


def axes_body(trees: Trees, segment: str, axes: str) -> int:
    """The body in whose axes a load on a segment is given."""
    name = segment if axes == "segment" else axes
    return NONE if name == GROUND else trees.body_of[name]


def compile_loads(
    project: Project, trees: Trees, functions: Numbered
) -> tuple[Loads, tuple[float, ...]]:
    """All loads, and the times at which they break."""
    rows = project.loads
    points = [point_on(trees, load.segment, load.point_m) for load in rows]
    histories = [scaled(functions[load.history], 1.0) for load in rows]
    directions = reals((load.direction for load in rows), 3)
    loads = Loads(
        body=wholes(body for body, _ in points),
        turns=wholes(load.kind == "torque" for load in rows),
        axes=wholes(axes_body(trees, load.segment, load.axes) for load in rows),
        point=reals((at for _, at in points), 3),
        direction=directions / np.linalg.norm(directions, axis=1, keepdims=True),
        history=profile.joined(histories),
        seen=np.zeros((len(rows), 4)),
    )
    return loads, tuple(t for h in histories for t in h.start[1:])


# Make winds into arrays.

KINDS = {"pressure": WIND_PRESSURE, "speed": WIND_SPEED}
METHODS = {"whole": WHOLE, "outline": OUTLINE}


def compile_winds(
    project: Project, trees: Trees, numbers: SurfaceNumbers, functions: Numbered
) -> Winds:
    """The targets of all winds."""
    planes = {plane.id: k for k, plane in enumerate(project.planes)}
    rows = [(n, wind, target) for n, wind in enumerate(project.winds) for target in wind.targets]
    shield = [[numbers.number(ref) for ref in target.shields] for _, _, target in rows]
    ends = np.cumsum([0, *(len(s) for s in shield)])
    curves = [
        [functions.number(c) for c in (w.pressure_x, w.pressure_y, w.pressure_z, w.drag)]
        for _, w, _ in rows
    ]
    turn, other, sums = make_workspace()
    return Winds(
        surface=wholes(numbers.number(target.surface) for _, _, target in rows),
        plane=wholes(-1 if w.plane is None else planes[w.plane] for _, w, _ in rows),
        axes=wholes(
            -1 if w.relative_to == GROUND else trees.body_of[w.relative_to] for _, w, _ in rows
        ),
        kind=wholes(KINDS[w.kind] for _, w, _ in rows),
        method=wholes(METHODS[target.method] for _, _, target in rows),
        curve=wholes(curves, 4),
        air=reals(((*w.air_velocity_m_per_s, w.air_density_kg_per_m3) for _, w, _ in rows), 4),
        shields=wholes(itertools.pairwise(ends), 2),
        shield=wholes(s for row in shield for s in row),
        wind=wholes(n for n, _, _ in rows),
        began=np.full(len(rows), NOT_YET),
        seen=np.zeros((len(project.winds), 3)),
        turn=turn,
        other=other,
        sums=sums,
    )


def wind_stops(project: Project, functions: Numbered) -> list[float]:
    """The times at which winds want steps to end: of those whose clock is that of the run."""
    winds = [w for w in project.winds if w.plane is None]
    named = {c for w in winds for c in (w.pressure_x, w.pressure_y, w.pressure_z, w.drag)}
    return [t for name in named if isinstance(name, str) for t in stops(functions[name])]
