"""Examples in Python of the pages run as they stand, beside a solved sample."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import manikin as mk

DOCS = Path(__file__).parent.parent.parent / "docs"
LEFT_OUT = {
    "extending": "its examples are applied to a copy of the tree by a test of their own",
    "translation": "shows lines out of their modules",
    "window-architecture": "goes on from an open window",
    "manikin": "its examples stand in docstrings, which are run there",
}
"""Pages whose examples are not run here, and why."""


def examples() -> list[tuple[str, str]]:
    """Give each page's examples; one that goes on from another, with a test of a laboratory, is left out."""
    found = []
    for page in sorted(DOCS.glob("*.md")):
        blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)
        found += [(page.stem, code) for code in blocks if "lab/" not in code]
    # a tutorial is run whole, and what it prints is read, by test_tutorials.py
    return [
        (page, code) for page, code in found if page not in LEFT_OUT and "tutorial-" not in page
    ]


EXAMPLES = examples()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with the files that the examples name."""
    folder = tmp_path_factory.mktemp("pages")
    model = mk.sample("sled").until(0.05)
    (folder / "sample_projects").mkdir()
    for name in ("sled.json", "sample_projects/sled.json"):
        model.save(folder / name)
    run = mk.run(model).save(folder / "run.h5")
    for name in ("before.h5", "after.h5"):
        shutil.copy(run, folder / name)
    return folder


def test_there_are_examples_to_run() -> None:
    assert {page for page, _ in EXAMPLES} >= {
        "injury",
        "outputs",
        "report",
        "results-file",
        "settle",
    }


@pytest.mark.parametrize(
    ("page", "code"), EXAMPLES, ids=[f"{page}-{n}" for n, (page, _) in enumerate(EXAMPLES)]
)
def test_an_example_runs(
    page: str, code: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    exec(compile(code, f"docs/{page}.md", "exec"), {})


OF_THE_ENGINE = {
    "architecture",
    "compiled",
    "engine",
    "extending",
    "translation",
    "window-architecture",
}
"""Pages that tell how the program is built, or how its engine is extended: they import its rooms."""


@pytest.mark.parametrize(
    "file", sorted([*DOCS.glob("*.md"), *DOCS.glob("notebooks/*.ipynb")]), ids=lambda f: f.stem
)
def test_users_examples_import_the_library_alone(file: Path) -> None:
    if file.stem in OF_THE_ENGINE:
        return
    text = file.read_text(encoding="utf-8")
    # in a notebook a line of code begins with a quotation mark
    found = re.findall(r'^[ "]*(?:from|import) (?:solver|app)[. ].*', text, re.M)
    assert found == []
