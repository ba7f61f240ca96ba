"""What is kept from model to model changes no bit: neither of problems, nor of arrays, nor of results."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

import pytest

from solver.base.places import samples
from solver.project import Project, load_project, memo
from solver.project.checks.index import Index
from solver.project.document import LISTS
from tests.exploring import further
from tests.reusing import Apart, Change, changes, figure

SAMPLES = ("frontal", "sled", "airbag_catch", "four_bar", *further(["ejection_seat"]))

forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="each model in a process of its own")


@pytest.fixture(scope="module")
def apart() -> Iterator[Apart]:
    made = Apart()
    with made.forks:
        yield made


@forks
@pytest.mark.seeded
@pytest.mark.parametrize("sample", SAMPLES)
def test_a_changed_model_becomes_what_it_becomes_in_a_fresh_process(
    apart: Apart, sample: str
) -> None:
    wanted = changes(sample, 1)
    assert len(wanted) > 6
    # there and back: what is kept of one is there when the next is asked for
    order = [*range(len(wanted)), *reversed(range(len(wanted) - 1))]
    fresh = apart(wanted)
    assert len(set(fresh)) > len(wanted) // 3
    for n in order:
        assert figure(wanted[n]) == fresh[n], wanted[n][1]


@forks
def test_what_is_given_again_too_often_is_seen(
    apart: Apart, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted: list[Change] = [
        ("frontal", {}),
        ("frontal", {"segments/driver_head/mass_kg": 5.0}),
    ]
    fresh = apart(wanted)
    figure(wanted[0])
    with monkeypatch.context() as patch:
        patch.setattr(memo, "is_same", lambda *_: True)
        assert figure(wanted[1]) != fresh[1]
    assert figure(wanted[1]) == fresh[1]


@forks
def test_a_check_that_is_not_made_again_is_seen(
    apart: Apart, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted: list[Change] = [
        ("frontal", {}),
        ("frontal", {"harnesses/driver_three_point_belt/straps/belt/slack_m": -0.9}),
    ]
    fresh = apart(wanted)
    figure(wanted[0])
    with monkeypatch.context() as patch:
        patch.setattr(Index, "is_same", lambda *_: True)
        assert figure(wanted[1]) != fresh[1]
    assert figure(wanted[1]) == fresh[1]


def test_the_very_same_project_is_looked_through_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[object] = []

    def noted(project: Project, read: Mapping[str, object]) -> bool:
        looked.append(project)
        return same(project, read)

    same = memo.is_same
    monkeypatch.setattr(memo, "is_same", noted)
    made: list[int] = []

    @memo.memoised
    def number_of(project: Project) -> int:
        made.append(1)
        return len(project.segments)

    one = load_project(samples() / "pendulum.json")
    other = one.model_copy(update={"title": "another"})
    assert {number_of(one) for _ in range(3)} == {len(one.segments)}
    assert (looked, made) == ([], [1])
    assert [number_of(other) for _ in range(3)] == 3 * [len(one.segments)]
    assert (len(looked), made) == (1, [1]), "what it read is the same: looked at once, made once"
    bare = one.model_copy(update={"segments": one.segments[:1]})
    assert number_of(bare) == 1, "another one is never taken for it"


def test_what_is_made_for_many_lists_is_made_once_for_each() -> None:
    made: list[str] = []

    @memo.memoised
    def count_of(project: Project, list_name: str) -> int:
        made.append(list_name)
        return len(getattr(project, list_name))

    one = load_project(samples() / "frontal.json")
    for _ in range(3):
        for path in LISTS:
            # as part of a path: the same word, another object
            assert count_of(one, f"{path}/x".partition("/")[0]) == len(getattr(one, path))
    assert sorted(made) == sorted(LISTS)
