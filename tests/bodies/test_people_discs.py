"""Lumbar discs that shorten: what they bear, who has them, and that tone leaves them alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from solver.bodies import adult_dimensions, child_dimensions, human, insert_body, pose
from solver.bodies.dimensions import Dimensions
from solver.bodies.people.bones import FEMUR_NM
from solver.bodies.people.sizes import ALONG, DRAWN_N_PER_M, PRESSED_N_PER_M, scaling
from solver.cli import main
from solver.project.document import Project
from solver.project.functions import Table
from solver.project.joints import SlipJoint
from validation import slow

MAN = adult_dimensions("male")


def _along(sizes: Dimensions = MAN) -> Table:
    body = human(sizes, compressing=True)
    form = next(f.form for f in body.functions if f.id == "lumbar_1_along")
    assert isinstance(form, Table)
    return form


def test_a_lumbar_spine_shortens_as_nine_did() -> None:
    """Its stiffness is that of other segments: within a third of the mean at 4 mm, and a sixth at 6."""
    shorter, force = slow.shortened()
    specimens = slow.demetropoulos("compression")
    for at, part in ((4.0, 0.33), (6.0, 0.17)):
        values = slow.at_depth(at, specimens)
        here = np.interp(at, shorter, force)
        assert values.min() < here < values.max()
        assert here == pytest.approx(values.mean(), rel=part)
    # six segments in a row, of which five count; a column that is not held bends as well, and more under more
    slopes = np.diff(np.interp((0.5, 1.0, 4.0, 6.0), shorter, force))[[0, 2]] / (0.5e-3, 2e-3)
    assert slopes[0] == pytest.approx(PRESSED_N_PER_M / slow.SPECIMENS, rel=0.15)
    assert 0.5 * slopes[0] < slopes[1] < slopes[0]


def test_a_disc_is_stiffer_pressed_than_drawn() -> None:
    form = _along()
    assert np.interp((-0.01, 0.01), form.x, form.y) == pytest.approx(
        (-0.005 * DRAWN_N_PER_M, 0.005 * PRESSED_N_PER_M)
    )


def test_discs_of_a_child_are_softer_by_its_rule() -> None:
    child = child_dimensions(6.0)
    by = scaling(child)
    assert _along(child).y[-1] == pytest.approx(by.soft * by.sitting * _along().y[-1], rel=1e-3)


def test_only_who_is_asked_for_has_them() -> None:
    plain, other = human(MAN), human(MAN, compressing=True)
    assert {joint.kind for joint in plain.joints if joint.id in ALONG} == {"ball"}
    slips = [joint for joint in other.joints if joint.id in ALONG]
    assert all(isinstance(one, SlipJoint) and one.rotation == "ball" for one in slips)
    assert [s.mass_kg for s in plain.segments] == [s.mass_kg for s in other.segments]
    assert len(slips) == 3


def test_tone_turns_joints_and_leaves_discs_alone() -> None:
    projects = [
        insert_body(Project(), pose(human(MAN, compressing=some), "driving"), "man")
        for some in (False, True)
    ]
    first, second = ([one.id for one in p.coordinate_forces] for p in projects)
    assert first == second


def test_they_are_asked_for_by_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "man.json"
    assert main(["body", "--human", "--compressing", "-o", str(file)]) == 0
    assert '"lumbar_1_along"' in file.read_text(encoding="utf-8")
    assert main(["body", "--compressing", "-o", str(file)]) == 1
    assert "--human" in capsys.readouterr().err


def test_bones_bend_and_break_where_asked() -> None:
    plain, breaking = human(MAN), human(MAN, breaking_bones=True)
    (rigid, *_), cells = (
        [j for j in body.joints if j.id.endswith("femur_cell")] for body in (plain, breaking)
    )
    assert rigid.kind == "locked"
    assert [j.breakage.torque_nm for j in cells if j.breakage] == [FEMUR_NM, FEMUR_NM]
    assert cells[0].flexure.linear_nm_per_rad == pytest.approx(2300.0)


def test_flesh_apart_from_bones_weighs_and_turns_as_both_did() -> None:
    plain, breaking = human(MAN), human(MAN, breaking_bones=True)
    assert breaking.mass_kg == pytest.approx(plain.mass_kg, rel=1e-5)
    flesh = [j for j in breaking.joints if "_flesh_" in j.id]
    assert len(flesh) == 16
    for joint in flesh:
        bone, one = breaking.segment(joint.parent), breaking.segment(joint.child)
        damping = 2.0 * 0.3 * one.mass_kg * 2.0 * np.pi * 20.0
        assert joint.y.viscous_ns_per_m == pytest.approx(damping, rel=1e-3)
        if "leg" in joint.parent or joint.parent.endswith(("knee_block", "ankle_block")):
            whole = plain.segment(joint.parent)
            assert bone.mass_kg + one.mass_kg == pytest.approx(whole.mass_kg, rel=1e-4)
            both = np.add(bone.inertia_kgm2, one.inertia_kgm2)
            assert both == pytest.approx(whole.inertia_kgm2, rel=1e-4)


def test_halves_of_an_arm_balance_as_it_did() -> None:
    """All arms hang straight down as a person is made: moments of the parts about the shoulder."""
    plain, breaking = ({s.id: s for s in body.segments} for body in (human(MAN), human(MAN, breaking_bones=True)))  # fmt: skip
    joints = {j.id: j for j in human(MAN, breaking_bones=True).joints}
    halves = [plain["right_upper_arm"].mass_kg]
    parts = [f"right_{name}" for name in ("upper_arm", "elbow_block", "flesh_5", "flesh_6")]
    assert sum(breaking[name].mass_kg for name in parts) == pytest.approx(halves[0], rel=1e-4)
    top = -joints["right_shoulder"].child_frame.position_m[2]
    cell = joints["right_upper_arm_cell"]
    low = top + cell.parent_frame.position_m[2] - cell.child_frame.position_m[2]
    upper, lower = (breaking[a].mass_kg + breaking[b].mass_kg for a, b in (parts[::2], parts[1::2]))
    whole = next(j for j in human(MAN).joints if j.id == "right_shoulder")
    assert (upper * top + lower * low) / halves[0] == pytest.approx(
        -whole.child_frame.position_m[2], rel=1e-3
    )


def test_only_people_with_a_flexible_spine_have_bones_that_break(tmp_path: Path) -> None:
    file = tmp_path / "man.json"
    assert main(["body", "--human", "--breaking-bones", "-o", str(file)]) == 0
    assert "hangs_nm" in file.read_text(encoding="utf-8")
    assert main(["body", "--breaking-bones", "-o", str(file)]) == 1
