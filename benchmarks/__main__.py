"""Measure and print every table; `--write` also puts them into `docs/performance.md`."""

from __future__ import annotations

import platform
import sys
from pathlib import Path

from benchmarks import house, neck, occupant, peers, studies, window

PAGE = Path(__file__).resolve().parent.parent / "docs" / "performance.md"

HEAD = """# Performance

This page is produced by a command (`make bench`, `python -m benchmarks --write`). Times of one run
can be compared with each other; times of different machines or days cannot.
"""


def main(arguments: list[str]) -> int:
    """Run all measurements."""
    text = "\n".join(
        [
            HEAD,
            _machine(),
            *(
                part()
                for part in (
                    house.table,
                    studies.table,
                    occupant.table,
                    neck.table,
                    window.table,
                    peers.table,
                )
            ),
        ]
    )
    print(text)
    if "--write" in arguments:
        PAGE.write_text(text, encoding="utf-8", newline="\n")
    return 0


def _machine() -> str:
    return f"Measured with Python {platform.python_version()} on {platform.system()} {platform.machine()}.\n"


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
