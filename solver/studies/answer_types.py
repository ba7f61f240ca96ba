"""What the answers of a study hold, as types; which of them are there depends on its kind (docs/studies.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypedDict

Mark = Literal["++", "+", "0", "-", "--", "+-", "?"]


class LimitKept(TypedDict):
    """How often a response keeps its limit: of `kept` runs, with `probability` and its `interval`."""

    at_least: float | None
    at_most: float | None
    kept: int
    probability: float
    interval: list[float]


class Statistics(TypedDict):
    """What is known of a response over all runs that have it."""

    unit: str
    values: int
    without_value: int
    mean: float
    mean_interval: list[float]
    deviation: float
    least: float
    largest: float
    percentiles: Mapping[str, float]
    limit: LimitKept


class Slope(TypedDict):
    """How a response goes with a parameter about the design: sign and size, slope, d ln F / d ln p, change over the range."""

    mark: Mark
    slope: float | None
    elasticity: float | None
    change: float | None
    runs: list[int]


class Effect(TypedDict):
    """Elementary effects of a parameter (Morris)."""

    mu: float
    mu_star: float
    sigma: float
    mu_star_conf: float


class Screening(TypedDict):
    """Elementary effects on a response, from so many walks."""

    trajectories: int
    parameters: Mapping[str, Effect]


class Index(TypedDict):
    """Indices of a parameter (Sobol), with half of their intervals."""

    first: float
    first_half_width: float
    total: float
    total_half_width: float


class PairIndex(TypedDict):
    """The index of two parameters together."""

    second: float
    second_half_width: float


class Indices(TypedDict):
    """Indices of a response, from so many base runs; pairs by both names with a blank between."""

    base_runs: int
    parameters: Mapping[str, Index]
    pairs: Mapping[str, PairIndex]


class Unknown(TypedDict):
    """A number that was fitted."""

    value: float
    parameter: str
    test: str | None
    at_end: bool


class FittedCurve(TypedDict):
    """How far a curve is from that of its test."""

    test: str
    quantity: str
    rms: float


class NotToldApart(TypedDict):
    """Parts of parameters that the tests hardly tell apart."""

    ratio: float
    parts: Mapping[str, float]


class Fit(TypedDict):
    """What a fit found; covariance, deviations and correlations where they are determined."""

    ended: str
    unknowns: Mapping[str, Unknown]
    runs: list[int]
    misfit: float | None
    targets: list[FittedCurve]
    singular_values: list[float]
    not_told_apart: list[NotToldApart]
    covariance: list[list[float]]
    deviations: Mapping[str, float]
    correlations: list[list[float]]


class Optimum(TypedDict):
    """The best run, or the front of them; `design` and `responses` of the best where there is one goal."""

    ended: str
    runs: int
    front: list[int]
    design: Mapping[str, float]
    responses: Mapping[str, float]


class Synthesis(TypedDict):
    """How many starts passed all points within a micrometre, how many of these in one branch, and of each the crank's angles."""

    ended: str
    passed: int
    turned: int
    crank_rad: list[list[float]]


class Answers(TypedDict):
    """The answers of a study: the first six always, of the others those of its kind."""

    kind: str
    runs: int
    done: int
    failed: int
    kept: int
    best: list[int]
    responses: Mapping[str, Statistics]
    correlations: Mapping[str, Mapping[str, float | None]]
    sensitivity: Mapping[str, Mapping[str, Slope]]
    screening: Mapping[str, Screening]
    indices: Mapping[str, Indices]
    fit: Fit
    optimum: Optimum
    synthesis: Synthesis
