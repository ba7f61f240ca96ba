"""Every sample is solved; its energy adds up, its start is settled, and its figures are plausible."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from solver.equilibrium import health
from solver.places import samples
from solver.project import Project, load_project, to_json
from solver.results.memory import MemoryTrajectory
from solver.simulation import simulate
from tools.samples.__main__ import BUILT

GRAVITY = 9.80665
FILES = sorted(samples().glob("*.json"))

SETTLED = ("frontal", "aircraft_16g", "rear_impact", "side_impact", "ejection_seat", "padded_wall")


@cache
def solved(name: str) -> MemoryTrajectory:
    run = simulate(load_project(samples() / f"{name}.json"))
    assert isinstance(run, MemoryTrajectory)
    return run


def peak(name: str, channel: str) -> float:
    return float(np.abs(solved(name).channel(channel).value).max())


def figure(name: str, criterion: str) -> float:
    return solved(name).injury[criterion].value


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_a_sample_is_solved_and_its_energy_adds_up(file: Path) -> None:
    """The account is out by less than a thousandth of the largest energy in it."""
    run = solved(file.stem)
    assert run.status == "completed"
    account = run.table("energy").columns
    largest = max(float(np.abs(v).max()) for v in account.values() if np.asarray(v).ndim == 1)
    assert float(np.abs(account["balance"]).max()) < 1e-3 * largest
    for channel in run.channel_names:
        assert np.isfinite(run.channel(channel).value).all(), channel


@pytest.mark.parametrize("name", SETTLED)
def test_an_occupant_starts_at_rest(name: str) -> None:
    """0.5 g is what other programs accept; the goal is 0.01 g."""
    project = load_project(samples() / f"{name}.json")
    left = {s.segment: s.acceleration_g for s in health(project).segments}
    assert max(left.values()) < 0.01, max(left, key=lambda s: left[s])


class TestFrontal:
    """The story that a test engineer expects of 56 km/h with belt and bag."""

    def test_figures_lie_in_the_range_of_tests(self) -> None:
        assert 200.0 < figure("frontal", "HIC15") < 700.0
        assert 40.0 < figure("frontal", "chest_3ms") < 55.0
        assert 40.0 < figure("frontal", "pelvis_3ms") < 60.0
        assert figure("frontal", "Nij") < 1.0
        assert figure("frontal", "femur_compression_left") < 10_000.0

    def test_belts_bear_what_belts_bear(self) -> None:
        belt = "driver_three_point_belt_load_"
        assert 3500.0 < peak("frontal", belt + "shoulder_tension_2") < 4500.0
        assert 4000.0 < peak("frontal", belt + "shoulder_tension_1") < 8000.0
        assert 4000.0 < peak("frontal", belt + "lap_tension_1") < 8000.0

    def test_pelvis_first_then_chest_then_head(self) -> None:
        """The lap belt stops the pelvis, the torso turns over it, the head goes on into the bag."""
        run = solved("frontal")
        far = {}
        for part in ("lower_torso", "upper_torso", "head"):
            x = run.channel(f"driver_{part}_position_in_vehicle_x")
            far[part] = (
                float(x.time[np.argmax(x.value)]),
                float(np.max(x.value) - x.value[0]),
            )
        assert far["lower_torso"][0] < far["upper_torso"][0] < far["head"][0] < 0.11
        assert 0.08 < far["lower_torso"][1] < 0.2 < far["upper_torso"][1] < far["head"][1] < 0.5
        pressure = run.channel("driver_bag_state_pressure")
        assert 1e4 < pressure.value.max() < 1e5
        assert 0.06 < pressure.time[np.argmax(pressure.value)] < 0.1

    @pytest.mark.slow
    @pytest.mark.parametrize("tolerance", [1e-4, 1e-6])
    def test_a_tenth_or_ten_times_the_tolerance_changes_little(self, tolerance: float) -> None:
        project = load_project(samples() / "frontal.json")
        run = project.runs[0]
        method = run.integrator.model_copy(
            update={"relative_tolerance": tolerance, "absolute_tolerance": 0.01 * tolerance}
        )
        other = simulate(
            project.model_copy(update={"runs": (run.model_copy(update={"integrator": method}),)})
        )
        for criterion in ("HIC15", "HIC36", "chest_3ms"):
            usual = figure("frontal", criterion)
            assert other.injury[criterion].value == pytest.approx(usual, rel=5e-3), criterion


def test_the_catapult_s_index_is_that_of_its_pulse() -> None:
    """The seat's index: by an equation solver of its own, below the usual limit of 18."""
    t = np.linspace(0.0, 0.25, 250_001)
    h = t[1] - t[0]
    a = 15.0 * GRAVITY * np.clip(np.minimum(t / 0.1, (0.18 - t) / 0.02), 0.0, 1.0)
    w, z = 52.9, 0.224
    x = v = best = 0.0
    for ai in a:
        v += h * (ai - 2.0 * z * w * v - w * w * x)
        x += h * v
        best = max(best, x)
    assert figure("ejection_seat", "seat_DRI") == pytest.approx(w * w * best / GRAVITY, rel=2e-3)
    assert figure("ejection_seat", "seat_DRI") < 18.0


def test_the_pendulum_keeps_its_period() -> None:
    """From level: 4 K(sin 45 degrees) sqrt(2 L / 3 g); the rate at the bottom is sqrt(3 g / L)."""
    from scipy.special import ellipk

    run = solved("pendulum")
    angle = run.channel("pivot_angle_angle")
    period = 4.0 * float(ellipk(0.5)) * math.sqrt(2.0 / (3.0 * GRAVITY))
    whole = np.interp([period, 2.0 * period], angle.time, angle.value)
    assert whole == pytest.approx([0.5 * math.pi] * 2, abs=1e-4)
    assert peak("pendulum", "rate_y") == pytest.approx(math.sqrt(3.0 * GRAVITY), rel=1e-4)


def test_the_neck_pendulum_stays_near_the_corridor() -> None:
    """49 CFR 572.7: 68 +/- 5 degrees in all and at most 26 g; 30 and 60 ms are missed, as docs say."""
    turn = solved("neck_pendulum").channel("head_turn_nutation")
    whole = math.degrees(turn.value.max() - turn.value[0])
    assert 63.0 < whole < 73.0
    assert peak("neck_pendulum", "head_acceleration_resultant") / GRAVITY < 28.0


def test_the_passenger_s_head_meets_the_wall_where_the_paper_puts_it() -> None:
    speed = solved("padded_wall").channel("occupant_head_velocity_in_vehicle_x")
    assert 10.0 < speed.value.max() < 16.0
    assert figure("padded_wall", "HIC15") > 500.0


@pytest.mark.parametrize(
    ("name", "criterion", "low", "high"),
    [
        ("aircraft_16g", "HIC15", 100.0, 2000.0),
        ("aircraft_16g", "pelvis_3ms", 16.0, 60.0),
        ("rear_impact", "HIC15", 10.0, 200.0),
        ("rear_impact", "NIC", 5.0, 40.0),
        ("side_impact", "pelvis_3ms", 30.0, 100.0),
        ("side_impact", "chest_3ms", 25.0, 80.0),
        ("pedestrian", "HIC15", 300.0, 3000.0),
        ("fall", "HIC15", 300.0, 3000.0),
    ],
)
def test_figures_are_of_the_size_that_is_known(
    name: str, criterion: str, low: float, high: float
) -> None:
    assert low < figure(name, criterion) < high


def test_the_pedestrian_s_head_meets_the_car_in_time() -> None:
    """At 40 km/h a grown man's head comes down after about 0.1 to 0.16 s."""
    head = solved("pedestrian").channel("pedestrian_head_acceleration_resultant")
    assert 0.09 < head.time[np.argmax(head.value)] < 0.18


@pytest.mark.parametrize("name", ["pendulum", pytest.param("frontal", marks=pytest.mark.slow)])
def test_a_sample_is_what_its_script_builds(name: str) -> None:
    from importlib import import_module

    assert set(BUILT) <= {file.stem for file in FILES}
    built: Project = import_module(f"tools.samples.{name}").build()
    kept = load_project(samples() / f"{name}.json")
    assert to_json(built) == to_json(kept)
