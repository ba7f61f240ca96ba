"""Libraries that not every installation has: nothing is loaded of them unasked, and each use says what to type."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from solver.base.extras import LIBRARIES

ROOT = Path(__file__).parent.parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
OURS = {"app", "manikin", "solver"}
BROUGHT = {
    "PIL",
    "annotated_types",
    "cloudpickle",
    "dask",
    "llvmlite",
    "pydantic_core",
    "shiboken6",
    "tornado",
}
"""Come with a library that is asked for, by which they are used anyway."""
GUESTS = {"IPython"}
"""Are asked only by a process that has loaded them."""


def named(requirements: list[str]) -> set[str]:
    """Give the names of distributions, as packaging tools compare them."""
    return {re.split(r"[><=;\[]", one)[0].lower().replace("_", "-") for one in requirements}


def brought(extra: str) -> set[str]:
    """Give the names of distributions that an extra asks for itself."""
    found = PROJECT["dependencies"] if extra == "core" else PROJECT["optional-dependencies"][extra]
    return named(found) - {"manikin"}


@cache
def _distributions() -> Mapping[str, list[str]]:
    # reads all that is installed
    return packages_distributions()


def distributions(module: str) -> set[str]:
    return named(_distributions()[module])


def test_the_table_is_that_of_the_project() -> None:
    assert set(LIBRARIES) | {"all", "dev", "peers"} >= set(PROJECT["optional-dependencies"])
    for extra, modules in LIBRARIES.items():
        for module in modules:
            assert distributions(module) & brought(extra), f"{module} comes with {extra}"
    whole = set(re.findall(r"[\w-]+", PROJECT["optional-dependencies"]["all"][0])) - {"manikin"}
    assert set(LIBRARIES) - whole <= {"pictures", "frames"}, "others bring these"


def imports(file: Path) -> Iterator[tuple[str, ast.stmt, list[ast.AST]]]:
    """Give the library of each import of a module, and the statements around it."""

    def walk(node: ast.AST, around: list[ast.AST]) -> Iterator[tuple[str, ast.stmt, list[ast.AST]]]:
        if isinstance(node, ast.Import):
            for one in node.names:
                yield one.name.partition(".")[0], node, around
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0], node, around
        for child in ast.iter_child_nodes(node):
            yield from walk(child, [*around, node])

    yield from walk(ast.parse(file.read_text(encoding="utf-8")), [])


def test_what_not_everybody_has_is_imported_within_the_sentence_that_says_so() -> None:
    """Only the window's own modules, which the front door opens, name what it needs as they like."""
    extra_of = {module: extra for extra, modules in LIBRARIES.items() for module in modules}
    seen = set[str]()
    for file in (one for package in sorted(OURS) for one in sorted((ROOT / package).rglob("*.py"))):
        for library, statement, around in imports(file):
            where = f"{file.relative_to(ROOT)}:{statement.lineno} {library}"
            if library in sys.stdlib_module_names or library in OURS | BROUGHT | GUESTS:
                continue
            seen.add(library)
            if library not in extra_of:
                assert distributions(library) & brought("core"), where
                continue
            text = [ast.unparse(one).partition("\n")[0] for one in around[1:]]
            is_typing = any(line == "if TYPE_CHECKING:" for line in text)
            # a worker of a cluster is one of the library's own
            is_window = "app" in file.relative_to(ROOT).parts and library in (
                "PySide6", "pyqtgraph", "vtkmodules",
            )  # fmt: skip
            if is_typing or is_window or (library == "distributed" and file.stem == "courier"):
                continue
            asked = f"with needed('{extra_of[library]}'"
            assert any(line.startswith(asked) for line in text), where
    assert set(extra_of) <= seen, "of each library there is a use"


BARE = """
import json, sys
from pathlib import Path
for name in json.loads(sys.argv[1]):
    sys.modules[name] = None

import importlib, pkgutil
import manikin
import manikin as mk
from solver.base import extras
solver = importlib.import_module(extras.__name__.removesuffix(".base.extras"))

# a solver that has solved is loaded whole
model = mk.sample("double_pendulum").until(0.02)
run = mk.run(model)
for package in (solver, manikin):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not module.name.endswith("__main__") and ".app" not in module.name:
            importlib.import_module(module.name)
for name in manikin.__all__:
    getattr(manikin, name)

from app.front_door import main

lines = []
def said(work):
    try:
        lines.append(str(work()))
    except mk_errors as refusal:
        lines.append(f"{type(refusal).__name__}: {refusal}")
mk_errors = (mk.StudyError, mk.ResultsError, mk.DrawError)

asked = {
    "parameters": [{"id": "mass", "path": "segments/lower/mass_kg", "spread": {"kind": "uniform", "low": 1.0, "high": 2.0}}],
    "responses": [{"kind": "channel", "id": "speed", "take": "last", "quantity": "segments/lower/velocity/resultant", "goal": "minimise"}],
}
run.save("run.h5")
model.save("model.json")
codes = {
    words: main(words.split())
    for words in (
        "check model.json", "plot run.h5 --y energy/kinetic -o curve.svg", "report run.h5 -o page.html",
        "export run.h5 --csv table.csv", "scene run.h5 -o scene.html", "movie run.h5 -o film.mp4",
        "export run.h5 --parquet table.parquet",
    )
}
said(lambda: mk.study(model.add_study("grid", kind="grid", levels=2, **asked), workers=0))
said(lambda: mk.study(model.add_study("grid", kind="grid", levels=2, **asked), workers=0).table)
said(lambda: mk.study(model.add_study("effects", kind="morris", trajectories=4, **asked), workers=0, path="effects.h5"))
best = dict(kind="optimum", method="gaussian_process", start_runs=2, most_runs=3)
said(lambda: mk.study(model.add_study("best", **best, **asked), workers=0, path="best.h5"))
said(lambda: mk.study(model.add_study("grid", kind="grid", levels=2, **asked), scheduler="tcp://127.0.0.1:1"))
said(lambda: run["energy/kinetic"].to_series())
said(lambda: run["energy/kinetic"].to_xarray())
said(lambda: run.injury.to_frame())
said(lambda: run.present("moving.html").name)
said(lambda: run.film("film.mp4"))
import os
os.environ["QT_QPA_PLATFORM"] = "offscreen"
codes["window"] = main([])
print(json.dumps({"codes": codes, "lines": lines, "files": sorted(one.name for one in Path().iterdir())}))
"""


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, object], str]:
    """Use the library and its commands in a process in which nothing of the extras can be imported."""
    hidden = {one for modules in LIBRARIES.values() for one in modules}
    hidden |= {"sklearn", "dask", "vtk", "pyvista", "shiboken6"}
    done = subprocess.run(
        [sys.executable, "-c", BARE, json.dumps(sorted(hidden))],
        cwd=tmp_path_factory.mktemp("bare"), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1]), done.stderr


def line(library: str, extra: str) -> str:
    return f"This needs the library {library}, which is not installed. Type: pip install 'manikin[{extra}]'"


def test_commands_do_without_or_say_what_to_type(bare: tuple[dict[str, object], str]) -> None:
    found, errors = bare
    codes = found["codes"]
    assert isinstance(codes, dict)
    refused = {words for words, code in codes.items() if code}
    assert refused == {
        "movie run.h5 -o film.mp4",
        "export run.h5 --parquet table.parquet",
        "window",
    }
    told = errors.splitlines()
    assert f"error: {line('vtkmodules', 'pictures')}" in told
    assert f"error: {line('pyarrow', 'parquet')}" in told
    assert line("PySide6", "app") in told


def test_python_does_without_or_says_what_to_type(bare: tuple[dict[str, object], str]) -> None:
    found, _ = bare
    assert found["lines"] == [
        "<Study 'grid': completed, 2 of 2 runs>",
        f"StudyError: {line('pandas', 'frames')}",
        f"StudyError: {line('SALib', 'studies')}",
        f"StudyError: {line('SALib', 'studies')}",
        f"StudyError: {line('distributed', 'cluster')}",
        f"ResultsError: {line('pandas', 'frames')}",
        f"ResultsError: {line('xarray', 'xarray')}",
        f"ResultsError: {line('pandas', 'frames')}",
        "moving.html",
        f"DrawError: {line('vtkmodules', 'pictures')}",
    ]
    # nothing was begun that cannot be ended
    assert found["files"] == [
        "curve.svg", "model.json", "moving.html", "page.html", "run.h5", "scene.html", "table.csv",
    ]  # fmt: skip


def imported(name: str) -> Iterator[str]:
    """Give the modules of ours that a module imports, at its head or later."""
    for package in ("", "/__init__"):
        file = ROOT / f"{name.replace('.', '/')}{package}.py"
        if not file.is_file():
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from (one.name for one in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                yield node.module
                yield from (f"{node.module}.{one.name}" for one in node.names)


def test_films_and_scenes_know_no_window() -> None:
    """All that these commands import, near and far, is there with the pictures alone."""
    near = ["app.front_door", "app.features.movie.command_line", "app.features.export.command_line"]
    # by which the front door opens the window
    far, waiting = {"app.shell.opening", "app.quick_qt"}, list(near)
    while waiting:
        name = waiting.pop()
        if name.partition(".")[0] in {"PySide6", "pyqtgraph"}:
            raise AssertionError(f"{name} is imported")
        if name not in far and name.partition(".")[0] == "app":
            far.add(name)
            waiting += imported(name)
    assert {"app.scene.form", "app.scene.ready", "app.scene.exposure"} <= far
