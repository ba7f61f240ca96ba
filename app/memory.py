"""Give memory back to the system: the C library of Linux keeps what has been freed, often for good."""

from __future__ import annotations

import ctypes
import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

_TRIM, _MMAP, _ARENAS = -1, -3, -8
"""Names of what mallopt sets: M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX."""
_LARGE = 2**20
"""Blocks of so many bytes, such as the tables of a run, are the system's again once they are freed."""


def hold_little() -> None:
    """Let large blocks go back at once, and let all threads share what small ones are cut from."""
    library = _library()
    if library is not None:
        for name, value in ((_MMAP, _LARGE), (_TRIM, 16 * _LARGE), (_ARENAS, 2)):
            library.mallopt(name, value)


def give_back() -> None:
    """Give back now what is free; takes some 10 ms."""
    library = _library()
    if library is not None:
        library.malloc_trim(0)


@contextmanager
def kept_for_good() -> Iterator[None]:
    """Look for no rubbish meanwhile, and never again in what is made: modules and the window stay.

    The program holds a million objects, and each look through all of them stops it for a tenth of a second.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_on:
            gc.enable()


def look_for_rubbish() -> None:
    """Look through the oldest generation of which enough is new."""
    counts, limits = gc.get_count(), gc.get_threshold()
    for generation in (2, 1, 0):
        if counts[generation] > limits[generation]:
            gc.collect(generation)
            return


@cache
def _library() -> Any:
    """Give glibc; None on other systems, which give memory back by themselves."""
    if sys.platform != "linux":
        return None
    library = ctypes.CDLL(None)
    return library if hasattr(library, "malloc_trim") and hasattr(library, "mallopt") else None
