"""Generated bodies against published tables: weight, stature, masses of parts, lengths, density, from 3 years to adult."""

from __future__ import annotations

import itertools
import math

import pytest

from solver.bodies import (
    Body,
    Dimensions,
    adult_dimensions,
    body_project,
    child_dimensions,
    child_range,
    generated,
    human,
)
from solver.bodies.body import BodyError, read
from solver.bodies.dimensions import grown
from solver.project.checks import check

CDC = {  # medians printed in the growth charts: kg, cm
    ("male", 3): (14.40, 95.3), ("male", 6): (20.78, 115.7), ("male", 10): (32.09, 138.8), ("male", 15): (56.49, 170.1),
    ("female", 3): (13.94, 94.2), ("female", 5): (18.02, 108.0),
}  # fmt: skip
MEAN_MAN = {  # de Leva (1996), table 4: parts of the body, at 73.0 kg and 1.741 m
    "head": 0.0694, "trunk": 0.4346, "upper_arm": 0.0271, "forearm": 0.0223, "upper_leg": 0.1416, "lower_leg": 0.0433,
    "foot": 0.0137,
}  # fmt: skip
MEAN_WOMAN = {  # the same, at 61.9 kg and 1.735 m
    "head": 0.0668, "trunk": 0.4257, "upper_arm": 0.0255, "forearm": 0.0194, "upper_leg": 0.1478, "lower_leg": 0.0481,
    "foot": 0.0129,
}  # fmt: skip
JENSEN = {  # per cent of the body
    6.0: {"head": 18.2, "trunk": 43.0, "upper_arm": 2.4, "forearm": 2.1, "upper_leg": 8.5, "lower_leg": 4.6, "foot": 1.9},
    12.0: {"head": 10.1, "trunk": 41.7, "upper_arm": 3.2, "forearm": 2.6, "upper_leg": 11.0, "lower_leg": 5.3, "foot": 2.1},
}  # fmt: skip
GROUPS = {
    "head": ("head", "neck"), "trunk": ("lower_torso", "centre_torso", "upper_torso"), "upper_arm": ("right_upper_arm",),
    "forearm": ("right_forearm",), "upper_leg": ("right_upper_leg",), "lower_leg": ("right_lower_leg",), "foot": ("right_foot",),
}  # fmt: skip
ALL = [
    *(adult_dimensions(sex, percentile=p) for sex in ("male", "female") for p in (5.0, 50.0, 95.0)),
    *(child_dimensions(age) for age in (3.0, 6.0, 9.0, 12.0, 15.0, 18.0)),
]  # fmt: skip


def parts(body: Body) -> dict[str, float]:
    return {
        name: sum(body.segment(one).mass_kg for one in ids) / body.mass_kg
        for name, ids in GROUPS.items()
    }


@pytest.mark.parametrize(("who", "asked"), CDC.items())
def test_children_grow_as_the_charts_say(who: tuple, asked: tuple) -> None:
    sex, age = who
    d = child_dimensions(float(age), sex)
    assert d["weight_kg"] == pytest.approx(asked[0], rel=0.002)
    assert d["standing_height_m"] == pytest.approx(asked[1] / 100.0, rel=0.002)
    assert generated(d).mass_kg == pytest.approx(asked[0], rel=0.002)


def test_a_child_of_no_sex_is_the_mean_and_ages_are_found_again() -> None:
    mean = child_dimensions(6.0)
    assert mean["weight_kg"] == pytest.approx(
        0.5 * (grown(6.0, "male")[0] + grown(6.0, "female")[0])
    )
    assert child_dimensions(2.0)["weight_kg"] > 12.0
    with pytest.raises(BodyError, match="male or female"):
        child_dimensions(6.0, "boy")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("d", "asked"),
    [
        (adult_dimensions("male", weight_kg=73.0, height_m=1.741), MEAN_MAN),
        (adult_dimensions("female", weight_kg=61.9, height_m=1.735), MEAN_WOMAN),
    ],
)
def test_mean_adults_have_the_masses_of_an_independent_table(d: Dimensions, asked: dict) -> None:
    found = parts(generated(d))
    for name, share in asked.items():
        assert found[name] == pytest.approx(share, rel=0.03), name


ZATSIORSKY = {  # kg, from weight (kg) and height (cm), men; the constants are the regressions' own
    "trunk": (7.8974, 0.5072, -0.07574), "upper_leg": (-2.649, 0.1463, 0.0137), "lower_leg": (-1.592, 0.0362, 0.0121),
    "head": (1.296, 0.0171, 0.0143),
}  # fmt: skip


@pytest.mark.parametrize(("kg", "cm"), [(62.0, 170.0), (78.7, 177.3), (94.0, 182.0)])
def test_men_of_other_sizes_follow_the_regressions(kg: float, cm: float) -> None:
    body = generated(adult_dimensions("male", weight_kg=kg, height_m=cm / 100.0))
    for name, (c0, by_weight, by_height) in ZATSIORSKY.items():
        asked = c0 + by_weight * kg + by_height * cm
        assert parts(body)[name] * kg == pytest.approx(asked, rel=0.03), name


@pytest.mark.parametrize("age", JENSEN)
def test_children_have_the_masses_of_their_table(age: float) -> None:
    found = parts(generated(child_dimensions(age)))
    for name, percent in JENSEN[age].items():
        assert found[name] == pytest.approx(percent / 100.0, rel=0.03), name


@pytest.mark.parametrize("age", [2.0, 3.0, 6.0, 10.0, 15.0, 20.0])
def test_children_of_any_weight_that_is_taken_are_sound(age: float) -> None:
    """Make the lightest and heaviest, the smallest and tallest of an age: no error and no warning of the check, and none beyond.

    The lightest are not the tallest: the check names such a body's inertias.
    """
    (light, heavy), (small, tall) = child_range(age).values()
    for sex in ("male", "female"):
        weight, height = grown(age, sex)
        assert light < 0.8 * weight
        assert heavy > 1.3 * weight
        assert small < 0.9 * height < 1.1 * height < tall
    for kg, m in ((light, small), (light, grown(age)[1]), (heavy, small), (heavy, tall)):
        d = child_dimensions(age, weight_kg=kg, height_m=m)
        found = check(body_project(human(d)))
        assert not [str(p) for p in found if p.severity != "note"], (kg, m)
    for kg in (0.99 * light, 1.01 * heavy):
        with pytest.raises(BodyError, match="out of range"):
            child_dimensions(age, weight_kg=kg)


def test_a_child_that_is_taller_has_longer_legs() -> None:
    """Give a stature: what lies along the body follows it."""
    d, taller = child_dimensions(6.0), child_dimensions(6.0, height_m=1.3)
    assert taller["standing_height_m"] == pytest.approx(1.3)
    share = taller["standing_height_m"] / d["standing_height_m"]
    assert taller["knee_height_seated_m"] / d["knee_height_seated_m"] == pytest.approx(
        share, rel=1e-6
    )
    assert "height 1.3 m" in taller.said


@pytest.mark.parametrize("d", ALL, ids=lambda d: d.said)
def test_bodies_are_as_dense_as_people(d: Dimensions) -> None:
    body = generated(d)
    volume = sum(4.0 / 3.0 * math.pi * math.prod(s.surfaces[0].semi_axes_m) for s in body.segments)
    assert 950.0 < body.mass_kg / volume < 1100.0
    assert body.mass_kg == pytest.approx(d["weight_kg"], rel=1e-8)


@pytest.mark.parametrize("d", ALL, ids=lambda d: d.said)
def test_heads_are_centred_and_grow_with_people(d: Dimensions) -> None:
    head = generated(d).segment("head")
    shape = head.surfaces[0]
    assert abs(shape.centre_m[0]) < 0.01
    assert shape.semi_axes_m[0] == pytest.approx(d["head_length_m"] / 2.0)
    assert 2.4 < head.mass_kg < 5.0
    # chin to crown, as measured, against what mass and density ask for
    assert 2.0 * shape.semi_axes_m[2] == pytest.approx(d["head_to_chin_height_m"], rel=0.25)


def test_heads_never_lose_weight_with_age() -> None:
    heads = [generated(child_dimensions(age)).segment("head").mass_kg for age in range(3, 19)]
    assert all(later > 0.98 * sooner for sooner, later in itertools.pairwise(heads))


@pytest.mark.parametrize(("age", "sitting"), [(3.0, 0.546 / 0.945), (6.0, 0.635 / 1.143)])
def test_children_sit_as_tall_as_the_dummies_made_after_them(age: float, sitting: float) -> None:
    d = child_dimensions(age)
    assert d["seated_height_m"] / d["standing_height_m"] == pytest.approx(sitting, rel=0.03)


def test_data_names_its_source() -> None:
    assert "Zatsiorsky" in read("shares")["source"]
    assert "Jensen" in read("shares")["source"]
    assert "corrected here" in read("shares")["children_note"]
    assert "cdc.gov" in read("growth")["source"]
