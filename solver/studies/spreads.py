"""Ranges and distributions of parameters: their ends, and values by their share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from solver.project.study_parts import (
    AnySpread,
    Lognormal,
    Normal,
    StudyParameter,
    Triangular,
    TruncatedNormal,
    Uniform,
    ends_of,
)
from solver.studies.errors import StudyError
from solver.studies.rows import Array

INNERMOST = 1e-12
"""Shares nearer to 0 or 1 than this are taken for it: distributions without ends have no value at 0 and 1."""


def distribution(spread: AnySpread) -> Any:
    """Give the distribution, frozen, as scipy.stats knows it."""
    # loaded only where it is needed
    from scipy import stats

    match spread:
        case Uniform():
            return stats.uniform(spread.low, spread.high - spread.low)
        case Normal():
            return stats.norm(spread.mean, spread.deviation)
        case TruncatedNormal():
            a = (spread.low - spread.mean) / spread.deviation
            b = (spread.high - spread.mean) / spread.deviation
            return stats.truncnorm(a, b, spread.mean, spread.deviation)
        case Triangular():
            width = spread.high - spread.low
            return stats.triang((spread.mode - spread.low) / width, spread.low, width)
        case Lognormal():
            return stats.lognorm(spread.log_deviation, scale=spread.median)


def _cut(spread: Lognormal, shares: Array) -> Array:
    """Give values of a lognormal distribution between its ends."""
    known = distribution(spread)
    low = 0.0 if spread.low is None else known.cdf(spread.low)
    high = 1.0 if spread.high is None else known.cdf(spread.high)
    return np.asarray(known.ppf(low + shares * (high - low)))


def values_at(parameters: Sequence[StudyParameter], shares: Array) -> Array:
    """Give values (n, d) from shares between 0 and 1 (n, d): the inverse of each cumulative distribution."""
    inner = np.clip(shares, INNERMOST, 1.0 - INNERMOST)
    out = np.empty_like(inner)
    for i, one in enumerate(parameters):
        if isinstance(one.spread, Uniform):
            low, high = one.spread.low, one.spread.high
            # the very ends, where they are asked for
            out[:, i] = low + shares[:, i] * (high - low)
            out[:, i] = np.clip(out[:, i], low, high)
        elif isinstance(one.spread, Lognormal):
            out[:, i] = _cut(one.spread, inner[:, i])
        else:
            out[:, i] = distribution(one.spread).ppf(inner[:, i])
    return out


def ends(parameters: Sequence[StudyParameter]) -> tuple[Array, Array]:
    """Give lower and upper ends; raises StudyError where a parameter has none."""
    low, high = [], []
    for one in parameters:
        found = ends_of(one.spread)
        if found is None:
            raise StudyError("'{name}' has no ends, which this kind needs.", name=one.id)
        low.append(found[0])
        high.append(found[1])
    return np.array(low), np.array(high)
