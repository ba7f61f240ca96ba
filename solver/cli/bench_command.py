"""The command that certifies dummies: bench."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from solver.base.words import tr
from solver.cli.common import CommandError, Commands, command, writable

if TYPE_CHECKING:
    from solver.studies.bench.running import Result
    from solver.studies.bench.table import BenchTest

NAMES = ("bench",)


def add_to(commands: Commands) -> None:
    """Add this command to the parser."""
    bench = command(commands, "bench", tr("Run the bench tests of dummies."), _bench)
    bench.add_argument(
        "dummies", metavar="DUMMY", nargs="*", help=tr("all if none is named; see 'body --list'")
    )
    bench.add_argument(
        "--test", metavar="KIND", action="append", default=[], help=tr("only these tests")
    )
    bench.add_argument(
        "--scene",
        action="store_true",
        help=tr("write the scene of one test of one dummy as a project instead of running it"),
    )
    bench.add_argument(
        "--fits",
        action="store_true",
        help=tr("write one dummy as a project with the studies that its numbers were fitted by, for 'study'"),
    )  # fmt: skip
    bench.add_argument(
        "--margins",
        action="store_true",
        help=tr("print what the fit leaves open instead of running: how far its numbers may move, what else passes"),
    )  # fmt: skip
    bench.add_argument("--json", action="store_true", help=tr("print the figures as JSON"))
    bench.add_argument(
        "-o", "--output", metavar="FILE", help=tr("certificate of one dummy, HTML or PDF; or the project")
    )  # fmt: skip


def _bench(arguments: argparse.Namespace) -> int:
    from solver.studies.bench.running import run_test
    from solver.studies.bench.table import dummies

    names = arguments.dummies or list(dummies())
    for name in names:
        if name not in dummies():
            raise CommandError(
                "'{name}' has no bench tests. These have: {known}.",
                name=name,
                known=", ".join(dummies()),
            )
    if arguments.margins:
        return _margins(names, arguments)
    if arguments.fits:
        return _fits(names, arguments)
    if (arguments.output or arguments.scene) and len(names) != 1:
        raise CommandError("Name one dummy: a file holds one certificate, or one scene.")
    chosen = {name: _chosen(name, arguments.test) for name in names}
    if arguments.scene:
        return _scene(names[0], chosen[names[0]], arguments)
    target = writable(arguments.output, "certificate") if arguments.output else None
    if target is not None and target.suffix.lower() not in (".html", ".htm", ".pdf"):
        raise CommandError("'{target}' must end in .html or .pdf.", target=target.name)
    found: dict[str, list[Result]] = {}
    for name in names:
        found[name] = []
        for test in chosen[name]:
            result = run_test(name, test)
            found[name].append(result)
            if not arguments.json:
                print(_told(result), flush=True)
    if arguments.json:
        print(json.dumps({name: [_plain(r) for r in rs] for name, rs in found.items()}, indent=2))
    if target is not None:
        from solver.report import ReportError
        from solver.report.bench.certificate import certificate

        try:
            saved = certificate(names[0], found[names[0]]).save(target)
        except ReportError as failure:
            raise CommandError(str(failure)) from None
        if not arguments.json:
            print(tr("Wrote {save}.", save=saved))
    return 0 if all(r.passed for results in found.values() for r in results) else 1


def _fits(names: list[str], arguments: argparse.Namespace) -> int:
    """Write the file of a dummy: a project with its fits."""
    from solver.bodies.dummies import dummy_file
    from solver.project import save_project

    if arguments.scene or arguments.json or arguments.test or len(names) != 1:
        raise CommandError("--fits goes with one dummy and -o FILE.json alone.")
    if not arguments.output:
        raise CommandError("Say where to: --fits -o FILE.json.")
    target = writable(arguments.output, "project")
    save_project(dummy_file(names[0]), target)
    print(tr("Wrote {save}.", save=target))
    return 0


def _margins(names: list[str], arguments: argparse.Namespace) -> int:
    """Print what fits leave open, as kept beside the dummies."""
    from solver.report.bench.left_open import left_open

    if arguments.output or arguments.scene or arguments.json or arguments.test:
        raise CommandError("--margins goes with names of dummies alone.")
    for name in names:
        print(name)
        for table in left_open(name):
            rows = [table.heads, *(tuple(cell.text for cell in row) for row in table.rows)]
            widths = [max(len(row[k]) for row in rows) for k in range(len(table.heads))]
            print("\n".join(["", table.title, *(_line(row, widths) for row in rows), *table.notes]))
        print()
    return 0


def _line(row: tuple[str, ...], widths: list[int]) -> str:
    return "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _chosen(name: str, kinds: list[str]) -> list[BenchTest]:
    from solver.studies.bench.table import bench_tests

    known = [test.kind for test in bench_tests(name)]
    for kind in kinds:
        if kind not in known:
            raise CommandError(
                "'{name}' has no test '{kind}'. It has: {known}.",
                name=name,
                kind=kind,
                known=", ".join(known),
            )
    return [test for test in bench_tests(name) if not kinds or test.kind in kinds]


def _scene(name: str, tests: list[BenchTest], arguments: argparse.Namespace) -> int:
    from solver.bodies import library_body
    from solver.project import save_project
    from solver.studies.bench.fixtures import scene

    if arguments.json:
        raise CommandError("A scene has no figures: leave out --json.")
    if len(tests) != 1 or not arguments.output:
        raise CommandError("Say which test and where to: --scene --test neck_flexion -o FILE.json.")
    target = writable(arguments.output, "project")
    save_project(scene(tests[0], library_body(name)), target)
    print(tr("Wrote {save}.", save=target))
    return 0


def _told(result: Result) -> str:
    from solver.studies.bench.sayings import corridor, said, value
    from solver.studies.bench.table import TITLES

    passed = tr("passed") if result.passed else tr("NOT PASSED")
    lines = [f"{result.dummy}: {tr(TITLES[result.test.kind])} ({result.test.paragraph}): {passed}"]
    for v in result.verdicts:
        mark = " " if v.passed else "!"
        lines.append(f"  {mark} {said(v.asked):<42} {value(v):>12}   {corridor(v.asked)}")
    lines += [tr("  warning: {what}", what=one) for one in result.passages]
    return "\n".join(lines)


def _plain(result: Result) -> dict[str, Any]:
    return {
        "test": result.test.kind,
        "paragraph": result.test.paragraph,
        "passed": result.passed,
        "passages": list(result.passages),
        "figures": [
            {
                "figure": v.asked.figure, "at": v.asked.at, "until": v.asked.until, "unit": v.asked.unit,
                "low": v.asked.low, "high": v.asked.high, "value": v.value, "passed": v.passed, "reason": v.reason,
            }
            for v in result.verdicts
        ],
    }  # fmt: skip
