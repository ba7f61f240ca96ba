"""Resistance to flexure by its azimuth: curves of flexure at azimuths, and what is between them.

The later program's joint functions (card E.7) are printed as a torque about the axis of flexure alone,
linear between azimuths, none below zero. That has no potential: about a closed way it makes energy.
Conserving, the curves' areas are laid smoothly round the joint (cubics whose slope at an azimuth is that from
its neighbour on one side to that on the other), and the torque is the gradient of this energy: it also turns
towards the azimuths that resist less.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.engine.dynamics.tree import Array, IntArray
from solver.engine.jit.kernels import inner
from solver.engine.jit.structs import struct
from solver.engine.maths.curve import Curves, curve_area, curve_at

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
