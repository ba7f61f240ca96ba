"""The small woman beside the driver: she sits where she was measured, and what compares her finds her own curves again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from solver.injury import G
from solver.project.pose import plane_corners, start_pose, turn
from validation import occupants, passenger

Array = NDArray[np.float64]


def foremost(part: str, surface: str) -> Array:
    """Give the point of a surface that is farthest ahead as the run begins (m)."""
    project, _ = passenger.solved()
    at, segment = (
        start_pose(project)[part],
        next(s for s in project.segments if s.id == part),
    )
    shape = next(s for s in segment.surfaces if s.id == surface)
    R, a = at.R_WS @ turn(shape.orientation), np.array(shape.semi_axes_m)
    ahead = R.T @ np.array((1.0, 0.0, 0.0))
    point: Array = at.of(shape.centre_m) + R @ (a * a * ahead) / np.linalg.norm(a * ahead)
    return point


def ahead_of(point: Array, plane: str) -> float:
    """Give how far a plane is ahead of a point, level (m)."""
    project, _ = passenger.solved()
    corner, edge, other = plane_corners(next(p for p in project.planes if p.id == plane))
    normal = np.cross(edge, other)
    return float(normal @ (corner - point) / normal[0])


def test_she_sits_as_far_from_things_as_she_was_measured() -> None:
    """Within 2 cm: the interior is placed by a body that has not yet settled into the seat."""
    project, _ = passenger.solved()
    head = foremost("passenger_head", "body")
    chest = foremost("passenger_upper_torso", "jacket")
    panel = start_pose(project)["car_instrument_panel"].p_W[0] - 0.12
    assert panel - chest[0] == pytest.approx(0.370, abs=0.02)
    assert ahead_of(head, "car_windscreen_glass") == pytest.approx(0.644, abs=0.03)
    glass = next(p for p in project.planes if p.id == "car_windscreen_glass").placement
    assert glass.kind == "points"
    header = glass.p3_m
    assert header[0] - head[0] == pytest.approx(0.275, abs=0.03)
    box = next(s for s in project.segments if s.id == "car_instrument_panel").surfaces[1]
    lower = panel + 0.12 + box.centre_m[0] - box.semi_axes_m[0]
    for side in ("right", "left"):
        knee = foremost(f"passenger_{side}_knee_block", "body")
        assert 0.0 < ahead_of(knee, "car_knee_bag") < 0.02
        assert lower - knee[0] == pytest.approx(0.126, abs=5e-3)


def test_the_belt_and_both_bags_hold_her() -> None:
    _, run = passenger.solved()
    contacts = run.trajectory.table("contacts")
    force = dict(zip(contacts.ids, np.linalg.norm(contacts["force"], axis=2).T, strict=True))
    for side in ("right", "left"):
        assert 1e3 < force[f"car_{side}_knee_block-knee_bag"].max() < 3e3
    assert not [name for name, f in force.items() if "windscreen" in name and f.max() > 0.0]
    pelvis, chest, head = (
        np.ptp(run.trajectory.channel(f"passenger_{part}_position_in_vehicle_x").value[:1000])
        for part in ("lower_torso", "upper_torso", "head")
    )
    assert 0.03 < pelvis < chest < head < 0.3
    # head and chest first, then the limbs, which may miss it
    pressed = run.trajectory.table("airbag_contacts")["force"][:, :2]
    assert np.linalg.norm(pressed, axis=2).max(axis=0).min() > 700.0


def test_her_own_curves_are_found_again(tmp_path: Path) -> None:
    """A file with what the run itself gave rates 1, and each figure is the file's."""
    _, run = passenger.solved()
    time = np.arange(0.0, occupants.TO_S, 1e-4)
    columns = {"t_ms": 1e3 * time}
    for part, (name, _) in occupants.RATED.items():
        for axis in "xyz":
            one = run[f"{passenger.WHO}_{name}_{axis}"]
            columns[f"{part}_a{axis}_g"] = np.interp(time, one.time, one.value) / G
    figures = {name: value for name, (_, value) in occupants.foretold(run, passenger.WHO).items()}
    columns["neck_Fx_N"] = np.full_like(time, 1e3 * figures["Neck shear"])
    columns["neck_Fz_N"] = np.full_like(time, 2e3 * figures["Neck tension"])
    columns["neck_My_Nm"] = np.zeros_like(time)
    columns["chest_defl_mm"] = np.full_like(time, -figures["Chest deflection"])
    for side in ("left", "right"):
        columns[f"femur_{side}_Fz_N"] = np.full_like(
            time, -1e3 * figures[f"{side.capitalize()} femur"]
        )
    file = tmp_path / "curves.csv"
    np.savetxt(
        file,
        np.column_stack(list(columns.values())),
        delimiter=",",
        header=",".join(columns),
        comments="",
    )
    test = occupants.read(file)
    assert min(occupants.ratings(run, passenger.WHO, test).values()) > 0.95
    found = {
        one.name: one.ratio for one in occupants.figures(run, passenger.WHO, test, passenger.DUMMY)
    }
    doubled, nij = found.pop("Neck tension"), found.pop("Nij")
    assert doubled == pytest.approx(2.0, rel=1e-6)
    assert nij > 1.1
    assert max(found.values()) < 1.1, found
    assert "| Neck tension | " in passenger.compared(file)
