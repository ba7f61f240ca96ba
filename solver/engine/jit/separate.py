"""Kernels that are compiled each on its own, and are called through their address; `call_table` tells Numba how.

Numba links what a kernel calls into it and generates all of that code again, at each level. One that is
marked `separate` is not linked: its caller reads the address from a cell, and asks for it at the first call in a
process. What is never called is never compiled.
"""

from __future__ import annotations

from typing import Any, TypeVar

from solver.engine.jit.kernels import entry
from solver.engine.jit.loading import when_loaded

F = TypeVar("F")
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
