"""Fit parameters to measured curves by least squares, stage by stage, of one test or several at once.

Trust region of scipy.optimize.least_squares, in parts of each range, with Jacobians by central differences
whose runs go beside each other; of what is distributed by its logarithm, in parts of the logarithms' range. Residuals are
differences at even times, each curve divided by its peak, and differences from the middle of corridors in halves of them.
The covariance is s^2 inv(J' J) with s^2 = r' r / (m - n) (Seber and Wild, Nonlinear Regression, 1989, ch. 2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from solver.project.document import Project
from solver.project.studies import FitStudy
from solver.project.study_parts import Lognormal, TruncatedNormal
from solver.studies.drawing import ends, present, sample_shares, values_at
from solver.studies.evaluate import Evaluator
from solver.studies.responses import aims_of
from solver.studies.rows import Array, Phase, StudyError

APART = 1e-3
"""Ratio of singular values below which a combination of parameters is told not to be determined."""
IN_IT = 0.1
"""Part of such a combination from which a parameter is named."""


class _Enough(Exception):
    """Say that there have been as many runs as there may be."""


@dataclass(frozen=True)
class _Unknown:
    """One number that is looked for: a parameter, in all tests or in one."""

    parameter: int
    test: int | None
    name: str


class _Fit:
    """A fit: which unknowns there are, and how runs come from them."""

    def __init__(self, project: Project, study: FitStudy, evaluator: Evaluator) -> None:
        self._study, self._evaluator = study, evaluator
        self._tests = len(study.tests)
        self._base = np.array(present(project, study))
        self.low, self.high = ends(study.parameters)
        self.unknowns: list[_Unknown] = []
        for i, one in enumerate(study.parameters):
            if one.basis == "validated":
                continue
            if one.belongs_to == "test" and self._tests > 1:
                self.unknowns += [
                    _Unknown(i, k, f"{one.id}, {test.id}") for k, test in enumerate(study.tests)
                ]
            else:
                self.unknowns.append(_Unknown(i, None, one.id))
        self.aims = [aims_of(test) for test in study.tests]
        self._spreads = [study.parameters[u.parameter].spread for u in self.unknowns]
        self._is_log = np.array([isinstance(one, Lognormal) for one in self._spreads], bool)
        of = [u.parameter for u in self.unknowns]
        self.lows = self._even(self.low[of])
        self.widths = self._even(self.high[of]) - self.lows
        self.shares = np.clip(self.shares_of(self._base[of]), 0.0, 1.0)

    def _even(self, values: Array) -> Array:
        """Values as they are gone through evenly: of what is distributed by its logarithm that."""
        return np.where(self._is_log, np.log(np.where(self._is_log, values, 1.0)), values)

    def shares_of(self, values: Array) -> Array:
        """Where values lie in their ranges."""
        return np.asarray((self._even(values) - self.lows) / self.widths)

    def values(self, shares: Array) -> Array:
        """Values from their places in the ranges."""
        even = self.lows + shares * self.widths
        return np.where(self._is_log, np.exp(np.where(self._is_log, even, 0.0)), even)

    def steps(self, shares: Array) -> Array:
        """By how much values grow with their places in the ranges."""
        return np.where(self._is_log, self.values(shares) * self.widths, self.widths)

    def pulls(self, shares: Array) -> Array:
        """How many deviations each value is from the middle of its distribution, where these count."""
        if not self._study.counts_spread:
            return np.zeros(0)
        out = list[float]()
        for spread, value in zip(self._spreads, self.values(shares), strict=True):
            match spread:
                case Lognormal():
                    out.append(float(np.log(value / spread.median)) / spread.log_deviation)
                case TruncatedNormal():
                    out.append((float(value) - spread.mean) / spread.deviation)
        return np.array(out)

    def stage_of(self, unknown: _Unknown) -> int:
        """The stage in which an unknown is fitted first."""
        return self._study.parameters[unknown.parameter].stage

    def inputs(self, shares: Array) -> list[tuple[tuple[float, ...], int]]:
        """The runs of a point: one for each test."""
        values = self.values(shares)
        out = []
        for test in range(self._tests):
            row = self._base.copy()
            for unknown, value in zip(self.unknowns, values, strict=True):
                if unknown.test in (None, test):
                    row[unknown.parameter] = value
            out.append((tuple(row.tolist()), test))
        return out

    def residuals(self, points: Sequence[Array], stage: int, phase: Phase) -> list[Array | None]:
        """The residuals of points, all runs beside each other; None where a run has none."""
        asked = [run for point in points for run in self.inputs(point)]
        rows = self._evaluator.rows
        new = sum(not self._evaluator.has(*row) for row in asked)
        if new and int((rows.status > 0).sum()) + new > self._study.most_runs:
            raise _Enough
        numbers = self._evaluator.batch(asked, phase)
        out = list[Array | None]()
        for p in range(len(points)):
            parts = [
                self._of_stage(rows.residuals[numbers[p * self._tests + k]], k, stage)
                for k in range(self._tests)
            ]
            whole = np.concatenate([*parts, self.pulls(points[p])])
            out.append(whole if np.all(np.isfinite(whole)) else None)
        return out

    def _of_stage(self, residuals: Array, test: int, stage: int) -> Array:
        """The residuals of a test that count in a stage; each curve counts as one number."""
        parts = [
            residuals[aim.place] / np.sqrt(aim.count)
            for aim in self.aims[test]
            if aim.stage <= stage
        ]
        return np.concatenate(parts) if parts else np.zeros(0)


def fitted(project: Project, study: FitStudy, evaluator: Evaluator) -> dict[str, Any]:
    """Fit, and give what was found as plain data."""
    fit = _Fit(project, study, evaluator)
    last = max([fit.stage_of(u) for u in fit.unknowns] + [aim.stage for test in fit.aims for aim in test])  # fmt: skip
    ended = "completed"
    try:
        _start(fit, study, last)
        for stage in range(1, last + 1):
            free = [i for i, u in enumerate(fit.unknowns) if fit.stage_of(u) == stage]
            if free and (last > 1):
                _solve(fit, study, stage, free)
        _solve(fit, study, last, list(range(len(fit.unknowns))))
    except _Enough:
        ended = "most_runs"
    return _fit_answers(fit, study, last, ended)


def _start(fit: _Fit, study: FitStudy, stage: int) -> None:
    """Begin with the best run of a sample, where one is asked for."""
    if not study.start_runs:
        return
    drawn = sample_shares(len(fit.unknowns), study.start_runs, study.seed, "latin_hypercube")
    spreads = [study.parameters[u.parameter] for u in fit.unknowns]
    points = fit.shares_of(values_at(spreads, drawn))
    tried = [fit.shares, *points]
    found = fit.residuals(tried, stage, "start")
    sums = [np.inf if one is None else float(one @ one) for one in found]
    fit.shares = tried[int(np.argmin(sums))]


def _solve(fit: _Fit, study: FitStudy, stage: int, free: list[int]) -> None:
    """Fit some unknowns to the targets of a stage; the others stay."""
    from scipy import optimize

    least_squares: Any = optimize.least_squares

    def whole(x: Array) -> Array:
        out = fit.shares.copy()
        out[free] = x
        return np.asarray(out)

    def residuals(x: Array) -> Array:
        (found,) = fit.residuals([whole(x)], stage, "search")
        if found is None:
            # a step into where nothing runs is taken back
            return np.asarray(np.full_like(reference, 1e3))
        if best[0] > float(found @ found):
            best[0], best[1] = float(found @ found), x.copy()
        return np.asarray(found)

    best: list[Any] = [np.inf, fit.shares[free].copy()]
    (first,) = fit.residuals([fit.shares], stage, "search")
    if first is None:
        raise StudyError(
            "The run that the fit begins with does not come to its end: {why}",
            why=_stop_reason(fit),
        )
    reference = first
    try:
        least_squares(
            residuals,
            np.clip(fit.shares[free], 1e-9, 1.0 - 1e-9),
            jac=lambda x: jacobian(fit, study, whole(x), stage, free),
            bounds=(0.0, 1.0),
            xtol=study.tolerance,
            ftol=study.tolerance**2,
            gtol=1e-12,
        )
    finally:
        fit.shares = whole(best[1])


def _stop_reason(fit: _Fit) -> str:
    rows = fit._evaluator.rows
    return next(reversed(rows.reasons), "")


def jacobian(fit: _Fit, study: FitStudy, shares: Array, stage: int, free: Sequence[int]) -> Array:
    """The derivatives of the residuals by shares, by central differences; one-sided at the ends."""
    points = list[Array]()
    for i in free:
        for sign in (-1.0, 1.0):
            moved = shares.copy()
            moved[i] = np.clip(moved[i] + sign * study.step_ratio, 0.0, 1.0)
            points.append(moved)
    found = fit.residuals(points, stage, "differences")
    columns = list[Array]()
    for k, i in enumerate(free):
        below, above = found[2 * k], found[2 * k + 1]
        if below is None or above is None:
            raise StudyError(
                "A run beside the fit does not come to its end: {why}", why=_stop_reason(fit)
            )
        columns.append((above - below) / (points[2 * k + 1][i] - points[2 * k][i]))
    return np.array(columns).T


def _fit_answers(fit: _Fit, study: FitStudy, stage: int, ended: str) -> dict[str, Any]:
    """Say what was found, how sure it is, and what cannot be told apart."""
    names = [u.name for u in fit.unknowns]
    values = fit.values(fit.shares)
    (left,) = _quietly(fit, stage)
    out: dict[str, Any] = {
        "ended": ended,
        "unknowns": {
            name: {"value": float(v), "parameter": study.parameters[u.parameter].id,
                   "test": None if u.test is None else study.tests[u.test].id,
                   "at_end": bool(s < 1e-6 or s > 1.0 - 1e-6)}
            for name, v, u, s in zip(names, values, fit.unknowns, fit.shares, strict=True)
        },
        "runs": [fit._evaluator.batch([run], "search")[0] for run in fit.inputs(fit.shares)],
        "misfit": None if left is None else float(np.sqrt(left @ left)),
        "targets": _by_target(fit, study),
    }  # fmt: skip
    if left is None or ended != "completed":
        return out
    try:
        J = jacobian(fit, study, fit.shares, stage, range(len(names)))
    except _Enough:
        return out
    return out | _certainty(fit, J, left, names)


def _quietly(fit: _Fit, stage: int) -> list[Array | None]:
    try:
        return fit.residuals([fit.shares], stage, "search")
    except _Enough:
        return [None]


def _by_target(fit: _Fit, study: FitStudy) -> list[dict[str, Any]]:
    """The root mean square of what is left of each: a part of a curve's peak, or halves of a corridor."""
    rows, out = fit._evaluator.rows, list[dict[str, Any]]()
    numbers = fit._evaluator.batch(fit.inputs(fit.shares), "search")
    for k, (test, number) in enumerate(zip(study.tests, numbers, strict=True)):
        for aim in fit.aims[k]:
            part = rows.residuals[number][aim.place]
            rms = float(np.sqrt(np.mean(part**2))) / aim.weight
            one = {"test": test.id, "quantity": aim.name, "rms": rms}
            out.append(one | ({"halves": True} if aim.is_corridor else {}))
    return out


def _certainty(fit: _Fit, J: Array, left: Array, names: list[str]) -> dict[str, Any]:
    """Give covariance, deviations, correlations, and the combinations that the tests do not determine."""
    _, s, Vt = np.linalg.svd(J, full_matrices=False)
    out: dict[str, Any] = {"singular_values": s.tolist(), "not_told_apart": []}
    for value, row in zip(s, Vt, strict=True):
        if value < APART * s[0]:
            parts = {n: float(v) for n, v in zip(names, row, strict=True) if abs(v) >= IN_IT}
            ratio = float(value / s[0]) if s[0] > 0.0 else 0.0
            out["not_told_apart"].append({"ratio": ratio, "parts": parts})
    more = len(left) - len(names)
    if more > 0 and s[-1] > 1e-12 * s[0]:
        variance = float(left @ left) / more
        # in units of the paths
        steps = fit.steps(fit.shares)
        C = (Vt.T * s**-2.0) @ Vt * variance * np.outer(steps, steps)
        deviation = np.sqrt(np.diag(C))
        out["covariance"] = C.tolist()
        out["deviations"] = dict(zip(names, deviation.tolist(), strict=True))
        with np.errstate(all="ignore"):
            out["correlations"] = np.nan_to_num(C / np.outer(deviation, deviation)).tolist()
    return out
