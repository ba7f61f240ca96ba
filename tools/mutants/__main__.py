"""Put single faults into a copy of the program and see which of them the nearest tests find."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

from solver.running.warm import compile_all
from tools.mutants import nearest
from tools.mutants.drawing import SCOPES, Drawn, draw
from tools.mutants.drawn import ASKED as ASKED_OF_DRAWN
from tools.mutants.drawn import Draws, Row, read_draws, write_draws
from tools.mutants.listed import ROOT, Fault, Misfit, read_faults
from tools.mutants.score import (
    ASKED,
    FILE,
    Outcome,
    mutants_markdown,
    read_score,
    share,
    write_score,
)
from tools.mutants.swapped import Server
from tools.mutants.trial import ALL_PASSED, LONGEST_S, copy_tree, run_tests, trial

PAGE = ROOT / "docs" / "mutants.md"

_ENDS_ALL = "what ends all tests"


def main() -> int:
    """Try the chosen faults, write what became of them; fail where too few are found."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=__doc__)
    parser.add_argument("--only", nargs="+", default=["*"], metavar="NAME", help="names; * and ?")
    parser.add_argument(
        "--kernels", action=argparse.BooleanOptionalAction, default=True,
        help="also faults that need compiling",
    )  # fmt: skip
    parser.add_argument("--unsure", action="store_true", help="only what is not known as killed")
    parser.add_argument("--dry", action="store_true", help="write nothing down")
    parser.add_argument(
        "--drawn", type=int, metavar="N", help="draw N faults instead of those listed"
    )
    parser.add_argument("--seed", type=int, default=46, help="of the draw (46)")
    parser.add_argument(
        "--in", choices=SCOPES, default="app", dest="scope", help="where they are drawn"
    )
    parser.add_argument(
        "--by", nargs="+", metavar="TEST", help="tests to try instead of the nearest (drawn faults)"
    )
    asked = parser.parse_args()
    if asked.drawn:
        return _draw(asked)
    faults, score = read_faults(), read_score()
    chosen = [
        f for f in faults
        if any(fnmatchcase(f.name, name) for name in asked.only)
        and (asked.kernels or not f.is_kernel)
        and not (asked.unsure and f.name in score and score[f.name].killed)
    ]  # fmt: skip
    if not chosen:
        print(f"There is no such fault: {', '.join(asked.only)}.", file=sys.stderr)
        return 2
    try:
        for fault in faults:
            fault.put_in((ROOT / fault.file).read_text(encoding="utf-8"))
        tried = _tried(chosen)
    except Misfit as misfit:
        print(misfit, file=sys.stderr)
        return 2
    if not asked.dry:
        # another run may have written meanwhile, of faults that are new
        write_score(read_score() | tried, read_faults())
        PAGE.write_text(mutants_markdown(), encoding="utf-8", newline="\n")
        print(f"\nwrote {FILE.relative_to(ROOT)} and {PAGE.relative_to(ROOT)}")
    found = share(chosen, tried)
    print(f"{sum(o.killed for o in tried.values())} of {len(tried)} killed: {found:.0f} %")
    return 0 if found >= ASKED else 1


def _draw(asked: argparse.Namespace) -> int:
    """Draw faults, try those that are not known as killed, and write each down as it comes."""
    compile_all()
    with ExitStack() as stack:
        tree = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="mutants-")))
        copy_tree(ROOT, tree)
        drawn = draw(asked.scope, asked.drawn, asked.seed, tree, kernels=asked.kernels)
        known = _known(asked, drawn)
        chosen = [one for one in drawn if any(fnmatchcase(one.name, name) for name in asked.only)]
        if asked.unsure:
            known.forget(lambda row: not row.killed)
        server = stack.enter_context(Server(tree, asked.scope, LONGEST_S))
        failing, tried = frozenset[str](), dict[str, Row]()
        while left := [one for one in chosen if one.name not in known.rows]:
            print(f"{len(left)} of {len(drawn)} faults to try", flush=True)
            for number, one in enumerate(left, 1):
                tried[one.name] = row = _drawn_trial(one, tree, server, asked.by, failing)
                told = "killed" if row.killed else "SURVIVED"
                where = f"{row.file}:{row.line} {row.function}"
                print(f"{number:>3}/{len(left)} {told:<8} {row.seconds:6.1f} s  {one.name} {where}")
                print(f"      {row.kind}: {row.old} -> {row.new}\n      {row.by}", flush=True)
                # another run may have written meanwhile, of the other part
                known = _known(asked, drawn)
                known.rows |= tried
                if not asked.dry:
                    write_draws(known)
            killing = {known.rows[one.name].by for one in chosen} - {"", _ENDS_ALL} - known.sound
            failing |= frozenset(more := _failing_anyway(killing, tree))
            known = _known(asked, drawn)
            known.rows |= tried
            known.sound |= killing - failing
            if more:
                print(f"These tests fail without any fault: {', '.join(more)}")
                tried = {name: row for name, row in tried.items() if row.by not in failing}
                known.forget(_killed_by(failing))
            if not asked.dry:
                write_draws(known)
    if not asked.dry:
        write_draws(known)
        PAGE.write_text(mutants_markdown(), encoding="utf-8", newline="\n")
    found = known.share(asked.scope)
    print(f"{found:.0f} % of those that change something are killed")
    return 0 if found >= ASKED_OF_DRAWN[asked.scope] else 1


def _known(asked: argparse.Namespace, drawn: list[Drawn]) -> Draws:
    known = read_draws()
    known.keep(asked.scope, asked.seed, drawn)
    return known


def _drawn_trial(
    drawn: Drawn, tree: Path, server: Server, by: Sequence[str] | None, but: frozenset[str]
) -> Row:
    """Try some tests, or the nearest, and where these pass some that are farther away."""
    left_out = {test.partition("[")[0] for test in but}
    tests = tuple(by) if by else nearest.chosen(drawn, tree, but=left_out)
    outcome, said = Outcome(False, 0.0), ""
    for some in (tests[: nearest.FIRST], tests[nearest.FIRST :]):
        if some and not outcome.killed:
            fault, before = drawn.fault(some, tree), outcome.seconds
            loaded = None if fault.is_kernel else (server, drawn.spot.line)
            outcome, said = trial(tree, fault, may_stop_all=True, loaded=loaded)
            outcome = replace(outcome, seconds=round(before + outcome.seconds, 1))
    failed = [line for line in said.splitlines() if line.startswith(("FAILED", "ERROR"))]
    found = failed[0].split(" - ")[0].split(maxsplit=1)[1] if failed else _ENDS_ALL
    if outcome.killed and not failed:
        print(said, flush=True)
    spot, change = drawn.spot, drawn.change
    return Row(
        drawn.file, spot.function, spot.line, change.kind, spot.text, change.new,
        outcome.killed, found if outcome.killed else "", len(tests), outcome.seconds,
    )  # fmt: skip


def _killed_by(tests: frozenset[str]) -> Callable[[Row], bool]:
    return lambda row: row.by in tests


def _failing_anyway(killing: set[str], tree: Path) -> list[str]:
    """Name the tests that fail without any fault: what they are said to have killed is not known."""
    left = sorted(killing)
    found = list[str]()
    while left:
        code, said = run_tests(tree, left, longest_s=None)
        failed = [test for test in left if f" {test}" in said]
        if code == ALL_PASSED or not failed:
            break
        found += failed
        left = [test for test in left if test not in failed]
    return found


def _tried(chosen: list[Fault]) -> dict[str, Outcome]:
    """Try faults, after their tests have passed without any."""
    compile_all()
    tried: dict[str, Outcome] = {}
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        tree = Path(folder)
        copy_tree(ROOT, tree)
        tests = dict.fromkeys(test for fault in chosen for test in fault.tests)
        print(f"Running {len(tests)} tests and files of tests without any fault", flush=True)
        code, said = run_tests(tree, tests, longest_s=None)
        if code != ALL_PASSED:
            raise Misfit(f"These tests fail without any fault:\n{said}")
        for number, fault in enumerate(chosen, 1):
            tried[fault.name], said = trial(tree, fault)
            outcome = tried[fault.name]
            told = "killed" if outcome.killed else "SURVIVED"
            head = f"{number:>3}/{len(chosen)} {told:<8} {outcome.seconds:6.1f} s  {fault.name}"
            by = [line for line in said.splitlines() if line.startswith(("FAILED", "ERROR"))]
            print("\n      ".join([head, *by]), flush=True)
    return tried


if __name__ == "__main__":
    raise SystemExit(main())
