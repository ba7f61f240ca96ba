"""Project files: canonical text, versions, refusals, changes by path."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.project import (
    SCHEMA_VERSION,
    ProjectError,
    load_project,
    parse,
    to_json,
    validated,
    with_change,
)
from solver.project.checks import check
from solver.project.reading import (
    MIGRATIONS,
    migrate,
    migrate_1_to_2,
    migrate_2_to_3,
    migrate_3_to_4,
)
from tests.project.project_files import HEAD, only, refusals
from tests.rows import rows

DATA = Path(__file__).parent.parent / "data"
SEGMENT = {"id": "a", "mass_kg": 1.0, "inertia_kgm2": [1.0, 1.0, 1.0]}

numbers = st.floats(-1e15, 1e15, allow_nan=False)


def test_defaults_are_left_out_and_arrays_stand_on_one_line() -> None:
    text = to_json(validated({**HEAD, "segments": [SEGMENT]}))
    assert text == (
        '{\n  "format": "manikin-project",\n  "schema_version": 4,\n  "segments": [\n    {\n'
        '      "id": "a",\n      "mass_kg": 1.0,\n      "inertia_kgm2": [1.0, 1.0, 1.0]\n'
        "    }\n  ]\n}\n"
    )


@given(numbers, st.tuples(numbers, numbers, numbers), st.text(max_size=30))
def test_load_and_save_is_a_fixpoint_to_the_byte(
    mass: float, gravity: tuple[float, float, float], note: str
) -> None:
    data = {
        **HEAD,
        "note": note.encode("utf-8", "replace").decode(),
        "gravity_m_per_s2": list(gravity),
        "segments": [{**SEGMENT, "mass_kg": abs(mass)}],
    }
    project = validated(data)
    text = to_json(project)
    again = parse(text).project
    assert again == project
    assert to_json(again) == text


def test_the_order_of_fields_in_a_file_does_not_matter() -> None:
    turned = json.dumps({**dict(reversed(list(SEGMENT.items())))})
    text = f'{{"segments": [{turned}], "schema_version": 4, "format": "manikin-project"}}'
    assert to_json(parse(text).project) == to_json(validated({**HEAD, "segments": [SEGMENT]}))


def test_the_document_is_frozen() -> None:
    project = validated({**HEAD, "segments": [SEGMENT]})
    with pytest.raises(ValueError, match="frozen"):
        project.segments[0].mass_kg = 2.0  # type: ignore[misc]


def test_migration_1_to_2_moves_gravity_and_names_rotations() -> None:
    old = {
        **HEAD,
        "schema_version": 1,
        "initial": {"gravity_m_per_s2": [0.0, 0.0, 1.6], "roots": []},
        "joints": [{"kind": "slip", "rotation": r} for r in (0, 5, 6, 7)],
    }
    before = json.dumps(old)
    new = migrate_1_to_2(old)
    assert json.dumps(old) == before, "pure"
    assert new["gravity_m_per_s2"] == [0.0, 0.0, 1.6]
    assert "gravity_m_per_s2" not in new["initial"]
    assert [j["rotation"] for j in new["joints"]] == ["none", "ball", "pin_y", "pin_z"]


def test_migration_2_to_3_writes_the_depth_that_version_2_took() -> None:
    old = json.loads((DATA / "project_v2.json").read_text())
    before = json.dumps(old)
    new = migrate_2_to_3(old)
    assert json.dumps(old) == before, "pure"
    assert [c.get("depth") for c in new["contacts"]] == [None, "centres", "normal"]
    project = load_project(DATA / "project_v2.json")
    depths = [c.depth for c in project.contacts if c.kind == "surfaces"]
    assert depths[1:] == ["centres", "normal"]
    assert "contact-depth-idle" not in {p.code for p in check(project)}


def test_migration_2_to_3_keeps_the_torques_that_joints_had() -> None:
    stop = {"contour": {"kind": "library", "name": "hip"}, "torque": "f", "returned_ratio": 0.5}
    joints = [
        {"id": "a", "kind": "ball", "torsion": {"linear_nm_per_rad": 1.0, "returned_ratio": 0.7}},
        {"id": "b", "kind": "slip", "rotation": "ball", "torsion": {"torque": "f"}},
        {"id": "c", "kind": "euler", "globographic": stop},
        {"id": "d", "kind": "ball", "flexure": {"torque": "f", "returned_ratio": 0.7}},
        {"id": "e", "kind": "slip", "rotation": "pin_z", "torsion": {"linear_nm_per_rad": 1.0}},
        {"id": "f", "kind": "euler", "spin": {"spring": {"torque": "f", "returned_ratio": 0.2}}},
        {"id": "g", "kind": "pin"},
    ]
    new = migrate_2_to_3({**HEAD, "schema_version": 2, "joints": joints})["joints"]
    assert [one["id"] for one in new if one.pop("torque_law", "") == "printed"] == ["a", "b", "c"]
    # beside a torque function the returned part did nothing
    assert new[:3] == joints[:3]
    assert new[3]["flexure"] == {"torque": "f"}
    assert new[4:] == [joints[4], {**joints[5], "spin": {"spring": {"torque": "f"}}}, joints[6]]


def test_migration_3_to_4_keeps_damping_across_strings() -> None:
    old = json.loads((DATA / "project_v3.json").read_text())
    before = json.dumps(old)
    new = migrate_3_to_4(old)
    assert json.dumps(old) == before, "pure"
    assert [one.get("damping_law") for one in new["tension_elements"]] == ["printed", None]
    project = load_project(DATA / "project_v3.json")
    assert [one.damping_law for one in project.tension_elements] == ["printed", "along"]
    (told,) = [p for p in check(project) if p.code == "tension-damps-across"]
    assert told.path == "tension_elements/string/damping_law"


def test_migration_3_to_4_keeps_damping_without_a_bound() -> None:
    law = {
        "id": "a",
        "kind": "lankarani_nikravesh",
        "stiffness_n_per_mn": 1e5,
        "loss_restitution": 0.5,
    }
    old = {**HEAD, "schema_version": 3, "contact_laws": [law, {"id": "b", "kind": "kelvin_voigt"}]}
    new = migrate_3_to_4(old)["contact_laws"]
    assert new == [{**law, "least_impact_speed_m_per_s": 0.0}, old["contact_laws"][1]]


def test_there_is_a_migration_from_every_older_version() -> None:
    assert sorted(MIGRATIONS) == list(range(1, SCHEMA_VERSION))
    assert migrate({**HEAD, "schema_version": 1}, 1)["schema_version"] == SCHEMA_VERSION


@rows("initial", [None, 3, [], "x", {"gravity_m_per_s2": "down"}])
@rows("joints", [None, 3, {}, [1, None, {"kind": "slip", "rotation": [7]}]])
def test_a_malformed_old_file_is_refused_not_a_crash(initial: object, joints: object) -> None:
    text = json.dumps({**HEAD, "schema_version": 1, "initial": initial, "joints": joints})
    assert all(p.severity == "error" for p in refusals(text))


def test_a_newer_file_is_refused_in_one_sentence() -> None:
    problem = only(refusals(json.dumps({**HEAD, "schema_version": SCHEMA_VERSION + 1, "new": 1})))
    assert problem.code == "format-newer"
    assert f"schema version {SCHEMA_VERSION + 1}" in problem.sentence


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "file-not-json"),
        ("[1]", "format-unknown"),
        ("{}", "format-unknown"),
        ('{"format": "other"}', "format-unknown"),
        ('{"format": "manikin-project"}', "format-version"),
        ('{"format": "manikin-project", "schema_version": true}', "format-version"),
        ('{"format": "manikin-project", "schema_version": 0}', "format-version"),
        (
            '{"format": "manikin-project", "schema_version": 4, "title": "a',
            "file-not-json",
        ),
        ('{"format": "manikin-project", "format": "x"}', "field-twice"),
        ('{"a": NaN}', "number-not-finite"),
        ('{"a": -Infinity}', "number-not-finite"),
        ('{"a": ' + "9" * 5000 + "}", "field-range"),
        ('{"a": "\\ud800"}', "file-not-text"),
        ("[" * 100_000, "file-too-deep"),
        ("[" * 60 + "]" * 60, "file-too-deep"),
    ],
)
def test_malformed_text_gives_one_sentence(text: str, code: str) -> None:
    problem = only(refusals(text))
    assert problem.code == code
    assert problem.sentence.endswith(".")


@pytest.mark.parametrize(
    ("change", "code", "path"),
    [
        ({"segments": [{**SEGMENT, "mass_kg": "5"}]}, "field-type", "segments/a/mass_kg"),
        ({"segments": [{**SEGMENT, "mass_kg": True}]}, "field-type", "segments/a/mass_kg"),
        ({"segments": [{**SEGMENT, "mass_kg": -1}]}, "field-range", "segments/a/mass_kg"),
        ({"segments": [{**SEGMENT, "mass_kg": 1e308}]}, "field-range", "segments/a/mass_kg"),
        ({"segments": [{**SEGMENT, "mas_kg": 1}]}, "field-unknown", "segments/a/mas_kg"),
        ({"segments": [{"id": "a", "mass_kg": 1}]}, "field-missing", "segments/a/inertia_kgm2"),
        ({"segments": {}}, "field-type", "segments"),
        ({"segments": [7]}, "field-type", "segments/0"),
        ({"segments": [{**SEGMENT, "id": "a/b"}]}, "field-range", "segments/a/b/id"),
        ({"joints": [{"kind": "bal"}]}, "kind-unknown", "joints/0"),
        ({"joints": [{"id": "j"}]}, "kind-missing", "joints/j"),
        ({"gravity_m_per_s2": [0, 0]}, "field-missing", "gravity_m_per_s2/2"),
        ({"title": 5}, "field-type", "title"),
        ({"runs": [{"id": "r", "duration_s": 1, "integrator": None}]}, "field-type", "runs/r/integrator"),
        ({"symmetry": [{"kind": "mirrored", "first": "a", "second": "b"}]}, "kind-unknown", "symmetry/0"),
    ],
)  # fmt: skip
def test_types_and_ranges_are_refused_at_their_place(
    change: dict[str, object], code: str, path: str
) -> None:
    problem = only(refusals(json.dumps({**HEAD, **change})))
    assert (problem.code, problem.path) == (code, path)


def test_a_misspelt_field_is_answered_with_the_right_one() -> None:
    problem = only(refusals(json.dumps({**HEAD, "segments": [{**SEGMENT, "mirorr": "b"}]})))
    assert problem.hint == "Did you mean 'mirror'?"


@pytest.mark.parametrize(
    ("change", "hint"),
    [
        (
            {"contacts": [{"id": "c", "law": "l"}]},
            "One of 'plane', 'surfaces'.",
        ),
        (
            {"functions": [{"id": "f", "x_unit": "s", "y_unit": "m", "form": {"x": [0.0]}}]},
            "One of 'constant', 'table', 'polynomial', 'sine', 'exponential', 'sum', 'two_ranges', 'sweep', 'random'.",
        ),
        (
            {"segments": [{**SEGMENT, "surfaces": [{"id": "s", "type": "ellipsoid"}]}]},
            "Did you mean 'kind': 'ellipsoid'?",
        ),
    ],
)
def test_a_missing_kind_names_the_kinds(change: dict[str, object], hint: str) -> None:
    problem = only(refusals(json.dumps({**HEAD, **change})))
    assert (problem.sentence, problem.hint) == ("'kind' is missing.", hint)


def test_missing_moments_of_inertia_are_told_by_formula() -> None:
    problem = only(refusals(json.dumps({**HEAD, "segments": [{"id": "a", "mass_kg": 1}]})))
    assert "of a box of edges a, b and c the same with 12" in problem.hint


def test_a_number_or_function_field_says_so_once() -> None:
    law = {"id": "l", "kind": "kelvin_voigt", "stiffness_n_per_m": 1.0, "friction": [1]}
    problem = only(refusals(json.dumps({**HEAD, "contact_laws": [law]})))
    assert problem.path == "contact_laws/l/friction"
    assert "a number or the id of a function" in problem.sentence


def test_all_problems_come_at_once_and_a_flood_is_counted() -> None:
    bad = [{"id": f"s{i}", "mass_kg": -1, "inertia_kgm2": [1, 1, 1]} for i in range(500)]
    problems = refusals(json.dumps({**HEAD, "segments": bad}))
    assert len(problems) == 201
    assert "300 more problems" in problems[-1].sentence


@pytest.mark.timeout(60)
def test_a_flood_of_wrong_references_ends_soon() -> None:
    """Twenty thousand joints between unknown segments are no reason to hang."""
    joints = [
        {"id": f"j{i}", "kind": "ball", "parent": f"p{i}", "child": f"c{i}"} for i in range(20_000)
    ]
    segments = [{**SEGMENT, "id": f"s{i}"} for i in range(5_000)]
    problems = check(validated({**HEAD, "segments": segments, "joints": joints}))
    assert len([p for p in problems if p.severity == "error"]) == 201
    assert any(p.code == "many-problems" for p in problems)


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    big = tmp_path / "big.json"
    with big.open("wb") as stream:
        stream.truncate(200 * 10**6)
    latin = tmp_path / "latin.json"
    latin.write_bytes(b'{"title": "M\xfcller"}')
    cases = {
        tmp_path / "none.json": "file-missing",
        tmp_path: "file-is-folder",
        big: "file-too-large",
        latin: "file-not-text",
        Path("nul\0byte"): "file-unreadable",
    }
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.json")
        cases[tmp_path / "pipe.json"] = "file-unreadable"
    for file, code in cases.items():
        with pytest.raises(ProjectError) as failure:
            load_project(file)
        assert only(failure.value.problems).code == code


def test_a_value_is_set_by_path() -> None:
    project = validated({**HEAD, "segments": [SEGMENT]})
    assert with_change(project, "segments/a/mass_kg", "5").segments[0].mass_kg == 5.0
    assert (
        with_change(project, "segments/0/inertia_kgm2", "[1,2,2]").segments[0].inertia_kgm2[1] == 2
    )
    assert (
        with_change(project, "segments/a/inertia_kgm2/2", "1.5").segments[0].inertia_kgm2[2] == 1.5
    )
    assert with_change(project, "title", "Sled 7").title == "Sled 7"
    assert project.segments[0].mass_kg == 1.0


@pytest.mark.parametrize(
    ("kind", "wrong", "meant"), [("plane", "plan", "plane"), ("surfaces", "firs", "first")]
)
def test_a_misspelt_field_is_answered_from_those_of_its_kind(
    kind: str, wrong: str, meant: str
) -> None:
    with pytest.raises(ProjectError) as failure:
        validated({**HEAD, "contacts": [{"id": "c", "kind": kind, wrong: "x"}]})
    (found,) = (one for one in failure.value.problems if one.code == "field-unknown")
    assert str(found.hint) == f"Did you mean '{meant}'?"


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("segments/b/mass_kg", "5", "'b' is not found. Known here: a."),
        ("segments/a/mas_kg", "5", "Did you mean 'mass_kg'?"),
        ("segments/a/mass_kg", "heavy", "must be a number"),
        ("segments/a/mass_kg/x", "1", "There is nothing below"),
        ("", "1", "The path is empty"),
    ],
)
def test_a_path_that_leads_nowhere_is_answered(path: str, value: str, words: str) -> None:
    project = validated({**HEAD, "segments": [SEGMENT]})
    with pytest.raises(ProjectError) as failure:
        with_change(project, path, value)
    assert words in str(only(failure.value.problems))
