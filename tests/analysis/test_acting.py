"""What acts on a segment adds up to mass times acceleration, and is named by its source."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from solver.analysis.acting import account, asked_of, messages, slide_of, with_own_parts
from solver.base.places import samples
from solver.project import Project, load_project, validated
from solver.report.explaining import why
from solver.results import open_results
from solver.results.trajectory import Trajectory
from solver.running.simulation import simulate
from tests import models
from tests.models import base, point
from tests.solved import assessed, stored_run

BELTED = {"sled": 0.05, "frontal_5f": 0.045, "lap_belt": 0.05, "side_impact": 0.03}


@pytest.fixture(scope="module", params=BELTED)
def ran(request: pytest.FixtureRequest) -> tuple[Project, Trajectory]:
    """Solve the first part of a sample that has belts, a bag, contacts or springs."""
    project = load_project(samples() / f"{request.param}.json")
    run = project.runs[0].model_copy(update={"duration_s": BELTED[request.param]})
    project = project.model_copy(update={"runs": (run,)})
    return project, simulate(project)


def test_all_that_acts_is_mass_times_acceleration(ran: tuple[Project, Trajectory]) -> None:
    project, run = ran
    moved = {one.segment for one in project.motions} | {
        panel.segment for bag in project.airbags for panel in bag.panels
    }
    seen = set()
    for segment in project.segments:
        found = account(project, run.time, run.table, (segment.id,))
        if found is None:
            continue
        largest = max(float(np.abs(share.forces).max()) for share in found.shares)
        total = np.sum([share.forces for share in found.shares], axis=0)
        inertia = segment.mass_kg * run.segment(segment.id).acceleration
        assert np.allclose(total, inertia, atol=1e-9 * largest)
        if segment.id not in moved:
            # no remainder was needed
            assert found.is_whole, segment.id
            seen |= {share.source for share in found.shares}
        parts = found.by_source(np.array([1.0, 0.0, 0.0]))
        assert np.allclose(sum(parts.values()), inertia[:, 0], atol=1e-9 * largest)
    assert {"weight", "joints"} < seen


def test_together_only_what_comes_from_outside_counts(ran: tuple[Project, Trajectory]) -> None:
    project, run = ran
    (chest,) = [s.id for s in project.segments if s.id.endswith("upper_torso")] or [""]
    if not chest:
        return
    joint = next(j for j in project.joints if chest == j.child)
    pair = account(project, run.time, run.table, (chest, joint.parent))
    alone = account(project, run.time, run.table, (chest,))
    assert pair is not None
    assert alone is not None
    assert pair.is_whole
    assert f"joints/{joint.id}" in {share.element for share in alone.shares}
    assert f"joints/{joint.id}" not in {share.element for share in pair.shares}
    masses = {s.id: s.mass_kg for s in project.segments}
    assert pair.mass_kg == pytest.approx(masses[chest] + masses[joint.parent])


def test_a_belt_s_part_of_the_chest_s_acceleration_is_told() -> None:
    project = load_project(samples() / "frontal_5f.json")
    assert with_own_parts(project, "driver_upper_torso") == (
        "driver_upper_torso", "driver_sternum", "driver_right_shoulder", "driver_left_shoulder",
    )  # fmt: skip
    assert with_own_parts(project, "vehicle") == ("vehicle",)


def test_of_segments_that_are_not_there_nothing_is_told(ran: tuple[Project, Trajectory], tmp_path: Path) -> None:  # fmt: skip
    project, run = ran
    assert account(project, run.time, run.table, ("nobody",)) is None


@pytest.mark.parametrize("law", ["along", "printed"])
def test_all_else_that_acts_is_told_too(law: str) -> None:
    """Strings with mass, lines over points, laws along an axis and of slides, loads, winds, drivers, symmetry."""
    ball = {"id": "ball", "kind": "ellipsoid", "semi_axes_m": [0.2, 0.3, 0.4]}
    data = base(
        0.1,
        segments=[models.segment(name, 2.0 + n) for n, name in enumerate("abcdefghi")],
        functions=[
            {"id": "push", "x_unit": "s", "y_unit": "N",
             "form": {"kind": "table", "x": [0.0, 0.1], "y": [50.0, -20.0]}}],
        tension_elements=[
            {"id": "string", "a": point("a", 0.1, 0.2), "b": point("b", 0.0, 0.1, 0.3), "mass_a_kg": 0.4,
             "mass_b_kg": 0.3, "mass_ab_kg": 0.2, "stiffness_n_per_m": 500.0, "damping_ns_per_m": 3.0,
             "rest_length_m": 0.8, "damping_law": law}],
        coordinate_forces=[
            {"id": "line", "coordinate": {"kind": "distance", "a": point("a"), "via": [point("c", 0.1)], "b": point("b")},
             "zero": 0.1, "laws": [{"kind": "viscous", "damping": 40.0}]},
            {"id": "round", "coordinate": {"kind": "distance", "a": point("a", 0.2), "b": point("d"),
                                           "over": [{"segment": "c", "kind": "sphere", "radius_m": 0.3}, {"segment": "b", "kind": "cylinder", "radius_m": 0.2, "side_m": [0.0, 0.0, -1.0]}]},
             "zero": 0.1, "laws": [{"kind": "linear", "stiffness": 40.0}]},
            {"id": "rail", "coordinate": {"kind": "component", "a": {"segment": "c"}, "b": point("d", 0.2), "axis": "y"},
             "laws": [{"kind": "viscous", "damping": 30.0}]},
            {"id": "brake", "coordinate": {"kind": "joint", "joint": "slide", "axis": "slide"},
             "laws": [{"kind": "viscous", "damping": 30.0}]}],
        joints=[{"id": "slide", "kind": "slip", "parent": "d", "child": "e"}],
        loads=[{"id": "own", "segment": "c", "point_m": [0.1, 0.2, 0.0], "direction": [1, 2, 0], "history": "push"},
               {"id": "fixed", "segment": "e", "direction": [0, 0, 2], "axes": "ground", "history": "push"}],
        frame_drivers=[
            {"id": "moved", "moved": {"segment": "f"}, "seen_from": {"segment": "d"}, "component": "x",
             "quantity": "acceleration", "pulse": {"kind": "half_sine", "amplitude": 30.0, "duration_s": 0.1}}],
        symmetry=[{"id": "flat", "kind": "planar", "segment": "g"},
                  {"id": "pair", "kind": "mirror", "first": "h", "second": "i"}],
        initial={"roots": [
            {"segment": name, "position_m": [0.7 * n, 0.4 * (n % 3), 0.2 * n],
             "velocity_m_per_s": [0.3 * n, 1.0 - 0.2 * n, 0.1]} for n, name in enumerate("abcdfghi")],
            "attitudes": [{"segment": name, "angular_velocity_rad_per_s": [0.1 * n, 2.0, 1.0]}
                          for n, name in enumerate("abcd")],
            "joints": [{"joint": "slide", "values": [0.0], "rates": [1.5]}]},
    )  # fmt: skip
    data["segments"][6]["surfaces"] = data["segments"][7]["surfaces"] = [ball]
    data["winds"] = [
        {"id": "on_g", "pressure_x": 100.0, "pressure_y": 60.0,
         "targets": [{"surface": {"segment": "g", "surface": "ball"}}]},
        {"id": "on_h", "pressure_y": 100.0, "targets": [{"surface": {"segment": "h", "surface": "ball"}}]},
    ]  # fmt: skip
    made = validated(data)
    run = simulate(made)
    told = set()
    for name in "abcdefghi":
        found = account(made, run.time, run.table, (name,))
        assert found is not None
        total = np.sum([share.forces for share in found.shares], axis=0)
        inertia = found.mass_kg * run.segment(name).acceleration
        assert np.allclose(total, inertia, atol=1e-6 * np.abs(inertia).max())
        assert found.is_whole, name
        told |= {share.element for share in found.shares if share.source != "weight"}
    assert told == {
        "tension_elements/string", "coordinate_forces/line", "coordinate_forces/round", "coordinate_forces/rail", "joints/slide", "loads/own",
        "loads/fixed", "frame_drivers/moved", "symmetry/flat", "symmetry/pair", "winds/on_g", "winds/on_h",
    }  # fmt: skip
    whole = account(made, run.time, run.table, tuple("abcdefghi"))
    assert whole is not None
    assert "tension_elements/string" in {share.element for share in whole.shares}, "it weighs"
    assert not {"joints/slide", "frame_drivers/moved"} & {share.element for share in whole.shares}


def test_what_squeezes_a_light_part_is_told_in_forces(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sternum of 0.5 kg at 40 g: 196 N move it, 2.47 kN of a belt and 2.27 kN of ribs squeeze it."""
    light: Any = SimpleNamespace(
        mass_kg=0.5, acceleration=np.array([[-40.0 * 9.80665, 0.0, 0.0]]), slide=None
    )
    for share, words in (
        (12.59, "belt 2.47 kN; against it: ribs 2.27 kN"),
        (1.4, "belt 140 %; less what holds against it: ribs 40 %"),
    ):
        rows = [("belt", share), ("ribs", 1.0 - share)]
        monkeypatch.setattr(messages, "shares_at", lambda *_, rows=rows: rows)
        monkeypatch.setattr(messages, "named", lambda _, row: row)
        assert messages.shares_text(Project(), light, 0) == words
    rows = [("belt", 12.59), ("ribs", -11.59)]
    monkeypatch.setattr(messages, "shares_at", lambda *_: rows)
    assert messages.shares_text(Project(), light, 0, "si") == "belt 2469 N; against it: ribs 2273 N"
    assert messages.shares_text(Project(), light, 0, "inch_pound").startswith(
        "belt 555 lbf; against"
    )


def test_ribs_are_asked_what_presses_them_through_the_arm(tmp_path: Path) -> None:
    """Sum forces of the raw tables across the trunk by hand: the door on the arm, and all of arm and ribs against how their speed changes."""
    project = load_project(samples() / "side_impact.json")
    figures = {one.channels[0]: one for one in assessed("side_impact").figures if one.criterion == "rib_deflection"}  # fmt: skip
    left = figures["driver_left_ribs_way_slide"]
    slide = slide_of(project, left)
    assert slide is not None
    assert slide.id == "driver_left_ribs"
    with open_results(stored_run("side_impact", tmp_path)) as run:
        found = asked_of(project, run.time, run.table, left)
        assert found is not None
        assert found.slide is not None
        assert found.segments == ("driver_left_ribs", "driver_left_upper_arm")
        frame = int(np.abs(run.time - left.t1).argmin())
        w, *v = run.segment("driver_upper_torso").quaternion_wxyz[frame]
        inwards = Rotation.from_quat([*v, w]).apply([0.0, 1.0, 0.0])
        assert found.slide[frame] == pytest.approx(inwards, abs=1e-5)
        door = float(
            run.table("contacts").row("left_left_upper_arm-door")["force"][frame] @ inwards
        )
        mass = {one.id: one.mass_kg for one in project.segments}
        rates = (
            mass[one] * np.gradient(run.segment(one).velocity @ inwards, run.time)[frame]
            for one in found.segments
        )
        moved = float(sum(rates))
        ribs = messages.rows(project, found, frame, "slide")
        words = why(project, run, left)
    assert door > 1000.0
    assert f"What makes it: Left upper arm on door {1e-3 * door:.3g} kN" in words
    all_of_them = sum(row.part for each in ribs.values() for row in each)
    assert all_of_them == pytest.approx(moved, abs=0.05 * door)
    first, _, second = words.partition("; against it: ")
    both = [sum(map(float, re.findall(r" ([0-9.]+) kN", side))) for side in (first, second)]
    assert both[0] == pytest.approx(both[1], rel=0.03), "with the inertia both sides are equal"
