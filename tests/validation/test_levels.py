"""The bench of single levels: closed forms, measured curves as their source prints them, and the page."""

from __future__ import annotations

import math

import numpy as np
import pytest

from solver.bodies import adult_dimensions, human
from solver.bodies.body import read
from solver.bodies.people.sizes import AROUND, BENDS
from solver.project.document import Project
from solver.studies.bench.pieces import only
from tools.people import fit
from validation import levels
from validation.levels import Curve, Level, Row

CURVES = {(one.source, one.level, one.way): one for one in levels.curves()}
ROM = {
    ("flexion", "extension"): (27.4, 24.4, 6.2, 7.7, 10.1, 9.9, 7.1),
    ("twist", "twist"): (9.9, 56.7, 3.2, 5.1, 6.8, 5.1, 2.9),
    ("sideways", "sideways"): (9.1, 6.5, 9.5, 9.1, 9.3, 6.5, 5.4),
}
"""Degrees from one way to the other at 1 N m, C0-C1 to C6-C7: Panjabi (2001), as the repository's notebook prints them."""
NECK = ("C0-C1", "C1-C2", "C2-C3", "C3-C4", "C4-C5", "C5-C6", "C6-C7")


def _bones(joints: list[object], springs: list[object]) -> Level:
    """Two bones, the lower of which leans, with what is between them."""
    lean = {"angles_rad": (0.2, -0.4, 0.1)}
    project = Project.model_validate(
        {
            "segments": [{"id": name, "mass_kg": 0.3, "inertia_kgm2": (1e-4, 2e-4, 3e-4)} for name in ("low", "high")],
            "joints": joints, "springs": springs,
            "initial": {
                "roots": [{"segment": name, "position_m": (0.1, 0.0, -0.3)} for name in ("low", "high")][: 1 + len(springs)],
                "attitudes": [{"segment": "low", "orientation": lean}, {"segment": "high", "orientation": lean}],
            },
        }
    )  # fmt: skip
    return Level("made up", "two", project, "low", "high", ("low", "high"), (), ())


@pytest.mark.parametrize("way", ["flexion", "twist"])
def test_a_ball_joint_turns_by_moment_over_stiffness(way: str) -> None:
    ball = {
        "id": "ball", "kind": "ball", "parent": "low", "child": "high", "flexure": {"linear_nm_per_rad": 50.0},
        "torsion": {"linear_nm_per_rad": 80.0},
    }  # fmt: skip
    found = levels.turned(_bones([ball], []), way, (5.0,))
    assert found == pytest.approx(math.degrees(5.0 / (80.0 if way == "twist" else 50.0)), rel=1e-6)


@pytest.mark.parametrize(("way", "stiffness"), [("flexion", 40.0), ("sideways", 30.0), ("twist", 20.0)])  # fmt: skip
def test_free_bones_turn_by_moment_over_stiffness(way: str, stiffness: float) -> None:
    bushing = {
        "id": "bushing", "kind": "bushing", "a": {"segment": "low"}, "b": {"segment": "high"}, "stiffness_n_per_m": (1e5,) * 3,
        "stiffness_nm_per_rad": (30.0, 40.0, 20.0),
    }  # fmt: skip
    found = levels.turned(_bones([], [bushing]), way, (1.0, 2.0))
    assert found == pytest.approx(np.degrees(np.array([1.0, 2.0]) / stiffness), rel=1e-6)


def test_measured_curves_are_those_of_the_source() -> None:
    for (one, other), printed in ROM.items():
        for name, rom in zip(NECK, printed, strict=True):
            ways = [CURVES["panjabi_2001", name, way].at(1.0) for way in (one, other)]
            assert sum(at[0] for at in ways if at) == pytest.approx(rom, rel=0.08)
    for name, way, moment, angle, less, more in (
        ("C0-C2", "flexion", 2.0226, 22.2015, 17.3441, 27.0596),
        ("C4-C5", "extension", 0.9951, 4.5251, 2.9262, 6.1530),
        ("C6-C7", "flexion", 0.9883, 3.6932, 1.4773, 6.0227),
    ):
        at = CURVES["nightingale_2007", name, way].at(moment)
        assert at == pytest.approx((angle, less, more), abs=2e-3)
    five = [CURVES["yamamoto_1990", f"L{n}-L{n + 1}", "flexion"] for n in range(1, 5)]
    five.append(CURVES["yamamoto_1990", "L5-S1", "flexion"])
    assert sum(one.angle[-1] for one in five) == pytest.approx(38.7)
    assert len({level for source, level, _ in CURVES if source == "wilke_2017"}) == 11


def test_curves_rise_and_lie_within_their_range() -> None:
    for one in CURVES.values():
        assert np.all(np.diff(one.moment) > 0.0)
        assert np.all(np.diff(one.angle) >= 0.0) or one.level in ("L1-L2", "L5-S1")
        told = ~np.isnan(one.less)
        assert np.all((one.less <= one.angle + 1e-9) & (one.angle <= one.more + 1e-9) | ~told)
        assert one.at(2.0 * one.moment[-1]) is None


@pytest.mark.parametrize("curve", ["stiffening", "ended"])
def test_a_fit_finds_the_law_that_made_a_curve(curve: str) -> None:
    moment = np.array([0.25, 0.5, 1.0, 2.0, 4.0])
    made = levels.Law(0.3, 0.0, 0.0, 0.02, 0.0) if curve == "stiffening" else levels.Law(0.1, 4.0, 0.5, 0.0, 0.0)  # fmt: skip
    angle = made.angle(moment)
    beyond = np.maximum(angle - made.stop, 0.0) if curve == "ended" else 0.0 * angle
    assert made.linear * angle + made.quadratic * beyond**2 + made.cubic * angle**3 == pytest.approx(moment)  # fmt: skip
    found = levels.fit(Curve("", "", "", moment, angle, angle, angle))[curve == "ended"]
    assert found.off < 1e-5
    for name in ("linear", "stop", "quadratic", "cubic"):
        assert getattr(found, name) == pytest.approx(getattr(made, name), rel=1e-3, abs=1e-9)


def test_the_page_says_what_the_bench_finds() -> None:
    """Two levels; the man's also by the closed form of his law: who mends what fails writes the page again."""
    page, known = levels.PAGE.read_text(encoding="utf-8"), levels.curves()
    seen: list[Row] = []
    for level in levels.levels():
        if level.name == "C4-C5" or level.joint == "lumbar_1":
            seen += levels.compared(
                level, "flexion", levels.turned(level, "flexion", level.moments), known
            )
    assert len(seen) == 2 + 3 + 3
    assert all(row.line() in page for row in seen)
    linear, stop, beyond = BENDS["lumbar_1"].flexion
    mine = [row for row in seen if row.level.joint]
    for row in mine:
        angle = math.radians(row.ours)
        moment = linear * angle + beyond * max(angle - stop, 0.0) ** 2
        assert moment == pytest.approx(row.moment, rel=1e-3)
    assert all(row.holds for row in mine)


def test_levels_of_the_librarys_neck_twist_as_measured() -> None:
    """Discs alone let C2 turn six times as far on C3."""
    for level in levels.levels():
        if level.name in ("C2-C3", "C3-C4"):
            asked = CURVES["panjabi_2001", level.name, "twist"].at(1.0)
            assert asked is not None
            found = levels.turned(level, "twist", (1.0,))[0]
            assert found == pytest.approx(asked[0], rel=0.15)


def test_joints_of_people_have_what_was_fitted() -> None:
    """The file is what its maker finds, and its laws turn as their levels together do; another curve would be off."""
    for joint, ways in fit.joint_laws().items():
        if joint in ("lumbar_1", "disc_2", "condyles"):
            assert read("levels")["joints"][joint] == ways
    curve = [CURVES["yamamoto_1990", name, "sideways"].at(5.0) for name in ("L2-L3", "L3-L4")]
    law = levels.Law(*read("levels")["joints"]["lumbar_2"]["sideways"], cubic=0.0, off=0.0)
    assert law.angle(np.array([5.0]))[0] == pytest.approx(sum(at[0] for at in curve if at), rel=0.02)  # fmt: skip


def test_muscles_and_ribs_act_beside_levels() -> None:
    """What a neck joint bears at an angle is its levels' moment and its muscles'; without them it is far less."""
    man = human(adult_dimensions("male"))
    level = next(one for one in levels.levels() if one.joint == "disc_2")
    with_muscles = Level("", "", only(man, ("neck_1", "neck_2")), "neck_1", "neck_2", ("neck_1", "neck_2"), (), ())  # fmt: skip
    for way, moment in (("flexion", 10.0), ("extension", 10.0), ("sideways", 6.0), ("twist", 6.0)):
        angle = math.radians(levels.turned(with_muscles, way, (moment,))[0])
        stiff, far = getattr(AROUND["disc_2"], way)
        linear, stop, beyond = getattr(BENDS["disc_2"], way)
        bears = linear * angle + beyond * max(angle - stop, 0.0) ** 2
        assert bears + stiff * angle * (1.0 + (angle / far) ** 2) == pytest.approx(moment, rel=1e-3)
    assert levels.turned(level, "flexion", (1.0,))[0] > 8.0
