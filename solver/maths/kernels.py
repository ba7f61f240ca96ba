"""How kernels are compiled: without the GIL, and cached on the disk for the next start."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba import njit

from solver.kernel_cache import watch
from solver.maths.compiled import BASE, folder_of, read
from solver.maths.linked import ToLink
from solver.maths.typed_first import type_first

F = TypeVar("F", bound=Callable[..., Any])


class BySource:
    """Tell Numba where a function's compiled form is kept: by its module, not by its path or date."""

    def __init__(self, py_func: Any, file: str) -> None:
        self._folder = str(folder_of(Path(file).resolve()))
        self._name = f"{py_func.__code__.co_firstlineno}"

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> BySource | None:
        """Take whoever imports kernels of this package, and leave all other functions to Numba."""
        source = Path(py_file).resolve()
        return cls(py_func, py_file) if source.is_file() and read(source)[1] else None

    def ensure_cache_path(self) -> None:
        """Make the folder."""
        Path(self._folder).mkdir(parents=True, exist_ok=True)

    def get_cache_path(self) -> str:
        """Give the folder."""
        return self._folder

    def get_source_stamp(self) -> str:
        """Say which sources were compiled."""
        return Path(self._folder).name

    def get_disambiguator(self) -> str:
        """Tell functions of one name apart."""
        return self._name


watch(BASE)
_config: Any = numba.config
_config.CACHE_DIR = str(BASE)
_config.CACHE_LOCATOR_CLASSES = f"{__name__}.BySource,UserProvidedCacheLocator"
# loops over three or six entries gain nothing from vectors, and take a fifth longer to compile
_config.LOOP_VECTORIZE = _config.SLP_VECTORIZE = 0
type_first()

_njit: Any = njit
_plain: Any = numba.types.unliteral
_OPTIONS = {"nogil": True, "error_model": "numpy", "_nrt": False, "no_cfunc_wrapper": True}
_PART = {"no_cpython_wrapper": True, "pipeline_class": ToLink}


def _compiled(function: Any, **options: Any) -> Any:
    """Compile a function once for all constants of a type; Numba alone would do so for each of them."""
    made = _njit(**_OPTIONS, **options)(function)
    compile_for = made.compile
    made.compile = lambda given: compile_for(tuple(_plain(one) for one in given))
    return made


def kernel(function: F) -> F:
    """Compile a function that Python and other kernels call."""
    made: F = _compiled(function, cache=True)
    return made


def entry(function: F) -> F:
    """Compile a function that has machine code of its own, but no entry from Python: for `alone`."""
    made: F = _compiled(function, cache=True, no_cpython_wrapper=True)
    return made


def inner(function: F) -> F:
    """Compile a function that only kernels call, as a part of these.

    Without an entry from Python, whose unpacking of many arrays takes longer to compile than most
    functions themselves. A call from Python would crash the process: make it a `kernel` for that.
    """
    made: F = _compiled(function, **_PART)
    return made


def inlined(function: F) -> F:
    """Put a small function's machine code in place of each call; only kernels call it."""
    made: F = _compiled(function, **_PART, forceinline=True)
    return made
