"""Commands on models as mechanisms: assemble."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from solver.base.words import tr
from solver.cli.common import CommandError, Commands, command, files_of, opened, writable
from solver.project import save_project

if TYPE_CHECKING:
    from solver.analysis.equilibrium import Closure

NAMES = ("assemble",)


def add_to(commands: Commands) -> None:
    """Add these commands to the parser."""
    assemble = command(commands, "assemble", tr("Close loops that start open, by the least movement of the start."), _assemble)  # fmt: skip
    assemble.add_argument("project", metavar="PROJECT")
    assemble.add_argument("-o", "--output", metavar="OUT.json", help=tr("project whose loops are closed; none: only say what would move"))  # fmt: skip
    assemble.add_argument(
        "--hold", nargs="+", default=[], metavar="NAME",
        help=tr("joints that keep their coordinates and rates, and segments that stay where they are"),
    )  # fmt: skip
    assemble.add_argument("--all", action="store_true", help=tr("list all ways to close the loops that are found, the nearest first"))  # fmt: skip
    assemble.add_argument("--take", type=int, metavar="N", help=tr("which of them is written, from 1; the nearest if not given"))  # fmt: skip
    assemble.add_argument("--json", action="store_true", help=tr("print it as JSON"))


def _assemble(arguments: argparse.Namespace) -> int:
    from solver.analysis.equilibrium import closed, closures
    from solver.analysis.equilibrium.skeleton import skeleton
    from solver.model.compile import compile_model
    from solver.running.warm import missing

    project, _ = opened(arguments.project)
    if arguments.take is not None and not arguments.output:
        raise CommandError("--take says which is written; give -o OUT.json too.")
    output: Path | None = None
    if arguments.output:
        inputs = files_of(project, arguments.project)
        output = writable(arguments.output, "assembled project", *inputs)
    if missing(compile_model(skeleton(project))):
        print(tr("Compiling the solver for this machine; this is done once."), file=sys.stderr)
    several = arguments.all or arguments.take is not None
    found = closures(project, arguments.hold) if several else (closed(project, arguments.hold),)
    taken = (arguments.take or 1) - 1
    if not 0 <= taken < len(found):
        raise CommandError("There are {count} ways to close the loops; --take goes from 1 to {count}.", count=len(found))  # fmt: skip
    if arguments.json:
        print(json.dumps([_as_json(one) for one in found], indent=2, ensure_ascii=False))
    else:
        print("\n".join(line for n, one in enumerate(found, 1) for line in _lines(n, one)))
    if output is not None:
        save_project(found[taken].project, output)
        if not arguments.json:
            print(tr("wrote        {output}", output=str(output)))
    return 0


def _lines(number: int, one: Closure) -> list[str]:
    head = tr(
        "closure {number}    {mm:.4g} mm of movement, root of the mean square by mass",
        number=number,
        mm=1e3 * one.movement_m,
    )
    return [head, *(f"  {sentence}" for sentence in one.sentences())]


def _as_json(one: Closure) -> dict[str, object]:
    return {
        "movement_m": one.movement_m,
        "moved": [m._asdict() for m in one.moved],
        "speeds_off": one.off,
        "beyond": list(one.beyond),
    }
