"""How responses are spread in a sample: mean, deviation, percentiles, and how often limits are kept.

The interval of a mean is Student's, that of a share Clopper and Pearson's (Biometrika 26, 1934, 404). Both
take runs for independent; of a Latin hypercube or a sequence of Sobol they are too wide rather than too
narrow (Stein, Technometrics 29, 1987, 143).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solver.project.studies import StudyBase
from solver.studies.rows import Array, Layout, Rows

PERCENTILES = (5, 25, 50, 75, 95)


def statistics(
    study: StudyBase, layout: Layout, rows: Rows, confidence: float | None
) -> dict[str, dict[str, Any]]:
    """Give what is known of each response; intervals where a confidence is given."""
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
    """Give the part of all runs with a value that keeps a limit, with its interval."""
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
