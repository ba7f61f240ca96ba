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
    NumberOrFunction,
    Part,
    Vec3,
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
    """The ends of a range or distribution; nothing where it has none."""
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
    along: tuple[PathText, ...] = leading(
        (),
        "Along",
        "Paths of other numbers, or of lists of them, that change in the same proportion: both triggers of one sensor.",
        max_length=50,
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
        "max",
        "min",
        "largest",
        "at",
        "last",
        "time_of_max",
        "time_of_min",
        "integral",
        "mean",
        "severity",
    ] = choice(
        "max",
        "Take",
        "Which number: max, min, largest (whatever its sign; given without it), its value at a time or at the end, the "
        "time of the peak or of the lowest value, the integral over time, the mean over time; severity: "
        "of the acceleration of a vehicle, integral of a^2 by the change of speed, a measure of our own (docs/beams.md).",
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


class MissResponse(ResponseBase):
    """Say how far the led point of a synthesis is off, or whether its linkage turns through."""

    kind: Literal["miss"] = choice("miss", "Kind", "How far a led point is off.")
    take: Literal["mean", "largest", "turns"] = choice(
        "mean",
        "Take",
        "mean, largest: of the distances; turns: 1 where the linkage goes through all places in one branch, else 0.",
    )


RESPONSES = (
    FigureResponse, ChannelResponse, RatingResponse, RideResponse, FormulaResponse, MissResponse,
)  # fmt: skip
Response = Annotated[
    FigureResponse
    | ChannelResponse
    | RatingResponse
    | RideResponse
    | FormulaResponse
    | MissResponse,
    Field(discriminator="kind"),
]


# What a synthesis leads its point along.


class LedPath(Part):
    """Follow a path from its first point to its last, at any speed."""

    kind: Literal["path"] = choice("path", "Kind", "A path that is followed.")
    points_m: tuple[Vec3, ...] = number(
        (), "m", "Points", "Along the path, ground axes; between them it is a cubic spline.", max_length=200
    )  # fmt: skip
    begin_rad: Number = number(
        0.0, "rad", "Begins", "How far beyond its start the crank is at first; it is found from there."
    )  # fmt: skip
    sweep_rad: Number = number(
        6.283185307179586, "rad", "Sweep", "By how much the crank turns at first; it is found from there."
    )  # fmt: skip
    steps: Count = choice(
        4, "Steps", "In how many the path is come to, from that of the first design.", ge=1, le=100
    )


class CrankTurn(Part):
    """Bound the turn of the crank from the first point to another."""

    low_rad: Number = number(REQUIRED, "rad", "Least", "Least turn from the first point.")
    high_rad: Number = number(REQUIRED, "rad", "Most", "Most turn from the first point.")


class LedPoints(Part):
    """Pass points one after the other, with the crank turned by so much from the first to each."""

    kind: Literal["points"] = choice("points", "Kind", "Points that are passed.")
    points_m: tuple[Vec3, ...] = number(
        (), "m", "Points", "In their order, ground axes.", max_length=50
    )
    turns: tuple[CrankTurn, ...] = choice(
        (), "Turns", "Of the crank from the first point to each of the others; none: any within a turn.", max_length=49
    )  # fmt: skip


LedAlong = Annotated[LedPath | LedPoints, Field(discriminator="kind")]


# Tests that a fit goes by: how each differs from the project, and what was measured or is asked.


class StudyChange(Part):
    """Set one thing of the project in a test, and leave it there."""

    path: PathText = leading(REQUIRED, "Path", "What is set, as `run --set` takes it.")
    value: NumberOrFunction = choice(REQUIRED, "Value", "A number, or the id of an element.")


class FitTarget(Part):
    """Be a curve that a run is fitted to."""

    quantity: PathText = leading(REQUIRED, "Quantity", "Name of the channel that is compared.")
    reference: Id = ref(
        REQUIRED, "functions", "Reference", "Function of time with what was measured."
    )
    weight: Number = number(
        1.0, "1", "Weight", "How much it counts; each curve is divided by its own peak.", gt=0
    )
    from_s: Number | None = number(None, "s", "From", "None: from the beginning.", ge=0)
    until_s: Number | None = number(None, "s", "Until", "None: to the end.", gt=0)
    cfc: FilterClass | None = choice(
        None, "Filter class", "Class of SAE J211 to which it is filtered; none: as it was recorded."
    )
    stage: Count = choice(1, "Stage", "First stage of the fit in which it counts.", ge=1, le=20)


class CorridorTarget(Part):
    """Be a whole curve that a run is fitted to: the middle of a corridor, in halves of its width."""

    quantity: PathText = leading(REQUIRED, "Quantity", "Name of the channel that is compared.")
    over: PathText | None = leading(
        None,
        "Over",
        "Channel against which it is drawn, as a moment over an angle, while that grows for the first time; none: time.",
    )
    lower: Id = ref(REQUIRED, "functions", "Lower", "Function with the lower end of the corridor.")
    upper: Id = ref(REQUIRED, "functions", "Upper", "Function with the upper end of the corridor.")
    weight: Number = number(
        1.0, "1", "Weight", "How much it counts; its halves count like parts of a peak.", gt=0
    )
    cfc: FilterClass | None = choice(
        None, "Filter class", "Class of SAE J211 to which it is filtered; none: as it was recorded."
    )
    stage: Count = choice(1, "Stage", "First stage of the fit in which it counts.", ge=1, le=20)


class RangeTarget(Part):
    """Be a response of the study that has to lie in a corridor: it is fitted to the middle, in halves of the width.

    Of one end alone, a tenth beyond it and what lies within a tenth before it count.
    """

    response: Symbol = choice(REQUIRED, "Response", "Id of a response of the study.")
    low: Number | None = number(None, "", "Lowest", "Lower end, in the response's unit.")
    high: Number | None = number(None, "", "Highest", "Upper end, in the response's unit.")
    weight: Number = number(1.0, "1", "Weight", "How much it counts.", gt=0)
    stage: Count = choice(1, "Stage", "First stage of the fit in which it counts.", ge=1, le=20)


BenchKind = Literal[
    "head_drop", "neck_flexion", "neck_extension", "thorax", "thorax_slow", "thorax_pressed", "knee", "hip",
    "torso_flexion", "head_side", "neck_side", "shoulder_side", "rib_drop", "rib_drop_low", "thorax_side", "thorax_arm", "abdomen_side",
    "lumbar_side", "pelvis_side", "iliac_side",
]  # fmt: skip
BenchFigure = Literal[
    "rotation", "rotation_time", "rotation_back", "moment", "moment_at", "moment_within", "moment_time", "moment_back", "pulse_g",
    "pulse_later", "pulse_falls", "speed_loss", "peak", "second_peak", "lateral", "force", "force_between", "deflection",
    "hysteresis", "load_at", "torque_at", "angle_at", "start", "returns", "rotation_after", "peak_after", "peak_time",
]  # fmt: skip
BenchUnit = Literal["g", "deg", "ms", "mm", "N", "N*m", "%", "m/s"]


BenchCurve = Literal[
    "", "force", "probe", "load", "shoulder", "upper_rib", "middle_rib", "lower_rib", "upper_belly", "lower_belly", "T1", "T12", "pelvis",
]  # fmt: skip


class Asked(Part):
    """Ask that a figure of a bench test lies in a corridor; figures of its input are asked in the same way."""

    figure: BenchFigure = choice(REQUIRED, "Figure", "What is taken from the curves of the test.")
    of: BenchCurve = choice(
        "", "Of", "Curve of a test from the side, where the figure does not say which."
    )
    unit: BenchUnit = choice(REQUIRED, "Unit", "Unit of the figure, as its paragraph has it.")
    low: Number | None = number(None, "", "Lowest", "Lower end, in that unit; none: no end.")
    high: Number | None = number(None, "", "Highest", "Upper end, in that unit; none: no end.")
    at: Number | None = number(
        None,
        "",
        "At",
        "Level or place at which it is taken, in the unit that the figure's name says.",
    )
    until: Number | None = number(
        None, "", "Until", "Other end of the range in which it is taken, in the unit of `at`."
    )


class BenchScene(Part):
    """Put the project's body, which is a dummy or made like one, into the fixture of a bench test."""

    dummy: PathText = choice(
        REQUIRED, "Dummy", "Whose test it is, as `manikin bench` names it: hybrid_iii_50m."
    )
    test: BenchKind = choice(REQUIRED, "Test", "Which test.")
    speed_ratio: Number = number(
        1.0,
        "1",
        "Speed",
        "Factor on the speed of the test. What its paragraph asks holds for 1 alone.",
        gt=0,
        le=5,
    )
    as_asked: Flag = choice(
        True, "As asked", "Whether the run is fitted to what the paragraph asks of the dummy."
    )
    more: tuple[Asked, ...] = choice(
        (), "More", "Figures that are asked for beside them.", max_length=100
    )


class FitTest(Part):
    """Be one test: how it differs from the project, and what was measured."""

    id: Symbol = choice(REQUIRED, "Id", "Name of the test.")
    run: Id | None = ref(None, "runs", "Run", "How it is solved; none: as the study is.")
    changes: tuple[StudyChange, ...] = choice(
        (), "Changes", "What is different in this test: speed, pulse, places.", max_length=200
    )
    bench: BenchScene | None = choice(
        None,
        "Bench test",
        "Bench test that is run with the body of the project; none: the project itself.",
    )
    targets: tuple[FitTarget, ...] = choice((), "Targets", "Curves of this test.", max_length=200)
    corridors: tuple[CorridorTarget, ...] = choice(
        (), "Corridors", "Corridors for curves of this test.", max_length=200
    )
    ranges: tuple[RangeTarget, ...] = choice(
        (), "Ranges", "Corridors for responses in this test.", max_length=200
    )
