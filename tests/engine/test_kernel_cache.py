"""A damaged cache of compiled kernels is compiled again, and never run; what came with the package is only read."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from tools import wheel

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


SHIPPED = f"""
import sys
from pathlib import Path
from solver.engine.jit import compiled
compiled.SHIPPED = Path(sys.argv[1]).with_name("shipped")
{AGAIN.replace("print(called())", "print(called(), compiled.is_compiled(_area))")}
"""


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


@pytest.mark.slow
def test_kernels_that_came_with_the_package_are_run_and_never_written(tmp_path: Path) -> None:
    """Compile one, let the folder be the package's, and look for it from an empty cache."""
    shipped, cache = tmp_path / "shipped", tmp_path / "cache"
    assert said(AGAIN, shipped) == ["14.0 compiled"]
    (module,) = shipped.iterdir()
    (module / "_area.compiled").touch()
    assert said(SHIPPED, cache) == ["14.0 read True"]
    assert not cache.exists()

    (file,) = module.glob("*.nbc")
    damaged = file.read_bytes()[:-100]
    file.write_bytes(damaged)
    assert said(SHIPPED, cache) == ["14.0 compiled True"]
    assert file.read_bytes() == damaged
    assert said(SHIPPED, cache) == ["14.0 read True"]

    # of another state of the sources, another Numba, Python or processor
    module.rename(module.with_name("maths.curve-0"))
    cache.rename(tmp_path / "before")
    assert said(SHIPPED, cache) == ["14.0 compiled False"]


FROM_WHEEL = """
import sys
import numpy as np
from manikin.solver.engine.jit.compiled import SHIPPED, is_compiled
from manikin.solver.engine.signals import filters
print(is_compiled(filters._go), SHIPPED.is_relative_to(sys.argv[1]))
from numba.core.event import install_recorder
with install_recorder("numba:compile") as compiled:
    y = filters.passed(np.array([1.0, 0.0, 0.0]), np.array([1.0, 0.0, 0.0]), np.array([2.0, 3.0]))
print(y.tolist(), len(compiled.buffer))
"""


@pytest.mark.slow
def test_a_package_with_compiled_kernels_compiles_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kernel is compiled in the package as it is installed, and run from there in a process that may keep none."""
    package, cache = tmp_path / "manikin", tmp_path / "cache"
    # what its user has set is not what a wheel is for
    monkeypatch.setenv("NUMBA_CPU_NAME", "generic")
    wheel.lay_out(ROOT, package)
    wheel.compile_in(package, ROOT / "resources", "_go")
    monkeypatch.delenv("NUMBA_CPU_NAME")
    shipped = package / "solver" / "_shipped"
    assert (shipped / "kernels").is_dir()
    assert not (shipped / "resources").exists(), "the wheel has it from elsewhere"
    done = subprocess.run(
        [sys.executable, "-B", "-c", FROM_WHEEL, str(tmp_path)],
        cwd=tmp_path, capture_output=True, text=True, check=False,
        env=os.environ | {"PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(cache)},
    )  # fmt: skip
    assert (done.stdout.splitlines(), done.stderr) == (["True True", "[2.0, 3.0] 0"], "")
    assert not cache.exists()


def test_a_wheel_says_for_what_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    for value, found in (("", None), ("all", True), ("none", False), ("some", None)):
        monkeypatch.setenv(wheel.KERNELS, value)
        if found is None:
            with pytest.raises(ValueError, match="is 'all' or 'none'"):
                wheel.carries_kernels()
        else:
            assert wheel.carries_kernels() is found
    if sys.platform == "linux":
        python = f"cp{sys.version_info[0]}{sys.version_info[1]}"
        name, abi, system = wheel._linux_tag().split("-")
        assert (name, abi) == (python, python)
        assert system == f"manylinux_2_17_{platform.machine()}"
