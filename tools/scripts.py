"""Check the types of scripts as users write them: mypy and basedpyright, both strict and without `Any` from us.

The library is looked at as one that is installed: from a folder elsewhere, by its `py.typed`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = ROOT / "tests" / "scripts"
BIN = Path(sys.executable).parent
CHECKS = (
    ["mypy", "--strict", "--config-file=", f"--cache-dir={ROOT / '.mypy_cache' / 'scripts'}", "."],
    ["basedpyright", "--pythonpath", sys.executable, "--project", str(SCRIPTS)],
)


def main() -> int:
    """Run both beside each other, and print what they find."""
    with ThreadPoolExecutor(len(CHECKS)) as pool:
        passed = list(pool.map(_run, CHECKS))
    return 0 if all(passed) else 1


def _run(words: list[str]) -> bool:
    given = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [str(BIN / words[0]), *words[1:]],
        cwd=SCRIPTS,
        env=given,
        check=False,
        capture_output=True,
        text=True,
    )
    print(f"{words[0]}: {(done.stdout + done.stderr).strip()}", flush=True)
    return done.returncode == 0


if __name__ == "__main__":
    raise SystemExit(main())
