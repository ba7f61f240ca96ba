"""Submarining: a lap belt that leaves the front of the pelvis is reported, with its time; one that stays is not."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.run_view.marks import marks
from solver.base.places import samples
from solver.bodies.library import insert
from solver.project import Project, load_project
from solver.report import report
from solver.results import open_results
from solver.results.trajectory import Trajectory
from solver.running.outputs.submarining import SubmariningMonitor, lap_belts, submarining
from solver.running.simulation import simulate, simulate_to_file
from tools.samples.aircraft_dummy import HIPS, stopped
from tools.samples.common import OCCUPANT, VEHICLE, seated, settled, vehicle

GONE = ("lap_belt_pulls_up", "lap_belt_over_crest", "lap_belt_leaves", "lap_belt_slips_down")


def pelvis(
    anchors: float, follows: str, friction: float = 0.05, ends: tuple[float, float] = (0.16, 0.16)
) -> Project:
    """Throw a pelvis that is guided forward into a lap belt; its anchors lie so far below it (m), or above."""
    places = [
        (0.02, -0.14, 0.02),
        (0.07, -0.08, 0.02),
        (0.085, 0.0, 0.02),
        (0.07, 0.08, 0.02),
        (0.02, 0.14, 0.02),
    ]
    along = {"friction_across": friction, "friction_along": 0.2}
    points: list[dict[str, Any]] = [
        {
            "kind": "surface", "surface": {"segment": "pelvis", "surface": "iliac"}, "position_m": place,
            "follows": follows, **(along if follows == "webbing" else {"friction_along": 0.2}),
        }
        for place in places
    ]  # fmt: skip
    forward = {"angles_rad": (0.0, np.pi / 2, 0.0)}
    return Project.model_validate(
        {
            "title": "pelvis in a lap belt",
            "gravity_m_per_s2": (0.0, 0.0, 0.0),
            "segments": [
                {
                    "id": "pelvis", "mass_kg": 15.0, "inertia_kgm2": (0.1, 0.1, 0.1),
                    "surfaces": [{"id": "iliac", "kind": "ellipsoid", "semi_axes_m": (0.09, 0.16, 0.08)}],
                }
            ],
            "joints": [
                {
                    "id": "guide", "kind": "slip", "rotation": "none", "parent": "ground", "child": "pelvis",
                    "parent_frame": {"orientation": forward}, "child_frame": {"orientation": forward},
                }
            ],
            "contact_laws": [{"id": "webbing", "kind": "webbing", "base": "stretch"}],
            "functions": [
                {"id": "stretch", "x_unit": "1", "y_unit": "N", "form": {"kind": "table", "x": (0.0, 0.2), "y": (0.0, 60e3)}}
            ],
            "harnesses": [
                {
                    "id": "belt",
                    "straps": [
                        {
                            "id": "lap", "law": "webbing",
                            "points": [
                                {"kind": "anchor", "segment": "ground", "position_m": (-0.35, -0.2, anchors)},
                                *points,
                                {"kind": "anchor", "segment": "ground", "position_m": (-0.35, 0.2, anchors)},
                            ],
                        }
                    ],
                }
            ],
            "initial": {"joints": [{"joint": "guide", "values": [0.0], "rates": [6.0]}]},
            "runs": [{"id": "run", "duration_s": 0.05, "frame_interval_s": 5e-4}],
        }
    )  # fmt: skip


@cache
def run(anchors: float, follows: str) -> Trajectory:
    return simulate(pelvis(anchors, follows))


def gone(of: Trajectory) -> dict[str, float]:
    return {event.kind: event.time for event in of.events() if event.kind in GONE}


def test_a_belt_that_pulls_back_and_down_stays() -> None:
    held = run(0.3, "body")
    assert gone(held) == {}
    assert not any("submarining" in line or "slip" in line for line in held.log)
    assert np.abs(held.table("strap_points")["force"]).max() > 1000.0
    assert not any("submarining" in one.words for one in marks(pelvis(0.3, "body"), held))


def test_a_belt_that_friction_keeps_stays() -> None:
    """One that pulls up by a ninth or a sixth of what it presses lies where it is, at a friction of 0.2; by a fourth it does not."""
    for anchors, least, told in ((-0.02, 0.1, 0), (-0.04, 0.15, 0), (-0.08, 0.25, 1)):
        force = run(anchors, "body").table("strap_points")["force"][:, 1:6].sum(axis=1)
        loaded = force[np.linalg.norm(force, axis=1) > 500.0]
        assert (-loaded[:, 2] / np.hypot(loaded[:, 0], loaded[:, 1])).min() > least
        assert len(submarining(pelvis(anchors, "body"), run(anchors, "body"))) == told


def test_a_belt_laid_too_high_pulls_the_pelvis_up() -> None:
    project, found = pelvis(-0.3, "body"), run(-0.3, "body")
    force = found.table("strap_points")["force"][:, 1:6].sum(axis=1)
    held = 0.2 * np.hypot(*force[:, :2].T)
    loaded = (np.linalg.norm(force, axis=1) > 500.0) & (-force[:, 2] > held)
    assert gone(found) == {"lap_belt_pulls_up": pytest.approx(found.time[np.argmax(loaded)])}
    (line,) = [one for one in found.log if one.startswith("warning: submarining")]
    assert "'belt.lap' pulls 'pelvis' up" in line
    (mark,) = [one for one in marks(project, found) if one.short == "submarining"]
    assert (mark.kind, mark.element) == ("through", "harnesses/belt")
    (told,) = submarining(project, found)
    assert told.force_n == pytest.approx(-force[loaded, 2].min(), rel=1e-6)
    verdicts = [one.text for one in report(found).content.verdicts if one.tone == "bad"]
    assert any("ubmarining: from 0.5 ms on" in one for one in verdicts), verdicts


@pytest.mark.parametrize(
    ("anchors", "kind"), [(-0.3, "lap_belt_over_crest"), (0.3, "lap_belt_slips_down")]
)
def test_a_belt_that_slides_off_the_pelvis_is_seen_where_it_lies(anchors: float, kind: str) -> None:
    """With little friction it slides over the smooth shape, and bears next to nothing from then on."""
    found = run(anchors, "webbing")
    assert set(gone(found)) == {kind}
    at = int(np.searchsorted(found.time, gone(found)[kind]))
    middle = found.table("strap_points")["position"][:, 3, 2]
    # an ellipsoid of 90 and 80 mm is steeper than 45 degrees from 53 mm on
    sides = found.table("strap_points")["position"][at, 1:6, 2]
    assert 0.02 < np.sign(anchors) * sides.mean() < 0.08
    assert np.sign(anchors) * middle[-1] > 0.06
    assert found.table("strap_points")["force"][-1].max() < 200.0


def test_the_crest_of_a_pelvis_that_leans_is_where_it_leans_to() -> None:
    """The same belt on a pelvis whose own axes are turned by half a turn pulls it down, not up."""
    up, down = pelvis(-0.3, "body"), pelvis(-0.3, "body")
    table = run(-0.3, "body")
    watch = SubmariningMonitor(down)
    columns = dict(table.table("segments").columns)
    columns["quaternion_wxyz"] = np.broadcast_to(
        [0.0, 1.0, 0.0, 0.0], columns["quaternion_wxyz"].shape
    )
    watch.look(table.time, columns, table.table("strap_points").columns)
    assert watch.found() == ()
    assert len(submarining(up, table)) == 1


def test_what_a_lap_belt_did_stands_in_the_file_and_goes_on_from_a_state(tmp_path: Path) -> None:
    project = pelvis(-0.3, "body")
    simulate_to_file(project, tmp_path / "run.h5")
    with open_results(tmp_path / "run.h5") as found:
        assert gone(found) == gone(run(-0.3, "body"))  # type: ignore[arg-type]
    first, second = SubmariningMonitor(project), SubmariningMonitor(project)
    seen, points = run(-0.3, "body").table("segments"), run(-0.3, "body").table("strap_points")
    time = run(-0.3, "body").time

    def part(of: Any, rows: slice) -> dict[str, Any]:
        return {name: column[rows] for name, column in of.columns.items()}

    first.look(time[:3], part(seen, slice(3)), part(points, slice(3)))
    assert first.found() == ()
    second.recall(first.memory())
    second.look(time[3:], part(seen, slice(3, None)), part(points, slice(3, None)))
    assert second.found() == submarining(project, run(-0.3, "body"))


def test_a_shoulder_belt_is_no_lap_belt() -> None:
    sled = load_project(samples() / "sled.json")
    assert [one.strap for one in lap_belts(sled)] == ["harnesses/harness/lap"]
    assert not lap_belts(sled)[0].is_iliac
    (one,) = lap_belts(load_project(samples() / "frontal.json"))
    assert one.is_iliac
    assert one.pelvis == "driver_lower_torso"
    assert one.sliding == ()


@cache
def smooth() -> tuple[Project, Trajectory]:
    """Hold the printed man, whose pelvis is an ellipsoid, in an aircraft seat by a lap belt: it snaps off him."""
    project = seated(
        stopped(vehicle("A smooth pelvis", "", "", 0.14), "far25_straight"), "seated", HIPS
    )
    project = insert(project, "aircraft_seat", "seat", attach_to=VEHICLE, at=HIPS, on=OCCUPANT)
    project = insert(settled(project), "aircraft_lap_belt", attach_to=VEHICLE, at=HIPS, on=OCCUPANT)
    return project, simulate(project)


def test_a_belt_that_snaps_off_a_smooth_pelvis_is_told() -> None:
    """See its point jump by centimetres and its tension fall by more than half within a frame, and tell when and under what."""
    project, run = smooth()
    (one,) = [found for found in submarining(project, run) if found.kind == "lap_belt_snaps"]
    at = int(np.argmin(abs(run.time - one.time_s)))
    most = np.asarray(run.table("strap_points")["tension"]).max(axis=1)
    assert most[at] > 4000.0
    assert most[at + 1] < 0.5 * most[at]
    assert most[at] <= one.force_n + 1e-6
    assert "lap belt snaps" in [mark.short for mark in marks(project, run)]
    assert [line for line in run.log if "snaps off" in line and "another tolerance" in line]


def test_a_snap_between_two_blocks_of_frames_is_seen() -> None:
    """Look at the frames one by one, as they may come from a run: the same as all at once."""
    project, run = smooth()
    table, points, watch = (
        run.table("segments"),
        run.table("strap_points"),
        SubmariningMonitor(project),
    )
    for n in range(len(run.time)):
        one = slice(n, n + 1)
        watch.look(run.time[one], {k: v[one] for k, v in table.columns.items()}, {k: v[one] for k, v in points.columns.items()})  # fmt: skip
    assert watch.found() == submarining(project, run)
