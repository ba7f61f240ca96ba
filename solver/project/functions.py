"""Functions of one variable, shared by id (section 7.5; two ranges as there)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from solver.project.fields import (
    REQUIRED,
    Count,
    Element,
    Number,
    Numbers,
    Part,
    Text,
    choice,
    number,
)

Unit = Literal[
    "1", "s", "1/s", "m", "m/s", "m/s2", "rad", "rad/s", "rad/s2", "N", "N*m", "N/m", "N*s/m",
    "Pa", "K", "kg/s", "m2", "m3", "J", "N*m/rad", "N*m*s/rad", "N/m/s", "N*m/rad/s",
]  # fmt: skip


class CsvCurve(Part):
    """Take the points of a table from two columns of a CSV file beside the project."""

    path: Text = choice(
        REQUIRED, "File", "CSV file, relative to the project's folder.", min_length=1
    )
    x_column: Count = choice(
        1, "x column", "Column of the arguments, counted from 1.", ge=1, le=1000
    )
    y_column: Count = choice(2, "y column", "Column of the values, counted from 1.", ge=1, le=1000)
    skip_rows: Count = choice(1, "Heading rows", "Rows above the numbers.", ge=0, le=1000)
    x_scale: Number = number(1.0, "1", "x scale", "Factor from the file's unit to the SI unit.")
    y_scale: Number = number(1.0, "1", "y scale", "Factor from the file's unit to the SI unit.")


class Constant(Part):
    """Be the same everywhere."""

    kind: Literal["constant"] = choice("constant", "Kind", "The same value everywhere.")
    value: Number = number(REQUIRED, "", "Value", "The value, in the function's unit.")


Between = Literal["lines", "spline", "spline_at_rest", "four_points"]


class Table(Part):
    """Join points by straight lines or smoothly; beyond the ends the end value holds.

    A position over time needs a spline: straight lines jump in speed.
    """

    kind: Literal["table"] = choice("table", "Kind", "Points that are joined.")
    x: Numbers = number((), "", "Arguments", "Increasing arguments.", max_length=1_000_000)
    y: Numbers = number((), "", "Values", "One value for each argument.", max_length=1_000_000)
    between: Between = choice(
        "lines",
        "Between points",
        "lines: straight lines; spline: cubics that meet without a jump in slope or curvature, the first "
        "two and the last two being one (not a knot); spline_at_rest: the same, but level at both ends; "
        "four_points: in each interval the cubic through the two points before and the two behind it, at "
        "the ends through the outer four. There slopes jump at the points.",
    )
    csv: CsvCurve | None = choice(None, "CSV file", "Points from a file instead of x and y.")


class Polynomial(Part):
    """Be a polynomial of up to fifth degree between two ends, constant beyond them."""

    kind: Literal["polynomial"] = choice("polynomial", "Kind", "A polynomial between two ends.")
    coefficients: Numbers = number(
        REQUIRED,
        "",
        "Coefficients",
        "A0, A1, ... A5 of the plain argument.",
        min_length=1,
        max_length=6,
    )
    x_min: Number = number(0.0, "", "From", "Lower end (D0).")
    x_max: Number = number(REQUIRED, "", "To", "Upper end (D1).")


Piece = Annotated[Constant | Table | Polynomial, Field(discriminator="kind")]


class TwoRanges(Part):
    """Use one form up to a split and another beyond it (D0, D1, D2)."""

    kind: Literal["two_ranges"] = choice("two_ranges", "Kind", "Two forms, one after the other.")
    split: Number = number(REQUIRED, "", "Split", "Argument from which the second form rules.")
    first: Piece = choice(REQUIRED, "First form", "Form below the split.")
    second: Piece = choice(REQUIRED, "Second form", "Form from the split on.")


class Excitation(Part):
    """Hold what signals over time share: when they begin and end, and what they swing about."""

    start_s: Number = number(0.0, "s", "Start", "Time at which it begins.")
    duration_s: Number = number(REQUIRED, "s", "Duration", "How long it lasts.", gt=0)
    ease_s: Number = number(
        0.0,
        "s",
        "Ease",
        "Time in which it grows from nothing and, at its end, dies away; 0: it is there at once.",
        ge=0,
    )
    mean: Number = number(0.0, "", "Mean", "Value about which it swings, also before and after.")


class Sweep(Excitation):
    """Swing as a sine whose frequency goes from one value to another."""

    kind: Literal["sweep"] = choice("sweep", "Kind", "A sine of changing frequency.")
    spacing: Literal["linear", "logarithmic"] = choice(
        "linear",
        "Spacing",
        "linear: so many hertz in each second; logarithmic: so many octaves.",
    )
    from_hz: Number = number(REQUIRED, "1/s", "From", "Frequency at the start.", gt=0)
    to_hz: Number = number(REQUIRED, "1/s", "To", "Frequency at the end.", gt=0)
    amplitude: Number = number(REQUIRED, "", "Amplitude", "Largest distance from the mean.")
    phase_rad: Number = number(0.0, "rad", "Phase", "Angle of the sine at the start.")


class Random(Excitation):
    """Swing as a sum of cosines at even distances in frequency, with phases drawn from a seed.

    It repeats after one over the distance of its lines.
    """

    kind: Literal["random"] = choice("random", "Kind", "A sum of cosines with random phases.")
    low_hz: Number = number(0.0, "1/s", "From", "Lower end of its band; no line lies at 0.", ge=0)
    high_hz: Number = number(REQUIRED, "1/s", "To", "Upper end of its band.", gt=0)
    line_hz: Number = number(
        REQUIRED, "1/s", "Line distance", "Distance of its lines; they are multiples of it.", gt=0
    )
    rms: Number | None = number(
        None,
        "",
        "r.m.s.",
        "Root mean square about the mean; none: that of the density, 1 without one.",
        gt=0,
    )
    density_hz: Numbers = number(
        (),
        "1/s",
        "Frequencies",
        "Increasing frequencies of the density; none: flat over the band.",
        max_length=10_000,
    )
    density: Numbers = number(
        (),
        "",
        "Density",
        "Power spectral density at these, in the square of the unit for each hertz, straight in between and "
        "zero beyond. With an r.m.s. only its shape counts.",
        max_length=10_000,
    )
    seed: Count = choice(1, "Seed", "Number from which the phases are drawn.", ge=0, le=4294967295)
    crest: Number | None = number(
        None,
        "1",
        "Crest factor",
        "Largest distance from the mean over the r.m.s.; the phases are turned until it is met. "
        "None: as drawn.",
        gt=1,
    )
    scale: Number = number(1.0, "1", "Scale", "Factor on its distance from the mean.")


Form = Constant | Table | Polynomial | TwoRanges | Sweep | Random


class Function(Element):
    """Relate two quantities; any number of elements may share it."""

    x_unit: Unit = choice(REQUIRED, "Argument unit", "SI unit of the argument; 1 for none.")
    y_unit: Unit = choice(REQUIRED, "Value unit", "SI unit of the value; 1 for none.")
    form: Annotated[Form, Field(discriminator="kind")] = choice(
        REQUIRED, "Form", "How the value follows from the argument."
    )
