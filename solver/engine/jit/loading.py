"""When Numba learns of our kernels: as soon as it is there, anyone who asked for it first.

Loading Numba takes half a second, so nothing here does until a kernel is called or compiled. Where another module
imports it, before or after us, a function of its own may call our kernels: then Numba has to know of them before that
function is compiled. So it is told at once where it is loaded already, and at the end of its own import otherwise.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from typing import Any

_waiting: list[Callable[[], object]] = []
_lock = threading.RLock()
_is_loaded = False


def load() -> None:
    """Load Numba and tell it what waits for it; threads that ask meanwhile wait too."""
    global _is_loaded
    if _is_loaded:
        return
    # not under the lock: another thread may be importing it, and takes the lock at the end of that
    import numba  # noqa: F401

    with _lock:
        if not _is_loaded:
            from solver.engine.jit import compiling  # noqa: F401 (sets Numba up)

            for tell in _waiting:
                tell()
            _waiting.clear()
            _is_loaded = True


def when_loaded(tell: Callable[[], object]) -> None:
    """Tell it something as soon as it is there."""
    with _lock:
        if _is_loaded:
            tell()
        else:
            _waiting.append(tell)


class _AtImport(MetaPathFinder):
    """A finder that calls `load` at the end of Numba's own import.

    It stays: many only ask where Numba is, and import it later or not at all.
    """

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:
        """Find Numba as the other finders do."""
        if fullname != "numba":
            return None
        others = (one for one in sys.meta_path if one is not self)
        found = (one.find_spec(fullname, path, target) for one in others)
        spec = next((one for one in found if one is not None), None)
        if spec is not None and spec.loader is not None:
            loader: Any = spec.loader
            run = loader.exec_module

            def run_and_load(module: object) -> None:
                run(module)
                load()

            loader.exec_module = run_and_load
        return spec


if "numba" in sys.modules:
    load()
else:
    sys.meta_path.insert(0, _AtImport())
