"""What resists a bend of a joint by its azimuth: curves of flexure, and globographic stops (section 6.2.6).

The later program's joint functions (card E.7) are printed as a torque about the axis of flexure alone,
linear between azimuths, none below zero. That has no potential: about a closed way it makes energy.
Conserving, the curves' areas are laid smoothly round the joint (cubics whose slope at an azimuth is that from
its neighbour on one side to that on the other), and the torque is the gradient of this energy: it also turns
towards the azimuths that resist less.

The torque acts along the gradient of the depth, so that it gives back what it has taken. The seed's
direction (6.21) is that gradient at the contour only; `printed` keeps to it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.engine.dynamics.tree import FREE, Array, IntArray, Motion, Tree
from solver.engine.forces.joints.springs import curve_load
from solver.engine.forces.points import add_torque
from solver.engine.jit.kernels import inner, kernel, struct
from solver.engine.maths.curve import Curves, curve_area, curve_at, curve_bend
from solver.engine.maths.spatial import (
    NOUGHT,
    Three,
    dot,
    less,
    mat_on,
    read3,
    read9,
    transpose_on,
    write3,
)

# Resistance to flexure by its azimuth: curves of flexure at azimuths, and what is between them.

Weights = tuple[float, float, float, float]


@struct
class Azimuths(NamedTuple):
    """Hold tables: table k has the azimuths and curves `first[k]` to `first[k + 1]`, azimuths rising."""

    first: IntArray
    at: Array
    curve: IntArray


@inner
def _gap(azimuths: Azimuths, k: int, j: int) -> float:
    """The way from the j-th azimuth of a table to the next, across half a turn where need be."""
    first, count = azimuths.first[k], azimuths.first[k + 1] - azimuths.first[k]
    gap = azimuths.at[first + (j + 1) % count] - azimuths.at[first + j % count]
    return float(gap if gap > 0.0 else gap + 2.0 * math.pi)


@inner
def _linear(u: float, gap: float) -> tuple[Weights, Weights]:
    """The weights of four azimuths, of which the middle two are around, and their rates."""
    return (0.0, 1.0 - u, u, 0.0), (0.0, -1.0 / gap, 1.0 / gap, 0.0)


@inner
def _smooth(u: float, before: float, gap: float, after: float) -> tuple[Weights, Weights]:
    """The same by a cubic; the gaps are those before, around and after."""
    a, b = gap / (before + gap), gap / (gap + after)
    v = 1.0 - u
    # of the ends' slopes, from azimuth to azimuth
    s0, s1, d0, d1 = u * v * v, -u * u * v, v * (v - 2.0 * u), u * (u - 2.0 * v)
    up, rise = u * u * (3.0 - 2.0 * u), 6.0 * u * v
    over = 1.0 / gap
    return (
        (-a * s0, 1.0 - up - b * s1, up + a * s0, b * s1),
        (-a * d0 * over, (-rise - b * d1) * over, (rise + a * d0) * over, b * d1 * over),
    )


@inner
def by_azimuth(
    azimuths: Azimuths, curves: Curves, k: int, theta: float, phi: float, printed: int
) -> tuple[float, float, float]:
    """A table's torque against flexure, its energy, and how that grows with the azimuth."""
    first, count = azimuths.first[k], azimuths.first[k + 1] - azimuths.first[k]
    j = count - 1
    while j > 0 and azimuths.at[first + j] > phi:
        j -= 1
    off = phi - azimuths.at[first + j]
    if off < 0.0:
        # before the first: beyond the last
        j = count - 1
        off = phi - azimuths.at[first + j] + 2.0 * math.pi
    gap = _gap(azimuths, k, j)
    u = off / gap
    if printed:
        weights, rates = _linear(u, gap)
    else:
        weights, rates = _smooth(u, _gap(azimuths, k, j - 1 + count), gap, _gap(azimuths, k, j + 1))
    torque = energy = turning = 0.0
    for m in range(4):
        if weights[m] == 0.0 and rates[m] == 0.0:
            continue
        c = azimuths.curve[first + (j - 1 + m + count) % count]
        area = curve_area(curves, c, theta)
        torque += weights[m] * curve_at(curves, c, theta)[0]
        energy += weights[m] * area
        turning += rates[m] * area
    if printed:
        return max(torque, 0.0), energy, 0.0
    return torque, energy, turning


@inner
def on_average(azimuths: Azimuths, curves: Curves, k: int, theta: float) -> tuple[float, float]:
    """Give torque and energy of a table as they are on the average of its azimuths."""
    torque = energy = 0.0
    for j in range(azimuths.first[k], azimuths.first[k + 1]):
        torque += curve_at(curves, azimuths.curve[j], theta)[0]
        energy += curve_area(curves, azimuths.curve[j], theta)
    count = azimuths.first[k + 1] - azimuths.first[k]
    return torque / count, energy / count


# Globographic stops: a torque where a limb leaves its contour (section 6.2.6).

ALONG = 1e-12
"""Sine of an axis from z below which there is no azimuth."""


@struct
class Contours(NamedTuple):
    """Hold globographic stops: coefficients C1, C2, ..., or a curve of the azimuth, and torques.

    `depth` beyond the contour, and what gives its rate from that of the turn (`across`, ground
    axes), stay for events.
    """

    parent: IntArray
    body: IntArray
    R_AP: Array
    R_BC: Array
    terms: IntArray
    coefficient: Array
    angle: IntArray
    torque: IntArray
    returned: Array
    printed: IntArray
    depth: Array
    across: Array


@kernel
def contour_angle(
    contours: Contours, curves: Curves, k: int, phi: float
) -> tuple[float, float, float]:
    """The stop's angle at an azimuth, its slope, and the rate of that (section 6.2.6)."""
    if contours.angle[k] >= 0:
        x = phi if phi >= 0.0 else phi + 2.0 * math.pi
        angle, slope = curve_at(curves, contours.angle[k], x)
        return angle, slope, curve_bend(curves, contours.angle[k], x)
    c, s = math.cos(phi), math.sin(phi)
    angle = slope = bend = 0.0
    # power = c^n, below = n c^(n-1), lower = n (n-1) c^(n-2)
    power, below, lower = 1.0, 0.0, 0.0
    for n in range(contours.terms[k]):
        a, b = contours.coefficient[k, 2 * n], contours.coefficient[k, 2 * n + 1]
        round_ = a + b * s
        angle += power * round_
        slope += -s * below * round_ + power * b * c
        bend += (s * s * lower - c * below) * round_ - 2.0 * s * c * below * b - power * b * s
        lower = lower * c + 2.0 * below
        below = below * c + power
        power *= c
    return angle, slope, bend


@kernel
def contour_depth(
    contours: Contours, curves: Curves, k: int, d0: float, d1: float, d2: float
) -> tuple[float, float, float, float]:
    """The depth beyond a contour of an axis d (parent's joint frame), and its gradient.

    The last three turn a rate of turning (parent's joint frame) into that of the depth. The axis must
    not lie along z.
    """
    sine = math.sqrt(d0 * d0 + d1 * d1)
    theta, phi = math.atan2(sine, d2), math.atan2(d1, d0)
    limit, slope, bend = contour_angle(contours, curves, k, phi)
    root = math.sqrt(sine * sine + slope * slope)
    depth = (theta - limit) * sine / root
    # by theta, and by phi over the sine
    by_theta, by_phi = sine / root, -slope / root
    if not contours.printed[k]:
        more = (theta - limit) * slope / (root * root * root)
        by_theta += more * slope * d2
        by_phi -= more * bend
    c, s = d0 / sine, d1 / sine
    x = -by_theta * s - by_phi * d2 * c
    y = by_theta * c - by_phi * d2 * s
    return depth, x, y, by_phi * sine


@kernel
def contour_load(
    contours: Contours, curves: Curves, k: int, axis: Three, turning: Three
) -> tuple[float, Three, float, float, float]:
    """The depth of an axis beyond a contour, its gradient and rate, the torque, and the energy held.

    Axis, gradient and the rate of turning are seen in the parent's joint frame.
    """
    if axis[0] * axis[0] + axis[1] * axis[1] < ALONG * ALONG:
        return -1.0, NOUGHT, 0.0, 0.0, 0.0
    depth, x, y, z = contour_depth(contours, curves, k, axis[0], axis[1], axis[2])
    gradient = (x, y, z)
    rate = dot(gradient, turning)
    if depth <= 0.0:
        return depth, gradient, rate, 0.0, 0.0
    size, held = curve_load(curves, contours.torque[k], contours.returned[k], depth, rate)
    return depth, gradient, rate, size, held


@inner
def contour_torques(
    contours: Contours, curves: Curves, tree: Tree, motion: Motion, torque: Array, sums: Array
) -> None:
    """Push bodies back into their contours; `sums` is that of `joint_torques`."""
    for k in range(len(contours.body)):
        i, m = contours.body[k], contours.parent[k]
        if tree.kind[i] == FREE:
            continue
        # the child's z axis and its rate of turning, in the parent's joint frame
        own, frame = contours.R_BC, read9(contours.R_AP, k)
        axis = mat_on(read9(motion.R, i), (own[k, 2], own[k, 5], own[k, 8]))
        turning = read3(motion.w, i)
        if m >= 0:
            parent = read9(motion.R, m)
            axis = transpose_on(parent, axis)
            turning = transpose_on(parent, less(turning, read3(motion.w, m)))
        axis, turning = transpose_on(frame, axis), transpose_on(frame, turning)
        depth, gradient, rate, size, held = contour_load(contours, curves, k, axis, turning)
        across = mat_on(frame, gradient)
        if m >= 0:
            across = mat_on(read9(motion.R, m), across)
        contours.depth[k] = depth
        write3(contours.across, k, across)
        sums[0] += held
        sums[1] -= size * rate
        add_torque(torque, i, -size, across)
        add_torque(torque, m, size, across)
