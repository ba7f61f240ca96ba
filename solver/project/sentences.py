"""Turn what pydantic finds into problems in the words of the field (first pass of checking)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from solver.project.paths import readable
from solver.project.problems import MOST_PROBLEMS, Problem, did_you_mean, error, listed

_TYPES: Mapping[str, str] = {
    "float_type": "must be a number",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "bool_type": "must be true or false",
    "string_type": "must be text in quotes",
    "tuple_type": "must be a list in square brackets",
    "model_type": "must be an object in braces",
    "model_attributes_type": "must be an object in braces",
    "dict_type": "must be an object in braces",
    "none_required": "must be null",
}


def problems_of(failure: ValidationError, data: Any, model: type[BaseModel]) -> list[Problem]:
    """List every problem of a failed validation, one for each place."""
    found: dict[tuple[str, str], Problem] = {}
    errors = failure.errors(include_url=False)
    for item in errors:
        loc = list(item["loc"])
        if loc and _is_union_tag(loc[-1]):
            loc.pop()
            path = readable(loc, data)
            problem = error(
                "field-type",
                path,
                f"'{_last(loc)}' must be a number or the id of a function.",
            )
        else:
            path = readable(loc, data)
            problem = _problem(item, loc, path, data, model)
        found.setdefault((path, problem.code), problem)
    shown = list(found.values())[:MOST_PROBLEMS]
    if len(found) > MOST_PROBLEMS:
        rest = len(found) - MOST_PROBLEMS
        shown.append(error("many-problems", "", f"{rest} more problems are not listed."))
    return shown


def _is_union_tag(step: str | int) -> bool:
    """Tell pydantic's name of a branch of 'a number or the id of a function'."""
    return isinstance(step, str) and (
        step == "constrained-str" or step.startswith("function-after")
    )


def _problem(
    item: Any, loc: list[str | int], path: str, data: Any, model: type[BaseModel]
) -> Problem:
    kind, context, name = item["type"], item.get("ctx", {}), _last(loc)
    if kind == "missing":
        return error("field-missing", path, f"'{name}' is missing.", "Add it.")
    if kind == "extra_forbidden":
        known = _fields_at(loc[:-1], data, model)
        hint = did_you_mean(name, known) or f"Known here: {listed(known)}."
        return error("field-unknown", path, f"'{name}' is not a field of this element.", hint)
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        return _wrong_kind(kind, context, path)
    if kind in _TYPES:
        shown = _shown(item.get("input"))
        return error("field-type", path, f"'{name}' {_TYPES[kind]}, not {shown}.")
    if kind == "literal_error":
        return _wrong_word(item, context, path, name)
    return error("field-range", path, f"'{name}' {_range(kind, context, item)}.")


def _wrong_kind(kind: str, context: Any, path: str) -> Problem:
    known = [t.strip(" '") for t in str(context.get("expected_tags", "")).split(",") if t.strip()]
    if kind == "union_tag_not_found":
        hint = f"One of {listed(known, 12)}." if known else ""
        return error("kind-missing", path, "'kind' is missing.", hint)
    tag = str(context.get("tag", ""))[:80]
    hint = did_you_mean(tag, known) or f"One of {listed(known, 12)}."
    return error("kind-unknown", path, f"There is no kind '{tag}' here.", hint)


def _wrong_word(item: Any, context: Any, path: str, name: str) -> Problem:
    expected = str(context.get("expected", ""))
    words = [w.strip(" '") for w in expected.replace(" or ", ", ").split(",")]
    given = item.get("input")
    hint = did_you_mean(given, words) if isinstance(given, str) else ""
    return error("field-choice", path, f"'{name}' must be {expected}, not {_shown(given)}.", hint)


def _range(kind: str, context: Any, item: Any) -> str:
    limits = {
        "greater_than": ("above", "gt"),
        "greater_than_equal": ("at least", "ge"),
        "less_than": ("below", "lt"),
        "less_than_equal": ("at most", "le"),
    }
    if kind in limits:
        word, key = limits[kind]
        return f"must be {word} {context[key]:g}, not {_shown(item.get('input'))}"
    if kind == "beyond_limit":
        return f"{item['msg']}, not {_shown(item.get('input'))}"
    if kind == "finite_number":
        return "must be a finite number"
    if kind == "too_short":
        return f"needs at least {context['min_length']} entries, not {context['actual_length']}"
    if kind == "too_long":
        return f"takes at most {context['max_length']} entries"
    if kind == "string_too_short":
        return "must not be empty"
    if kind == "string_too_long":
        return f"is longer than {context['max_length']} characters"
    if kind == "string_pattern_mismatch":
        return (
            "must be a name without blanks, slashes, dots, quotes, brackets, stars or '=', "
            f"not {_shown(item.get('input'))}"
        )
    return f"does not fit: {item['msg']}"


def _shown(value: Any) -> str:
    """Show a value shortly, whatever it is."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list | tuple):
        return "a list"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    text = repr(value) if not isinstance(value, int) or abs(value) < 10**30 else "a huge number"
    return text if len(text) <= 40 else text[:37] + "..."


def _last(loc: list[str | int]) -> str:
    """Name the field, or 'entry 3 of p1_m' for an item of a list."""
    if not loc:
        return "project"
    if isinstance(loc[-1], int):
        field = next((str(s) for s in reversed(loc) if isinstance(s, str)), "list")
        return f"{field}, entry {loc[-1] + 1}"
    return str(loc[-1])[:80]


def _fields_at(loc: list[str | int], data: Any, model: type[BaseModel]) -> list[str]:
    """List the fields that the model has at a place of the data."""
    here: Any = data
    candidates: list[type[BaseModel]] = [model]
    for step in loc:
        if isinstance(step, int):
            here = here[step] if isinstance(here, list) and step < len(here) else None
            continue
        if isinstance(here, dict) and step not in here and here.get("kind") == step:
            candidates = [m for m in candidates if _kind_of(m) == step] or candidates
            continue
        here = here.get(step) if isinstance(here, dict) else None
        candidates = [
            m
            for c in candidates
            if step in c.model_fields
            for m in _models_in(c.model_fields[str(step)].annotation)
        ]
    return sorted({name for m in candidates for name in m.model_fields})


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [m for arg in get_args(annotation) for m in _models_in(arg)]


def _kind_of(model: type[BaseModel]) -> str | None:
    field = model.model_fields.get("kind")
    return None if field is None else str(field.default)
