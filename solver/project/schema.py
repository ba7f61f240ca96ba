"""Describe the file format from the schema itself: JSON Schema and `docs/project-file.md`."""

from __future__ import annotations

import enum
import inspect
import json
import math
import types
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt, MaxLen, MinLen
from pydantic.fields import FieldInfo

from solver.base.words import plural
from solver.project.document import LISTS, Project
from solver.project.fields import Element, Part

_WORDS: dict[Any, str] = {
    float: "number",
    int: "whole number",
    bool: "true or false",
    str: "text",
    type(None): "null",
}


def json_schema_text() -> str:
    """The JSON Schema of project files as text."""
    return json.dumps(Project.model_json_schema(), indent=2, ensure_ascii=False) + "\n"


def models() -> list[type[Part]]:
    """List every model of the document, each once, the document first."""
    return list(_models())


@cache
def _models() -> tuple[type[Part], ...]:
    found: dict[type[Part], None] = {}
    waiting: list[type[Part]] = [Project]
    while waiting:
        model = waiting.pop(0)
        if model not in found:
            found[model] = None
            for field in model.model_fields.values():
                waiting.extend(_models_in(field.annotation))
    return tuple(found)


def _models_in(annotation: Any) -> Iterator[type[Part]]:
    if isinstance(annotation, type) and issubclass(annotation, Part):
        yield annotation
    for argument in get_args(annotation):
        yield from _models_in(argument)


def project_file_markdown() -> str:
    """The text of `docs/project-file.md`."""
    out = [_HEAD, *_table(dict(Element.model_fields))]
    for model in models():
        out.append(f"## {model.__name__}\n\n{_doc(model)}\n")
        if issubclass(model, Element):
            out.append("It has [the fields of every element](#every-element), and:\n")
        own = {name: one for name, one in model.model_fields.items() if not is_common(model, name)}
        out.extend(_table(own))
    return "\n".join(out)


def is_common(model: type[Part], name: str) -> bool:
    """Whether a field is one that every element has, with the same words."""
    common = Element.model_fields.get(name) if issubclass(model, Element) else None
    return common is not None and common.description == model.model_fields[name].description


def _table(fields: Mapping[str, FieldInfo]) -> list[str]:
    head = "| field | type | unit | default | range | meaning |\n|---|---|---|---|---|---|"
    return [head, *(_row(name, field) for name, field in fields.items()), ""]


def _doc(model: type[Part]) -> str:
    return inspect.cleandoc(model.__doc__ or "")


def _row(name: str, field: FieldInfo) -> str:
    cells = [
        f"`{name}`",
        type_words(field),
        unit_of(field).replace("|", " or "),
        default_words(field),
        range_words(field),
        f"**{field.title}.** {field.description}",
    ]
    return "| " + " | ".join(c.replace("|", "\\|").replace("\n", " ") for c in cells) + " |"


def unit_of(field: FieldInfo) -> str:
    """The SI unit of a field, empty where it has none."""
    extra = field.json_schema_extra
    unit = extra.get("unit", "") if isinstance(extra, dict) else ""
    return str(unit)


def type_words(field: FieldInfo) -> str:
    """Say what a field holds, in words."""
    extra = field.json_schema_extra
    target = extra.get("refers_to") if isinstance(extra, dict) else None
    words = _type(field.annotation)
    if isinstance(target, str):
        words = words.replace("text", f"id in `{target}`")
        instead = extra.get("words") if isinstance(extra, dict) else None
        if isinstance(instead, list):
            words = ", ".join([*(f"`{one}`" for one in instead), words])
    return words


def _type(annotation: Any) -> str:
    if annotation in _WORDS:
        return _WORDS[annotation]
    if isinstance(annotation, type) and issubclass(annotation, Part):
        kind = annotation.model_fields.get("kind")
        words = " or ".join(str(k) for k in get_args(kind.annotation)) if kind is not None else ""
        tag = f" (`kind: {words}`)" if words else ""
        return f"[{annotation.__name__}](#{annotation.__name__.lower()}){tag}"
    if isinstance(annotation, type) and issubclass(annotation, enum.Enum):
        return ", ".join(f"`{e.value}`" for e in annotation)
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return ", ".join(f"`{a}`" if a != "" else '`""`' for a in arguments)
    if origin in (Union, types.UnionType):
        return " or ".join(dict.fromkeys(_type(a) for a in arguments))
    if origin is tuple:
        if len(arguments) == 2 and arguments[1] is Ellipsis:
            return f"list of {_type(arguments[0])}"
        return f"{len(arguments)} × {_type(arguments[0])}"
    return _type(arguments[0]) if arguments else str(annotation)


def default_words(field: FieldInfo) -> str:
    """Show a field's default as it would stand in a file."""
    if field.is_required():
        return "required"
    value = field.get_default(call_default_factory=True)
    if isinstance(value, Part):
        return "its own defaults"
    if isinstance(value, tuple) and any(isinstance(one, Part) for one in value):
        return ", ".join(str(getattr(one, "id", "")) for one in value)
    if value is None:
        return "none"
    return f"`{json.dumps(value)}`"


def range_words(field: FieldInfo) -> str:
    """Show the limits of a field, including those of its type."""
    signs = {Gt: "> {}", Ge: "≥ {}", Lt: "< {}", Le: "≤ {}"}
    words: list[str] = []
    for rule in _rules(field):
        for kind, form in signs.items():
            if isinstance(rule, kind):
                limit = getattr(rule, kind.__name__.lower())
                words.append(form.format(f"{limit:g}"))
        if isinstance(rule, MinLen):
            words.append(plural("at least {n} entry", "at least {n} entries", rule.min_length))
        if isinstance(rule, MaxLen) and rule.max_length < 1000:
            words.append(plural("at most {n} entry", "at most {n} entries", rule.max_length))
    return ", ".join(dict.fromkeys(words))


def limits(field: FieldInfo) -> tuple[float, float]:
    """Give between what a field's numbers lie, infinite where there is no limit."""
    low, high = -math.inf, math.inf
    for rule in _rules(field):
        if isinstance(rule, Gt | Ge):
            low = max(low, float(getattr(rule, type(rule).__name__.lower())))
        elif isinstance(rule, Lt | Le):
            high = min(high, float(getattr(rule, type(rule).__name__.lower())))
    return low, high


def _rules(field: FieldInfo) -> Iterator[Any]:
    if field.annotation is not str:
        yield from field.metadata
        yield from _rules_in(field.annotation)


def _rules_in(annotation: Any) -> Iterator[Any]:
    """The rules inside a type; how long a text may be is none that a reader asks for."""
    for argument in get_args(annotation):
        if get_origin(argument) is Annotated and get_args(argument)[0] is str:
            continue
        if isinstance(argument, FieldInfo):
            yield from argument.metadata
        elif isinstance(argument, Gt | Ge | Lt | Le):
            yield argument
        else:
            yield from _rules_in(argument)


_HEAD = """# Project file

A project is one JSON file (UTF-8). All numbers are SI, and the unit stands in the field's name where
the field always has the same one. Fields at their default may be left out, and are left out on
saving. Elements refer to each other by `id`; `ground` is always there as a segment. A file of an older
`schema_version` is brought up to date when opened and backed up when saved; a newer one is refused.

This page is produced from the schema (`make docs`); do not edit it.

Where a field takes one of several kinds of element, `kind` says which.

## Every element

Each element of a list has these fields:
"""


# The kinds of the document, read from its schema: of each list the models, of each model its words.


@cache
def models_of(list_name: str) -> tuple[type[Element], ...]:
    """The models whose elements a list of the project holds, in the order of the schema."""
    return tuple(_elements(Project.model_fields[list_name].annotation))


def _elements(annotation: Any) -> Iterator[type[Element]]:
    if isinstance(annotation, type) and issubclass(annotation, Element):
        yield annotation
    for argument in get_args(annotation):
        yield from _elements(argument)


def kind_words(model: type[Part]) -> tuple[str, ...]:
    """The kinds that a model stands for: one, several as of a mirror pair, or none."""
    field = model.model_fields.get("kind")
    return tuple(str(kind) for kind in get_args(field.annotation)) if field is not None else ()


@cache
def links() -> tuple[str, ...]:
    """Name the lists of elements between two ends A and B, which are seen as a line."""
    return tuple(
        name for name in LISTS if any({"a", "b"} <= set(m.model_fields) for m in models_of(name))
    )
