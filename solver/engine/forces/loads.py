"""Loads from outside: forces and torques by time, and wind on surfaces.

The wind is a pressure along a direction; the area that it meets is that of the surface's outline.
`whole` takes the part of it behind the plane from the outline's support (section 4 of the later
program); `outline` sums over rays, and so knows what stands before the surface. A ray counts in full
once it is clear of edges and shields by a ray's width and less on the way there, so that the force
does not jump.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from solver.engine.dynamics.tree import Applied, Array, IntArray, Motion
from solver.engine.forces.points import arm_of, point_of, push
from solver.engine.forces.state import Moment
from solver.engine.forces.surfaces import Planes, Surfaces, turn_of
from solver.engine.jit.kernels import inner, kernel, separate, struct
from solver.engine.maths.curve import Curves, curve_at
from solver.engine.maths.profile import Profiles, profile_at
from solver.engine.maths.spatial import (
    NOUGHT,
    Three,
    add3,
    added,
    cross,
    dot,
    each,
    each_over,
    length,
    less,
    mat_on,
    over,
    plus,
    plus_dot,
    read,
    read3,
    read9,
    read_spatial,
    scaled,
    transpose_on,
    write,
    write3,
)

# Prescribed forces and torques by time.


@struct
class Loads(NamedTuple):
    """Hold loads: `turns` marks torques, `axes` is the body in whose axes a direction stands, -1 for ground.

    Of the first ones, a row each in `seen`, force or torque (ground axes) and power are written down.
    """

    body: IntArray
    turns: IntArray
    axes: IntArray
    point: Array
    direction: Array
    history: Profiles
    seen: Array


@separate
@kernel
def load_forces(loads: Loads, moment: Moment, motion: Motion, applied: Applied) -> float:
    """Add all loads and return their power."""
    power = 0.0
    for k in range(len(loads.body)):
        i = loads.body[k]
        size, _, _ = profile_at(loads.history, k, moment.t, moment.within)
        load = scaled(size, arm_of(motion, loads.axes[k], loads.direction, k))
        if loads.turns[k]:
            add3(applied.torque, i, load)
            given = dot(load, read3(motion.w, i))
        else:
            arm = arm_of(motion, i, loads.point, k)
            push(applied.torque, applied.force, i, arm, load)
            given = dot(load, point_of(motion, i, arm)[1])
        power += given
        if k < len(loads.seen):
            write3(loads.seen, k, load)
            loads.seen[k, 3] = given
    return power


# Wind on surfaces, where they reach behind a plane, shielded by others (the later program's cards).

RINGS, SPOKES = 10, 30
"""Rays over an outline: rings of equal area, and rays in each."""

WIND_PRESSURE, WIND_SPEED = range(2)
WHOLE, OUTLINE = range(2)

NOT_YET = -1.0
"""Beginning of a target's clock before it has met the plane."""


@struct
class Winds(NamedTuple):
    """Hold targets: surface, plane (-1 everywhere), body of the axes, kind, method, and their wind.

    `curve` holds pressures along three axes and drag, `air` the air's velocity and density. `shield`
    lists surfaces, of which `shields` gives first and end for each target. `began` is the time at
    which a target met the plane; `seen` the force of each wind, `wind` which one a target is in.
    """

    surface: IntArray
    plane: IntArray
    axes: IntArray
    kind: IntArray
    method: IntArray
    curve: IntArray
    air: Array
    shields: IntArray
    shield: IntArray
    wind: IntArray
    began: Array
    seen: Array
    turn: Array
    other: Array
    sums: Array


def make_workspace() -> tuple[Array, Array, Array]:
    """Make room for two turns and for sums."""
    return np.zeros(9), np.zeros(9), np.zeros(8)


@inner
def _pressure(
    winds: Winds, surfaces: Surfaces, curves: Curves, motion: Motion, k: int, age: float
) -> Three:
    """The wind's pressure, ground axes."""
    drag = curve_at(curves, winds.curve[k, 3], age)[0]
    air = (winds.air[k, 0], winds.air[k, 1], winds.air[k, 2])
    if winds.kind[k] == WIND_PRESSURE:
        x = curve_at(curves, winds.curve[k, 0], age)[0]
        y = curve_at(curves, winds.curve[k, 1], age)[0]
        air = scaled(drag, (x, y, curve_at(curves, winds.curve[k, 2], age)[0]))
    i, s = winds.axes[k], winds.surface[k]
    if i >= 0:
        air = mat_on(read9(motion.R, i), air)
    if winds.kind[k] == WIND_PRESSURE:
        return air
    m = surfaces.body[s]
    if m >= 0:
        arm = less(read3(surfaces.centre, s), read3(motion.p, m))
        air = less(air, point_of(motion, m, arm)[1])
    return scaled(0.5 * winds.air[k, 3] * drag * length(air), air)


@separate
@kernel
def wind_forces(
    winds: Winds, surfaces: Surfaces, planes: Planes, curves: Curves, motion: Motion, t: float,
    applied: Applied, g: Array,
) -> float:  # fmt: skip
    """Add the forces of all winds, give the functions of their events, and their power."""
    power = 0.0
    for w in range(winds.seen.shape[0]):
        write3(winds.seen, w, NOUGHT)
    for k in range(len(winds.surface)):
        s, b = winds.surface[k], winds.plane[k]
        turn_of(motion, surfaces.body[s], surfaces.R, s, winds.turn)
        height, reach = 0.0, 0.0
        g[k] = -1.0
        age = t
        if b >= 0:
            height, reach = _over_plane(winds, surfaces, planes, s, b)
            if winds.began[k] == NOT_YET:
                g[k] = reach - height - 1e-12
            if height >= reach or winds.began[k] == NOT_YET:
                continue
            age = t - winds.began[k]
        pressure = _pressure(winds, surfaces, curves, motion, k, age)
        size = length(pressure)
        if size == 0.0:
            continue
        _catch(winds, surfaces, planes, motion, k, over(pressure, size), height, reach)
        area = winds.sums[0]
        if area <= 0.0:
            continue
        # the place at which the whole acts, from the surface's centre
        place = over(read(winds.sums, 1), area)
        load, m = scaled(area, pressure), surfaces.body[s]
        add3(winds.seen, winds.wind[k], load)
        if m >= 0:
            arm = less(added(read3(surfaces.centre, s), place), read3(motion.p, m))
            push(applied.torque, applied.force, m, arm, load)
            power = plus_dot(power, load, point_of(motion, m, arm)[1])
    return power


@inner
def _over_plane(
    winds: Winds, surfaces: Surfaces, planes: Planes, s: int, b: int
) -> tuple[float, float]:
    """The height of a surface's centre over a plane, and its support towards it."""
    place, normal = read_spatial(planes.now, b)
    height = dot(normal, less(read3(surfaces.centre, s), place))
    support = each(read3(surfaces.semi, s), transpose_on(winds.turn, normal))
    return height, length(support)


@inner
def _catch(
    winds: Winds, surfaces: Surfaces, planes: Planes, motion: Motion, k: int, blows: Three,
    height: float, reach: float,
) -> None:  # fmt: skip
    """Find the area that catches the wind, and its first moments about the surface's centre."""
    s, b, turn, sums = winds.surface[k], winds.plane[k], winds.turn, winds.sums
    semi = read3(surfaces.semi, s)
    # where the surface is a unit sphere: the wind's direction, and the outline's area
    u = each_over(transpose_on(turn, blows), semi)
    slant = length(u)
    whole = math.pi * semi[0] * semi[1] * semi[2] * slant
    u = over(u, slant)
    sums[0] = whole
    write(sums, 1, NOUGHT)
    normal = NOUGHT
    if b >= 0:
        _, normal = read_spatial(planes.now, b)
    if winds.method[k] == WHOLE:
        if b < 0:
            return
        along = dot(normal, blows) / slant
        side = math.sqrt(max(reach * reach - along * along, 0.0))
        part = min(max((height + side) / max(reach + side, 1e-12), 0.0), 1.0)
        squares = scaled(-part / reach, each(semi, semi))
        sums[0] = (1.0 - part * part) * whole
        middle = mat_on(turn, each(squares, transpose_on(turn, normal)))
        write(sums, 1, scaled(sums[0], middle))
        return
    if b < 0 and winds.shields[k, 0] == winds.shields[k, 1]:
        return
    # two directions across the wind, where the surface is a unit sphere
    a = (0.0, u[2], -u[1]) if abs(u[0]) < 0.6 else (-u[2], 0.0, u[0])
    a = over(a, length(a))
    c = cross(u, a)
    cell = whole / (RINGS * SPOKES)
    width = math.sqrt(cell)
    sums[0] = 0.0
    for ring in range(RINGS):
        r = math.sqrt((ring + 0.5) / RINGS)
        deep = math.sqrt(1.0 - r * r)
        for spoke in range(SPOKES):
            angle = 2.0 * math.pi * (spoke + 0.5 * (ring % 2)) / SPOKES
            ray = plus(scaled(r * math.cos(angle), a), r * math.sin(angle), c)
            place = mat_on(turn, each(semi, plus(ray, -deep, u)))
            part = 1.0
            if b >= 0:
                behind = -plus_dot(height, normal, place)
                part = min(max(0.5 + behind / width, 0.0), 1.0)
            if part > 0.0:
                part *= _unshielded(winds, surfaces, motion, k, place, blows, width)
            sums[0] += part * cell
            write(sums, 1, plus(read(sums, 1), part * cell, place))


@inner
def _unshielded(
    winds: Winds, surfaces: Surfaces, motion: Motion, k: int, place: Three, blows: Three, width: float
) -> float:  # fmt: skip
    """The part of a ray that no shield keeps from a place, counted from the target's centre."""
    part, other, centre = 1.0, winds.other, read3(surfaces.centre, winds.surface[k])
    for n in range(winds.shields[k, 0], winds.shields[k, 1]):
        shield = winds.shield[n]
        turn_of(motion, surfaces.body[shield], surfaces.R, shield, other)
        semi = read3(surfaces.semi, shield)
        # from its middle, where it is a unit sphere
        arm = less(added(place, centre), read3(surfaces.centre, shield))
        arm, ray = (
            each_over(transpose_on(other, arm), semi), each_over(transpose_on(other, blows), semi),
        )  # fmt: skip
        square, along, off = dot(ray, ray), dot(arm, ray), dot(arm, arm)
        # the ray comes from upwind: its nearest place to the shield's middle lies along / square before
        if along <= 0.0 and off > 1.0:
            continue
        near = math.sqrt(max(off - along * along / square, 0.0)) if along > 0.0 else math.sqrt(off)
        part *= min(max(0.5 + (near - 1.0) * min(semi[0], semi[1], semi[2]) / width, 0.0), 1.0)
        if part == 0.0:
            break
    return part
