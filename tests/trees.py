"""What sources of the program import, define and say of themselves: each file is read once in a process."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

INNER = ("body", "orelse", "finalbody", "handlers", "cases")
"""Fields of statements in which further ones stand."""


class Source(NamedTuple):
    """What a source imports and from where, what it defines at its top, and its docstrings with their lines."""

    imports: list[tuple[str, list[str]]]
    names: list[str]
    docstrings: list[tuple[int, str]]


def read(text: str) -> Source:
    """Look through the statements of a source, those within others too."""
    tree = ast.parse(text)
    imports, docstrings = list[tuple[str, list[str]]](), list[tuple[int, str]]()
    for node in _statements(tree):
        if isinstance(node, ast.Import):
            imports += [(alias.name, []) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            imports.append((node.module, [alias.name for alias in node.names]))
        elif isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and (
            said := ast.get_docstring(node)
        ):
            docstrings.append((getattr(node, "lineno", 1), said))
    names = [one.name for one in tree.body if isinstance(one, ast.ClassDef | ast.FunctionDef)]
    return Source(imports, names, docstrings)


@cache
def source(file: Path) -> Source:
    """Look through a file."""
    return read(file.read_text(encoding="utf-8"))


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    """All statements of a tree and itself, without their expressions: a tenth of what `ast.walk` goes through."""
    waiting = [tree]
    while waiting:
        here = waiting.pop()
        yield here
        for name in INNER:
            inner = getattr(here, name, None)
            if isinstance(inner, list):
                waiting += inner
