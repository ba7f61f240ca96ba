"""Functions that only kernels call: compiled once, as parts of their callers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba.core.caching import NullCache

from solver.engine.jit.kernels import inlined, inner, kernel


@inner
def part(x: Any, k: int, factor: float) -> float:
    """Give a part of an array; what is not there is refused."""
    if k >= len(x):
        raise IndexError("there is no such entry")
    return float(x[k] * factor)


@inlined
def twice(x: float) -> float:
    """Double it."""
    return 2.0 * x


@inner
def deeper(x: Any, k: int) -> float:
    """Call others."""
    return twice(part(x, k, 3.0)) + part(x, 0, 1.0)


def whole(x: Any, k: int) -> float:
    """Call them with constants and with what is given."""
    return deeper(x, k) + deeper(x, 1) + part(x, 2, 10.0)


def overloads(function: Any) -> dict[Any, Any]:
    """Give what has been compiled of a function."""
    given: dict[Any, Any] = function.overloads
    return given


@pytest.fixture
def compiled() -> Any:
    """Give the kernel compiled here and now: one from the cache knows nothing of its parts."""
    made: Any = kernel(whole)
    made.dispatcher._cache = NullCache()
    return made


def test_parts_give_what_they_give_in_python(compiled: Any) -> None:
    x = np.array([2.0, 3.0, 5.0, 7.0])
    assert compiled(x, 3) == (42.0 + 2.0) + (18.0 + 2.0) + 50.0


def test_constants_make_no_other_code(compiled: Any) -> None:
    compiled(np.arange(4.0), 3)
    for function in (part, deeper, twice):
        assert len(overloads(function)) == 1, function


def test_parts_have_no_machine_code_of_their_own(compiled: Any) -> None:
    compiled(np.arange(4.0), 3)
    (kernels,), (parts,) = overloads(compiled).values(), overloads(deeper).values()
    for made, has_some in ((kernels, True), (parts, False)):
        place = made.library.get_pointer_to_function(made.fndesc.llvm_func_name)
        assert (place != 0) == has_some


def test_what_a_part_raises_reaches_the_caller(compiled: Any) -> None:
    with pytest.raises(IndexError, match="there is no such entry"):
        compiled(np.arange(4.0), 9)
