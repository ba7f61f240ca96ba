"""What studies are made of: numbers that are varied, and what is asked of each run."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, Strict

from solver.project.fields import (
    REQUIRED,
    Count,
    Flag,
    Id,
    Number,
    Part,
    choice,
    leading,
    number,
    ref,
)
from solver.project.outputs import FilterClass

SYMBOL = r"^[A-Za-z_][A-Za-z0-9_]*$"
Symbol = Annotated[str, Strict(), Field(min_length=1, max_length=40, pattern=SYMBOL)]
"""A name that can stand in a formula: letters, digits and _."""
PathText = Annotated[str, Strict(), Field(min_length=1, max_length=500)]
Formula = Annotated[str, Strict(), Field(min_length=1, max_length=500)]

_OF_PATH = "in the unit of its path, or as a factor"


class Spread(Part):
    """Hold what all ranges and distributions share."""

    kind: str = choice("", "Kind", "Form.")


class Uniform(Spread):
    """Lie anywhere between two ends, each value as likely as any other."""

    kind: Literal["uniform"] = choice("uniform", "Kind", "A range; all in it is equally likely.")
    low: Number = number(REQUIRED, "", "Lowest", f"Lower end, {_OF_PATH}.")
    high: Number = number(REQUIRED, "", "Highest", f"Upper end, {_OF_PATH}.")


class Normal(Spread):
    """Be distributed normally, without ends."""

    kind: Literal["normal"] = choice("normal", "Kind", "Normal distribution.")
    mean: Number = number(REQUIRED, "", "Mean", f"Mean, {_OF_PATH}.")
    deviation: Number = number(REQUIRED, "", "Deviation", f"Standard deviation, {_OF_PATH}.", gt=0)


class TruncatedNormal(Spread):
    """Be distributed normally between two ends, and never beyond them."""

    kind: Literal["truncated_normal"] = choice(
        "truncated_normal", "Kind", "Normal distribution that is cut at two ends."
    )
    mean: Number = number(REQUIRED, "", "Mean", f"Of the whole distribution, {_OF_PATH}.")
    deviation: Number = number(
        REQUIRED, "", "Deviation", f"Standard deviation of the whole one, {_OF_PATH}.", gt=0
    )
    low: Number = number(REQUIRED, "", "Lowest", f"Lower end, {_OF_PATH}.")
    high: Number = number(REQUIRED, "", "Highest", f"Upper end, {_OF_PATH}.")


class Triangular(Spread):
    """Lie between two ends, most likely at a third value, with straight flanks."""

    kind: Literal["triangular"] = choice("triangular", "Kind", "Triangular distribution.")
    low: Number = number(REQUIRED, "", "Lowest", f"Lower end, {_OF_PATH}.")
    mode: Number = number(REQUIRED, "", "Most likely", f"Where the peak stands, {_OF_PATH}.")
    high: Number = number(REQUIRED, "", "Highest", f"Upper end, {_OF_PATH}.")


class Lognormal(Spread):
    """Have a logarithm that is distributed normally: always above zero, and between two ends where there are."""

    kind: Literal["lognormal"] = choice("lognormal", "Kind", "Lognormal distribution.")
    median: Number = number(
        REQUIRED, "", "Median", f"Half of all values are below it, {_OF_PATH}.", gt=0
    )
    log_deviation: Number = number(
        REQUIRED, "1", "Deviation of the logarithm", "Of the natural logarithm.", gt=0, le=10
    )
    low: Number | None = number(None, "", "Lowest", f"Lower end, {_OF_PATH}; none: 0.", gt=0)
    high: Number | None = number(None, "", "Highest", f"Upper end, {_OF_PATH}; none: no end.", gt=0)


AnySpread = Annotated[
    Uniform | Normal | TruncatedNormal | Triangular | Lognormal, Field(discriminator="kind")
]


def ends_of(spread: AnySpread) -> tuple[float, float] | None:
    """Give the ends of a range or distribution; nothing where it has none."""
    low, high = getattr(spread, "low", None), getattr(spread, "high", None)
    return None if low is None or high is None else (low, high)


class StudyParameter(Part):
    """Vary one number of the project."""

    id: Symbol = choice(REQUIRED, "Id", "Name of its column; formulas use it.")
    path: PathText = leading(
        REQUIRED, "Path", "Number that is varied: segments/head/mass_kg, as `run --set` takes it."
    )
    spread: AnySpread = choice(REQUIRED, "Spread", "Range or distribution.")
    is_factor: Flag = choice(
        False,
        "Is a factor",
        "Whether it multiplies what stands at its path: a number, or all numbers of a list such as a curve's "
        "functions/webbing/form/y.",
    )
    belongs_to: Literal["model", "test"] = choice(
        "model",
        "Belongs to",
        "Of a fit: model: intrinsic, one value for all tests; test: each test has its own.",
    )
    basis: Literal["fuzzy", "direct", "validated"] = choice(
        "fuzzy",
        "Basis",
        "What is known of it: fuzzy; direct: read from the test; validated elsewhere. A fit leaves what is validated "
        "as it is.",
    )
    stage: Count = choice(1, "Stage", "Stage of a fit in which it is fitted first.", ge=1, le=20)


class Following(Part):
    """Set another number of the project by what the parameters are."""

    path: PathText = leading(REQUIRED, "Path", "Number that is set, as `run --set` takes it.")
    formula: Formula = choice(
        REQUIRED,
        "Formula",
        "Of ids of parameters, as a response's: `2 * stiffness`; in the unit of the path.",
    )


class ResponseBase(Part):
    """Hold what all responses share."""

    id: Symbol = choice(REQUIRED, "Id", "Name of its column; formulas use it.")
    goal: Literal["none", "minimise", "maximise"] = choice(
        "none", "Goal", "What an optimum does with it, and by which a best run is chosen."
    )
    at_least: Number | None = number(
        None,
        "",
        "At least",
        "Limit that is kept from above, in the response's unit; none: no limit.",
    )
    at_most: Number | None = number(
        None,
        "",
        "At most",
        "Limit that is kept from below, in the response's unit; none: no limit.",
    )


class FigureResponse(ResponseBase):
    """Take an injury figure of the run."""

    kind: Literal["injury"] = choice("injury", "Kind", "An injury figure.")
    figure: PathText = leading(
        REQUIRED, "Figure", "Name of the figure, as `manikin injury` lists it: HIC15."
    )


class ChannelResponse(ResponseBase):
    """Take one number of a quantity over time."""

    kind: Literal["channel"] = choice("channel", "Kind", "A number of a quantity over time.")
    quantity: PathText = leading(
        REQUIRED,
        "Quantity",
        "Name of a channel or of any quantity at the frames (docs/outputs.md).",
    )
    take: Literal[
        "max", "min", "largest", "at", "last", "time_of_max", "time_of_min", "integral", "mean"
    ] = choice(
        "max",
        "Take",
        "Which number: max, min, largest (whatever its sign; given without it), its value at a time or at the end, the "
        "time of the peak or of the lowest value, the integral over time, the mean over time.",
    )
    time_s: Number | None = number(None, "s", "Time", "For `at` alone: when.", ge=0)
    from_s: Number | None = number(None, "s", "From", "None: from the beginning.", ge=0)
    until_s: Number | None = number(None, "s", "Until", "None: to the end.", gt=0)
    cfc: FilterClass | None = choice(
        None, "Filter class", "Class of SAE J211 to which it is filtered; none: as it was recorded."
    )


class RatingResponse(ResponseBase):
    """Rate a quantity against a reference curve by ISO/TS 18571."""

    kind: Literal["rating"] = choice("rating", "Kind", "Agreement with a reference curve.")
    quantity: PathText = leading(REQUIRED, "Quantity", "Name of the channel that is rated.")
    reference: Id = ref(
        REQUIRED, "functions", "Reference", "Function of time with the reference curve."
    )
    take: Literal["whole", "corridor", "phase", "magnitude", "slope"] = choice(
        "whole", "Take", "The rating as a whole, or one of the scores that it is made of."
    )
    cfc: FilterClass | None = choice(
        None, "Filter class", "Class of SAE J211 to which it is filtered; none: as it was recorded."
    )


class RideResponse(ResponseBase):
    """Weight an acceleration as ISO 2631-1 does, and take one of its measures (docs/signals.md)."""

    kind: Literal["ride"] = choice("ride", "Kind", "A measure of ride and vibration.")
    quantity: PathText = leading(
        REQUIRED, "Quantity", "Name of the acceleration that is weighted; its samples are even."
    )
    weighting: Literal["Wk", "Wd", "Wf", "Wc", "We", "Wj"] = choice(
        "Wk",
        "Weighting",
        "Wk: up and down on the seat; Wd: across; Wf: motion sickness; Wc: the seat's back; We: turning; Wj: the head "
        "of who lies.",
    )
    take: Literal["rms", "mtvv", "vdv", "dose", "crest"] = choice(
        "rms",
        "Take",
        "rms: root mean square; mtvv: the largest over one second; vdv: vibration dose value; dose: motion sickness "
        "dose value; crest: peak over r.m.s.",
    )
    from_s: Number | None = number(
        None,
        "s",
        "From",
        "None: from the beginning. All is weighted, what is left is measured.",
        ge=0,
    )
    until_s: Number | None = number(None, "s", "Until", "None: to the end.", gt=0)


class FormulaResponse(ResponseBase):
    """Be a formula of parameters and of other responses."""

    kind: Literal["formula"] = choice("formula", "Kind", "A formula of other numbers.")
    formula: Formula = choice(
        REQUIRED,
        "Formula",
        "Such as `hic / 700 + 2 * chest`: numbers, ids of parameters and responses, + - * / ^, brackets, abs, sqrt, exp, "
        "log, sin, cos, tan, min, max.",
    )
    unit: Annotated[str, Strict(), Field(max_length=40)] = choice(
        "1", "Unit", "Unit of what comes out; all that goes in is in SI."
    )


RESPONSES = (FigureResponse, ChannelResponse, RatingResponse, RideResponse, FormulaResponse)
Response = Annotated[
    FigureResponse | ChannelResponse | RatingResponse | RideResponse | FormulaResponse,
    Field(discriminator="kind"),
]
