"""The figures of the house, counted on a small tree that is known."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import house

KERNEL = """
from {base}units.table import METRE

ROUNDS, _CLOSE = 5, 1e-9
SLIDE, TURN = range(2)
at = 3

def short(x, y, *, z):
    s = x[0] * y[0] + x[1] * y[1] + x[2] * y[2]
    length = s - 2.0 * x[0] - -(x[1] * y[2])
    if x and y or z:
        length = 0.0 if z else 1.0
    for k in range(ROUNDS):
        while length and k:
            pass
    return s + 1.0 * (y[0] * x[0] - y[1] * x[2] - x[0] * y[2])
"""
FILES = {
    "solver/{e}maths/vectors.py": KERNEL,
    "solver/{e}forces/laws.py": "ROUNDS = 6\nSLIDE, TURN = range(2)\nGOLD: float = 1.6\n",
    "solver/{b}units/table.py": "METRE = 1.0\nROUNDS = 9\n" + "\n" * 200,
    "solver/model/arrays.py": "from solver.{m}maths import vectors\nimport solver.model.tree\n",
    "solver/model/tree.py": "def late():\n    from solver.model import arrays\n",
    "app/window.py": "from {base}units.table import METRE\n",
}


@pytest.fixture(params=["", "engine"])
def inside(request: pytest.FixtureRequest) -> str:
    """Where the packages of kernels stand in `solver`."""
    where: str = request.param
    return where


@pytest.fixture
def packages(inside: str) -> str:
    """How many packages and loose files there are then."""
    return "3 + 1" if inside else "4 + 1"


@pytest.fixture
def figures(inside: str, tmp_path: Path) -> dict[str, house.Figure]:
    """The figures of a small checkout, of packages as they are or gathered."""
    engine = f"{inside}/" if inside else ""
    below = "base/" if inside else ""
    for name, text in FILES.items():
        file = tmp_path / name.format(e=engine, b=below)
        file.parent.mkdir(parents=True, exist_ok=True)
        base = "solver.base." if inside else "solver."
        file.write_text(text.replace("{base}", base).replace("{m}", engine.replace("/", ".")))
        for folder in (file.parent, file.parent.parent):
            if folder not in (tmp_path, *tmp_path.parents):
                (folder / "__init__.py").touch()
    (tmp_path / "solver" / "warm.py").touch()
    return {row.what: row for row in house.figures(tmp_path)}


def test_kernels_are_counted(figures: dict[str, house.Figure]) -> None:
    now = {what: row.now for what, row in figures.items()}
    assert now["lines of the longest function of the engine"] == "9"
    # the way straight through; if, and, or, a choice, for, while, and
    assert now["most branches of one"] == "8"
    assert now["most arguments of one (a record is one)"] == "3"
    # the dot product and the one within the last sum; not the two products less one
    assert now["sums of three or more products written out in kernels"] == "2"
    assert now["locals of one or two letters in kernels"] == "66.7%"


def test_constants_of_one_name_are_counted_with_their_values(
    figures: dict[str, house.Figure],
) -> None:
    row = figures["constants of one name in several modules of kernels"]
    assert row.now == "3"
    assert row.where.startswith("1 with another value")
    assert row.where.endswith("5 names in all")


def test_files_arrows_and_circles_are_counted(
    figures: dict[str, house.Figure], packages: str
) -> None:
    now = {what: row.now for what, row in figures.items()}
    assert now["files in app"] == "2"
    # `vectors`, `arrays` and `tree` have one importer, the table of units two
    assert now["files with one importer"] == "3"
    assert now["of these below 100 lines"] == "3"
    assert now["circles of modules"] == "1"
    assert figures["circles of modules"].where == "solver.model.arrays, solver.model.tree"
    assert now["packages and loose files directly in solver"] == packages
    assert now["circles of packages"] == "0"


def test_the_house_itself_is_found() -> None:
    tree = Path(house.__file__).resolve().parent.parent / "solver"
    found = [tree / inside / name for inside in ("", "engine") for name in house.KERNELS]
    assert sum(folder.is_dir() for folder in found) == len(house.KERNELS)
