"""What makes a function a kernel, compiled when it is first called and no earlier, and a record a struct of one pointer.

Numba links what a kernel calls into it and generates all of that code again, at each level. One that is
marked `separate` is not linked: its caller reads the address from a cell, and asks for it at the first call in a
process. What is never called is never compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeVar

from solver.engine.jit.loading import load, when_loaded

# Kernels: functions that are compiled when they are first called, and no earlier.

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


# Structs of arrays that kernels take by one pointer; `struct_types` tells Numba how.

T = TypeVar("T", bound=type)


def struct(cls: T) -> T:
    """Let kernels take a named tuple of arrays, numbers and structs by one pointer."""

    def tell() -> None:
        from numba import extending

        extend: Any = extending

        def type_here(value: Any, _: Any) -> Any:
            # not before a value is seen: who imports this module first makes Numba tell it what waits
            from solver.engine.jit.struct_types import type_of

            return type_of(cls, value)

        extend.typeof_impl.register(cls)(type_here)

    when_loaded(tell)
    return cls


# Kernels that are compiled each on its own, and are called through their address; `call_table` tells Numba how.

marked: list[SeparatelyCompiled] = []
"""All of them, in the order in which their modules were imported."""


class SeparatelyCompiled:
    """Stand for one kernel wherever it is called."""

    def __init__(self, kernel: Any) -> None:
        function = kernel.py_func
        self.kernel, self.__name__, self.py_func = kernel, function.__name__, function
        self.__module__ = function.__module__
        marked.append(self)
        when_loaded(self._tell)

    def _tell(self) -> None:
        from solver.engine.jit.call_table import CallTableEntry

        self.cell = CallTableEntry(self, self.kernel)

    def __call__(self, *given: Any) -> Any:
        """Call it from Python, which only a `kernel` allows."""
        return self.kernel(*given)

    def compile(self, given: tuple[Any, ...]) -> None:
        """Compile it for arguments of these types, into the cache."""
        self.kernel.compile(given)


def separate(kernel: F) -> F:
    """Let other kernels call a function through its address; Python may where it stands above `kernel`.

    What it gives back has to be written as None, float, int or bool, or as a tuple of these.
    """
    own: Any = kernel
    made: Any = SeparatelyCompiled(own if hasattr(own, "py_func") else entry(own))
    return made  # type: ignore[no-any-return]
