"""Functions of one variable, shared by id (section 7.5; two ranges as there).

Made from the schema by `make docs`; do not edit it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Required, TypeAlias, TypedDict

from manikin.schema.fields import Element

if TYPE_CHECKING:
    from collections.abc import Sequence

    import solver.project.functions as _functions
    import solver.project.waves as _waves
    from manikin.schema.numbers import Numbers
    from manikin.schema.waves import Exponential, Sine


class CsvCurve(TypedDict, total=False):
    """Take the points of a table from two columns of a CSV file beside the project."""

    path: Required[str]
    """File (required): CSV file, relative to the project's folder."""
    x_column: int
    """x column (≥ 1, ≤ 1000, 1): Column of the arguments, counted from 1."""
    y_column: int
    """y column (≥ 1, ≤ 1000, 2): Column of the values, counted from 1."""
    skip_rows: int
    """Heading rows (≥ 0, ≤ 1000, 1): Rows above the numbers."""
    x_scale: float
    """x scale (1, 1.0): Factor from the file's unit to the SI unit."""
    y_scale: float
    """y scale (1, 1.0): Factor from the file's unit to the SI unit."""


class Constant(TypedDict, total=False):
    """Be the same everywhere."""

    kind: Required[Literal["constant"]]
    """Kind ("constant"): The same value everywhere."""
    value: Required[float]
    """Value (required): The value, in the function's unit."""


class Table(TypedDict, total=False):
    """Join points by straight lines or smoothly; beyond the ends the end value holds.

    A position over time needs a spline: straight lines jump in speed.
    """

    kind: Required[Literal["table"]]
    """Kind ("table"): Points that are joined."""
    x: Numbers
    """Arguments ([]): Increasing arguments."""
    y: Numbers
    """Values ([]): One value for each argument."""
    between: Between
    """Between points ("lines"): lines: straight lines; spline: cubics that meet without a jump in slope or curvature, the first two and the last two being one (not a knot); spline_at_rest: the same, but level at both ends; four_points: in each interval the cubic through the two points before and the two behind it, at the ends through the outer four. There slopes jump at the points."""
    csv: CsvCurve | _functions.CsvCurve | None
    """CSV file (none): Points from a file instead of x and y."""


class Polynomial(TypedDict, total=False):
    """Be a polynomial of up to fifth degree between two ends, constant beyond them."""

    kind: Required[Literal["polynomial"]]
    """Kind ("polynomial"): A polynomial between two ends."""
    coefficients: Required[Numbers]
    """Coefficients (at least 1 entry, at most 6 entries, required): A0, A1, ... A5 of the plain argument."""
    x_min: float
    """From (0.0): Lower end (D0)."""
    x_max: Required[float]
    """To (required): Upper end (D1)."""


class TwoRanges(TypedDict, total=False):
    """Use one form up to a split and another beyond it (D0, D1, D2)."""

    kind: Required[Literal["two_ranges"]]
    """Kind ("two_ranges"): Two forms, one after the other."""
    split: Required[float]
    """Split (required): Argument from which the second form rules."""
    first: Required[Piece]
    """First form (required): Form below the split."""
    second: Required[Piece]
    """Second form (required): Form from the split on."""


class Sum(TypedDict, total=False):
    """Add forms up, each within its own ends: polynomials, sines and cosines, exponentials, tables."""

    kind: Required[Literal["sum"]]
    """Kind ("sum"): Several forms, added up."""
    terms: Required[Sequence[Piece]]
    """Terms (at least 1 entry, at most 50 entries, required): Forms that are added."""


class Excitation(TypedDict, total=False):
    """Hold what signals over time share: when they begin and end, and what they swing about."""

    start_s: float
    """Start (s, 0.0): Time at which it begins."""
    duration_s: Required[float]
    """Duration (s, > 0, required): How long it lasts."""
    ease_s: float
    """Ease (s, ≥ 0, 0.0): Time in which it grows from nothing and, at its end, dies away; 0: it is there at once."""
    mean: float
    """Mean (0.0): Value about which it swings, also before and after."""


class Sweep(Excitation, total=False):
    """Swing as a sine whose frequency goes from one value to another."""

    kind: Required[Literal["sweep"]]
    """Kind ("sweep"): A sine of changing frequency."""
    spacing: Literal["linear", "logarithmic"]
    """Spacing ("linear"): linear: so many hertz in each second; logarithmic: so many octaves."""
    from_hz: Required[float]
    """From (1/s, > 0, required): Frequency at the start."""
    to_hz: Required[float]
    """To (1/s, > 0, required): Frequency at the end."""
    amplitude: Required[float]
    """Amplitude (required): Largest distance from the mean."""
    phase_rad: float
    """Phase (rad, 0.0): Angle of the sine at the start."""


class Random(Excitation, total=False):
    """Swing as a sum of cosines at even distances in frequency, with phases drawn from a seed.

    It repeats after one over the distance of its lines.
    """

    kind: Required[Literal["random"]]
    """Kind ("random"): A sum of cosines with random phases."""
    low_hz: float
    """From (1/s, ≥ 0, 0.0): Lower end of its band; no line lies at 0."""
    high_hz: Required[float]
    """To (1/s, > 0, required): Upper end of its band."""
    line_hz: Required[float]
    """Line distance (1/s, > 0, required): Distance of its lines; they are multiples of it."""
    rms: float | None
    """r.m.s. (> 0, none): Root mean square about the mean; none: that of the density, 1 without one."""
    density_hz: Numbers
    """Frequencies (1/s, []): Increasing frequencies of the density; none: flat over the band."""
    density: Numbers
    """Density ([]): Power spectral density at these, in the square of the unit for each hertz, straight in between and zero beyond. With an r.m.s. only its shape counts."""
    seed: int
    """Seed (≥ 0, ≤ 4.29497e+09, 1): Number from which the phases are drawn."""
    crest: float | None
    """Crest factor (1, > 1, none): Largest distance from the mean over the r.m.s.; the phases are turned until it is met. None: as drawn."""
    scale: float
    """Scale (1, 1.0): Factor on its distance from the mean."""


class Function(Element, total=False):
    """Relate two quantities; any number of elements may share it."""

    x_unit: Required[Unit]
    """Argument unit (required): SI unit of the argument; 1 for none."""
    y_unit: Required[Unit]
    """Value unit (required): SI unit of the value; 1 for none."""
    form: Required[Form]
    """Form (required): How the value follows from the argument."""


Between: TypeAlias = Literal["lines", "spline", "spline_at_rest", "four_points"]


Piece: TypeAlias = "Constant | _functions.Constant | Table | _functions.Table | Polynomial | _functions.Polynomial | Sine | _waves.Sine | Exponential | _waves.Exponential"


Unit: TypeAlias = Literal[
    "1",
    "s",
    "1/s",
    "m",
    "m/s",
    "m/s2",
    "rad",
    "rad/s",
    "rad/s2",
    "N",
    "N*m",
    "N/m",
    "N*s/m",
    "Pa",
    "K",
    "kg/s",
    "m2",
    "m3",
    "J",
    "N*m/rad",
    "N*m*s/rad",
    "N/m/s",
    "N*m/rad/s",
]


Form: TypeAlias = "Constant | _functions.Constant | Table | _functions.Table | Polynomial | _functions.Polynomial | Sine | _waves.Sine | Exponential | _waves.Exponential | Sum | _functions.Sum | TwoRanges | _functions.TwoRanges | Sweep | _functions.Sweep | Random | _functions.Random"
