"""Commands on models as mechanisms: assemble, facts."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from solver.base.words import tr
from solver.cli.common import (
    CommandError,
    Commands,
    command,
    files_of,
    opened,
    solvable,
    writable,
)
from solver.project import save_project

if TYPE_CHECKING:
    from solver.analysis.equilibrium import Closure
    from solver.analysis.mechanism import Facts

NAMES = ("assemble", "facts")


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

    told = command(commands, "facts", tr("Say what a model is as a mechanism: freedoms, tree, loops, mobility, rows that say nothing new."), _facts)  # fmt: skip
    told.add_argument("project", metavar="PROJECT")
    told.add_argument("--tables", action="store_true", help=tr("who carries whom, all rows, and the matrices of the graph, too"))  # fmt: skip
    told.add_argument("--json", action="store_true", help=tr("print them all as JSON"))


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


def _facts(arguments: argparse.Namespace) -> int:
    from solver.analysis.mechanism import facts

    project, notes = opened(arguments.project)
    found = facts(solvable(project, notes))
    if arguments.json:
        print(json.dumps(found.as_data(), indent=2, ensure_ascii=False))
        return 0
    print("\n".join(map(str, found.sentences())))
    for one in found.operations:
        print(
            tr(
                "{part:<14} {products:>8} multiplications {sums:>8} additions {functions:>6} roots and sines",
                part=one.part,
                products=one.products,
                sums=one.sums,
                functions=one.functions,
            )
        )
    if arguments.tables:
        print("\n".join(_tables(found)))
    return 0


def _tables(found: Facts) -> list[str]:
    lines = ["", tr("carried by")]
    for n, (name, parent) in enumerate(found.carried_by.items(), 1):
        lines.append(f"  {n:>3} {name:<24} {parent}")
    lines += ["", tr("connection arrays L^p(k)")]
    lines += ["  " + " ".join(f"{k:>3}" for k in row) for row in found.connection_table]
    if found.rows:
        lines += ["", tr("rows")]
        lines += [f"  {row.name:<28} {tr('redundant') if row.redundant else ''}".rstrip() for row in found.rows]  # fmt: skip
    graph, edges = found.graph, [one.name for one in found.graph.edges]
    branches, chords = ([edges[n] for n in which] for which in (graph.branches, graph.chords))
    for title, names, matrix in (
        (tr("incidence"), list(graph.vertices), graph.incidence),
        (tr("cutsets"), branches, graph.cutset),
        (tr("circuits"), chords, graph.circuit),
    ):
        if len(names):
            lines += ["", f"{title}: {', '.join(edges)}"]
            lines += [
                f"  {name:<24} " + " ".join(f"{one:>2}" for one in row)
                for name, row in zip(names, matrix.tolist(), strict=True)
            ]
    return lines
