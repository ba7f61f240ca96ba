"""Write the document as canonical JSON: the same document is always the same bytes."""

from __future__ import annotations

import json
from typing import Any

from solver.project.document import Project
from solver.project.fields import Part

ALWAYS_WRITTEN = frozenset({"format", "schema_version", "kind"})
"""Fields written even at their default: they say what the rest means."""


def to_json(project: Project, *, embed_curves: bool = False) -> str:
    """Give the project's text: schema order, two-space indent, arrays of numbers on one line.

    Fields at their default are left out. A curve from a CSV file is written as a reference, or,
    with `embed_curves`, as its points, so that the text stands alone.
    """
    return text_of(plain(project, embed_curves=embed_curves))


def text_of(data: Any) -> str:
    """Give plain data as canonical text."""
    return _value(data, "") + "\n"


def plain(part: Part, *, embed_curves: bool = False) -> dict[str, Any]:
    """Give a part as dictionaries and lists, without fields at their default."""
    out: dict[str, Any] = {}
    leave = _curve_fields_to_leave(part, embed_curves)
    for name, field in type(part).model_fields.items():
        value = getattr(part, name)
        if name in leave:
            continue
        if name in ALWAYS_WRITTEN or field.is_required() or value != field.get_default():
            out[name] = _plain_value(value, embed_curves)
    return out


def _curve_fields_to_leave(part: Part, embed_curves: bool) -> frozenset[str]:
    if getattr(part, "csv", None) is None:
        return frozenset()
    return frozenset({"csv"}) if embed_curves else frozenset({"x", "y"})


def _plain_value(value: Any, embed_curves: bool) -> Any:
    if isinstance(value, Part):
        return plain(value, embed_curves=embed_curves)
    if isinstance(value, tuple):
        return [_plain_value(v, embed_curves) for v in value]
    return value


def _value(value: Any, indent: str) -> str:
    inner = indent + "  "
    if isinstance(value, dict) and value:
        rows = [f"{inner}{_scalar(k)}: {_value(v, inner)}" for k, v in value.items()]
        return "{\n" + ",\n".join(rows) + f"\n{indent}}}"
    if isinstance(value, list) and value:
        if _is_numeric(value):
            return "[" + ", ".join(_value(v, inner) for v in value) + "]"
        return "[\n" + ",\n".join(inner + _value(v, inner) for v in value) + f"\n{indent}]"
    return _scalar(value)


def _is_numeric(value: Any) -> bool:
    """Tell an array of numbers, nested or not."""
    if isinstance(value, list):
        return all(_is_numeric(v) for v in value)
    return isinstance(value, int | float) and not isinstance(value, bool)


def _scalar(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
