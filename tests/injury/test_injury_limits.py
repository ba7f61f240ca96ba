"""Limits, risks and bodies: what holds for whom, from where they are pushed, and that tables agree."""

from __future__ import annotations

import math
from itertools import pairwise
from types import SimpleNamespace
from typing import Any, get_args

import numpy as np
import pytest

from app.comparing.runs import figure_order
from app.features.runs.run_rows import main_figures
from solver.base.places import samples
from solver.bodies import body_project, dummy
from solver.bodies.dummies import DUMMIES
from solver.engine.maths.rotation import about_axis
from solver.injury import CRITERIA, occupants, reference
from solver.injury.criteria import _MEASURES, LASTING
from solver.injury.judging import at_age, limits_at, matched_dummy, pushed_from
from solver.injury.reference import Risk, risks_at
from solver.injury.sensors import wanted
from solver.project import load_project
from solver.project.criteria import FAMILIES, HIC, place_of
from solver.project.outputs import Body, Neck
from solver.results.memory import MemoryTrajectory


@pytest.mark.parametrize(
    ("criterion", "level", "value", "probability"),
    [
        ("HIC15", "AIS2+", math.exp(6.96362), 0.5),
        ("HIC15", "AIS3+", math.exp(7.45231), 0.5),
        ("HIC15", "AIS3+", 1000.0, 0.2309),  # NHTSA: 1000 is about 23 %
        ("HIC15", "AIS2+", 700.0, 0.3131),  # and 700 about 31 % of AIS 2+
        ("Nij", "AIS3+", 1.0, 0.2213),  # Eppinger 1999: 22 % at 1
        ("Nij", "AIS2+", 2.054 / 1.195, 0.5),
        ("Nij", "AIS2+", 0.0, 0.1136),  # Hybrid III: 11 % at 0, 30 % at 1
        ("Nij", "AIS2+", 1.0, 0.2975),
        ("femur_compression", "AIS2+", 10_000.0, 0.3546),  # 35 % at 10 kN
    ],
)
def test_risk_curves_pass_through_printed_points(
    criterion: str, level: str, value: float, probability: float
) -> None:
    curve = next(c for c in reference().risks[criterion] if c.level == level)
    assert curve(value) == pytest.approx(probability, abs=2e-4)
    grid = [curve(v) for v in np.linspace(0.0, 50.0 * value, 200)]
    assert all(0.0 <= a <= b <= 1.0 for a, b in pairwise(grid))
    assert curve(-1.0) <= grid[0] + 1e-12


def test_a_dummy_is_known_by_its_masses_to_a_thousandth() -> None:
    project = body_project(dummy("hybrid_iii_50m"))
    (body,) = occupants(project)
    head = body.segments["head"]
    for more, how in ((0.0, "dummy"), (0.0009, "dummy"), (-0.0009, "dummy"), (0.0012, "mass"), (-0.0012, "mass")):  # fmt: skip
        segments = tuple(
            s.model_copy(update={"mass_kg": s.mass_kg * (1.0 + more)}) if s.id == head else s
            for s in project.segments
        )
        found = matched_dummy(project.model_copy(update={"segments": segments}), body)
        assert (found.size, found.how) == ("hybrid_iii_50", how)


@pytest.mark.parametrize(
    ("criterion", "level", "cross"),
    [("HIC15", "AIS3+", 50_779.0), ("Nij", "AIS3+", 1.5158)],
)
def test_risk_falls_with_severity_until_published_curves_cross(
    criterion: str, level: str, cross: float
) -> None:
    curves = [c for c in reference().risks[criterion] if "hybrid_iii_50" in c.sizes]
    grid = np.concatenate([np.geomspace(1e-3, 0.999, 60), np.geomspace(1.001, 20.0, 60)]) * cross
    for value in grid:
        found = risks_at(tuple(curves), float(value))
        assert [one.level for one in found] == sorted(one.level for one in found)
        # a level above a lower one of its source is marked, and nothing else is
        above = [b.probability > a.probability for a, b in pairwise(found)]
        assert [one.crossed for one in found] == [False, *above]
        assert any(above) == (value > cross), value
    low, high = (risks_at(tuple(curves), cross * part)[-1] for part in (0.9, 1.1))
    assert "curves cross" not in low.said
    assert high.said.endswith("% (curves cross)")
    assert high.level == level


def test_nij_has_a_risk_for_every_dummy_with_a_star_where_it_is_from_memory() -> None:
    """Nij counts in intercepts of each size, so 1 means the same risk for all: 1 / (1 + exp(3.2269 - 1.9688)) = 22 %."""
    for size, star in (("hybrid_iii_50", ""), ("hybrid_iii_6y", "*"), ("hybrid_iii_95", "*")):
        curves = tuple(c for c in reference().risks["Nij"] if size in c.sizes)
        found = risks_at(curves, 1.0)
        assert [one.said for one in found] == [f"AIS2+ 30 %{star}", f"AIS3+ 22 %{star}"]
    assert not [c for c in reference().risks["Nij"] if "crabi_12m" in c.sizes]


def test_curves_of_one_source_are_compared_with_each_other_alone() -> None:
    for criterion, curves in reference().risks.items():
        levels = {(c.source, c.level, size) for c in curves for size in c.sizes}
        assert len(levels) == sum(len(c.sizes) for c in curves), criterion
        for size in reference().bodies:
            # what is printed beside each other for one body is of one source
            assert len({c.source for c in curves if size in c.sizes}) <= 1, criterion


def test_bodies_are_told_by_their_mass() -> None:
    sizes = {78.72: "hybrid_iii_50", 49.0: "hybrid_iii_5", 23.4: "hybrid_iii_6y", 15.5: "hybrid_iii_3y",
             10.0: "crabi_12m", 102.0: "hybrid_iii_95", 60.0: "", 125.0: "", 30.0: "", 5.0: ""}  # fmt: skip
    for mass, size in sizes.items():
        assert reference().size_of(mass) == size, mass
    assert reference().nearest(61.0, reference().necks) == "hybrid_iii_5"
    assert reference().nearest(63.0, reference().necks) == "hybrid_iii_50"
    assert reference().nearest(200.0, reference().tibias) == "hybrid_iii_95"


def test_tables_agree_with_each_other() -> None:
    assert {one.measure[0] for one in CRITERIA.values()} == set(_MEASURES)
    placed = {"head_3ms", "chest_3ms"}
    ways = {"behind", "ahead", "side", "below", "above"}
    assert set(reference().limits) | set(reference().risks) <= set(CRITERIA) | placed
    for limits in reference().limits.values():
        assert all(one.limit > 0.0 and one.source for one in limits)
    assert reference().necks["hybrid_iii_50"]["tension"] == 6806.0
    bodies = set(reference().bodies)
    assert set(get_args(Body)) == bodies
    assert set(get_args(Neck)) == set(reference().necks)
    assert {one.library for one in reference().bodies.values() if one.library} == set(DUMMIES)
    for limits in reference().limits.values():
        for one in limits:
            # a load of a strap is no body's
            assert one.sizes or one.criterion.startswith("strap_")
            assert set(one.sizes) <= bodies
            assert set(one.push) <= ways
            assert one.standard in reference().standards
            # from memory, or it is said where it was seen
            assert one.unchecked == (one.seen not in ("text", "second hand"))
    for curves in reference().risks.values():
        for curve in curves:
            assert set(curve.sizes) <= bodies
            assert curve.push in ("", *ways)
            assert curve.unchecked == (curve.seen not in ("text", "second hand"))
    assert set(reference().durations) == set(LASTING)
    for name, made in reference().made_for.items():
        assert name in CRITERIA
        assert set(made.sizes) <= bodies
        assert set(made.push) <= ways
    # SAE J211 and FMVSS 208, S6.6: force and moment of Nij alike
    assert CRITERIA["Nij"].classes == CRITERIA["Nkm"].classes == (600, 600)
    assert CRITERIA["neck_tension"].classes == (1000,)


@pytest.mark.parametrize(
    ("push", "way"),
    [
        ((30.0, 0.0, 0.0), "behind"),
        ((-30.0, 2.0, 0.0), "ahead"),
        ((3.0, -30.0, 0.0), "side"),
        ((0.0, 3.0, -30.0), "below"),
        ((0.0, 0.0, 30.0), "above"),
        # less than the body's weight, which pushes nobody
        ((4.0, 0.0, 0.0), "behind"),
    ],
)
def test_the_push_is_read_from_the_change_of_velocity(
    push: tuple[float, float, float], way: str
) -> None:
    memory = MemoryTrajectory({"segments": ("trunk",)}, (), b"{}")
    gravity = (0.0, 0.0, 9.81)
    turn = np.array([np.cos(0.4), 0.0, 0.0, np.sin(0.4)])  # about the vertical
    ahead = about_axis("z", 0.8) @ np.array(push)
    zero = np.zeros((1, 3))
    for n in range(11):
        t = 0.01 * n
        v = np.array([[1.0, 2.0, 3.0]]) + t * (ahead + np.array(gravity))
        memory.add_frame(
            t,
            {
                "segments": {
                    "position": zero, "quaternion_wxyz": turn[None], "velocity": v,
                    "angular_velocity": zero, "acceleration": zero, "angular_acceleration": zero,
                }
            },
        )  # fmt: skip
    assert pushed_from(memory, "trunk", gravity) == way
    assert pushed_from(memory, "nobody", gravity) == ""


def test_the_chest_bears_less_with_age_by_the_law_that_us_ncap_takes_at_35_years() -> None:
    man = next(c for c in reference().risks["chest_deflection"] if "hybrid_iii_50" in c.sizes)
    woman = next(c for c in reference().risks["chest_deflection"] if "hybrid_iii_5" in c.sizes)
    # the rating's own constant, and the small woman's curve: the man's, deflection by the depth of the chest
    assert man.a == pytest.approx(12.597 - 0.05861 * 35.0, abs=1e-4)
    assert woman.b == pytest.approx(man.b * (0.229 / 0.187) ** 0.4612, rel=1e-3)
    for age in (20.0, 35.0, 65.0, 80.0):
        exact = 1.0 / (1.0 + math.exp(12.597 - 0.05861 * age - 1.568 * 40.0**0.4612))
        assert at_age(man, age)(0.04) == pytest.approx(exact, rel=1e-4)
    limits = reference().limits["chest_deflection"]
    (law,) = (one for one in limits if one.standard == "fmvss_208" and "hybrid_iii_50" in one.sizes)
    before = man(law.limit)
    for age, less in ((20.0, False), (65.0, True)):
        (found,) = limits_at(limits, (man,), age)
        assert at_age(man, age)(found.limit) == pytest.approx(before, abs=1e-3)
        assert (found.limit < law.limit) == less
        assert f"at {age:g} years" in found.source
        assert found.standard == "research"
    assert limits_at(limits, (man,), None) == ()
    assert at_age(reference().risks["HIC15"][0], 80.0) == reference().risks["HIC15"][0]


@pytest.mark.parametrize(
    ("part", "said"),
    [
        (4.7e-34, "AIS2+ < 0.1 %"),
        (0.0011, "AIS2+ 0.11 %"),
        (0.15, "AIS2+ 15 %"),
        (0.9974, "AIS2+ > 99 %"),
    ],
)
def test_a_risk_is_said_as_far_as_its_curve_tells_one(part: float, said: str) -> None:
    assert Risk("AIS2+", part, "a paper").said == said


def test_what_is_looked_for_first_is_one_table_of_what_bodies_have() -> None:
    project = load_project(samples() / "frontal.json")
    known = {name for body in occupants(project) for name, *_ in wanted(project, body)}
    assert {one for family in FAMILIES for one in family} <= known
    assert place_of("driver.HIC15") == 0
    assert place_of("contact_HIC15") == place_of("BrIC") > place_of("driver.CSI")

    def figure(name: str, share: float | None, criterion: str = "") -> Any:
        own = criterion or name.rpartition(".")[2]
        return SimpleNamespace(name=name, criterion=own, share=share, is_spoilt=False)

    order = [
        figure("front.HIC36", 0.1), figure("felt", 0.2, HIC[-1]), figure("tibia_index", 2.0),
        figure("Nij", 0.5), figure("chest_deflection", 0.25), figure("VC", 0.25), figure("BrIC", 0.25),
        figure("pelvis_3ms", None), figure("HSI", None), figure("BrIC_2", None), figure("DAMAGE", None),
    ]  # fmt: skip
    other_way = order[::-1]
    assert sorted(other_way, key=figure_order) == order

    def run(*names: str) -> Any:
        return SimpleNamespace(
            project=SimpleNamespace(outputs=()),
            trajectory=SimpleNamespace(injury=dict.fromkeys(names)),
        )

    names = main_figures([run("CSI", "b.VC", "HIC", "b.HIC36", "chest_3ms"), run("a.HIC36", "Nij")])
    assert names == ["b.HIC36", "a.HIC36", "chest_3ms", "Nij"]
    assert main_figures([run("CSI", "b.VC", "contact_HIC15")]) == ["b.VC", "CSI"]
