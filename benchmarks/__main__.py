"""Measure and print every table, or those that are named; `--write` also puts all into `docs/performance.md`."""

from __future__ import annotations

import platform
import sys
from pathlib import Path

from benchmarks import (
    counts,
    first_start,
    history,
    house,
    many,
    neck,
    occupant,
    parts,
    peers,
    studies,
    window,
)

PAGE = Path(__file__).resolve().parent.parent / "docs" / "performance.md"

HEAD = """# Performance

How long runs, studies, opening and drawing take, and how that compares with other programs for the same model.

This page is produced by a command (`make bench`, `python -m benchmarks --write`). Times of one run
can be compared with each other; times of different machines or days cannot.
"""


PARTS = {
    "counts": counts.table,
    "first_start": first_start.table,
    "house": house.table,
    "studies": studies.table,
    "many": many.table,
    "occupant": occupant.table,
    "parts": parts.table,
    "neck": neck.table,
    "window": window.table,
    "peers": peers.table,
}


def main(arguments: list[str]) -> int:
    """Run all measurements, or some."""
    named = [one for one in arguments if one != "--write"]
    if unknown := [one for one in named if one not in PARTS]:
        print(f"There is no part {', '.join(unknown)}; there are {', '.join(PARTS)}.")
        return 2
    tables = [PARTS[one]() for one in named or PARTS]
    if not named:
        # one more row of the main figures, which the parts have noted
        tables.insert(0, history.section(PAGE.read_text(encoding="utf-8")))
    text = "\n".join([HEAD, _machine(), *tables])
    print(text)
    if "--write" in arguments and not named:
        PAGE.write_text(text, encoding="utf-8", newline="\n")
    return 0


def _machine() -> str:
    return f"Measured with Python {platform.python_version()} on {platform.system()} {platform.machine()}.\n"


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
