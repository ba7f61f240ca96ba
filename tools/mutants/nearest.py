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
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tools.mutants.drawing import Drawn
from tools.mutants.listed import ROOT

FILES = 3
"""How many files of tests count as nearest."""

TESTS, FIRST = 24, 8
"""How many tests of these are tried, and how many of them first."""

_LENGTH = 0.4
"""Long tests use many names, whatever they look at."""

_IMPORTS, _STEM, _FOLDER, _ROOM = 8.0, 4.0, 2.0, 6.0
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


def files(module: str, root: Path = ROOT, count: int = FILES) -> list[str]:
    """Name the nearest files of tests: of tests of the window for the window, of others for the solver."""
    app = module.startswith("app/")
    tests = [one for one in _all(root) if (Path(one.path).parts[1] in _OF_APP) is app]
    names, frequent = _defined(root / module), _frequent(root)
    dotted = module.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
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

    return [one.path for one in sorted(tests, key=nearness, reverse=True)[:count]]


def chosen(drawn: Drawn, tree: Path, count: int = TESTS) -> tuple[str, ...]:
    """Name the tests of the nearest files that use most of the function's names, the rarer the better."""
    asked = _words(drawn.spot.function) | _words(Path(drawn.file).stem)
    asked |= _words(_source_of(tree / drawn.file, drawn.spot.line))
    found = {
        f"{file}::{name}": words
        for file in files(drawn.file, tree)
        for name, words in _tests(tree / file).items()
    }
    frequent = Counter(word for words in found.values() for word in words)

    def nearness(test: str) -> float:
        both = asked & found[test]
        near = sum(math.log(1.0 + len(found) / frequent[word]) for word in both)
        return near / math.pow(max(1, len(found[test])), _LENGTH)

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
    """The words of each test of a file."""
    text = file.read_text(encoding="utf-8")
    return {
        node.name: _words(ast.get_source_segment(text, node) or "")
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


@cache
def _all(root: Path) -> tuple[_File, ...]:
    found = []
    for file in sorted((root / "tests").rglob("test_*.py")):
        if file.name in _PASSED_OVER:
            continue
        text = file.read_text(encoding="utf-8")
        imports = set[str]()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom) and node.module:
                imports |= {node.module, *(f"{node.module}.{one.name}" for one in node.names)}
            elif isinstance(node, ast.Import):
                imports |= {one.name for one in node.names}
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
