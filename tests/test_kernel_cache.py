"""A damaged cache of compiled kernels is compiled anew, and never run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parent.parent

CALL = """
import numpy as np
from numba.core.event import install_recorder
with install_recorder("numba:compile") as compiled:
    from solver.maths.curve import _area
    found = _area(np.array([[1.0, 2.0, 3.0, *5 * [0.0]]]), 0, 2.0)
print(found, "compiled" if compiled.buffer else "read")
"""


def called(folder: Path) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", CALL],
        cwd=ROOT, capture_output=True, text=True, check=False,
        env=os.environ | {"NUMBA_CACHE_DIR": str(folder)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.slow
def test_a_damaged_cache_is_compiled_anew(tmp_path: Path) -> None:
    first = called(tmp_path)
    assert first == ["14.0", "compiled"]
    assert called(tmp_path) == [*first[:-1], "read"]
    rng = np.random.default_rng(3)
    for ending in ("nbi", "nbc"):
        (file,) = tmp_path.rglob(f"*_area*.{ending}")
        whole = file.read_bytes()
        flipped = bytearray(whole)
        flipped[int(rng.integers(len(whole) // 4, len(whole) // 2))] ^= 16
        for damaged in (b"", whole[: len(whole) // 2], bytes(flipped)):
            file.write_bytes(damaged)
            assert called(tmp_path) == first
    assert called(tmp_path) == [*first[:-1], "read"], "what was damaged has been mended"
