"""Curves from CSV files beside a project."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from solver.project import parse, to_json
from solver.project.curves import read_curve, text_of
from solver.project.functions import CsvCurve
from tests.project.project_files import HEAD, only, refusals


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
        (b"h\n\0,1\n", "is no text"),
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


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_table_may_be_written_as_spreadsheets_write_it(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "pulse.csv").write_bytes("Größe [°];m/s²\n0;0\n1;2\n".encode(encoding))
    words = (tmp_path / "pulse.csv").read_bytes()
    assert text_of(words) == "Größe [°];m/s²\n0;0\n1;2\n"
    curve = CsvCurve(path="pulse.csv")
    assert read_curve(curve, tmp_path) == ((0.0, 1.0), (0.0, 2.0))
