"""How straps lie: places, gaps to surfaces, axes, strains, and the forces of webbing on points."""

from __future__ import annotations

import math

from solver.engine.dynamics.tree import Array, Motion
from solver.engine.forces.laws import Laws
from solver.engine.forces.straps.arrays import (
    FEEDS,
    LENGTH,
    PULLED,
    SLOPE,
    STRAIN,
    STRETCHES,
    TENSION,
    TURNS,
    N,
    Straps,
)
from solver.engine.forces.stretching import begins, force_and_slope
from solver.engine.forces.surfaces import Surfaces, turn_of
from solver.engine.jit.kernels import inlined, inner
from solver.engine.maths.curve import Curves
from solver.engine.maths.powers import raised

NEARLY = 1e-8
"""Error of a gauge behind which the next of Newton's steps leaves none."""

TRACE = 1e-4
"""Strain within which webbing goes from slack to taut, as far as its shape is concerned."""


@inner
def place(straps: Straps, surfaces: Surfaces, motion: Motion, k: int) -> None:
    """Find the axes that point k is given in, and its stiffness: they do not change while it slides."""
    straps.hard[k] = straps.stiff[k] / straps.rest[k if straps.right[k] >= 0 else straps.left[k]]
    s, i = straps.surface[k], straps.body[k]
    if s >= 0:
        turn_of(motion, surfaces.body[s], surfaces.R, s, straps.turn[k])
    else:
        for n in range(9):
            straps.turn[k, n] = motion.R[i, n] if i >= 0 else (1.0 if n % 4 == 0 else 0.0)


@inner
def place_point(straps: Straps, surfaces: Surfaces, motion: Motion, k: int) -> None:
    """Find place, gap to the surface, its gradient and how the normal turns, of point k."""
    s, i, t, x = straps.surface[k], straps.body[k], straps.turn, straps.x
    p = straps.place
    for n in range(3):
        arm = t[k, 3 * n] * x[k, 0] + t[k, 3 * n + 1] * x[k, 1] + t[k, 3 * n + 2] * x[k, 2]
        if s >= 0:
            p[k, n] = surfaces.centre[s, n] + arm
        else:
            p[k, n] = arm + (motion.p[i, n] if i >= 0 else 0.0)
    straps.gap[k] = 0.0
    if s < 0:
        return
    # the gauge is one on the surface; the gap is measured along the radius
    total = far = 0.0
    g, h, power = straps.slope, straps.bend, surfaces.power
    for n in range(3):
        h[k, n] = 1.0 / surfaces.semi[s, n]
        total += raised(abs(x[k, n]) * h[k, n], power[s, n])
        far += x[k, n] ** 2
    far = math.sqrt(far)
    # radially onto the surface: with one power in closed form, else by Newton's method
    scale = 1.0
    if total > 0.0:
        e = power[s, 0]
        scale = 1.0 / math.sqrt(total) if e == 2.0 else total ** (-1.0 / e)
        if power[s, 1] != e or power[s, 2] != e:
            for _ in range(50):
                value, rise = -1.0, 0.0
                for n in range(3):
                    part = raised(abs(x[k, n]) * h[k, n] * scale, power[s, n])
                    value += part
                    rise += power[s, n] * part
                scale -= scale * value / rise
                if abs(value) < NEARLY:
                    break
    straps.gap[k] = far * (1.0 - scale)
    # normal and curvature where the radius meets the surface
    size = inward = 0.0
    for n in range(3):
        per, e = h[k, n], power[s, n]
        u = abs(x[k, n]) * scale * per
        low = raised(u, e - 2.0)
        g[k, n] = e * low * u * per * (1.0 if x[k, n] > 0.0 else -1.0)
        h[k, n] = e * (e - 1.0) * low * per * per
        size += g[k, n] ** 2
        inward += g[k, n] * x[k, n]
    one = 1.0 / math.sqrt(size)
    f = straps.frame
    for n in range(3):
        f[k, N + n] = one * (
            t[k, 3 * n] * g[k, 0] + t[k, 3 * n + 1] * g[k, 1] + t[k, 3 * n + 2] * g[k, 2]
        )
        h[k, n] *= one
    # the gap's gradient: far (1 - scale), scale falling along the normal
    outward, along = (1.0 - scale) / far, far * scale / inward
    for n in range(3):
        g[k, n] = x[k, n] * outward + along * g[k, n]
    gx, gy, gz = g[k, 0], g[k, 1], g[k, 2]
    for n in range(3):
        g[k, n] = t[k, 3 * n] * gx + t[k, 3 * n + 1] * gy + t[k, 3 * n + 2] * gz


@inner
def stretch(straps: Straps, laws: Laws, curves: Curves, k: int) -> None:
    """Find direction, strain and tension of piece k."""
    p, seen, axis = straps.place, straps.seen, straps.axis
    j = straps.right[k]
    dx, dy, dz = p[j, 0] - p[k, 0], p[j, 1] - p[k, 1], p[j, 2] - p[k, 2]
    length = max(math.sqrt(dx * dx + dy * dy + dz * dz), 1e-9)
    short, loose = 1.0 / length, 1.0 / straps.long[k]
    axis[k, 0], axis[k, 1], axis[k, 2] = dx * short, dy * short, dz * short
    strain = length * loose - 1.0
    n, mode = straps.law[k], straps.mode[k]
    pull = slope = 0.0
    if strain > 0.0:
        pull, slope = force_and_slope(laws, curves, n, straps.memory, k, mode, strain)
    # what is slack keeps a trace of tension, without which its shape would be open
    over, eases = strain - begins(laws, n, straps.memory, k, mode), straps.eases[k]
    seen[k, STRAIN], seen[k, LENGTH] = strain, length
    if over > 0.0:
        trace = 0.5 * eases * TRACE * math.exp(-over / TRACE)
        slope = max(slope - trace / TRACE, 0.0)
    else:
        far = math.sqrt(over * over + TRACE * TRACE)
        trace = 0.5 * eases * TRACE * TRACE / (far - over)
        slope += trace / far
    seen[k, TENSION], seen[k, SLOPE] = pull + trace, slope
    slopes = straps.slopes
    slopes[k, TURNS], slopes[k, STRETCHES] = seen[k, TENSION] * short, slope * loose
    slopes[k, FEEDS] = slopes[k, STRETCHES] * length * loose
    seen[k, PULLED] = pull if strain > 0.0 else straps.stiff[k] * strain


@inner
def turn_frame(straps: Straps, k: int) -> None:
    """Lay the axes of point k on a surface: along the strap as it last was, or as preferred; across."""
    f, t = straps.frame, straps.turn
    a, b, c = straps.way[k, 0], straps.way[k, 1], straps.way[k, 2]
    x = t[k, 0] * a + t[k, 1] * b + t[k, 2] * c
    y = t[k, 3] * a + t[k, 4] * b + t[k, 5] * c
    z = t[k, 6] * a + t[k, 7] * b + t[k, 8] * c
    nx, ny, nz = f[k, N], f[k, N + 1], f[k, N + 2]
    ex, ey, ez = y * nz - z * ny, z * nx - x * nz, x * ny - y * nx
    size = math.sqrt(ex * ex + ey * ey + ez * ez)
    if size < 1e-9:
        # a junction, or the strap stands upright here: any direction across
        ex, ey, ez = (0.0, nz, -ny) if abs(nx) < 0.6 else (-nz, 0.0, nx)
        size = math.sqrt(ex * ex + ey * ey + ez * ez)
    one = 1.0 / size
    ex, ey, ez = ex * one, ey * one, ez * one
    f[k, 0], f[k, 1], f[k, 2] = ex, ey, ez
    f[k, 3], f[k, 4], f[k, 5] = ny * ez - nz * ey, nz * ex - nx * ez, nx * ey - ny * ex


@inlined
def part_along(f: Array, k: int, row: int, x: float, y: float, z: float) -> float:
    """Give the component of a vector along one axis of a frame."""
    return float(f[k, row] * x + f[k, row + 1] * y + f[k, row + 2] * z)


@inner
def find_forces(straps: Straps, low: int, high: int) -> None:
    """Sum the tensions at every point."""
    f, seen, axis = straps.force, straps.seen, straps.axis
    for k in range(low, high):
        f[k, 0] = f[k, 1] = f[k, 2] = 0.0
    for k in range(low, high):
        if straps.right[k] < 0:
            continue
        for n in range(3):
            pull = seen[k, TENSION] * axis[k, n]
            f[k, n] += pull
            f[straps.right[k], n] -= pull


@inner
def look(
    straps: Straps,
    laws: Laws,
    surfaces: Surfaces,
    curves: Curves,
    motion: Motion,
    low: int,
    high: int,
) -> float:
    """Find places, tensions and forces as they are now; give the largest tension."""
    most = 0.0
    for k in range(low, high):
        place_point(straps, surfaces, motion, k)
    for k in range(low, high):
        if straps.right[k] >= 0:
            right = straps.fed[straps.right[k]]
            straps.long[k] = max(straps.rest[k] + straps.fed[k] - right, 1e-3 * straps.rest[k])
            stretch(straps, laws, curves, k)
            most = max(most, straps.seen[k, TENSION])
    find_forces(straps, low, high)
    t = straps.turn
    for k in range(low, high):
        x = straps.x[k, 0] - straps.at[k, 0]
        y = straps.x[k, 1] - straps.at[k, 1]
        z = straps.x[k, 2] - straps.at[k, 2]
        for n in range(3):
            straps.moved[k, n] = t[k, 3 * n] * x + t[k, 3 * n + 1] * y + t[k, 3 * n + 2] * z
        if straps.surface[k] >= 0 and (straps.right[k] >= 0 or straps.last[k]):
            turn_frame(straps, k)
    return most
