"""Which arrays of bundles kernels write, as their source says: directly, or through what they call."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import solver
from solver.engine.forces.system import System, Work
from solver.engine.integrate.flow import Flow
from solver.engine.integrate.implicit import Implicit
from solver.engine.integrate.vei import Exponential

ROOMS = ("maths", "dynamics", "forces", "integrate", "signals")
KERNELS = {"kernel", "inner", "separate", "inlined"}
BUNDLES = {one.__name__: one for one in (System, Work, Flow, Implicit, Exponential)}

Place = tuple[str, ...]
"""The name of a parameter, and fields behind it."""


class _Kernel:
    """Know of one kernel what its parameters are, which of them it writes, and what it calls."""

    def __init__(self, node: ast.FunctionDef) -> None:
        self.parameters = [one.arg for one in node.args.args]
        self.types = {
            one.arg: ast.unparse(one.annotation) for one in node.args.args if one.annotation
        }
        self.writes: set[Place] = set()
        self.calls: list[tuple[str, list[Place | None]]] = []
        names: dict[str, set[Place]] = {one: {(one,)} for one in self.parameters}
        for _ in range(3):  # names of names
            for one in ast.walk(node):
                if isinstance(one, ast.Assign):
                    for target in one.targets:
                        for name, value in _pairs(target, one.value):
                            if isinstance(name, ast.Name):
                                names.setdefault(name.id, set()).update(_places(value, names))
        for one in ast.walk(node):
            if isinstance(one, ast.Assign):
                targets = [part for target in one.targets for part in _parts(target)]
            elif isinstance(one, ast.AugAssign):
                targets = [one.target]
            else:
                targets = []
            for target in targets:
                if isinstance(target, ast.Subscript):
                    self.writes |= _places(target, names)
            if isinstance(one, ast.Call) and isinstance(one.func, ast.Name):
                several = [sorted(_places(part, names)) for part in one.args]
                for k in range(max(map(len, several), default=0)):
                    self.calls.append(
                        (
                            one.func.id,
                            [part[min(k, len(part) - 1)] if part else None for part in several],
                        )
                    )


def _parts(target: ast.expr) -> list[ast.expr]:
    return target.elts if isinstance(target, ast.Tuple) else [target]


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        yield from zip(target.elts, value.elts, strict=True)
    else:
        yield target, value


def _places(value: ast.expr, names: dict[str, set[Place]]) -> set[Place]:
    """Give what an expression may stand for."""
    if isinstance(value, ast.Subscript):
        return _places(value.value, names)
    if isinstance(value, ast.IfExp):
        return _places(value.body, names) | _places(value.orelse, names)
    if isinstance(value, ast.Attribute):
        return {(*one, value.attr) for one in _places(value.value, names)}
    if isinstance(value, ast.Name):
        return names.get(value.id, set())
    return set()


DEEPEST = 5


def _kernels() -> dict[str, list[_Kernel]]:
    found: dict[str, list[_Kernel]] = {}
    here = Path(solver.__file__).parent / "engine"
    for room in ROOMS:
        for file in sorted((here / room).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef) and KERNELS & set(
                    map(_name, node.decorator_list)
                ):
                    found.setdefault(node.name, []).append(_Kernel(node))
    return found


def _name(decorator: ast.expr) -> str:
    inner = decorator.func if isinstance(decorator, ast.Call) else decorator
    return inner.id if isinstance(inner, ast.Name) else ""


@cache
def written() -> frozenset[str]:
    """Give all arrays that kernels write, as `Bundle.field`."""
    kernels = _kernels()
    grows = True
    while grows:
        grows = False
        for several in kernels.values():
            for one in several:
                for called, arguments in one.calls:
                    for other in kernels.get(called, ()):
                        for parameter, argument in zip(other.parameters, arguments, strict=False):
                            if argument is None:
                                continue
                            new = {(*argument, *w[1:]) for w in other.writes if w[0] == parameter}
                            new = {place for place in new if len(place) <= DEEPEST}
                            if not new <= one.writes:
                                one.writes |= new
                                grows = True
    found = set()
    types = fields_of()
    for several in kernels.values():
        for one in several:
            for first, *rest in one.writes:
                kind = one.types.get(first, "")
                for field in rest:
                    if types.get((kind, field), "") in ("Array", "IntArray"):
                        found.add(f"{kind}.{field}")
                    kind = types.get((kind, field), "")
    return frozenset(found)


@cache
def fields_of() -> dict[tuple[str, str], str]:
    """Give the kind of each field of all classes, by class and field."""
    return dict(_fields())


def _fields() -> Iterator[tuple[tuple[str, str], str]]:
    here = Path(solver.__file__).parent / "engine"
    for room in ROOMS:
        for file in sorted((here / room).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef):
                    for one in node.body:
                        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
                            yield (
                                (node.name, one.target.id),
                                ast.unparse(one.annotation).split(".")[-1],
                            )
