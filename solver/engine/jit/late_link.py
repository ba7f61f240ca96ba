"""Functions that only kernels call: typed and written once, optimized where they are linked in.

Numba optimizes each function together with all that it calls, and makes machine code of that, before
its caller does the same again. What only kernels call needs neither: its caller links what it does,
optimizes all of it once, and makes the only machine code.
"""

from __future__ import annotations

from typing import Any

from numba.core import codegen as _codegen
from numba.core.compiler import CompilerBase, DefaultPassBuilder

_library: Any = _codegen.JITCodeLibrary
_passes: Any = DefaultPassBuilder


class LateLinked(_library):  # type: ignore[misc]
    """What one function does, for those that link it."""

    @property
    def codegen(self) -> Any:
        """Who would note the place of machine code: there is none."""
        return _Nowhere()

    def _optimize_final_module(self) -> None:
        """Leave it to the caller."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Tell that there is no machine code."""
        self._ensure_finalized()
        return 0


class _Nowhere:
    def set_env(self, name: str, env: Any) -> None:
        """Note nothing."""


class ToLink(CompilerBase):
    """Numba's own way of compiling, for another kind of library."""

    def define_pipelines(self) -> list[Any]:
        """Give Numba's passes."""
        state: Any = self.state
        state.library = LateLinked(state.targetctx.codegen(), state.func_id.func_qualname)
        return [_passes.define_nopython_pipeline(state)]
