"""The first start: all that the default sample needs is compiled from nothing, in processes beside this one."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import manikin as mk
from benchmarks.history import note
from solver.running.warm import PROCESSES

_COMPILE = """
import sys
import manikin as mk
from solver.model.compile import compile_model
from solver.running.warm import compile_parts
failures = compile_parts(compile_model(mk.sample("frontal").project))
print(*failures, file=sys.stderr)
sys.exit(bool(failures))
"""


class Start(NamedTuple):
    """What it took."""

    seconds: float
    processor: float
    """Of all processes (s)."""
    kernels: int
    again: list[str]
    """Kernels of which there is more than one."""


def started() -> Start:
    """Compile in an empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        before, began = _children(), time.perf_counter()
        subprocess.run(
            [sys.executable, "-c", _COMPILE], check=True, env=os.environ | {"NUMBA_CACHE_DIR": folder}
        )  # fmt: skip
        seconds = time.perf_counter() - began
        made = Counter(file.name.partition("-")[0] for file in Path(folder).rglob("*.nbc"))
        again = [name for name, count in made.items() if count > 1]
        return Start(seconds, _children() - before, len(made), again)


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def table() -> str:
    """The table of this part."""
    found = started()
    mk.run(mk.sample("frontal"))
    began = time.perf_counter()
    mk.run(mk.sample("frontal"))
    one = time.perf_counter() - began
    note("start", f"{found.seconds / one:.0f}")
    lines = [
        "## The first start",
        "",
        f"What the default sample needs, compiled from nothing in {PROCESSES} processes on {os.cpu_count()} cores; the window can be used meanwhile.",
        "",
        "| what | measured | asked |",
        "|---|---|---|",
        f"| until it can be solved | {found.seconds:.1f} s | ≤ 15 s on two cores |",
        f"| - spent by all processes | {found.processor:.1f} s of processors |  |",
        f"| - kernels with machine code of their own | {found.kernels} |  |",
        f"| - of which made more than once | {', '.join(found.again) or 'none'} | none |",
    ]
    return "\n".join([*lines, ""])
