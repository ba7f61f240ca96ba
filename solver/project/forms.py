"""Evaluate a function's form without kernels: values, a course to draw, where it ends."""

from __future__ import annotations

import bisect
from typing import Any

import numpy as np

from solver.maths.rotation import Array


def value_at(form: Any, x: float) -> float | None:
    """Evaluate a function's form; None for a table whose points are missing or unsound."""
    if form.kind == "constant":
        return float(form.value)
    if form.kind == "two_ranges":
        return value_at(form.first if x < form.split else form.second, x)
    if form.kind == "polynomial":
        x = min(max(x, form.x_min), form.x_max)
        total = 0.0
        for coefficient in reversed(form.coefficients):
            total = total * x + coefficient
        return total
    if not _is_sound(form):
        return None
    if x <= form.x[0]:
        return float(form.y[0])
    if x >= form.x[-1]:
        return float(form.y[-1])
    i = bisect.bisect_right(form.x, x)
    x0, x1, y0, y1 = form.x[i - 1], form.x[i], form.y[i - 1], form.y[i]
    return float(y0 + (y1 - y0) * (x - x0) / (x1 - x0))


def _is_sound(table: Any) -> bool:
    return 0 < len(table.x) == len(table.y)


def samples(form: Any) -> tuple[Array, Array]:
    """Give arguments and values that show a function's whole course; empty where unsound."""
    if form.kind == "constant":
        return np.zeros(1), np.array([form.value])
    if form.kind == "table":
        if not _is_sound(form):
            return np.empty(0), np.empty(0)
        return np.array(form.x), np.array(form.y)
    if form.kind == "polynomial":
        x = np.linspace(form.x_min, form.x_max, 65)
        y = np.polynomial.polynomial.polyval(x, np.array(form.coefficients))
        return x, y
    x1, y1 = _part(form.first, -np.inf, form.split)
    x2, y2 = _part(form.second, form.split, np.inf)
    return np.concatenate([x1, x2]), np.concatenate([y1, y2])


def _part(form: Any, low: float, high: float) -> tuple[Array, Array]:
    """Sample one of two ranges between its limits, both ends included where they are finite."""
    x, _ = samples(form)
    inside = x[(x > low) & (x < high)]
    ends = [end for end in (low, high) if np.isfinite(end)]
    if form.kind == "constant":
        inside = np.empty(0)
    x = np.unique(np.concatenate([inside, ends]))
    values = [value_at(form, float(v)) for v in x]
    if any(v is None for v in values):
        return np.empty(0), np.empty(0)
    return x, np.array(values, dtype=float)


def last_argument(form: Any) -> float | None:
    """Give the argument beyond which a function stays as it is, None for a constant."""
    if form.kind == "constant":
        return None
    if form.kind == "table":
        return float(form.x[-1]) if form.x else None
    if form.kind == "polynomial":
        return float(form.x_max)
    return float(max(form.split, last_argument(form.second) or form.split))
