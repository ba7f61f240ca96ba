"""What studies are made of: numbers that are varied, and what is asked of each run.

Made from the schema by `make docs`; do not edit it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Required, TypeAlias, TypedDict

if TYPE_CHECKING:
    from collections.abc import Sequence

    import solver.project.study_parts as _study_parts
    from manikin.schema.numbers import Vec3
    from manikin.schema.outputs import FilterClass


class Uniform(TypedDict, total=False):
    """Lie anywhere between two ends, each value as likely as any other."""

    kind: Required[Literal["uniform"]]
    """Kind ("uniform"): A range; all in it is equally likely."""
    low: Required[float]
    """Lowest (required): Lower end, in the unit of its path, or as a factor."""
    high: Required[float]
    """Highest (required): Upper end, in the unit of its path, or as a factor."""


class Normal(TypedDict, total=False):
    """Be distributed normally, without ends."""

    kind: Required[Literal["normal"]]
    """Kind ("normal"): Normal distribution."""
    mean: Required[float]
    """Mean (required): Mean, in the unit of its path, or as a factor."""
    deviation: Required[float]
    """Deviation (> 0, required): Standard deviation, in the unit of its path, or as a factor."""


class TruncatedNormal(TypedDict, total=False):
    """Be distributed normally between two ends, and never beyond them."""

    kind: Required[Literal["truncated_normal"]]
    """Kind ("truncated_normal"): Normal distribution that is cut at two ends."""
    mean: Required[float]
    """Mean (required): Of the whole distribution, in the unit of its path, or as a factor."""
    deviation: Required[float]
    """Deviation (> 0, required): Standard deviation of the whole one, in the unit of its path, or as a factor."""
    low: Required[float]
    """Lowest (required): Lower end, in the unit of its path, or as a factor."""
    high: Required[float]
    """Highest (required): Upper end, in the unit of its path, or as a factor."""


class Triangular(TypedDict, total=False):
    """Lie between two ends, most likely at a third value, with straight flanks."""

    kind: Required[Literal["triangular"]]
    """Kind ("triangular"): Triangular distribution."""
    low: Required[float]
    """Lowest (required): Lower end, in the unit of its path, or as a factor."""
    mode: Required[float]
    """Most likely (required): Where the peak stands, in the unit of its path, or as a factor."""
    high: Required[float]
    """Highest (required): Upper end, in the unit of its path, or as a factor."""


class Lognormal(TypedDict, total=False):
    """Have a logarithm that is distributed normally: always above zero, and between two ends where there are."""

    kind: Required[Literal["lognormal"]]
    """Kind ("lognormal"): Lognormal distribution."""
    median: Required[float]
    """Median (> 0, required): Half of all values are below it, in the unit of its path, or as a factor."""
    log_deviation: Required[float]
    """Deviation of the logarithm (1, > 0, ≤ 10, required): Of the natural logarithm."""
    low: float | None
    """Lowest (> 0, none): Lower end, in the unit of its path, or as a factor; none: 0."""
    high: float | None
    """Highest (> 0, none): Upper end, in the unit of its path, or as a factor; none: no end."""


class StudyParameter(TypedDict, total=False):
    """Vary one number of the project."""

    id: Required[str]
    """Id (required): Name of its column; formulas use it."""
    path: Required[str]
    """Path (required): Number that is varied: segments/head/mass_kg, as `run --set` takes it."""
    spread: Required[AnySpread]
    """Spread (required): Range or distribution."""
    is_factor: bool
    """Is a factor (false): Whether it multiplies what stands at its path: a number, or all numbers of a list such as a curve's functions/webbing/form/y."""
    along: Sequence[str]
    """Along (at most 50 entries, []): Paths of other numbers, or of lists of them, that change in the same proportion: both triggers of one sensor."""
    belongs_to: Literal["model", "test"]
    """Belongs to ("model"): Of a fit: model: intrinsic, one value for all tests; test: each test has its own."""
    basis: Literal["fuzzy", "direct", "validated"]
    """Basis ("fuzzy"): What is known of it: fuzzy; direct: read from the test; validated elsewhere. A fit leaves what is validated as it is."""
    stage: int
    """Stage (≥ 1, ≤ 20, 1): Stage of a fit in which it is fitted first."""


class Following(TypedDict, total=False):
    """Set another number of the project by what the parameters are."""

    path: Required[str]
    """Path (required): Number that is set, as `run --set` takes it."""
    formula: Required[str]
    """Formula (required): Of ids of parameters, as a response's: `2 * stiffness`; in the unit of the path."""


class ResponseBase(TypedDict, total=False):
    """Hold what all responses share."""

    id: Required[str]
    """Id (required): Name of its column; formulas use it."""
    goal: Literal["none", "minimise", "maximise"]
    """Goal ("none"): What an optimum does with it, and by which a best run is chosen."""
    at_least: float | None
    """At least (none): Limit that is kept from above, in the response's unit; none: no limit."""
    at_most: float | None
    """At most (none): Limit that is kept from below, in the response's unit; none: no limit."""


class FigureResponse(ResponseBase, total=False):
    """Take an injury figure of the run."""

    kind: Required[Literal["injury"]]
    """Kind ("injury"): An injury figure."""
    figure: Required[str]
    """Figure (required): Name of the figure, as `manikin injury` lists it: HIC15."""


class ChannelResponse(ResponseBase, total=False):
    """Take one number of a quantity over time."""

    kind: Required[Literal["channel"]]
    """Kind ("channel"): A number of a quantity over time."""
    quantity: Required[str]
    """Quantity (required): Name of a channel or of any quantity at the frames (docs/outputs.md)."""
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
    ]
    """Take ("max"): Which number: max, min, largest (whatever its sign; given without it), its value at a time or at the end, the time of the peak or of the lowest value, the integral over time, the mean over time; severity: of the acceleration of a vehicle, integral of a^2 by the change of speed, a measure of our own (docs/beams.md)."""
    time_s: float | None
    """Time (s, ≥ 0, none): For `at` alone: when."""
    from_s: float | None
    """From (s, ≥ 0, none): None: from the beginning."""
    until_s: float | None
    """Until (s, > 0, none): None: to the end."""
    cfc: FilterClass | None
    """Filter class (none): Class of SAE J211 to which it is filtered; none: as it was recorded."""


class RatingResponse(ResponseBase, total=False):
    """Rate a quantity against a reference curve by ISO/TS 18571."""

    kind: Required[Literal["rating"]]
    """Kind ("rating"): Agreement with a reference curve."""
    quantity: Required[str]
    """Quantity (required): Name of the channel that is rated."""
    reference: Required[str]
    """Reference (id in functions, required): Function of time with the reference curve."""
    take: Literal["whole", "corridor", "phase", "magnitude", "slope"]
    """Take ("whole"): The rating as a whole, or one of the scores that it is made of."""
    cfc: FilterClass | None
    """Filter class (none): Class of SAE J211 to which it is filtered; none: as it was recorded."""


class RideResponse(ResponseBase, total=False):
    """Weight an acceleration as ISO 2631-1 does, and take one of its measures (docs/signals.md)."""

    kind: Required[Literal["ride"]]
    """Kind ("ride"): A measure of ride and vibration."""
    quantity: Required[str]
    """Quantity (required): Name of the acceleration that is weighted; its samples are even."""
    weighting: Literal["Wk", "Wd", "Wf", "Wc", "We", "Wj"]
    """Weighting ("Wk"): Wk: up and down on the seat; Wd: across; Wf: motion sickness; Wc: the seat's back; We: turning; Wj: the head of who lies."""
    take: Literal["rms", "mtvv", "vdv", "dose", "crest"]
    """Take ("rms"): rms: root mean square; mtvv: the largest over one second; vdv: vibration dose value; dose: motion sickness dose value; crest: peak over r.m.s."""
    from_s: float | None
    """From (s, ≥ 0, none): None: from the beginning. All is weighted, what is left is measured."""
    until_s: float | None
    """Until (s, > 0, none): None: to the end."""


class FormulaResponse(ResponseBase, total=False):
    """Be a formula of parameters and of other responses."""

    kind: Required[Literal["formula"]]
    """Kind ("formula"): A formula of other numbers."""
    formula: Required[str]
    """Formula (required): Such as `hic / 700 + 2 * chest`: numbers, ids of parameters and responses, + - * / ^, brackets, abs, sqrt, exp, log, sin, cos, tan, min, max."""
    unit: str
    """Unit ("1"): Unit of what comes out; all that goes in is in SI."""


class MissResponse(ResponseBase, total=False):
    """Say how far the led point of a synthesis is off, or whether its linkage turns through."""

    kind: Required[Literal["miss"]]
    """Kind ("miss"): How far a led point is off."""
    take: Literal["mean", "largest", "turns"]
    """Take ("mean"): mean, largest: of the distances; turns: 1 where the linkage goes through all places in one branch, else 0."""


class LedPath(TypedDict, total=False):
    """Follow a path from its first point to its last, at any speed."""

    kind: Required[Literal["path"]]
    """Kind ("path"): A path that is followed."""
    points_m: Sequence[Vec3]
    """Points (m, at most 200 entries, []): Along the path, ground axes; between them it is a cubic spline."""
    begin_rad: float
    """Begins (rad, 0.0): How far beyond its start the crank is at first; it is found from there."""
    sweep_rad: float
    """Sweep (rad, 6.283185307179586): By how much the crank turns at first; it is found from there."""
    steps: int
    """Steps (≥ 1, ≤ 100, 4): In how many the path is come to, from that of the first design."""


class CrankTurn(TypedDict, total=False):
    """Bound the turn of the crank from the first point to another."""

    low_rad: Required[float]
    """Least (rad, required): Least turn from the first point."""
    high_rad: Required[float]
    """Most (rad, required): Most turn from the first point."""


class LedPoints(TypedDict, total=False):
    """Pass points one after the other, with the crank turned by so much from the first to each."""

    kind: Required[Literal["points"]]
    """Kind ("points"): Points that are passed."""
    points_m: Sequence[Vec3]
    """Points (m, at most 50 entries, []): In their order, ground axes."""
    turns: Sequence[CrankTurn | _study_parts.CrankTurn]
    """Turns (at most 49 entries, []): Of the crank from the first point to each of the others; none: any within a turn."""


class StudyChange(TypedDict, total=False):
    """Set one thing of the project in a test, and leave it there."""

    path: Required[str]
    """Path (required): What is set, as `run --set` takes it."""
    value: Required[float | str]
    """Value (required): A number, or the id of an element."""


class FitTarget(TypedDict, total=False):
    """Be a curve that a run is fitted to."""

    quantity: Required[str]
    """Quantity (required): Name of the channel that is compared."""
    reference: Required[str]
    """Reference (id in functions, required): Function of time with what was measured."""
    weight: float
    """Weight (1, > 0, 1.0): How much it counts; each curve is divided by its own peak."""
    from_s: float | None
    """From (s, ≥ 0, none): None: from the beginning."""
    until_s: float | None
    """Until (s, > 0, none): None: to the end."""
    cfc: FilterClass | None
    """Filter class (none): Class of SAE J211 to which it is filtered; none: as it was recorded."""
    stage: int
    """Stage (≥ 1, ≤ 20, 1): First stage of the fit in which it counts."""


class CorridorTarget(TypedDict, total=False):
    """Be a whole curve that a run is fitted to: the middle of a corridor, in halves of its width."""

    quantity: Required[str]
    """Quantity (required): Name of the channel that is compared."""
    over: str | None
    """Over (none): Channel against which it is drawn, as a moment over an angle, while that grows for the first time; none: time."""
    lower: Required[str]
    """Lower (id in functions, required): Function with the lower end of the corridor."""
    upper: Required[str]
    """Upper (id in functions, required): Function with the upper end of the corridor."""
    weight: float
    """Weight (1, > 0, 1.0): How much it counts; its halves count like parts of a peak."""
    cfc: FilterClass | None
    """Filter class (none): Class of SAE J211 to which it is filtered; none: as it was recorded."""
    stage: int
    """Stage (≥ 1, ≤ 20, 1): First stage of the fit in which it counts."""


class RangeTarget(TypedDict, total=False):
    """Be a response of the study that has to lie in a corridor: it is fitted to the middle, in halves of the width.

    Of one end alone, a tenth beyond it and what lies within a tenth before it count.
    """

    response: Required[str]
    """Response (required): Id of a response of the study."""
    low: float | None
    """Lowest (none): Lower end, in the response's unit."""
    high: float | None
    """Highest (none): Upper end, in the response's unit."""
    weight: float
    """Weight (1, > 0, 1.0): How much it counts."""
    stage: int
    """Stage (≥ 1, ≤ 20, 1): First stage of the fit in which it counts."""


class Asked(TypedDict, total=False):
    """Ask that a figure of a bench test lies in a corridor; figures of its input are asked in the same way."""

    figure: Required[BenchFigure]
    """Figure (required): What is taken from the curves of the test."""
    of: BenchCurve
    """Of (""): Curve of a test from the side, where the figure does not say which."""
    unit: Required[BenchUnit]
    """Unit (required): Unit of the figure, as its paragraph has it."""
    low: float | None
    """Lowest (none): Lower end, in that unit; none: no end."""
    high: float | None
    """Highest (none): Upper end, in that unit; none: no end."""
    at: float | None
    """At (none): Level or place at which it is taken, in the unit that the figure's name says."""
    until: float | None
    """Until (none): Other end of the range in which it is taken, in the unit of `at`."""


class BenchScene(TypedDict, total=False):
    """Put the project's body, which is a dummy or made like one, into the fixture of a bench test."""

    dummy: Required[str]
    """Dummy (required): Whose test it is, as `manikin bench` names it: hybrid_iii_50m."""
    test: Required[BenchKind]
    """Test (required): Which test."""
    speed_ratio: float
    """Speed (1, > 0, ≤ 5, 1.0): Factor on the speed of the test. What its paragraph asks holds for 1 alone."""
    as_asked: bool
    """As asked (true): Whether the run is fitted to what the paragraph asks of the dummy."""
    more: Sequence[Asked | _study_parts.Asked]
    """More (at most 100 entries, []): Figures that are asked for beside them."""


class FitTest(TypedDict, total=False):
    """Be one test: how it differs from the project, and what was measured."""

    id: Required[str]
    """Id (required): Name of the test."""
    run: str | None
    """Run (id in runs, none): How it is solved; none: as the study is."""
    changes: Sequence[StudyChange | _study_parts.StudyChange]
    """Changes (at most 200 entries, []): What is different in this test: speed, pulse, places."""
    bench: BenchScene | _study_parts.BenchScene | None
    """Bench test (none): Bench test that is run with the body of the project; none: the project itself."""
    targets: Sequence[FitTarget | _study_parts.FitTarget]
    """Targets (at most 200 entries, []): Curves of this test."""
    corridors: Sequence[CorridorTarget | _study_parts.CorridorTarget]
    """Corridors (at most 200 entries, []): Corridors for curves of this test."""
    ranges: Sequence[RangeTarget | _study_parts.RangeTarget]
    """Ranges (at most 200 entries, []): Corridors for responses in this test."""


AnySpread: TypeAlias = "Uniform | _study_parts.Uniform | Normal | _study_parts.Normal | TruncatedNormal | _study_parts.TruncatedNormal | Triangular | _study_parts.Triangular | Lognormal | _study_parts.Lognormal"


BenchFigure: TypeAlias = Literal[
    "rotation",
    "rotation_time",
    "rotation_back",
    "moment",
    "moment_at",
    "moment_within",
    "moment_time",
    "moment_back",
    "pulse_g",
    "pulse_later",
    "pulse_falls",
    "speed_loss",
    "peak",
    "second_peak",
    "lateral",
    "force",
    "force_between",
    "deflection",
    "hysteresis",
    "load_at",
    "torque_at",
    "angle_at",
    "start",
    "returns",
    "rotation_after",
    "peak_after",
    "peak_time",
]


BenchCurve: TypeAlias = Literal[
    "",
    "force",
    "probe",
    "load",
    "shoulder",
    "upper_rib",
    "middle_rib",
    "lower_rib",
    "upper_belly",
    "lower_belly",
    "T1",
    "T12",
    "pelvis",
]


BenchUnit: TypeAlias = Literal["g", "deg", "ms", "mm", "N", "N*m", "%", "m/s"]


BenchKind: TypeAlias = Literal[
    "head_drop",
    "neck_flexion",
    "neck_extension",
    "thorax",
    "thorax_slow",
    "thorax_pressed",
    "knee",
    "hip",
    "torso_flexion",
    "head_side",
    "neck_side",
    "shoulder_side",
    "rib_drop",
    "rib_drop_low",
    "thorax_side",
    "thorax_arm",
    "abdomen_side",
    "lumbar_side",
    "pelvis_side",
    "iliac_side",
]


LedAlong: TypeAlias = "LedPath | _study_parts.LedPath | LedPoints | _study_parts.LedPoints"


Response: TypeAlias = "FigureResponse | _study_parts.FigureResponse | ChannelResponse | _study_parts.ChannelResponse | RatingResponse | _study_parts.RatingResponse | RideResponse | _study_parts.RideResponse | FormulaResponse | _study_parts.FormulaResponse | MissResponse | _study_parts.MissResponse"
