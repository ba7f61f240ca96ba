"""Rows of numbers as arrays of a given shape, also when there are none."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from solver.engine.dynamics.tree import Array, IntArray


def reals(rows: Iterable[Any], *shape: int) -> Array:
    """Give rows of real numbers, each of a shape."""
    return np.array(list(rows), float).reshape(-1, *shape)


def wholes(rows: Iterable[Any], *shape: int) -> IntArray:
    """Give rows of whole numbers, each of a shape."""
    return np.array(list(rows), np.int64).reshape(-1, *shape)
