"""Make a project that uses every kind and every field of the schema, straight from the schema."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt, MinLen
from pydantic.fields import FieldInfo

from solver.project.document import LISTS, Project
from solver.project.fields import Part
from solver.project.functions import Table
from solver.project.schema import _rules

CSV = "a,0,0\nb,0.01,9.5\nc,0.02,0\n"
NUMBERS = (0.25, 0.5, 1.25, 3.0, 40.0, 2.0, 0.05)


def first_of_each_kind(project: Project) -> Iterator[tuple[str, Part]]:
    """Give the path of one element of every kind, and the element."""
    seen: set[type] = set()
    for name in LISTS:
        for item in getattr(project, name):
            if type(item) not in seen:
                seen.add(type(item))
                yield f"{name}/{item.id}", item


def everything() -> dict[str, Any]:
    """Give the data; its references lead somewhere, but it is no model of anything."""
    (data,) = variants_of(Project)
    for name in LISTS:
        for number, element in enumerate(data[name]):
            if "id" in element:
                element["id"] = f"{name}-{number}"
    return data


def variants_of(model: type[Part]) -> list[dict[str, Any]]:
    """Give as many instances as it takes for every kind in every field to appear."""
    if model is Table:
        csv = {"path": "pulse.csv", "x_column": 2, "y_column": 3, "skip_rows": 0,
               "x_scale": 0.5, "y_scale": 2.0}  # fmt: skip
        return [
            {"kind": "table", "x": [0.0, 1.0], "y": [2.0, 3.0], "between": "spline"},
            {"kind": "table", "csv": csv},
        ]
    fields = {n: values(n, f) for n, f in model.model_fields.items()}
    count = max(len(v) for v in fields.values())
    if model is Project:
        count = 1
    least = {n: _least(f) for n, f in model.model_fields.items()}
    return [
        {n: v[i] if i < len(v) else _again(v[i % len(v)], least[n]) for n, v in fields.items()}
        for i in range(count)
    ]


def _again(value: Any, least: int) -> Any:
    """Give a value that stands in another instance already: of parts that vary, no more than are needed."""
    return value[:least] if isinstance(value, list) and isinstance(value[0], dict) else value


def _least(field: FieldInfo) -> int:
    return max((r.min_length for r in field.metadata if isinstance(r, MinLen)), default=1)


def values(name: str, field: FieldInfo) -> list[Any]:
    """Give values of one field, none of them its default where it has another choice."""
    extra = field.json_schema_extra
    target = str(extra.get("refers_to", "")) if isinstance(extra, dict) else ""
    found = _values(field.annotation, field, target)
    default = None if field.is_required() else field.get_default()
    others = [v for v in found if v != default]
    return others or found


def _values(annotation: Any, field: FieldInfo, target: str) -> list[Any]:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return list(arguments)
    if origin is tuple:
        return [_list(arguments, field, target)]
    if isinstance(annotation, type):
        return _plain(annotation, field, target)
    if annotation is not None and hasattr(annotation, "__metadata__"):
        return _values(arguments[0], field, target)
    return list(
        itertools.chain.from_iterable(
            _values(a, field, target) for a in arguments if a is not type(None)
        )
    )


def _list(arguments: tuple[Any, ...], field: FieldInfo, target: str) -> list[Any]:
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        items = _values(arguments[0], field, target)
        least = _least(field)
        if target:
            return [f"{target}-{i}" for i in range(max(3, least))]
        return list(itertools.islice(itertools.cycle(items), max(len(items), least)))
    return [_values(a, field, target)[0] for a in arguments]


def _plain(annotation: type, field: FieldInfo, target: str) -> list[Any]:
    if issubclass(annotation, Part):
        return list(variants_of(annotation))
    if annotation is bool:
        return [not field.get_default()]
    if annotation is int:
        return [v for v in (1, 2, 3) if _fits(v, field)]
    if annotation is float:
        default = None if field.is_required() else field.get_default()
        return [next(v for v in NUMBERS if _fits(v, field) and v != default)]
    return [f"{target}-0" if target else "word"]


def _fits(value: float, field: FieldInfo) -> bool:
    signs = {Gt: float.__gt__, Ge: float.__ge__, Lt: float.__lt__, Le: float.__le__}
    return all(
        sign(float(value), float(getattr(rule, kind.__name__.lower())))
        for rule in _rules(field)
        for kind, sign in signs.items()
        if isinstance(rule, kind)
    )
