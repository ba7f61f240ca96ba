"""One pass of a filter of second order, in compiled code: SciPy's takes a second to be imported."""

from __future__ import annotations

import numpy as np

from solver.engine.jit.kernels import kernel
from solver.engine.signals.series import Array


def passed(forward: Array, back: Array, x: Array, first: float = 0.0) -> Array:
    """Give y = a0 x + a1 x' + a2 x'' - b1 y' - b2 y'' for (a0, a1, a2) and (1, b1, b2), as if x had been `first` always."""
    y = np.empty(len(x))
    _go(forward, back, np.ascontiguousarray(x, float), float(first), y)
    return y


@kernel
def _go(forward: Array, back: Array, x: Array, first: float, y: Array) -> None:
    """Go through a signal; two numbers hold what is yet to come of the samples behind."""
    one = two = 0.0
    if first != 0.0:
        rest = first * (forward[0] + forward[1] + forward[2]) / (1.0 + back[1] + back[2])
        one, two = rest - forward[0] * first, forward[2] * first - back[2] * rest
    for i in range(len(x)):
        y[i] = forward[0] * x[i] + one
        one = forward[1] * x[i] - back[1] * y[i] + two
        two = forward[2] * x[i] - back[2] * y[i]
