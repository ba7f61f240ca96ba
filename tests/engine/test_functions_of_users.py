"""A user's own function under `numba.njit` calls kernels, whatever was imported and compiled before."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.engine.test_tree import random_tree

ROOT = Path(__file__).parent.parent.parent

KERNELS = """
from typing import Any, NamedTuple
from solver.engine.jit.kernels import separate
from solver.engine.jit.kernels import struct
from solver.engine.jit.kernels import inlined, inner, kernel

@struct
class Pair(NamedTuple):
    row: Any
    factor: float

@inlined
def twice(x: float) -> float:
    return 2.0 * x

@inner
def entry(pair: Pair, k: int) -> float:
    return twice(pair.row[k])

@separate
def separately(pair: Pair, k: int) -> float:
    return entry(pair, k) * pair.factor

@separate
@kernel
def put(pair: Pair, k: int) -> None:
    pair.row[k] = 7.0

@kernel
def total(pair: Pair) -> float:
    found = 0.0
    for k in range(len(pair.row)):
        found += pair.row[k]
    return found
"""

USERS = """
from numba import njit
from kernels_of_ours import entry, put, separately, total, twice
from solver.engine.maths.spatial import dot

@njit(cache=True)
def of_user(pair, k):
    found = twice(1.0) + 10.0 * entry(pair, k) + 100.0 * separately(pair, k) + 1000.0 * total(pair)
    put(pair, k)
    return found + dot((1.0, 0.0, 0.0), (4.0, 5.0, 6.0))
"""

CALLED = """
import numpy as np
import numba
from numba.core.event import install_recorder
before = numba.config.LOOP_VECTORIZE, numba.config.SLP_VECTORIZE, numba.config.CACHE_DIR
from users import of_user
from kernels_of_ours import Pair
pair = Pair(np.array([3.0, 5.0]), 0.5)
with install_recorder("numba:compile") as compiled:
    found = of_user(pair, 1)
((given, _),) = of_user.signatures
kept = before == (numba.config.LOOP_VECTORIZE, numba.config.SLP_VECTORIZE, numba.config.CACHE_DIR)
print(found, pair.row[1], type(given).__name__, kept, len(compiled.buffer) > 0)
"""

ORDERS = {
    "numba has compiled": "import numba\nnumba.njit(lambda x: x + 1.0)(2.0)\n",
    "numba is imported": "import numba\n",
    "kernels are imported, numba has compiled": (
        "import kernels_of_ours\nimport numba\nnumba.njit(lambda x: x + 1.0)(2.0)\n"
    ),
    "a kernel was called": (
        "import numpy as np\nimport kernels_of_ours as k\nk.total(k.Pair(np.ones(2), 1.0))\n"
    ),
}  # fmt: skip
SAID = f"{2.0 + 100.0 + 500.0 + 8000.0 + 4.0} 7.0 StructType True"


def begin(words: str, folder: Path, cache: str) -> subprocess.Popen[str]:
    """Begin a process in which a user's modules lie."""
    path = os.pathsep.join([str(folder), str(ROOT)])
    return subprocess.Popen(
        [sys.executable, "-c", words], cwd=folder, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=os.environ | {"NUMBA_CACHE_DIR": str(folder / cache), "PYTHONPATH": path},
    )  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a folder with a module of kernels and one of a user."""
    (tmp_path / "kernels_of_ours.py").write_text(KERNELS)
    (tmp_path / "users.py").write_text(USERS)
    return tmp_path


def said(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    return out.strip()


def test_a_users_function_calls_kernels_in_any_order_of_imports(folder: Path) -> None:
    beside = {name: begin(words + CALLED, folder, "each") for name, words in ORDERS.items()}
    found = {name: said(one) for name, one in beside.items()}
    # the first of them may leave the others a compiled form
    assert {name: one.rpartition(" ")[0] for name, one in found.items()} == dict.fromkeys(
        ORDERS, SAID
    )


def test_what_numba_kept_of_it_runs_in_the_next_process(folder: Path) -> None:
    """It calls a kernel through a cell that must be there before."""
    assert said(begin(CALLED, folder, "again")) == f"{SAID} True"
    assert said(begin(CALLED, folder, "again")) == f"{SAID} False"


def test_the_example_of_the_page_runs() -> None:
    from solver.engine.dynamics.tree import make_motion

    page = (ROOT / "docs" / "compiled.md").read_text()
    names: dict[str, Any] = {}
    exec(page.split("```python\n")[1].split("```")[0], names)
    motion = make_motion(random_tree(np.random.default_rng(46), 5))
    motion.v[:] = np.random.default_rng(46).normal(size=motion.v.shape)
    assert names["fastest"](motion) == pytest.approx(np.linalg.norm(motion.v, axis=1).max(), 1e-15)


def test_importing_kernels_alone_does_not_load_numba(folder: Path) -> None:
    words = "import kernels_of_ours, sys\nprint('numba' in sys.modules)"
    assert said(begin(words, folder, "none")) == "False"
