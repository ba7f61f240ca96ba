"""Check that numbers are such as physics has: none that only rounding can have left there."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple, get_args, get_origin

import numpy as np
from annotated_types import Gt

from solver.base.words import Sentence
from solver.project.checks.index import Index
from solver.project.checks.registry import TOPOLOGY, finds, problem
from solver.project.fields import Part
from solver.project.problems import Problem

TINIEST = 1e-100
"""A number nearer to zero than this, zero itself left out, is no quantity of any field."""

LEAST, LEAST_LENGTH = 1e-15, 1e-6
"""What must be above zero is no smaller, in SI; lengths (m) no shorter."""


class Bound(NamedTuple):
    """Hold the name of a field, and the least value where it must be above zero."""

    name: str
    least: float
    unit: str


@cache
def _bounds(model: type[Part]) -> tuple[Bound, ...]:
    """Give the fields of a model that may hold numbers, read from the schema once."""
    out = []
    for name, field in model.model_fields.items():
        extra = field.json_schema_extra
        if not isinstance(extra, dict) or "unit" not in extra:
            continue
        unit = str(extra["unit"])
        limits = [*field.metadata, *_limits_of_items(field.annotation)]
        positive = any(isinstance(one, Gt) and one.gt == 0 for one in limits)
        least = (LEAST_LENGTH if unit == "m" else LEAST) if positive else TINIEST
        out.append(Bound(name, least, unit))
    return tuple(out)


def _limits_of_items(annotation: Any) -> list[Any]:
    """Give the limits of the items of a tuple."""
    if get_origin(annotation) is not tuple:
        return []
    out: list[Any] = []
    for item in get_args(annotation):
        for one in getattr(item, "__metadata__", ()):
            out += getattr(one, "metadata", [one])
    return out


@finds(
    TOPOLOGY,
    error={"number-tiny": "A number is so near to zero that nothing can be meant by it."},
)
def numbers(index: Index) -> Iterator[Problem]:
    """Find numbers that would leave the range of arithmetic when squared or divided by."""
    for list_ in index.walks:
        for element in () if list_.is_fine else list_.elements:
            if not element.is_fine:
                found = [
                    one for parts in element.parts.values() for at in parts for one in _of(*at)
                ]
                yield from found
                element.is_fine = not found
        list_.is_fine = all(element.is_fine for element in list_.elements)
    # the document's own
    yield from _of(index.whole, "")


def _of(part: Part, path: str) -> Iterator[Problem]:
    """Find the numbers of one part that are all but nothing."""
    for bound in _bounds(type(part)):
        for where, one in _tiny(getattr(part, bound.name), bound.least):
            at = "/".join(filter(None, (path, bound.name, where)))
            unit = f" {bound.unit}" if bound.unit not in ("", "1") else ""
            sentence = Sentence("{one:g}{unit} is all but nothing.", one=one, unit=unit)
            hint = (
                Sentence("Write 0, or the number that is meant.")
                if bound.least == TINIEST
                else Sentence("Give {least:g}{unit} at least.", least=bound.least, unit=unit)
            )
            yield problem("number-tiny", at, sentence, hint)


def _tiny(value: Any, least: float) -> Iterator[tuple[str, float]]:
    """Give the first number of a field that is too near to zero, with its place in a row."""
    if isinstance(value, float):
        if 0.0 < abs(value) < least:
            yield "", value
    elif isinstance(value, tuple) and value and isinstance(value[0], float):
        size = np.abs(np.array(value))
        bad = (size > 0.0) & (size < least)
        if bad.any():
            i = int(np.argmax(bad))
            yield str(i), value[i]
    elif isinstance(value, tuple) and value and isinstance(value[0], tuple):
        for i, row in enumerate(value):
            for where, one in _tiny(row, least):
                yield f"{i}/{where}", one
                return
