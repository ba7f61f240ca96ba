"""Bundles: kernels read the same parts as Python, whatever their kinds and nesting."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from numba.core.errors import TypingError

from solver.engine.jit.kernels import inner, kernel, struct


@struct
class Inside(NamedTuple):
    """One bundle within another."""

    table: Any
    count: int


@struct
class Outside(NamedTuple):
    """Arrays of one to three dimensions, numbers, and a bundle between them."""

    line: Any
    factor: float
    inside: Inside
    box: Any
    on: bool


@inner
def _add(inside: Inside, start: int, out: Any) -> None:
    for k in range(inside.count):
        for j in range(inside.table.shape[1]):
            out[0] += inside.table[start + k, j]


@kernel
def read(both: Outside, other: Outside, out: Any) -> int:
    """Sum all parts, those of the inner bundle in another kernel."""
    out[0] += both.factor + other.factor
    _add(both.inside, 1, out)
    row = both.box[1, 0]
    row[0] = 7.0
    for k in range(len(both.line)):
        out[1] += both.line[k]
    out[2] = other.box[both.inside.count - 1, 0, 1]
    return both.box.size if both.on else -1


def outside(n: int, factor: float, on: bool = True) -> Outside:
    rng = np.random.default_rng(n)
    inside = Inside(rng.normal(size=(n, 4)), n - 1)
    return Outside(np.arange(n), factor, inside, rng.normal(size=(n, 1, 2)), on)


@pytest.mark.parametrize("n", [2, 5])
def test_a_kernel_reads_what_is_there(n: int) -> None:
    both, other, out = outside(n, 0.5), outside(9, 0.25), np.zeros(3)
    assert read(both, other, out) == 2 * n
    assert out[0] == pytest.approx(0.75 + both.inside.table[1:].sum())
    assert out[1] == n * (n - 1) / 2
    assert out[2] == other.box[n - 2, 0, 1]
    assert both.box[1, 0, 0] == 7.0, "arrays are written where they stand"
    assert read(both._replace(on=False), other, out) == -1


def test_parts_of_another_type_make_another_kernel() -> None:
    out = np.zeros(3)
    read(outside(3, 0.5), outside(3, 0.5), out)
    whole = outside(3, 0.5)._replace(line=np.arange(3) + 0.25)
    read(whole, outside(3, 0.5), out)
    assert out[1] == 3 + 3.75


def test_a_part_that_is_not_what_it_was_is_refused() -> None:
    wrong: Any = outside(3, 0.5)._replace(line="line")
    with pytest.raises(TypingError):
        read(wrong, outside(3, 0.5), np.zeros(3))
