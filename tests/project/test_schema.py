"""The schema says everything about itself, and the pages follow from it."""

from __future__ import annotations

import json
import typing
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from pydantic import TypeAdapter
from pydantic.fields import FieldInfo

from solver.base.places import samples
from solver.project import LISTS, Project, parse, to_json, validated
from solver.project.fields import Part
from solver.project.saving import text_for
from solver.project.schema import (
    is_common,
    json_schema_text,
    models,
    project_file_markdown,
    range_words,
    type_words,
    unit_of,
)
from tests.everything import CSV, everything
from tests.rows import rows
from tests.running.covering import covering

FIELDS = [(m, n, f) for m in models() for n, f in m.model_fields.items()]

UNIT_SUFFIXES = {
    "m4": "m4", "pas": "Pa*s",
    "kg": "kg", "m": "m", "s": "s", "rad": "rad", "pa": "Pa", "k": "K", "n": "N", "hz": "1/s",
    "nm": "N*m", "ns": "N*s", "kgm2": "kg*m2", "m2": "m2", "m3": "m3",
}  # fmt: skip

PLAIN_NUMBERS = {
    # numbers whose unit follows from another field, or that have none
    "value", "x", "y", "coefficients", "x_min", "x_max", "split", "level", "amplitude",
    "start_value", "start_rate", "values", "rates", "magnitude", "absolute", "scale", "direction", "mean", "rms", "density",
    "low", "high", "deviation", "mode", "median", "at_least", "at_most", "age_years", "at", "until",
    "omega", "growth", "gain", "bias", "start", "lower", "upper", "rising", "falling", "numerator", "denominator",
}  # fmt: skip


def _names(case: tuple[type[Part], str, FieldInfo]) -> str:
    return f"{case[0].__name__}.{case[1]}"


@rows("case", FIELDS, ids=_names)
def test_every_field_has_label_help_and_unit(
    case: tuple[type[Part], str, FieldInfo],
) -> None:
    model, name, field = case
    assert field.title, "label"
    assert (field.description or "").endswith("."), "help is a sentence"
    extra = field.json_schema_extra
    assert isinstance(extra, dict)
    assert "unit" in extra
    assert (model.__doc__ or Part.__doc__) != Part.__doc__, "each model says what it is"
    words = type_words(field)
    if name not in LISTS and "number" in words and "whole" not in words:
        assert unit_of(field) or name in PLAIN_NUMBERS, f"{name} is a number without a unit"


@rows("case", FIELDS, ids=_names)
def test_the_unit_in_a_name_is_the_unit_of_the_field(
    case: tuple[type[Part], str, FieldInfo],
) -> None:
    _, name, field = case
    unit = unit_of(field)
    if not unit or unit == "1" or "|" in unit:
        return
    last = name.rsplit("_", 1)[-1]
    extra = field.json_schema_extra
    if "_per_" in name or (isinstance(extra, dict) and "refers_to" in extra):
        return
    if last in UNIT_SUFFIXES:
        assert UNIT_SUFFIXES[last] == unit
    else:
        assert name in PLAIN_NUMBERS | {"linear"}, f"{name} does not say its unit ({unit})"


@rows("case", FIELDS, ids=_names)
def test_what_a_field_is_at_first_is_within_its_limits(
    case: tuple[type[Part], str, FieldInfo],
) -> None:
    model, name, field = case
    if not isinstance(field.default, int | float):
        return
    # no default is checked by itself where a model is made
    known = TypeAdapter(typing.Annotated[field.annotation, field])
    assert known.validate_python(field.default) == field.default, (model, name)


def test_models_are_frozen_and_closed() -> None:
    for model in models():
        assert model.model_config.get("frozen") is True
        assert model.model_config.get("extra") == "forbid"


def test_references_name_lists_of_the_document() -> None:
    for model, name, field in FIELDS:
        extra = field.json_schema_extra
        if isinstance(extra, dict) and "refers_to" in extra:
            assert extra["refers_to"] in LISTS, f"{model.__name__}.{name}"


def test_the_lists_of_the_plan_are_there() -> None:
    planned = (
        "segments joints planes functions contact_laws contacts belts harnesses airbags springs "
        "tension_elements constraints flexible_elements motions winds loads symmetry outputs runs"
    )
    assert set(planned.split()) <= set(LISTS)
    assert "initial" in Project.model_fields


def test_every_list_holds_elements_with_ids() -> None:
    for name in LISTS:
        item = typing.get_args(Project.model_fields[name].annotation)[0]
        kinds = [m for m in models() if m in _leaves(item)]
        assert kinds
        for kind in kinds:
            assert "id" in kind.model_fields, kind


def _leaves(annotation: typing.Any) -> set[type[Part]]:
    if isinstance(annotation, type) and issubclass(annotation, Part):
        return {annotation}
    return {leaf for a in typing.get_args(annotation) for leaf in _leaves(a)}


def test_the_page_names_every_field_with_its_unit_and_range() -> None:
    page = project_file_markdown()
    for model, name, field in FIELDS:
        heading = "Every element" if is_common(model, name) else model.__name__
        section = page.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
        row = next(line for line in section.splitlines() if line.startswith(f"| `{name}` |"))
        assert unit_of(field).replace("|", " or ") in row
        assert range_words(field) in row


def test_limits_reach_the_page() -> None:
    page = project_file_markdown()
    assert "| `mass_kg` | number | kg | required | ≥ 0 |" in page
    assert "| `semi_axes_m` | 3 × number | m | required | > 0 |" in page
    assert "| `powers` | 3 × number | 1 | `[4.0, 4.0, 4.0]` | ≥ 2, ≤ 100 |" in page


@cache
def validator() -> Any:
    schema = json.loads(json_schema_text())
    of = jsonschema.validators.validator_for(schema)
    of.check_schema(schema)
    return of(schema)


@pytest.mark.parametrize("name", covering())
def test_samples_follow_the_json_schema(name: str) -> None:
    validator().validate(json.loads((samples() / f"{name}.json").read_text(encoding="utf-8")))


def test_the_json_schema_refuses_what_the_program_refuses() -> None:
    data = json.loads(to_json(Project()))
    assert validator().is_valid(data)
    assert not validator().is_valid({**data, "unknown": 1})
    assert not validator().is_valid({**data, "segments": [{"id": "a", "mass_kg": -1}]})


def _used(part: Part, found: set[tuple[type[Part], str]]) -> None:
    for name, field in type(part).model_fields.items():
        value = getattr(part, name)
        if field.is_required() or value != field.get_default():
            found.add((type(part), name))
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, Part):
                _used(item, found)


def test_a_project_with_everything_makes_the_way_and_back(tmp_path: Path) -> None:
    (tmp_path / "pulse.csv").write_text(CSV)
    project = validated(everything())
    found: set[tuple[type[Part], str]] = set()
    _used(project, found)
    constant = {"kind", "format", "schema_version"}
    unused = {(m, n) for m, n, _ in FIELDS if n not in constant} - found
    assert unused == set()

    text = text_for(parse(to_json(project), tmp_path).project, tmp_path / "there.json")
    assert text == to_json(project)
    alone = to_json(parse(text, tmp_path).project, embed_curves=True)
    assert "pulse.csv" not in alone
    assert to_json(parse(alone).project) == alone
