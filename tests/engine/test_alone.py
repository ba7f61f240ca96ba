"""Kernels that are compiled alone: called by address they give what they give when linked."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.engine.jit.kernels import kernel, separate
from tests.engine.test_bundles import Outside, outside


@separate
def scaled(x: Any, k: int, factor: float) -> float:
    """Give a part of an array."""
    return float(x[k] * factor)


@separate
@kernel
def changed(both: Outside, x: Any) -> None:
    """Write through a bundle and into an array."""
    both.box[0, 0, 0] = 7.0
    x[0] += both.factor


@separate
def of_another_kind(x: Any) -> float:
    """Give something else than is written above."""
    return len(x)


@kernel
def call(both: Outside, x: Any, k: int) -> float:
    """Call both."""
    changed(both, x)
    return scaled(x, k, 2.0)


@kernel
def call_of_another_kind(x: Any) -> float:
    """Call what cannot be compiled."""
    return of_another_kind(x)


@kernel
def call_never(both: Outside, x: Any, never: bool) -> float:
    """Call one that is compiled only where it is called."""
    return later(x, 1, 3.0) if never else both.factor


@separate
def later(x: Any, k: int, factor: float) -> float:
    """Give a part of an array."""
    return float(x[k] * factor)


def test_calls_by_address_pass_bundles_arrays_and_numbers() -> None:
    both, x = outside(3, 0.5), np.arange(4.0)
    assert call(both, x, 2) == 4.0
    assert x[0] == 0.5
    assert both.box[0, 0, 0] == 7.0
    assert call(both, x, 0) == 2.0


def test_types_of_other_calls_have_code_of_their_own() -> None:
    both = outside(3, 0.5)
    for x in (np.arange(4.0), np.arange(8)[::2], np.arange(4.0, dtype=np.float32), np.arange(4.0)):
        first = x[1]
        assert call(both, x, 1) == 2.0 * first


def test_what_is_never_called_is_never_compiled() -> None:
    both, x = outside(3, 0.5), np.arange(4.0)
    assert call_never(both, x, False) == 0.5
    assert not later.kernel.overloads  # type: ignore[attr-defined]
    assert call_never(both, x, True) == 3.0
    assert len(later.kernel.overloads) == 1  # type: ignore[attr-defined]


def test_what_cannot_be_compiled_ends_the_call(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(RuntimeError, match=r"of_another_kind could not be compiled"):
        call_of_another_kind(np.arange(4.0))
    assert "gives int64" in capfd.readouterr().err


def test_python_calls_what_has_an_entry_for_it() -> None:
    both, x = outside(3, 0.5), np.arange(4.0)
    changed(both, x)
    assert x[0] == 0.5


AGAIN = """
import sys
import numpy as np
from tests.engine.test_alone import call
from tests.engine.test_bundles import outside
from numba.core.event import install_recorder
with install_recorder("numba:compile") as compiled:
    print(call(outside(3, 0.5), np.arange(4.0), 2), len(compiled.buffer), "scipy.linalg" in sys.modules)
"""


def test_the_next_process_finds_all_in_the_cache(tmp_path: Path) -> None:
    import os

    def said() -> list[str]:
        done = subprocess.run(
            [sys.executable, "-c", AGAIN], cwd=Path(__file__).parent.parent.parent, capture_output=True,
            text=True, check=True, env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)},
        )  # fmt: skip
        return done.stdout.split()

    first = said()
    assert first[0] == "4.0"
    assert int(first[1]) > 0
    # what Numba needs to compile is loaded where it does, and takes half a second
    assert first[2] == "True"
    assert said() == ["4.0", "0", "False"]
