"""Functions that only kernels call: compiled once, as parts of their callers."""

from __future__ import annotations

import importlib
import os
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core.caching import NullCache

from solver import engine
from solver.engine.jit.kernels import Kernel, SeparatelyCompiled, inlined, inner, kernel


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


def without_entry() -> Iterator[Any]:
    """Give all functions of the engine that Python cannot call."""
    for one in pkgutil.walk_packages(engine.__path__, f"{engine.__name__}."):
        for found in vars(importlib.import_module(one.name)).values():
            if isinstance(found, Kernel | SeparatelyCompiled) and found.__module__ == one.name:
                own = found.kernel if isinstance(found, SeparatelyCompiled) else found
                if own.kind != "kernel":
                    yield found


def test_a_part_called_from_python_is_refused_by_name() -> None:
    refused = 0
    for one in without_entry():
        with pytest.raises(
            TypeError, match=rf"{one.__name__} is a part of .* no entry from Python"
        ):
            one()
        refused += 1
    assert refused > 500


CALLS = """
import random
from tests.engine.test_linked import numbers, without_entry
drawn = [one for one in without_entry() if numbers(one) is not None]
for one in random.Random(46).sample(drawn, 20):
    try:
        one(*numbers(one))
    except TypeError as refused:
        print("no entry from Python" in str(refused), one.__name__, flush=True)
"""


def numbers(function: Any) -> list[Any] | None:
    """Give arguments of a function that takes nothing but numbers and tuples of these."""
    values: dict[str, Any] = {
        "float": 0.5, "int": 1, "Three": (1.0, 2.0, 3.0), "Quaternion": (1.0, 0.0, 0.0, 0.0),
        "Symmetric": (2.0, 2.0, 2.0, 0.0, 0.0, 0.0),
        "Matrix": (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0),
    }  # fmt: skip
    written = [w for name, w in function.py_func.__annotations__.items() if name != "return"]
    return [values[one] for one in written] if values.keys() >= set(written) else None


def test_no_such_call_ends_the_process() -> None:
    """With arguments of its types each would be compiled, and then called at the address 0."""
    root = Path(__file__).parent.parent.parent
    done = subprocess.run(
        [sys.executable, "-c", CALLS], cwd=root, env=os.environ | {"PYTHONPATH": str(root)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{done.returncode} behind {done.stdout.splitlines()[-1:]}"
    assert [line.split()[0] for line in done.stdout.splitlines()] == 20 * ["True"]
