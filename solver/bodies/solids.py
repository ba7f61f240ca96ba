"""Moments of homogeneous solids: ellipsoids, half ellipsoids, and elliptic frusta along z."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from solver.engine.maths.rotation import Array

Section = tuple[float, float]
"""Half depth (x) and half breadth (y) of an elliptic section (m)."""

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(4)
"""Exact for polynomials up to degree seven; a frustum's moments have degree four."""


@dataclass(frozen=True, slots=True)
class Solid:
    """Hold volume (m3), centre along z (m), and second moments of volume about the centre (m5).

    The solid has two planes of symmetry, so that x and y of its centre are zero; `spread` is the
    integral of x2, y2 and z2.
    """

    volume: float
    z: float
    spread: Array


def ellipsoid(a: float, b: float, c: float, z: float = 0.0) -> Solid:
    """Give a whole ellipsoid."""
    volume = 4.0 / 3.0 * math.pi * a * b * c
    return Solid(volume, z, volume / 5.0 * np.array([a, b, c]) ** 2)


def dome(a: float, b: float, height: float, base_z: float) -> Solid:
    """Give the upper half of an ellipsoid (towards -z) on its largest section at `base_z`."""
    volume = 2.0 / 3.0 * math.pi * a * b * height
    own = height**2 / 5.0 - (3.0 / 8.0 * height) ** 2
    spread = volume * np.array([a * a / 5.0, b * b / 5.0, own])
    return Solid(volume, base_z - 3.0 / 8.0 * height, spread)


def frustum(top: Section, bottom: Section, top_z: float, bottom_z: float) -> Solid:
    """Give the solid whose elliptic sections change evenly from `top_z` to `bottom_z` (top_z < bottom_z)."""
    length = bottom_z - top_z
    t = 0.5 * (_NODES + 1.0)
    a = top[0] + t * (bottom[0] - top[0])
    b = top[1] + t * (bottom[1] - top[1])
    weights = 0.5 * length * _WEIGHTS * math.pi * a * b
    volume = float(weights.sum())
    z = top_z + length * t
    centre = float(weights @ z) / volume
    x2, y2 = float(weights @ (a * a)) / 4.0, float(weights @ (b * b)) / 4.0
    return Solid(volume, centre, np.array([x2, y2, float(weights @ (z - centre) ** 2)]))


def together(solids: Iterable[Solid]) -> Solid:
    """Join solids on one axis into one."""
    parts = tuple(solids)
    volume = sum(p.volume for p in parts)
    z = sum(p.volume * p.z for p in parts) / volume
    spread = np.sum(
        [p.spread + np.array([0.0, 0.0, p.volume * (p.z - z) ** 2]) for p in parts], axis=0
    )
    return Solid(volume, z, spread)


def inertia(spread: Array) -> Array:
    """Give the moments of inertia of second moments (of mass: kg*m2) about x, y and z."""
    total: Array = spread.sum() - spread
    return total
