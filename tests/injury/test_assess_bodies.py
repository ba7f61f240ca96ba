"""Figures by the body, the push on it and what touches it: which limits hold, and what is said where none does."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import manikin as mk
from solver.base.places import samples
from solver.bodies.dummies import DUMMIES, dummy_entry, masses
from solver.engine.signals import SignalError
from solver.injury import Assessment, assess, reference
from solver.injury.figures import figure_name, figure_text
from solver.injury.judging import WHOLE
from solver.project import validated
from solver.results import ResultsError, open_results
from solver.running.simulation import Simulation, simulate, simulate_to_file
from tests.injury.test_assess import pushed, whole


@cache
def figures(
    mass: float, axis: str, push: float, asked: str = "", dummy: str = "", case: str = ""
) -> Assessment:
    more: dict[str, Any] = pushed(axis, push) | ({"load_case": case} if case else {})
    if asked:
        more["outputs"] = json.loads(asked)
    data = whole(mass, **more)
    for segment in data["segments"]:
        if dummy and segment["id"] in WHOLE:
            segment["mass_kg"] = masses(dummy)[segment["id"]]
    data["runs"][0] |= {"duration_s": 0.02, "channel_rate_hz": 10000.0}
    return assess(simulate(validated(data)))


def limits(found: Assessment, name: str) -> dict[str, float]:
    return {one.standard: one.limit for one in found[name].limits}


@pytest.mark.parametrize(
    ("mass", "femur", "pull", "flexion"),
    [
        (78.0, 10_008.0, 4170.0, 310.0),
        (49.0, 6805.0, 2620.0, 155.0),
        (23.0, None, 1490.0, 93.0),
        (15.0, None, 1130.0, 68.0),
        (10.0, None, 780.0, 43.0),
        (61.0, None, None, 155.0),
        (125.0, None, None, 415.0),
    ],
)
def test_limits_and_intercepts_are_those_of_the_size(
    mass: float, femur: float | None, pull: float | None, flexion: float
) -> None:
    found = figures(mass, "x", -40.0)
    bending = 40.0 * 0.1 * 4.0 * mass / 67.0
    assert found["Nij"].value == pytest.approx(bending / flexion, rel=1e-5)
    for name, limit in (("femur_compression_left", femur), ("neck_tension", pull)):
        figure = found[name]
        assert limits(found, name).get("fmvss_208") == limit
        assert ("no verdict" in figure.note) == (limit is None)
        assert (figure.share is None) == (limit is None)
    assert len(found["Nij"].limits) == (0 if pull is None else 1)
    (body,) = found.bodies
    assert body.way == "ahead"
    if pull is None:
        assert f"this body has {mass:g} kg" in found["neck_tension"].note
        assert found["HIC15"].risks == ()
        said = f"no limit is known for a body of {mass:g} kg; pushed from ahead; nothing may touch the head"
        assert str(body.said) == said
        assert body.standards == ()
    else:
        assert body.who.how == "mass"
        assert f"like {body.who.name} in mass alone" in found["neck_tension"].note
        assert "which it is like in mass alone (assumed); pushed from ahead" in str(body.said)
        assert "FMVSS 208" in str(body.said)
    if mass == 23.0:
        assert found["HIC15"].limits[0].unchecked
        assert "HIC15" in found.unchecked
        assert "not for Hybrid III of six years" in found["femur_compression_left"].note
        # the curves are of adults
        assert found["HIC15"].risks == found["femur_compression_left"].risks == ()
    if mass == 49.0:
        assert [risk.level for risk in found["Nij"].risks] == ["AIS2+", "AIS3+"]
        assert found["tibia_index_upper_left"].limits == ()
    if mass == 78.0:
        assert limits(found, "femur_compression_left") == {
            "fmvss_208": 10_008.0, "un_r137": 9070.0,
        }  # fmt: skip
        assert limits(found, "neck_extension") == {"un_r94": 57.0, "un_r137": 57.0}
        assert found["neck_extension"].value == pytest.approx(-bending, rel=1e-5)
        assert found["neck_flexion"].value == pytest.approx(bending, rel=1e-5)


@pytest.mark.parametrize("name", DUMMIES)
def test_a_dummy_of_the_library_is_known_by_its_parts(name: str) -> None:
    """Whatever the rest weighs: arms and feet of another make no other dummy."""
    found = figures(90.0, "x", -40.0, "", name)
    (body,) = found.bodies
    assert body.who.how == "dummy"
    assert reference().bodies[body.who.size].library == name
    assert str(body.said).startswith(f"{body.who.name}, a dummy of the library; pushed from ahead")
    assert "in mass alone" not in found["HIC15"].note
    # no standard limits one for side impacts that is pushed from ahead
    assert bool(found["HIC15"].limits) == (dummy_entry(name).made_for == "frontal")


def test_a_body_with_the_head_of_a_dummy_is_like_it_in_mass_alone() -> None:
    data = whole(78.0, **pushed("x", -40.0))
    head = next(s for s in data["segments"] if s["id"] == "head")
    head["mass_kg"] = masses("hybrid_iii_50m")["head"]
    data["runs"][0] |= {"duration_s": 0.01, "channel_rate_hz": 10000.0}
    (body,) = assess(simulate(validated(data))).bodies
    assert (body.who.how, body.who.size) == ("mass", "hybrid_iii_50")


def test_a_frontal_limit_is_none_of_another_direction() -> None:
    ahead, side, back = (figures(78.0, *push) for push in (("x", -40.0), ("y", 40.0), ("x", 40.0)))
    for name in ("HIC15", "chest_3ms", "neck_tension", "femur_compression_left", "Nij"):
        assert ahead[name].limits
        assert side[name].limits == back[name].limits == ()
        where = "its limit holds where the trunk is pushed from ahead; the trunk is pushed from"
        assert f"{where} the side" in side[name].note
        assert f"{where} behind" in back[name].note
    # a curve of a frontal test gives no risk there; that of the head is used for all
    assert ahead["Nij"].risks
    assert side["Nij"].risks == ()
    assert side["HIC15"].risks
    # constants of other bodies and pushes are told of even where there is no limit
    assert "its constants are of the rear impact dummy RID" in ahead["LNL"].note
    assert "it was made for pushes from behind" in ahead["LNL"].note
    assert "made for pushes" not in back["LNL"].note
    assert "constants" not in ahead["BrIC"].note
    assert "its constants are of adults" in figures(23.0, "x", -40.0)["BrIC"].note
    assert (
        "of Hybrid III 50th percentile" in figures(49.0, "x", -40.0)["neck_shear_by_duration"].note
    )
    # these are of a dummy for side impacts, which this body is not
    assert "un_r95" not in {one for f in side.figures for one in limits(side, f.name)}
    assert side.bodies[0].way == "side"


def test_a_rear_impact_is_pushed_from_behind() -> None:
    for push, way in ((40.0, "behind"), (-40.0, "ahead")):
        found = figures(78.0, "x", push)
        for name in ("Nkm", "NIC"):
            assert len(found[name].limits) == (way == "behind")
            said = "its limit holds where the trunk is pushed from behind; the trunk is pushed from ahead"
            assert (said in found[name].note) == (way == "ahead")
        for name in ("lumbar_compression", "DRI"):
            assert found[name].limits == ()
            assert f"pushed from {way}; ask for it" in found[name].note
        assert len(found["Nij"].limits) == (way == "ahead")
    below = figures(78.0, "z", -40.0, case="aircraft")
    assert limits(below, "lumbar_compression") == {"cfr_14": 6672.0}


CASES = {
    "frontal": {"fmvss_208", "un_r94", "un_r137"}, "aircraft": {"cfr_14"}, "fall": set(), "rollover": set(),
    "side": set(), "other": set(), "": {"fmvss_208", "un_r94", "un_r137"},
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_limit_is_none_of_another_load_case(case: str) -> None:
    """Pushed from ahead and from below, a 50th man: cars limit no fall, aircraft no car, whatever the direction says."""
    known = {"fmvss_208", "un_r94", "un_r137", "cfr_14", "ejection"}
    ahead, below = (figures(78.0, *push, case=case) for push in (("x", -40.0), ("z", -40.0)))
    assert {one for f in ahead.figures for one in limits(ahead, f.name)} & known == CASES[case]
    spine = {"aircraft": {"cfr_14"}}.get(case, set())
    assert limits(below, "lumbar_compression").keys() == spine
    assert limits(below, "DRI") == {}
    assert limits(below, "Brinkley_low") == {}
    why = below["DRI"].no_verdict
    assert why.startswith("its limit is for ejection seats, ")
    assert why.endswith("names no load case") == (not case)
    if not CASES[case]:
        assert "its limit is for frontal crashes of cars, this project is of" in ahead["Nij"].note
    assert ahead["BrIC"].limits, "papers are of no load case"
    if case == "fall":
        assert (
            "its limit is for frontal crashes of cars"
            in ahead.under(["fmvss_208"])["neck_tension"].note
        )
        lacking = ahead.under(["fmvss_208"])
        assert lacking.missing == ahead.missing, "nothing is asked for by a standard of cars"


def test_an_ejection_seat_has_its_limits() -> None:
    found = figures(78.0, "z", -40.0, case="ejection")
    assert limits(found, "DRI") == {"ejection": 18.0}
    assert limits(found, "Brinkley_low") == {"ejection": 1.0}
    assert limits(found, "lumbar_compression") == {}


def test_what_the_project_asks_for_has_no_wrong_verdict_either() -> None:
    outputs = [
        {"id": "force", "kind": "joint", "joint": "to_head", "quantity": "force", "in_axes_of": "child"},
        {"id": "torque", "kind": "joint", "joint": "to_head", "quantity": "torque", "in_axes_of": "child"},
        {"id": "waist", "kind": "joint", "joint": "to_centre_torso", "quantity": "force", "in_axes_of": "child"},
        {"id": "km", "kind": "injury", "criterion": "Nkm", "output": "force", "second": "torque"},
        {"id": "ij", "kind": "injury", "criterion": "Nij", "output": "force", "second": "torque"},
        {"id": "ij5", "kind": "injury", "criterion": "Nij", "output": "force", "second": "torque",
         "neck": "hybrid_iii_5"},
        {"id": "ij5for5", "kind": "injury", "criterion": "Nij", "output": "force", "second": "torque",
         "neck": "hybrid_iii_5", "compared_with": "hybrid_iii_5"},
        {"id": "back", "kind": "injury", "criterion": "lumbar_compression", "output": "waist"},
        {"id": "pull5", "kind": "injury", "criterion": "neck_tension", "output": "force",
         "compared_with": "hybrid_iii_5"},
    ]  # fmt: skip
    found = figures(78.0, "x", -40.0, json.dumps(outputs))
    assert found["km"].limits == ()
    assert "pushed from ahead" in found["km"].note
    # asked for by a regulation whose tests push otherwise, too
    assert [one.limit for one in found["back"].limits] == [6672.0]
    assert len(found["ij"].limits) == len(found["ij5for5"].limits) == 1
    assert found["ij5"].limits == found["ij5"].risks == ()
    assert "intercepts are of a Hybrid III 5th percentile" in found["ij5"].note
    assert limits(found, "pull5") == {"fmvss_208": 2620.0, "un_r137": 2900.0}
    assert "compared with Hybrid III 5th percentile as the project asks" in found["pull5"].note


def test_an_age_changes_risk_and_limit_of_the_chest_and_is_said() -> None:
    outputs = [
        {"id": "rise", "kind": "point", "segment": "head", "quantity": "position"},
        *(
            {"id": name, "kind": "injury", "criterion": "chest_deflection", "output": "rise", "channel": "z", **age}
            for name, age in (("usual", {}), ("old", {"age_years": 70.0}))
        ),
    ]  # fmt: skip
    found = figures(78.0, "x", -40.0, json.dumps(outputs))
    (usual,), (old,) = found["usual"].risks, found["old"].risks
    assert usual.said.endswith("% at 35 years")
    assert old.said.endswith("% at 70 years")
    assert old.probability > usual.probability
    added = set(found["old"].limits) - set(found["usual"].limits)
    assert [one.standard for one in added] == ["research"]
    assert found["old"].strictest in added
    child = figures(23.0, "x", -40.0, json.dumps(outputs))["old"]
    assert "nothing is known of its risk by age" in child.note
    assert "age_years" not in child.note


def test_a_hic_without_contact_says_so() -> None:
    found = figures(78.0, "x", -40.0)
    assert "nothing may touch the head: HIC of its motion alone" in found["HIC15"].note
    assert "contact_HIC36" in dict(found.missing)


def test_side_dummies_and_impactors_are_compared_where_the_project_names_them() -> None:
    outputs = [
        {"id": "pubis", "kind": "joint", "joint": "to_left_upper_leg", "quantity": "force", "in_axes_of": "child"},
        {"id": "head_acc", "kind": "point", "segment": "head"},
        {"id": "es2", "kind": "injury", "criterion": "pubic_force", "output": "pubis", "compared_with": "es_2"},
        {"id": "world", "kind": "injury", "criterion": "pubic_force", "output": "pubis", "compared_with": "world_sid_50"},
        {"id": "mine", "kind": "injury", "criterion": "pubic_force", "output": "pubis"},
        {"id": "q3", "kind": "injury", "criterion": "3ms", "output": "head_acc", "compared_with": "q3"},
    ]  # fmt: skip
    found = figures(78.0, "y", 40.0, json.dumps(outputs))
    force = 13.0 * 78.0 / 67.0 * 40.0
    assert found["mine"].value == pytest.approx(force, rel=1e-5)
    assert limits(found, "es2") == {"un_r95": 6000.0}
    assert limits(found, "world") == {"un_r135": 3360.0}
    assert limits(found, "mine") == {}
    assert "its limits are for ES-2, WorldSID 50th percentile and ES-2re" in found["mine"].note
    assert limits(found, "q3") == {"un_r129": 80.0}
    ahead = figures(78.0, "x", -40.0, json.dumps(outputs))
    assert limits(ahead, "es2") == {}
    assert "pushed from the side" in ahead["es2"].note


def test_standards_are_chosen_and_what_they_miss_is_listed() -> None:
    found = figures(78.0, "x", -40.0)
    one = found.under(["un_r94"])
    assert {limit.standard for f in one.figures for limit in f.limits} == {"un_r94"}
    assert one["HIC15"].limits == ()
    assert one["neck_extension"].share == pytest.approx(one["neck_extension"].value / 57.0)
    lacking = dict(one.missing)
    assert "UN R94 limits it (UN R94, 5.2.1.4)" in str(lacking["chest_deflection"])
    assert "knee_slide" in lacking
    assert "neck_extension" not in lacking
    side = found.under(["un_r95"])
    assert side["pelvis_3ms"].no_verdict == ""
    assert "UN R95: no limit for these bodies and pushes" in [str(one) for one in side.said]
    rear = found.under(["rear"])
    assert "the trunk is pushed from ahead" in rear["NIC"].note
    assert found.under([]) is found
    with pytest.raises(ResultsError, match="un_r1"):
        found.under(["un_r1"])


def test_straps_are_limited_whoever_wears_them() -> None:
    data = json.loads((samples() / "lap_belt.json").read_text(encoding="utf-8"))
    belt = data["belts"][0]["id"]
    data["outputs"] = [
        {"id": "strap", "kind": "element", "of": "belts", "element": belt},
        {"id": "one", "kind": "injury", "criterion": "strap_tension", "output": "strap"},
        {"id": "two", "kind": "injury", "criterion": "strap_tension_total", "output": "strap", "second": "strap", "cfc": 60},
    ]  # fmt: skip
    run = simulate(validated(data))
    found = assess(run)
    names = [name for name in run.channel_names if name.startswith("strap_") and "tension" in name]
    assert len(names) >= 2
    greatest = max(float(run.channel(name).filtered(60).value.max()) for name in names)
    assert found["one"].value == pytest.approx(greatest, rel=1e-12)
    assert found["two"].value == pytest.approx(2.0 * greatest, rel=1e-12)
    assert limits(found, "one") == {"cfr_14": 7784.0}
    assert limits(found, "two") == {"cfr_14": 8896.0}
    # 14 CFR asks for what this model does not measure; without such outputs for straps too
    lacking = dict(found.under(["cfr_14"]).missing)
    assert "strap_tension" not in lacking
    data["load_case"] = "frontal"
    assert limits(assess(simulate(validated(data))), "one") == {}, "a car's belt is no aircraft's"
    bare = figures(78.0, "x", -40.0, case="aircraft").under(["cfr_14"])
    assert "14 CFR 23.562" in str(dict(bare.missing)["strap_tension"])


def test_one_of_several_bodies_is_said_as_people_write_it() -> None:
    (first, *_) = figures(78.0, "x", -40.0).figures
    second = replace(first, body="occupant_2", name=f"occupant_2.{first.name}")
    assert figure_name(second) == f"{figure_name(first)}, Occupant 2"
    assert "Occupant 2: " in figure_text(second)


def test_a_run_that_fails_at_its_start_keeps_its_reason(tmp_path: Path) -> None:
    """It has one instant and no figures; why it failed is told all the same."""
    model = mk.sample("frontal")
    for field in ("first_step_s", "smallest_step_s"):
        model = model.with_value(f"runs/{model.project.runs[0].id}/integrator/{field}", 4e-3)
    outcome = simulate_to_file(model.project, tmp_path / "run.h5")
    assert (outcome.status, outcome.time, outcome.injury) == ("failed", 0.0, [])
    assert outcome.message.startswith("At 0 ms the smallest step was reached")
    # one instant is enough to see that nothing touched the head
    assert not any("no injury figures" in str(one) for one in outcome.notes)
    with open_results(tmp_path / "run.h5") as run:
        assert (run.status, run.message, len(run.time)) == ("failed", outcome.message, 1)
    memory = Simulation(model.project).memory()
    again = Simulation(model.project).go_into(memory)
    assert again.message == memory.message == outcome.message


def test_where_no_figures_can_be_computed_a_run_keeps_its_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise SignalError("'{name}' has one sample.", name="head")

    monkeypatch.setattr("solver.running.simulation.assess", refused)
    model = mk.sample("pendulum").until(0.01)
    outcome = simulate_to_file(model.project, tmp_path / "run.h5")
    assert outcome.status == "completed"
    said = "note: no injury figures were computed: 'head' has one sample."
    assert said in [str(one) for one in outcome.notes]
    with open_results(tmp_path / "run.h5") as run:
        assert run.status == "completed"
        assert said in run.log
