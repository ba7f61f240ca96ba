"""Least squares of many small problems at once, each within bounds: Levenberg's and Marquardt's method."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.engine.maths.rotation import Array

Rows = NDArray[np.int64]
Residuals = Callable[[Array, Rows], tuple[Array, Array]]
"""Gives residuals (B, m) and slopes (B, m, n) for values (B, n) of the problems of these numbers."""

DAMPING, MOST_DAMPING = 1e-3, 1e9
EASIER, HARDER = 0.2, 5.0


def least(
    residuals: Residuals, start: Array, low: Array, high: Array, *,
    rounds: int = 60, small: float = 1e-13, step: float = 1e-11, gain: float = 0.0, many: int = 20_000,
) -> tuple[Array, Array]:  # fmt: skip
    """Give values (B, n) and residuals (B, m) of problems whose sum of squares is least near their starts.

    A problem ends once its residuals are as small as `small`, its step as short as `step`, no step helps, or one lowers
    the sum by less than the part `gain`. At most `many` are looked at together.
    """
    if not len(start):
        return start.copy(), residuals(start, np.zeros(0, np.int64))[0]
    found = [
        _least(residuals, start, low, high, np.arange(i, min(i + many, len(start))), rounds, small, step, gain)
        for i in range(0, len(start), many)
    ]  # fmt: skip
    return np.concatenate([one[0] for one in found]), np.concatenate([one[1] for one in found])


def _least(
    residuals: Residuals, start: Array, low: Array, high: Array, numbers: Rows, rounds: int, small: float,
    shortest: float, gain: float,
) -> tuple[Array, Array]:  # fmt: skip
    low, high = (np.broadcast_to(one, start.shape)[numbers] for one in (low, high))
    x = np.clip(start[numbers], low, high)
    r, J = residuals(x, numbers)
    cost = (r * r).sum(axis=1)
    damping = np.full(len(x), DAMPING)
    left = np.flatnonzero(cost > small * small)
    for _ in range(rounds):
        if not len(left):
            break
        Jl, xl = J[left], x[left]
        slope = np.einsum("bmn,bm->bn", Jl, r[left])
        held = ((xl <= low[left]) & (slope > 0.0)) | ((xl >= high[left]) & (slope < 0.0))
        Jl = np.where(held[:, None, :], 0.0, Jl)
        by = _step(Jl, r[left], damping[left])
        there = np.clip(xl + by, low[left], high[left])
        r_there, J_there = residuals(there, numbers[left])
        cost_there = (r_there * r_there).sum(axis=1)
        better = cost_there < cost[left]
        stalls = better & (cost_there > (1.0 - gain) * cost[left])
        won = left[better]
        x[won], r[won], J[won], cost[won] = (
            one[better] for one in (there, r_there, J_there, cost_there)
        )
        damping[left] *= np.where(better, EASIER, HARDER)
        moved = np.abs(there - xl).max(axis=1)
        done = (
            (cost[left] <= small * small)
            | (moved <= shortest)
            | (damping[left] > MOST_DAMPING)
            | stalls
        )
        damping[left] = np.maximum(damping[left], 1e-14)
        left = left[~done]
    return x, r


def _step(J: Array, r: Array, damping: Array) -> Array:
    """The damped step of least squares; of the two ways to write it that with the smaller matrix."""
    m, n = J.shape[1:]
    T = J.transpose(0, 2, 1)
    H = J @ T if m < n else T @ J
    size = np.einsum("bii->bi", H).max(axis=1)
    H[:, range(min(m, n)), range(min(m, n))] += (damping * size + 1e-300)[:, None]
    if m < n:
        out: Array = -(T @ np.linalg.solve(H, r[..., None]))[..., 0]
        return out
    return np.asarray(-np.linalg.solve(H, T @ r[..., None])[..., 0])


def in_box(count: int, low: Array, high: Array, seed: int) -> Array:
    """Draw points (count, n) evenly between bounds, always the same for one seed; a turn without end is one whole turn."""
    from scipy.stats import qmc

    a = np.where(np.isfinite(low), low, -np.pi)
    b = np.where(np.isfinite(high), high, np.pi)
    drawn: Any = qmc.Sobol(len(a), rng=seed).random_base2(max(int(np.ceil(np.log2(count))), 0))
    out: Array = a + drawn[:count] * (b - a)
    return out
