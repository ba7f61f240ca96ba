"""Hold frames of three markers, pointers, joint sinuses and Hertz' stiffness to what they were made of."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import manikin as mk
from solver.cli import main
from solver.project import validated
from solver.project.azimuths import library, stop_angle
from solver.project.hertz import with_hertz


def test_a_frame_of_three_markers_has_the_axes_that_are_printed() -> None:
    found = mk.frame_of_three((0.0, 0.0, 0.0), (-0.3, 0.2, 0.0), (0.0, 1.0, 0.0))
    assert np.abs(found.R_WS - np.eye(3)).max() < 1e-12
    assert found.p_W == pytest.approx((0.0, 0.2, 0.0))
    R = Rotation.from_rotvec((0.3, -0.8, 0.4)).as_matrix()
    turned = mk.frame_of_three(
        *(R @ p + 2.0 for p in np.array([(0, 0, 0), (-0.3, 0.2, 0), (0, 1, 0)]))
    )
    assert np.abs(turned.R_WS - R).max() < 1e-12
    with pytest.raises(mk.TrackError, match="in one line"):
        mk.frame_of_three((0.0, 0.0, 0.0), (0.0, 0.5, 0.0), (0.0, 1.0, 0.0))


def test_a_pointer_tells_where_its_tip_rests_with_and_without_its_file() -> None:
    random = np.random.default_rng(4)
    own = {f"m{k}": random.normal(scale=0.05, size=3) for k in range(6)}
    tip, place = np.array([0.0, 0.02, -0.25]), np.array([0.4, 1.1, -0.3])
    turns = Rotation.from_rotvec(random.normal(scale=0.4, size=(40, 3))).as_matrix()
    seen = np.array([[place + R @ (p - tip) for p in own.values()] for R in turns])
    tracks = mk.Tracks(np.arange(40) / 100.0, tuple(own), seen)
    for given in (tip, None):
        found = mk.pointer_tip(own, tracks, given)
        assert found.place_m == pytest.approx(place, abs=1e-9)
        assert found.on_pointer_m == pytest.approx(tip, abs=1e-9)
        assert found.rms_m < 1e-9
    noisy = mk.Tracks(tracks.time, tracks.names, seen + random.normal(scale=1e-4, size=seen.shape))
    assert mk.pointer_tip(own, noisy).place_m == pytest.approx(place, abs=5e-4)
    still = mk.Tracks(tracks.time, tracks.names, np.repeat(seen[:1], 40, axis=0))
    with pytest.raises(mk.TrackError, match="not turned enough"):
        mk.pointer_tip(own, still)


@pytest.mark.parametrize("joint", ["shoulder", "hip"])
def test_a_printed_sinus_is_found_again_from_its_points(joint: str) -> None:
    printed = library()[joint]
    random = np.random.default_rng(5)
    azimuth = np.sort(random.uniform(0.0, 2.0 * math.pi, 80))
    theta = stop_angle(printed, azimuth)
    ways = np.stack(
        [np.sin(theta) * np.cos(azimuth), np.sin(theta) * np.sin(azimuth), np.cos(theta)], axis=1
    )
    centre = np.array([0.1, -0.2, 0.3])
    found = mk.joint_sinus(centre + 0.28 * ways, len(printed))
    assert found.centre_m == pytest.approx(centre, abs=1e-8)
    assert found.radius_m == pytest.approx(0.28, abs=1e-8)
    round_ = np.linspace(0.0, 2.0 * math.pi, 73)
    assert stop_angle(found.contour.coefficients, round_) == pytest.approx(
        stop_angle(printed, round_), abs=1e-6
    )
    noisy = mk.joint_sinus(
        centre + 0.28 * ways + random.normal(scale=1e-3, size=ways.shape), len(printed), centre
    )
    assert stop_angle(noisy.contour.coefficients, round_) == pytest.approx(
        stop_angle(printed, round_), abs=0.02
    )
    assert noisy.rms_rad == pytest.approx(1e-3 / 0.28, rel=0.3)
    with pytest.raises(mk.TrackError, match="gap of"):
        mk.joint_sinus(centre + 0.28 * ways[azimuth < 3.0], len(printed), centre)


def test_hertz_stiffness_is_that_of_ma_and_of_a_ball_on_a_plane() -> None:
    one, two = mk.Sphere(0.05, 2.1e11, 0.3), mk.Sphere(0.08, 7.0e10, 0.33)
    h = [(1.0 - s.poisson**2) / (math.pi * s.elastic_pa) for s in (one, two)]
    ma = 4.0 / (3.0 * math.pi * sum(h)) * math.sqrt(0.05 * 0.08 / 0.13)
    assert mk.hertz_stiffness(one, two) == pytest.approx(ma, rel=1e-12)
    plane = mk.Sphere(math.inf, 2.1e11, 0.3)
    assert mk.hertz_stiffness(one, plane) == pytest.approx(
        2.0 / 3.0 * 2.1e11 / 0.91 * math.sqrt(0.05), rel=1e-12
    )
    with pytest.raises(mk.HertzError, match="touch all over"):
        mk.hertz_stiffness(one, mk.Sphere(-0.05, 2.1e11))
    law = {
        "id": "steel",
        "kind": "hunt_crossley",
        "stiffness_n_per_mn": 1.0,
        "exponent": 2.0,
        "damping_s_per_m": 0.0,
    }
    project = mk.sample("bouncing_ball").project
    made = with_hertz(
        validated(
            project.model_dump()
            | {"contact_laws": [*(w.model_dump() for w in project.contact_laws), law]}
        ),
        "steel",
        one,
        two,
    )
    assert made.contact_laws[-1].stiffness_n_per_mn == pytest.approx(ma)  # type: ignore[union-attr]
    assert made.contact_laws[-1].exponent == 1.5  # type: ignore[union-attr]


def test_commands_put_them_into_a_project(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    azimuth = np.linspace(0.0, 2.0 * math.pi, 40, endpoint=False)
    theta = 0.8 + 0.2 * np.cos(azimuth)
    ways = np.stack(
        [np.sin(theta) * np.cos(azimuth), np.sin(theta) * np.sin(azimuth), np.cos(theta)], axis=1
    )
    np.savetxt(tmp_path / "points.csv", 0.3 * ways, delimiter=",")
    beyond = {"kind": "table", "x": [0.0, 1.0], "y": [0.0, 100.0]}
    model = mk.new("joint").add_segment("arm", mass_kg=1.0, inertia_kgm2=(0.01, 0.01, 0.01))
    model = model.add_joint("j", kind="ball", parent="ground", child="arm")
    model = model.add_function("beyond", x_unit="rad", y_unit="N*m", form=beyond)
    model.save(tmp_path / "joint.json")
    words = [
        "sinus",
        str(tmp_path / "joint.json"),
        "j",
        str(tmp_path / "points.csv"),
        "--terms",
        "3",
        "--centre",
        "0",
        "0",
        "0",
    ]
    assert main([*words, "-o", str(tmp_path / "out.json")]) == 1
    assert main([*words, "--torque", "beyond", "-o", str(tmp_path / "out.json")]) == 0
    joint: Any = mk.load(tmp_path / "out.json").project.joints[0]
    assert joint.globographic.contour.coefficients == pytest.approx((0.8, 0.0, 0.2), abs=1e-9)
    capsys.readouterr()
    assert (
        main(["hertz", "--first", "0.05", "2.1e11", "0.3", "--second", "inf", "2.1e11", "0.3"]) == 0
    )
    assert float(capsys.readouterr().out.split()[1]) == pytest.approx(
        2.0 / 3.0 * 2.1e11 / 0.91 * math.sqrt(0.05), rel=1e-5
    )
