"""The catalogue lists every code that the program can give, and none besides."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import solver.project
from solver.project import (
    Project,
    ProjectError,
    parse,
    save_project,
    to_json,
    validated,
    with_change,
)
from solver.project.checks import catalogue, check, checks_markdown
from solver.project.includes import Include
from solver.project.reading import DEEPEST, LARGEST_FILE, open_project
from tests.checks_model import changed
from tests.rows import rows

FOLDER = Path(solver.project.__file__).parent
MAKERS = {"error": 0, "problem": 0, "refused": 0, "CurveError": 0, "Problem": 1}
HEAD = '"format": "manikin-project", "schema_version": 4'


def _trees() -> Iterator[tuple[Path, ast.Module]]:
    for file in sorted(FOLDER.rglob("*.py")):
        yield file, ast.parse(file.read_text(encoding="utf-8"))


def _given_codes(tree: ast.Module) -> Iterator[str]:
    """Find the codes written out in calls that make a problem."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        place = MAKERS.get(node.func.id)
        if place is not None and len(node.args) > place:
            code = node.args[place]
            if isinstance(code, ast.Constant) and isinstance(code.value, str):
                yield code.value


def test_every_code_in_the_program_is_in_the_catalogue() -> None:
    known = {info.code for info in catalogue()}
    for file, tree in _trees():
        assert set(_given_codes(tree)) <= known, file.name


def test_every_code_of_the_catalogue_is_in_the_program() -> None:
    words = Counter(
        node.value
        for _, tree in _trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    declared_only = [info.code for info in catalogue() if words[info.code] < 2]
    assert declared_only == []


def test_codes_are_unique_words_with_a_meaning() -> None:
    infos = catalogue()
    assert len({info.code for info in infos}) == len(infos) >= 70
    for info in infos:
        assert info.code.replace("-", "").isalnum()
        assert info.code == info.code.lower()
        assert info.meaning[0].isupper()
        assert info.meaning.endswith(".")
        assert info.severity in ("error", "warning", "note")
        assert info.check_pass in (1, 2, 3)


def test_the_page_lists_every_code_once() -> None:
    page = checks_markdown()
    for info in catalogue():
        assert page.count(f"| `{info.code}` | {info.severity} | {info.meaning} |") == 1
    assert page.count("## ") == 3
    assert page.endswith("\n")
    assert not page.endswith("\n\n")


def _segment(inside: str) -> str:
    return f'{{{HEAD}, "segments": [{{"id": "a", "inertia_kgm2": [1, 1, 1], {inside}}}]}}'


def _function(form: str) -> str:
    fn = f'{{"id": "f", "x_unit": "m", "y_unit": "N", "form": {form}}}'
    return f'{{{HEAD}, "functions": [{fn}]}}'


TEXTS = {
    "file-not-json": '{"format": ',
    "file-not-text": '{"format": "\\ud800"}',
    "file-too-deep": "[" * (DEEPEST + 2) + "]" * (DEEPEST + 2),
    "format-unknown": '{"segments": []}',
    "format-version": '{"format": "manikin-project", "schema_version": 0}',
    "format-newer": '{"format": "manikin-project", "schema_version": 99}',
    "field-missing": _segment('"name": "A"'),
    "field-unknown": _segment('"mass_kg": 1, "wait_kg": 2'),
    "field-type": _segment('"mass_kg": "heavy"'),
    "field-range": _segment('"mass_kg": -1'),
    "field-choice": _function('{"kind": "constant", "value": 1}').replace('"m"', '"mile"'),
    "field-twice": _segment('"mass_kg": 1, "mass_kg": 2'),
    "number-not-finite": _segment('"mass_kg": NaN'),
    "kind-missing": _function('{"value": 1}'),
    "kind-unknown": _function('{"kind": "konstant", "value": 1}'),
    "many-problems": f'{{{HEAD}, "segments": [{", ".join(["{}"] * 200)}]}}',
    "curve-no-folder": _function('{"kind": "table", "csv": {"path": "a.csv"}}'),
    "curve-twice": _function('{"kind": "table", "x": [1], "y": [1], "csv": {"path": "a.csv"}}'),
}


@rows("code", TEXTS)
def test_first_pass_finds_it_in_a_text(code: str) -> None:
    with pytest.raises(ProjectError) as failure:
        parse(TEXTS[code])
    assert code in [one.code for one in failure.value.problems]


def test_first_pass_notes_an_older_file() -> None:
    text = '{"format": "manikin-project", "schema_version": 1}'
    assert [one.code for one in parse(text).notes] == ["format-older"]


def _open_too_large(folder: Path) -> None:
    with (folder / "a.json").open("wb") as stream:
        stream.truncate(LARGEST_FILE + 1)
    open_project(folder / "a.json")


def _with_curve(path: str, folder: Path) -> None:
    parse(_function(f'{{"kind": "table", "csv": {{"path": "{path}"}}}}'), folder)


FILES: dict[str, Callable[[Path], object]] = {
    "file-missing": lambda folder: open_project(folder / "a.json"),
    "file-is-folder": open_project,
    "file-unreadable": lambda _: open_project("a\0b"),
    "file-too-large": _open_too_large,
    "curve-file": lambda folder: _with_curve("a.csv", folder),
    "curve-outside": lambda folder: _with_curve("../a.csv", folder),
    "save-failed": lambda folder: save_project(validated({}), folder),
    "include-itself": lambda folder: save_project(included(folder / "a.json"), folder / "a.json"),
    "set-path": lambda _: with_change(validated({}), "segments/head/mass_kg", "5"),
}


@pytest.mark.parametrize("code", FILES)
def test_first_pass_finds_it_with_files(code: str, tmp_path: Path) -> None:
    with pytest.raises(ProjectError) as failure:
        FILES[code](tmp_path)
    assert [one.code for one in failure.value.problems] == [code]


def included(file: Path) -> Project:
    """A project that has taken something of a file which has another content."""
    return Project(includes=(Include(id="seat", file=str(file), sha256="0" * 64),))


NOTES: dict[str, Callable[[Path], Path]] = {
    "include-changed": lambda folder: folder / "there.json",
    "include-gone": lambda folder: folder / "none.json",
    "include-unseen": lambda _: Path("there.json"),
}


@pytest.mark.parametrize("code", NOTES)
def test_included_files_are_looked_at_on_the_disk(code: str, tmp_path: Path) -> None:
    (tmp_path / "there.json").write_text("other")
    found = [one for one in check(included(NOTES[code](tmp_path))) if one.code.startswith("incl")]
    assert [(one.code, one.severity, one.path) for one in found] == [
        (code, "note", "includes/seat")
    ]


def test_every_code_of_the_first_pass_is_tried_here() -> None:
    tried = set(TEXTS) | set(FILES) | {"format-older", *NOTES}
    assert tried == {info.code for info in catalogue() if info.check_pass == 1}


def test_the_sound_model_survives_its_file() -> None:
    project = changed({})
    assert parse(to_json(project)).project == project
