"""Find the best design within limits: begun from the best of a sample, by scipy; several goals by NSGA-II.

All is done in parts of each range. Limits are constraints; a run without a value is far from everything
(`FAR`). COBYQA: Ragonneau, PhD thesis, Hong Kong Polytechnic University, 2022. SLSQP: Kraft, DFVLR-FB 88-28.
Gaussian processes: Jones, Schonlau and Welch, J. Global Optim. 13 (1998) 455 (expected improvement), times the
probability that limits are kept (Gardner et al., ICML 2014), by bayesian-optimization.
NSGA-II: Deb et al., IEEE Trans. Evol. Comput. 6 (2002) 182, by pymoo's ask and tell, so that a generation's
runs go beside each other and nothing depends on who is first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from solver.base.extras import needed, require
from solver.project.document import Project
from solver.project.studies import OptimumStudy
from solver.studies.answers import optimum
from solver.studies.drawing import ends, present, sample_shares, values_at
from solver.studies.evaluate import Evaluator
from solver.studies.rows import Array, Phase, StudyError, losses

FAR = 1e6
"""Loss and broken limit of a run without a value, in scales of the sample."""
STEP = 1e-4
"""Step of the differences of SLSQP, in parts of the ranges."""
KEPT = 1e-6
"""A limit counts as kept by so much of its scale while searching."""


PATIENCE = 10
"""Runs without a gain, beside one for each parameter, after which a surrogate has found what it can."""


class _Enough(Exception):
    """Say that there have been as many runs as there may be."""


class _Search:
    """The search: losses and limits by point of the unit cube, in scales of the sample."""

    def __init__(self, study: OptimumStudy, evaluator: Evaluator) -> None:
        self.study, self.evaluator = study, evaluator
        self.low, self.high = ends(study.parameters)
        self._goals = sum(one.goal != "none" for one in study.responses)
        self.scale = np.ones(self._goals)
        self.limit_scales: list[float] = []

    def rows_of(self, points: Sequence[Array], phase: Phase) -> list[int]:
        """Run points, all beside each other, and give their rows."""
        values = [self.low + np.clip(x, 0.0, 1.0) * (self.high - self.low) for x in points]
        asked = [(tuple(np.clip(v, self.low, self.high).tolist()), 0) for v in values]
        new = sum(not self.evaluator.has(*one) for one in asked)
        done = int((self.evaluator.rows.status > 0).sum())
        if new and done + new > self.study.most_runs:
            raise _Enough
        return self.evaluator.batch(asked, phase)

    def loss(self, numbers: Sequence[int]) -> Array:
        """The goals of rows (n, g), scaled; less is better."""
        found = losses(self.study, self.evaluator.rows)[list(numbers)] / self.scale
        return np.where(np.isfinite(found), found, FAR)

    def room(self, numbers: Sequence[int]) -> Array:
        """Give the room to each limit (n, l), scaled; below zero it is broken."""
        columns, scales = list[Array](), iter(self.limit_scales)
        outputs = self.evaluator.rows.outputs[list(numbers)]
        for i, one in enumerate(self.study.responses):
            if one.at_least is not None:
                columns.append((outputs[:, i] - one.at_least) / next(scales, 1.0))
            if one.at_most is not None:
                columns.append((one.at_most - outputs[:, i]) / next(scales, 1.0))
        found = np.array(columns).T.reshape(len(numbers), len(columns))
        return np.where(np.isfinite(found), found, -FAR)

    def settle_scales(self, numbers: Sequence[int]) -> None:
        """Measure goals and limits by their sizes in a sample, so that none outweighs the others."""
        found = np.abs(losses(self.study, self.evaluator.rows)[list(numbers)])
        found[~np.isfinite(found)] = 0.0
        largest = np.median(found, axis=0)
        self.scale = np.where(largest > 0.0, largest, 1.0)
        for one in self.study.responses:
            self.limit_scales += [
                abs(limit) or 1.0 for limit in (one.at_least, one.at_most) if limit is not None
            ]

    def best(self, numbers: Sequence[int]) -> int:
        """The best of rows: of those that keep the limits the one of least loss, else the least broken."""
        loss, broken = self.loss(numbers)[:, 0], self.broken(numbers)
        order = np.lexsort((loss, np.where(broken <= KEPT, 0.0, broken)))
        return int(numbers[int(order[0])])

    def broken(self, numbers: Sequence[int]) -> Array:
        """By how much limits are broken, in all."""
        return np.asarray(np.clip(-self.room(numbers), 0.0, None).sum(axis=1))

    def shares(self, number: int) -> Array:
        """The point of a row."""
        return np.asarray((self.evaluator.rows.inputs[number] - self.low) / (self.high - self.low))


def found_optimum(project: Project, study: OptimumStudy, evaluator: Evaluator) -> dict[str, Any]:
    """Look for the best design, and give what was found as plain data."""
    goals = sum(one.goal != "none" for one in study.responses)
    if goals > 1 or study.method == "gaussian_process":
        # said before the first run, and not after a night of them
        require("studies", StudyError)
    search = _Search(study, evaluator)
    drawn = sample_shares(len(study.parameters), study.start_runs, study.seed, "latin_hypercube")
    points = (values_at(study.parameters, drawn) - search.low) / (search.high - search.low)
    here = (np.array(present(project, study)) - search.low) / (search.high - search.low)
    is_inside = bool(np.all((here >= 0.0) & (here <= 1.0)))
    sample = [*([here] if is_inside else []), *points]
    ended = "completed"
    try:
        numbers = search.rows_of(sample[: study.most_runs], "start")
        search.settle_scales(numbers)
        if goals == 1 and study.method == "gaussian_process":
            _by_surrogate(search, numbers)
        elif goals == 1:
            _one_goal(search, numbers)
        else:
            _several(search, numbers)
    except _Enough:
        ended = "most_runs"
    return optimum(study, evaluator.rows, ended)


def _one_goal(search: _Search, numbers: Sequence[int]) -> None:
    from scipy import optimize

    # its types do not know constraints that are functions of arrays
    minimize: Any = optimize.minimize
    study = search.study
    start = search.shares(search.best(numbers))
    count = len(start)

    def loss(x: Array) -> float:
        return float(search.loss(search.rows_of([x], "search"))[0, 0])

    def room(x: Array) -> Array:
        return np.asarray(search.room(search.rows_of([x], "search"))[0])

    has_limits = search.room(numbers).shape[1] > 0
    bounds = [(0.0, 1.0)] * count
    if study.method == "cobyqa":
        limits = [optimize.NonlinearConstraint(room, 0.0, np.inf)] if has_limits else []
        options = {"initial_tr_radius": 0.2, "final_tr_radius": study.tolerance, "maxfev": study.most_runs}  # fmt: skip
        before = np.inf
        while True:
            minimize(
                loss, start, method="COBYQA", bounds=bounds, constraints=limits, options=options
            )
            best = search.best(range(len(search.evaluator.rows)))
            now = float(search.loss([best])[0, 0])
            # at a kink its models go astray; begun again at the best point they get further
            if before - now <= study.tolerance * abs(now):
                break
            start, before = search.shares(best), now
            options["initial_tr_radius"] = 0.05
    elif study.method == "slsqp":

        def slopes(x: Array) -> tuple[Array, Array]:
            """Give derivatives of loss and room, all runs beside each other."""
            sides = [
                np.clip(x + s * STEP * e, 0.0, 1.0) for e in np.eye(count) for s in (-1.0, 1.0)
            ]
            rows = search.rows_of(sides, "differences")
            steps = np.array([sides[2 * i + 1][i] - sides[2 * i][i] for i in range(count)])
            f, g = search.loss(rows)[:, 0], search.room(rows)
            return (f[1::2] - f[::2]) / steps, ((g[1::2] - g[::2]) / steps[:, None]).T

        limit = {"type": "ineq", "fun": room, "jac": lambda x: slopes(x)[1]}
        minimize(
            loss, start, method="SLSQP", jac=lambda x: slopes(x)[0], bounds=bounds,
            constraints=[limit] if has_limits else [],
            options={"ftol": study.tolerance**2, "maxiter": study.most_runs},
        )  # fmt: skip
    else:

        def with_limits(x: Array) -> float:
            """Add what is broken of limits, steeply."""
            (row,) = search.rows_of([x], "search")
            return float(search.loss([row])[0, 0] + 100.0 * search.broken([row])[0])

        minimize(
            with_limits, start, method="Nelder-Mead", bounds=bounds,
            options={"xatol": study.tolerance, "fatol": study.tolerance**2, "maxfev": study.most_runs,
                     "initial_simplex": _simplex(start)},
        )  # fmt: skip


def _by_surrogate(search: _Search, numbers: Sequence[int]) -> None:
    """Run next what promises most by a Gaussian process through all runs so far, one after the other."""
    from scipy.optimize import NonlinearConstraint

    with needed("studies", StudyError):
        from bayes_opt import BayesianOptimization, acquisition
        from threadpoolctl import threadpool_limits

    study = search.study
    names = [f"x{i}" for i in range(len(study.parameters))]
    limits = search.room(numbers).shape[1]
    constraint = NonlinearConstraint(np.asarray, np.zeros(limits), np.full(limits, np.inf))
    surrogate = BayesianOptimization(
        None, dict.fromkeys(names, (0.0, 1.0)), random_state=study.seed, verbose=0,
        acquisition_function=acquisition.ExpectedImprovement(xi=0.0),
        constraint=constraint if limits else None, allow_duplicate_points=True,
    )  # fmt: skip
    idle = 0
    point = list(numbers)
    while idle < PATIENCE + len(names):
        for number in point:
            loss, room = search.loss([number])[0, 0], search.room([number])[0]
            # what has no value is as bad as the worst that has one, so that the process stays smooth
            known = search.loss(numbers)[:, 0]
            worst = float(known[known < FAR].max(initial=1.0))
            given = np.clip(room, -1.0, None)
            # one limit alone is a number there
            bound = None if not limits else float(given[0]) if limits == 1 else given
            surrogate.register(search.shares(number), -min(float(loss), worst), bound)  # fmt: skip
        before = search.best(numbers)
        # in one thread: the matrices are small, and sums come in the same order everywhere
        with threadpool_limits(1):
            wanted = surrogate.suggest()
        point = search.rows_of([np.array([wanted[name] for name in names])], "search")
        numbers = [*numbers, *point]
        now = search.best(numbers)
        loss_before, loss_now = (float(search.loss([n])[0, 0]) for n in (before, now))
        gained = now != before and loss_before - loss_now > study.tolerance * abs(loss_now)
        idle = 0 if gained or search.broken([now])[0] > KEPT else idle + 1


def _simplex(start: Array) -> Array:
    """The corners from which Nelder and Mead begin: a tenth of each range away."""
    moved = np.where(start <= 0.5, 0.1, -0.1)
    return np.vstack([start, start + np.diag(moved)])


def _several(search: _Search, numbers: Sequence[int]) -> None:
    """Look for a front by NSGA-II; the sample is its first population."""
    with needed("studies", StudyError):
        from pymoo.algorithms.moo.nsga2 import NSGA2
        from pymoo.core.evaluator import Evaluator as Judge
        from pymoo.core.population import Population
        from pymoo.core.problem import Problem
        from pymoo.problems.static import StaticProblem

    study = search.study
    count, goals = len(study.parameters), search.loss(numbers).shape[1]
    limits = search.room(numbers).shape[1]
    problem = Problem(n_var=count, n_obj=goals, n_ieq_constr=limits, xl=np.zeros(count), xu=np.ones(count))  # fmt: skip
    first = np.array([search.shares(n) for n in numbers])
    algorithm = NSGA2(pop_size=len(first), sampling=Population.new("X", first))
    generations = max(1, study.most_runs // len(first))
    algorithm.setup(problem, termination=("n_gen", generations), seed=study.seed, verbose=False)
    while algorithm.has_next():
        asked = algorithm.ask()
        rows = search.rows_of(list(asked.get("X")), "search")
        found = {"F": search.loss(rows), **({"G": -search.room(rows)} if limits else {})}
        Judge().eval(StaticProblem(problem, **found), asked)
        algorithm.tell(infills=asked)
