"""Answers of a study from its table, as plain data (docs/studies.md says what stands where).

Central differences about the design give slopes and elasticities, d ln F / d ln p. The sign and its size
come from the change of the response over the whole range: measured at its ends where they were run,
otherwise the slope times the range. Where it rises on one side and falls on the other, it is +-.

Both are taken over shares of each distribution. A run without a value costs its whole walk or base run:
what is left is still a design of the same kind.

The interval of a mean is Student's, that of a share Clopper and Pearson's (Biometrika 26, 1934, 404). Both
take runs for independent; of a Latin hypercube or a sequence of Sobol they are too wide rather than too
narrow (Stein, Technometrics 29, 1987, 143).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from solver.base.extras import needed
from solver.project.studies import (
    FitStudy,
    GridStudy,
    LocalStudy,
    MorrisStudy,
    OptimumStudy,
    SampleStudy,
    SobolStudy,
    Study,
    StudyBase,
    SynthesisStudy,
)
from solver.studies.drawing import ends, morris_shares, problem_of
from solver.studies.rows import Array, Layout, Rows, StudyError, front, keeps_limits

# The signed matrix of a local study: how each response moves with each parameter, and which way.


def signed_matrix(study: LocalStudy, layout: Layout, rows: Rows) -> dict[str, dict[str, Any]]:
    """For each response and parameter: slope, elasticity, change over the range, mark, and the runs behind them."""
    low, high = ends(study.parameters)
    out = dict[str, dict[str, Any]]()
    for i, response in enumerate(layout.responses):
        row = dict[str, Any]()
        finite = rows.outputs[np.isfinite(rows.outputs[:, i]), i]
        # a response that is zero in the design is measured by the largest that it gets
        scale = abs(float(rows.outputs[0, i])) or float(np.abs(finite).max(initial=0.0))
        for j, parameter in enumerate(layout.parameters):
            row[parameter] = _cell(study, rows, i, j, float(high[j] - low[j]), scale)
        out[response] = row
    return out


def _cell(
    study: LocalStudy, rows: Rows, i: int, j: int, width: float, scale: float
) -> dict[str, Any]:
    x, y = rows.inputs[:, j], rows.outputs[:, i]
    base, present = float(x[0]), float(y[0])
    # behind the design itself each parameter has two steps, and two ends where they are asked for
    per = 4 if study.ends else 2
    steps = np.arange(2) + 1 + per * j
    far = steps + 2 if study.ends else steps[:0]
    cell: dict[str, Any] = {"runs": [*steps.tolist(), *far.tolist()]}
    if not np.all(np.isfinite(y[steps])) or x[steps[0]] == x[steps[1]]:
        return cell | {"slope": None, "elasticity": None, "change": None, "mark": "?"}
    slope = float((y[steps[1]] - y[steps[0]]) / (x[steps[1]] - x[steps[0]]))
    known = np.isfinite(present) and present != 0.0 and base != 0.0
    cell |= {"slope": slope, "elasticity": slope * base / present if known else None}
    weak = study.weak_ratio * scale
    change, turns = slope * width, False
    if study.ends and np.all(np.isfinite(y[far])) and np.isfinite(present):
        change = float(y[far[1]] - y[far[0]])
        before, behind = present - float(y[far[0]]), float(y[far[1]]) - present
        # an end that is where the design stands has no side of its own
        turns = before * behind < 0.0 and min(abs(before), abs(behind)) >= weak
    return cell | {
        "change": change,
        "mark": "+-" if turns else _mark(change, weak, study.strong_ratio * scale),
    }


def _mark(change: float, weak: float, strong: float) -> str:
    if change == 0.0 or abs(change) < weak:
        return "0"
    sign = "+" if change > 0.0 else "-"
    return 2 * sign if abs(change) >= strong else sign


# Global sensitivity: elementary effects of Morris and indices of Sobol, by SALib.

LEAST = 2
"""Walks or base runs below which nothing is said."""
RESAMPLES = 200


def _complete_blocks(value: Array, size: int) -> Array:
    """Tell of which rows the whole block of `size` rows has values."""
    count = len(value) // size * size
    good = np.isfinite(value[:count]).reshape(-1, size).all(axis=1)
    return np.repeat(good, size)


def morris_effects(study: MorrisStudy, layout: Layout, rows: Rows) -> dict[str, dict[str, Any]]:
    """Give mu, mu_star, sigma and the interval of mu_star for each response and parameter."""
    with needed("studies", StudyError):
        from SALib.analyze import morris

    out, shares = dict[str, dict[str, Any]](), morris_shares(study)
    size = len(layout.parameters) + 1
    for i, response in enumerate(layout.responses):
        value = rows.outputs[:, i]
        good = _complete_blocks(value, size)
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
    with needed("studies", StudyError):
        from SALib.analyze import sobol

    d = len(study.parameters)
    size = 2 * d + 2 if study.second_order else d + 2
    good = _complete_blocks(value, size)
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


# How responses are spread in a sample: mean, deviation, percentiles, and how often limits are kept.

PERCENTILES = (5, 25, 50, 75, 95)


def statistics(
    study: StudyBase, layout: Layout, rows: Rows, confidence: float | None
) -> dict[str, dict[str, Any]]:
    """What is known of each response; intervals where a confidence is given."""
    out = dict[str, dict[str, Any]]()
    for i, one in enumerate(study.responses):
        value = rows.outputs[:, i]
        value = value[np.isfinite(value)]
        about: dict[str, Any] = {
            "unit": layout.response_units[i],
            "values": len(value),
            "without_value": int((rows.status > 0).sum()) - len(value),
        }
        if len(value):
            about |= _of(value, confidence)
        if one.at_least is not None or one.at_most is not None:
            about["limit"] = _limit(value, one.at_least, one.at_most, confidence)
        out[one.id] = about
    return out


def _of(value: Array, confidence: float | None) -> dict[str, Any]:
    deviation = float(value.std(ddof=1)) if len(value) > 1 else 0.0
    mean = float(value.mean())
    out: dict[str, Any] = {
        "mean": mean,
        "deviation": deviation,
        "least": float(value.min()),
        "largest": float(value.max()),
        "percentiles": {
            str(p): float(x) for p, x in zip(PERCENTILES, np.percentile(value, PERCENTILES), strict=True)
        },
    }  # fmt: skip
    if confidence is not None and len(value) > 1:
        from scipy import stats

        half = float(stats.t.ppf(0.5 + 0.5 * confidence, len(value) - 1)) * deviation / np.sqrt(len(value))  # fmt: skip
        out["mean_interval"] = [float(mean - half), float(mean + half)]
    return out


def _limit(
    value: Array, low: float | None, high: float | None, confidence: float | None
) -> dict[str, Any]:
    """The part of all runs with a value that keeps a limit, with its interval."""
    good = np.ones(len(value), bool)
    if low is not None:
        good &= value >= low
    if high is not None:
        good &= value <= high
    out: dict[str, Any] = {"at_least": low, "at_most": high, "kept": int(good.sum())}
    if len(value):
        out["probability"] = float(good.mean())
        if confidence is not None:
            from scipy import stats

            interval = stats.binomtest(int(good.sum()), len(value)).proportion_ci(
                confidence, "exact"
            )
            out["interval"] = [float(interval.low), float(interval.high)]
    return out


def correlations(layout: Layout, rows: Rows) -> dict[str, dict[str, float | None]]:
    """Give Spearman's correlation of ranks of each response with each parameter; None where nothing varies."""
    from scipy import stats

    out = dict[str, dict[str, float | None]]()
    for i, name in enumerate(layout.responses):
        value = rows.outputs[:, i]
        good = np.isfinite(value)
        row = dict[str, float | None]()
        for j, parameter in enumerate(layout.parameters):
            x, y = rows.inputs[good, j], value[good]
            varies = len(y) > 2 and np.ptp(x) > 0.0 and np.ptp(y) > 0.0
            row[parameter] = float(stats.spearmanr(x, y).statistic) if varies else None
        out[name] = row
    return out


__all__ = ["answers_of"]


def answers_of(study: Study, layout: Layout, rows: Rows) -> dict[str, Any]:
    """All answers that the table holds."""
    out: dict[str, Any] = {
        "kind": study.kind,
        "runs": len(rows),
        "done": int(rows.is_done.sum()),
        "failed": int((rows.status == 3).sum()),
        "kept": int(keeps_limits(study, rows).sum()),
        "best": front(study, rows),
    }
    match study:
        case SampleStudy():
            out["responses"] = statistics(study, layout, rows, study.confidence)
            out["correlations"] = correlations(layout, rows)
        case GridStudy():
            out["responses"] = statistics(study, layout, rows, None)
        case LocalStudy():
            out["sensitivity"] = signed_matrix(study, layout, rows)
        case MorrisStudy():
            out["screening"] = morris_effects(study, layout, rows)
        case SynthesisStudy():
            out["responses"] = statistics(study, layout, rows, None)
        case SobolStudy():
            out["responses"] = statistics(study, layout, rows, None)
            out["indices"] = sobol_indices(study, layout, rows)
        case _:
            pass
    return out


# What a file reports a search, looked at before anybody relies on it: the rest of the answers follows from the table.

ENDED = ("completed", "most_runs")


def found_by_search(told: Any, study: Study, rows: Rows) -> dict[str, Any]:
    """What only a search knows; raises ValueError where a file tells what no search does."""
    try:
        match study:
            case FitStudy() if told and "fit" in told:
                return {"fit": _fit(told["fit"], rows)}
            case SynthesisStudy() if told and "synthesis" in told:
                return {"synthesis": _synthesis(told["synthesis"], rows)}
            case OptimumStudy() if told and "optimum" in told:
                return {"optimum": optimum(study, rows, _one_of(told["optimum"]["ended"], ENDED))}
    except (KeyError, TypeError, AttributeError) as failure:
        raise ValueError(f"its answers lack {failure}") from None
    return {}


def _synthesis(told: Mapping[str, Any], rows: Rows) -> dict[str, Any]:
    crank = [[_number(angle) for angle in one] for one in told["crank_rad"]]
    if len(crank) != len(rows):
        raise ValueError("its answers tell the crank of other rows than there are")
    known = range(len(rows) + 1)
    return {
        "ended": _one_of(told["ended"], ENDED),
        "passed": _one_of(told["passed"], known),
        "turned": _one_of(told["turned"], known),
        "crank_rad": crank,
    }


def optimum(study: OptimumStudy, rows: Rows, ended: str) -> dict[str, Any]:
    """The best of all runs, or the front of them."""
    about, best = rows.layout, front(study, rows)
    out: dict[str, Any] = {"ended": ended, "runs": len(rows), "front": best}
    if len(best) == 1:
        out["design"] = dict(zip(about.parameters, rows.inputs[best[0]].tolist(), strict=True))
        out["responses"] = dict(zip(about.responses, rows.outputs[best[0]].tolist(), strict=True))
    return out


def _fit(told: Mapping[str, Any], rows: Rows) -> dict[str, Any]:
    about: Layout = rows.layout
    names = {str(name): one for name, one in told["unknowns"].items()}
    out: dict[str, Any] = {
        "ended": _one_of(told["ended"], ENDED),
        "unknowns": {
            name: {
                "value": _number(one["value"]),
                "parameter": _one_of(one["parameter"], about.parameters),
                "test": _one_of(one["test"], (None, *about.tests)),
                "at_end": bool(one["at_end"]),
            }
            for name, one in names.items()
        },
        "runs": [_one_of(run, range(len(rows))) for run in told["runs"]],
        "misfit": None if told["misfit"] is None else _number(told["misfit"]),
        "targets": [
            {
                "test": _one_of(one["test"], about.tests),
                "quantity": str(one["quantity"]),
                "rms": _number(one["rms"]),
            }
            | ({"halves": True} if one.get("halves") else {})
            for one in told["targets"]
        ],
    }
    if "singular_values" in told:
        out["singular_values"] = [_number(one) for one in told["singular_values"]]
        out["not_told_apart"] = [
            {"ratio": _number(one["ratio"]), "parts": _parts(one["parts"], names)}
            for one in told["not_told_apart"]
        ]
    if "covariance" in told:
        out["covariance"] = _square(told["covariance"], len(names))
        out["deviations"] = {_one_of(n, names): _number(v) for n, v in told["deviations"].items()}
        out["correlations"] = _square(told["correlations"], len(names))
    return out


def _parts(told: Mapping[str, Any], names: Mapping[str, Any]) -> dict[str, float]:
    parts = {str(_one_of(name, names)): _number(value) for name, value in told.items()}
    if not any(parts.values()):
        raise ValueError("its answers name no direction")
    return parts


def _square(told: Any, n: int) -> list[list[float]]:
    out = [[_number(one) for one in row] for row in told]
    if [len(row) for row in out] != [n] * n:
        raise ValueError("its answers hold no square of numbers")
    return out


def _number(value: Any) -> float:
    number = float(value)
    if isinstance(value, str) or not math.isfinite(number):
        raise ValueError(f"its answers hold no number but '{value}'")
    return number


def _one_of(value: Any, known: Any) -> Any:
    if isinstance(value, float) or value not in known:
        raise ValueError(f"its answers know '{value}', and nobody else does")
    return value
