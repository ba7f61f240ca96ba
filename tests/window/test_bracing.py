"""Brace: what is selected holds its posture."""

from __future__ import annotations

from typing import Any

import pytest

from app.features.bracing import segments_of
from solver.base.places import samples
from solver.bodies.posture import held
from solver.project import load_project


def test_the_body_of_one_segment_is_meant_or_what_lies_between_several() -> None:
    project = load_project(samples() / "braking.json")
    whole = segments_of(project, ["segments/braced_head"])
    assert {"braced_neck", "relaxed_head", "vehicle"} <= set(whole)
    pair = ["segments/braced_neck", "segments/braced_head"]
    assert segments_of(project, pair) == ["braced_neck", "braced_head"]
    assert segments_of(project, ["joints/braced_waist"]) == [
        "braced_centre_torso",
        "braced_upper_torso",
    ]


@pytest.mark.window
def test_it_is_one_step_and_selects_what_is_new(window: Any) -> None:
    document = window.bench.document
    document.open(samples() / "fall.json")
    before = document.project
    document.select("segments/occupant_neck")
    window.menus.run("place.brace")
    assert document.project == held(before)
    assert len(document.chosen) == 34
    document.history.undo()
    assert document.project == before
    document.select("joints/occupant_waist")
    window.menus.run("place.brace")
    held_now = {one.coordinate.joint for one in document.project.coordinate_forces}
    assert held_now == {"occupant_waist"}
    count = len(document.project.coordinate_forces)
    document.select("joints/occupant_waist")
    window.menus.run("place.brace")
    assert len(document.project.coordinate_forces) == count
