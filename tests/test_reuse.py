"""What is kept from model to model changes no bit: neither of problems, nor of arrays, nor of results."""

from __future__ import annotations

import os

import pytest

from solver.project import kept
from solver.project.checks.index import Index
from tests.reusing import Change, apart, changes, figure

SAMPLES = ("frontal", "sled", "airbag_catch", "four_bar", "ejection_seat")

forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="each model in a process of its own")


@forks
@pytest.mark.parametrize("sample", SAMPLES)
def test_a_changed_model_becomes_what_it_becomes_in_a_fresh_process(sample: str) -> None:
    wanted = changes(sample, 1)
    assert len(wanted) > 6
    # there and back: what is kept of one is there when the next is asked for
    order = [*range(len(wanted)), *reversed(range(len(wanted) - 1))]
    fresh = apart(wanted)
    assert len(set(fresh)) > len(wanted) // 3
    for n in order:
        assert figure(wanted[n]) == fresh[n], wanted[n][1]


@forks
def test_what_is_given_again_too_often_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted: list[Change] = [
        ("frontal", {}),
        ("frontal", {"segments/driver_head/mass_kg": 5.0}),
    ]
    fresh = apart(wanted)
    figure(wanted[0])
    with monkeypatch.context() as patch:
        patch.setattr(kept, "is_same", lambda *_: True)
        assert figure(wanted[1]) != fresh[1]
    assert figure(wanted[1]) == fresh[1]


@forks
def test_a_check_that_is_not_made_again_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
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
