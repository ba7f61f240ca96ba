"""Tests that a fit goes by: how each differs from the project, and what was measured or is asked."""

from __future__ import annotations

from typing import Literal

from solver.project.fields import (
    REQUIRED,
    Count,
    Flag,
    Id,
    Number,
    NumberOrFunction,
    Part,
    choice,
    leading,
    number,
    ref,
)
from solver.project.outputs import FilterClass
from solver.project.study_parts import PathText, Symbol


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
    "torso_flexion",
]  # fmt: skip
BenchFigure = Literal[
    "rotation", "rotation_time", "rotation_back", "moment", "moment_at", "moment_within", "moment_time", "moment_back", "pulse_g",
    "pulse_later", "pulse_falls", "speed_loss", "peak", "second_peak", "lateral", "force", "force_between", "deflection",
    "hysteresis", "load_at", "torque_at", "angle_at", "start", "returns",
]  # fmt: skip
BenchUnit = Literal["g", "deg", "ms", "mm", "N", "N*m", "%", "m/s"]


class Asked(Part):
    """Ask that a figure of a bench test lies in a corridor; figures of its input are asked in the same way."""

    figure: BenchFigure = choice(REQUIRED, "Figure", "What is taken from the curves of the test.")
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
