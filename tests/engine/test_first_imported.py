"""Whatever is imported first, and whoever only asks where Numba is: Numba knows of structs and kernels as soon as it is there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
KERNELS = "import solver.engine.forces.system"

FIRST = {
    # what tells Numba comes before kernels, and behind them
    "compiling": "import solver.engine.jit.compiling",
    "call_table": f"{KERNELS}; import solver.engine.jit.call_table",
    "struct_types": f"{KERNELS}; import solver.engine.jit.struct_types",
    "struct_types, then kernels": f"import solver.engine.jit.struct_types; {KERNELS}",
    "by_address": f"{KERNELS}; import solver.engine.jit.by_address",
    "a look for Numba": f"{KERNELS}; find_spec('numba'); find_spec('numba')",
    "a part of Numba": "import numba.core.types",
    # functions under `njit` of another package than the solver's
    "benchmarks": "import benchmarks.engines.ours",
    "benchmarks, behind a look": f"{KERNELS}; find_spec('numba'); import benchmarks.engines.mujoco",
}

EACH = """
import json, os, sys, traceback
from importlib.util import find_spec
import llvmlite.binding, numpy, scipy.integrate
found = {}
for name, words in json.loads(sys.argv[1]).items():
    there, here = os.pipe()
    if (child := os.fork()) == 0:
        said = "known"
        try:
            exec(words)
            import numba
            import solver.engine.forces.system
            from solver.engine.dynamics.tree import Workspace
            from solver.engine.jit.kernels import marked
            row = numpy.zeros((1, 1))
            one = Workspace(*(row for _ in Workspace._fields))
            kind, untold = type(numba.typeof(one)).__name__, [k for k in marked if not hasattr(k, "cell")]
            if kind != "StructType" or untold or len(marked) < 20:
                said = f"{kind}, of {len(marked)} kernels untold: {len(untold)}"
        except BaseException:
            said = traceback.format_exc()
        os.write(here, said.encode()[-2000:])
        os._exit(0)
    os.close(here)
    with os.fdopen(there) as file:
        found[name] = file.read()
    os.waitpid(child, 0)
print(json.dumps(found))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="each case is a fork of one process")
def test_numba_knows_of_kernels_whatever_is_imported_first() -> None:
    done = subprocess.run(
        [sys.executable, "-c", EACH, json.dumps(FIRST)],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    found = json.loads(done.stdout)
    assert found == dict.fromkeys(FIRST, "known")
