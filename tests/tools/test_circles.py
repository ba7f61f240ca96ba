"""No circle of imports anywhere in the tree.

All imports count: those inside functions, and those for the type checker alone.
"""

from __future__ import annotations

from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.trees import Source, read, source

TOP = Path(__file__).resolve().parent.parent.parent
TREES = ("solver", "manikin", "app", "tools", "benchmarks", "validation")


def imports(one: Source, known: set[str]) -> set[str]:
    """Give the modules, of those that are known, which a module imports anywhere in it."""
    found: set[str] = set()
    for module, names in one.imports:
        whole = {f"{module}.{name}" for name in names}
        found |= whole & known
        if not names or not whole <= known:
            found.add(module)
    return found & known


@cache
def graph(*trees: str) -> dict[str, set[str]]:
    """Give of every module of some trees which others of them it imports."""
    files = {
        ".".join(file.relative_to(TOP).with_suffix("").parts).removesuffix(".__init__"): file
        for tree in trees
        for file in (TOP / tree).rglob("*.py")
    }
    known = set(files)
    return {name: imports(source(file), known) - {name} for name, file in files.items()}


def circle(arrows: dict[str, set[str]]) -> list[str]:
    """Give a circle of imports; empty for none."""
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as found:
        return list(found.args[1])
    return []


def with_packages(arrows: dict[str, set[str]]) -> dict[str, set[str]]:
    """Add what Python imports on the way: the packages, not its own, that hold what a module imports."""

    def holders(name: str) -> set[str]:
        words = name.split(".")
        return {".".join(words[:end]) for end in range(1, len(words))} & set(arrows)

    return {
        name: found.union(*(holders(other) for other in found)) - holders(name) - {name} | found
        for name, found in arrows.items()
    }


def test_a_package_is_imported_before_what_it_holds() -> None:
    arrows = {"a.one": {"b.two"}, "b.two": set(), "b": {"b.three"}, "b.three": {"a.one"}}
    assert circle(arrows) == []
    assert set(circle(with_packages(arrows))) == {"a.one", "b", "b.three"}


def test_no_modules_import_each_other_in_a_circle() -> None:
    arrows = with_packages(graph(*TREES))
    assert {name.split(".")[0] for name in arrows} == set(TREES)
    assert circle(arrows) == []


FLOORS = """
    cli
    report
    studies
    studies.bench
    analysis.linear + analysis.inverse
    report.export | report.plots | exchange | analysis.acting | scene
    analysis.crash
    analysis.equilibrium + running.simulation
    running.stepper
    running.outputs
    injury
    results
    bodies.library
    model
    bodies
    analysis.tracking
    project
    engine.integrate
    engine.forces
    engine.dynamics
    engine.signals
    engine.maths
    base.units
"""
"""Packages of the solver and what is in them, from above; those joined by `+` may know each other."""


def test_arrows_between_floors_point_down() -> None:
    """What the contracts of whole packages leave open within them."""
    lines = [line.replace("+", "|").split("|") for line in FLOORS.split("\n") if line]
    floor = {f"solver.{one.strip()}": n for n, ones in enumerate(lines) for one in ones}
    together = [
        f"solver.{one.strip()}"
        for line in FLOORS.split("\n")
        if "+" in line
        for one in line.split("+")
    ]

    def room(module: str) -> str:
        parts = module.split(".")
        return next(
            (r for n in range(len(parts), 1, -1) if (r := ".".join(parts[:n])) in floor), ""
        )

    seen, up = set[str](), []
    for module, others in graph("solver").items():
        for other in others:
            here, there = room(module), room(other)
            seen |= {here, there}
            if not here or not there or here == there or floor[here] < floor[there]:
                continue
            if floor[here] > floor[there] or here not in together:
                up.append(f"{module} -> {other}")
    assert seen - {""} == set(floor)
    assert not up, "\n".join(up)


@pytest.mark.parametrize(
    "text",
    [
        "from app.b import thing",
        "import app.b",
        "from app import b",
        "from app import b, thing",
        "def late():\n    from app.b import thing",
        "if TYPE_CHECKING:\n    from app.b import Thing",
    ],
)
def test_a_circle_is_found_however_it_is_closed(text: str) -> None:
    known = {"app", "app.a", "app.b"}
    arrows = {
        "app.a": imports(read(text), known),
        "app.b": imports(read("from app.a import x"), known),
    }
    assert circle(arrows)


def test_a_circle_through_a_package_is_found() -> None:
    known = {"solver", "solver.a"}
    arrows = {
        "solver": imports(read("from solver.a import x"), known),
        "solver.a": imports(read("from solver import version"), known),
    }
    assert circle(arrows)
