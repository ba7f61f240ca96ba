"""How kernels are compiled: once for all machines alike, cached on the disk, without the GIL."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

F = TypeVar("F", bound=Callable[..., Any])

_njit: Any = njit
_OPTIONS = {"cache": True, "nogil": True, "error_model": "numpy"}


def kernel(function: F) -> F:
    """Compile a function that Python and other kernels call."""
    compiled: F = _njit(**_OPTIONS, no_cfunc_wrapper=True)(function)
    return compiled


def inner(function: F) -> F:
    """Compile a function that only kernels call.

    Without an entry from Python, whose unpacking of many arrays takes longer to compile than most
    functions themselves. A call from Python would crash the process: make it a `kernel` for that.
    """
    compiled: F = _njit(**_OPTIONS, no_cfunc_wrapper=True, no_cpython_wrapper=True)(function)
    return compiled


def inlined(function: F) -> F:
    """Put a small function's body in place of each call."""
    compiled: F = _njit(**_OPTIONS, inline="always")(function)
    return compiled
