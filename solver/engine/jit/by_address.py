"""How a kernel calls a function that somebody else has compiled: by its address, with plain numbers and the places of arrays."""

from __future__ import annotations

from typing import Any

from solver.engine.jit.loading import when_loaded


def call_at(address: Any, t: Any, a: Any, b: Any, numbers: Any, load: Any) -> Any:
    """Call `double f(double t, double *a, double *b, double *numbers, double *load)`: an array goes as the place of its first.

    Only kernels call it, which do so without Python.
    """
    raise TypeError("call_at is a part of compiled kernels and has no entry from Python.")


def _tell() -> None:
    """Tell Numba how the call is typed and written."""
    from llvmlite import ir
    from numba import extending, types

    extend: Any = extending
    kinds: Any = types
    number, place = ir.DoubleType(), ir.DoubleType().as_pointer()

    def typer(_: Any) -> Any:
        return lambda address, t, a, b, numbers, load: kinds.float64

    def write(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        address, t, *arrays = values
        data = [
            builder.bitcast(context.make_array(kind)(context, builder, one).data, place)
            for kind, one in zip(signature.args[2:], arrays, strict=True)
        ]
        kind = ir.FunctionType(number, [number, *(place for _ in data)])
        return builder.call(builder.inttoptr(address, kind.as_pointer()), [t, *data])

    extend.type_callable(call_at)(typer)
    extend.lower_builtin(call_at, kinds.int64, kinds.float64, kinds.VarArg(kinds.Any))(write)


when_loaded(_tell)
