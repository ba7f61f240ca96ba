"""Studies: many runs of one project, and the question that they answer (docs/studies.md)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import count
from typing import Annotated, Literal

from pydantic import Field

from solver.project.fields import (
    REQUIRED,
    Count,
    Element,
    Flag,
    Id,
    Number,
    choice,
    leading,
    number,
    ref,
)
from solver.project.study_parts import (
    AnySpread,
    FitTest,
    Following,
    LedAlong,
    LedPath,
    Lognormal,
    MissResponse,
    PathText,
    Response,
    StudyParameter,
    Uniform,
)

MOST_RUNS = 1_000_000
EVEN = 10.0
"""Deviation of a logarithm that is as good as even between its ends."""


class AssumedNumber(Element):
    """Say in which range a number lies that was not measured: a band shows what that leaves open (docs/studies.md)."""

    path: PathText = leading(
        REQUIRED, "Path", "Number that is assumed: segments/head/mass_kg, as `run --set` takes it."
    )
    is_factor: Flag = choice(
        False,
        "Is a factor",
        "Whether the range is of a factor of what stands at the path: of a number, or of all numbers of a list such as "
        "a curve's functions/webbing/form/y. Half as much is then as likely as twice as much.",
    )
    along: tuple[PathText, ...] = leading(
        (),
        "Along",
        "Paths of other numbers, or of lists of them, that change in the same proportion.",
        max_length=50,
    )
    low: Number = number(
        REQUIRED, "", "Lowest", "Lower end, in the unit of its path, or as a factor."
    )
    high: Number = number(
        REQUIRED, "", "Highest", "Upper end, in the unit of its path, or as a factor."
    )


def assumed_parameters(assumed: Sequence[AssumedNumber]) -> tuple[StudyParameter, ...]:
    """Vary assumed numbers over their ranges: evenly, factors evenly by their logarithm."""
    found, taken = list[StudyParameter](), set[str]()
    for one in assumed:
        name = base = re.sub(r"\W", "_", f"n_{one.id}", flags=re.ASCII)[:30]
        for again in count(2):
            if name not in taken:
                break
            name = f"{base}_{again}"
        taken.add(name)
        spread: AnySpread = Uniform(low=one.low, high=one.high)
        if one.is_factor and 0.0 < one.low < one.high:
            spread = Lognormal(median=1.0, log_deviation=EVEN, low=one.low, high=one.high)
        found.append(
            StudyParameter(
                id=name, path=one.path, along=one.along, is_factor=one.is_factor, spread=spread
            )
        )
    return tuple(found)


class StudyBase(Element):
    """Hold what all studies share."""

    kind: str = choice("", "Kind", "What is asked.")
    run: Id | None = ref(None, "runs", "Run", "How each is solved; none: the first of the project.")
    parameters: tuple[StudyParameter, ...] = choice(
        (), "Parameters", "Numbers that are varied.", max_length=500
    )
    following: tuple[Following, ...] = choice(
        (), "Following", "Numbers that follow from the parameters, by formulas.", max_length=500
    )
    responses: tuple[Response, ...] = choice(
        (), "Responses", "What is asked of each run, with goals and limits.", max_length=500
    )
    curves: tuple[PathText, ...] = leading(
        (), "Curves", "Quantities of which the curve of every run is kept.", max_length=50
    )
    hold: tuple[Id, ...] = ref(
        (), "joints", "Hold", "Joints that keep their start where loops that a number leaves open are closed.", max_length=500
    )  # fmt: skip


class SeededStudy(StudyBase):
    """Draw at random, always the same for one seed."""

    seed: Count = choice(1, "Seed", "Another one gives another sample.", ge=0, le=2**31 - 1)


class GridStudy(StudyBase):
    """Go through values at even steps from end to end."""

    kind: Literal["grid"] = choice("grid", "Kind", "Values at even steps.")
    levels: Count = choice(5, "Levels", "Values of each parameter, ends included.", ge=2, le=10_000)
    way: Literal["all", "one_at_a_time"] = choice(
        "all",
        "Way",
        "all: every combination; one_at_a_time: one parameter after the other, the rest as in the project.",
    )


class SampleStudy(SeededStudy):
    """Draw a sample: a design of experiments, or with distributions how robust a design is."""

    kind: Literal["sample"] = choice("sample", "Kind", "A sample of the distributions.")
    drawing: Literal["latin_hypercube", "sobol"] = choice(
        "latin_hypercube", "Drawing", "How it is drawn: Latin hypercube, or the sequence of Sobol."
    )
    runs: Count = choice(100, "Runs", "Size of the sample.", ge=1, le=MOST_RUNS)
    confidence: Number = number(
        0.95, "1", "Confidence", "Of the intervals in the answers.", ge=0.5, le=0.9999
    )


class LocalStudy(StudyBase):
    """Take differences about the design as it stands: which number moves what, and which way."""

    kind: Literal["local"] = choice("local", "Kind", "Central differences, signed.")
    step_ratio: Number = number(
        0.01, "1", "Step", "Step to each side, as a part of the range.", gt=0, le=0.5
    )
    ends: Flag = choice(
        True, "Ends", "Whether both ends of each range are run too: they show where a sign changes."
    )
    weak_ratio: Number = number(
        0.01,
        "1",
        "Weak",
        "Part of a response over the whole range from which it is + or -.",
        gt=0,
        le=10,
    )
    strong_ratio: Number = number(
        0.1,
        "1",
        "Strong",
        "Part of a response over the whole range from which it is ++ or --.",
        gt=0,
        le=10,
    )


class MorrisStudy(SeededStudy):
    """Screen many parameters by elementary effects after Morris."""

    kind: Literal["morris"] = choice("morris", "Kind", "Elementary effects after Morris.")
    trajectories: Count = choice(10, "Trajectories", "Walks through the ranges.", ge=2, le=10_000)
    levels: Count = choice(4, "Levels", "Values of each parameter; even.", ge=2, le=100)


class SobolStudy(SeededStudy):
    """Share out the variance of each response among the parameters: indices of Sobol."""

    kind: Literal["sobol"] = choice("sobol", "Kind", "Indices of Sobol.")
    base_runs: Count = choice(
        64,
        "Base runs",
        "A power of two; each costs two runs more than there are parameters.",
        ge=2,
        le=65_536,
    )
    second_order: Flag = choice(
        False, "Second order", "Whether pairs of parameters are told too; that doubles the runs."
    )
    confidence: Number = number(
        0.95, "1", "Confidence", "Of the intervals in the answers.", ge=0.5, le=0.9999
    )


class FitStudy(SeededStudy):
    """Fit parameters to measured curves and to corridors of one test or several, by least squares."""

    kind: Literal["fit"] = choice("fit", "Kind", "Parameters from tests.")
    tests: tuple[FitTest, ...] = choice((), "Tests", "What was measured.", max_length=50)
    counts_spread: Flag = choice(
        False,
        "Counts distributions",
        "Whether distributions of parameters count as knowledge: each deviation from the middle of a normal or lognormal "
        "one costs as much as half a corridor. What no test tells stays near the middle.",
    )
    start_runs: Count = choice(
        0,
        "Runs to start from",
        "Sample whose best run is begun with; 0: the project as it stands.",
        ge=0,
        le=10_000,
    )
    most_runs: Count = choice(500, "Most runs", "It ends there at the latest.", ge=1, le=MOST_RUNS)
    step_ratio: Number = number(
        1e-3, "1", "Step", "Step of differences, as a part of the range.", gt=0, le=0.1
    )
    tolerance: Number = number(
        1e-6, "1", "Tolerance", "Relative change at which it ends.", ge=1e-15, le=0.1
    )


class OptimumStudy(SeededStudy):
    """Find the design that serves the goals best and keeps the limits."""

    kind: Literal["optimum"] = choice("optimum", "Kind", "The best design within limits.")
    start_runs: Count = choice(
        20,
        "Runs to start from",
        "Sample whose best run is begun with; with several goals the population.",
        ge=1,
        le=10_000,
    )
    most_runs: Count = choice(200, "Most runs", "It ends there at the latest.", ge=1, le=MOST_RUNS)
    method: Literal["cobyqa", "slsqp", "nelder_mead", "gaussian_process"] = choice(
        "cobyqa",
        "Method",
        "With one goal. cobyqa: models of second order, for responses with kinks; slsqp: gradients, for smooth ones; "
        "nelder_mead: a simplex, slow and hardy; gaussian_process: a surrogate for dear runs, which are few and one after "
        "the other. Several goals are served by NSGA-II.",
    )
    tolerance: Number = number(
        1e-4, "1", "Tolerance", "Part of the ranges below which steps end.", ge=1e-12, le=0.1
    )


class SynthesisStudy(SeededStudy):
    """Find dimensions with which a marker follows a path or passes points, by geometry alone (docs/synthesis.md)."""

    kind: Literal["synthesis"] = choice("synthesis", "Kind", "Dimensions for a path.")
    marker: Id | None = ref(None, "markers", "Marker", "Point that is led.")
    crank: Id | None = ref(None, "joints", "Crank", "Joint with one coordinate that leads it.")
    along: LedAlong = choice(LedPath(), "Along", "Where it is led.")
    responses: tuple[Response, ...] = choice(
        (
            MissResponse(id="miss", goal="minimise"),
            MissResponse(id="largest", take="largest"),
            MissResponse(id="turns", take="turns", at_least=1.0),
        ),
        "Responses",
        "What is asked of each design: misses, and formulas of them.",
        max_length=500,
    )
    starts: Count = choice(
        20,
        "Starts",
        "Designs from which it is looked for; of a path the first is the project as it stands.",
        ge=1,
        le=1000,
    )


Study = Annotated[
    GridStudy
    | SampleStudy
    | LocalStudy
    | MorrisStudy
    | SobolStudy
    | FitStudy
    | OptimumStudy
    | SynthesisStudy,
    Field(discriminator="kind"),
]
