"""Powers of shapes: multiplied out they are those of the library, for whole, half and other exponents."""

from __future__ import annotations

import numpy as np
import pytest

from solver.engine.jit.kernels import kernel
from solver.engine.maths.hyperellipsoids import MOST, raised
from tests.rows import rows


@kernel
def power(x: float, e: float) -> float:
    return raised(x, e)


@rows("exponent", [*np.arange(0.0, 0.5 * MOST + 1.0, 0.5), 0.3, 2.2, 7.77, 31.0])
def test_a_power_is_that_of_the_library(exponent: float) -> None:
    for x in (0.0, 1e-9, 0.3, 1.0, 1.7, 40.0):
        assert power(x, float(exponent)) == pytest.approx(x**exponent, rel=2e-15 * (1.0 + exponent))
