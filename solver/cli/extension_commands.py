"""The command on what other packages add: extensions."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence

from solver.base.extensions import GROUPS, Extension, extensions
from solver.base.words import tr
from solver.cli.common import Commands, command

NAMES = ("extensions",)


def add_to(commands: Commands) -> None:
    """Add this command to the parser."""
    made = command(
        commands,
        "extensions",
        tr("List what installed packages add: criteria, importers, exporters, panels."),
        _extensions,
    )
    made.add_argument("--json", action="store_true", help=tr("print them as JSON"))


def _extensions(arguments: argparse.Namespace) -> int:
    """List them, and say of those that cannot be used why; the exit code is 1 where there are such."""
    from solver.exchange.added import fault_of

    rows = [(one, fault_of(one)) for group in GROUPS for one in extensions(group)]
    if arguments.json:
        print(json.dumps([_as_json(*row) for row in rows], indent=2, ensure_ascii=False))
    elif not rows:
        print(tr("No installed package adds anything."))
    else:
        print("\n".join(_lines(rows)))
    return 1 if any(fault for _, fault in rows) else 0


def _lines(rows: Sequence[tuple[Extension, str]]) -> list[str]:
    widths = [max(len(word) for word in column) for column in zip(*map(_words, rows), strict=True)]
    return [
        "  ".join(
            word.ljust(width) for word, width in zip(_words(row), widths, strict=True)
        ).rstrip()
        + (f"\n  {row[1]}" if row[1] else "")
        for row in rows
    ]


def _words(row: tuple[Extension, str]) -> tuple[str, str, str, str]:
    one = row[0]
    return one.kind, one.name, one.package, one.target


def _as_json(one: Extension, fault: str) -> dict[str, str]:
    return {
        "group": one.group, "name": one.name, "package": one.package, "target": one.target, "fault": fault,
    }  # fmt: skip
