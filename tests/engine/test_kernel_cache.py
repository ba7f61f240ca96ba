"""A damaged cache of compiled kernels is compiled again, and never run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent

CALLS = """
import sys
from pathlib import Path
import numpy as np
from numba.core.event import install_recorder
from solver.engine.maths.curve import _area
from solver.engine.jit.kernels import Kernel

row = np.array([[1.0, 2.0, 3.0, *5 * [0.0]]])

def called():
    with install_recorder("numba:compile") as compiled:
        found = Kernel(_area.py_func, _area.kind)(row, 0, 2.0)
    return f"{found} {'compiled' if compiled.buffer else 'read'}"

print(called())
print(called())
folder, rng = Path(sys.argv[1]), np.random.default_rng(3)
for ending in ("nbi", "nbc"):
    (file,) = folder.rglob(f"*_area*.{ending}")
    whole = file.read_bytes()
    flipped = bytearray(whole)
    flipped[int(rng.integers(len(whole) // 4, len(whole) // 2))] ^= 16
    both = flipped.copy()
    both[-40] ^= 16
    unsealed = flipped[: whole.rindex(b"manikin-sha256:")]
    for damaged in (b"", whole[: len(whole) // 2], bytes(flipped), bytes(both), bytes(unsealed)):
        file.write_bytes(damaged)
        print(called())
"""

AGAIN = CALLS[: CALLS.rindex("print(called())\nfolder")]


def said(words: str, folder: Path) -> list[str]:
    """Give the lines that a process prints."""
    done = subprocess.run(
        [sys.executable, "-c", words, str(folder)],
        cwd=ROOT, capture_output=True, text=True, check=False,
        env=os.environ | {"NUMBA_CACHE_DIR": str(folder)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout.splitlines()


@pytest.mark.slow
def test_a_damaged_cache_is_compiled_anew(tmp_path: Path) -> None:
    """Each time it is looked for again, as a process does that has not seen it."""
    found = said(CALLS, tmp_path)
    assert found == ["14.0 compiled", "14.0 read", *10 * ["14.0 compiled"]]
    assert said(AGAIN, tmp_path) == ["14.0 read"], "what was damaged has been mended"
