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


Form = Constant | Table | Polynomial | TwoRanges


class Function(Element):
    """Relate two quantities; any number of elements may share it."""

    x_unit: Unit = choice(REQUIRED, "Argument unit", "SI unit of the argument; 1 for none.")
    y_unit: Unit = choice(REQUIRED, "Value unit", "SI unit of the value; 1 for none.")
    form: Annotated[Form, Field(discriminator="kind")] = choice(
        REQUIRED, "Form", "How the value follows from the argument."
    )
