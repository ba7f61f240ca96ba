"""Which tests stand nearest to a place of the program.

Files of tests are ordered by what they have in common with the module: that they import it, words of its name, names
that it defines (the fewer other files of tests know a name, the more it counts). Of the nearest files those tests
are taken whose text has most in common with that of the function.
"""

from __future__ import annotations

import ast
import math
import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tools.mutants.drawing import SCOPES, Drawn
from tools.mutants.listed import ROOT

FILES = 5
"""How many files of tests count as nearest."""

TESTS, FIRST = 24, 8
"""How many tests of these are tried, and how many of them first."""

_LENGTH = 0.4
"""Long tests use many names, whatever they look at."""

_DEAR, _LATER = {"slow", "simulate", "solved", "samples", "trajectory"}, 0.5
"""Tests that solve something take longer and come later."""

_IMPORTS, _STEM, _FOLDER, _ROOM = 8.0, 4.0, 2.0, 6.0
_FEW = 4
"""Where so few files of tests know the function by its name, they are among the nearest."""
_USED, _MOST_USERS = 1.0, 12
"""What stands near to those that use a module counts, where these are few."""
_OF_APP = ("app", "window")
_COMMON = {"app", "solver", "features", "feature", "panel", "engine", "init", "test", "dialog"}
_PASSED_OVER = {
    "test_monkey.py",
    "test_app_imports.py",
    "test_guard.py",
    "test_accessible.py",
    "test_made_up.py",
}
"""Tests of everything at once: nearest to nothing."""


@dataclass(frozen=True)
class _File:
    path: str
    words: frozenset[str]
    imports: frozenset[str]
    stem: frozenset[str]


def files(module: str, root: Path = ROOT, count: int = FILES, function: str = "") -> list[str]:
    """Name the nearest files of tests: of those of the window for the window, of others for the solver.

    What of the solver is only seen is tested beside the window: such a file imports its module.
    """
    app, dotted = module.startswith("app/"), _dotted(module)
    tests = [
        one for one in _all(root)
        if (Path(one.path).parts[1] in _OF_APP) is app or (not app and dotted in one.imports)
    ]  # fmt: skip
    users = _users(root).get(dotted, ())
    near = _nearness(module, tests, root)
    for user in users if len(users) <= _MOST_USERS else ():
        for path, more in _nearness(user, tests, root).items():
            near[path] += _USED * more / len(users)
    nearest = sorted(near, key=lambda path: near[path], reverse=True)[:count]
    named = [one.path for one in tests if function in one.words]
    return [*nearest, *(one for one in named if len(named) <= _FEW and one not in nearest)]


def _nearness(module: str, tests: Sequence[_File], root: Path) -> dict[str, float]:
    """Say how near each file of tests is to a module."""
    app = module.startswith("app/")
    names, frequent = _defined(root / module), _frequent(root)
    dotted = _dotted(module)
    stem, folders = _parts(Path(module).stem), _parts("_".join(Path(module).parts[:-1]))

    def nearness(file: _File) -> float:
        near = sum(
            math.log(len(tests) / frequent[n])
            for n in names & file.words
            if frequent[n] <= len(tests) / 5
        )
        near += _IMPORTS * (dotted in file.imports)
        near += _STEM * len(stem & file.stem) + _FOLDER * len(folders & file.stem)
        return near + _ROOM * (not app and Path(file.path).parts[1] in Path(module).parts)

    return {file.path: nearness(file) for file in tests}


def _dotted(module: str) -> str:
    return module.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


@cache
def _users(root: Path) -> dict[str, list[str]]:
    """The modules of the program that import another, by its dotted name."""
    found: dict[str, list[str]] = {}
    for file in sorted(one for scope in SCOPES for one in (root / scope).rglob("*.py")):
        for name in _imports(ast.parse(file.read_text(encoding="utf-8"))):
            found.setdefault(name, []).append(file.relative_to(root).as_posix())
    return found


def _imports(tree: ast.Module) -> set[str]:
    """Dotted names of what a module imports, and of what it imports from there."""
    imports = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            imports |= {node.module, *(f"{node.module}.{one.name}" for one in node.names)}
        elif isinstance(node, ast.Import):
            imports |= {one.name for one in node.names}
    return imports


def chosen(
    drawn: Drawn, tree: Path, count: int = TESTS, but: Collection[str] = ()
) -> tuple[str, ...]:
    """Name the tests of the nearest files that use most of the function's names, the rarer the better.

    `but` are not taken: they fail anyway.
    """
    asked = _words(drawn.spot.function) | _words(Path(drawn.file).stem)
    asked |= _words(_source_of(tree / drawn.file, drawn.spot.line))
    function = drawn.spot.function.rpartition(".")[2].strip("_")
    found = {
        f"{file}::{name}": words
        for file in files(drawn.file, tree, function=function)
        for name, words in _tests(tree / file).items()
        if f"{file}::{name}" not in but
    }
    frequent = Counter(word for words in found.values() for word in words)

    def nearness(test: str) -> float:
        both = asked & found[test]
        near = sum(math.log(1.0 + len(found) / frequent[word]) for word in both)
        near /= math.pow(max(1, len(found[test])), _LENGTH)
        return near * (_LATER if found[test] & _DEAR else 1.0)

    best = sorted(found, key=nearness, reverse=True)[:count]
    return (*_by_file(best[:FIRST]), *_by_file(best[FIRST:]))


def _by_file(tests: list[str]) -> list[str]:
    """Put tests of one file together: they may share a window."""
    of = [test.partition("::")[0] for test in tests]
    return sorted(tests, key=lambda test: of.index(test.partition("::")[0]))


def _words(text: str) -> set[str]:
    """Names in a text, and their parts."""
    whole = set(re.findall(r"[A-Za-z_]{4,}", text))
    parts = {
        part.lower().removesuffix("s") for one in whole for part in re.findall(r"[A-Z]?[a-z]+", one)
    }
    return whole | {part for part in parts if len(part) > 3}


def _source_of(file: Path, line: int) -> str:
    """The text of the innermost function around a line."""
    text = file.read_text(encoding="utf-8")
    around = [
        node for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or 0)
    ]  # fmt: skip
    if not around:
        return ""
    inner = max(around, key=lambda node: node.lineno)
    return "\n".join(text.splitlines()[inner.lineno - 1 : inner.end_lineno])


@cache
def _tests(file: Path) -> dict[str, set[str]]:
    """The words of each test of a file, with those of what it uses at the top of the file and of others beside it."""
    text = file.read_text(encoding="utf-8")
    tree = ast.parse(text)
    helps = _at_top(file)
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tests."):
            beside = _tests_root(file) / f"{str(node.module).replace('.', '/')}.py"
            if beside.is_file():
                known = _at_top(beside)
                helps |= {a.asname or a.name: known.get(a.name, set()) for a in node.names}
    found = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            own = "\n".join(text.splitlines()[first - 1 : node.end_lineno])
            used = set(re.findall(r"\w+", own)) & set(helps)
            found[node.name] = _words(own).union(*(helps[name] for name in used))
    return found


def _tests_root(file: Path) -> Path:
    """The folder that holds the tests' one."""
    return next(one.parent for one in file.parents if one.name == "tests")


@cache
def _at_top(file: Path) -> dict[str, set[str]]:
    """The words of what a file of tests or helpers defines at its top, but for its tests."""
    text = file.read_text(encoding="utf-8")
    found: dict[str, set[str]] = {}
    for node in ast.parse(text).body:
        names: list[str] = []
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names = [] if node.name.startswith("test_") else [node.name]
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [one.id for one in targets if isinstance(one, ast.Name)]
        for name in names:
            found[name] = _words(ast.get_source_segment(text, node) or "")
    return found


@cache
def _all(root: Path) -> tuple[_File, ...]:
    found = []
    for file in sorted((root / "tests").rglob("test_*.py")):
        if file.name in _PASSED_OVER:
            continue
        text = file.read_text(encoding="utf-8")
        tree = ast.parse(text)
        imports = _imports(tree)
        # what a file of tests takes from beside it belongs to it
        text += "".join(
            (root / f"{name.replace('.', '/')}.py").read_text(encoding="utf-8")
            for name in sorted(imports)
            if name.startswith("tests.") and (root / f"{name.replace('.', '/')}.py").is_file()
        )
        path = file.relative_to(root).as_posix()
        found.append(
            _File(
                path,
                frozenset(re.findall(r"\w{5,}", text)),
                frozenset(imports),
                frozenset(_parts(file.stem)),
            )
        )
    return tuple(found)


@cache
def _frequent(root: Path) -> Counter[str]:
    return Counter(word for file in _all(root) for word in file.words)


def _defined(file: Path) -> frozenset[str]:
    """Give the names that a module defines."""
    names = set[str]()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            names.add(node.attr)
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and node.value.isidentifier()
        ):
            names.add(node.value)
    return frozenset(names)


def _parts(name: str) -> set[str]:
    """The words of a file's name, in the singular."""
    return {part.removesuffix("s") for part in name.split("_") if part and part not in _COMMON}
