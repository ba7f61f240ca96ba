"""The signed matrix of a local study: how each response moves with each parameter, and which way.

Central differences about the design give slopes and elasticities, d ln F / d ln p. The sign and its size
come from the change of the response over the whole range: measured at its ends where they were run,
otherwise the slope times the range. Where it rises on one side and falls on the other, it is +-.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solver.project.studies import LocalStudy
from solver.studies.rows import Layout, Rows
from solver.studies.spreads import ends


def signed_matrix(study: LocalStudy, layout: Layout, rows: Rows) -> dict[str, dict[str, Any]]:
    """Give for each response and parameter: slope, elasticity, change over the range, mark, and the runs behind them."""
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
