"""Markers and tracks: files there and back, poses of Knutson's joint, motions that drivers give back."""

from __future__ import annotations

import contextlib
import json
import math
import random
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import manikin as mk
from solver import simulate
from solver.analysis.tracking import (
    TrackError,
    Tracks,
    driven,
    fit_pose,
    follow,
    read_tracks,
    rigid_fit,
    write_tracks,
)
from solver.analysis.tracking.chain import Chain
from solver.cli import main
from solver.editing.mirroring import mirrored
from solver.project import Project, load_project, save_project
from solver.project.checks import check
from solver.project.pose import start_pose
from solver.project.segments import Marker
from solver.scene.shapes import shapes
from tests import knutson
from tests.exploring import SEED
from tests.models import base, project, segment
from tests.rows import rows

SMALL = (1e-6, 1e-6, 1e-6)
AXES = [f"x{n}" for n in range(1, 6)]


def _turning(axis: str) -> dict[str, Any]:
    """Turn the frames of a pin, which turns about its y, so that it turns about another axis."""
    angles = {"y": (0.0, 0.0, 0.0), "z": (0.0, 0.0, math.pi / 2), "x": (-math.pi / 2, 0.0, 0.0)}[
        axis
    ]
    return {"orientation": {"angles_rad": list(angles)}}


def knutson_chain(x: Any) -> Project:
    """Knutson's joint as five pins: x1, x2 to the point of contact, x3, x4, x5 of the rod."""
    reach = knutson.R_A - knutson.R_B
    names = ["one", "two", "three", "four", "rod"]
    joints, parent = [], "ground"
    for n, (name, axis) in enumerate(zip(names, "zyzyx", strict=True)):
        parent_frame, child_frame = _turning(axis), _turning(axis)
        if n == 2:
            parent_frame |= {"position_m": [reach, 0.0, 0.0]}
        if name == "rod":
            child_frame |= {"position_m": knutson.CENTRE.tolist()}
        joints.append({"id": f"x{n + 1}", "kind": "pin", "parent": parent, "child": name,
                       "parent_frame": parent_frame, "child_frame": child_frame})  # fmt: skip
        parent = name
    inner = [segment(name, 1e-3, SMALL) for name in names[:-1]]
    markers = [{"id": f"M{n + 1}", "segment": "rod", "point_m": (point + knutson.CENTRE).tolist()}
               for n, point in enumerate(knutson.MARKERS)]  # fmt: skip
    start = {
        "joints": [{"joint": j["id"], "values": [float(v)]} for j, v in zip(joints, x, strict=True)]
    }
    return project(base(
        segments=[*inner, segment("rod", knutson.MASS, (7.1e-5, 1.4e-3, 1.4e-3))],
        joints=joints, markers=markers, initial=start,
    ))  # fmt: skip


def seen_at(x: Any, noise: float = 0.0, seed: int = 1) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    return {f"M{n + 1}": knutson.place(x, point) + noise * rng.normal(size=3)
            for n, point in enumerate(knutson.MARKERS)}  # fmt: skip


def test_the_chain_is_knutsons() -> None:
    chain = Chain(knutson_chain(knutson.TRIAL_5))
    places = chain.places(chain.start(), list(chain.markers))
    assert places == pytest.approx(np.array(list(seen_at(knutson.TRIAL_5).values())), abs=1e-12)


REST = np.radians([0.0, 0.0, 180.0, 0.0, 0.0])


def angles_of(found: Any) -> Any:
    return np.array([found.coordinates[f"{name}.angle"] for name in AXES])


def test_the_jacobian_is_that_of_differences() -> None:
    chain = Chain(hand(), ("all",))
    names = list(chain.markers)
    rng = np.random.default_rng(4)
    q = chain.start() + 0.3 * rng.normal(size=len(chain.coordinates))
    found = chain.jacobian(q, names)
    for k in range(len(q)):
        step = np.zeros(len(q))
        step[k] = 1e-5
        moved = (chain.places(q + step, names) - chain.places(q - step, names)).ravel() / 2e-5
        assert found[:, k] == pytest.approx(moved, abs=1e-8), chain.coordinates[k].label


def test_exact_markers_give_the_pose_back() -> None:
    found = fit_pose(knutson_chain(REST), seen_at(knutson.TRIAL_5))
    assert angles_of(found) == pytest.approx(knutson.TRIAL_5, abs=1e-6)
    assert found.rms < 1e-9
    again = Chain(found.project)
    assert again.start() == pytest.approx(knutson.TRIAL_5, abs=1e-6)


def test_the_spread_of_noisy_poses_is_the_one_that_is_told() -> None:
    """0.1 mm in each coordinate: x1 - x3 and x2 + x4 depend on a few millimetres of the rod's width."""
    model = knutson_chain(knutson.TRIAL_5)
    fits = [fit_pose(model, seen_at(knutson.TRIAL_5, 1e-4, seed)) for seed in range(60)]
    off = np.array([angles_of(found) - knutson.TRIAL_5 for found in fits])
    chain = Chain(model)
    J = chain.jacobian(chain.start(), list(chain.markers))
    wanted = 1e-4 * np.sqrt(np.diag(np.linalg.inv(J.T @ J)))
    assert off.std(axis=0) == pytest.approx(wanted, rel=0.25)
    # the deviation that is told rests on the misses of one instant alone; their mean square is right
    told = np.array([[found.deviation[f"{n}.angle"] for n in AXES] for found in fits])
    assert np.sqrt((told**2).mean(axis=0)) == pytest.approx(wanted, rel=0.15)
    # what the markers do see, they see well
    assert np.degrees(np.abs(off[:, 0] + off[:, 2])).max() < 0.3
    one, two = fits[0].weak
    assert {name for name, _ in two.parts[:2]} == {"x2.angle", "x4.angle"}
    assert {name for name, _ in one.parts[:2]} == {"x1.angle", "x3.angle"}
    assert not one.open
    assert 100.0 < fits[0].condition < 400.0
    # 15 degrees of x2, x4 following as well as it can, move markers by some millimetres
    x2 = dict(two.parts)["x2.angle"]
    assert 1e-3 < two.moves * math.radians(15.0) / abs(x2) < 5e-3


def test_a_mean_over_half_a_second_of_trial_5_is_within_a_third_of_a_degree() -> None:
    rng = np.random.default_rng(7)
    still = np.array(list(seen_at(knutson.TRIAL_5).values()))
    t = np.arange(101) * 0.01
    tracks = Tracks(t, tuple(seen_at(knutson.TRIAL_5)), still + 1e-4 * rng.normal(size=(101, 4, 3)))
    found = fit_pose(knutson_chain(REST), tracks.mean(0.5, 0.5))
    assert np.degrees(np.abs(angles_of(found) - knutson.TRIAL_5)).max() < 0.3


def test_what_is_not_determined_is_named_and_stays() -> None:
    model = knutson_chain(knutson.TRIAL_5)
    seen = seen_at(knutson.TRIAL_5 + np.array([0.0, 0.0, 0.02, 0.0, 0.0]))
    found = fit_pose(model, {"M1": seen["M1"]})
    assert found.condition == math.inf
    assert sum(one.open for one in found.weak) == 2
    assert found.rms < 1e-9
    assert found.not_seen == ("M2", "M3", "M4")
    assert found.deviation == {}
    # the least change that brings the marker there
    assert np.abs(angles_of(found) - knutson.TRIAL_5).max() < 0.05
    held = fit_pose(model, seen, hold=["x1", "x2.angle"])
    assert len(held.coordinates) == 3
    assert held.coordinates["x3.angle"] == pytest.approx(knutson.TRIAL_5[2] + 0.02, abs=1e-9)


def test_weights_draw_the_pose() -> None:
    model = knutson_chain(knutson.TRIAL_5)
    seen = seen_at(knutson.TRIAL_5)
    seen["M4"] = seen["M4"] + np.array([0.0, 0.02, 0.0])
    plain, left_out = fit_pose(model, seen), fit_pose(model, seen, weights={"M4": 0.0})
    assert np.linalg.norm(plain.miss["M1"]) > 1e-4
    assert "M4" not in left_out.miss
    assert left_out.rms < 1e-9
    light = fit_pose(model, seen, weights={"M4": 0.1})
    assert np.linalg.norm(light.miss["M4"]) > np.linalg.norm(plain.miss["M4"])


def test_a_free_body_is_placed_as_kabsch_does() -> None:
    """Least squares over six freedoms and a singular value decomposition know nothing of each other."""
    rng = np.random.default_rng(11)
    here = {f"m{n}": rng.normal(size=3) for n in range(5)}
    seen = {
        name: np.array([3.0, 1.0, -2.0]) + p[[1, 2, 0]] + 0.1 * rng.normal(size=3)
        for name, p in here.items()
    }
    weights = {"m0": 3.0, "m1": 0.2}
    markers = [{"id": name, "segment": "body", "point_m": p.tolist()} for name, p in here.items()]
    found = fit_pose(
        project(base(segments=[segment("body")], markers=markers)), seen, weights=weights
    )
    squares = {name: w**2 for name, w in weights.items()}
    placed, wanted = start_pose(found.project)["body"], rigid_fit(here, seen, squares).placed
    assert np.allclose(placed.R_WS, wanted.R_WS, atol=1e-6)
    assert placed.p_W == pytest.approx(wanted.p_W, abs=1e-6)
    # OpenSim's weights multiply squares, as those of a rigid fit do
    free_body = project(base(segments=[segment("body")], markers=markers))
    plain = fit_pose(free_body, seen, weights=weights, weigh="squares")
    placed, alike = start_pose(plain.project)["body"], rigid_fit(here, seen, weights).placed
    assert np.allclose(placed.R_WS, alike.R_WS, atol=1e-6)
    assert np.abs(alike.R_WS - wanted.R_WS).max() > 1e-3
    other = rigid_fit(here, seen).placed
    assert np.abs(other.R_WS - wanted.R_WS).max() > 1e-3


def hand(**more: Any) -> Project:
    """A trunk that floats, an upper arm on a ball joint, a forearm on a pin, a piston in it."""
    places = [[0.2, 0.0, 0.0], [-0.1, 0.15, 0.0], [-0.1, -0.15, 0.05], [0.0, 0.0, 0.2]]
    markers = [{"id": f"{s}{n}", "segment": s, "point_m": p}
               for s, some in (("trunk", 4), ("upper", 3), ("fore", 3), ("piston", 2))
               for n, p in enumerate(places[:some])]  # fmt: skip
    joints = [
        {"id": "shoulder", "kind": "ball", "parent": "trunk", "child": "upper",
         "parent_frame": {"position_m": [0.0, 0.3, 0.0], "orientation": {"angles_rad": [0.3, -0.2, 0.5]}},
         "child_frame": {"position_m": [0.0, 0.0, -0.5]}},
        {"id": "elbow", "kind": "pin", "parent": "upper", "child": "fore",
         "parent_frame": {"position_m": [0.0, 0.0, 0.5], "orientation": {"angles_rad": [0.1, 0.2, 0.9]}},
         "child_frame": {"position_m": [0.0, 0.0, -0.5]}},
        {"id": "rail", "kind": "slip", "rotation": "none", "parent": "fore", "child": "piston"},
    ]  # fmt: skip
    start = {
        "roots": [{"segment": "trunk", "position_m": [0.1, 0.2, -0.3], "velocity_m_per_s": [0.3, 0.0, -0.2]}],
        "attitudes": [{"segment": "trunk", "orientation": {"angles_rad": [0.4, 0.1, -0.2]},
                       "angular_velocity_rad_per_s": [0.5, 1.0, 2.0]}],
        "joints": [{"joint": "shoulder", "values": [0.2, -0.3, 0.1], "rates": [1.0, 0.5, -1.5]},
                   {"joint": "elbow", "values": [0.6], "rates": [-2.0]},
                   {"joint": "rail", "values": [0.05], "rates": [0.1]}],
    }  # fmt: skip
    inertia = (0.1, 0.12, 0.08)
    data = base(
        0.6, segments=[segment(s, 2.0, inertia) for s in ("trunk", "upper", "fore", "piston")],
        joints=joints, markers=markers, initial=start, gravity_m_per_s2=[0.0, 0.0, 0.0],
        outputs=[{"id": one["id"], "kind": "point", "segment": one["segment"], "point_m": one["point_m"],
                  "quantity": "position", "axes": "relative"} for one in markers],
    )  # fmt: skip
    return project(data | more)


def tracks_of(model: Project, rate: float = 100.0) -> Tracks:
    way = model.runs[0].model_copy(update={"channel_rate_hz": rate})
    run = simulate(model.model_copy(update={"runs": (way,)}))
    assert run.status == "completed", run.message
    names = tuple(one.id for one in model.markers)
    point = np.stack(
        [np.stack([run.channel(f"{n}_{axis}").value for axis in "xyz"], axis=1) for n in names],
        axis=1,
    )
    return Tracks(run.channel(f"{names[0]}_x").time, names, point)


@pytest.fixture(scope="module")
def measured() -> Tracks:
    return tracks_of(hand())


def test_a_motion_replayed_through_drivers_gives_the_markers_back(measured: Tracks) -> None:
    finer = tracks_of(hand(), 200.0)
    assert finer.point[::2] == pytest.approx(measured.point, abs=1e-9)
    assert np.linalg.norm(np.ptp(measured.point, axis=0), axis=1).min() > 0.1
    told: list[float] = []
    motion = follow(hand(), measured, told=told.append)
    assert motion.rms < 1e-8
    assert told[-1] == 1.0
    made = driven(hand(), motion)
    assert [p for p in check(made) if p.severity == "error"] == []
    assert len(made.drivers) == 2
    assert len(made.frame_drivers) == 3
    assert len(made.motions) == 1
    again = tracks_of(made, 200.0)
    off = np.linalg.norm(again.point - finer.point, axis=2)
    assert off[::2].max() < 1e-8
    # between the instants that were followed the spline misses a little
    assert 1e-9 < off.max() < 5e-5


def test_gaps_are_bridged_by_what_is_seen(measured: Tracks) -> None:
    point = measured.point.copy()
    point[10:20, 5] = np.nan
    point[30] = np.nan
    holed = Tracks(measured.time, measured.names, point)
    motion = follow(hand(), holed)
    assert motion.left_out == 1
    assert len(motion.time) == len(measured.time) - 1
    assert motion.rms < 1e-8
    filled = holed.filled(0.03)
    assert filled.seen[30].all()
    assert not filled.seen[10:20, 5].any()
    middle = 0.5 * (point[29] + point[31])
    assert filled.point[30] == pytest.approx(middle)


def test_noise_is_smoothed_before_it_drives(measured: Tracks) -> None:
    rng = np.random.default_rng(3)
    rough = Tracks(
        measured.time, measured.names, measured.point + 1e-3 * rng.normal(size=measured.point.shape)
    )
    motion = follow(hand(), rough)
    assert 0.7e-3 < motion.rms < 1.8e-3
    exact, smooth = follow(hand(), measured), motion.smoothed(10.0)
    far = slice(8, -8)
    before = np.abs(motion.value - exact.value)[far].std(axis=0)
    after = np.abs(smooth.value - exact.value)[far].std(axis=0)
    assert (after < before).mean() > 0.8
    assert smooth.attitude["trunk"][0].T @ smooth.attitude["trunk"][0] == pytest.approx(np.eye(3))


@pytest.mark.seeded
@pytest.mark.parametrize("ending", [".csv", ".trc", ".c3d"])
def test_damaged_tracks_give_a_sentence(ending: str, tmp_path: Path, measured: Tracks) -> None:
    file = write_tracks(tmp_path / f"tracks{ending}", measured)
    whole, refused = file.read_bytes(), 0
    if ending == ".c3d":
        # of no known processor: its library then names what it has not set
        file.write_bytes(whole[:515] + b"\x7f" + whole[516:])
        with pytest.raises(TrackError, match="no C3D file, or it is cut short or damaged"):
            read_tracks(file)
    for seed in range(60):
        dice = random.Random(f"{SEED} {seed}")
        raw = bytearray(whole[: dice.randrange(len(whole)) if seed % 5 == 0 else None])
        for _ in range(dice.choice((1, 3, 8))):
            # the head of a C3D file has its types, sizes and places
            at = dice.randrange(min(len(raw), 1400 if seed % 2 else len(raw)) or 1)
            raw[at : at + 1] = bytes([dice.choice((0, 127, 128, 255, dice.randrange(256)))])
        file.write_bytes(bytes(raw))
        with contextlib.suppress(TrackError):
            read_tracks(file)
            refused -= 1
        refused += 1
    assert refused >= 6


@pytest.mark.parametrize("ending", [".csv", ".trc", ".c3d"])
def test_tracks_come_back_from_files(ending: str, tmp_path: Path, measured: Tracks) -> None:
    point = measured.point.copy()
    point[3:6, 2] = np.nan
    given = Tracks(measured.time + 0.5, measured.names, point)
    file = write_tracks(tmp_path / f"tracks{ending}", given)
    back = read_tracks(file)
    assert back.names == given.names
    assert back.time == pytest.approx(given.time, abs=1e-6)
    assert np.array_equal(back.seen, given.seen)
    close = 1e-12 if ending == ".csv" else 1e-7
    assert np.nanmax(np.abs(back.point - given.point)) < close
    # a unit that is given stands in place of the file's
    assert read_tracks(file, unit="m").point[0, 0] == pytest.approx(
        1e3 * given.point[0, 0], rel=1e-5
    )
    turned = read_tracks(file, axes="x -z y").point[0, 0]
    assert turned == pytest.approx(
        given.point[0, 0] @ np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]]), abs=close
    )


def test_a_table_of_another_program_is_read(tmp_path: Path) -> None:
    file = tmp_path / "tracks.csv"
    file.write_text(
        "Time (ms);head_X;head_Y;head_Z;T1.x [cm];T1.y [cm];T1.z [cm]\n0;1;2;3;10;20;30\n10;1;2;3;;;\n"
    )
    back = read_tracks(file)
    assert back.names == ("head", "T1")
    assert back.time == pytest.approx([0.0, 0.01])
    assert back.of("head")[0] == pytest.approx([1.0, 2.0, 3.0])
    assert back.of("T1")[0] == pytest.approx([0.1, 0.2, 0.3])
    assert back.seen.tolist() == [[True, True], [True, False]]
    assert set(back.at(0.01)) == {"head"}
    assert back.at(0.005)["head"] == pytest.approx([1.0, 2.0, 3.0])


@pytest.mark.parametrize(
    ("heads", "values"),
    [
        (
            "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate",
            "60\t60\t238\t1\tmm\t60",
        ),
        (
            "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate",
            "60\t\t60\t\t238\t\t1\t\tmm\t60",
        ),
        ("DataRate CameraRate NumFrames NumMarkers Units", "60.0 60.0 238 1 mm"),
    ],
)
def test_units_of_motion_analysis_are_found_however_spaced(
    heads: str, values: str, tmp_path: Path
) -> None:
    file = tmp_path / "evart.trc"
    rows = "Frame#\tTime\tLASI\t\t\n\t\tX1\tY1\tZ1\n\n1\t0.000\t100\t200\t300\n2\t0.017\t101\t\t\n"
    file.write_text(f"PathFileType\t4\t(X/Y/Z)\twalk.trc\n{heads}\n{values}\n{rows}")
    back = read_tracks(file)
    assert back.of("LASI")[0] == pytest.approx([0.1, 0.2, 0.3])
    assert back.seen.tolist() == [[True], [False]]
    file.write_text(file.read_text().replace("mm", "lb"))
    with pytest.raises(TrackError, match="'lb' is no unit of length"):
        read_tracks(file)


def test_a_rigid_frame_is_found_by_kabsch() -> None:
    rng = np.random.default_rng(2)
    here = {f"m{n}": rng.normal(size=3) for n in range(4)}
    placed = start_pose(hand())["trunk"]
    there = {name: placed.p_W + placed.R_WS @ p for name, p in here.items()}
    found = rigid_fit(here, there)
    assert pytest.approx(placed.R_WS, abs=1e-12) == found.placed.R_WS
    assert found.placed.p_W == pytest.approx(placed.p_W, abs=1e-12)
    assert found.rms < 1e-12
    # a weight of nothing leaves a marker out
    there["m3"] = there["m3"] + 1.0
    light = rigid_fit(here, there, {"m3": 0.0})
    assert pytest.approx(placed.R_WS, abs=1e-9) == light.placed.R_WS
    assert light.miss["m3"] == pytest.approx(math.sqrt(3.0))
    line = {f"m{n}": np.array([float(n), 0.0, 0.0]) for n in range(3)}
    with pytest.raises(TrackError, match="lie in one line"):
        rigid_fit(line, line)
    with pytest.raises(TrackError, match="needs three markers; 2"):
        rigid_fit(line, {"m0": line["m0"], "m1": line["m1"]})


KNUTSON = cache(lambda: knutson_chain(REST))
SEEN = seen_at(REST)


@rows(
    ("doing", "said"),
    [
        (lambda _: fit_pose(hand(markers=[]), SEEN), "has no markers"),
        (lambda _: fit_pose(KNUTSON(), {"Q": np.zeros(3)}), "None of the model's markers was seen: M1"),
        (lambda _: fit_pose(KNUTSON(), SEEN, free=["x9"]), "'x9' is nothing that may move"),
        (lambda _: fit_pose(KNUTSON(), SEEN, free=["bodies"]), "Nothing is left that may move"),
        (lambda _: fit_pose(KNUTSON(), SEEN, weights={"M9": 1.0}), "There is no marker 'M9'"),
        (lambda _: fit_pose(KNUTSON(), SEEN, weights={"M1": -1.0}), "not below zero"),
        (lambda _: fit_pose(KNUTSON(), SEEN, weigh="both"), "distances or squares, not 'both'"),
        (lambda m: m.at(5.0), "go from 0 to 0.6 s; 5 s is outside"),
        (lambda m: m.mean(5.0, 0.1), "no instant within 0.05 s of 5 s"),
        (lambda m: m.of("M1"), "There is no track 'M1'"),
        (lambda m: m.mapped("x y y"), "each of x, y and z once"),
        (lambda m: m.mapped("x y -z"), "left-handed"),
        (lambda m: write_tracks("a.txt", m), "must end in .csv, .trc or .c3d"),
        (lambda m: write_tracks("a.csv", m, "N"), "'N' is no unit of length"),
        (lambda _: read_tracks("none.csv"), "cannot be read"),
        (lambda m: driven(hand(), follow(hand(), m.between(0.0, 0.02))), "needs 4 instants or more; here are 3"),
        (lambda m: Tracks(m.time[::-1], m.names, m.point), "grow from row to row"),
        (lambda m: Tracks(m.time, ("a",) * 12, m.point), "Two tracks are called 'a'"),
        (lambda m: driven(hand(), follow(hand(), m, hold=["shoulder.yaw"])), "all of yaw, pitch and roll"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_said(doing: Any, said: str, measured: Tracks) -> None:
    with pytest.raises(TrackError, match=said):
        doing(measured)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.csv", "x,y\n1,2\n", "does not begin with a column"),
        ("a.csv", "time,M1 x,M1 y\n0,1,2\n", "one column each for x, y and z"),
        ("a.csv", "time,M1 x,M1 y,M1 q\n0,1,2,3\n", "not a marker and its axis"),
        ("a.csv", "time,M x,M y,M z\n0,1,2,q\n", "Line 2 of 'a.csv': 'q' is no number"),
        ("a.csv", "time,M x,M y,M z\n0,1,2,3,4\n", "more columns than headings"),
        ("a.csv", "time,M x [N],M y [N],M z [N]\n0,1,2,3\n", "'N' is no unit of length"),
        ("a.csv", "time\n0\n", "There are no tracks"),
        ("a.csv", "time,M x,M y,M z\n1,1,2,3\n0,1,2,3\n", "grow from row to row"),
        ("a.trc", "hello\n", "no TRC file"),
        ("a.c3d", "hello\n", "no C3D file"),
    ],
)
def test_files_that_hold_no_tracks_are_refused(
    name: str, text: str, said: str, tmp_path: Path
) -> None:
    file = tmp_path / name
    file.write_text(text)
    with pytest.raises(TrackError, match=said):
        read_tracks(file)


def said_by(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert main(list(words)) == code
    out = capsys.readouterr()
    return out.out if code == 0 else out.err


def test_the_commands_pose_and_move(
    tmp_path: Path, measured: Tracks, capsys: pytest.CaptureFixture[str]
) -> None:
    model, file = str(tmp_path / "hand.json"), str(tmp_path / "tracks.csv")
    save_project(hand(), Path(model))
    write_tracks(file, measured)
    posed, table, led = (str(tmp_path / name) for name in ("posed.json", "motion.csv", "led.json"))
    words = said_by(capsys, "pose", model, "--from-markers", file, "--at", "0.3", "-o", posed)
    assert "elbow.angle: " in words
    assert "marker trunk0: " in words
    assert "condition number" in words
    places = Chain(load_project(Path(posed)))
    here = places.places(places.start(), measured.names)
    assert here == pytest.approx(measured.point[30], abs=1e-8)
    found = json.loads(
        said_by(
            capsys, "pose", model, "--from-markers", file, "--at", "0.3", "--over", "0.02",
            "--free", "joints", "--hold", "rail", "--weights", "fore0=2", "--json",
        )
    )  # fmt: skip
    told = said_by(capsys, "pose", model, "--from-markers", file, "--at", "0.3", "--weigh", "squares", "--json")  # fmt: skip
    assert json.loads(told)["rms_m"] < 1e-8
    assert list(found["coordinates"]) == [
        "shoulder.yaw", "shoulder.pitch", "shoulder.roll", "elbow.angle",
    ]  # fmt: skip
    words = said_by(
        capsys, "motion", model, "--from-markers", file, "--to", "0.2", "--low-pass", "20",
        "-o", table, "--drivers", led,
    )  # fmt: skip
    assert "21 instants from 0 to 0.2 s, 0 left out" in words
    rows = Path(table).read_text().splitlines()
    assert rows[0].startswith("time [s],trunk.x [m],")
    assert len(rows) == 22
    made = load_project(Path(led))
    assert {d.joint for d in made.drivers} == {"elbow", "rail"}
    assert made.runs[0].duration_s == pytest.approx(0.2)
    data = json.loads(
        said_by(capsys, "motion", model, "--from-markers", file, "--to", "0.05", "--json")
    )
    assert len(data["time_s"]) == 6
    for more, said in (
        (["pose", model, "--from-markers", file, "--at", "9"], "go from 0 to 0.6 s"),
        (["pose", model, "--from-markers", file, "--at", "0", "--weights", "fore0"], "MARKER=W"),
        (["pose", model, "--from-markers", file, "--at", "0", "-o", model], "is an input of this command"),
        (["pose", model, "--from-markers", model, "--at", "0"], "must end in .csv, .trc or .c3d"),
        (["motion", model, "--from-markers", file, "--low-pass", "60"], "nothing can be cut off at 60 Hz"),
    ):  # fmt: skip
        assert said in said_by(capsys, *more, code=1)


def test_markers_are_mirrored_merged_and_do_nothing(measured: Tracks) -> None:
    marker = Marker(id="left_wrist", segment="hand_left", point_m=(0.1, 0.2, 0.3))
    twin = mirrored(
        project(
            base(
                segments=[segment("hand_left"), segment("hand_right")],
                markers=[marker.model_dump()],
            )
        ),
        ["markers/left_wrist"],
    ).project.markers[1]
    assert (twin.id, twin.segment, twin.point_m) == ("right_wrist", "hand_right", (0.1, -0.2, 0.3))
    bare = simulate(hand(markers=[]))
    assert np.array_equal(bare.channel("trunk0_x").value, measured.point[:, 0, 0])


def test_curves_in_python(measured: Tracks) -> None:
    motion = mk.motion_from_markers(mk.Model(hand()), measured.between(0.0, 0.1), free=["joints"])
    curves = mk.curves_of_motion(motion)
    assert [c.name for c in curves][-2:] == ["elbow.angle", "rail.slide"]
    assert [c.unit for c in curves][-2:] == ["rad", "m"]
    assert mk.driven_by_motion(mk.Model(hand()), motion).project.drivers


def test_markers_are_seen_on_their_segments() -> None:
    model = hand()
    pose = start_pose(model)
    balls = [one for one in shapes(model, pose) if one.kind == "marker"]
    assert [one.element for one in balls] == [f"markers/{one.id}" for one in model.markers]
    for ball, one in zip(balls, model.markers, strict=True):
        assert ball.segment == one.segment
        assert ball.mesh.points.mean(axis=0) == pytest.approx(one.point_m, abs=2e-3)
