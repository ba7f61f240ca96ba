"""How kernels are compiled: without the GIL, and cached on the disk for the next start.

The cache's folder is named after all that goes into it. Numba alone would run the old code of a
changed kernel from the cache of an unchanged one that calls it. As the folder's name vouches for the
sources, the cache is good for every place and time at which they are installed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba import njit

from solver.kernel_cache import watch
from solver.places import user_cache

F = TypeVar("F", bound=Callable[..., Any])

ROOMS = ("maths", "dynamics", "forces", "integrate")
"""Packages that hold kernels."""

KEPT = 3
"""Caches of other versions that are kept, besides those of the last day."""

_DAY_S = 86_400.0


def fingerprint() -> str:
    """Name the state of all kernels: their sources, and what compiles them."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    solver = Path(__file__).resolve().parent.parent
    for room in ROOMS:
        for source in sorted((solver / room).glob("*.py")):
            digest.update(f"{room}/{source.name}".encode())
            digest.update(source.read_bytes())
    return digest.hexdigest()[:20]


def cache_folder() -> Path:
    """Give the folder of compiled kernels in their present state; it may not exist yet."""
    base = os.environ.get("NUMBA_CACHE_DIR")
    return (Path(base) if base else user_cache() / "kernels") / fingerprint()


def are_compiled() -> bool:
    """Say whether the kernels have been compiled on this machine in their present state."""
    return (FOLDER / "complete").exists()


def mark_compiled() -> None:
    """Note that all kernels are in the cache, and clear out those of other versions."""
    if are_compiled():
        return
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / "complete").touch()
    others = [f for f in FOLDER.parent.iterdir() if f.is_dir() and f != FOLDER]
    others = [f for f in others if len(f.name) == len(FOLDER.name)]
    for old in sorted(others, key=_age_s)[KEPT:]:
        if _age_s(old) > _DAY_S:
            shutil.rmtree(old, ignore_errors=True)


def _age_s(folder: Path) -> float:
    try:
        return time.time() - folder.stat().st_mtime
    except FileNotFoundError:
        return 0.0


class BySource:
    """Tell Numba where a function's compiled form is kept: by its module, not by its path or date."""

    def __init__(self, py_func: Any, file: str) -> None:
        self._folder = str(FOLDER / Path(file).parent.name)
        self._name = f"{py_func.__code__.co_firstlineno}"

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> BySource | None:
        """Take the kernels of this package, and leave all other functions to Numba."""
        solver = Path(__file__).resolve().parent.parent
        is_ours = Path(py_file).resolve().parent in {solver / room for room in ROOMS}
        return cls(py_func, py_file) if is_ours else None

    def ensure_cache_path(self) -> None:
        """Make the folder."""
        Path(self._folder).mkdir(parents=True, exist_ok=True)

    def get_cache_path(self) -> str:
        """Give the folder."""
        return self._folder

    def get_source_stamp(self) -> str:
        """Say which sources were compiled."""
        return FOLDER.name

    def get_disambiguator(self) -> str:
        """Tell functions of one name apart."""
        return self._name


FOLDER = cache_folder()
watch(FOLDER)
_config: Any = numba.config
_config.CACHE_DIR = str(FOLDER)
_config.CACHE_LOCATOR_CLASSES = f"{__name__}.BySource,UserProvidedCacheLocator"
# loops over three or six entries gain nothing from vectors, and take a fifth longer to compile
_config.LOOP_VECTORIZE = _config.SLP_VECTORIZE = 0
# a coloured terminal is looked for at each try to match a type
_config.DISABLE_ERROR_MESSAGE_HIGHLIGHTING = 1

_njit: Any = njit
_OPTIONS = {"cache": True, "nogil": True, "error_model": "numpy", "_nrt": False}


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
