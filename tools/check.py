"""Run the guards and tests, all of them, and print how long each part took."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent

PARTS: dict[str, list[str]] = {
    "ruff": ["ruff", "check", "."],
    "format": ["ruff", "format", "--check", "."],
    "mypy": ["mypy"],
    "scripts": [sys.executable, "-m", "tools.scripts"],
    "imports": ["lint-imports"],
    "docs": [sys.executable, "-m", "tools.docs", "--check"],
    "words": [sys.executable, "-m", "tools.words", "--check"],
    # once, before the workers of the tests would each do it
    "kernels": [sys.executable, "-m", "solver.running.warm"],
    "pytest": [
        sys.executable,
        "-m",
        "pytest",
        "-n",
        # windows wait for their screens for a sixth of the time
        str((os.cpu_count() or 1) + 1),
        "--dist",
        "worksteal",
        "--durations=25",
        # why a test was skipped is told with the result: a browser or a display that is missing is no pass
        "-rs",
    ],
}

BESIDE = ("mypy", "scripts")
"""Take long on one core: they go on beside all other parts, and what they say is printed after theirs."""


def main() -> int:
    """Run the chosen parts; all run even if one fails."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    arguments.add_argument("--without", nargs="+", choices=PARTS, default=[])
    chosen = arguments.parse_args()
    names = [name for name in chosen.only if name not in chosen.without]
    with ThreadPoolExecutor(1) as aside:
        beside = {name: aside.submit(run, name, silent=True) for name in names if name in BESIDE}
        results = [(name, *run(name)) for name in names if name not in BESIDE]
        results += [(name, *one.result()) for name, one in beside.items()]
    for name, _, _, words in results:
        if words:
            print(f"\n=== {name}\n{words}", end="")
    print("\npart        result   seconds")
    for name, passed, seconds, _ in results:
        print(f"{name:<11} {'passed' if passed else 'FAILED'} {seconds:>9.1f}")
    return 0 if all(passed for _, passed, *_ in results) else 1


def run(name: str, silent: bool = False) -> tuple[bool, float, str]:
    """Run one part; give whether it passed, how long it took (s) and, of a silent one, its words."""
    if not silent:
        print(f"\n=== {name}", flush=True)
    words = PARTS[name]
    program = words[0] if Path(words[0]).is_absolute() else str(BIN / words[0])
    start = time.monotonic()
    # tests start the program many times: it is not to be read each time again
    given = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [program, *words[1:]],
        cwd=ROOT,
        env=given,
        check=False,
        stdout=subprocess.PIPE if silent else None,
        stderr=subprocess.STDOUT if silent else None,
        text=True,
    )
    return done.returncode == 0, time.monotonic() - start, done.stdout or ""


if __name__ == "__main__":
    raise SystemExit(main())
