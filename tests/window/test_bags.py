"""Airbags in the scene: folded in the model, full where they are selected, as they are in a run."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.run_view.motion import Motion
from app.run_view.replay import Replay
from solver.project import validated
from solver.project.pose import Placed, full_bag, turn
from solver.results.trajectory import Table
from solver.scene.placing import pose_at_start
from solver.scene.shapes import shapes, surfaces_of
from solver.scene.straps import package
from tests.window.seated import seated
from tests.window.solving import solved


def seen(window: Any) -> dict[str, bool]:
    """Tell what of the bag is seen."""
    items = [i for i in window.bench.viewport.stage.items if i.shape.element.startswith("airbags/")]
    return {item.shape.kind: item.is_seen for item in items}


def test_the_package_lies_half_behind_the_deployment_point_and_its_arrow_leads_out() -> None:
    data = seated()
    data["airbags"][0]["orientation"] = {"angles_rad": [0.4, -0.3, 0.2]}
    project = validated(data)
    bag, pose = project.airbags[0], pose_at_start(project)
    drawn = {s.kind: s.mesh for s in shapes(project, pose) if s.element == f"airbags/{bag.id}"}
    panel = surfaces_of(project)[bag.panels[0].segment, bag.panels[0].surface]
    point = np.array(panel.centre_m) + turn(panel.orientation) @ np.array(bag.deployment_point_m)
    R = turn(bag.orientation)
    placed = full_bag(bag, project)
    assert placed is not None
    own = (drawn["bag"].points - placed.p_W) @ R / bag.semi_axes_m
    assert np.linalg.norm(own, axis=1) == pytest.approx(1.0)
    assert placed.p_W + R[:, 0] * bag.semi_axes_m[0] == pytest.approx(point)
    in_bag = (drawn["pack"].points - point) @ R
    deep, wide, high = package(bag.semi_axes_m)
    assert in_bag.max(axis=0) == pytest.approx([deep, wide, high], abs=1e-3)
    assert in_bag.min(axis=0) == pytest.approx([-deep, -wide, -high], abs=1e-3)
    along = (drawn["way"].points - point) @ R
    assert along[:, 0].max() == pytest.approx(-deep)
    assert along[int(along[:, 0].argmin()), 1:] == pytest.approx([0.0, 0.0], abs=1e-12)


@pytest.mark.window
def test_in_the_model_a_bag_is_folded_until_it_is_asked_for(window: Any, seated_file: Any) -> None:
    window.open_file(seated_file)
    folded, full = ({"bag": on, "pack": True, "way": True} for on in (False, True))
    assert seen(window) == folded
    window.bench.document.select("airbags/bag")
    assert seen(window) == full
    window.bench.document.edit("airbags/bag/fabric_mass_kg", 0.5, "Heavier")
    assert seen(window) == full
    window.bench.document.select("")
    assert seen(window) == folded
    window.menus.run("view.bags")
    assert seen(window) == full
    assert window.menus.entries["view.bags"].isChecked()
    window.menus.run("view.bags")
    assert seen(window) == folded


@pytest.mark.window
def test_in_a_run_the_package_gives_way_to_the_bag(window: Any, qtbot: Any) -> None:
    solved(window, qtbot)
    run_view = window.bench.run_view
    run_view.go(0.005)
    assert seen(window) == {"bag": False, "pack": True, "way": False}
    run_view.go(0.06)
    window.bench.document.select("airbags/bag")
    assert seen(window) == {"bag": True, "pack": False, "way": False}
    run_view.go(0.005)
    assert seen(window)["bag"] is False, "a folded bag is not full because it is selected"
    run_view.switch(False)
    assert seen(window) == {"bag": True, "pack": True, "way": True}


WHOLE = np.array(seated()["airbags"][0]["semi_axes_m"])


class FakeRun:
    """Hold a bag that fills, is tight, and then is as large as the gas that is left in it."""

    segment_ids = ("head",)
    state = np.array([0, 1, 2, 2, 2, 2])
    pressure = np.array([0.0, 0.0, 5e3, 0.0, 0.0, 0.0])
    left = np.array([0.0, 0.5, 1.0, 0.8, 0.4, 0.0])

    def __init__(self) -> None:
        self.time = 0.01 * np.arange(6)

    def table(self, group: str) -> Table:
        n = len(self.time)
        if group == "airbags":
            columns = {
                "state": self.state, "pressure": self.pressure, "position": np.zeros((n, 3)),
                "quaternion_wxyz": np.tile([1.0, 0.0, 0.0, 0.0], (n, 1)),
                "semi_axes": np.cbrt(self.left)[:, None] * WHOLE,
            }  # fmt: skip
            return Table(("bag",), {name: value[:, None] for name, value in columns.items()})
        if group == "segments":
            still = {"position": np.zeros((n, 1, 3)), "quaternion_wxyz": np.tile([1.0, 0, 0, 0], (n, 1, 1))}  # fmt: skip
            return Table(("head",), still)
        return Table((), {})


def test_a_slack_bag_lies_flat_and_hangs_with_the_volume_of_its_gas() -> None:
    project = validated(seated())
    motion = Motion(FakeRun())  # type: ignore[arg-type]
    bag, replay = project.airbags[0], Replay(project, motion)
    whole = np.array(bag.semi_axes_m)
    left = [motion.fullness("bag", whole, t) for t in motion.time]
    assert left == pytest.approx([1.0, 1.0, 1.0, 0.8, 0.4, 0.0])
    still = Placed(np.eye(3), np.zeros(3))
    full, half, flat = (replay._bag(bag, still, t) for t in (0.02, 0.04, 0.05))
    assert full is not None
    assert half is not None
    assert flat is not None
    whole = np.linalg.det(full.R_WS)
    assert np.linalg.det(half.R_WS) / whole == pytest.approx(0.4, rel=1e-9)
    assert 0.01 < np.linalg.det(flat.R_WS) / whole < 0.1
    placed = full_bag(bag, project)
    assert placed is not None
    held, front = (placed.p_W + x * bag.semi_axes_m[0] * placed.R_WS[:, 0] for x in (1.0, -1.0))
    ends = [[one.R_WS @ end + one.p_W for end in (held, front)] for one in (full, half, flat)]
    # the end at the panel stays, the other comes nearer and hangs lower (z points down)
    assert np.allclose([at for at, _ in ends], ends[0][0])
    depths = [abs((far - at)[0]) for at, far in ends]
    assert depths == sorted(depths, reverse=True)
    assert [far[2] for _, far in ends] == sorted(far[2] for _, far in ends)
