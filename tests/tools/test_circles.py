"""No circle of imports anywhere in the tree.

All imports count: those inside functions, and those for the type checker alone.
"""

from __future__ import annotations

import ast
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parent.parent
TREES = ("solver", "manikin", "app", "tools", "benchmarks", "validation")


def imports(source: str, known: set[str]) -> set[str]:
    """Give the modules, of those that are known, which a module imports anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            whole = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= whole & known
            if any(f"{node.module}.{alias.name}" not in known for alias in node.names):
                found.add(node.module)
    return found & known


@cache
def graph(*trees: str) -> dict[str, set[str]]:
    """Give of every module of some trees which others of them it imports."""
    files = {
        ".".join(file.relative_to(TOP).with_suffix("").parts).removesuffix(".__init__"): file
        for tree in trees
        for file in (TOP / tree).rglob("*.py")
    }
    return {
        name: imports(file.read_text(encoding="utf-8"), set(files)) - {name}
        for name, file in files.items()
    }


def circle(arrows: dict[str, set[str]]) -> list[str]:
    """Give a circle of imports; empty for none."""
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as found:
        return list(found.args[1])
    return []


def test_no_modules_import_each_other_in_a_circle() -> None:
    arrows = graph(*TREES)
    assert {name.split(".")[0] for name in arrows} == set(TREES)
    assert circle(arrows) == []


@pytest.mark.parametrize(
    "source",
    [
        "from app.b import thing",
        "import app.b",
        "from app import b",
        "from app import b, thing",
        "def late():\n    from app.b import thing",
        "if TYPE_CHECKING:\n    from app.b import Thing",
    ],
)
def test_a_circle_is_found_however_it_is_closed(source: str) -> None:
    known = {"app", "app.a", "app.b"}
    arrows = {"app.a": imports(source, known), "app.b": imports("from app.a import x", known)}
    assert circle(arrows)


def test_a_circle_through_a_package_is_found() -> None:
    known = {"solver", "solver.a"}
    arrows = {
        "solver": imports("from solver.a import x", known),
        "solver.a": imports("from solver import version", known),
    }
    assert circle(arrows)
