"""Make prescribed motions into profiles of position, by exact integrals."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from solver.dynamics.drive import Drives
from solver.dynamics.tree import Array
from solver.maths import profile
from solver.maths.curve import Curve
from solver.maths.profile import Profile
from solver.maths.rotation import from_angles, quaternion
from solver.model.arrays import reals, wholes
from solver.model.functions import Numbered
from solver.model.refusal import SimulationError
from solver.project.document import Project
from solver.project.motions import (
    ConstantHistory,
    HalfSine,
    Haversine,
    History,
    MotionComponent,
    Pulse,
    Trapezoid,
    Triangle,
)
from solver.project.pose import Placed, moved_at_start

COMPONENTS = ("x", "y", "z", "yaw", "pitch", "roll")
STILL = (0.0, 0.0, 0.0)


def compile_drives(
    project: Project, pose: Mapping[str, Placed], body_of: Mapping[str, int], functions: Numbered
) -> tuple[Drives, tuple[float, ...]]:
    """Give the driven bodies, and the times at which their motions break."""
    bodies: list[int] = []
    numbers: list[range] = []
    profiles: list[Profile] = []
    frames: list[tuple[Array, Array, Array]] = []
    moved = moved_at_start(project)
    for motion in project.motions:
        given = {c.component: c for c in motion.components}
        bodies.append(body_of[motion.segment])
        numbers.append(range(len(profiles), len(profiles) + 6))
        for name in COMPONENTS:
            made = position(given[name], functions) if name in given else profile.constant(0.0)
            refuse_jumps(motion.id, name, made)
            profiles.append(made)
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


def refuse_jumps(motion: str, component: str, made: Profile) -> None:
    """Refuse a motion whose place or speed jumps: no finite force moves a body so."""
    for t, what in profile.jumps(made):
        if t > 0.0:
            raise SimulationError(
                f"The {component} of the motion '{motion}' jumps in {what} at {t:g} s. Give its "
                "velocity without jumps, or its acceleration, instead. Nothing was solved."
            )


def position(component: MotionComponent, functions: Numbered) -> Profile:
    """Give the displacement or angle of a component over time."""
    given = shape(component.pulse, functions)
    if component.quantity == "position":
        return given
    rate = given
    if component.quantity == "acceleration":
        rate = profile.integral(given, component.start_rate)
    return profile.integral(rate, component.start_value)


def shape(pulse: Pulse, functions: Numbered) -> Profile:
    """Give a pulse's own value over time."""
    if isinstance(pulse, ConstantHistory):
        return profile.constant(pulse.value)
    if isinstance(pulse, History):
        return scaled(functions[pulse.function], pulse.scale)
    a, t0, length = pulse.amplitude, pulse.start_s, pulse.duration_s
    if isinstance(pulse, HalfSine):
        return profile.half_sine(a, t0, length)
    if isinstance(pulse, Haversine):
        return profile.haversine(a, t0, length)
    if isinstance(pulse, Triangle):
        return _corners(((0.0, 0.0), (pulse.peak_ratio, a), (1.0, 0.0)), t0, length)
    assert isinstance(pulse, Trapezoid)
    rise, fall = pulse.rise_ratio, 1.0 - pulse.fall_ratio
    return _corners(((0.0, 0.0), (rise, a), (fall, a), (1.0, 0.0)), t0, length)


def scaled(curve: Curve, factor: float) -> Profile:
    """Give a function of time as a profile."""
    return profile.make(
        [(s, [factor * c for c in p], STILL) for s, p in zip(curve.start, curve.poly, strict=True)]
    )


def _corners(points: tuple[tuple[float, float], ...], start: float, length: float) -> Profile:
    """Join corners, given in parts of the length, by straight lines; zero before and after."""
    pieces: list[tuple[float, list[float], tuple[float, float, float]]] = [(start, [0.0], STILL)]
    for (x0, y0), (x1, y1) in pairwise(points):
        if x1 > x0:
            slope = (y1 - y0) / ((x1 - x0) * length)
            pieces.append((start + x0 * length, [y0, slope], STILL))
    return profile.make([*pieces, (start + length, [0.0], STILL)])
