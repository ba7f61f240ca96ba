"""Copies between arrays of one shape, without the room that an assignment of arrays may take."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.engine.jit.kernels import inner

Array = NDArray[np.float64]


@inner
def copy(target: Array, source: Array) -> None:
    """Copy a row of numbers."""
    for i in range(len(target)):
        target[i] = source[i]


@inner
def copy_rows(target: Array, source: Array) -> None:
    """Copy a table of numbers."""
    for i in range(target.shape[0]):
        for k in range(target.shape[1]):
            target[i, k] = source[i, k]
