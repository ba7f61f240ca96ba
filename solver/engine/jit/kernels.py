"""Kernels: functions that are compiled when they are first called, and no earlier."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeVar

from solver.engine.jit.loading import load

F = TypeVar("F", bound=Callable[..., Any])
Kind = Literal["kernel", "entry", "inner", "inlined"]


class Kernel:
    """Stand for a function until it is called, or a kernel that calls it is compiled."""

    def __init__(self, function: Callable[..., Any], kind: Kind) -> None:
        self.py_func, self.kind = function, kind
        self.__name__, self.__doc__ = function.__name__, function.__doc__
        self.__module__ = function.__module__

    def __call__(self, *given: Any) -> Any:
        """Call it, compiled."""
        return self.dispatcher(*given)

    def __getattr__(self, name: str) -> Any:
        """What Numba knows of it: its dispatcher, which is made now, or a part of that, such as its type."""
        if name.startswith("__"):
            raise AttributeError(name)
        if name != "dispatcher":
            return getattr(self.dispatcher, name)
        load()
        from solver.engine.jit.compiling import dispatcher

        # the first thread has made it for all
        return self.__dict__.setdefault("dispatcher", dispatcher(self.py_func, self.kind))


class Part(Kernel):
    """A kernel without an entry from Python, which a call from there would miss as a null pointer."""

    def __call__(self, *given: Any) -> Any:
        """Refuse the call."""
        raise TypeError(
            f"{self.__module__}.{self.__name__} is a part of compiled kernels and has no entry from Python. "
            "Call it in a kernel, or in a function of your own under numba.njit."
        )


def _of_kind(kind: Kind, function: F) -> F:
    made: Any = Kernel(function, kind) if kind == "kernel" else Part(function, kind)
    return made  # type: ignore[no-any-return]


def kernel(function: F) -> F:
    """Compile a function that Python and other kernels call."""
    return _of_kind("kernel", function)


def entry(function: F) -> F:
    """Compile a function that has machine code of its own, but no entry from Python: for `alone`."""
    return _of_kind("entry", function)


def inner(function: F) -> F:
    """Compile a function that only kernels call, as a part of these.

    Without an entry from Python, whose unpacking of many arrays takes longer to compile than most
    functions themselves. A call from Python is refused: make it a `kernel` for that.
    """
    return _of_kind("inner", function)


def inlined(function: F) -> F:
    """Put a small function's machine code in place of each call; only kernels call it."""
    return _of_kind("inlined", function)
