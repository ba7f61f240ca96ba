"""Dummies on the bench: all tests of all dummies, figures in closed form, faults that are seen."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from solver.bodies import DUMMIES, Body, BodyError, library_body, mirror_of, pose, poses, with_hands
from solver.bodies.dummies import body_of, dummy_entry
from solver.bodies.insert import body_project
from solver.cli import main
from solver.engine.signals import cfc
from solver.injury import body_sensors
from solver.project.changes import with_value
from solver.project.checks import check
from solver.project.document import Project
from solver.project.outputs import JointOutput
from solver.project.pose import start_pose
from solver.project.study_parts import Asked
from solver.report.bench import certificate, panels
from solver.report.pdf_page import figures
from solver.report.plots.curves import styled
from solver.results.quantities import quantities
from solver.running.simulation import simulate
from solver.studies.bench import fixtures
from solver.studies.bench.fixtures import scene
from solver.studies.bench.running import (
    Cancelled,
    Curves,
    NoFigure,
    Result,
    Verdict,
    curves_of,
    falls_to,
    peak,
    run_test,
)
from solver.studies.bench.table import BenchTest, bench_tests, dummies
from tools.dummies.__main__ import written
from tools.dummies.figures import SIZES
from tools.dummies.fit import body as fitted_body
from tools.dummies.fit import large
from tools.dummies.laws import laws

ALL = [(name, test) for name in dummies() for test in bench_tests(name)]
MASSES = {
    "hybrid_iii_50m": 77.70, "hybrid_iii_5f": 49.00, "hybrid_iii_95m": 102.5, "hybrid_iii_6y": 23.41,
    "hybrid_iii_3y": 15.46, "es_2re": 72.4, "sid_iis": 44.5,
}  # fmt: skip
"""Totals of the public tables (kg)."""


def of(name: str, kind: str) -> BenchTest:
    return next(test for test in bench_tests(name) if test.kind == kind)


@cache
def ran(name: str, kind: str) -> Result:
    """What a test of a dummy of the library finds."""
    return run_test(name, of(name, kind))


def outside(result: Result) -> list[str]:
    return [f"{v.asked.figure} {v.value} {v.reason}" for v in result.verdicts if not v.passed]


@pytest.mark.parametrize(("name", "test"), ALL, ids=lambda one: getattr(one, "kind", one))
def test_a_dummy_passes(name: str, test: BenchTest) -> None:
    """One set of numbers for each dummy; the pulses of pendulums are judged as well."""
    result = ran(name, test.kind)
    assert outside(result) == []
    assert [one for one in check(result.project) if one.severity != "note"] == []


def test_what_is_asked_has_a_paragraph_each() -> None:
    """Of the law, but for one test of the 95th man, who has no subpart, and two of the 50th man's chest."""
    others = {(n, t.kind) for n, t in ALL if not t.paragraph.startswith("49 CFR 572.")}
    man = "hybrid_iii_50m"
    assert others == {
        ("hybrid_iii_95m", "neck_flexion"),
        (man, "thorax_slow"),
        (man, "thorax_pressed"),
    }
    assert {name for name, _ in ALL} == set(DUMMIES)


@pytest.mark.parametrize("factor", [0.1, 10.0])
def test_a_head_lags_behind_its_neck_whatever_joins_them(factor: float) -> None:
    """The moment is below zero at first, and comes up where the discs say: no law of the nodding joint mends that."""
    name = "hybrid_iii_95m"
    nods = {n: factor * v for n, v in asdict(laws(name)).items() if n.startswith("nod_")}
    places = list[float]()
    for body in (library_body(name), fitted_body(name, replace(laws(name), **nods))):
        curves = run_test(name, of(name, "neck_flexion"), body, watched=False).curves
        (_, angle), (_, moment) = curves["rotation"], curves["moment"]
        first = int(np.flatnonzero(moment > 5.0)[0])
        assert moment[:first].min() < -0.5
        assert np.degrees(angle[int(np.argmin(moment[:first]))]) < 3.0
        up = first - int(np.flatnonzero(moment[:first][::-1] < 0.0)[0])
        places.append(float(np.degrees(angle[up])))
    assert places[0] == pytest.approx(places[1], abs=1.5)


def test_a_chest_without_dampers_is_pressed_along_its_curve() -> None:
    test = of("hybrid_iii_50m", "thorax_pressed")
    made = scene(test, library_body("hybrid_iii_50m"))
    for path in ("1/damping", "2/damping", "3/stiffness"):
        made = with_value(made, f"coordinate_forces/ribs/laws/{path}", 1e-6)
    curves = curves_of(test, made, quantities(simulate(made)))
    k = laws("hybrid_iii_50m").ribs
    # what grows steadily on a spring leaves its mass swinging by so much
    swing = test.load * math.sqrt(library_body("hybrid_iii_50m").segment("sternum").mass_kg / k)
    for mm in (5.0, 25.4, 37.0):
        load = curves.figure(Asked(figure="load_at", unit="N", at=mm))
        assert load == pytest.approx(1e-3 * mm * k, abs=1.01 * swing)
    with pytest.raises(NoFigure):
        curves.figure(Asked(figure="load_at", unit="N", at=150.0))


@pytest.mark.parametrize(
    ("kind", "path", "factor"),
    [
        ("head_drop", "contact_laws/head_skin/stiffness_n_per_mn", 1.5),
        ("knee", "contact_laws/knee_skin/stiffness_n_per_mn", 0.6),
        ("neck_flexion", "segments/head/mass_kg", 1.3),
        ("neck_extension", "segments/head/mass_kg", 1.3),
    ],
)
def test_a_wrong_number_is_seen(
    kind: str, path: str, factor: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, test = "hybrid_iii_50m", of("hybrid_iii_50m", kind)
    project = scene(test, library_body(name))
    value = project
    for word in path.split("/"):
        value = (
            next(one for one in value if one.id == word)  # type: ignore[attr-defined]
            if isinstance(value, tuple)
            else getattr(value, word)
        )
    wrong = with_value(project, path, value * factor)  # type: ignore[operator]
    monkeypatch.setattr("solver.studies.bench.running.scene", lambda *_: wrong)
    assert outside(run_test(name, test))


def test_a_knee_without_damping_is_a_spring_of_hertz() -> None:
    """The largest force of F = K x^1.5 on a held knee: K^(2/5) (5/4 m v^2)^(3/5), by the probe's energy."""
    test = of("hybrid_iii_50m", "knee")
    project = scene(test, library_body("hybrid_iii_50m"))
    elastic = with_value(project, "contact_laws/knee_skin/damping_s_per_m", 0.0)
    found = quantities(simulate(elastic))("segments/probe/acceleration/x")
    K = float(laws("hybrid_iii_50m").knee_skin)
    exact = K**0.4 * (1.25 * test.mass * test.speed**2) ** 0.6
    assert test.mass * peak((found.time, found.value))[1] == pytest.approx(exact, rel=2e-3)


def test_a_hip_turns_where_friction_and_table_say() -> None:
    """The load is the torque of the table and the friction of one g as far as it is there at that rate."""
    body = library_body("hybrid_iii_50m")
    result = ran("hybrid_iii_50m", "hip")
    hip = body.joint("right_hip")
    table = next(f for f in body.functions if f.id == "hip_flexion").form
    for degrees in (25.0, 35.0, 42.0):
        load = result.curves.figure(Asked(figure="torque_at", unit="N*m", at=degrees))
        held = float(np.interp(math.radians(degrees), table.x, table.y))  # type: ignore[union-attr]
        friction = hip.friction  # type: ignore[union-attr]
        rate = fixtures.RAISED_PER_S / friction.full_rate_rad_per_s
        part = rate * (2.0 - rate)
        assert load == pytest.approx(held + part * friction.coulomb_nm, abs=0.02 * held + 0.5)


def test_the_pendulum_loses_its_speed() -> None:
    for kind in ("neck_flexion", "neck_extension"):
        test = of("hybrid_iii_5f", kind)
        result = ran("hybrid_iii_5f", kind)
        lost = result.curves.figure(Asked(figure="speed_loss", unit="m/s", at=170.0))
        assert lost == pytest.approx(test.speed, rel=5e-3)
        moving = quantities(simulate(result.project))("segments/arm/angular_velocity/y")
        assert abs(moving.value[0]) * fixtures.ARM == pytest.approx(test.speed, rel=1e-9)
        assert abs(moving.value[-1]) < 1e-6


def test_figures_in_closed_form() -> None:
    t = np.linspace(0.0, 0.1, 501)
    bump = 70.0 * np.sin(math.pi * t / 0.08)
    assert peak((t, bump)) == (pytest.approx(0.04), pytest.approx(70.0))
    assert falls_to((t, bump), 0.0, 0.05) == pytest.approx(0.08)
    with pytest.raises(NoFigure):
        falls_to((t, bump + 1e3), 0.0, 0.05)
    # a loop that gives a quarter back
    way = np.concatenate((np.linspace(0.0, 0.06, 251), np.linspace(0.06, 0.0, 250)))
    force = np.where(np.arange(501) <= 250, 1e5 * way, 2.5e4 * way)
    thorax = Curves(of("hybrid_iii_5f", "thorax"), {"deflection": (t, way), "force": (t, force)})
    assert thorax.figure(Asked(figure="hysteresis", unit="%")) == pytest.approx(0.75, abs=2e-3)
    between = Asked(figure="force_between", unit="N", at=18.0, until=50.0)
    assert thorax.figure(between) == pytest.approx(5000.0, rel=5e-3)
    with pytest.raises(NoFigure):
        thorax.figure(Asked(figure="force_between", unit="N", at=70.0, until=80.0))
    twice = np.maximum(bump, 0.0) + np.where(
        t > 0.085, 5.6 * np.sin((t - 0.085) * math.pi / 0.02), 0.0
    )
    head = Curves(of("hybrid_iii_5f", "head_drop"), {"head": (t, twice)})
    assert head.figure(Asked(figure="second_peak", unit="%")) == pytest.approx(0.08, abs=1e-4)


def test_a_moment_counts_while_the_rotation_is_in_its_corridor() -> None:
    """A larger one before it is none of the law's: subparts N, O and P."""
    test = of("hybrid_iii_5f", "neck_flexion")
    t = np.linspace(0.0, 0.1, 1001)
    rotation = np.deg2rad(85.0) * np.sin(math.pi * t / 0.1)
    moment = np.where(t < 0.02, 200.0, 75.0 - 1e3 * np.abs(t - 0.05))
    asked = Asked(figure="moment_within", unit="N*m")
    found = Curves(test, {"rotation": (t, rotation), "moment": (t, moment)})
    assert found.figure(asked) == pytest.approx(75.0)
    with pytest.raises(NoFigure):
        Curves(test, {"rotation": (t, 0.5 * rotation), "moment": (t, moment)}).figure(asked)


def test_a_moment_is_taken_where_the_rotation_first_comes_to_an_angle() -> None:
    t = np.linspace(0.0, 0.1, 1001)
    found = Curves(of("hybrid_iii_95m", "neck_flexion"), {
        "rotation": (t, np.deg2rad(70.0) * np.sin(math.pi * t / 0.1)), "moment": (t, 1e3 * t),
    })  # fmt: skip
    asked = Asked(figure="moment_at", unit="N*m", at=35.0)
    assert found.figure(asked) == pytest.approx(1e3 * 0.1 / 6.0, rel=1e-3)
    with pytest.raises(NoFigure):
        found.figure(asked.model_copy(update={"at": 71.0}))


def test_a_load_that_is_too_small_has_no_angle() -> None:
    t = np.linspace(0.0, 1.0, 11)
    hip = Curves(of("hybrid_iii_50m", "hip"), {"angle": (t, t), "load": (t, 100.0 * t)})
    assert hip.figure(Asked(figure="angle_at", unit="deg", at=55.0)) == pytest.approx(0.55)
    with pytest.raises(NoFigure):
        hip.figure(Asked(figure="angle_at", unit="deg", at=203.4))


def test_what_is_asked_is_drawn_where_it_is_asked() -> None:
    """A wide band for a peak at its time, narrow ones where the curve has to pass."""
    result = ran("hybrid_iii_50m", "neck_flexion")
    rotation, moment, pulse = panels(result)
    peak_, back = rotation.bands
    assert [*peak_.x, peak_.low[0], peak_.high[0]] == [57.0, 64.0, 64.0, 78.0]
    assert [*back.x] == [113.0, 128.0]
    assert back.low[0] < 0.0 < back.high[0] < 5.0
    assert (moment.bands[0].low[0], moment.bands[0].high[0]) == (88.1, 108.5)
    pressed = run_test("hybrid_iii_50m", of("hybrid_iii_50m", "thorax_pressed"), watched=False)
    (drawn,) = next(panels(pressed)).curves
    assert np.interp(25.4, drawn.x, drawn.y) == pytest.approx(pressed.verdicts[0].value, rel=1e-3)
    by_angle = panels(ran("hybrid_iii_95m", "neck_flexion"))
    gates = next(p for p in by_angle if p.bands and p.bands[0].high[0] == 83.0).bands
    assert [g.x.mean() for g in gates] == pytest.approx([14.0, 34.0, 43.0, 53.0, 64.0])
    ten = pulse.bands[0]
    assert ten.x.mean() == pytest.approx(10.0)
    assert np.ptp(ten.x) < 5.0
    # the curve goes through each gate that it passes
    for v in result.verdicts:
        if v.asked.figure == "pulse_g":
            drawn = np.interp(v.asked.at or 0.0, pulse.curves[0].x, pulse.curves[0].y)
            assert drawn == pytest.approx(v.value, rel=1e-3)
    (force,) = [p for p in panels(ran("hybrid_iii_5f", "thorax")) if len(p.bands) == 2]
    assert [*force.bands[0].x, *force.bands[1].x] == [50.0, 58.0, 18.0, 50.0]


def test_curves_are_of_the_channel_class_that_the_law_says() -> None:
    """Pendulum 60 in subpart E, 180 in the others; moment 600; of the probe 180 and 600; head 1000."""
    for name, kind, curve, channel, class_, sign in (
        ("hybrid_iii_50m", "neck_flexion", "pulse", "arm_x", 60, -1.0),
        ("hybrid_iii_5f", "neck_flexion", "pulse", "arm_x", 180, -1.0),
        ("hybrid_iii_50m", "neck_flexion", "moment", "condyles_y", 600, 1.0),
        ("hybrid_iii_50m", "knee", "force", "probe_x", 600, 4.99),
    ):
        result = ran(name, kind)
        raw = quantities(simulate(result.project))(channel)
        assert raw.cfc == class_
        t, y = result.curves[curve]
        assert np.array_equal(t, raw.time)
        assert y == pytest.approx(sign * cfc(raw.time, raw.value, class_), abs=1e-9)
        if curve == "pulse":
            assert np.abs(y - sign * raw.value).max() > 1.0


def test_a_run_that_failed_passes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    test = of("hybrid_iii_50m", "knee")
    whole = simulate(scene(test, library_body("hybrid_iii_50m")))
    whole.status, whole.message = "failed", "It stopped."  # type: ignore[misc]
    monkeypatch.setattr("solver.studies.bench.running.simulate", lambda *_, **__: whole)
    result = run_test("hybrid_iii_50m", test)
    assert not result.passed
    assert outside(result) == ["force None It stopped."]


def test_a_test_can_be_given_up() -> None:
    with pytest.raises(Cancelled):
        run_test("hybrid_iii_50m", of("hybrid_iii_50m", "knee"), cancel=lambda: True)


def test_margins() -> None:
    both = Asked(figure="force", unit="N", low=10.0, high=20.0)
    assert [Verdict(both, v).margin for v in (15.0, 10.0, 22.0)] == [1.0, 0.0, pytest.approx(-0.4)]
    assert [Verdict(both, v).passed for v in (10.0, 20.0, 20.1, None)] == [True, True, False, False]
    most = Asked(figure="lateral", unit="g", high=15.0)
    assert Verdict(most, 12.0).margin == pytest.approx(0.2)


@pytest.mark.parametrize("name", SIZES)
def test_a_file_is_what_its_numbers_make(name: str) -> None:
    file = Project.model_validate(json.loads(json.dumps(written(SIZES[name], laws(name)))))
    made = body_of(file, dummy_entry(name).rests)
    assert made == library_body(name)


def test_what_no_test_tells_of_the_95th_man_is_the_50th_mans_in_proportion() -> None:
    known, found = asdict(laws("hybrid_iii_95m")), asdict(large(laws("hybrid_iii_95m")))
    assert known == pytest.approx(found, rel=1e-4)


@pytest.mark.parametrize("name", DUMMIES)
def test_a_dummy_is_whole(name: str) -> None:
    body = library_body(name)
    assert body.mass_kg == pytest.approx(MASSES[name], rel=2e-3)
    for segment in body.segments:
        twin = mirror_of(segment.id)
        assert body.segment(twin).mass_kg == segment.mass_kg
        assert segment.source
        assert "assumed" in (segment.source + segment.note + body.source)
    assert all(joint.source for joint in body.joints)
    with pytest.raises(BodyError):
        with_hands(body)
    for posture in poses():
        placed = start_pose(body_project(pose(body, posture)))
        for segment in body.segments:
            right, left = placed[segment.id].p_W, placed[mirror_of(segment.id)].p_W
            assert right * [1.0, -1.0, 1.0] == pytest.approx(left, abs=1e-6)


def test_rubber_is_at_rest_in_every_pose() -> None:
    body: Body = pose(library_body("hybrid_iii_50m"), "driving")
    project = body_project(body)
    started = {start.joint for start in project.initial.joints}
    assert not started & {"lumbar", "waist", "disc_1", "disc_2", "disc_3", "disc_4", "condyles"}
    assert {"right_hip", "right_knee", "left_elbow"} <= started


def test_a_certificate_tells_what_passed_and_what_did_not(tmp_path: Path) -> None:
    name, test = "hybrid_iii_50m", of("hybrid_iii_50m", "knee")
    good = ran(name, "knee")
    page = certificate(name, [good]).html()
    assert "1 of 1 tests are passed." in page
    assert "4715 to 5783 N" in page
    assert "Not run: Head drop, Neck flexion" in page
    assert "<svg" not in page
    bad = Result(name, test, good.project, good.curves, (Verdict(test.asked[0], 9000.0),))
    page = certificate(name, [good, bad]).html()
    assert "1 of 2 tests are passed." in page
    assert "Force of the probe: 9000 N (4715 to 5783 N)" in page
    # a page for each test, after that of the verdict
    assert [one.count("Knee impact: 49 CFR") for one in page.split('class="later part"')] == [
        0,
        1,
        1,
    ]
    with styled():
        assert len(figures(certificate(name, [good, bad]).content)) == 3
    file = certificate(name, [good, bad]).save(tmp_path / "it.pdf")
    assert file.read_bytes().startswith(b"%PDF")


def test_what_passes_through_what_is_told(tmp_path: Path) -> None:
    """The jacket gives way by 20 mm before the sternum's own shape: in its corridors, and said."""
    name = "hybrid_iii_50m"
    result = ran(name, "thorax")
    assert result.passed
    (one,) = result.passages
    assert "'sternum' went 20 mm into 'face'" in one
    assert one.replace("'", "&#39;") in certificate(name, [result]).html()
    assert ran(name, "knee").passages == ()


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "it.html"
    assert main(["bench", "hybrid_iii_6y", "--test", "knee", "-o", str(page)]) == 0
    said = capsys.readouterr().out
    assert "Knee impact (49 CFR 572.126, 572.127): passed" in said
    assert page.exists()
    file = tmp_path / "it.json"
    assert main(["bench", "hybrid_iii_6y", "--scene", "--test", "knee", "-o", str(file)]) == 0
    assert "knee impact" in file.read_text()
    assert main(["bench", "hybrid_iii_6y", "--test", "knee", "--json"]) == 0
    out = capsys.readouterr().out
    assert json.loads(out[out.index("{") :])["hybrid_iii_6y"][0]["passed"] is True
    page.unlink()
    words = ["bench", "hybrid_iii_6y", "--test", "knee", "--json", "-o", str(page)]
    assert main(words) == 0
    json.loads(capsys.readouterr().out)
    assert page.exists()
    assert (
        main(["bench", "hybrid_iii_6y", "--scene", "--test", "knee", "--json", "-o", str(file)])
        == 1
    )
    assert main(["bench", "hybrid_iii_12m"]) == 1
    assert "has no bench tests" in capsys.readouterr().err
    assert main(["bench", "hybrid_iii_6y", "--test", "hip"]) == 1


def test_figures_come_from_the_dummys_own_cells() -> None:
    project = body_project(pose(library_body("hybrid_iii_50m"), "seated"))
    sensors = {sensor.id for sensor in body_sensors(project)}
    assert {
        "right_femur_cell.force",
        "left_femur_cell.force",
        "sternum.slide",
        "condyles.torque",
    } <= sensors
    assert not {"right_hip.force", "left_hip.force"} & sensors


def test_a_femur_cell_feels_what_the_probe_gives() -> None:
    """The knee is held behind its cell, so that the cell bears the probe's force, and nothing else along it."""
    test = of("hybrid_iii_50m", "knee")
    made = scene(test, library_body("hybrid_iii_50m"))
    load = JointOutput(
        id="cell", joint="right_femur_cell", quantity="force", in_axes_of="child", cfc=600
    )
    found = quantities(simulate(made.model_copy(update={"outputs": (*made.outputs, load)})))
    cell, probe = found("cell_z"), found("probe_x")
    assert cell.value.max() == pytest.approx(test.mass * probe.value.max(), rel=1e-3)


def test_chest_deflection_is_how_far_the_sternum_is_pushed_in() -> None:
    """The thorax probe pushes it in: the figure of the body is that of the bench, not what is left of its rebound."""
    test = of("hybrid_iii_6y", "thorax")
    run = simulate(scene(test, library_body("hybrid_iii_6y")))
    inwards = quantities(run)("sternum_slide")
    (found,) = [value for name, value in run.injury.items() if "chest_deflection" in name]
    assert found.value == pytest.approx(inwards.value.max(), rel=2e-2)
    assert found.value > 0.03
