"""No circle of imports in the window, and nothing below the shell that knows it.

All imports count: those inside functions, and those for the type checker alone.
"""

from __future__ import annotations

import ast
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parent.parent


def imports(source: str, known: set[str]) -> set[str]:
    """Give the modules, of those that are known, which a module imports anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            whole = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= whole & known or {node.module}
    return found & known


@cache
def graph(package: str) -> dict[str, set[str]]:
    """Give of every module of a package which others it imports."""
    files = {
        ".".join(file.relative_to(TOP).with_suffix("").parts).removesuffix(".__init__"): file
        for file in (TOP / package).rglob("*.py")
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


def packages(arrows: dict[str, set[str]]) -> dict[str, set[str]]:
    """Give of every folder within `app`, and of every feature, which others it imports."""

    def folder(module: str) -> str:
        parts = module.split(".")
        return ".".join(parts[:3] if parts[1:2] == ["features"] else parts[:2])

    made: dict[str, set[str]] = {}
    for module, others in arrows.items():
        here = folder(module)
        made.setdefault(here, set()).update({folder(one) for one in others} - {here})
    del made["app"]
    return made


def test_no_modules_of_the_window_import_each_other_in_a_circle() -> None:
    assert circle(graph("app")) == []


def test_no_folders_of_the_window_import_each_other_in_a_circle() -> None:
    arrows = packages(graph("app"))
    assert len(arrows) > 30
    assert circle(arrows) == []


def test_only_the_front_door_and_the_shell_know_the_shell() -> None:
    knows = [a for a, others in graph("app").items() if any("app.shell" in b for b in others)]
    assert {name for name in knows if not name.startswith("app.shell.")} == {"app.front_door"}


def test_the_shell_knows_features_by_the_one_list() -> None:
    for name, others in graph("app").items():
        if name.startswith("app.shell."):
            known = {one for one in others if one.startswith("app.features.")}
            assert known <= {"app.features.all", "app.features.feature"}, name


@pytest.mark.parametrize(
    "source",
    [
        "from app.b import thing",
        "import app.b",
        "from app import b",
        "def late():\n    from app.b import thing",
        "if TYPE_CHECKING:\n    from app.b import Thing",
    ],
)
def test_a_circle_is_found_however_it_is_closed(source: str) -> None:
    known = {"app", "app.a", "app.b"}
    arrows = {"app.a": imports(source, known), "app.b": imports("from app.a import x", known)}
    assert circle(arrows)
