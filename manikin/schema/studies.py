"""Studies: many runs of one project, and the question that they answer (docs/studies.md).

Made from the schema by `make docs`; do not edit it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Required, TypeAlias

from manikin.schema.fields import Element

if TYPE_CHECKING:
    from collections.abc import Sequence

    import solver.project.studies as _studies
    import solver.project.study_parts as _study_parts
    from manikin.schema.study_parts import FitTest, Following, LedAlong, Response, StudyParameter


class AssumedNumber(Element, total=False):
    """Say in which range a number lies that was not measured: a band shows what that leaves open (docs/studies.md)."""

    path: Required[str]
    """Path (required): Number that is assumed: segments/head/mass_kg, as `run --set` takes it."""
    is_factor: bool
    """Is a factor (false): Whether the range is of a factor of what stands at the path: of a number, or of all numbers of a list such as a curve's functions/webbing/form/y. Half as much is then as likely as twice as much."""
    along: Sequence[str]
    """Along (at most 50 entries, []): Paths of other numbers, or of lists of them, that change in the same proportion."""
    low: Required[float]
    """Lowest (required): Lower end, in the unit of its path, or as a factor."""
    high: Required[float]
    """Highest (required): Upper end, in the unit of its path, or as a factor."""


class GridStudy(Element, total=False):
    """Go through values at even steps from end to end."""

    run: str | None
    """Run (id in runs, none): How each is solved; none: the first of the project."""
    parameters: Sequence[StudyParameter | _study_parts.StudyParameter]
    """Parameters (at most 500 entries, []): Numbers that are varied."""
    following: Sequence[Following | _study_parts.Following]
    """Following (at most 500 entries, []): Numbers that follow from the parameters, by formulas."""
    responses: Sequence[Response]
    """Responses (at most 500 entries, []): What is asked of each run, with goals and limits."""
    curves: Sequence[str]
    """Curves (at most 50 entries, []): Quantities of which the curve of every run is kept."""
    hold: Sequence[str]
    """Hold (id in joints, at most 500 entries, []): Joints that keep their start where loops that a number leaves open are closed."""
    kind: Required[Literal["grid"]]
    """Kind ("grid"): Values at even steps."""
    levels: int
    """Levels (≥ 2, ≤ 10000, 5): Values of each parameter, ends included."""
    way: Literal["all", "one_at_a_time"]
    """Way ("all"): all: every combination; one_at_a_time: one parameter after the other, the rest as in the project."""


class SampleStudy(Element, total=False):
    """Draw a sample: a design of experiments, or with distributions how robust a design is."""

    run: str | None
    """Run (id in runs, none): How each is solved; none: the first of the project."""
    parameters: Sequence[StudyParameter | _study_parts.StudyParameter]
    """Parameters (at most 500 entries, []): Numbers that are varied."""
    following: Sequence[Following | _study_parts.Following]
    """Following (at most 500 entries, []): Numbers that follow from the parameters, by formulas."""
    responses: Sequence[Response]
    """Responses (at most 500 entries, []): What is asked of each run, with goals and limits."""
    curves: Sequence[str]
    """Curves (at most 50 entries, []): Quantities of which the curve of every run is kept."""
    hold: Sequence[str]
    """Hold (id in joints, at most 500 entries, []): Joints that keep their start where loops that a number leaves open are closed."""
    seed: int
    """Seed (≥ 0, ≤ 2.14748e+09, 1): Another one gives another sample."""
    kind: Required[Literal["sample"]]
    """Kind ("sample"): A sample of the distributions."""
    drawing: Literal["latin_hypercube", "sobol"]
    """Drawing ("latin_hypercube"): How it is drawn: Latin hypercube, or the sequence of Sobol."""
    runs: int
    """Runs (≥ 1, ≤ 1e+06, 100): Size of the sample."""
    confidence: float
    """Confidence (1, ≥ 0.5, ≤ 0.9999, 0.95): Of the intervals in the answers."""


class LocalStudy(Element, total=False):
    """Take differences about the design as it stands: which number moves what, and which way."""

    run: str | None
    """Run (id in runs, none): How each is solved; none: the first of the project."""
    parameters: Sequence[StudyParameter | _study_parts.StudyParameter]
    """Parameters (at most 500 entries, []): Numbers that are varied."""
    following: Sequence[Following | _study_parts.Following]
    """Following (at most 500 entries, []): Numbers that follow from the parameters, by formulas."""
    responses: Sequence[Response]
    """Responses (at most 500 entries, []): What is asked of each run, with goals and limits."""
    curves: Sequence[str]
    """Curves (at most 50 entries, []): Quantities of which the curve of every run is kept."""
    hold: Sequence[str]
    """Hold (id in joints, at most 500 entries, []): Joints that keep their start where loops that a number leaves open are closed."""
    kind: Required[Literal["local"]]
    """Kind ("local"): Central differences, signed."""
    step_ratio: float
    """Step (1, > 0, ≤ 0.5, 0.01): Step to each side, as a part of the range."""
    ends: bool
    """Ends (true): Whether both ends of each range are run too: they show where a sign changes."""
    weak_ratio: float
    """Weak (1, > 0, ≤ 10, 0.01): Part of a response over the whole range from which it is + or -."""
    strong_ratio: float
    """Strong (1, > 0, ≤ 10, 0.1): Part of a response over the whole range from which it is ++ or --."""


class MorrisStudy(Element, total=False):
    """Screen many parameters by elementary effects after Morris."""

    run: str | None
    """Run (id in runs, none): How each is solved; none: the first of the project."""
    parameters: Sequence[StudyParameter | _study_parts.StudyParameter]
    """Parameters (at most 500 entries, []): Numbers that are varied."""
    following: Sequence[Following | _study_parts.Following]
    """Following (at most 500 entries, []): Numbers that follow from the parameters, by formulas."""
    responses: Sequence[Response]
    """Responses (at most 500 entries, []): What is asked of each run, with goals and limits."""
    curves: Sequence[str]
    """Curves (at most 50 entries, []): Quantities of which the curve of every run is kept."""
    hold: Sequence[str]
    """Hold (id in joints, at most 500 entries, []): Joints that keep their start where loops that a number leaves open are closed."""
    seed: int
    """Seed (≥ 0, ≤ 2.14748e+09, 1): Another one gives another sample."""
    kind: Required[Literal["morris"]]
    """Kind ("morris"): Elementary effects after Morris."""
    trajectories: int
    """Trajectories (≥ 2, ≤ 10000, 10): Walks through the ranges."""
    levels: int
    """Levels (≥ 2, ≤ 100, 4): Values of each parameter; even."""


class SobolStudy(Element, total=False):
    """Share out the variance of each response among the parameters: indices of Sobol."""

    run: str | None
    """Run (id in runs, none): How each is solved; none: the first of the project."""
    parameters: Sequence[StudyParameter | _study_parts.StudyParameter]
    """Parameters (at most 500 entries, []): Numbers that are varied."""
    following: Sequence[Following | _study_parts.Following]
    """Following (at most 500 entries, []): Numbers that follow from the parameters, by formulas."""
    responses: Sequence[Response]
    """Responses (at most 500 entries, []): What is asked of each run, with goals and limits."""
    curves: Sequence[str]
    """Curves (at most 50 entries, []): Quantities of which the curve of every run is kept."""
    hold: Sequence[str]
    """Hold (id in joints, at most 500 entries, []): Joints that keep their start where loops that a number leaves open are closed."""
    seed: int
    """Seed (≥ 0, ≤ 2.14748e+09, 1): Another one gives another sample."""
    kind: Required[Literal["sobol"]]
    """Kind ("sobol"): Indices of Sobol."""
    base_runs: int
    """Base runs (≥ 2, ≤ 65536, 64): A power of two; each costs two runs more than there are parameters."""
    second_order: bool
    """Second order (false): Whether pairs of parameters are told too; that doubles the runs."""
    confidence: float
    """Confidence (1, ≥ 0.5, ≤ 0.9999, 0.95): Of the intervals in the answers."""


class FitStudy(Element, total=False):
    """Fit parameters to measured curves and to corridors of one test or several, by least squares."""

    run: str | None
    """Run (id in runs, none): How each is solved; none: the first of the project."""
    parameters: Sequence[StudyParameter | _study_parts.StudyParameter]
    """Parameters (at most 500 entries, []): Numbers that are varied."""
    following: Sequence[Following | _study_parts.Following]
    """Following (at most 500 entries, []): Numbers that follow from the parameters, by formulas."""
    responses: Sequence[Response]
    """Responses (at most 500 entries, []): What is asked of each run, with goals and limits."""
    curves: Sequence[str]
    """Curves (at most 50 entries, []): Quantities of which the curve of every run is kept."""
    hold: Sequence[str]
    """Hold (id in joints, at most 500 entries, []): Joints that keep their start where loops that a number leaves open are closed."""
    seed: int
    """Seed (≥ 0, ≤ 2.14748e+09, 1): Another one gives another sample."""
    kind: Required[Literal["fit"]]
    """Kind ("fit"): Parameters from tests."""
    tests: Sequence[FitTest | _study_parts.FitTest]
    """Tests (at most 50 entries, []): What was measured."""
    counts_spread: bool
    """Counts distributions (false): Whether distributions of parameters count as knowledge: each deviation from the middle of a normal or lognormal one costs as much as half a corridor. What no test tells stays near the middle."""
    start_runs: int
    """Runs to start from (≥ 0, ≤ 10000, 0): Sample whose best run is begun with; 0: the project as it stands."""
    most_runs: int
    """Most runs (≥ 1, ≤ 1e+06, 500): It ends there at the latest."""
    step_ratio: float
    """Step (1, > 0, ≤ 0.1, 0.001): Step of differences, as a part of the range."""
    tolerance: float
    """Tolerance (1, ≥ 1e-15, ≤ 0.1, 1e-06): Relative change at which it ends."""


class OptimumStudy(Element, total=False):
    """Find the design that serves the goals best and keeps the limits."""

    run: str | None
    """Run (id in runs, none): How each is solved; none: the first of the project."""
    parameters: Sequence[StudyParameter | _study_parts.StudyParameter]
    """Parameters (at most 500 entries, []): Numbers that are varied."""
    following: Sequence[Following | _study_parts.Following]
    """Following (at most 500 entries, []): Numbers that follow from the parameters, by formulas."""
    responses: Sequence[Response]
    """Responses (at most 500 entries, []): What is asked of each run, with goals and limits."""
    curves: Sequence[str]
    """Curves (at most 50 entries, []): Quantities of which the curve of every run is kept."""
    hold: Sequence[str]
    """Hold (id in joints, at most 500 entries, []): Joints that keep their start where loops that a number leaves open are closed."""
    seed: int
    """Seed (≥ 0, ≤ 2.14748e+09, 1): Another one gives another sample."""
    kind: Required[Literal["optimum"]]
    """Kind ("optimum"): The best design within limits."""
    start_runs: int
    """Runs to start from (≥ 1, ≤ 10000, 20): Sample whose best run is begun with; with several goals the population."""
    most_runs: int
    """Most runs (≥ 1, ≤ 1e+06, 200): It ends there at the latest."""
    method: Literal["cobyqa", "slsqp", "nelder_mead", "gaussian_process"]
    """Method ("cobyqa"): With one goal. cobyqa: models of second order, for responses with kinks; slsqp: gradients, for smooth ones; nelder_mead: a simplex, slow and hardy; gaussian_process: a surrogate for dear runs, which are few and one after the other. Several goals are served by NSGA-II."""
    tolerance: float
    """Tolerance (1, ≥ 1e-12, ≤ 0.1, 0.0001): Part of the ranges below which steps end."""


class SynthesisStudy(Element, total=False):
    """Find dimensions with which a marker follows a path or passes points, by geometry alone (docs/synthesis.md)."""

    run: str | None
    """Run (id in runs, none): How each is solved; none: the first of the project."""
    parameters: Sequence[StudyParameter | _study_parts.StudyParameter]
    """Parameters (at most 500 entries, []): Numbers that are varied."""
    following: Sequence[Following | _study_parts.Following]
    """Following (at most 500 entries, []): Numbers that follow from the parameters, by formulas."""
    curves: Sequence[str]
    """Curves (at most 50 entries, []): Quantities of which the curve of every run is kept."""
    hold: Sequence[str]
    """Hold (id in joints, at most 500 entries, []): Joints that keep their start where loops that a number leaves open are closed."""
    seed: int
    """Seed (≥ 0, ≤ 2.14748e+09, 1): Another one gives another sample."""
    kind: Required[Literal["synthesis"]]
    """Kind ("synthesis"): Dimensions for a path."""
    marker: str | None
    """Marker (id in markers, none): Point that is led."""
    crank: str | None
    """Crank (id in joints, none): Joint with one coordinate that leads it."""
    along: LedAlong
    """Along (its own defaults): Where it is led."""
    responses: Sequence[Response]
    """Responses (at most 500 entries, miss, largest, turns): What is asked of each design: misses, and formulas of them."""
    starts: int
    """Starts (≥ 1, ≤ 1000, 20): Designs from which it is looked for; of a path the first is the project as it stands."""


Study: TypeAlias = "GridStudy | _studies.GridStudy | SampleStudy | _studies.SampleStudy | LocalStudy | _studies.LocalStudy | MorrisStudy | _studies.MorrisStudy | SobolStudy | _studies.SobolStudy | FitStudy | _studies.FitStudy | OptimumStudy | _studies.OptimumStudy | SynthesisStudy | _studies.SynthesisStudy"
