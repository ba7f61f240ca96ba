"""Own frames and own units: round trips, the report's own formulas, motion told in moving left-handed oblique frames."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

import manikin as mk
from solver.base.units import UnitError, convert, display_unit, given_by, parse
from solver.cli import main
from solver.engine.maths.rotation import from_angles
from solver.project import validated
from solver.project.frames import OwnFrame, axes_of, oblique
from solver.project.merging import moved
from solver.project.pose import FrameError, carrier_of, place_from, place_in
from solver.project.references import renamed, without
from solver.report.export import as_csv
from tests.checks_model import base as whole
from tests.rows import rows


def nested(rng: np.random.Generator, count: int = 3, **last: object) -> list[OwnFrame]:
    """Make frames within each other, turned, clockwise and oblique at random."""
    out = list[OwnFrame]()
    for n in range(count):
        while True:
            between = rng.uniform(0.7, 2.4, 3)
            if abs(np.linalg.det(oblique(between))) > 0.2:
                break
        told = {
            "id": f"f{n}",
            "segment": "ground" if n else "vehicle",
            "relative_to": f"f{n - 1}" if n else None,
            "position_m": rng.uniform(-2, 2, 3).tolist(),
            "orientation": {"angles_rad": rng.uniform(-3, 3, 3).tolist(), "order": "zxz"},
            "reversed": ("x", "y", "z", "none")[int(rng.integers(4))],
            "between_rad": between.tolist(),
        }
        out.append(OwnFrame.model_validate(told | (last if n == count - 1 else {})))
    return out


@rows("seed", range(20))
def test_places_and_vectors_go_through_nested_oblique_clockwise_frames_and_back(seed: int) -> None:
    rng = np.random.default_rng(seed)
    axes = axes_of(nested(rng))["f2"]
    points = rng.uniform(-5, 5, (200, 3))
    for way, back in (
        ("place_in", "place_of"),
        ("vector_in", "vector_of"),
        ("axial_in", "axial_of"),
    ):
        there = getattr(axes, way)(points)
        assert np.abs(getattr(axes, back)(there) - points).max() < 1e-12 * 5.0
        assert np.abs(getattr(axes, way)(getattr(axes, back)(points)) - points).max() < 1e-11
    assert np.allclose(np.linalg.norm(axes.axes, axis=0), 1.0, atol=1e-14)


def test_a_frame_within_another_is_read_step_by_step() -> None:
    """A place within the inner frame is one within the outer; a turn is told in the outer's square axes."""
    outer, inner = nested(np.random.default_rng(1), 2)
    both = axes_of([outer, inner])
    alone = axes_of([inner.model_copy(update={"relative_to": None})])["f1"]
    p = (0.3, -0.7, 1.1)
    way = both["f0"].square @ alone.axes @ p
    there = both["f0"].place_of(inner.position_m) + way
    assert np.abs(both["f1"].place_of(p) - there).max() < 1e-14
    assert both["f1"].hand == both["f0"].hand * alone.hand


def test_the_plane_formulas_of_the_variable_segment_program() -> None:
    """R. O. Bennett, UM-HSRI 1980, (5)-(7): p1 = p1' + p2' cos W, p2 = p2' sin W; angles lambda theta'."""
    W = math.radians(70.0)
    axes = axes_of([OwnFrame(id="user", between_rad=(math.pi / 2, W, math.pi / 2))])["user"]
    p1, p2 = 0.4, -0.7
    assert axes.place_of((p1, 0.0, p2)) == pytest.approx(
        [p1 + p2 * math.cos(W), 0.0, p2 * math.sin(W)], abs=1e-15
    )
    q1, q2 = 0.3, 0.9
    assert axes.place_in((q1, 0.0, q2)) == pytest.approx(
        [q1 - q2 / math.tan(W), 0.0, q2 / math.sin(W)], abs=1e-15
    )
    clockwise = axes_of([OwnFrame(id="user", reversed="z")])["user"]
    turned = clockwise.turn_in(_about_y(0.3))
    assert np.abs(turned - _about_y(-0.3)).max() < 1e-15


def _about_y(angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])


@pytest.mark.parametrize("axis", ["x", "y", "z", "none"])
def test_what_turns_has_the_signs_of_its_hand(axis: str) -> None:
    """In its own right-angled components velocity stays rate x arm, and torque arm x force."""
    frame = OwnFrame.model_validate(
        {"id": "f", "reversed": axis, "orientation": {"angles_rad": [0.3, -1.1, 2.0]}}
    )
    axes, rng = axes_of([frame])["f"], np.random.default_rng(2)
    w, r = rng.uniform(-1, 1, (2, 3))
    assert axes.hand == (1.0 if axis == "none" else -1.0)
    assert (
        np.abs(axes.vector_in(np.cross(w, r)) - np.cross(axes.axial_in(w), axes.vector_in(r))).max()
        < 1e-15
    )
    assert (
        np.abs(axes.axial_in(np.cross(r, w)) - np.cross(axes.vector_in(r), axes.vector_in(w))).max()
        < 1e-15
    )


@pytest.fixture(scope="module")
def run() -> mk.Run:
    """Let a body fly past a vehicle that tumbles, with outputs told in frames on it."""
    model = mk.new("Two bodies", 0.05)
    for name in ("vehicle", "body"):
        model = model.add_segment(name, mass_kg=2.0, inertia_kgm2=(0.3, 0.2, 0.4))
    for frame in [
        *nested(np.random.default_rng(4), between_rad=(1.2, 1.9, 1.4)),
        OwnFrame(
            id="left",
            segment="vehicle",
            position_m=(0.1, 0.2, 0.3),
            orientation={"angles_rad": (0.4, 0.5, -0.6)},
            reversed="y",
        ),
    ]:
        told = frame.model_dump(exclude={"id"})
        model = model.add_frame(frame.id, **told)
    turning = {"angular_velocity_rad_per_s": (3.0, -5.0, 4.0)}
    model = (
        model.start_root("vehicle", velocity_m_per_s=(8.0, 1.0, 0.0))
        .start_root("body", position_m=(0.5, 0.3, -0.2), velocity_m_per_s=(-2.0, 0.0, 3.0))
        .start_attitude("vehicle", **turning)
        .start_attitude("body", orientation={"angles_rad": (0.2, 0.1, 0.5)}, angular_velocity_rad_per_s=(-4.0, 6.0, 1.0))
        .add_unit_system("shop", units=("mm", "t", "ms", "deg"))
        .add_output("spring_load", kind="element", of="springs", element="link", frame="left")
        .add_spring("link", kind="linear", a={"segment": "body", "position_m": (0.1, 0.0, 0.2)}, b={"segment": "vehicle"}, stiffness_n_per_m=300.0, rest_length_m=0.4)
    )  # fmt: skip
    for frame in ("f2", "left"):
        for quantity in ("position", "velocity", "acceleration"):
            model = model.add_output(f"{frame}_{quantity}", kind="point", segment="body", point_m=(0.1, 0.0, 0.2), quantity=quantity, frame=frame)  # fmt: skip
        model = model.add_output(f"{frame}_turn", kind="rotation", segment="body", frame=frame)
        model = model.add_output(f"{frame}_spin", kind="rotation", segment="body", quantity="velocity", frame=frame)  # fmt: skip
    return mk.run(model.with_values({"runs/run/channel_rate_hz": 10000.0, "runs/run/frame_interval_s": 1e-4}))  # fmt: skip


@pytest.mark.parametrize("frame", ["f2", "left"])
def test_motion_told_in_a_moving_frame_is_the_derivative_of_its_place(
    run: mk.Run, frame: str
) -> None:
    """Of parts along axes that go along each one's rate is that part of the velocity, oblique or not."""
    name = "segments/body[0.1,0,0.2]/{}/{}@" + frame
    step = run["left_position_x"].time[1]
    for axis in "xyz":
        place, speed, jerk = (
            run[name.format(q, axis)].value for q in ("position", "velocity", "acceleration")
        )
        assert np.abs(np.gradient(place, step)[1:-1] - speed[1:-1]).max() < 2e-4
        assert np.abs(np.gradient(speed, step)[1:-1] - jerk[1:-1]).max() < 2e-2
        for quantity, seen in (("position", place), ("velocity", speed), ("acceleration", jerk)):
            recorded = run[f"{frame}_{quantity}_{axis}"].value
            assert np.abs(recorded - seen).max() < 1e-9 * max(1.0, np.abs(seen).max())
        spin = run[f"segments/body/angular_velocity/{axis}@{frame}"].value
        assert np.abs(run[f"{frame}_spin_{axis}"].value - spin).max() < 1e-10
    assert f"{frame}_velocity_resultant" not in run.trajectory.channel_names or frame == "left"
    whole_ = run[name.format("velocity", "resultant")].value
    assert (
        np.abs(whole_ - run["segments/body[0.1,0,0.2]/velocity/resultant@vehicle"].value).max()
        < 1e-12
    )


def test_turns_and_rates_of_a_left_handed_frame_belong_together(run: mk.Run) -> None:
    """The rate by the frame's own hand moves the frame's own picture of an arm; angles make the same turn."""
    at = {}
    for point in ("[0,0,0]", "[0.3,-0.2,0.4]"):
        for q in ("position", "velocity"):
            at[point, q] = np.array(
                [run[f"segments/body{point}/{q}/{a}@left"].value for a in "xyz"]
            ).T
    arm, speed = (at["[0.3,-0.2,0.4]", q] - at["[0,0,0]", q] for q in ("position", "velocity"))
    spin = np.array([run[f"left_spin_{a}"].value for a in "xyz"]).T
    assert np.abs(np.cross(spin, arm) - speed).max() < 1e-12
    angles = np.array([run[f"left_turn_{a}"].value for a in ("yaw", "pitch", "roll")]).T
    seen = np.array(
        [run[f"segments/body/angle/{a}@left"].value for a in ("yaw", "pitch", "roll")]
    ).T
    assert np.abs(np.sin(angles - seen)).max() < 1e-10
    # the frame sees the body's own y reversed, too
    own = np.array([0.3, 0.2, 0.4])
    assert np.abs(from_angles(angles[7], "zyx") @ own - arm[7]).max() < 1e-12


def test_forces_of_elements_are_told_in_frames(run: mk.Run) -> None:
    for axis in "xyz":
        seen = run[f"springs/link/force/{axis}@left"].value
        assert np.abs(run[f"spring_load_force_{axis}"].value - seen).max() < 1e-10
    parts = sum(run[f"springs/link/force/{a}@left"].value ** 2 for a in "xyz")
    assert np.sqrt(parts) == pytest.approx(run["springs/link/force/resultant"].value, rel=1e-12)
    with pytest.raises(mk.ResultsError, match="no segment"):
        run["springs/link/force/x@lefd"]


def test_places_are_given_and_read_in_a_frame_wherever_they_stand() -> None:
    model = mk.sample("frontal")
    first = model.project.segments[0].id
    model = model.add_frame("seat", segment=first, position_m=(0.1, 0.2, 0.3), orientation={"angles_rad": (0.5, 0.1, 2.0)}, reversed="x", between_rad=(1.3, 1.6, 1.1))  # fmt: skip
    joint = model.project.joints[1]
    for path in (
        f"joints/{joint.id}/child_frame/position_m",
        f"joints/{joint.id}/parent_frame/position_m",
    ):
        there = model.place(path, "seat")
        again = model.with_place(path, there, "seat")
        assert np.abs(np.array(again.value(path)) - model.value(path)).max() < 1e-12
        moved_ = model.with_place(path, np.add(there, (0.01, 0.0, 0.0)), "seat")
        by = model.frame("seat", str(carrier_of(model.project, path))).axes[:, 0]
        assert np.subtract(moved_.value(path), model.value(path)) == pytest.approx(
            0.01 * by, abs=1e-12
        )
    with pytest.raises(FrameError, match="no frame 'saet'"):
        model.place(path, "saet")
    with pytest.raises(FrameError, match="no place"):
        model.place(f"segments/{first}/mass_kg", "seat")


def test_every_place_of_the_schema_knows_its_segment_or_is_left_out() -> None:
    project = validated(whole())
    said = {}
    for path in ("frames/bench/position_m", "markers/brow/point_m", "segments/head/surfaces/skin/centre_m", "planes/floor/placement/p1_m", "initial/roots/1/position_m", "harnesses/harness/straps/shoulder/points/0/position_m", "harnesses/harness/straps/shoulder/points/2/position_m", "harnesses/harness/straps/shoulder/points/3/position_m", "springs/pad/a/frame/position_m", "springs/bungee/a/position_m", "belts/lap_belt/fixed_point_m", "airbags/bag/deployment_point_m", "outputs/head_acc/point_m", "joints/low/parent_frame/position_m"):  # fmt: skip
        said[path] = carrier_of(project, path)
    low = next(j for j in project.joints if j.id == "low")
    assert said["joints/low/parent_frame/position_m"] == low.parent
    assert said["markers/brow/point_m"] == said["outputs/head_acc/point_m"] == said["segments/head/surfaces/skin/centre_m"] == "head"  # fmt: skip
    assert said["planes/floor/placement/p1_m"] == "ground"
    assert said["harnesses/harness/straps/shoulder/points/0/position_m"] == "sled"
    assert said["harnesses/harness/straps/shoulder/points/2/position_m"] == "torso"
    assert said["harnesses/harness/straps/shoulder/points/3/position_m"] == "ground"
    assert said["springs/pad/a/frame/position_m"] == "ground"
    assert said["springs/bungee/a/position_m"] == "pelvis"
    assert said["belts/lap_belt/fixed_point_m"] == "pelvis"
    assert said["frames/bench/position_m"] is None
    assert said["airbags/bag/deployment_point_m"] is None


def test_frames_go_with_what_they_stand_in() -> None:
    model = mk.new("x").add_segment("seat", mass_kg=1.0, inertia_kgm2=(1.0, 1.0, 1.0))
    model = model.add_frame("outer", segment="seat").add_frame("inner", relative_to="outer")
    assert renamed(model.project, "frames/outer", "one").frames[1].relative_to == "one"
    assert without(model.project, "frames/outer").project.frames == ()
    assert without(model.project, "segments/seat").project.frames == ()
    there = moved(model.add_frame("g", position_m=(1.0, 0.0, 0.0)).project, (0.0, 0.0, 2.0))
    assert there.frames[2].position_m == (1.0, 0.0, 2.0)
    assert there.frames[0].position_m == there.frames[1].position_m == (0.0, 0.0, 0.0)


SI = ("m", "kg", "s", "N", "N*m", "N*m/rad", "kg*m2", "Pa", "J", "W", "m/s", "m/s2", "N*s/m", "1/s", "rad/s2", "N/m2", "kg/m3", "N*m*s/rad", "K")  # fmt: skip


@pytest.mark.parametrize("system", ["mm,t,s", "in,lbf,s,deg", "25.4*mm,ms,lb", "mm,t,s,N,g,deg,degC", "0.3048*m,1.7*kg,lbf,h,degF"])  # fmt: skip
def test_own_units_go_there_and_back(system: str) -> None:
    rng = np.random.default_rng(3)
    for si_unit in SI:
        shown = display_unit(si_unit, system)
        for value in rng.uniform(-1e3, 1e3, 20):
            there = convert(float(value), si_unit, shown)
            assert convert(there, shown, si_unit) == pytest.approx(value, rel=1e-12, abs=1e-12 * (300 if si_unit == "K" else 1))  # fmt: skip
        assert parse("1", si_unit, shown) == convert(1.0, shown, si_unit)


def test_what_a_system_does_not_say_follows_from_it() -> None:
    """1 t mm/s2 is 1 N and 1 t/(mm s2) is 1 MPa; a slinch (lbf s2/in) is 175.126835 kg (12 slugs of 14.593903 kg)."""
    assert convert(1.0, display_unit("N", "mm,t,s"), "N") == pytest.approx(1.0, rel=1e-15)
    assert convert(1.0, display_unit("Pa", "mm,t,s"), "Pa") == pytest.approx(1e6, rel=1e-15)
    assert display_unit("Pa", "mm,t,s,N") == "N/mm2"
    assert display_unit("N*m", "mm,t,s,N") == "N*mm"
    assert convert(1.0, display_unit("kg", "in,lbf,s"), "kg") == pytest.approx(
        12 * 14.593902937206364, rel=1e-14
    )
    assert display_unit("m/s2", "mm,t,s,g") == "g"
    assert display_unit("m/s", "mm,t,s,g") == "mm/s"
    for told, why in (("mm,in", "measure the same"), ("mm,%", "measures nothing"), ("mm,furlong", "no unit"), ("0*mm,s", "not above zero")):  # fmt: skip
        with pytest.raises(UnitError, match=why):
            given_by(told)


def test_tables_are_written_in_own_units(run: mk.Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:  # fmt: skip
    system = run.model.units("shop")
    (seen,) = run.curves("f2_velocity_x", units=system)
    assert seen.unit == "mm/ms"
    assert np.allclose(seen.value, run["f2_velocity_x"].value, rtol=1e-14)
    assert "f2_velocity_x [mm/ms]" in as_csv([seen])
    file = tmp_path / "run.h5"
    run.save(file)
    for told in ("shop", "mm,t,ms,deg"):
        out = tmp_path / f"{told}.csv"
        assert main(["export", str(file), "--csv", str(out), "--channels", "segments/body/position/x", "--units", told]) == 0  # fmt: skip
        assert "segments/body/position/x [mm]" in out.read_text(encoding="utf-8")
    assert main(["export", str(file), "--csv", str(tmp_path / "no.csv"), "--units", "shp"]) != 0
    assert "shop" in capsys.readouterr().err
    assert json.loads(run.trajectory.project_json)["unit_systems"][0]["id"] == "shop"


def test_a_place_told_in_a_frame_that_starts_elsewhere() -> None:
    """The frame is in another segment: both stand as they do at the start."""
    model = mk.new("x")
    for n, name in enumerate(("a", "b")):
        model = model.add_segment(name, mass_kg=1.0, inertia_kgm2=(1.0, 1.0, 1.0)).start_root(name, position_m=(float(n), 0.0, 0.0))  # fmt: skip
    model = model.start_attitude("b", orientation={"angles_rad": (math.pi / 2, 0.0, 0.0)})
    model = model.add_frame("f", segment="a", position_m=(0.0, 0.0, 1.0)).add_marker("m", segment="b", point_m=(0.5, 0.0, 0.0))  # fmt: skip
    assert place_in(model.project, "f", "markers/m/point_m") == pytest.approx(
        (1.0, 0.5, -1.0), abs=1e-15
    )
    back = place_from(model.project, "f", "markers/m/point_m", (1.0, 0.5, -1.0))
    assert back == pytest.approx((0.5, 0.0, 0.0), abs=1e-15)
