"""Powers of what is not negative: quick where the exponent is a whole or a half number."""

from __future__ import annotations

import math

from solver.engine.jit.kernels import inlined

MOST = 24
"""Twice the exponent up to which a power is multiplied out."""


@inlined
def raised(x: float, e: float) -> float:
    """Give x to the power e, for x of zero or more.

    Shapes of bodies have exponents such as 2.5, 3 or 4: a few products and a root instead of a
    logarithm and an exponential, and right to a few last digits.
    """
    twice = int(2.0 * e)
    if twice != 2.0 * e or twice < 0 or twice > MOST:
        return float(x**e)
    out = math.sqrt(x) if twice % 2 else 1.0
    for _ in range(twice // 2):
        out *= x
    return out
