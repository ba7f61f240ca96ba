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
from tools.mutants.swapped import CANNOT, Server

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
    # what Python makes of a source is kept for the next fault
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
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
    return _code(done.returncode, done.stdout), _last(done.stdout + done.stderr)


def _code(code: int, said: str) -> int:
    """What pytest gave back, but where a display went before the program did: no test has failed."""
    return ALL_PASSED if code == SOME_FAILED and _PASSED.search(said) else code


def _last(said: str) -> str:
    return "\n".join(said.splitlines()[-12:])


def run_loaded(server: Server, tree: Path, fault: Fault, line: int) -> tuple[int, str]:
    """Run tests where the program is loaded, with the fault, which stands in its copy, in place of it."""
    source = (tree / fault.file).read_bytes()
    code, said, complained = server.run(fault.file, source, line, fault.tests)
    return _code(code, said), _last(said + complained)


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


def trial(
    tree: Path,
    fault: Fault,
    *,
    may_stop_all: bool = False,
    loaded: tuple[Server, int] | None = None,
) -> tuple[Outcome, str]:
    """See whether a test fails with a fault, or none can be run, where that counts as found.

    `loaded`: a process that has the program loaded, and the line of the fault, where it may be tried there.
    """
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as base, put_in(tree, fault):
        code, said = run_loaded(loaded[0], tree, fault, loaded[1]) if loaded else (CANNOT, "")
        if code == CANNOT:
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
