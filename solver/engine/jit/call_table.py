"""The cells in which addresses of kernels stand that are marked `separate`, and the code of calls through them."""

from __future__ import annotations

import ctypes
import hashlib
import inspect
import pickle
import threading
import traceback
from typing import Any

from llvmlite import binding, ir

_GIVES = {"None": "none", "float": "float64", "int": "int64", "bool": "boolean"}
"""What is written in a signature, and what Numba calls it."""
_WORD, _ADDRESS = ir.IntType(64), ir.IntType(8).as_pointer()
_CELL = ir.ArrayType(_WORD, 2)
_FIND = "manikin.find"

_all: dict[str, CallTableEntry] = {}
_lock = threading.RLock()


class CallTableEntry:
    """The address of one kernel, for those who call what stands for it.

    The cell belongs to the types of its first call in a process, and keeps a digest of them; calls
    with others find their way by name, each time.
    """

    def __init__(self, called: Any, kernel: Any) -> None:
        # not above: who imports this module first makes Numba tell it what waits
        from numba import extending, types

        extend: Any = extending
        kinds: Any = types
        function = kernel.py_func
        self.kernel = kernel
        self.name = f"{function.__module__}.{function.__name__}"
        written = function.__annotations__["return"]
        self.gives = _given_back(
            written if isinstance(written, str) else inspect.formatannotation(written)
        )
        self.cell = (ctypes.c_uint64 * 2)()
        self._found: dict[Any, int] = {}
        _all[self.name] = self
        binding.add_symbol(self.name, ctypes.addressof(self.cell))
        extend.type_callable(called)(self._types)
        extend.lower_builtin(called, kinds.VarArg(kinds.Any))(self._call)

    def _types(self, _: Any) -> Any:
        """What types a call: whatever it is given, and what this gives back."""

        def typed(*given: Any) -> Any:
            return self.gives(*given)

        typed.__signature__ = inspect.signature(self.kernel.py_func)  # type: ignore[attr-defined]
        return typed

    def address(self, given: tuple[Any, ...], key: int) -> int:
        """The address of the machine code for arguments of these types."""
        with _lock:
            if given not in self._found:
                self.kernel.compile(given)
                made = self.kernel.overloads[given]
                if made.signature.return_type != self.gives:
                    raise TypeError(f"{self.name} gives {made.signature.return_type}")
                code = made.library.get_pointer_to_function(made.fndesc.llvm_func_name)
                self._found[given] = code
                if self.cell[0] == 0:
                    # anyone who sees the digest sees the address
                    self.cell[1] = code
                    self.cell[0] = key
            return self._found[given]

    def _call(self, context: Any, builder: Any, signature: Any, values: Any) -> Any:
        """Write the call: the cell's address, or what is found where it is not for these types."""
        words = " ".join([self.name, *(t.name for t in signature.args)])
        key = int.from_bytes(hashlib.sha256(words.encode()).digest()[:8], "little") | 1
        module, convention = builder.module, context.call_conv
        cell = module.globals.get(self.name)
        if cell is None:
            cell = ir.GlobalVariable(module, _CELL, self.name)
        where = [ir.IntType(32)(0), ir.IntType(32)(0)]
        # the address is read behind the digest, as it is written before it
        known = builder.load_atomic(builder.gep(cell, where, inbounds=True), "acquire", 8)
        where = [ir.IntType(32)(0), ir.IntType(32)(1)]
        place = builder.load(builder.gep(cell, where, inbounds=True))
        with builder.goto_entry_block():
            code = builder.alloca(_WORD)
        builder.store(place, code)
        with builder.if_then(builder.icmp_unsigned("!=", known, _WORD(key)), likely=False):
            asked = pickle.dumps((self.name, signature.args, key))
            told = context.insert_const_bytes(module, asked)
            kind = ir.FunctionType(_WORD, [_ADDRESS, _WORD])
            find = module.globals.get(_FIND) or ir.Function(module, kind, _FIND)
            found = builder.call(find, [told, _WORD(len(asked))])
            with builder.if_then(builder.icmp_unsigned("==", found, _WORD(0)), likely=False):
                convention.return_user_exc(
                    builder, RuntimeError, (f"The kernel {self.name} could not be compiled.",)
                )
            builder.store(found, code)
        kind = convention.get_function_type(signature.return_type, signature.args)
        function = builder.inttoptr(builder.load(code), kind.as_pointer())
        status, value = convention.call_function(
            builder, function, signature.return_type, signature.args, values
        )
        with builder.if_then(status.is_error, likely=False):
            convention.return_status_propagate(builder, status)
        return value


def _given_back(written: str) -> Any:
    """The type of what is written behind the arrow."""
    from numba import types

    kinds: Any = types
    if not written.startswith("tuple["):
        return getattr(kinds, _GIVES[written])
    return kinds.BaseTuple.from_types(
        [getattr(kinds, _GIVES[part]) for part in written[6:-1].split(", ")]
    )


def _find(asked: int, length: int) -> int:
    """Find the address that a caller asks for; 0 where compiling fails, which is printed."""
    try:
        name, given, key = pickle.loads(ctypes.string_at(asked, length))
        return _all[name].address(given, key)
    except BaseException:  # noqa: BLE001 (nothing may be raised through machine code)
        traceback.print_exc()
        return 0


_entry = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p, ctypes.c_uint64)(_find)
binding.add_symbol(_FIND, ctypes.cast(_entry, ctypes.c_void_p).value)
