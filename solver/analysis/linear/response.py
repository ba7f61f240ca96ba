"""Answers of linear equations to harmonic inputs: C (i w - A)^-1 B + D."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from solver.analysis.linear.refusal import LinearError
from solver.engine.dynamics.tree import Array

Complex = NDArray[np.complex128]


def frequency_response(
    A: Array, B: Array, C: Array, D: Array, frequencies: Sequence[float] | Array
) -> Complex:
    """Give the answer (frequencies, outputs, inputs) by frequency (Hz)."""
    wanted = np.asarray(frequencies, float)
    if wanted.ndim != 1 or not np.isfinite(wanted).all() or (wanted <= 0.0).any():
        raise LinearError("Frequencies are a row of finite numbers above zero (Hz).")
    out = np.zeros((len(wanted), len(C), B.shape[1]), complex)
    one = np.eye(len(A))
    for k, hz in enumerate(wanted):
        try:
            out[k] = C @ np.linalg.solve(2j * math.pi * hz * one - A, B.astype(complex)) + D
        except np.linalg.LinAlgError:
            raise LinearError(
                "At {hz:.9g} Hz the answer has no bound: an undamped mode lies there.", hz=float(hz)
            ) from None
    return out
