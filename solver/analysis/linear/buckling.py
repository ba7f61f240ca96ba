"""Buckling: by how much loads may grow until the first frequency is zero.

The stiffness of small motions about a pose that the loads leave as it is grows in proportion to them:
K(f) = K0 + f K1, where K0 is without the loads and K1 what their whole size adds. Frequencies are zero where
K0 y = -f K1 y, an eigenvalue problem; the smallest f above zero is the load factor. The model is then
linearised once more under that load, and its lowest frequency there is given as the proof.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from solver.analysis.linear.linearising import AT_REST_G, Linear, linearise
from solver.analysis.linear.refusal import LinearError
from solver.analysis.linear.standing import Standing
from solver.engine.dynamics.tree import Array
from solver.project.problems import did_you_mean
from solver.running.course import Course

REAL = 1e-6
"""Part of a factor's size up to which an imaginary part is one of rounding."""

MOVES = 1e-6
"""Acceleration that the loads may give, in parts of the stiffness that they change; more bends the pose."""


@dataclass(frozen=True)
class Buckling:
    """Hold load factors in order of size, the first mode's shape, and the proof."""

    factor: float
    factors: tuple[float, ...]
    shape: Array = field(repr=False)
    """Displacement and turn of each segment (segments, 6), ground axes; the largest component is 1."""
    segments: tuple[str, ...]
    lowest_hz: float
    """Lowest frequency under the loads at the factor."""
    unloaded_hz: float
    """Lowest frequency without them."""
    linear: Linear = field(repr=False)
    """The model under the loads at the factor."""


def buckling(course: Course, loads: Sequence[str], *, still: bool = False) -> Buckling:
    """Give the factors on the named loads at which small motions have no stiffness; the course must not go on."""
    standing = Standing(course, still=still)
    known = [load.id for load in standing.model.project.loads]
    for name in loads:
        if name not in known:
            hint = did_you_mean(name, known)
            raise LinearError("There is no load '{name}'. {hint}", name=name, hint=hint or "")
    if not loads:
        raise LinearError("Name the loads that grow until something buckles.")
    rows = [known.index(name) for name in loads]
    standing.scaled(rows, 0.0)
    without = linearise(standing)
    standing.scaled(rows, 1.0)
    whole = linearise(standing)
    if len(without.mass) == 0:
        raise LinearError("Nothing is free to move here: nothing can buckle.")
    if max(float(np.abs(one.rates).max(initial=0.0)) for one in (without, whole)) > AT_REST_G:
        raise LinearError(
            "The model is not at rest both without and with these loads: they bend it, and their factor follows from no eigenvalue. Give joints that the loads bend no freedom there, or settle it first."
        )
    K0 = without.stiffness
    K1 = whole.stiffness - K0
    from scipy.linalg import eig

    values, vectors = eig(K0, -K1)
    found = [
        (float(v.real), vectors[:, k].real)
        for k, v in enumerate(values)
        if np.isfinite(v) and v.real > 0.0 and abs(v.imag) <= REAL * abs(v)
    ]
    found.sort(key=lambda one: one[0])
    largest = 1e9
    found = [one for one in found if one[0] < largest]
    if not found:
        raise LinearError(
            "These loads take no stiffness away: nothing buckles however large they are."
        )
    factor, y = found[0]
    standing.scaled(rows, factor)
    at = linearise(standing)
    way = at.directions @ y
    turning, moving = standing.centres()
    bodies = [standing.model.trees.body_of[name] for name in at.segments]
    shape = np.concatenate([moving[bodies] @ way, turning[bodies] @ way], axis=1)
    largest_part = shape.ravel()[int(np.argmax(np.abs(shape)))]
    return Buckling(
        factor=factor,
        factors=tuple(one[0] for one in found),
        shape=shape / largest_part,
        segments=at.segments,
        lowest_hz=_lowest(at),
        unloaded_hz=_lowest(without),
        linear=at,
    )


def _lowest(linear: Linear) -> float:
    return min((mode.frequency_hz for mode in linear.modes), default=0.0)
