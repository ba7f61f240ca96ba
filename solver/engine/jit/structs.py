"""Structs of arrays that kernels take by one pointer; `struct_types` tells Numba how."""

from __future__ import annotations

from typing import TypeVar

from solver.engine.jit.loading import when_loaded

T = TypeVar("T", bound=type)


def struct(cls: T) -> T:
    """Let kernels take a named tuple of arrays, numbers and structs by one pointer."""

    def tell() -> None:
        from solver.engine.jit.struct_types import know

        know(cls)

    when_loaded(tell)
    return cls
