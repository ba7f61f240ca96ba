"""Each check finds what it is for, where it is, and nothing in a sound model."""

from __future__ import annotations

import numpy as np

from solver.project import Project, validated
from solver.project.checks import catalogue, check
from solver.project.problems import Problem
from tests.checks_cases import CASES, Case
from tests.checks_model import base, changed, put
from tests.models import hung, segment
from tests.rows import rows


def test_a_sound_model_has_no_problems() -> None:
    assert check(changed({})) == ()


@rows("case", CASES, ids=str)
def test_a_change_brings_up_its_problem_alone(case: Case) -> None:
    found = check(changed(case.bad))
    here = [one for one in found if one.code == case.code]
    assert case.path in [one.path for one in here], [str(one) for one in found]
    assert {one.code for one in found} - case.also == {case.code}, [str(one) for one in found]
    for one in found:
        reads_well(one)


def reads_well(one: Problem) -> None:
    """Hold a problem's sentences to be sentences."""
    assert one.sentence[0].isupper() or one.sentence[0] in "'0123456789", one
    assert one.sentence.endswith("."), one
    assert not one.hint or (one.hint[-1] in ".?" and one.hint[0].isupper()), one
    assert "None" not in one.sentence + one.hint, one
    assert "nan" not in one.sentence.split(), one
    assert len(one.sentence) < 200, one


@rows("case", [c for c in CASES if c.good], ids=str)
def test_a_near_miss_is_clean(case: Case) -> None:
    found = check(changed(case.good))
    assert case.code not in [one.code for one in found], [str(one) for one in found]


@rows("inertia", [0.0, 0.0004])
def test_a_bob_weighs_about_its_pin_but_where_it_lies_on_its_axis(inertia: float) -> None:
    found = []
    for place in np.diag([-0.5, -0.5, -0.1]).tolist():
        parts = hung({"kind": "pin", "child_frame": {"position_m": place}})
        parts["segments"] = [segment("rod", inertia=(inertia, inertia, inertia))]
        found += [one for one in check(validated(parts)) if one.code == "inertia-missing"]
    assert len(found) == (inertia == 0.0)


def test_every_code_of_the_later_passes_has_a_case() -> None:
    with_case = {case.code for case in CASES} | {"no-segments"}
    assert with_case == {info.code for info in catalogue() if info.check_pass > 1}


def test_an_empty_project_says_what_it_lacks() -> None:
    found = check(validated({}))
    assert [(one.severity, one.code, one.path) for one in found] == [
        ("warning", "no-runs", "runs"),
        ("note", "no-segments", "segments"),
        ("note", "no-outputs", "outputs"),
    ]


def test_problems_are_sorted_by_severity_then_place() -> None:
    found = check(
        changed(
            {
                "outputs/hic/output": "nothing",
                "joints/high/parent": "nobody",
                "segments/box/mirror": "head",
                "joints/waist/breakage": {},
            }
        )
    )
    assert [one.path for one in found if one.code.startswith("unknown")] == [
        "joints/high/parent",
        "outputs/hic/output",
    ]
    grave = ["error", "warning", "note"]
    assert [grave.index(one.severity) for one in found] == sorted(
        grave.index(one.severity) for one in found
    )
    warned = [one.path for one in found if one.severity == "warning"]
    assert warned == ["segments/box/mirror", "joints/waist/breakage"]


def test_physics_waits_for_sound_references() -> None:
    heavy = {"segments/box/mass_kg": 1e7}
    assert _codes(check(changed(heavy))) == {"mass-huge"}
    assert _codes(check(changed(heavy | {"outputs/hic/output": "x"}))) == {"unknown-output"}


def test_a_wrong_name_is_answered_by_the_nearest() -> None:
    (found,) = check(changed({"outputs/head_turn/segment": "haed"}))
    assert found.sentence == "'haed' is no segment."
    assert found.hint == "Did you mean 'head'?"


def test_a_quoted_number_is_explained() -> None:
    (found,) = check(changed({"winds/blast/pressure_x": "3"}))
    assert found.hint == "Write a constant as a number, without quotes."


def test_a_ring_is_named() -> None:
    (found,) = check(changed({"joints/waist/parent": "head"}))
    assert found.sentence.count("'") == 2 * 4
    assert {"'torso'", "'neck'", "'head'"} <= set(found.sentence.replace(".", "").split())


def test_an_unfilled_csv_curve_is_left_to_the_reader() -> None:
    curve = {"kind": "table", "csv": {"path": "push.csv"}}
    assert check(changed({"functions/push/form": curve})) == ()


def test_long_chains_are_no_trouble() -> None:
    count = 2000
    data = {
        "segments": [
            {"id": f"s{i}", "mass_kg": 1.0, "inertia_kgm2": [1.0, 1.0, 1.0]} for i in range(count)
        ],
        "joints": [
            {"kind": "ball", "id": f"j{i}", "parent": f"s{i - 1}", "child": f"s{i}"}
            for i in range(1, count)
        ],
    }
    assert _codes(check(validated(data))) == {"no-runs", "no-outputs"}
    data["joints"].append({"kind": "ball", "id": "j0", "parent": f"s{count - 1}", "child": "s0"})
    (ring,) = [one for one in check(validated(data)) if one.severity == "error"]
    assert ring.code == "joint-ring"
    assert len(ring.sentence) < 200


def test_checking_changes_nothing() -> None:
    project = changed({})
    before = project.model_dump_json()
    assert check(project) == check(project)
    assert project.model_dump_json() == before


def _codes(found: tuple[Problem, ...]) -> set[str]:
    return {one.code for one in found}


def test_the_model_uses_nearly_every_list() -> None:
    project: Project = validated(base())
    for name in Project.model_fields:
        assert getattr(project, name) or name in (
            "title",
            "note",
            "source",
            "load_case",
            "includes",
        ), name


def test_edits_reach_what_they_name() -> None:
    data = base()
    put(data, "segments/head/mass_kg", 7.0)
    assert [s["mass_kg"] for s in data["segments"] if s["id"] == "head"] == [7.0]
