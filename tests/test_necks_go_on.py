"""Necks of people that go farther than necks do are told of, and joints that nothing ends."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from solver.bodies import adult_dimensions, body_project, dummy, human
from solver.injury.faults import faults
from solver.maths.rotation import about_axis, quaternion
from solver.outputs.necks import FORE_AND_AFT, SIDEWAYS, TWIST, necks, reached
from solver.project import Project
from solver.project.checks import check
from solver.simulation import simulate
from tests.models import base, project, segment

LIMITS = {"x": SIDEWAYS, "y": FORE_AND_AFT, "z": TWIST}


def person(axis: str, rate: float, **law: Any) -> Any:
    """Hold a torso, and let a head turn on it about one axis without weight; z points down."""
    neck = {
        "id": "neck", "kind": "ball", "parent": "upper_torso", "child": "head",
        "child_frame": {"position_m": [0.0, 0.0, 0.15]}, "parent_frame": {"position_m": [0.0, 0.0, -0.2]}, **law,
    }  # fmt: skip
    fixed = {"id": "seat", "kind": "locked", "parent": "ground", "child": "upper_torso"}
    waist = {"id": "waist", "kind": "locked", "parent": "upper_torso", "child": "lower_torso"}
    rates = {"x": [0.0, 0.0, rate], "y": [0.0, rate, 0.0], "z": [rate, 0.0, 0.0]}[axis]
    same = (0.02, 0.02, 0.02)
    data = base(
        1.0, segments=[segment("upper_torso", 20.0), segment("lower_torso", 12.0), segment("head", 4.5, same)],
        joints=[fixed, waist, neck], gravity_m_per_s2=[0.0, 0.0, 0.0],
        initial={"joints": [{"joint": "neck", "rates": rates}]},
    )  # fmt: skip
    data["runs"][0]["frame_interval_s"] = 1e-3
    return data


@pytest.mark.parametrize("axis", LIMITS)
def test_a_neck_that_goes_on_is_told_of_and_its_head_not_judged(axis: str) -> None:
    """It turns by 10 degrees more than necks do, and by 10 less."""
    limit = LIMITS[axis]
    for more, told in ((0.17, True), (-0.17, False)):
        made = project(person(axis, limit + more))
        run = simulate(made)
        lines = [one for one in run.log if "no neck goes beyond" in one]
        assert bool(lines) == told, run.log
        found = faults(made, run)
        assert bool(found) == told
        if told:
            assert f"to {math.degrees(limit + more):.0f}°" in lines[0]
            assert len(lines[0]) < 130
            assert found[0].region == "head"
            assert found[0].first == pytest.approx(limit / (limit + more), abs=2e-3)


@pytest.mark.parametrize("axis", LIMITS)
def test_reach_is_counted_from_the_start_whatever_the_axes(axis: str) -> None:
    (neck,) = necks(project(person("x", 0.0)))
    for angle in (0.3, 1.2, -1.6):
        torso, turn = about_axis("z", 0.7), about_axis(axis, angle)
        attitudes = (quaternion(one)[None] for one in (torso, torso @ turn))
        bend, twist, most = reached(neck, *attitudes)
        if axis == "z":
            # it counts about the way up to the head
            assert (bend[0], twist[0]) == pytest.approx((0.0, -angle), abs=1e-9)
        else:
            assert (bend[0], twist[0], most[0]) == pytest.approx((abs(angle), 0.0, LIMITS[axis]), abs=1e-9)  # fmt: skip


def test_a_person_s_joint_that_nothing_ends_is_found() -> None:
    """A stop, a spring or a law each ends it; dummies and people of the library have all of theirs."""

    def endless(data: Any) -> list[str]:
        return [one.sentence for one in check(project(data)) if one.code == "joint-endless"]

    assert "flexure, torsion" in endless(person("x", 0.0))[0]
    stop = {"stop_rad": 1.0, "quadratic_nm_per_rad2": 100.0}
    (left,) = endless(person("x", 0.0, flexure=stop))
    assert "resists torsion" in left
    assert endless(person("x", 0.0, flexure=stop, torsion={"linear_nm_per_rad": 5.0})) == []
    locked = {"locked": True}
    assert endless(person("x", 0.0, lock=locked)) == []
    assert endless(person("x", 0.0, lock=locked | {"unlock_torque_nm": 5.0}, torsion=stop))
    none = {"id": "none", "x_unit": "rad", "y_unit": "N*m",
            "form": {"kind": "table", "x": [0.0, 1.0], "y": [5.0, 0.0]}}  # fmt: skip
    lax = person("x", 0.0, flexure={"torque": "none"}, torsion=stop) | {"functions": [none]}
    assert "flexure" in endless(lax)[0]
    for body in (
        dummy("hybrid_iii_50m"),
        dummy("hybrid_iii_3y"),
        human(adult_dimensions("female")),
    ):
        whole: Project = body_project(body)
        assert "joint-endless" not in {one.code for one in check(whole)}


def test_a_state_keeps_what_necks_did() -> None:
    from solver.outputs.necks import Necks

    made = project(person("x", 0.0))
    rows, watch = np.linspace(0.0, 2.5, 6), Necks(made)
    still = np.tile([1.0, 0.0, 0.0, 0.0], (6, 1))
    turned = np.stack([quaternion(about_axis("x", a)) for a in rows])
    seen = {"quaternion_wxyz": np.stack([still, still, turned], axis=1)}
    watch.look(rows[:5], {name: v[:5] for name, v in seen.items()})
    other = Necks(made)
    other.recall(watch.memory())
    for one in (watch, other):
        one.look(rows[5:], {name: v[5:] for name, v in seen.items()})
    (said,) = watch.sentences()
    assert list(other.sentences()) == [said]
    assert (said.values["degrees"], said.values["first"]) == pytest.approx(
        (math.degrees(2.5), 2000.0)
    )
