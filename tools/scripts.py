"""Check the types of scripts as users write them: mypy and basedpyright, both strict and without `Any` from us.

The library is looked at as it is installed from a wheel: laid out in a folder elsewhere, by its `py.typed`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tools.wheel import lay_out

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = ROOT / "tests" / "scripts"
INSTALLED = ROOT / "build" / "installed"
BIN = Path(sys.executable).parent
CHECKS = (
    [
        "mypy",
        "--strict",
        "--explicit-package-bases",
        "--config-file=",
        f"--cache-dir={ROOT / '.mypy_cache' / 'scripts'}",
        ".",
    ],
    ["basedpyright", "--pythonpath", sys.executable, "--project", str(SCRIPTS)],
)


def main() -> int:
    """Run both beside each other, and print what they find."""
    shutil.rmtree(INSTALLED, ignore_errors=True)
    lay_out(ROOT, INSTALLED / "manikin")
    with ThreadPoolExecutor(len(CHECKS)) as pool:
        passed = list(pool.map(_run, CHECKS))
    return 0 if all(passed) else 1


def _run(words: list[str]) -> bool:
    given = {**os.environ, "PYTHONPATH": str(INSTALLED)}
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
