"""How Numba compiles kernels: without the GIL, and cached on the disk for the next start.

What is set for all of Numba leaves functions of others as they would be without us: the rules of `_rule` come to
the same types, and `BySource` leaves each function to Numba whose module imports none of our kernels.

Numba keeps compiled code as pickles. A damaged one ends in any exception, or is run as it is. Here a
checksum stands behind each pickle, which `pickle` itself does not read; a file without one is as good as damaged, for
damage may have hit the checksum too. What came with the package is looked for first, and stays as it is.

Numba optimizes each function together with all that it calls, and makes machine code of that, before
its caller does the same again. What only kernels call needs neither: its caller links what it does,
optimizes all of it once, and makes the only machine code.

For each `a + b` and each `x[i, j]` Numba tries all that it knows of arrays, lists and strings before
numbers: a sixth of the time that compiling takes. The rules here stand before them for numbers and
for single entries of arrays, with the same outcome.
"""

from __future__ import annotations

import contextlib
import hashlib
import operator
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba
from numba import njit
from numba import types as _types
from numba.core import codegen as _codegen
from numba.core import typed_passes, untyped_passes
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.compiler import CompilerBase
from numba.core.compiler_machinery import PassManager
from numba.core.registry import cpu_target as _target
from numba.core.typing import templates as _templates

from solver.engine.jit.compiled import folder_of, read, shipped_folder_of
from solver.engine.jit.level import use

# Trust compiled kernels only as far as their checksums: what is damaged is compiled again.

MARK = b"manikin-sha256:"
"""Before the checksum at the end of a file."""
_LENGTH = len(MARK) + hashlib.sha256().digest_size


def is_sound(file: Path) -> bool:
    """Whether a file of the cache is what was written."""
    content = file.read_bytes()
    return content[-_LENGTH:] == seal(content[:-_LENGTH])


def seal(content: bytes) -> bytes:
    """What stands behind a file's content."""
    return MARK + hashlib.sha256(content).digest()


# Functions that only kernels call: typed and written once, optimized where they are linked in.

_library: Any = _codegen.JITCodeLibrary
_untyped: Any = untyped_passes
_typed: Any = typed_passes
_manager: Any = PassManager


class Linked(_library):  # type: ignore[misc]
    """What one function does, with all that it calls."""

    def _optimize_functions(self, module: Any) -> None:
        """Leave out what is only named here and stands elsewhere: Numba would make ready to optimize that, too."""
        module.data_layout = self._codegen._data_layout
        passes, builder = self._codegen._function_pass_manager()
        for function in module.functions:
            if not function.is_declaration:
                passes.run(function, builder)


class LateLinked(Linked):
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


class Passes(_manager):  # type: ignore[misc]
    """Those of Numba's passes that have something to do in a kernel, without a note of each for those who look on.

    The others look for closures, loops in parallel, sums of whole arrays, and what depends on the values of constants.
    A kernel that had such would not compile.
    """

    def __init__(self) -> None:
        super().__init__("kernels")
        for one in (
            _untyped.TranslateByteCode, _untyped.FixupArgs, _untyped.IRProcessing,
            _untyped.RewriteSemanticConstants, _untyped.DeadBranchPrune, _untyped.GenericRewrites,
            _untyped.RewriteDynamicRaises, _untyped.ReconstructSSA, _typed.NopythonTypeInference,
            _typed.PreLowerStripPhis, _typed.IRLegalization, _typed.AnnotateTypes, _typed.NativeLowering,
            _typed.NoPythonBackend,
        ):  # fmt: skip
            self.add_pass(one, one.__name__)
        self.finalize()

    def _runPass(self, index: int, one: Any, state: Any) -> None:
        one.analysis = self._analysis
        one.run_initialization(state)
        one.run_pass(state)
        one.run_finalizer(state)


class Whole(CompilerBase):
    """How a kernel is compiled that has machine code of its own."""

    kind: Any = Linked

    def define_pipelines(self) -> list[Any]:
        """Give the passes."""
        state: Any = self.state
        state.library = self.kind(state.targetctx.codegen(), state.func_id.func_qualname)
        if self.kind is Linked:
            state.library.enable_object_caching()
        return [Passes()]


class ToLink(Whole):
    """How one is that only kernels call."""

    kind = LateLinked


# What kernels are made of, typed at the first try.

_t: Any = _types
_rules: Any = _templates
_REAL, _WHOLE, _TRUTH, _NOTHING = _t.float64, _t.int64, _t.boolean, _t.none

_RESULT = {
    (operator.add, operator.iadd, operator.sub, operator.isub, operator.mul, operator.imul): _WHOLE,
    (operator.truediv, operator.itruediv): _REAL,
    (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne): _TRUTH,
}
"""What comes of two whole numbers."""


def _rule(operation: Any, base: type, **parts: Any) -> None:
    """Let one rule stand before Numba's for an operation: what is of one machine comes first there."""
    _rules.infer_global(operation)(type("First", (base,), {"metadata": {"target": "cpu"}, **parts}))


class _Numbers(_templates.AbstractTemplate):
    """Two numbers of one kind or of both."""

    whole: Any
    real: Any

    def generic(self, args: Any, kws: Any) -> Any:
        a, b = args
        if a is _WHOLE and b is _WHOLE:
            return self.whole
        if (a is _REAL or a is _WHOLE) and (b is _REAL or b is _WHOLE):
            return self.real
        return None


def _is_entry(array: Any, index: Any) -> bool:
    """Whether an index names one entry."""
    if not isinstance(array, _t.Array):
        return False
    if array.ndim == 1 and index is _WHOLE:
        return True
    return isinstance(index, _t.UniTuple) and index.dtype is _WHOLE and index.count == array.ndim


class _Read(_templates.AbstractTemplate):
    """One entry of an array."""

    def generic(self, args: Any, kws: Any) -> Any:
        array, index = args
        return array.dtype(array, index) if _is_entry(array, index) else None


class _Write(_templates.AbstractTemplate):
    """One number into an array of such."""

    def generic(self, args: Any, kws: Any) -> Any:
        array, index, value = args
        if not _is_entry(array, index) or not array.mutable or value is not array.dtype:
            return None
        return _NOTHING(array, index, value)


def type_first() -> None:
    """Let these rules stand before Numba's."""
    for operations, of_whole in _RESULT.items():
        of_real = _TRUTH if of_whole is _TRUTH else _REAL
        for operation in operations:
            _rule(
                operation,
                _Numbers,
                whole=of_whole(_WHOLE, _WHOLE),
                real=of_real(_REAL, _REAL),
            )
    _rule(operator.getitem, _Read)
    _rule(operator.setitem, _Write)


class BySource:
    """Tell Numba where a function's compiled form is kept: by its module, not by its path or date."""

    def __init__(self, py_func: Any, file: str) -> None:
        self._folder = str(folder_of(Path(file).resolve()))
        self._name = f"{py_func.__code__.co_firstlineno}"

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> BySource | None:
        """Take anyone who imports kernels of this package, and leave all other functions to Numba."""
        source = Path(py_file).resolve()
        return cls(py_func, py_file) if source.is_file() and read(source)[1] else None

    def ensure_cache_path(self) -> None:
        """Make the folder."""
        Path(self._folder).mkdir(parents=True, exist_ok=True)

    def get_cache_path(self) -> str:
        """The folder."""
        return self._folder

    def get_source_stamp(self) -> str:
        """Say which sources were compiled."""
        return Path(self._folder).name

    def get_disambiguator(self) -> str:
        """Tell functions of one name apart."""
        return self._name


_config: Any = numba.config
_cache: Any = FunctionCache
_others = _config.CACHE_LOCATOR_CLASSES or ",".join(
    f"{one.__module__}.{one.__name__}" for one in _cache._impl_class._locator_classes
)
_config.CACHE_LOCATOR_CLASSES = f"{__name__}.BySource,{_others}"
type_first()
use(_config, vars(_target).get("_toplevel_target_context"))

_njit: Any = njit
_plain: Any = numba.types.unliteral
_OPTIONS = {"nogil": True, "error_model": "numpy", "_nrt": False, "no_cfunc_wrapper": True}
_PART = {"no_cpython_wrapper": True, "pipeline_class": ToLink}
_KINDS: dict[str, dict[str, Any]] = {
    "kernel": {"cache": True, "pipeline_class": Whole},
    "entry": {"cache": True, "no_cpython_wrapper": True, "pipeline_class": Whole},
    "inner": _PART,
    "inlined": {**_PART, "forceinline": True},
}


_files: Any = IndexDataCacheFile


class SealedFiles(_files):  # type: ignore[misc]
    """The files of one kernel: an index, and one file for each set of types; what is damaged is not there."""

    def _load_index(self) -> Any:
        return self._if_sound(self._index_path, super()._load_index, {})

    def _load_data(self, name: str) -> Any:
        return self._if_sound(
            self._data_path(name), lambda: super(SealedFiles, self)._load_data(name), None
        )

    def _save_index(self, overloads: Any) -> None:
        self._seal(self._index_path, lambda: super(SealedFiles, self)._save_index(overloads))

    def _save_data(self, name: str, data: Any) -> None:
        self._seal(self._data_path(name), lambda: super(SealedFiles, self)._save_data(name, data))

    def _if_sound(self, path: str, read: Callable[[], Any], missing: Any) -> Any:
        file = Path(path)
        try:
            if not file.exists() or is_sound(file):
                return read()
        except Exception:  # noqa: BLE001 (a damaged pickle raises anything)
            pass
        self._remove(file)
        return missing

    def _remove(self, file: Path) -> None:
        with contextlib.suppress(OSError):
            file.unlink()

    def _seal(self, path: str, save: Callable[[], None]) -> None:
        # without room for it the kernel is there all the same, for this time
        with contextlib.suppress(OSError):
            save()
            content = Path(path).read_bytes()
            with self._open_for_write(path) as out:
                out.write(content + seal(content))


class ShippedFiles(SealedFiles):
    """Those that came with the package, which are only read."""

    def _remove(self, file: Path) -> None:
        """Leave it."""


class Kept(_cache):  # type: ignore[misc]
    """The compiled forms of one function on the disk."""

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        shipped = shipped_folder_of(Path(function.__code__.co_filename).resolve())
        names = self._impl.filename_base, self._impl.locator.get_source_stamp()
        self._cache_file = SealedFiles(self.cache_path, *names)
        self._shipped = ShippedFiles(str(shipped), *names) if shipped.is_dir() else None

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load one; not all that Numba can compile, as it does itself: half a second, for what is compiled already."""
        with self._guard_against_spurious_io_errors():
            if self._shipped is not None:
                key = self._index_key(sig, target_context.codegen())
                found = self._shipped.load(key)
                if found is not None:
                    return self._impl.rebuild(target_context, found)
            return self._load_overload(sig, target_context)


class _Vectorizers:
    """Numba's vectorizers, off while kernels are compiled and as before for everything else.

    Loops over three or six entries gain nothing from vectors, and take a fifth longer to compile. Their switches are
    one for all of Numba; so the first kernel on its way puts them off, and the last one puts them back.
    """

    def __init__(self) -> None:
        self._lock, self._kernels = threading.Lock(), 0
        self._before = (0, 0)

    @contextmanager
    def off(self) -> Iterator[None]:
        """Compile a kernel meanwhile."""
        with self._lock:
            if self._kernels == 0:
                self._before = _config.LOOP_VECTORIZE, _config.SLP_VECTORIZE
                _config.LOOP_VECTORIZE = _config.SLP_VECTORIZE = 0
            self._kernels += 1
        try:
            yield
        finally:
            with self._lock:
                self._kernels -= 1
                if self._kernels == 0:
                    _config.LOOP_VECTORIZE, _config.SLP_VECTORIZE = self._before


_vectorizers = _Vectorizers()


def dispatcher(function: Any, kind: str) -> Any:
    """Compile a function once for all constants of a type; Numba alone would do so for each of them."""
    made = _njit(**_OPTIONS, **_KINDS[kind])(function)
    if _KINDS[kind].get("cache"):
        made._cache = Kept(function)
    compile_for = made.compile

    def compile_so(given: Any) -> Any:
        with _vectorizers.off():
            return compile_for(tuple(_plain(one) for one in given))

    made.compile = compile_so
    return made
