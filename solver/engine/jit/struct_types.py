"""What Numba has to know of structs, the named tuples of arrays that kernels take by one pointer.

Numba passes a tuple as all of its parts: a model of hundreds of arrays as thousands of arguments at
every call, which takes minutes to compile. A class marked `struct` is passed as the address of one
block of words instead: for an array what Numba keeps of it; for a number its value; for a struct in
a struct its own words in place. The block is written at the entry from Python, lives as
long as the call, and does not change; only what the arrays hold does.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numba
from llvmlite import ir
from numba import types as _types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    models,
    register_model,
    unbox,
)

_WORD, _BIT, _ADDRESS = ir.IntType(64), ir.IntType(1), ir.IntType(8).as_pointer()
_ADAPT = "numba_adapt_ndarray"


class StructType(_types.Type):
    """The type of a struct: its class, and the types of its parts."""

    def __init__(self, cls: type, parts: tuple[Any, ...]) -> None:
        self.cls, self.parts = cls, parts
        self.names: tuple[str, ...] = getattr(cls, "_fields")  # noqa: B009
        self.words = sum(_words(part) for part in parts)
        words = (cls.__module__, cls.__qualname__, *(part.name for part in parts))
        digest = hashlib.sha256(" ".join(words).encode()).hexdigest()
        # types are hashed and compared by their names, again and again
        super().__init__(name=f"{cls.__name__}_{digest[:12]}")

    def part(self, name: str) -> tuple[Any, int]:
        """A part's type, and the number of words before it."""
        place = self.names.index(name)
        return self.parts[place], sum(_words(part) for part in self.parts[:place])


def _words(part: Any) -> int:
    """Count the words of one part."""
    if isinstance(part, StructType):
        return part.words
    return 5 + 2 * part.ndim if isinstance(part, _types.Array) else 1


def type_of(cls: type, value: Any) -> StructType:
    """The type of a value of a marked class."""
    return StructType(cls, tuple(numba.typeof(part) for part in value))


@register_model(StructType)
class _Address(models.PrimitiveModel):
    """A struct in a kernel: an address."""

    def __init__(self, manager: Any, kind: StructType) -> None:
        super().__init__(manager, kind, _ADDRESS)


@infer_getattr
class _Parts(AttributeTemplate):
    """Which type `struct.name` has."""

    key = StructType

    def generic_resolve(self, kind: StructType, name: str) -> Any:  # type: ignore[override]
        return kind.part(name)[0] if name in kind.names else None


@lower_getattr_generic(StructType)
def _read(context: Any, builder: Any, kind: StructType, address: Any, name: str) -> Any:
    """Read one part."""
    part, before = kind.part(name)
    if isinstance(part, StructType):
        return builder.gep(address, [ir.Constant(_WORD, 8 * before)])
    if not isinstance(part, _types.Array):
        return _load(builder, address, before, context.get_value_type(part))
    # the block has it as meminfo, parent, nitems, itemsize, data, shape, strides
    array = context.make_array(part)(context, builder)
    data = context.get_data_type(part.dtype)
    array.nitems = _load(builder, address, before + 2, _WORD)
    array.data = _load(builder, address, before + 4, data.as_pointer())
    sizes = [_load(builder, address, before + 5 + k, _WORD) for k in range(2 * part.ndim)]
    array.shape = _row(builder, sizes[: part.ndim])
    array.strides = _row(builder, sizes[part.ndim :])
    array.itemsize = ir.Constant(_WORD, context.get_abi_sizeof(data))
    array.meminfo = ir.Constant(array.meminfo.type, None)
    array.parent = ir.Constant(array.parent.type, None)
    return array._getvalue()


def _row(builder: Any, values: list[Any]) -> Any:
    """Values of one type as an array."""
    row = ir.Constant(ir.ArrayType(_WORD, len(values)), ir.Undefined)
    for k, value in enumerate(values):
        row = builder.insert_value(row, value, k)
    return row


def _place(builder: Any, address: Any, word: int, kind: Any) -> Any:
    """The address of one word."""
    at = builder.gep(address, [ir.Constant(_WORD, 8 * word)])
    return builder.bitcast(at, kind.as_pointer())


def _load(builder: Any, address: Any, word: int, kind: Any) -> Any:
    """Read one word, which nothing in a kernel ever changes."""
    value = builder.load(_place(builder, address, word, kind))
    value.set_metadata("invariant.load", builder.module.add_metadata([]))
    return value


@unbox(StructType)
def _enter(kind: StructType, value: Any, c: Any) -> Any:
    """Write the block of words of a struct that comes from Python."""
    with c.builder.goto_entry_block():
        block = c.builder.alloca(ir.ArrayType(_WORD, max(kind.words, 1)))
        failed = c.builder.alloca(_BIT)
    address = c.builder.bitcast(block, _ADDRESS)
    c.builder.store(_BIT(0), failed)
    _write(kind, value, address, 0, failed, c)
    # from here on the block is only read: the compiler may not look behind this address
    behind = ir.FunctionType(_ADDRESS, [_ADDRESS])
    address = c.builder.asm(behind, "", "=r,0,~{memory}", [address], side_effect=True)
    return NativeValue(address, is_error=c.builder.load(failed))


def _write(kind: StructType, value: Any, address: Any, before: int, failed: Any, c: Any) -> None:
    """Write the words of all parts."""
    builder = c.builder
    signature = ir.FunctionType(ir.IntType(32), [c.pyapi.pyobj, _ADDRESS])
    module = builder.module
    adapt = module.globals.get(_ADAPT) or ir.Function(module, signature, _ADAPT)
    for place, part in enumerate(kind.parts):
        item = c.pyapi.tuple_getitem(value, place)
        if isinstance(part, StructType):
            _write(part, item, address, before, failed, c)
        elif isinstance(part, _types.Array):
            at = builder.gep(address, [ir.Constant(_WORD, 8 * before)])
            wrong = builder.icmp_signed("!=", builder.call(adapt, [item, at]), ir.IntType(32)(0))
            _note(c, failed, wrong)
        else:
            native = c.unbox(part, item)
            builder.store(native.value, _place(builder, address, before, native.value.type))
            _note(c, failed, native.is_error)
        before += _words(part)


def _note(c: Any, failed: Any, error: Any) -> None:
    """Keep in mind that a part could not be read."""
    c.builder.store(c.builder.or_(c.builder.load(failed), error), failed)
