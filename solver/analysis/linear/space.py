"""The free directions of a model, and those of what is driven, over all its speeds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.analysis.linear.names import speed_names
from solver.analysis.linear.standing import Standing
from solver.engine.dynamics.tree import Array

RANK = 1e-7
"""Part of the largest singular value below which rows of constraint, each of length one, say nothing new."""


@dataclass(frozen=True)
class Space:
    """Hold the directions of x over all speeds: ways (speeds, n) and speeds (speeds, m)."""

    ways: Array
    speeds: Array
    states: int
    """Number of the states of gas and laws."""
    free_ways: int
    free_speeds: int
    names: tuple[str, ...]
    units: tuple[str, ...]
    is_free: NDArray[np.bool_]
    """Marks the entries of x that nothing prescribes."""


def space_of(standing: Standing) -> Space:
    """Give the directions that constraints leave, with what is driven beside them."""
    names = speed_names(standing.model)
    open_, driven = standing.open, standing.driven
    ways, of_ways = _allowed(standing, standing.held)
    speeds, of_speeds = _allowed(standing, np.ones(len(standing.held), bool))
    nd = len(driven)
    plain = ways.shape[1] - nd == len(open_)
    free_ways, free_speeds = of_ways, of_speeds
    labels = [names[k] for k in open_] if plain else [f"free/{k + 1}" for k in range(free_ways)]
    same = free_speeds == free_ways
    of_rates = labels if same else [f"rolling/{k + 1}" for k in range(free_speeds)]
    named = (
        *labels, *(names[k] for k in driven), *(f"{one}'" for one in of_rates), *(f"{names[k]}'" for k in driven),
        *(f"state/{k + 1}" for k in range(standing.states)),
    )  # fmt: skip
    kinds = standing.way_units()
    of = [kinds[k] for k in open_] if plain else ["1"] * free_ways
    ofr = of if same else ["1"] * free_speeds
    given = [kinds[k] for k in driven]
    units = (*of, *given, *(_rate(u) for u in (*ofr, *given)), *["1"] * standing.states)
    free = np.array(
        [True] * free_ways + [False] * nd + [True] * free_speeds + [False] * nd + [True] * standing.states,
        bool,
    )  # fmt: skip
    return Space(ways, speeds, standing.states, free_ways, free_speeds, named, units, free)


def _rate(unit: str) -> str:
    return "1/s" if unit == "1" else f"{unit}/s"


def _allowed(standing: Standing, which: Array) -> tuple[Array, int]:
    """Give a basis of what some rows allow over all speeds, what is driven last, and how many are free."""
    open_, driven, nv = standing.open, standing.driven, len(standing.v)
    J = standing.rows[which]
    sizes = np.linalg.norm(J, axis=1)
    J = J[sizes > 0.0] / sizes[sizes > 0.0][:, None]
    free = np.eye(len(open_))
    follow = np.zeros((len(open_), len(driven)))
    if len(J) and len(open_):
        _, values, right = np.linalg.svd(J[:, open_])
        rank = int(np.sum(values > RANK * max(float(values.max(initial=0.0)), 1e-300)))
        free = right[rank:].T
        follow = -np.linalg.pinv(J[:, open_], rcond=RANK) @ J[:, driven]
    out = np.zeros((nv, free.shape[1] + len(driven)))
    out[open_, : free.shape[1]] = free
    out[np.ix_(open_, np.arange(free.shape[1], out.shape[1]))] = follow
    out[driven, np.arange(free.shape[1], out.shape[1])] = 1.0
    return out, free.shape[1]
