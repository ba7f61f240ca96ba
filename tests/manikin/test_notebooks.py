"""Notebooks of the docs run from top to bottom, and are kept without what they gave."""

from __future__ import annotations

import warnings
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parent.parent.parent
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


def test_there_are_notebooks() -> None:
    assert [file.stem for file in NOTEBOOKS] == ["frontal"]


@pytest.mark.slow
@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_runs(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    book = nbformat.read(file, as_version=4)
    with warnings.catch_warnings():
        # of the kernel's transport, nothing of ours
        warnings.simplefilter("ignore")
        NotebookClient(book, timeout=250, resources={"metadata": {"path": tmp_path}}).execute()
    said = "".join(
        output.get("text", "") for cell in book.cells for output in cell.get("outputs", [])
    )
    shown = [
        output
        for cell in book.cells
        for output in cell.get("outputs", [])
        if "image/png" in output.get("data", {})
    ]
    assert len(shown) == 3
    assert "\nTrue\n" in said
    assert "pushed back by" in said
    assert "('joints/hinge/1', 'joints/elbow/1')" in said


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_is_kept_clean(file: Path) -> None:
    book = nbformat.read(file, as_version=4)
    nbformat.validate(book)
    for cell in book.cells:
        if cell.cell_type == "code":
            assert cell.outputs == []
            assert cell.execution_count is None
