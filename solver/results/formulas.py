"""Curves made of curves: `Belt at the ring = {harnesses/belt/tension/1} - {harnesses/belt/tension/2}`, with their units.

Quantities stand in braces, numbers with a unit in quotes ('9.81 m/s2'). Python reads the rest; nothing of it is executed.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from solver.base.units import UnitError, product, raised
from solver.base.units.table import evaluate, unit
from solver.base.words import Sentence, msgid
from solver.engine.signals.filters import cfc
from solver.engine.signals.series import SignalError, differentiated, integrated, period
from solver.results.layout import ResultsError
from solver.results.trajectory import Array, Channel

_IN_BRACES = re.compile(r"\{([^{}]+)\}")
_PLACE = "quantity_{}"
_DEEPEST = 30
_NAMED = ("N", "N*m", "Pa", "N/m", "W")
_SI = ("1", "m", "kg", "s", "K", "rad")


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula taken apart: its title, the quantities in braces, and what is done with them."""

    title: str
    text: str
    names: tuple[str, ...]
    body: ast.expr


@dataclass(frozen=True, slots=True)
class _Value:
    """Values over the common time, or one for all of it, with an SI unit."""

    value: Array
    unit: str

    def same(self, other: _Value, what: str) -> Array:
        """The other's values, where both are of one kind."""
        mine, its = unit(self.unit), unit(other.unit)
        if mine.dimension != its.dimension:
            raise ResultsError(
                "The formula {what} {unit} and {other}.",
                what=Sentence(what),
                unit=self.unit or "1",
                other=other.unit or "1",
            )
        return other.value * (its.factor / mine.factor)


def is_formula(name: str) -> bool:
    """Whether a name is a formula: an equals sign, before which a title may stand, and quantities in braces behind it."""
    return "{" in name.partition("=")[2]


@lru_cache(maxsize=256)
def read_formula(name: str) -> Formula:
    """Take a formula apart; ResultsError says why it cannot be read."""
    title, _, text = (part.strip() for part in name.partition("="))
    names = tuple(dict.fromkeys(one.strip() for one in _IN_BRACES.findall(text)))
    plain = _IN_BRACES.sub(lambda one: f" {_PLACE.format(names.index(one[1].strip()))} ", text)
    try:
        body = ast.parse(plain.replace("^", "**").strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise ResultsError("The formula '{text}' cannot be read.", text=text) from None
    if not names:
        raise ResultsError(
            "The formula '{text}' holds no quantity: write each in braces, as {{segments/head/position/x}}.",
            text=text,
        )
    return Formula(title, text, names, body)


def calculated(name: str, ask: Callable[[str], Channel]) -> Channel:
    """The curve of a formula, at the times of the finest curve in it; each is filtered to its own class before."""
    formula = read_formula(name)
    channels = [_filtered(ask(one)) for one in formula.names]
    time = max((one.time for one in channels), key=len)
    known = {
        _PLACE.format(n): _Value(np.interp(time, one.time, one.value), one.unit or "1")
        for n, one in enumerate(channels)
    }
    with np.errstate(all="ignore"):
        try:
            found = _Reading(formula.text, time, known).value(formula.body)
        except (UnitError, SignalError) as failure:
            raise ResultsError("{failure}", failure=failure.said) from None
    return Channel(name, time, np.broadcast_to(found.value, time.shape).copy(), _kept(found.unit))


def labelled(name: str, label: Callable[[str], str]) -> str:
    """A formula as people read it: its title, or else with its quantities as they are called."""
    title, _, text = (part.strip() for part in name.partition("="))
    return title or _IN_BRACES.sub(lambda one: label(one[1].strip()), text)


def _filtered(channel: Channel) -> Channel:
    try:
        return channel.filtered()
    except SignalError:
        return channel


def _kept(text: str) -> str:
    """A unit by the name that it has: kg*m/s2 is N, N*m/s is W; one that has a name keeps it, as J stays apart from N*m."""
    if text.isalpha():
        return text
    dimension = unit(text).dimension
    return next((one for one in _NAMED if unit(one).dimension == dimension), text)


class _Reading:
    """Work out one formula."""

    def __init__(self, text: str, time: Array, known: Mapping[str, _Value]) -> None:
        self._text, self._time, self._known = text, time, known

    def value(self, node: ast.expr, depth: int = 0) -> _Value:
        """The values of a part of it."""
        if depth > _DEEPEST:
            raise ResultsError("The formula '{text}' is too deep.", text=self._text)
        match node:
            case ast.Constant(value=bool()):
                pass
            case ast.Constant(value=int() | float() as number):
                return _Value(np.asarray(float(number)), "1")
            case ast.Constant(value=str() as words):
                typed = evaluate(words)
                return _Value(np.asarray(typed.value), _written(typed.dimension))
            case ast.Name(id="pi"):
                return _Value(np.asarray(math.pi), "1")
            case ast.Name(id=name) if name in self._known:
                return self._known[name]
            case ast.UnaryOp(op=ast.USub() | ast.UAdd() as sign, operand=inner):
                one = self.value(inner, depth + 1)
                return _Value(-one.value if isinstance(sign, ast.USub) else one.value, one.unit)
            case ast.BinOp(left=left, op=op, right=right):
                return self._two(self.value(left, depth + 1), op, self.value(right, depth + 1))
            case ast.Call(func=ast.Name(id=name), args=inner, keywords=[]):
                return self._called(name, [self.value(one, depth + 1) for one in inner])
        raise ResultsError(
            "The formula '{text}' holds '{part}', which no formula may hold.",
            text=self._text,
            part=ast.unparse(node)[:40],
        )

    def _two(self, left: _Value, op: ast.operator, right: _Value) -> _Value:
        match op:
            case ast.Add():
                return _Value(left.value + left.same(right, msgid("adds")), left.unit)
            case ast.Sub():
                return _Value(left.value - left.same(right, msgid("subtracts")), left.unit)
            case ast.Mult():
                return _Value(left.value * right.value, product(left.unit, right.unit))
            case ast.Div():
                return _Value(left.value / right.value, product(left.unit, right.unit, -1.0))
            case ast.Pow():
                if np.ndim(right.value) or unit(right.unit) != unit("1"):
                    raise ResultsError("A power has to be a plain number.")
                power = float(right.value)
                return _Value(left.value**power, raised(left.unit, power))
        raise ResultsError(
            "The formula '{text}' holds a sign that no formula may hold.", text=self._text
        )

    def _called(self, name: str, given: list[_Value]) -> _Value:
        """What a function gives."""
        if name not in FUNCTIONS:
            raise ResultsError(
                "There is no function '{name}'; there are {known}.",
                name=name,
                known=", ".join(FUNCTIONS),
            )
        least, most = FUNCTIONS[name]
        if not least <= len(given) <= most:
            raise ResultsError("'{name}' takes another count of curves.", name=name)
        first, time = given[0], self._time
        over = np.broadcast_to(first.value, time.shape)
        match name:
            case "abs":
                return _Value(np.abs(first.value), first.unit)
            case "sqrt":
                return _Value(np.sqrt(first.value), raised(first.unit, 0.5))
            case "min" | "max":
                by = np.minimum if name == "min" else np.maximum
                value = first.value
                for one in given[1:]:
                    value = by(value, first.same(one, msgid("compares")))
                return _Value(value, first.unit)
            case "resultant":
                squares = first.value**2
                for one in given[1:]:
                    squares = squares + first.same(one, msgid("adds")) ** 2
                return _Value(np.sqrt(squares), first.unit)
            case "rate":
                return _Value(_rate(time, over), product(first.unit, "s", -1.0))
            case "integral":
                return _Value(integrated(time, over), product(first.unit, "s"))
            case "filtered":
                return _Value(cfc(time, over, _class(given[1])), first.unit)
        plain = first.value * unit(first.unit).factor
        if unit(first.unit).dimension not in (unit("1").dimension, unit("rad").dimension):
            raise ResultsError(
                "'{name}' takes plain numbers and angles, no {unit}.", name=name, unit=first.unit
            )
        of: Mapping[str, Callable[[Array], Array]] = {
            "sin": np.sin,
            "cos": np.cos,
            "exp": np.exp,
            "log": np.log,
        }
        return _Value(of[name](plain), "1")


FUNCTIONS: Mapping[str, tuple[int, int]] = {
    "abs": (1, 1), "sqrt": (1, 1), "min": (2, 9), "max": (2, 9), "resultant": (2, 9),
    "rate": (1, 1), "integral": (1, 1), "filtered": (2, 2),
    "sin": (1, 1), "cos": (1, 1), "exp": (1, 1), "log": (1, 1),
}  # fmt: skip
"""Names of the functions, and how many curves each takes at least and at most."""


def _class(one: _Value) -> float:
    if np.ndim(one.value):
        raise ResultsError("The class of a filter has to be a number, such as 180.")
    return float(one.value)


def _rate(time: Array, value: Array) -> Array:
    """The rate of change: as the standards have it where samples are even, else of parabolas."""
    if len(time) < 2:
        return np.zeros(len(time))
    try:
        period(time)
    except SignalError:
        return np.asarray(np.gradient(value, time, edge_order=2 if len(time) > 2 else 1))
    return differentiated(time, value)


def _written(dimension: tuple[float, ...]) -> str:
    """Write a dimension in SI units, as m/s2."""
    text = "1"
    for name, power in zip(_SI[1:], dimension, strict=True):
        if power:
            text = product(text, raised(name, power))
    return text
