"""The main figures of the last measurements, one row for each, at the top of the page of measurements.

A part of the measurements notes its figures by `note`; what is noted stands in the row. Rows of before are read
from the page itself, so nothing else has to be kept.
"""

from __future__ import annotations

import datetime
import os
import platform
import subprocess
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

TITLE = "## The last measurements"
ROWS = 10
"""How many are kept."""

COLUMNS = {
    "steps": "steps",
    "evaluations": "evaluations",
    "evaluation": "one evaluation (the longest of three), of Pinocchio's forward dynamics of its tree",
    "solve": "solve it, of the simulated time",
    "harness": "sled with harness, of the simulated time",
    "belts": "sled with belts",
    "neck": "head and neck",
    "muscle": "muscle, beside a spring",
    "many": "1,000 runs in two processes, of 1,000 × one run",
    "cluster": "on a Dask cluster",
    "slider": "what-if",
    "start": "first start, of one run",
}
"""What stands in a row, by the names under which parts note it: counts and ratios."""

_TEXT = """The default sample, but for what is named otherwise. Counts do not depend on the machine, and ratios do so less than times.
"""

_noted: dict[str, str] = {}


def note(name: str, found: str) -> None:
    """Note one of the main figures of this measurement."""
    assert name in COLUMNS, name
    _noted[name] = found


def section(page: str) -> str:
    """The table with a row for this measurement, behind the last rows of a page."""
    head = ["date", "version", "machine", *COLUMNS.values()]
    new = [datetime.date.today().isoformat(), _version(), _machine()]
    new += [_noted.get(name, "") for name in COLUMNS]
    rows = [*_rows(page, len(head)), new][-ROWS:]
    lines = [TITLE, "", _TEXT, _line(head), "|" + "---|" * len(head), *map(_line, rows)]
    return "\n".join([*lines, ""])


def _rows(page: str, width: int) -> list[list[str]]:
    """The rows that a page has; those of another width are not these any more."""
    _, _, rest = page.partition(f"{TITLE}\n")
    table = rest.partition("\n## ")[0]
    cells = [
        [cell.strip() for cell in line.strip().strip("|").split("|")]
        for line in table.splitlines()
        if line.startswith("|")
    ]
    return [row for row in cells[2:] if len(row) == width]


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _version() -> str:
    """The version, and the commit where it is a checkout's."""
    words = ["git", "rev-parse", "--short=8", "HEAD"]
    here = Path(__file__).parent
    try:
        done = subprocess.run(words, cwd=here, capture_output=True, text=True, check=False)
    except OSError:
        return version("manikin")
    return f"{version('manikin')} {done.stdout.strip()}".strip()


def _machine() -> str:
    """The processor's name, and how many of it there are."""
    name = platform.processor() or platform.machine()
    known = Path("/proc/cpuinfo")
    if known.exists():
        names = [one for one in known.read_text().splitlines() if one.startswith("model name")]
        name = names[0].partition(":")[2].strip() if names else name
    return f"{name}, {os.cpu_count()} cores"
