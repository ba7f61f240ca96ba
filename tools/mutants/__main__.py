"""Put single faults into a copy of the program and see which of them the nearest tests find."""

from __future__ import annotations

import argparse
import sys
import tempfile
from fnmatch import fnmatchcase
from pathlib import Path

from solver.running.warm import compile_all
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
from tools.mutants.trial import ALL_PASSED, copy_tree, run_tests, trial

PAGE = ROOT / "docs" / "mutants.md"


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
    asked = parser.parse_args()
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
