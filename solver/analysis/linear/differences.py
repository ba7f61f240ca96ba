"""Derivatives by central differences, with steps that are chosen by the error they leave.

For each direction the difference is taken over h and over h/2, and both together cancel the term in h^2
(Richardson). By how much they differ, and what rounding leaves, tell the error. h begins at 1e-3 and
becomes eight times smaller until that error is small enough, or no longer falls. Where the rates differ to
both sides however short the way, the law has a corner there: the mean of both sides is given, and said.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from solver.engine.dynamics.tree import Array

FIRST, SHORTER, LAST = 1e-3, 8.0, 2e-9
"""The first step, by what part each next one is shorter, and the last."""

ENOUGH = 1e-10
"""Error, in parts of the largest derivative, at which no shorter step is tried."""

ROUNDING = 4e-16
"""Part of the sum's terms by which rates are rounded; what cancels in them is larger, and adds to it."""

CORNER = 1e-5
"""Part of the largest derivative by which those to both sides differ at a corner."""

SMOOTH = 0.75
"""Part of their difference that is left at half the way, above which it does not vanish with the way."""


@dataclass(frozen=True)
class Derivative:
    """Hold one column: derivatives, the error of each, the step, and whether there is a corner."""

    value: Array
    error: Array
    step: float
    corner: bool


def derivative(
    function: Callable[[float], Array], base: Array, scale: float, size: float = 0.0
) -> Derivative:
    """Give the derivative at zero of a function of one number whose natural size is `scale`.

    Errors are measured against its largest entry, or against `size` where that is larger.
    """
    best: Derivative | None = None
    h = FIRST
    while h >= LAST:
        found = _at(function, base, h * scale, size)
        if best is None or found.error.max(initial=0.0) < best.error.max(initial=0.0):
            best = found
        limit = ENOUGH * max(float(np.abs(found.value).max(initial=0.0)), size)
        if best.error.max(initial=0.0) <= limit:
            break
        h /= SHORTER
    assert best is not None
    return best


def _at(function: Callable[[float], Array], base: Array, h: float, size: float) -> Derivative:
    ahead, back = function(h), function(-h)
    near, behind = function(0.5 * h), function(-0.5 * h)
    wide, close = (ahead - back) / (2.0 * h), (near - behind) / h
    value = (4.0 * close - wide) / 3.0
    terms = np.abs(near) + np.abs(behind) + np.abs(base)
    error = np.abs(close - wide) / 3.0 + ROUNDING * terms / h
    apart = np.abs(ahead - 2.0 * base + back) / h
    apart_close = np.abs(near - 2.0 * base + behind) / (0.5 * h)
    largest = max(float(np.abs(value).max(initial=0.0)), size)
    corner = (apart_close > CORNER * largest) & (apart_close > SMOOTH * apart)
    return Derivative(value, error, h, bool(corner.any()))
