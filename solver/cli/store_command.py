"""Command on the store: find."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from solver.base.words import tr
from solver.cli.common import CommandError, Commands, command

if TYPE_CHECKING:
    from solver.store import Entry

NAMES = ("find",)


def add_to(commands: Commands) -> None:
    """Add this command to the parser."""
    find = command(commands, "find", tr("Find projects, runs and studies by words and figures."), _find)  # fmt: skip
    find.add_argument("query", metavar="QUERY", nargs="?", default="", help=tr('such as "HIC15 < 400 and belt"; all that there is if not given'))  # fmt: skip
    find.add_argument(
        "--in", dest="folders", nargs="+", metavar="FOLDER", default=[],
        help=tr("folders to look into, from now on; the present one where none has been looked into yet"),
    )  # fmt: skip
    find.add_argument("--forget", nargs="+", metavar="FOLDER", default=[], help=tr("folders to look into no more"))  # fmt: skip
    find.add_argument("--kind", choices=("project", "run", "study"), help=tr("only these"))
    find.add_argument("--dangling", action="store_true", help=tr("only runs and studies whose model is that of no project"))  # fmt: skip
    find.add_argument("--json", action="store_true", help=tr("print what is found as JSON"))


def _find(arguments: argparse.Namespace) -> int:
    from solver.store import Store
    from solver.store.query import compared, parsed

    query = parsed(arguments.query)
    if arguments.dangling and (arguments.query or arguments.kind):
        raise CommandError("--dangling lists all of them; leave out the query and --kind.")
    with Store() as store:
        for folder in arguments.forget:
            store.forget(Path(folder))
        folders = [Path(one) for one in arguments.folders]
        if not folders and not store.folders and not arguments.forget:
            folders = [Path.cwd()]
        looked = store.look(folders)
        for path in looked.dropped:
            print(tr("gone: {path}", path=str(path)), file=sys.stderr)
        for path, why in looked.unread:
            print(tr("not read: {path}: {why}", path=str(path), why=why), file=sys.stderr)
        kinds = [arguments.kind] if arguments.kind else []
        found = store.dangling() if arguments.dangling else store.find(query, kinds)
        if arguments.json:
            print(json.dumps([_as_json(one) for one in found], indent=2, ensure_ascii=False))
            return 0
        names = compared(query)
        for one in found:
            print(_line(one, names))
        print(tr("{count} of {all} files in {folders} folders", count=len(found), all=len(store.find("")), folders=len(store.folders)))  # fmt: skip
    return 0


def _line(one: Entry, names: tuple[str, ...]) -> str:
    told = [
        f"{name} {low:.4g}" if low == high else f"{name} {low:.4g} … {high:.4g}"
        for name, (low, high) in one.chosen(names)
    ]
    about = ", ".join([one.name, one.status, *told]) if one.name else ", ".join(told)
    return "  ".join([f"{one.kind:<8}", str(one.path), one.title, about]).rstrip()


def _as_json(one: Entry) -> dict[str, object]:
    return {
        "kind": one.kind,
        "path": str(one.path),
        "title": one.title,
        "name": one.name,
        "status": one.status,
        "model": one.model,
        "numbers": {name: {"low": low, "high": high} for name, (low, high) in one.numbers.items()},
    }
