"""The neck in its mid plane: the same equations as the engine's, of eight bones with three freedoms each, for the many runs of a fit.

What stands on both sides counts twice, and keeps its distance from the plane. Steps are of one length (Runge and Kutta's fourth order);
`tests/bodies/test_necks.py` holds it against the engine.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numba
import numpy as np
from scipy.interpolate import CubicSpline

from solver.engine.maths.rotation import Array
from solver.project.document import Project
from tools.necks.bones import BONES
from tools.necks.muscles import segment

NAMES = [segment(bone) for bone in BONES]
STEP_S, FROM_S = 1.25e-4, 0.04
"""Length of a step; what moves T1 before the beginning is nothing yet."""
LEAST_INERTIA = 6e-4
"""Of a vertebra (kg m2), so that steps may be longer: heads move as they do without by 10 % of their peaks or less."""
GRID = 400
GRAVITY = 9.80665
WIDTH, STEEP, BENT, MOST = 0.45, 5.0, 0.25, 1.4
"""Shapes of Hill's muscle, as in `solver.engine.forces.coordinates.actuators`."""
SLOWER = (MOST - 1.0) * BENT / (1.0 + BENT)


class Plane(NamedTuple):
    """A neck as arrays: bodies, bushings, springs, muscles, laws about y."""

    mass: Array
    inertia: Array
    start: Array
    pair: Array
    frames: Array
    stiff: Array
    spring_body: Array
    spring_at: Array
    spring_law: Array
    spring_far: Array
    path_from: Array
    path_body: Array
    path_at: Array
    muscle: Array
    active: Array
    turn_pair: Array
    turn_zero: Array
    turn_law: Array


def table_of(project: Project, name: str) -> tuple[Array, Array]:
    """The points of a function."""
    form: Any = next(one.form for one in project.functions if one.id == name)
    return np.array(form.x), np.array(form.y)


def _sides(items: Any) -> Iterator[tuple[Any, float]]:
    for one in items:
        if not one.id.endswith("_left"):
            yield one, 2.0 if one.id.endswith("_right") else 1.0


@numba.njit(cache=True)
def activation(resting, asked, delay, rise, fall, step, steps):  # type: ignore[no-untyped-def]  # pragma: no cover
    """The activation of a muscle at each half step."""
    out, a = np.empty(steps), resting
    for n in range(steps):
        out[n] = a
        if FROM_S + step * n >= delay:
            pace = 0.5 + 1.5 * a
            a += step * ((asked - a) / (rise * pace) if asked > a else (asked - a) * pace / fall)
    return out


def compiled(neck: Project, until: float) -> Plane:
    """Make arrays of a neck (`tools.necks.build.piece`)."""
    number = {name: n for n, name in enumerate(NAMES)}
    steps = 2 * round((until - FROM_S) / STEP_S) + 3
    mass, inertia, start = np.ones(9), np.ones(9), np.zeros((9, 3))
    for one in neck.segments:
        mass[number[one.id]] = one.mass_kg
        inertia[number[one.id]] = max(one.inertia_kgm2[1], LEAST_INERTIA)
    for root in neck.initial.roots:
        start[number[root.segment], :2] = root.position_m[0], root.position_m[2]
    for turn in neck.initial.attitudes:
        start[number[turn.segment], 2] = turn.orientation.angles_rad[1]

    pair, frames, stiff = [], [], []
    for disc in neck.springs:
        if disc.kind == "disc":
            h, bends = disc.height_m, disc.elastic_pa * disc.moment_y_m4
            shear = disc.shear_pa * disc.area_m2 / disc.shear_factor_x
            kx = 12.0 * bends / (h**3 * (1.0 + 12.0 * bends / (shear * h * h)))
            kz, turns = disc.area_m2 * (disc.axial_pa or disc.elastic_pa) / h, bends / h
            drags = (0.0, disc.area_m2 * disc.axial_damping_pas / h, disc.damping_nms_per_rad[1])
        elif disc.kind == "bushing":
            h, kx, kz, turns = (
                0.0,
                disc.stiffness_n_per_m[0],
                disc.stiffness_n_per_m[2],
                disc.stiffness_nm_per_rad[1],
            )
            drags = (disc.damping_ns_per_m[0], disc.damping_ns_per_m[2], disc.damping_nms_per_rad[1])  # fmt: skip
        else:
            continue
        pair.append([number[disc.a.segment], number[disc.b.segment]])
        row = []
        for ref, way in ((disc.a, 0.5 * h), (disc.b, -0.5 * h)):
            angle, (x, _, z) = ref.frame.orientation.angles_rad[1], ref.frame.position_m
            # axis z of the frame points up
            row += [x - way * math.sin(angle), z - way * math.cos(angle), angle]
        frames.append(row)
        stiff.append([kx, kz, turns, *drags])

    def places(end: Any) -> list[float]:
        return [end.position_m[0], end.position_m[1], end.position_m[2]]

    body, at, laws, far = [], [], [], []
    for one, count in _sides(s for s in neck.springs if s.kind == "tabulated"):
        body.append([number[one.a.segment], number[one.b.segment]])
        at.append([*places(one.a), *places(one.b)])
        ways, pulls = table_of(neck, one.force)
        far.append([ways[-1], count, -1.0 if one.rest_length_m is None else one.rest_length_m])
        laws.append(np.interp(np.linspace(0.0, ways[-1], GRID), ways, pulls))

    first, bodies, points, muscle, active = [0], [], [], [], []
    turn_pair, turn_zero, turn_law = [], [], []
    for force, count in _sides(neck.coordinate_forces):
        way, law = force.coordinate, force.laws[0]
        if law.kind == "hill":
            for end in (way.a, *way.via, way.b):
                bodies.append(number[end.segment])
                points.append(places(end))
            first.append(len(bodies))
            muscle.append([law.strength, law.fibre, law.speed_per_s, law.passive_strain, count])
            before = law.resting if law.delay_s > 0.0 else law.activation
            active.append(
                activation(
                    before, law.activation, law.delay_s, law.rise_s, law.fall_s, STEP_S / 2.0, steps
                )
            )
        elif way.kind == "angle" and way.axis == "y":
            turn_pair.append([number[way.a.segment], number[way.b.segment]])
            turn_zero.append([e.frame.orientation.angles_rad[1] for e in (way.a, way.b)])
            turn_law.append(_about_y(neck, law))
    lists = (pair, frames, stiff, body, at, laws, far, first, bodies, points, muscle, active)
    arrays = [np.array(one) for one in (*lists, turn_pair, turn_zero, turn_law)]
    return Plane(mass, inertia, start, *arrays)


def _about_y(neck: Project, law: Any) -> Array:
    """What a law resists about y, by angles from -1 to 1 rad."""
    x = np.linspace(-1.0, 1.0, 2 * GRID + 1)
    above = table_of(neck, law.above)
    below = above if law.below is None else table_of(neck, law.below)
    low, high = (law.lower, law.upper) if law.kind == "stop" else (law.at, law.at)
    up = np.where(x > high, np.interp(x - high, *above), 0.0)
    return np.asarray(up - np.where(x < low, np.interp(low - x, *below), 0.0))


@numba.njit(cache=True)
def _muscle_pull(m, stretch, rate, active):  # type: ignore[no-untyped-def]  # pragma: no cover
    """The pull of a muscle by the change of its length."""
    off = stretch / m[1]
    if off <= -1.0:
        return 0.0
    speed = rate / (m[1] * m[2])
    if speed <= -1.0:
        by = 0.0
    elif speed < 0.0:
        by = (1.0 + speed) / (1.0 - speed / BENT)
    else:
        by = (MOST * speed + SLOWER) / (speed + SLOWER)
    pull = m[0] * active * math.exp(-off * off / WIDTH) * by
    if off > 0.0:
        pull += m[0] * math.expm1(STEEP * off / m[3]) / math.expm1(STEEP)
    return pull


@numba.njit(cache=True)
def rates(p, far0, far, y, active, base, out):  # type: ignore[no-untyped-def]  # pragma: no cover
    """Accelerations of all bones; `base` is the acceleration of T1, in whose origin all is seen."""
    force = np.zeros((9, 3))
    s, c = np.sin(y[:, 2]), np.cos(y[:, 2])
    for n in range(len(p.pair)):
        i, j = p.pair[n, 0], p.pair[n, 1]
        f, k = p.frames[n], p.stiff[n]
        jx, jz = c[j] * f[3] + s[j] * f[4], -s[j] * f[3] + c[j] * f[4]
        dx = y[j, 0] + jx - y[i, 0] - c[i] * f[0] - s[i] * f[1]
        dz = y[j, 1] + jz - y[i, 1] + s[i] * f[0] - c[i] * f[1]
        ix, iz = y[j, 0] + jx - y[i, 0], y[j, 1] + jz - y[i, 1]
        vx = y[j, 3] + y[j, 5] * jz - y[i, 3] - y[i, 5] * iz
        vz = y[j, 4] - y[j, 5] * jx - y[i, 4] + y[i, 5] * ix
        a = y[i, 2] + f[2]
        ca, sa = math.cos(a), math.sin(a)
        along = -k[0] * (ca * dx - sa * dz) - k[3] * (ca * vx - sa * vz)
        up = -k[1] * (sa * dx + ca * dz) - k[4] * (sa * vx + ca * vz)
        fx, fz = ca * along + sa * up, -sa * along + ca * up
        turn = -k[2] * (y[j, 2] + f[5] - a) - k[5] * (y[j, 5] - y[i, 5])
        force[j, 0] += fx
        force[j, 1] += fz
        force[j, 2] += jz * fx - jx * fz + turn
        force[i, 0] -= fx
        force[i, 1] -= fz
        force[i, 2] -= iz * fx - ix * fz + turn
    for n in range(len(p.turn_pair)):
        i, j = p.turn_pair[n, 0], p.turn_pair[n, 1]
        angle = y[j, 2] + p.turn_zero[n, 1] - y[i, 2] - p.turn_zero[n, 0]
        at = min(max((angle + 1.0) * GRID, 0.0), 2.0 * GRID - 1e-9)
        k = int(at)
        moment = p.turn_law[n, k] + (at - k) * (p.turn_law[n, k + 1] - p.turn_law[n, k])
        force[j, 2] -= moment
        force[i, 2] += moment
    for n in range(len(p.spring_body)):
        _line(
            p.spring_body[n, 0],
            p.spring_body[n, 1],
            p.spring_at[n, :3],
            p.spring_at[n, 3:],
            y,
            s,
            c,
            out,
        )
        stretch = out[0] - far0[n]
        if stretch > 0.0:
            at = min(stretch / p.spring_far[n, 0] * (GRID - 1), GRID - 1.000001)
            k = int(at)
            pull = p.spring_law[n, k] + (at - k) * (p.spring_law[n, k + 1] - p.spring_law[n, k])
            _pull(p.spring_body[n, 0], p.spring_body[n, 1], p.spring_far[n, 1] * pull, out, force)
    for n in range(len(p.muscle)):
        long = rate = 0.0
        for q in range(p.path_from[n], p.path_from[n + 1] - 1):
            _line(p.path_body[q], p.path_body[q + 1], p.path_at[q], p.path_at[q + 1], y, s, c, out)
            long, rate = long + out[0], rate + out[7]
        pull = p.muscle[n, 4] * _muscle_pull(p.muscle[n], long - far[n], rate, active[n])
        straight = p.path_from[n + 1] - p.path_from[n] == 2
        for q in range(p.path_from[n], p.path_from[n + 1] - 1):
            i, j = p.path_body[q], p.path_body[q + 1]
            if i != j:
                if not straight:
                    _line(i, j, p.path_at[q], p.path_at[q + 1], y, s, c, out)
                _pull(i, j, pull, out, force)
    acc = np.zeros((9, 3))
    for j in range(1, 9):
        acc[j, 0] = force[j, 0] / p.mass[j] - base
        acc[j, 1] = force[j, 1] / p.mass[j] + GRAVITY
        acc[j, 2] = force[j, 2] / p.inertia[j]
    return acc


@numba.njit(cache=True)
def _line(i, j, a, b, y, s, c, out):  # type: ignore[no-untyped-def]  # pragma: no cover
    """Length of a line, its direction in the plane, arms, and the rate of its length."""
    ax, az = c[i] * a[0] + s[i] * a[2], -s[i] * a[0] + c[i] * a[2]
    bx, bz = c[j] * b[0] + s[j] * b[2], -s[j] * b[0] + c[j] * b[2]
    dx, dz, dy = y[j, 0] + bx - y[i, 0] - ax, y[j, 1] + bz - y[i, 1] - az, b[1] - a[1]
    far = math.sqrt(dx * dx + dz * dz + dy * dy)
    out[0], out[1], out[2] = far, dx / far, dz / far
    out[3], out[4], out[5], out[6] = ax, az, bx, bz
    vx = y[j, 3] + y[j, 5] * bz - y[i, 3] - y[i, 5] * az
    vz = y[j, 4] - y[j, 5] * bx - y[i, 4] + y[i, 5] * ax
    out[7] = (dx * vx + dz * vz) / far


@numba.njit(cache=True)
def _pull(i, j, pull, out, force):  # type: ignore[no-untyped-def]  # pragma: no cover
    """Pull both ends of a line together."""
    fx, fz = pull * out[1], pull * out[2]
    force[i, 0] += fx
    force[i, 1] += fz
    force[i, 2] += out[4] * fx - out[3] * fz
    force[j, 0] -= fx
    force[j, 1] -= fz
    force[j, 2] -= out[6] * fx - out[5] * fz


@numba.njit(cache=True)
def lengths(p):  # type: ignore[no-untyped-def]  # pragma: no cover
    """Lengths at which springs are slack, and of muscles, where all stands at the start."""
    out = np.zeros(9)
    y, s, c = np.zeros((9, 6)), np.sin(p.start[:, 2]), np.cos(p.start[:, 2])
    y[:, :3] = p.start
    slack, far = p.spring_far[:, 2].copy(), np.zeros(len(p.muscle))
    for n in range(len(slack)):
        i, j, at = p.spring_body[n, 0], p.spring_body[n, 1], p.spring_at[n]
        _line(i, j, at[:3], at[3:], y, s, c, out)
        if slack[n] < 0.0:
            slack[n] = out[0]
    for n in range(len(far)):
        for q in range(p.path_from[n], p.path_from[n + 1] - 1):
            _line(p.path_body[q], p.path_body[q + 1], p.path_at[q], p.path_at[q + 1], y, s, c, out)
            far[n] += out[0]
    return slack, far


@numba.njit(cache=True)
def _solve(p, active, base, pitch, spin, step):  # type: ignore[no-untyped-def]  # pragma: no cover
    """States and accelerations of the head at each step; T1 is given at each half of one."""
    out, y = np.zeros(9), np.zeros((9, 6))
    y[:, :3] = p.start
    far0, far = lengths(p)
    steps = (len(base) - 1) // 2
    found, angles = np.zeros((steps, 9)), np.zeros((steps, 8))
    for m in range(steps):
        total, k, at = np.zeros((9, 6)), np.zeros((9, 6)), y.copy()
        for stage in range(4):
            h = 2 * m + (0, 1, 1, 2)[stage]
            if stage:
                part = step if stage == 3 else 0.5 * step
                at = y + part * k
            at[0, :] = 0.0
            at[0, 2], at[0, 5] = pitch[h], spin[h]
            acc = rates(p, far0, far, at, active[:, h], base[h], out)
            k[:, :3], k[:, 3:] = at[:, 3:], acc
            if stage == 0:
                found[m, :6], found[m, 6:] = at[8], acc[8]
                found[m, 6] += base[h]
                for j in range(8):
                    angles[m, j] = at[j + 1, 2] - at[j, 2]
            total += k * ((1.0, 2.0, 2.0, 1.0)[stage] / 6.0)
        y = y + step * total
        if not np.isfinite(y[8, 0]):
            found[:] = np.nan
            break
    return found, angles


def head(neck: Project, subject: Any, until: float) -> tuple[Array, Array, Array]:
    """Times; place and turn of the head (x, z, pitch), rates, absolute accelerations; turns of all bones on those below; on a subject's T1."""
    plane = compiled(neck, until)
    half = np.asarray(
        FROM_S + STEP_S / 2.0 * np.arange(2 * round((until - FROM_S) / STEP_S) + 3), np.float64
    )
    pitch = CubicSpline(subject.time[::5], subject.pitch[::5], bc_type="clamped")
    base = np.interp(half, subject.time, subject.t1)
    found, angles = _solve(plane, plane.active, base, pitch(half), pitch(half, 1), STEP_S)
    return np.asarray(half[::2][: len(found)]), found, angles
