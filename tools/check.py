"""Run the guards and tests, all of them, and print how long each part took."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent

PARTS: dict[str, list[str]] = {
    "ruff": ["ruff", "check", "."],
    "format": ["ruff", "format", "--check", "."],
    "mypy": ["mypy"],
    "imports": ["lint-imports"],
    "docs": [sys.executable, "-m", "tools.docs", "--check"],
    "pytest": [sys.executable, "-m", "pytest"],
}


def main() -> int:
    """Run the chosen parts; all run even if one fails."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    arguments.add_argument("--without", nargs="+", choices=PARTS, default=[])
    chosen = arguments.parse_args()
    results: list[tuple[str, bool, float]] = []
    for name in chosen.only:
        if name not in chosen.without:
            results.append((name, *run(name)))
    print("\npart        result   seconds")
    for name, passed, seconds in results:
        print(f"{name:<11} {'passed' if passed else 'FAILED'} {seconds:>9.1f}")
    return 0 if all(passed for _, passed, _ in results) else 1


def run(name: str) -> tuple[bool, float]:
    """Run one part; give whether it passed and how long it took (s)."""
    print(f"\n=== {name}", flush=True)
    words = PARTS[name]
    program = words[0] if Path(words[0]).is_absolute() else str(BIN / words[0])
    start = time.monotonic()
    with display() if name == "pytest" else plain_environment() as environment:
        done = subprocess.run([program, *words[1:]], cwd=ROOT, env=environment, check=False)
    return done.returncode == 0, time.monotonic() - start


@contextmanager
def plain_environment() -> Iterator[dict[str, str]]:
    """Give the environment as it is."""
    yield dict(os.environ)


@contextmanager
def display() -> Iterator[dict[str, str]]:
    """Give an environment with a display: the present one, or a virtual one that ends with us."""
    environment = {**os.environ, "LIBGL_ALWAYS_SOFTWARE": "1"}
    if sys.platform != "linux" or environment.get("DISPLAY") or not shutil.which("Xvfb"):
        yield environment
        return
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1366x768x24", "-nolisten", "tcp"],
        pass_fds=[write],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    try:
        with os.fdopen(read) as answer:
            number = answer.readline().strip()
        if number:
            environment["DISPLAY"] = f":{number}"
        yield environment
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    raise SystemExit(main())
