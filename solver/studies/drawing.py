"""Which runs a study needs: grids, samples, differences, and the designs of Morris and Sobol."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from solver.base.extras import needed
from solver.project.document import Project
from solver.project.studies import (
    GridStudy,
    LocalStudy,
    MorrisStudy,
    SampleStudy,
    SobolStudy,
    Study,
    StudyBase,
)
from solver.project.study_parts import (
    AnySpread,
    Lognormal,
    Normal,
    StudyParameter,
    Triangular,
    TruncatedNormal,
    Uniform,
    ends_of,
)
from solver.project.varying import present_of
from solver.studies.rows import Array, Phase, StudyError, Task

# Ranges and distributions of parameters: their ends, and values by their share.

INNERMOST = 1e-12
"""Shares nearer to 0 or 1 than this are taken for it: distributions without ends have no value at 0 and 1."""


def distribution(spread: AnySpread) -> Any:
    """The distribution, frozen, as scipy.stats knows it."""
    # loaded only where it is needed
    from scipy import stats

    match spread:
        case Uniform():
            return stats.uniform(spread.low, spread.high - spread.low)
        case Normal():
            return stats.norm(spread.mean, spread.deviation)
        case TruncatedNormal():
            a = (spread.low - spread.mean) / spread.deviation
            b = (spread.high - spread.mean) / spread.deviation
            return stats.truncnorm(a, b, spread.mean, spread.deviation)
        case Triangular():
            width = spread.high - spread.low
            return stats.triang((spread.mode - spread.low) / width, spread.low, width)
        case Lognormal():
            return stats.lognorm(spread.log_deviation, scale=spread.median)


def _cut(spread: Lognormal, shares: Array) -> Array:
    """Values of a lognormal distribution between its ends."""
    known = distribution(spread)
    low = 0.0 if spread.low is None else known.cdf(spread.low)
    high = 1.0 if spread.high is None else known.cdf(spread.high)
    return np.asarray(known.ppf(low + shares * (high - low)))


def values_at(parameters: Sequence[StudyParameter], shares: Array) -> Array:
    """Values (n, d) from shares between 0 and 1 (n, d): the inverse of each cumulative distribution."""
    inner = np.clip(shares, INNERMOST, 1.0 - INNERMOST)
    out = np.empty_like(inner)
    for i, one in enumerate(parameters):
        if isinstance(one.spread, Uniform):
            low, high = one.spread.low, one.spread.high
            # the very ends, where they are asked for
            out[:, i] = low + shares[:, i] * (high - low)
            out[:, i] = np.clip(out[:, i], low, high)
        elif isinstance(one.spread, Lognormal):
            out[:, i] = _cut(one.spread, inner[:, i])
        else:
            out[:, i] = distribution(one.spread).ppf(inner[:, i])
    return out


def ends(parameters: Sequence[StudyParameter]) -> tuple[Array, Array]:
    """Give lower and upper ends; raises StudyError where a parameter has none."""
    low, high = [], []
    for one in parameters:
        found = ends_of(one.spread)
        if found is None:
            raise StudyError("'{name}' has no ends, which this kind needs.", name=one.id)
        low.append(found[0])
        high.append(found[1])
    return np.array(low), np.array(high)


def present(project: Project, study: StudyBase) -> tuple[float, ...]:
    """The numbers of the parameters as they stand in the project."""
    return tuple(present_of(project, one) for one in study.parameters)


def design(project: Project, study: Study) -> list[Task]:
    """All runs of a study whose runs are known beforehand."""
    match study:
        case GridStudy():
            made: Any = _grid(project, study)
        case SampleStudy():
            shares = sample_shares(len(study.parameters), study.runs, study.seed, study.drawing)
            made = (("design", row) for row in values_at(study.parameters, shares))
        case LocalStudy():
            made = _local(project, study)
        case MorrisStudy():
            made = (("design", row) for row in values_at(study.parameters, morris_shares(study)))
        case SobolStudy():
            made = (("design", row) for row in values_at(study.parameters, sobol_shares(study)))
        case _:
            made = ()
    return [
        Task(number, tuple(float(v) for v in row), 0, phase)
        for number, (phase, row) in enumerate(made)
    ]


def _grid(project: Project, study: GridStudy) -> Iterator[tuple[Phase, Sequence[float]]]:
    low, high = ends(study.parameters)
    axes = [np.linspace(a, b, study.levels).tolist() for a, b in zip(low, high, strict=True)]
    if study.way == "all":
        for row in itertools.product(*axes):
            yield "design", row
        return
    base = present(project, study)
    yield "present", base
    for i, axis in enumerate(axes):
        for value in axis:
            yield "design", (*base[:i], value, *base[i + 1 :])


def _local(project: Project, study: LocalStudy) -> Iterator[tuple[Phase, Sequence[float]]]:
    """Go to both sides of each parameter, and to both ends of its range."""
    base = present(project, study)
    yield "present", base
    low, high = ends(study.parameters)
    for i, (a, b) in enumerate(zip(low.tolist(), high.tolist(), strict=True)):
        step = study.step_ratio * (b - a)
        # at an end of the range the difference is taken to one side
        for value in (max(base[i] - step, min(a, base[i])), min(base[i] + step, max(b, base[i]))):
            yield "step", (*base[:i], value, *base[i + 1 :])
        for value in (a, b) if study.ends else ():
            yield "end", (*base[:i], value, *base[i + 1 :])


def sample_shares(count: int, runs: int, seed: int, drawing: str) -> Array:
    """Draw points of the unit cube (runs, count)."""
    from scipy.stats import qmc

    if drawing == "sobol":
        return np.asarray(qmc.Sobol(count, scramble=True, rng=seed).random(runs))
    return np.asarray(qmc.LatinHypercube(count, rng=seed).random(runs))


def problem_of(parameters: Sequence[StudyParameter]) -> dict[str, Any]:
    """The parameters as SALib takes them: shares of the unit cube."""
    return {
        "num_vars": len(parameters),
        "names": [one.id for one in parameters],
        "bounds": [[0.0, 1.0]] * len(parameters),
    }


def morris_shares(study: MorrisStudy) -> Array:
    """The walks of Morris through the unit cube."""
    with needed("studies", StudyError):
        from SALib.sample import morris

    return np.asarray(
        morris.sample(
            problem_of(study.parameters), study.trajectories, study.levels, seed=study.seed
        )
    )


def sobol_shares(study: SobolStudy) -> Array:
    """The design of Saltelli in the unit cube."""
    with needed("studies", StudyError):
        from SALib.sample import sobol

    return np.asarray(
        sobol.sample(
            problem_of(study.parameters),
            study.base_runs,
            calc_second_order=study.second_order,
            seed=study.seed,
        )
    )
