"""Rows of flexible elements: inner segments turn as polynomials of the end-to-end angles (4.5).

With the angles yaw, pitch, roll of segment n in segment 1, `psi_n = poly(psi_N)` (equation 4.64), and
relative angular velocities `C(psi)^T psi'` (equation 4.99), the condition is (4.91):
`w_n - w_1 = K (w_N - w_1)` with `K = C_n^T G C_N^-T`.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.engine.dynamics.rows import Rows, new_row, take_part
from solver.engine.dynamics.tree import Array, IntArray, Motion
from solver.engine.forces.points import spin_of, unit_vector
from solver.engine.jit.kernels import inlined, inner, struct
from solver.engine.maths.spatial import (
    NOUGHT,
    UNIT,
    Matrix,
    Three,
    added,
    antisymmetric,
    cross,
    dot,
    each,
    less,
    mat_on,
    of_rows,
    plus,
    plus_dot,
    product,
    read3,
    read9,
    scaled,
    transpose_on,
    transposed,
    yaw_pitch_roll,
)


@struct
class Bends(NamedTuple):
    """One entry for each inner segment: first, last and inner body, and the polynomial.

    `first` takes the number of its first row.
    """

    one: IntArray
    last: IntArray
    inside: IntArray
    bias: Array
    f: Array
    g: Array
    h: Array
    first: IntArray


@inlined
def _turn_in(motion: Motion, i: int, j: int) -> Matrix:
    """The turn of body j in body i; body -1 is the ground."""
    outer = read9(motion.R, i) if i >= 0 else UNIT
    return product(transposed(outer), read9(motion.R, j) if j >= 0 else UNIT)


@inlined
def _angles_of(R: Matrix) -> Three:
    """Return yaw, pitch and roll of a turn."""
    return (
        math.atan2(R[3], R[0]),
        math.atan2(-R[6], math.hypot(R[0], R[3])),
        math.atan2(R[7], R[8]),
    )


@inlined
def _axes(angles: Three) -> Matrix:
    """Return C(psi)^T: its columns turn rates of yaw, pitch and roll into angular velocity (4.99)."""
    cy, sy, cp, sp = (
        math.cos(angles[0]), math.sin(angles[0]), math.cos(angles[1]), math.sin(angles[1]),
    )  # fmt: skip
    return 0.0, -sy, cp * cy, 0.0, cy, cp * sy, 1.0, 0.0, -sp


@inlined
def _axes_rate(angles: Three, rates: Three) -> Three:
    """Return d/dt C(psi)^T times the rates."""
    cy, sy, cp, sp = (
        math.cos(angles[0]), math.sin(angles[0]), math.cos(angles[1]), math.sin(angles[1]),
    )  # fmt: skip
    yaw, pitch, roll = rates
    return (
        -cy * yaw * pitch + (-sp * cy * pitch - cp * sy * yaw) * roll,
        -sy * yaw * pitch + (-sp * sy * pitch + cp * cy * yaw) * roll,
        -cp * pitch * roll,
    )


@inlined
def _rates_of(angles: Three, spin: Three) -> Three:
    """The rates of yaw, pitch and roll from an angular velocity (4.101)."""
    cy, sy, cp, sp = (
        math.cos(angles[0]), math.sin(angles[0]), math.cos(angles[1]), math.sin(angles[1]),
    )  # fmt: skip
    roll = (cy * spin[0] + sy * spin[1]) / cp
    return spin[2] + sp * roll, -sy * spin[0] + cy * spin[1], roll


@inlined
def _inside(bends: Bends, n: int, i: int, ends: Three) -> float:
    """Return angle i of an inner segment by the angles of the ends (4.64)."""
    yaw, pitch, roll = ends
    mixed = (pitch * roll, roll * yaw, yaw * pitch)
    value = plus_dot(bends.bias[n, i], read3(bends.f[n], i), ends)
    value = plus_dot(value, read3(bends.g[n], i), mixed)
    return plus_dot(value, read3(bends.h[n], i), each(ends, ends))


@inlined
def _slope(bends: Bends, n: int, i: int, linear: Three, ends: Three) -> Three:
    """How that grows with each angle of the ends, less f and with `linear` in its place."""
    g, (yaw, pitch, roll) = read3(bends.g[n], i), ends
    mixed = (g[1] * roll + g[2] * pitch, g[0] * roll + g[2] * yaw, g[0] * pitch + g[1] * yaw)
    return plus(added(linear, mixed), 2.0, each(read3(bends.h[n], i), ends))


@inlined
def _slopes(bends: Bends, n: int, ends: Three) -> Matrix:
    """Return G: how the inner angles grow with those of the ends."""
    f = bends.f[n]
    return of_rows(
        _slope(bends, n, 0, read3(f, 0), ends),
        _slope(bends, n, 1, read3(f, 1), ends),
        _slope(bends, n, 2, read3(f, 2), ends),
    )


@inlined
def _slopes_rate(bends: Bends, n: int, rates: Three) -> Matrix:
    """Return dG/dt, at rates of the ends."""
    return of_rows(
        _slope(bends, n, 0, NOUGHT, rates),
        _slope(bends, n, 1, NOUGHT, rates),
        _slope(bends, n, 2, NOUGHT, rates),
    )


@inner
def bend_rows(bends: Bends, motion: Motion, rows: Rows) -> None:
    """Add three rows for each inner segment, along the axes of the first (4.91)."""
    for n in range(len(bends.inside)):
        one, last, body = bends.one[n], bends.last[n], bends.inside[n]
        ends = _angles_of(_turn_in(motion, one, last))
        inside = (
            _inside(bends, n, 0, ends), _inside(bends, n, 1, ends), _inside(bends, n, 2, ends),
        )  # fmt: skip
        axes, slopes = _axes(inside), _slopes(bends, n, ends)
        rates = transposed(
            of_rows(
                _rates_of(ends, (1.0, 0.0, 0.0)),
                _rates_of(ends, (0.0, 1.0, 0.0)),
                _rates_of(ends, (0.0, 0.0, 1.0)),
            )
        )
        follows = product(axes, product(slopes, rates))
        # rates in the axes of segment 1, and what they alone make of the acceleration
        spin = less(spin_of(motion, last), spin_of(motion, one))
        if one >= 0:
            spin = transpose_on(read9(motion.R, one), spin)
        ends_rate = _rates_of(ends, spin)
        inside_rate = mat_on(slopes, ends_rate)
        grows = mat_on(_slopes_rate(bends, n, ends_rate), ends_rate)
        grows = less(grows, mat_on(slopes, _rates_of(ends, _axes_rate(ends, ends_rate))))
        bias = added(_axes_rate(inside, inside_rate), mat_on(axes, grows))
        # by how much the inside is off the turn that it should have
        turn = product(_turn_in(motion, one, body), transposed(yaw_pitch_roll(inside)))
        bends.first[n] = rows.used[0]
        _three_rows(rows, motion, (one, last, body), follows, bias, antisymmetric(turn))


@inner
def _three_rows(
    rows: Rows, motion: Motion, bodies: tuple[int, int, int], K: Matrix, bias: Three, error: Three
) -> None:
    """Add the rows `e_i . (w_n - w_1) - K_i . (w_N - w_1)`."""
    one, last, body = bodies
    base = read9(motion.R, one) if one >= 0 else UNIT
    # the axes of segment 1 turn with it: u' = R_1^T (alpha_n - alpha_1 - w_1 x (w_n - w_1))
    turning = spin_of(motion, one)
    of_body = cross(turning, less(spin_of(motion, body), turning))
    of_last = cross(turning, less(spin_of(motion, last), turning))
    for i in range(3):
        r = new_row(rows)
        axis, led = (
            mat_on(base, unit_vector(i)),
            mat_on(base, (K[3 * i], K[3 * i + 1], K[3 * i + 2])),
        )
        take_part(rows, motion, r, 0, body, axis, NOUGHT)
        take_part(rows, motion, r, 1, last, scaled(-1.0, led), NOUGHT)
        take_part(rows, motion, r, 2, one, less(led, axis), NOUGHT)
        rows.bias[r] = -(dot(axis, of_body) - dot(led, of_last)) - bias[i]
        rows.error[r] = error[i]
