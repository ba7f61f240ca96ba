"""What a file tells of a search, looked at before anybody relies on it: the rest of the answers follows from the table."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from solver.project.studies import FitStudy, OptimumStudy, Study
from solver.studies.judging import front
from solver.studies.rows import Layout, Rows

ENDED = ("completed", "most_runs")


def found_by_search(told: Any, study: Study, rows: Rows) -> dict[str, Any]:
    """Give what only a search knows; raises ValueError where a file tells what no search does."""
    try:
        match study:
            case FitStudy() if told and "fit" in told:
                return {"fit": _fit(told["fit"], rows)}
            case OptimumStudy() if told and "optimum" in told:
                return {"optimum": optimum(study, rows, _one_of(told["optimum"]["ended"], ENDED))}
    except (KeyError, TypeError, AttributeError) as failure:
        raise ValueError(f"its answers lack {failure}") from None
    return {}


def optimum(study: OptimumStudy, rows: Rows, ended: str) -> dict[str, Any]:
    """Give the best of all runs, or the front of them."""
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
