"""How Numba compiles kernels: without the GIL, and cached on the disk for the next start."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numba
from numba import njit
from numba.core.caching import FunctionCache

from solver.engine.jit.compiled import BASE, folder_of, read
from solver.engine.jit.kernel_cache import watch
from solver.engine.jit.late_link import ToLink
from solver.engine.jit.typing_order import type_first


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
_cache: Any = FunctionCache
_plain: Any = numba.types.unliteral
_OPTIONS = {"nogil": True, "error_model": "numpy", "_nrt": False, "no_cfunc_wrapper": True}
_PART = {"no_cpython_wrapper": True, "pipeline_class": ToLink}
_KINDS: dict[str, dict[str, Any]] = {
    "kernel": {"cache": True},
    "entry": {"cache": True, "no_cpython_wrapper": True},
    "inner": _PART,
    "inlined": {**_PART, "forceinline": True},
}


class Kept(_cache):  # type: ignore[misc]
    """The compiled forms of one function on the disk."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load one; not all that Numba can compile, as it does itself: half a second, for what is compiled already."""
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)


def dispatcher(function: Any, kind: str) -> Any:
    """Compile a function once for all constants of a type; Numba alone would do so for each of them."""
    made = _njit(**_OPTIONS, **_KINDS[kind])(function)
    if _KINDS[kind].get("cache"):
        made._cache = Kept(function)
    compile_for = made.compile
    made.compile = lambda given: compile_for(tuple(_plain(one) for one in given))
    return made
