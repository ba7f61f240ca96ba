"""Lanes below the timeline: in which state connectors were, from the events of a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPointF, Qt

from app.features.runs.timeline import Timeline
from app.run_view.lanes import lanes
from solver.base.places import samples
from solver.project import load_project
from solver.project.joint_table import is_cut
from solver.results import open_results
from solver.running.simulation import simulate
from tests.engine.test_breaking import pulled
from tests.engine.test_connectors import clutch, edges, rolling, turned_round
from tests.engine.test_strut import shaken
from tests.models import project
from tests.solved import stored_run


def states(data: Any) -> list[tuple[str, list[str]]]:
    made = project(data)
    return [(lane.element, [s.state for s in lane.spans]) for lane in lanes(made, simulate(made))]


def test_a_bond_is_held_breaks_closes_again_and_is_gone() -> None:
    points = [*turned_round(4e-3)[:3], (0.1, -300.0), (0.2, 1000.0), (1.0, 1000.0)]
    data = pulled(points, heals_below_m=5e-4)
    data["runs"][0]["duration_s"] = 0.3
    assert states(data) == [("joints/bond", ["breaking", "held", "breaking", "broken"])]
    made = project(data)
    run = simulate(made)
    (lane,) = lanes(made, run)
    times = [e.time for e in run.events() if e.kind.startswith("joint_")]
    assert [span.start for span in lane.spans] == times
    assert [span.end for span in lane.spans[:-1]] == times[1:]
    assert lane.spans[-1].end == pytest.approx(0.3)


def test_a_clutch_slips_and_a_strut_says_which_axes_are_held() -> None:
    assert states(clutch(keeps_torque=True)) == [("joints/axle", ["held", "sliding", "held"])]
    made = project(shaken())
    (lane,) = lanes(made, simulate(made))
    words = {span.words for span in lane.spans}
    assert {
        "fixed", "sliding, fixed: length, at child", "sliding, fixed: at parent, length", "sliding, fixed: at parent",
        "sliding", "broken",
    } <= words  # fmt: skip


def test_constraints_have_lanes() -> None:
    assert states(rolling(breakage={"pull_n": 1000.0, "ramp_m": 0.01})) == [
        ("constraints/roll", ["breaking", "broken"])
    ]
    slides = states(edges(static_force_n=15.0, sliding_force_n=5.0))
    assert slides == [] or slides[0][1][-1] == "sliding"
    data = rolling(mode="auto", starts="on_touch", static_friction=0.5, sliding_friction=0.4)
    data["initial"]["roots"][0]["position_m"] = [0.0, 0.0, -0.15]
    data["functions"][0]["form"]["value"] = -100.0
    data["initial"]["attitudes"] = []
    data["runs"][0]["duration_s"] = 0.3
    (lane,) = states(data)
    assert lane[1][0] == "apart"
    assert lane[1][-1] in ("sliding", "rolling")


def test_nothing_that_keeps_its_state_has_a_lane() -> None:
    data = clutch()
    data["joints"][0]["lock"] = {}
    assert states(data) == []


@pytest.mark.parametrize(
    ("sample", "elements"),
    [
        ("frontal", ["joints/car_steering_wheel_mount"]),
        (
            "pedestrian",
            [
                "joints/pedestrian_right_femur_cell",
                "joints/pedestrian_right_tibia_cell",
            ],
        ),
    ],
)
def test_what_held_a_posture_and_lets_go_has_no_lane(
    sample: str, elements: list[str], tmp_path: Path
) -> None:
    """The joints of people open in every crash; what the car gives and what breaks is told."""
    with open_results(stored_run(sample, tmp_path)) as run:
        assert sum(e.kind in ("joint_opens", "joint_breaks") for e in run.events()) >= len(elements)
        found = lanes(load_project(samples() / f"{sample}.json"), run)
        assert [lane.element for lane in found] == elements
        if sample == "pedestrian":
            assert {lane.spans[-1].words for lane in found} == {"broken"}


def test_a_cut_in_a_bone_is_known_by_its_laws_whatever_it_is_called() -> None:
    """A shin that people call by another name has broken all the same; an ankle called a cell holds a posture."""
    project = load_project(samples() / "pedestrian_car.json")
    joints = {joint.id: joint for joint in project.joints}
    shin, ankle = (joints[f"pedestrian_right_{name}"] for name in ("tibia_cell", "ankle"))
    assert is_cut(shin.model_copy(update={"id": "shin"}))
    assert not is_cut(ankle.model_copy(update={"id": "ankle_cell"}))
    cuts = {joint.id.removeprefix("pedestrian_") for joint in project.joints if is_cut(joint)}
    assert {"right_femur_cell", "left_tibia_cell"} <= cuts
    assert not {"right_knee", "left_hip", "condyles", "right_elbow"} & cuts


def test_they_stand_below_the_timeline(window: Any, qtbot: Any, tmp_path: Any) -> None:
    """One lane under the line, as wide; a click goes there and selects; a run without them takes no room."""
    data = shaken()
    file = tmp_path / "shaken.json"
    file.write_text(json.dumps(data))
    window.open_file(file)
    bench = window.bench
    bench.run_view.run()
    qtbot.waitUntil(lambda: bench.run_view.runs.current is not None and not bench.run_view.runs.current.is_running and bench.run_view.replay is not None, timeout=120_000)  # fmt: skip
    timeline = window.findChild(Timeline)
    drawn = timeline.lanes
    qtbot.waitUntil(lambda: bool(drawn.lanes), timeout=20_000)
    assert drawn.isVisibleTo(timeline)
    (lane,) = drawn.lanes
    span = lane.spans[1]
    assert drawn.x_of(0.5) == timeline.bar.x_of(0.5)
    at = QPointF(0.5 * (drawn.x_of(span.start) + drawn.x_of(span.end)), 6.0)
    assert drawn.span_at(at) == (lane, span)
    asked: list[float] = []
    chosen: list[str] = []
    drawn.asked.connect(asked.append)
    drawn.chosen.connect(chosen.append)
    qtbot.mouseClick(drawn, Qt.MouseButton.LeftButton, pos=at.toPoint())
    assert asked == [span.start]
    assert chosen == ["joints/strut"]
    assert "broken" in drawn.accessibleDescription()
    timeline.show_nothing()
    assert not drawn.isVisibleTo(timeline)
