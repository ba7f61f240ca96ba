"""Joints of people go as far as they do at their age and sex."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import pytest

from solver.bodies import Body, BodyError, adult_dimensions, child_dimensions, human
from solver.bodies.people.sizes import ranges
from solver.cli import main
from solver.project.functions import Polynomial, TwoRanges
from solver.project.joints import BallJoint


@cache
def grown(sex: str, age: float | None = None) -> Body:
    return human(adult_dimensions(sex, age_years=age))  # type: ignore[arg-type]


def man() -> Body:
    return grown("male")


def old() -> Body:
    return grown("male", 75.0)


def hip(body: Body) -> float:
    joint = body.joint("right_hip")
    assert isinstance(joint, BallJoint)
    assert joint.flexure is not None
    return joint.flexure.stop_rad


def ends(body: Body, curve: str) -> float:
    """Give the angle at which levels begin to end their motion."""
    form = next(one.form for one in body.functions if one.id == curve)
    assert isinstance(form, TwoRanges)
    return form.split


def doubles(body: Body, curve: str) -> float:
    """Give the angle at which muscles or ribs bear twice what a line would."""
    form = next(one.form for one in body.functions if one.id == curve)
    assert isinstance(form, Polynomial)
    _, linear, _, cubic = form.coefficients
    return math.sqrt(linear / cubic)


def bears(body: Body, curve: str, angle: float) -> float:
    form = next(one.form for one in body.functions if one.id == curve)
    assert isinstance(form, TwoRanges)
    piece = form.first if angle < form.split else form.second
    assert isinstance(piece, Polynomial)
    return sum(a * angle**n for n, a in enumerate(piece.coefficients))


@pytest.mark.parametrize(
    ("who", "degrees"),
    [
        (partial(grown, "female"), 18.1 + 133.8),
        (old, 13.5 + 127.2),
        (partial(grown, "male", 44.5), 0.5 * (17.4 + 130.4 + 13.5 + 127.2)),
        (partial(human, child_dimensions(3.0)), 0.5 * (26.2 + 140.8 + 28.3 + 131.1)),
    ],
    ids=["woman", "old man", "between two groups", "child"],
)
def test_limbs_go_as_far_as_was_measured(who: Callable[[], Body], degrees: float) -> None:
    body = who()
    """In parts of men of 20 to 44 years, whose hips go from 17.4 degrees backward to 130.4 forward."""
    assert hip(body) / hip(man()) == pytest.approx(degrees / (17.4 + 130.4), rel=1e-6)


@pytest.mark.parametrize(
    ("way", "young", "oldest"),
    [("flexion", 72.0, 40.0), ("extension", 29.0, 6.0), ("sideways", 29.0, 15.0)],
)
def test_a_lumbar_spine_stiffens_earlier_with_age(way: str, young: float, oldest: float) -> None:
    def at(age: float) -> float:
        return young + (oldest - young) * (age - 16.0) / (90.0 - 16.0)

    curve, less = f"lumbar_2_{way}", at(75.0) / at(32.0)
    assert ends(old(), curve) / ends(man(), curve) == pytest.approx(less, rel=1e-3)
    for angle in (0.03, 0.3):
        assert bears(old(), curve, less * angle) == pytest.approx(bears(man(), curve, angle), rel=2e-3)  # fmt: skip


def test_a_neck_loses_half_a_degree_a_year() -> None:
    """27 years from 32 to 59, beyond which nothing was measured; 130 degrees forward and back in all, 90 to the sides."""
    for curve, whole in (("disc_2_flexion", 130.0), ("disc_2_sideways", 90.0)):
        left = 1.0 - 0.5 * 27.0 / whole
        assert ends(old(), curve) / ends(man(), curve) == pytest.approx(left, rel=1e-3)
        muscles = curve.replace("2_", "2_muscles_")
        assert doubles(old(), muscles) / doubles(man(), muscles) == pytest.approx(left, rel=1e-3)
    stops = [one.joint("condyles").torsion.stop_rad for one in (old(), man())]  # type: ignore[union-attr]
    assert stops[0] / stops[1] == pytest.approx(1.0 - 0.5 * 27.0 / 160.0, rel=1e-3)


def test_what_was_not_measured_stays() -> None:
    for curve in ("thoracic_1_ribs_flexion", "thoracic_2_ribs_extension"):
        assert doubles(old(), curve) == pytest.approx(doubles(man(), curve))
    assert old().joint("right_wrist") == man().joint("right_wrist")
    assert old().segments == man().segments


def test_who_has_no_age_is_the_man_that_all_are_scaled_from() -> None:
    assert grown("male", 32.0).joints == man().joints
    assert grown("male", 32.0).functions == man().functions
    known = ranges(adult_dimensions("male"))
    assert {*known.limbs.values(), *known.lumbar.values(), *known.neck.values()} == {1.0}


def test_the_command_makes_old_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "old.json"
    assert main(["body", "--human", "--sex", "female", "--age", "75", "-o", str(file)]) == 0
    assert "75 years" in file.read_text(encoding="utf-8")
    capsys.readouterr()
    assert main(["body", "--age", "75", "-o", str(file)]) == 1
    assert "--human" in capsys.readouterr().err
    assert main(["body", "--human", "--age", "95", "-o", str(file)]) == 1
    assert "between 18 and 90 years" in capsys.readouterr().err
    with pytest.raises(BodyError, match="not at 17"):
        adult_dimensions("male", age_years=17.0)
