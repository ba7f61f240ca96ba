"""Evaluate a function's form without kernels: values, a course to draw, where it ends."""

from __future__ import annotations

import bisect
from functools import lru_cache
from typing import Literal, assert_never

import numpy as np

from solver.engine.maths.rotation import Array
from solver.project import waves
from solver.project.functions import (
    Between,
    Constant,
    Form,
    Polynomial,
    Random,
    Sum,
    Sweep,
    Table,
    TwoRanges,
    is_sound,
    quintics,
    values,
)
from solver.project.waves import Exponential, Sine

MOST_DRAWN = 20_000
"""Pieces of a sine that are drawn at most."""

FINE = 16
"""Parts in which an interval of a smooth table is drawn and looked at."""


def value_at(form: Form, x: float) -> float | None:
    """Evaluate a function's form; None for a table whose points are missing or unsound."""
    match form:
        case Constant():
            return float(form.value)
        case TwoRanges():
            return value_at(form.first if x < form.split else form.second, x)
        case Polynomial():
            x = min(max(x, form.x_min), form.x_max)
            total = 0.0
            for coefficient in reversed(form.coefficients):
                total = total * x + coefficient
            return total
        case Table():
            return _in_table(form, x)
        case Sine() | Exponential():
            return waves.value(form, x)
        case Sum():
            terms = [value_at(term, x) for term in form.terms]
            return None if any(one is None for one in terms) else float(sum(filter(None, terms)))
        case Sweep() | Random():
            return float(values(form, np.array([x]))[0]) if is_sound(form) else None
        case _:
            assert_never(form)


def _in_table(table: Table, x: float) -> float | None:
    if not _is_sound(table):
        return None
    if x <= table.x[0]:
        return float(table.y[0])
    if x >= table.x[-1]:
        return float(table.y[-1])
    i = bisect.bisect_right(table.x, x)
    if table.between != "lines":
        return float(np.polynomial.polynomial.polyval(x - table.x[i - 1], cubics(table)[i - 1]))
    x0, x1, y0, y1 = table.x[i - 1], table.x[i], table.y[i - 1], table.y[i]
    return float(y0 + (y1 - y0) * (x - x0) / (x1 - x0))


def _is_sound(table: Table) -> bool:
    if not 0 < len(table.x) == len(table.y):
        return False
    return table.between == "lines" or bool(np.all(np.diff(table.x) > 0.0))


def cubics(table: Table) -> Array:
    """Give four coefficients for each interval of a smooth table, by the way from its left point.

    Arguments must increase. With fewer than four points the parabola or the line through them.
    """
    return _cubics(table.x, table.y, table.between)


@lru_cache(maxsize=32)
def _cubics(x: tuple[float, ...], y: tuple[float, ...], between: Between) -> Array:
    if between == "four_points":
        return _four_points(np.array(x), np.array(y))
    if len(x) < 2:
        return np.zeros((0, 4))
    # loaded only where it is needed
    from scipy.interpolate import CubicSpline

    ends: Literal["clamped", "not-a-knot"]
    ends = "clamped" if between == "spline_at_rest" else "not-a-knot"
    made: Array = CubicSpline(np.array(x), np.array(y), bc_type=ends).c
    return np.ascontiguousarray(made[::-1].T)


def _four_points(x: Array, y: Array) -> Array:
    """The cubic through four neighbours for each interval, by Newton's divided differences.

    Equation (50) of the later seed; for three points and two its (51) and (52). It takes the points in
    groups; here each interval has those on both its sides, so that both are alike.
    """
    n, many = len(x), min(len(x), 4)
    out = np.zeros((n - 1, 4))
    for i in range(n - 1):
        first = min(max(i - 1, 0), n - many)
        at, d = x[first : first + many], y[first : first + many].copy()
        for k in range(1, many):
            d[k:] = (d[k:] - d[k - 1 : -1]) / (at[k:] - at[:-k])
        # from the innermost bracket out, as polynomials of the way from the left point
        made = np.zeros(4)
        for k in range(many - 1, -1, -1):
            made = made * (x[i] - at[k]) + np.concatenate([[0.0], made[:-1]])
            made[0] += d[k]
        out[i] = made
    return out


def values_on(table: Table, x: Array) -> Array:
    """The values of a sound table at arguments inside it."""
    known = np.array(table.x)
    if table.between == "lines" or len(known) < 2:
        straight: Array = np.interp(x, known, np.array(table.y))
        return straight
    i = np.clip(np.searchsorted(known, x, side="right") - 1, 0, len(known) - 2)
    c, s = cubics(table)[i], x - known[i]
    y: Array = c[..., 0] + s * (c[..., 1] + s * (c[..., 2] + s * c[..., 3]))
    return y


def samples(form: Form) -> tuple[Array, Array]:
    """Give arguments and values that show a function's whole course; empty where unsound."""
    match form:
        case Constant():
            return np.zeros(1), np.array([form.value])
        case Table():
            if not _is_sound(form):
                return np.empty(0), np.empty(0)
            known = np.array(form.x)
            if form.between == "lines" or len(known) < 2:
                return known, np.array(form.y)
            parts = known[:-1, None] + np.diff(known)[:, None] * np.arange(FINE) / FINE
            x = np.append(parts.ravel(), known[-1])
            return x, values_on(form, x)
        case Polynomial():
            x = np.linspace(form.x_min, form.x_max, 65)
            return x, np.polynomial.polynomial.polyval(x, np.array(form.coefficients))
        case Sine() | Exponential():
            x = np.linspace(form.x_min, form.x_max, min(waves.pieces(form), MOST_DRAWN) + 1)
            return x, np.array([waves.value(form, float(v)) for v in x])
        case Sum():
            return _together(form)
        case TwoRanges():
            x1, y1 = _part(form.first, -np.inf, form.split)
            x2, y2 = _part(form.second, form.split, np.inf)
            return np.concatenate([x1, x2]), np.concatenate([y1, y2])
        case Sweep() | Random():
            if not is_sound(form):
                return np.empty(0), np.empty(0)
            x = quintics(form)[0]
            return x, values(form, x)
        case _:
            assert_never(form)


def _together(form: Sum) -> tuple[Array, Array]:
    """Sample a sum wherever one of its terms is sampled."""
    drawn = [samples(term)[0] for term in form.terms if not isinstance(term, Constant)]
    x = np.unique(np.concatenate([np.zeros(0), *drawn]))
    x = x if len(x) else np.zeros(1)
    y = [value_at(form, float(v)) for v in x]
    if any(one is None for one in y):
        return np.empty(0), np.empty(0)
    return x, np.array(y, dtype=float)


def _part(form: Form, low: float, high: float) -> tuple[Array, Array]:
    """Sample one of two ranges between its limits, both ends included where they are finite."""
    x, _ = samples(form)
    inside = x[(x > low) & (x < high)]
    ends = [end for end in (low, high) if np.isfinite(end)]
    if isinstance(form, Constant):
        inside = np.empty(0)
    x = np.unique(np.concatenate([inside, ends]))
    values = [value_at(form, float(v)) for v in x]
    if any(v is None for v in values):
        return np.empty(0), np.empty(0)
    return x, np.array(values, dtype=float)


def last_argument(form: Form) -> float | None:
    """The argument beyond which a function stays as it is, None for a constant."""
    match form:
        case Constant():
            return None
        case Table():
            return float(form.x[-1]) if form.x else None
        case Polynomial() | Sine() | Exponential():
            return float(form.x_max)
        case Sum():
            return max(filter(None, map(last_argument, form.terms)), default=None)
        case TwoRanges():
            return float(max(form.split, last_argument(form.second) or form.split))
        case Sweep() | Random():
            return float(form.start_s + form.duration_s)
        case _:
            assert_never(form)
