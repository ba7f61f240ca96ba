"""Count the multiplications and additions of an evaluation, by running the kernels' own Python code on numbers that count.

What is counted is what the code asks for, branch by branch, for this model in this pose: divisions count as
multiplications, a change of sign as nothing, square roots, sines and the like on their own. A compiler leaves out what it knows to be nought
or one; so a processor does somewhat less.
"""

from __future__ import annotations

import math
import types
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from solver.engine.dynamics.forward import accelerations
from solver.engine.dynamics.rows import constrain
from solver.engine.dynamics.tree import kinematics
from solver.engine.forces.system import gather_rows, make_work
from solver.engine.jit.kernels import Kernel, SeparatelyCompiled
from solver.model.compile import Model


class Operations(NamedTuple):
    """Count operations of one part of an evaluation."""

    part: str
    products: int
    """Multiplications and divisions."""
    sums: int
    """Additions and subtractions."""
    functions: int
    """Square roots, sines, cosines and the like."""


class _Tally:
    """Count what is done with numbers of its own kind."""

    def __init__(self) -> None:
        self.products = self.sums = self.functions = 0
        tally = self

        def counted(name: str, of: str) -> Callable[..., Any]:
            plain = getattr(float, name)

            def do(self: Any, *others: Any) -> Any:
                found = plain(self, *others)
                if found is NotImplemented:
                    return found
                setattr(tally, of, getattr(tally, of) + 1)
                return number(found)

            return do

        names = {"products": ("mul", "truediv", "pow"), "sums": ("add", "sub")}
        methods: dict[str, Any] = {
            f"__{side}{name}__": counted(f"__{side}{name}__", of)
            for of, them in names.items()
            for name in them
            for side in ("", "r")
        }
        methods["__neg__"] = lambda one: number(-float(one))
        methods["__pos__"] = methods["__float__"] = lambda one: one
        methods["__abs__"] = lambda one: number(abs(float.__float__(one)))
        del methods["__float__"]
        number: Any = type("Number", (float,), methods)
        self.number = number

    def math(self) -> Any:
        """What kernels call of `math`, each call counted."""
        shim = types.SimpleNamespace()
        for name in dir(math):
            found = getattr(math, name)
            if isinstance(found, float):
                found = self.number(found)
            elif callable(found):
                found = self._counted(found)
            setattr(shim, name, found)
        return shim

    def _counted(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def do(*given: Any) -> Any:
            self.functions += 1
            found = function(*given)
            return self.number(found) if isinstance(found, float) else found

        return do

    def given(self, value: Any) -> Any:
        """Make what a kernel takes of arrays and records, with numbers that count."""
        if isinstance(value, np.ndarray):
            if value.dtype != np.float64:
                return value
            out = np.empty(value.shape, object)
            for at in np.ndindex(value.shape):
                out[at] = self.number(value[at])
            return out
        if isinstance(value, tuple):
            parts = [self.given(one) for one in value]
            return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
        return self.number(value) if isinstance(value, float) else value


def plain(kernel: Any, tally: _Tally) -> Callable[..., Any]:
    """A kernel's Python code with all that it calls, over numbers that count."""
    made: dict[Any, Any] = {}
    shim = tally.math()

    def of(one: Any) -> Any:
        if isinstance(one, Kernel | SeparatelyCompiled):
            return copied(one.py_func)
        if one is math:
            return shim
        if isinstance(one, types.FunctionType) and one.__module__.startswith("solver.engine"):
            return copied(one)
        if isinstance(one, float | tuple) and not isinstance(one, bool):
            return tally.given(one)
        return one

    def copied(code: Any) -> Any:
        if code not in made:
            names: dict[str, Any] = {"__builtins__": __builtins__}
            made[code] = copy = types.FunctionType(code.__code__, names, code.__name__, code.__defaults__)  # fmt: skip
            wanted = set(code.__code__.co_names)
            names.update({n: of(v) for n, v in code.__globals__.items() if n in wanted})
            return copy
        return made[code]

    found: Callable[..., Any] = copied(kernel.py_func)
    return found


def operations(model: Model) -> tuple[Operations, ...]:
    """Count an evaluation of a model at its start: motions of all bodies, their accelerations, and what constraints add."""
    system = model.system
    work = make_work(system, len(model.v), model.rows)
    out = []
    tally = _Tally()
    given = tally.given(
        (system.tree, model.q, model.v, work.motion, work.applied, system.gravity, work.space, np.zeros(len(model.v)))
    )  # fmt: skip
    tree, q, v, motion, applied, gravity, space, rates = given

    def part(name: str, kernel: Any, *given: Any) -> None:
        tally.products = tally.sums = tally.functions = 0
        plain(kernel, tally)(*given)
        out.append(Operations(name, tally.products, tally.sums, tally.functions))

    part("kinematics", kinematics, tree, system.locked, q, v, motion)
    part("accelerations", accelerations, tree, system.locked, v, motion, applied, gravity, space, rates)  # fmt: skip
    if model.rows:
        rows, whole = tally.given(work.rows), tally.given(system)
        part("rows", gather_rows, whole, q, v, motion, tally.number(0.0), tally.number(0.0), rows)
        part("constraints", constrain, tree, system.locked, motion, space, rows, rates)
    return tuple(out)
