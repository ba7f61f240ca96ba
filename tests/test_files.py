"""Project files: canonical text, versions, backups, refusals, and saving that survives a kill."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.project import (
    SCHEMA_VERSION,
    Problem,
    Project,
    ProjectError,
    load_project,
    open_project,
    parse,
    save_project,
    to_json,
    validated,
    with_change,
)
from solver.project.checks import check
from solver.project.migrate import MIGRATIONS, migrate, migrate_1_to_2

DATA = Path(__file__).parent / "data"
HEAD = {"format": "manikin-project", "schema_version": SCHEMA_VERSION}
SEGMENT = {"id": "a", "mass_kg": 1.0, "inertia_kgm2": [1.0, 1.0, 1.0]}

numbers = st.floats(-1e15, 1e15, allow_nan=False)


def refusals(text: str, folder: Path | None = None) -> tuple[Problem, ...]:
    with pytest.raises(ProjectError) as failure:
        parse(text, folder)
    return failure.value.problems


def only(problems: tuple[Problem, ...]) -> Problem:
    assert len(problems) == 1, [str(p) for p in problems]
    return problems[0]


# --- canonical text ---------------------------------------------------------------------------


def test_defaults_are_left_out_and_arrays_stand_on_one_line() -> None:
    text = to_json(validated({**HEAD, "segments": [SEGMENT]}))
    assert text == (
        '{\n  "format": "manikin-project",\n  "schema_version": 2,\n  "segments": [\n    {\n'
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
    text = f'{{"segments": [{turned}], "schema_version": 2, "format": "manikin-project"}}'
    assert to_json(parse(text).project) == to_json(validated({**HEAD, "segments": [SEGMENT]}))


def test_the_document_is_frozen() -> None:
    project = validated({**HEAD, "segments": [SEGMENT]})
    with pytest.raises(ValueError, match="frozen"):
        project.segments[0].mass_kg = 2.0  # type: ignore[misc]


# --- versions ---------------------------------------------------------------------------------


def test_a_version_1_file_opens_with_a_note_and_is_backed_up_when_saved(
    tmp_path: Path,
) -> None:
    old = (DATA / "project_v1.json").read_bytes()
    file = tmp_path / "old.json"
    file.write_bytes(old)
    opened = open_project(file)
    assert opened.file_version == 1
    assert [n.code for n in opened.notes] == ["format-older"]
    assert file.read_bytes() == old, "opening changes nothing"

    backup = save_project(opened.project, file)
    assert backup == tmp_path / "old.v1.json"
    assert backup.read_bytes() == old
    assert json.loads(file.read_text())["schema_version"] == SCHEMA_VERSION
    assert save_project(opened.project, file) is None, "a present file needs no backup"


def test_a_second_backup_never_overwrites_the_first(tmp_path: Path) -> None:
    text = (DATA / "project_v1.json").read_text()
    file = tmp_path / "p.json"
    for title in ("one", "two"):
        data = json.loads(text)
        data["title"] = title
        file.write_text(json.dumps(data))
        save_project(load_project(file), file)
    kept = sorted(f.name for f in tmp_path.iterdir())
    assert kept == ["p.json", "p.v1-2.json", "p.v1.json"]
    assert json.loads((tmp_path / "p.v1.json").read_text())["title"] == "one"


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


def test_there_is_a_migration_from_every_older_version() -> None:
    assert sorted(MIGRATIONS) == list(range(1, SCHEMA_VERSION))
    assert migrate({**HEAD, "schema_version": 1}, 1)["schema_version"] == SCHEMA_VERSION


@pytest.mark.parametrize("initial", [None, 3, [], "x", {"gravity_m_per_s2": "down"}])
@pytest.mark.parametrize("joints", [None, 3, {}, [1, None, {"kind": "slip", "rotation": [7]}]])
def test_a_malformed_old_file_is_refused_not_a_crash(initial: object, joints: object) -> None:
    text = json.dumps({**HEAD, "schema_version": 1, "initial": initial, "joints": joints})
    assert all(p.severity == "error" for p in refusals(text))


def test_a_newer_file_is_refused_in_one_sentence() -> None:
    problem = only(refusals(json.dumps({**HEAD, "schema_version": SCHEMA_VERSION + 1, "new": 1})))
    assert problem.code == "format-newer"
    assert "schema version 3" in problem.sentence


# --- refusals ---------------------------------------------------------------------------------


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
            '{"format": "manikin-project", "schema_version": 2, "title": "a',
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


# --- curves from CSV ----------------------------------------------------------------------------


def with_curve(**csv: object) -> str:
    form = {"kind": "table", "csv": {"path": "pulse.csv", **csv}}
    function = {"id": "f", "x_unit": "s", "y_unit": "m/s2", "form": form}
    return json.dumps({**HEAD, "functions": [function]})


def test_a_curve_is_read_scaled_and_saved_as_a_reference(tmp_path: Path) -> None:
    (tmp_path / "pulse.csv").write_text("t ms;a g\n0;0\n10,5;20\n\n", encoding="utf-8")
    project = parse(with_curve(x_scale=1e-3, y_scale=9.80665), tmp_path).project
    form = project.functions[0].form
    assert (form.x, form.y) == ((0.0, 10.5 * 1e-3), (0.0, 20 * 9.80665))  # type: ignore[union-attr]
    assert '"path": "pulse.csv"' in to_json(project)
    assert '"x":' not in to_json(project)
    alone = parse(to_json(project, embed_curves=True)).project
    assert alone.functions[0].form.x == form.x  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "path",
    [
        "../secret.csv",
        "/etc/passwd",
        "a/../../x.csv",
        "C:\\x.csv",
        "..\\x.csv",
        "\\\\h\\x",
    ],
)
def test_a_curve_outside_the_folder_is_refused(tmp_path: Path, path: str) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "secret.csv").write_text("h\n0,0\n1,1\n")
    assert only(refusals(with_curve(path=path), home)).code == "curve-outside"


def test_a_link_that_leads_outside_is_refused(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "secret.csv").write_text("h\n0,0\n1,1\n")
    (home / "pulse.csv").symlink_to(tmp_path / "secret.csv")
    assert only(refusals(with_curve(), home)).code == "curve-outside"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"h\n1\n", "Column 2 is missing in line 2"),
        (b"h\n1,x\n", "'x' in column 2"),
        (b"h\n1,nan\n", "not a finite number"),
        (b"h\n", "has no numbers"),
        (b"\xff\xfe", "not UTF-8"),
        (None, "no file 'pulse.csv'"),
    ],
)
def test_a_bad_curve_file_is_named_with_its_line(
    tmp_path: Path, content: bytes | None, words: str
) -> None:
    if content is not None:
        (tmp_path / "pulse.csv").write_bytes(content)
    problem = only(refusals(with_curve(), tmp_path))
    assert problem.path == "functions/f/form/csv"
    assert words in problem.sentence


# --- saving -------------------------------------------------------------------------------------


def test_saving_keeps_permissions_and_leaves_nothing_behind(tmp_path: Path) -> None:
    file = tmp_path / "p.json"
    save_project(Project(title="a"), file)
    file.chmod(0o640)
    save_project(Project(title="b"), file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert [f.name for f in tmp_path.iterdir()] == ["p.json"]
    assert load_project(file).title == "b"


def test_saving_through_a_link_keeps_the_link(tmp_path: Path) -> None:
    real = tmp_path / "real.json"
    save_project(Project(title="a"), real)
    link = tmp_path / "link.json"
    link.symlink_to(real)
    save_project(Project(title="b"), link)
    assert link.is_symlink()
    assert load_project(real).title == "b"


def test_a_failed_save_changes_nothing(tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match="is a folder"):
        save_project(Project(), tmp_path)
    with pytest.raises(ProjectError, match="cannot be written"):
        save_project(Project(), tmp_path / "none" / "p.json")
    assert list(tmp_path.iterdir()) == []


SAVER = """
import sys
from solver.project import Project, save_project
print("ready", flush=True)
n = 0
while True:
    save_project(Project(title=str(n), note="x" * 15000), sys.argv[1])
    n += 1
"""


def test_a_process_killed_while_saving_leaves_a_whole_file(tmp_path: Path) -> None:
    file = tmp_path / "p.json"
    for moment in range(12):
        with subprocess.Popen(
            [sys.executable, "-c", SAVER, str(file)],
            stdout=subprocess.PIPE,
            cwd=Path(__file__).parent.parent,
        ) as saver:
            assert saver.stdout is not None
            saver.stdout.readline()
            time.sleep(0.01 + 0.0037 * moment)
            saver.send_signal(signal.SIGKILL)
        if file.exists():
            assert load_project(file).note == "x" * 15000
    assert file.exists(), "at least one save went through"


# --- changes by path ----------------------------------------------------------------------------


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
