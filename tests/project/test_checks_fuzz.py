"""Checking never fails, whatever the document that passed the first pass."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from solver.project import Project, ProjectError, validated
from solver.project.checks import catalogue, check
from tests.checks_model import base

NUMBERS = (
    0.0,
    -0.0,
    1.0,
    -1.0,
    1e-300,
    1e-12,
    -1e15,
    1e15,
    3.14,
    1e6,
    -1e-9,
    5e-324,
    -1e-200,
    1e-15,
    1e-101,
)
TINY = (5e-324, -5e-324, 1e-200, 1e-101)
CODES = {info.code: info.severity for info in catalogue()}


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    items = value.items() if isinstance(value, dict) else ()
    if isinstance(value, list):
        items = enumerate(value)  # type: ignore[assignment]
    for key, inner in items:
        found += _places(inner, (*path, key))
    return found


def _words(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [word for inner in value.values() for word in _words(inner)]
    if isinstance(value, list):
        return [word for inner in value for word in _words(inner)]
    return [value] if isinstance(value, str) else []


def _at(data: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        data = data[key]
    return data


PLACES = _places(base())
NUMBER_PLACES = [path for path in PLACES if isinstance(_at(base(), path), float)]
WORDS = sorted({*_words(base()), "ground", "nobody"})


def _change(data: Any, draw: random.Random) -> None:
    """Change one place: another number or word, an entry twice, lost or swapped."""
    path = draw.choice(PLACES)
    holder = data
    try:
        for key in path[:-1]:
            holder = holder[key]
        value = holder[path[-1]]
    except (KeyError, IndexError, TypeError):
        return
    if isinstance(value, bool):
        holder[path[-1]] = not value
    elif isinstance(value, int | float):
        holder[path[-1]] = draw.choice(NUMBERS)
    elif isinstance(value, str):
        holder[path[-1]] = draw.choice(WORDS)
    elif isinstance(value, list) and value:
        move = draw.choice(("twice", "lose", "shuffle"))
        if move == "twice":
            value.append(json.loads(json.dumps(draw.choice(value))))
        elif move == "lose":
            value.pop(draw.randrange(len(value)))
        else:
            draw.shuffle(value)
    elif isinstance(holder, dict):
        del holder[path[-1]]


def _mutated(seed: int, changes: int) -> Project | None:
    """Give the model after some changes, leaving out each that the first pass refuses."""
    draw = random.Random(seed)
    data, project = base(), None
    for _ in range(changes):
        before = json.dumps(data)
        _change(data, draw)
        try:
            project = validated(data)
        except ProjectError:
            data = json.loads(before)
    return project


def _assert_sound(project: Project) -> None:
    found = check(project)
    for one in found:
        assert CODES[one.code] == one.severity
        assert one.path
        assert one.path.split("/")[0] in Project.model_fields
        assert one.sentence
    grave = ["error", "warning", "note"]
    order = [grave.index(one.severity) for one in found]
    assert order == sorted(order)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32), changes=st.integers(1, 12))
def test_changed_models_are_checked_without_failure(seed: int, changes: int) -> None:
    project = _mutated(seed, changes)
    if project is not None:
        _assert_sound(project)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32))
def test_physics_of_odd_numbers_never_fails(seed: int) -> None:
    draw = random.Random(seed)
    data = base()
    for path in draw.sample(NUMBER_PLACES, 4):
        before = _at(data, path)
        _at(data, path[:-1])[path[-1]] = draw.choice(NUMBERS)
        try:
            validated(data)
        except ProjectError:
            _at(data, path[:-1])[path[-1]] = before
    _assert_sound(validated(data))


@pytest.mark.parametrize("part", range(4))
def test_no_number_that_is_all_but_nothing_gets_through(part: int) -> None:
    refused = found = 0
    for path in NUMBER_PLACES[part :: 4 * 3]:
        for number in TINY[part % 2 :: 2]:
            data = base()
            _at(data, path[:-1])[path[-1]] = number
            try:
                project = validated(data)
            except ProjectError:
                refused += 1
                continue
            assert "number-tiny" in {one.code for one in check(project)}, (path, number)
            found += 1
    assert found > 10 > refused / 10


@pytest.mark.parametrize("count", [1, 40])
def test_many_contacts_are_looked_at_together(count: int) -> None:
    data = base()
    one = next(c for c in data["contacts"] if c["kind"] == "surfaces")
    for i in range(count):
        more = json.loads(json.dumps(one))
        data["contacts"].append(more | {"id": f"more{i}", "first": {"segment": "hand", "surface": "skin"}})  # fmt: skip
    found = check(validated(data))
    assert [one.code for one in found] == ["contact-twice"] * (count - 1)
