"""The kinds of the document, read from its schema: of each list the models, of each model its words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, get_args

from solver.project.document import LISTS, Project
from solver.project.fields import Element, Part


@cache
def models_of(list_name: str) -> tuple[type[Element], ...]:
    """Give the models whose elements a list of the project holds, in the order of the schema."""
    return tuple(_elements(Project.model_fields[list_name].annotation))


def _elements(annotation: Any) -> Iterator[type[Element]]:
    if isinstance(annotation, type) and issubclass(annotation, Element):
        yield annotation
    for argument in get_args(annotation):
        yield from _elements(argument)


def kind_words(model: type[Part]) -> tuple[str, ...]:
    """Give the kinds that a model stands for: one, several as of a mirror pair, or none."""
    field = model.model_fields.get("kind")
    return tuple(str(kind) for kind in get_args(field.annotation)) if field is not None else ()


@cache
def links() -> tuple[str, ...]:
    """Name the lists of elements between two ends A and B, which are seen as a line."""
    return tuple(
        name for name in LISTS if any({"a", "b"} <= set(m.model_fields) for m in models_of(name))
    )
