"""Notebooks of the docs run from top to bottom in their short form, and are kept without what they gave."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from jupyter_core.utils import run_sync
from nbclient import NotebookClient

from tools.notebooks import FOLDER, NOTEBOOKS, in_short, read

ROOT = Path(__file__).parent.parent.parent
INDEX = FOLDER / "README.md"


BEGIN = "%reset -f\nimport matplotlib, os\nmatplotlib.rcdefaults()\nos.chdir({folder!r})\n%reset -f"
"""What a notebook finds: nothing of those before, and a folder of its own."""


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Start one process for all notebooks, each of which would load the solver for itself."""
    folder = tmp_path_factory.mktemp("kernel")
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("import manikin")])
    first = NotebookClient(book, timeout=250, resources={"metadata": {"path": folder}})
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        # of the kernel's transport, nothing of ours
        warnings.simplefilter("ignore")
        patch.setenv("PYTHONPATH", str(ROOT))
        for name in ("JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
            patch.setenv(name, str(folder))
        first.execute(cleanup_kc=False)
        yield first.km
        run_sync(first._async_cleanup_kernel)()


@pytest.mark.slow
@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_runs(file: Path, tmp_path: Path, kernel: Any) -> None:
    """Its cells assert what its text claims."""
    book = in_short(read(file))
    cells = book.cells
    begin = nbformat.v4.new_code_cell(BEGIN.format(folder=str(tmp_path)))
    book.cells = [begin, *cells]
    client = NotebookClient(book, km=kernel, timeout=250)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        client.execute()
        client.kc.stop_channels()
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    warned = [one["text"] for one in outputs if one.get("name") == "stderr"]
    assert not [text for text in warned if "Kernel is running over TCP" not in text]
    assert sum("image/png" in output.get("data", {}) for output in outputs) >= 2


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_is_kept_clean(file: Path) -> None:
    book = read(file)
    nbformat.validate(book)
    for cell in book.cells:
        if cell.cell_type == "code":
            assert cell.outputs == []
            assert cell.execution_count is None
    code = "\n".join(cell.source for cell in book.cells if cell.cell_type == "code")
    # the public library does it all, and what is claimed is looked at
    assert "import manikin as mk" in code
    assert not re.search(r"\b(?:import|from) solver\b", code)
    assert "assert " in code


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_the_short_form_gives_parameters_other_values(file: Path) -> None:
    book = read(file)
    short: dict[str, Any] = book.metadata.get("short", {})
    if short:
        (cell,) = [one for one in book.cells if "parameters" in one.metadata.get("tags", [])]
        given: dict[str, Any] = {}
        exec(cell.source, given)
        for name, value in short.items():
            assert type(given[name]) is type(value), name
            assert given[name] != value, name
    assert json.dumps(short) in in_short(book).metadata.get("ran", "{}")


def test_the_index_names_each_notebook() -> None:
    text = INDEX.read_text(encoding="utf-8")
    assert re.findall(r"\]\((\w+)\.ipynb\)", text) == [file.stem for file in NOTEBOOKS]
