"""Global sensitivity: elementary effects of Morris and indices of Sobol, by SALib.

Both are taken over shares of each distribution. A run without a value costs its whole walk or base run:
what is left is still a design of the same kind.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solver.project.studies import MorrisStudy, SobolStudy
from solver.studies.drawing import morris_shares, problem_of
from solver.studies.rows import Array, Layout, Rows

LEAST = 2
"""Walks or base runs below which nothing is said."""
RESAMPLES = 200


def _whole(value: Array, size: int) -> Array:
    """Tell of which rows the whole block of `size` rows has values."""
    count = len(value) // size * size
    good = np.isfinite(value[:count]).reshape(-1, size).all(axis=1)
    return np.repeat(good, size)


def morris_effects(study: MorrisStudy, layout: Layout, rows: Rows) -> dict[str, dict[str, Any]]:
    """Give mu, mu_star, sigma and the interval of mu_star for each response and parameter."""
    from SALib.analyze import morris

    out, shares = dict[str, dict[str, Any]](), morris_shares(study)
    size = len(layout.parameters) + 1
    for i, response in enumerate(layout.responses):
        value = rows.outputs[:, i]
        good = _whole(value, size)
        used = int(good.sum()) // size
        about: dict[str, Any] = {"trajectories": used, "parameters": {}}
        if used >= LEAST:
            y = value[: len(good)][good]
            # SALib divides by deviations of what does not vary at all
            with np.errstate(all="ignore"):
                found = morris.analyze(
                    problem_of(study.parameters), shares[: len(good)][good], y,
                    num_levels=study.levels, seed=study.seed, num_resamples=RESAMPLES,
                )  # fmt: skip
            for j, name in enumerate(layout.parameters):
                about["parameters"][name] = {
                    key: float(found[key][j]) for key in ("mu", "mu_star", "sigma", "mu_star_conf")
                }
        out[response] = about
    return out


def indices_of(study: SobolStudy, value: Array) -> dict[str, Any]:
    """Give the indices of one response from its values in the order of the design."""
    from SALib.analyze import sobol

    d = len(study.parameters)
    size = 2 * d + 2 if study.second_order else d + 2
    good = _whole(value, size)
    used = int(good.sum()) // size
    out: dict[str, Any] = {"base_runs": used, "parameters": {}, "pairs": {}}
    y = value[: len(good)][good]
    if used < LEAST or np.ptp(y) == 0.0:
        return out
    with np.errstate(all="ignore"):
        found = sobol.analyze(
            problem_of(study.parameters), y, calc_second_order=study.second_order,
            num_resamples=RESAMPLES, conf_level=study.confidence, seed=study.seed,
        )  # fmt: skip
    names = [one.id for one in study.parameters]
    for j, name in enumerate(names):
        out["parameters"][name] = {
            "first": float(found["S1"][j]),
            "first_half_width": float(found["S1_conf"][j]),
            "total": float(found["ST"][j]),
            "total_half_width": float(found["ST_conf"][j]),
        }
    if study.second_order:
        for j, name in enumerate(names):
            for k in range(j + 1, d):
                out["pairs"][f"{name} {names[k]}"] = {
                    "second": float(found["S2"][j, k]),
                    "second_half_width": float(found["S2_conf"][j, k]),
                }
    return out


def sobol_indices(study: SobolStudy, layout: Layout, rows: Rows) -> dict[str, dict[str, Any]]:
    """Give first and total indices, and those of pairs, with the half widths of their intervals."""
    return {
        response: indices_of(study, rows.outputs[:, i])
        for i, response in enumerate(layout.responses)
    }
