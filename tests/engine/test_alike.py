"""The same input gives the same bits on another processor of the level: here, on this one with the rest of it hidden."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy._core import _multiarray_umath as built

from solver.engine.maths.alike import along_and_across, arctan2, exp, into, nearest, to_power

ROOT = Path(__file__).parent.parent.parent
BEYOND = [
    name
    for name in built.__cpu_dispatch__
    if built.__cpu_features__.get(name) and (name.startswith("AVX512") or name == "X86_V4")
]
"""What NumPy would take of this processor that is not of the level."""

SAID = """
import hashlib, sys
import numpy as np
from solver import simulate
from solver.base.places import samples
from solver.model.compile import compile_model
from solver.project import load_project
from solver.results.saving import FRAME_GROUPS

def add(to, value):
    if isinstance(value, np.ndarray):
        to.update(value.tobytes())
    elif hasattr(value, "_fields"):
        for part in value:
            add(to, part)

def project(name):
    return load_project(samples() / f"{name}.json")

for name in ("frontal", "frontal_5f", "pedestrian", "seat_ride", "variseg_occupant", "point_contact", "rear_impact"):
    digest = hashlib.sha256()
    for part in vars(compile_model(project(name))).values():
        add(digest, part)
    print(name, digest.hexdigest())
for name in ("sled", "lap_belt"):
    run, digest = simulate(project(name)), hashlib.sha256()
    for channel in map(run.channel, run.channel_names):
        add(digest, np.asarray(channel.value, float))
    for group in FRAME_GROUPS:
        for column in run.table(group).columns.values():
            add(digest, np.ascontiguousarray(column))
    print(name, digest.hexdigest())
"""


@pytest.mark.slow
@pytest.mark.skipif(
    platform.machine().lower() not in ("x86_64", "amd64") or not BEYOND,
    reason="this processor has nothing beyond its level that NumPy would take",
)
def test_models_and_runs_have_the_same_bits_on_a_processor_without_the_rest() -> None:
    hidden = {
        "NPY_DISABLE_CPU_FEATURES": " ".join(BEYOND),
        "OPENBLAS_CORETYPE": "Haswell",
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX512DQ,-AVX512CD",
    }
    found = [
        subprocess.run(
            [sys.executable, "-c", SAID], cwd=ROOT, capture_output=True, text=True, check=True,
            env=os.environ | other,
        ).stdout.splitlines()
        for other in ({}, hidden)
    ]  # fmt: skip
    assert len(found[0]) == 9
    assert found[0] == found[1]


@given(seed=st.integers(0, 10**9), columns=st.integers(1, 2), same=st.booleans())
def test_the_nearest_is_that_of_least_squares(seed: int, columns: int, same: bool) -> None:
    rng = np.random.default_rng(seed)
    A, b = rng.normal(size=(3, columns)), rng.normal(size=3)
    if same:
        A[:, -1] = 2.0 * A[:, 0]
    assert nearest(A, b) == pytest.approx(np.linalg.lstsq(A, b, rcond=None)[0], rel=1e-8, abs=1e-12)
    assert into(A, b) == pytest.approx(A.T @ b)


@given(seed=st.integers(0, 10**9), plain=st.booleans())
def test_axes_of_a_symmetric_matrix(seed: int, plain: bool) -> None:
    S = np.random.default_rng(seed).normal(size=(2, 2))
    S = np.diag(S[0]) if plain else S + S.T
    values, axes = along_and_across(S)
    assert values == pytest.approx(np.linalg.eigvalsh(S), abs=1e-12)
    assert S @ axes == pytest.approx(axes * values, abs=1e-12)
    assert np.linalg.det(axes) == pytest.approx(1.0)


def test_functions_are_those_of_numpy_with_what_is_no_number() -> None:
    x = np.array([0.0, 1.5, np.inf, np.nan, 1e300])
    with np.errstate(all="ignore"):
        assert exp(x) == pytest.approx(np.exp(x), nan_ok=True)
        assert to_power(x, 2.5) == pytest.approx(x**2.5, nan_ok=True)
        assert to_power(x, -1.0) == pytest.approx(x**-1.0, nan_ok=True)
        assert arctan2(x, -x) == pytest.approx(np.arctan2(x, -x), nan_ok=True)
