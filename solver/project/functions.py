"""Functions of one variable, shared by id (section 7.5; two ranges as there)."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from solver.engine.maths.alike import exp, to_power
from solver.engine.maths.rotation import Array
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
from solver.project.waves import Exponential, Sine

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


Piece = Annotated[Constant | Table | Polynomial | Sine | Exponential, Field(discriminator="kind")]


class TwoRanges(Part):
    """Use one form up to a split and another beyond it (D0, D1, D2)."""

    kind: Literal["two_ranges"] = choice("two_ranges", "Kind", "Two forms, one after the other.")
    split: Number = number(REQUIRED, "", "Split", "Argument from which the second form rules.")
    first: Piece = choice(REQUIRED, "First form", "Form below the split.")
    second: Piece = choice(REQUIRED, "Second form", "Form from the split on.")


class Sum(Part):
    """Add forms up, each within its own ends: polynomials, sines and cosines, exponentials, tables."""

    kind: Literal["sum"] = choice("sum", "Kind", "Several forms, added up.")
    terms: tuple[Piece, ...] = choice(
        REQUIRED, "Terms", "Forms that are added.", min_length=1, max_length=50
    )


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


Form = Constant | Table | Polynomial | Sine | Exponential | Sum | TwoRanges | Sweep | Random


class Function(Element):
    """Relate two quantities; any number of elements may share it."""

    x_unit: Unit = choice(REQUIRED, "Argument unit", "SI unit of the argument; 1 for none.")
    y_unit: Unit = choice(REQUIRED, "Value unit", "SI unit of the value; 1 for none.")
    form: Annotated[Form, Field(discriminator="kind")] = choice(
        REQUIRED, "Form", "How the value follows from the argument."
    )


# Sine sweeps and random signals as pieces of fifth degree; no kernels.
#
# Each piece shares value, slope and curvature with the closed form at both its ends, so that a path has no jump up to
# its acceleration. With 24 pieces in the shortest cycle the signal is met within 1e-8 of its size, its second
# derivative within 2e-5.
#
# A random signal is a sum of cosines at multiples of `line_hz`, A = sqrt(2 S line_hz), with phases drawn from a seed;
# it repeats after 1 / line_hz. A wanted crest factor (largest value over r.m.s.) is reached by turning the phases and
# nothing else. Upwards the lines are drawn towards being in phase at the largest peak. Downwards the signal is clipped
# and the phases of what is left are taken (Van der Ouderaa, Schoukens and Renneboog 1988, IEEE Trans. Instrumentation
# and Measurement 37). Between the last two sets of phases the wanted one is found by halving.

PER_CYCLE, PER_EASE = 24, 16
"""Pieces in a cycle of the highest frequency, and in the time in which a signal grows, at least."""
MOST_PIECES, MOST_LINES = 200_000, 4_000
CLIPS = 300
"""Times that a signal is clipped in search of a low crest factor."""
CLIP_AT = 0.85
"""Part of the peak at which it is clipped."""
HALVINGS = 60
CREST_MET, CREST_SEEN = 1e-6, 1e-4
"""How well a crest factor is met, and how far from it counts as not met."""


class SignalPieces(NamedTuple):
    """Hold a signal at the ends of its pieces: times (s) from its start, value, slope, curvature."""

    time: Array
    value: Array
    rate: Array
    bend: Array


def highest_hz(form: Sweep | Random) -> float:
    """The highest frequency."""
    return max(form.from_hz, form.to_hz) if isinstance(form, Sweep) else form.high_hz


def pieces(form: Sweep | Random) -> float:
    """Count the pieces."""
    return form.duration_s * highest_hz(form) * PER_CYCLE * _finer(form)


def _finer(form: Sweep | Random) -> float:
    """Give into how many a piece is divided so that a short ease is followed, too."""
    if not form.ease_s > 0.0:
        return 1.0
    return max(1.0, float(np.ceil(PER_EASE / (form.ease_s * highest_hz(form) * PER_CYCLE))))


def is_sound(form: Sweep | Random) -> bool:
    """Whether a signal can be made: not too long, eased within its time, with lines that hold something."""
    if pieces(form) > MOST_PIECES or 2.0 * form.ease_s > form.duration_s:
        return False
    if isinstance(form, Sweep):
        return True
    few = form.high_hz <= MOST_LINES * form.line_hz
    return few and density_is_sound(form) and bool(lines(form)[1].any())


def density_is_sound(form: Random) -> bool:
    """Whether the density of a random signal is one, or none is given."""
    hz, level = np.array(form.density_hz), np.array(form.density)
    return len(hz) == len(level) and bool(np.all(np.diff(hz) > 0.0) and np.all(level >= 0.0))


@lru_cache(maxsize=8)
def quintics(form: Sweep | Random) -> tuple[Array, Array]:
    """The starts (s) of the pieces, their last end too, and six coefficients of each."""
    made = _eased(form, _sweep(form) if isinstance(form, Sweep) else _random(form))
    t, y, v, a = made
    h = np.diff(t)
    rise = y[1:] - y[:-1] - h * (v[:-1] + 0.5 * h * a[:-1])
    steep = h * (v[1:] - v[:-1] - h * a[:-1])
    bent = h**2 * (a[1:] - a[:-1])
    c = np.zeros((len(h), 6))
    c[:, 0], c[:, 1], c[:, 2] = y[:-1] + form.mean, v[:-1], 0.5 * a[:-1]
    c[:, 3] = (10.0 * rise - 4.0 * steep + 0.5 * bent) / to_power(h, 3)
    c[:, 4] = (-15.0 * rise + 7.0 * steep - bent) / to_power(h, 4)
    c[:, 5] = (6.0 * rise - 3.0 * steep + 0.5 * bent) / to_power(h, 5)
    return form.start_s + t, c


def values(form: Sweep | Random, x: Array) -> Array:
    """The signal at times (s); the mean before and after it."""
    start, c = quintics(form)
    i = np.clip(np.searchsorted(start, x, side="right") - 1, 0, len(c) - 1)
    s = x - start[i]
    y = np.zeros(len(s))
    for k in range(5, -1, -1):
        y = y * s + c[i, k]
    out: Array = np.where((x < start[0]) | (x >= start[-1]), form.mean, y)
    return out


def _times(form: Sweep | Random) -> Array:
    count = max(1, int(np.ceil(pieces(form) * (1.0 - 1e-12))))
    return form.duration_s * np.arange(count + 1) / count


def _sweep(form: Sweep) -> SignalPieces:
    """Give amplitude * sin(phase), with the phase's derivatives in closed form."""
    t = _times(form)
    f0, f1, T = form.from_hz, form.to_hz, form.duration_s
    if form.spacing == "logarithmic" and f0 != f1:
        pace = np.log(f1 / f0) / T
        hz = f0 * exp(pace * t)
        turned, change = (hz - f0) / pace, pace * hz
    else:
        hz = f0 + (f1 - f0) * t / T
        turned, change = t * (f0 + 0.5 * (f1 - f0) * t / T), np.full(len(t), (f1 - f0) / T)
    angle, w, dw = form.phase_rad + 2 * np.pi * turned, 2 * np.pi * hz, 2 * np.pi * change
    sine, cosine = form.amplitude * np.sin(angle), form.amplitude * np.cos(angle)
    return SignalPieces(t, sine, w * cosine, dw * cosine - w**2 * sine)


def lines(form: Random) -> tuple[NDArray[Any], Array]:
    """The numbers of the lines of a random signal, and their amplitudes before the scale."""
    low = max(1, int(np.ceil(form.low_hz / form.line_hz - 1e-9)))
    high = int(np.floor(form.high_hz / form.line_hz + 1e-9))
    number = np.arange(low, high + 1)
    density = np.ones(len(number))
    if form.density:
        hz, known = number * form.line_hz, np.array(form.density_hz)
        density = np.interp(hz, known, np.array(form.density), left=0.0, right=0.0)
    size = np.sqrt(2.0 * density * form.line_hz)
    whole = float(np.sqrt(0.5 * (size**2).sum()))
    wanted = form.rms if form.rms is not None or form.density else 1.0
    if wanted is not None and whole > 0.0:
        size = size * (wanted / whole)
    return number, size


def crest_found(form: Random) -> float:
    """The crest factor that the phases give, turned as far as they could be."""
    return _crest(form, phases(form))


def _random(form: Random) -> SignalPieces:
    number, size = lines(form)
    angle = phases(form)
    count = PER_CYCLE * int(number[-1]) * int(_finer(form))
    period = 1.0 / form.line_hz
    w = 2.0 * np.pi * form.line_hz * number
    held = form.scale * size * np.exp(1j * angle)
    y, v, a = (_summed(number, part, count) for part in (held, 1j * w * held, -(w**2) * held))
    many = int(np.ceil(form.duration_s * count / period * (1.0 - 1e-12)))
    at = np.arange(many + 1)
    t = at * period / count
    k = at % count
    if abs(t[-1] - form.duration_s) > 1e-9 * form.duration_s:
        # the last piece ends with the signal: its end lies between two samples
        end = np.exp(1j * w * form.duration_s) * held
        last = [float(part.real.sum()) for part in (end, 1j * w * end, -(w**2) * end)]
    else:
        last = [float(row[k[-1]]) for row in (y, v, a)]
    t[-1] = form.duration_s
    rows = [np.append(row[k[:-1]], end_) for row, end_ in zip((y, v, a), last, strict=True)]
    return SignalPieces(t, *rows)


def _summed(number: Array, held: Array, count: int) -> Array:
    """Give the sum of cosines at even places of its period."""
    half = np.zeros(count // 2 + 1, complex)
    half[number] = held
    out: Array = np.fft.irfft(half, count) * (0.5 * count)
    return out


def _drawn(form: Random, count: int) -> Array:
    # this generator gives the same numbers for good, which the newer ones do not promise
    drawn: Array = 2.0 * np.pi * np.random.RandomState(form.seed).random_sample(count)
    return drawn


@lru_cache(maxsize=8)
def phases(form: Random) -> Array:
    """The phases (rad) of the lines, turned until the crest factor is met as well as it can be."""
    number, size = lines(form)
    angle = _drawn(form, len(number))
    if form.crest is None or len(number) < 2 or not size.any():
        return angle
    here = _crest(form, angle)
    if abs(here - form.crest) < CREST_MET:
        return angle
    held = size * np.exp(1j * angle)
    if here < form.crest:
        y = _summed(number, held, PER_CYCLE * int(number[-1]))
        top = int(np.argmax(np.abs(y)))
        back = np.exp(-2j * np.pi * number * top / len(y)) * np.sign(y[top])
        return _between(form, angle, np.angle(back))
    before, after = _clipped(form, number, size, angle)
    return _between(form, before, after)


def _between(form: Random, one: Array, other: Array) -> Array:
    """Turn phases from one set towards another until the crest factor is met, by halving."""
    a, b = np.exp(1j * one), np.exp(1j * other)
    rising = _crest(form, other) > _crest(form, one)
    low, high = 0.0, 1.0
    best = other
    for _ in range(HALVINGS):
        part = 0.5 * (low + high)
        best = np.angle((1.0 - part) * a + part * b)
        here = _crest(form, best)
        if abs(here - (form.crest or 0.0)) < CREST_MET:
            break
        if (here < (form.crest or 0.0)) == rising:
            low = part
        else:
            high = part
    return best


def _clipped(form: Random, number: Array, size: Array, angle: Array) -> tuple[Array, Array]:
    """Clip until the crest factor is below the wanted one; give the phases before that and after."""
    count = PER_CYCLE * int(number[-1])
    before = after = angle
    least = _crest(form, angle)
    here = angle
    for _ in range(CLIPS):
        y = _summed(number, size * np.exp(1j * here), count)
        level = CLIP_AT * np.abs(y).max()
        here = np.angle(np.fft.rfft(np.clip(y, -level, level))[number])
        crest = _crest(form, here)
        if crest < least:
            before, after, least = after, here, crest
            if crest <= (form.crest or 0.0):
                break
    return before, after


def _crest(form: Random, angle: Array) -> float:
    number, size = lines(form)
    y = _summed(number, size * np.exp(1j * angle), PER_CYCLE * int(number[-1]))
    return float(np.abs(y).max() / np.sqrt(0.5 * (size**2).sum()))


def _eased(form: Sweep | Random, made: SignalPieces) -> SignalPieces:
    """Let a signal grow from nothing and die away, by 10 u^3 - 15 u^4 + 6 u^5."""
    if not form.ease_s > 0.0:
        return made
    t, y, v, a = made
    e = form.ease_s
    begins = _grown(np.clip(t / e, 0.0, 1.0))
    ends = _grown(np.clip((form.duration_s - t) / e, 0.0, 1.0))
    w0, w1, w2 = begins[0], begins[1] / e, begins[2] / e**2
    u0, u1, u2 = ends[0], -ends[1] / e, ends[2] / e**2
    g, dg = w0 * u0, w1 * u0 + w0 * u1
    ddg = w2 * u0 + 2.0 * w1 * u1 + w0 * u2
    return SignalPieces(t, g * y, dg * y + g * v, ddg * y + 2.0 * dg * v + g * a)


def _grown(u: Array) -> tuple[Array, Array, Array]:
    value = u * u * u * (10.0 + u * (6.0 * u - 15.0))
    return value, 30.0 * (u * (1.0 - u)) ** 2, 60.0 * u * (1.0 - u) * (1.0 - 2.0 * u)
