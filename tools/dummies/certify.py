"""Run the bench of all dummies and keep what it found beside them: `python -m tools.dummies.certify`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from solver.bodies.certificates import FILE, fingerprint
from solver.project.saving import text_of
from solver.studies.bench.running import Result, run_bench
from solver.studies.bench.table import TITLES, dummies
from tools.dummies.__main__ import FOLDER


def kept(name: str, results: Sequence[Result]) -> Mapping[str, Any]:
    """What is kept of a dummy's bench."""
    tests = [
        {
            "title": TITLES[one.test.kind],
            "paragraph": one.test.paragraph,
            "figures": len(one.verdicts),
            "inside": sum(v.passed for v in one.verdicts),
            "margin": round(min(v.margin for v in one.verdicts if v.margin is not None), 3),
        }
        for one in results
    ]
    return {"of": fingerprint(name), "tests": tests}


if __name__ == "__main__":
    found = {name: kept(name, run_bench(name)) for name in dummies()}
    (FOLDER / FILE).write_text(text_of(found), encoding="utf-8", newline="\n")
    print(f"wrote {FILE}")
