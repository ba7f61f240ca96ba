"""Dummies for side impacts: what gives way in closed form, load cells that bear their part, both sides alike, and who sits in a side impact."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from solver.analysis.crash.build import crash, first, oddities
from solver.bodies import library_body
from solver.bodies.dummies import dummy_entry
from solver.injury import assess
from solver.injury.reference import reference
from solver.project.changes import with_value
from solver.project.checks import check
from solver.project.document import Project
from solver.project.study_parts import Asked
from solver.results.quantities import quantities
from solver.running.simulation import simulate
from solver.studies.bench.fixtures import scene
from solver.studies.bench.labels import figure_label
from solver.studies.bench.pieces import G
from solver.studies.bench.running import Curves, curves_of
from solver.studies.bench.table import BenchTest, bench_tests
from tools.dummies.laws import SideLaws, laws

MAN, WOMAN = "es_2re", "sid_iis"


def of(name: str, kind: str) -> BenchTest:
    return next(test for test in bench_tests(name) if test.kind == kind)


def curves(test: BenchTest, project: Project) -> Curves:
    return curves_of(test, project, quantities(simulate(project)))


def side_laws(name: str) -> SideLaws:
    found = laws(name)
    assert isinstance(found, SideLaws)
    return found


def without(project: Project, part: str, dampers: tuple[int, ...]) -> Project:
    for law in dampers:
        path = f"coordinate_forces/{part}/laws/{law}"
        project = with_value(project, f"{path}/{'stiffness' if law == 3 else 'damping'}", 1e-6)
    return project


def test_a_rib_without_dampers_stops_a_mass_where_its_spring_has_taken_what_it_fell() -> None:
    """The foam over it takes a little first; the rib's own mass is a fourteenth of what falls."""
    test, own = of(MAN, "rib_drop"), side_laws(MAN)
    made = without(scene(test, library_body(MAN)), "left_rib_2", (1, 2, 3))
    made = with_value(made, "contact_laws/flank_skin/damping_ns_per_m", 0.0)
    found = curves(test, made).figure(Asked(figure="peak_after", of="middle_rib", unit="mm"))

    def left(way: float) -> float:
        beyond = max(way - 0.03, 0.0)
        spring = (
            0.5 * own.rib * min(way, 0.03) ** 2
            + own.rib * 0.03 * beyond
            + 0.5 * own.rib_beyond * beyond**2
        )
        force = own.rib * min(way, 0.03) + own.rib_beyond * beyond
        foam = 0.5 * force**2 / own.flank_skin
        return test.mass * G * (test.drop + way) - spring - foam

    ways = np.linspace(0.04, 0.15, 2000)
    stops = float(ways[np.argmin(np.abs([left(way) for way in ways]))])
    assert found == pytest.approx(stops, rel=0.04)


def test_load_cells_of_the_abdomen_bear_their_part_of_what_presses() -> None:
    """Slowly: of a steady push the foam before the plate bears as much as its share says."""
    test, own = of(MAN, "abdomen_side"), side_laws(MAN)
    slow = test.model_copy(update={"speed": 0.2})
    made = without(scene(slow, library_body(MAN)), "left_abdomen_pad", (1, 2))
    made = without(made, "left_abdomen_beside", (1, 2))
    found = curves(slow, made)
    at = int(np.argmax(found["force"][1]))
    part = found["load"][1][at] / found["force"][1][at]
    assert part == pytest.approx(own.belly_cells, rel=0.06)


def test_a_softer_pubis_bears_less_and_halves_share_by_their_springs() -> None:
    test, own = of(MAN, "pelvis_side"), side_laws(MAN)
    slow = test.model_copy(update={"speed": 0.3})
    parts = []
    for factor in (1.0, 0.5):
        made = with_value(scene(slow, library_body(MAN)), "coordinate_forces/pubic_symphysis/laws/0/stiffness", factor * own.pubis)  # fmt: skip
        found = curves(slow, made)
        at = int(np.argmax(found["load"][1]))
        pubis = factor * own.pubis
        # the other half gives way as well
        other = pubis * own.sacroiliac / (pubis + own.sacroiliac)
        parts.append((float(found["load"][1][at]), other / (other + own.sacroiliac)))
    (stiff, its), (soft, softs) = parts
    assert soft / stiff == pytest.approx(softs / its, rel=0.05)


@cache
def struck() -> Project:
    return crash(first("side"), rest=False)


def test_who_begins_a_side_impact_is_made_for_it_and_others_are_told_of() -> None:
    c = first("side")
    assert c.who == MAN
    assert dummy_entry(MAN).made_for == dummy_entry(WOMAN).made_for == "side"
    assert oddities(struck(), c, is_at_rest=False) == ()
    frontal = replace(c, who="hybrid_iii_50m")
    for case, who, told in (("side", "hybrid_iii_50m", 1), ("side", WOMAN, 0), ("frontal", WOMAN, 1), ("rear", "hybrid_iii_50m", 1), ("rear", "man", 0), ("side", "man", 0)):  # fmt: skip
        project = crash(replace(first(case), who=who), rest=False)
        found = [one.path for one in check(project) if one.code == "dummy-direction"]
        assert found == told * ["segments/driver_upper_torso"]
    assert "made for crashes from ahead" in str(oddities(struck(), frontal, is_at_rest=False)[0])
    ahead = replace(first("frontal"), who=WOMAN)
    assert "made for crashes from the side" in str(oddities(struck(), ahead, is_at_rest=False)[0])


def test_a_door_meets_all_that_gives_way_and_criteria_of_the_side_are_judged() -> None:
    project = struck()
    names = {one.id for one in project.contacts}
    sides = ("rib_1", "rib_2", "rib_3", "abdomen_pad", "hip_pad")
    assert all(
        any(side in name and name.endswith("door_chest") for name in names) for side in sides
    )
    short = project.runs[0].model_copy(update={"duration_s": 0.04})
    found = assess(simulate(project.model_copy(update={"runs": (short,)})))
    limits = {
        "driver_left_rib_2_deflection": 0.044,
        "driver_left_abdomen_force": 2500.0,
        "driver_pubic_force": 6000.0,
        "HIC36": 1000.0,
    }
    for name, most in limits.items():
        assert [one.limit for one in found[name].limits] == [most], name
    assert found["driver_left_rib_2_deflection"].value > 0.005
    left, right = (found[f"driver_{side}_rib_2_deflection"].value for side in ("left", "right"))
    assert right < 0.5 * left, "what the belt and the back press there"


def test_risks_at_the_limits_of_the_side() -> None:
    """By the printed logistic curves: a fifth to a third of an injury of their level."""
    for criterion, name, most, risk in (
        ("rib_deflection", MAN, 0.044, 0.207),
        ("abdomen_force", MAN, 2500.0, 0.330),
        ("pubic_force", MAN, 6000.0, 0.270),
        ("pelvic_force", WOMAN, 5525.0, 0.247),
    ):
        (curve,) = reference().risks[criterion]
        assert curve.sizes == (name,)
        assert curve(most) == pytest.approx(risk, abs=1e-3)


def test_labels_of_tests_from_the_side() -> None:
    one = Asked(figure="peak_after", of="probe", unit="g", at=5.0)
    assert figure_label(one) == "Acceleration of the probe after 5 ms"
    late = one.model_copy(update={"figure": "peak_time", "at": None})
    assert figure_label(late) == "Acceleration of the probe: when it is largest"


@pytest.mark.parametrize(
    ("name", "kind", "path", "factor"),
    [
        (MAN, "head_side", "contact_laws/head_skin/stiffness_n_per_mn", 1.6),
        (MAN, "neck_side", "joints/neck_base/flexure/linear_nm_per_rad", 2.5),
        (MAN, "abdomen_side", "functions/abdomen_pad_force/form/y/1", 0.5),
        (WOMAN, "iliac_side", "functions/iliac_pad_force/form/y/1", 0.4),
    ],
)
def test_a_wrong_number_leaves_its_corridor(name: str, kind: str, path: str, factor: float) -> None:
    test = of(name, kind)
    made = scene(test, library_body(name))
    value: object = made
    for step in path.split("/"):
        if isinstance(value, tuple):
            value = value[int(step)] if step.isdigit() else next(v for v in value if v.id == step)
        else:
            value = getattr(value, step)
    assert isinstance(value, float)
    found = curves(test, with_value(made, path, factor * value))
    sizes = {"g": 9.80665, "mm": 1e-3, "ms": 1e-3, "deg": np.pi / 180.0}
    figures = [(a, found.figure(a) / sizes.get(a.unit, 1.0)) for a in test.asked]
    assert not all(
        (a.low is None or a.low <= v) and (a.high is None or v <= a.high) for a, v in figures
    )
