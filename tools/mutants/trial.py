"""Put a fault into a copy of the tree and run its tests there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tools.mutants.compiled import provide
from tools.mutants.listed import Fault, Misfit
from tools.mutants.score import Outcome

LONGEST_S = 900.0
"""Tests that take longer are taken as failed: something has no end."""

ALL_PASSED, SOME_FAILED = 0, 1
STOPPED = (2, 3, 4)
"""What pytest gives back: all passed, one failed, and it could not go on, as where a module cannot be imported."""

_PASSED = re.compile(
    r"^\d+ passed(?![^\n]*(failed|error))[^\n]* in [\d.]+s[^\n]*\s*\Z", re.MULTILINE
)
"""Its last line where no test has failed."""


def copy_tree(root: Path, to: Path) -> None:
    """Copy what the version control knows of, as it stands in the checkout."""
    words = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(words, cwd=root, capture_output=True, check=True).stdout.decode()
    for name in filter(None, listed.split("\0")):
        if (root / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(root / name, to / name)


def run_tests(
    tree: Path, tests: Iterable[str], cache: Path | None = None, longest_s: float | None = LONGEST_S
) -> tuple[int, str]:
    """Run tests in a copy until one fails; give pytest's code and its last words."""
    environment = os.environ | {"PYTHONPATH": str(tree)}
    if cache is not None:
        environment["NUMBA_CACHE_DIR"] = str(cache)
    words = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    try:
        done = subprocess.run(
            words, cwd=tree, env=environment, capture_output=True, text=True, check=False,
            timeout=longest_s,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return SOME_FAILED, f"no end within {longest_s:.0f} s"
    code = done.returncode
    if code == SOME_FAILED and _PASSED.search(done.stdout):
        # a display that went before the program did: no test has failed
        code = ALL_PASSED
    return code, "\n".join((done.stdout + done.stderr).splitlines()[-12:])


@contextmanager
def put_in(tree: Path, fault: Fault) -> Iterator[None]:
    """Have a fault in the copy, for a while."""
    place = tree / fault.file
    sound = place.read_bytes()
    _write(place, fault.put_in(sound.decode("utf-8")).encode("utf-8"))
    try:
        yield
    finally:
        _write(place, sound)


def _write(place: Path, text: bytes) -> None:
    """Write a file, and take away what Python has made of the other, which may look as old and large."""
    place.write_bytes(text)
    for compiled in (place.parent / "__pycache__").glob(f"{place.stem}.*"):
        compiled.unlink()


def trial(tree: Path, fault: Fault, *, may_stop_all: bool = False) -> tuple[Outcome, str]:
    """See whether a test fails with a fault, or none can be run, where that counts as found."""
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as base, put_in(tree, fault):
        cache = Path(base) if fault.is_kernel else None
        if cache is not None:
            provide(tree, fault, cache)
        code, said = run_tests(tree, fault.tests, cache)
    if code < 0:
        code, said = SOME_FAILED, f"signal {-code} ended the tests\n{said}"
    if may_stop_all and code in STOPPED and "not found: " not in said:
        code = SOME_FAILED
    if code not in (ALL_PASSED, SOME_FAILED):
        raise Misfit(f"{fault.name}: its tests could not be run (pytest gave {code})\n{said}")
    return Outcome(code == SOME_FAILED, round(time.monotonic() - start, 1)), said
