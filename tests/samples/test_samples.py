"""The shipped samples are in order, canonical, and say what their sources say."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from solver.base.places import samples
from solver.project import Project, load_project, to_json
from solver.project.checks import check
from solver.project.functions import Table
from solver.project.geometry import SurfaceRef
from solver.project.pose import start_pose
from tests.rows import rows

INCH = 0.0254
POUND_FORCE = 4.4482216152605
GRAVITY = 386.088 * INCH
FILES = sorted(samples().glob("*.json"))


@rows("file", FILES, ids=lambda f: f.stem)
def test_a_sample_is_in_order(file: Path) -> None:
    project = load_project(file)
    found = check(project)
    assert [str(p) for p in found if p.severity != "note"] == []
    # a law that does not do what it says has no place in a sample
    assert [str(p) for p in found if p.code.startswith("law-")] == []
    assert project.title
    assert project.note
    assert project.source
    assert project.runs
    assert project.outputs


@rows("file", FILES, ids=lambda f: f.stem)
def test_a_sample_is_canonical_to_the_byte(file: Path) -> None:
    assert to_json(load_project(file)).encode() == file.read_bytes()


@pytest.fixture(scope="module")
def sled() -> Project:
    return load_project(samples() / "sled.json")


def test_the_sled_weighs_what_the_deck_says(sled: Project) -> None:
    mass = sum(s.mass_kg for s in sled.segments if s.id != "vehicle")
    assert mass * GRAVITY / POUND_FORCE == pytest.approx(208.78, abs=1e-5)


@pytest.mark.parametrize(
    ("segment", "place"),
    [
        ("centre_torso", (13.16068, 0, -19.07188)),
        ("upper_torso", (11.31383, 0, -26.93796)),
        ("head", (7.77521, 0, -41.83338)),
        ("right_upper_leg", (22.94073, 3.42, -14.48930)),
        ("right_foot", (48.12719, 3.42, -4.45598)),
        ("right_forearm", (22.75808, 6.24, -21.48521)),
    ],
)
def test_the_sled_starts_where_the_deck_says(
    sled: Project, segment: str, place: tuple[float, float, float]
) -> None:
    inches = start_pose(sled)[segment].p_W / INCH
    assert np.allclose(inches, place, atol=6e-6)


def test_the_sled_has_the_parts_of_the_deck(sled: Project) -> None:
    kinds = [c.kind for c in sled.contacts]
    assert (kinds.count("plane"), kinds.count("surfaces")) == (11, 6)
    assert sum(len(s.points) for s in sled.harnesses[0].straps) == 27
    assert len(sled.planes) == 12
    assert [j.child for j in sled.joints if j.kind == "pin"] == [
        "right_lower_leg", "left_lower_leg", "right_forearm", "left_forearm",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("strap", "number", "given", "moved"),
    [
        (0, 6, (3.070, -0.080, -4.410), (2.344, -0.061, -3.367)),
        (1, 6, (2.5, -2.5, -1.5), (3.397, -3.397, -2.038)),
    ],
)
def test_belt_points_lie_where_the_deck_s_reader_puts_them(
    sled: Project, strap: int, number: int, given: tuple[float, ...], moved: tuple[float, ...]
) -> None:
    """The point is given from the ellipsoid's centre and moved along its radius."""
    point = sled.harnesses[0].straps[strap].points[number]
    assert point.kind == "surface"
    surface = surface_of(sled, point.surface)
    r = (np.array(point.position_m) - surface.centre_m) / INCH
    assert np.allclose(r, given, atol=1e-6)
    scale = math.sqrt(float(np.sum((r * INCH / surface.semi_axes_m) ** 2)))
    assert np.allclose(r / scale, moved, atol=6e-4)


def surface_of(project: Project, place: SurfaceRef):  # type: ignore[no-untyped-def]
    segment = next(s for s in project.segments if s.id == place.segment)
    return next(s for s in segment.surfaces if s.id == place.surface)


def test_the_sled_s_pulse_integrates_to_the_printed_speeds(sled: Project) -> None:
    (curve,) = [f.form for f in sled.functions if f.id == "sled_pulse"]
    assert isinstance(curve, Table)
    time, deceleration = np.array(curve.x), np.array(curve.y) / INCH
    steps = np.diff(time)
    speed = -np.cumsum(0.5 * (deceleration[1:] + deceleration[:-1]) * steps)
    printed = [-9.6522, -38.6088, -86.8698, -154.4352, -222.0006, -270.2616, -299.2182, -308.8704]
    assert np.allclose(speed[:8], printed, atol=5e-5)
    at = np.concatenate([[0.0], speed])
    way = np.cumsum(at[:-1] * steps - (2 * deceleration[:-1] + deceleration[1:]) * steps**2 / 6)
    assert np.allclose(way[[3, 7]], [-2.05914, -12.35482], atol=6e-6)


def test_the_free_body_repeats_every_ten_milliseconds() -> None:
    project = load_project(samples() / "free_body.json")
    rate = project.initial.attitudes[0].angular_velocity_rad_per_s[0]
    assert math.degrees(rate) == pytest.approx(36_799.378, abs=5e-4)


def test_the_four_bar_starts_closed_and_with_rates_that_fit() -> None:
    project = load_project(samples() / "four_bar.json")
    pose = start_pose(project)
    (closure,) = project.constraints
    assert closure.kind == "zero_distance"
    a, b = (
        pose[end.segment].p_W + pose[end.segment].R_WS @ np.array(end.position_m)
        for end in (closure.a, closure.b)
    )
    assert np.allclose(a, b, atol=1e-9)
    q = {s.joint: (s.values[0], s.rates[0]) for s in project.initial.joints}
    crank, coupler, output = q["crank_pin"], q["coupler_pin"], q["output_pin"]
    turning = crank[1] + coupler[1]
    v_a = 0.11 * crank[1] * np.array([-math.sin(crank[0]), math.cos(crank[0])])
    angle = crank[0] + coupler[0]
    v_a = v_a + 0.4 * turning * np.array([-math.sin(angle), math.cos(angle)])
    v_b = 0.375 * output[1] * np.array([-math.sin(output[0]), math.cos(output[0])])
    assert np.allclose(v_a, v_b, atol=1e-8)
