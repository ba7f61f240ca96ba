"""Give a project another number for a parameter of a study: the number itself, or a factor of what stands there."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from solver.base.words import Refusal
from solver.project.changes import value_at, with_value
from solver.project.document import Project
from solver.project.studies import StudyBase
from solver.project.study_parts import StudyParameter


def present_of(project: Project, parameter: StudyParameter) -> float:
    """A parameter's number as the project stands: of a factor it is 1."""
    return 1.0 if parameter.is_factor else float(value_at(project, parameter.path))


def value_for(project: Project, parameter: StudyParameter, number: float) -> Any:
    """What stands at the path of a parameter for a number of it."""
    if not parameter.is_factor:
        return number
    there = value_at(project, parameter.path)
    return tuple(number * one for one in there) if isinstance(there, tuple) else number * there


def varied(project: Project, parameter: StudyParameter, number: float) -> Project:
    """Give the project with another number for a parameter; raises ProjectError where it cannot stand there."""
    for path, value in {
        parameter.path: value_for(project, parameter, number),
        **along(project, parameter, number),
    }.items():
        project = with_value(project, path, value)
    return project


def along(project: Project, parameter: StudyParameter, number: float) -> dict[str, Any]:
    """What stands at the paths that go along with a parameter, in the same proportion as at its own."""
    ratio = number / present_of(project, parameter) if parameter.along else 1.0
    there = {path: value_at(project, path) for path in parameter.along}
    return {
        path: tuple(ratio * one for one in value) if isinstance(value, tuple) else ratio * value
        for path, value in there.items()
    }


def changes_of(project: Project, study: StudyBase, numbers: Sequence[float]) -> dict[str, Any]:
    """What stands at each path for numbers of a study's parameters, what follows from them behind."""
    pairs = list(zip(study.parameters, numbers, strict=True))
    found = dict[str, Any]()
    for one, number in pairs:
        found |= {one.path: value_for(project, one, number)} | along(project, one, number)
    known = {one.id: number for one, number in pairs}
    return found | {one.path: value_of(one.formula, known) for one in study.following}


def with_numbers(project: Project, study: StudyBase, numbers: Sequence[float]) -> Project:
    """The project with other numbers for a study's parameters; raises ProjectError where one cannot stand there."""
    for path, value in changes_of(project, study, numbers).items():
        project = with_value(project, path, value)
    return project


def can_vary(value: Any, *, is_factor: bool) -> bool:
    """Whether a study can vary what stands at a path: a number; by a factor also a list of them, as of a curve."""
    if is_factor and isinstance(value, tuple):
        return bool(value) and all(isinstance(one, float) for one in value)
    return isinstance(value, float)


# Formulas of a study's numbers: `hic / 700 + 2 * chest`. Python reads them; nothing of them is executed.

FUNCTIONS: Mapping[str, Callable[..., float]] = {
    "abs": abs, "sqrt": math.sqrt, "exp": math.exp, "log": math.log, "sin": math.sin,
    "cos": math.cos, "tan": math.tan, "min": min, "max": max,
}  # fmt: skip
CONSTANTS: Mapping[str, float] = {"pi": math.pi}
WORDS = frozenset({*FUNCTIONS, *CONSTANTS})
"""Names that a formula has already."""

_TWO: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.Pow: math.pow,
}
DEEPEST = 50


class FormulaError(Refusal, ValueError):
    """Say why a formula cannot be read, or has no value."""


@lru_cache(maxsize=1024)
def names_in(formula: str) -> tuple[str, ...]:
    """Give the names that a formula uses, its own words left out; FormulaError where it cannot be read."""
    found: dict[str, None] = {}
    _look(_read(formula), formula, found, 0)
    return tuple(found)


def value_of(formula: str, numbers: Mapping[str, float]) -> float:
    """A formula's value; FormulaError where it has none."""
    try:
        value = _value(_read(formula), {**CONSTANTS, **numbers})
    except (ValueError, ArithmeticError):
        raise FormulaError("'{formula}' has no value here.", formula=formula) from None
    if not math.isfinite(value):
        raise FormulaError("'{formula}' has no finite value here.", formula=formula)
    return value


@lru_cache(maxsize=1024)
def _read(formula: str) -> ast.expr:
    try:
        return ast.parse(formula.replace("^", "**").strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise FormulaError("'{formula}' cannot be read.", formula=formula) from None


def _look(node: ast.expr, formula: str, found: dict[str, None], depth: int) -> None:
    """See that there is nothing in it but numbers, names, signs and known functions."""
    if depth > DEEPEST:
        raise FormulaError("'{formula}' is too deep.", formula=formula)
    match node:
        case ast.Constant(value=int() | float()) if not isinstance(node.value, bool):
            return
        case ast.Name(id=name):
            if name in FUNCTIONS:
                raise FormulaError("'{name}' needs brackets: {name}(...).", name=name)
            if name not in CONSTANTS:
                found[name] = None
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=inner):
            _look(inner, formula, found, depth + 1)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _TWO:
            _look(left, formula, found, depth + 1)
            _look(right, formula, found, depth + 1)
        case ast.Call(func=ast.Name(id=name), args=inner, keywords=[]) if name in FUNCTIONS:
            if len(inner) != 1 and not (name in ("min", "max") and len(inner) > 1):
                raise FormulaError("'{name}' takes another count of numbers.", name=name)
            for one in inner:
                _look(one, formula, found, depth + 1)
        case _:
            raise FormulaError(
                "'{formula}' holds '{part}', which no formula may hold.",
                formula=formula,
                part=ast.unparse(node)[:40],
            )


def _value(node: ast.expr, numbers: Mapping[str, float]) -> float:
    match node:
        case ast.Constant(value=int() | float() as number):
            return float(number)
        case ast.Name(id=name):
            return numbers[name]
        case ast.UnaryOp(op=op, operand=inner):
            value = _value(inner, numbers)
            return -value if isinstance(op, ast.USub) else value
        case ast.BinOp(left=left, op=op, right=right):
            return _TWO[type(op)](_value(left, numbers), _value(right, numbers))
        case ast.Call(func=ast.Name(id=name), args=inner):
            return float(FUNCTIONS[name](*(_value(one, numbers) for one in inner)))
    raise ValueError(node)
