"""Pulses in closed form: peak, speed change, way, and pulses that give a wanted speed change."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.base.atomic import read_most, rows_of
from solver.base.units import UnitError, convert
from solver.bodies.library.entries import LibraryError
from solver.bodies.library.inserting import put_in
from solver.engine.signals import SignalError, cfc, resampled
from solver.project.curves import text_of
from solver.project.document import Project
from solver.project.forms import samples, values_on
from solver.project.functions import Function, Table
from solver.project.motions import (
    ConstantHistory,
    HalfSine,
    Haversine,
    History,
    Motion,
    MotionComponent,
    Pulse,
    Trapezoid,
    Triangle,
)
from solver.project.references import keys_in

Shape = HalfSine | Haversine | Triangle | Trapezoid


class Facts(NamedTuple):
    """What a pulse of acceleration does to something at rest (SI)."""

    peak: float
    """Value of greatest size, with its sign (m/s2)."""
    peak_s: float
    """Time at which it is reached; of a plateau the beginning."""
    start_s: float
    duration_s: float
    speed_change: float
    """m/s"""
    way: float
    """Way made by the end of the pulse, from rest (m)."""

    @property
    def end_s(self) -> float:
        """The time at which the pulse is over."""
        return self.start_s + self.duration_s

    @property
    def mean(self) -> float:
        """The mean over the duration (m/s2)."""
        return self.speed_change / self.duration_s


def facts(pulse: Pulse, functions: Sequence[Function] = ()) -> Facts:
    """The facts of a pulse of acceleration; raises LibraryError where it has no end."""
    if isinstance(pulse, History):
        return _table_facts(pulse, functions)
    if isinstance(pulse, ConstantHistory):
        raise LibraryError("A constant acceleration has no end, so it has no speed change.")
    a, T = pulse.amplitude, pulse.duration_s
    area, first_moment, peak = _unit(pulse)
    # the way is the integral of a (T - t): the area less its first moment
    return Facts(
        peak=a,
        peak_s=pulse.start_s + peak * T,
        start_s=pulse.start_s,
        duration_s=T,
        speed_change=a * T * area,
        way=a * T * T * (area - first_moment),
    )


def _unit(pulse: Shape) -> tuple[float, float, float]:
    """Give area, first moment and peak time of the shape with amplitude and duration one."""
    if isinstance(pulse, HalfSine):
        return 2.0 / math.pi, 1.0 / math.pi, 0.5
    if isinstance(pulse, Haversine):
        return 0.5, 0.25, 0.5
    if isinstance(pulse, Triangle):
        p = pulse.peak_ratio
        return 0.5, (1.0 + p) / 6.0, p
    u, d = pulse.rise_ratio, pulse.fall_ratio
    # the whole square less the corners that the ramps cut off
    area = 1.0 - 0.5 * (u + d)
    first_moment = 0.5 - u * u / 6.0 - 0.5 * d * (1.0 - d / 3.0)
    return area, first_moment, u


def _table_facts(pulse: History, functions: Sequence[Function]) -> Facts:
    """Add up the pieces of a table by three of Gauss's points each, which is exact for cubics."""
    form = next((f.form for f in functions if f.id == pulse.function), None)
    if not isinstance(form, Table) or len(form.x) < 2:
        raise LibraryError(
            "The pulse '{function}' is no table of two or more points.", function=pulse.function
        )
    t = np.array(form.x)
    h = np.diff(t)
    at, weight = np.polynomial.legendre.leggauss(3)
    within = 0.5 * (1.0 + at)
    a = pulse.scale * values_on(form, t[:-1, None] + h[:, None] * within)
    speed = np.concatenate([[0.0], np.cumsum(h * (a @ (0.5 * weight)))])
    way = np.sum(speed[:-1] * h + h * h * (a @ (0.5 * weight * (1.0 - within))))
    times, drawn = samples(form)
    peak = int(np.argmax(np.abs(drawn)))
    return Facts(
        float(pulse.scale * drawn[peak]),
        float(times[peak]),
        float(t[0]),
        float(t[-1] - t[0]),
        float(speed[-1]),
        float(way),
    )


def with_speed_change(shape: Shape, speed_change: float, *, keep: str = "duration") -> Shape:
    """The shape with a speed change (m/s): by its amplitude, or with `keep="peak"` by its length."""
    area = _unit(shape)[0]
    if keep == "duration":
        return shape.model_copy(update={"amplitude": speed_change / (shape.duration_s * area)})
    if keep != "peak":
        raise ValueError(f"keep is 'duration' or 'peak', not '{keep}'")
    duration = speed_change / (shape.amplitude * area) if shape.amplitude else math.inf
    if not 0.0 < duration < math.inf:
        raise LibraryError(
            "Peak and speed change need the same sign and must not be zero to give a length."
        )
    return shape.model_copy(update={"duration_s": duration})


def stopping(speed: float, way: float, peak: float) -> Trapezoid:
    """The symmetrical trapezoid that stops from a speed (m/s) within a way (m) at a peak (m/s2).

    Speed and way give its length, 2 way/speed; the peak gives its ramps. Raises LibraryError.
    """
    if min(speed, way, peak) <= 0.0:
        raise LibraryError("Speed, way and peak must be above zero.")
    duration = 2.0 * way / speed
    ramp = 1.0 - speed / (duration * peak)
    if not -1e-12 <= ramp <= 0.5 + 1e-12:
        least = speed / duration
        raise LibraryError(
            "To stop from {speed:g} m/s within {way:g} m a symmetrical trapezoid needs a peak between {least:.6g} and {least_2:.6g} m/s2.",
            speed=speed,
            way=way,
            least=least,
            least_2=2 * least,
        )
    ramp = min(max(ramp, 0.0), 0.5)
    return Trapezoid(amplitude=-peak, duration_s=duration, rise_ratio=ramp, fall_ratio=ramp)


# Measured pulses: from a CSV file in any unit, filtered by a class of SAE J211, thinned to a table.

Array = NDArray[np.float64]
Component = Literal["x", "y", "z", "yaw", "pitch", "roll"]

LARGEST_FILE = 64 * 2**20
EVEN = 1e-3
"""Part of a period by which measured times may miss an even grid before they are sampled again."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A measured pulse: the function for a project, and the samples behind it (s, m/s2)."""

    function: Function
    time: Array
    raw: Array
    filtered: Array
    note: str

    def __repr__(self) -> str:
        return f"<Measured '{self.function.name}': {len(self.time)} samples to {1e3 * self.time[-1]:.4g} ms; {self.note}>"

    def facts(self) -> Facts:
        """Give peak, duration, speed change and way of the function."""
        return facts(History(function=self.function.id), [self.function])


LARGEST_FILE = 512 * 2**20
"""Bytes of a measured pulse that are read at most."""
LARGEST = 1e12
"""No time (s) and no acceleration (m/s2) of a measured pulse is larger; the document takes a thousand times as much."""


def read_pulse(
    path: Path | str,
    unit: str,
    *,
    filter_: float | None = 60,
    time_unit: str = "s",
    columns: tuple[int | str, int | str] = (1, 2),
    begin_s: float | None = None,
    end_s: float | None = None,
    zero_until_s: float | None = None,
    deviation: float = 0.002,
    id_: str = "measured_pulse",
) -> Measured:
    """Read an acceleration over time from a CSV file; raises LibraryError.

    `columns` are numbers from 1 or headings. `filter_` is a class of SAE J211 (60 for vehicles), None
    for the samples as they are; the whole file is filtered before it is cut to `begin_s`..`end_s`,
    which then starts at zero. The mean until `zero_until_s` is taken off first. The table keeps as
    few samples as stay within `deviation` (a part of the peak) of all of them.
    """
    time, value = _read(Path(path), columns)
    try:
        with np.errstate(over="ignore"):
            t = np.asarray(convert(np.array(time), time_unit, "s"))
            a = np.asarray(convert(np.array(value), unit, "m/s2"))
    except UnitError as failure:
        raise LibraryError(
            "{failure} A pulse is in m/s2 or g, over s or ms.", failure=failure
        ) from None
    return pulse_of(
        t, a, Path(path).name, filter_=filter_, begin_s=begin_s, end_s=end_s, zero_until_s=zero_until_s, deviation=deviation, id_=id_
    )  # fmt: skip


def pulse_of(
    t: Array,
    a: Array,
    path: str,
    *,
    name: str = "",
    filter_: float | None = 60,
    begin_s: float | None = None,
    end_s: float | None = None,
    zero_until_s: float | None = None,
    deviation: float = 0.002,
    id_: str = "measured_pulse",
    closed: bool = False,
) -> Measured:
    """Make a pulse of measured times (s) and accelerations (m/s2), as `read_pulse` does of a file; `path` says where they come from.

    Beyond its end a table holds its last value: one that is `closed` ends at zero, a sample later.
    """
    if len(t) < 2 or not np.all(np.diff(t) > 0.0):
        raise LibraryError("'{path}' needs two or more samples whose times grow.", path=path)
    if not (np.all(np.abs(a) <= LARGEST) and np.all(np.abs(t) <= LARGEST)):
        raise LibraryError(
            "'{path}' holds a time or an acceleration beyond {most:g} s or m/s2.",
            path=path,
            most=LARGEST,
        )
    if zero_until_s is not None:
        before = a[t <= zero_until_s]
        if not len(before):
            raise LibraryError(
                "There is no sample until {zero_until_s:g} s to take the zero from.",
                zero_until_s=zero_until_s,
            )
        a = a - before.mean()
    raw, filtered = a, a
    try:
        if filter_ is not None:
            t, raw = _evenly(t, a)
            filtered = cfc(t, raw, filter_)
    except SignalError as failure:
        raise LibraryError(
            "'{path}' cannot be filtered: {failure}", path=path, failure=failure
        ) from None
    inside = np.ones(len(t), bool)
    inside &= t >= (begin_s if begin_s is not None else -math.inf)
    inside &= t <= (end_s if end_s is not None else math.inf)
    if inside.sum() < 2:
        raise LibraryError(
            "Between {begin_s} and {end_s} s there are fewer than two samples.",
            begin_s=begin_s,
            end_s=end_s,
        )
    t, raw, filtered = t[inside] - t[inside][0], raw[inside], filtered[inside]
    keep = thinned(t, filtered, deviation * float(np.abs(filtered).max()))
    how = "as measured" if filter_ is None else f"CFC {filter_:g}"
    note = f"{how}; {len(keep)} of {len(t)} samples, within {100 * deviation:g} % of the peak"
    xs = [float(f"{v:.9g}") for v in t[keep]]
    ys = [float(f"{v:.6g}") for v in filtered[keep]]
    if closed and ys[-1]:
        xs.append(float(f"{xs[-1] + float(t[1] - t[0]):.9g}"))
        ys.append(0.0)
    table = Table(x=tuple(xs), y=tuple(ys))
    function = Function(
        id=id_, name=name or Path(path).stem, note=note, source=f"measured: {Path(path).name}",
        x_unit="s", y_unit="m/s2", form=table,
    )  # fmt: skip
    return Measured(function, t, raw, filtered, note)


def insert_pulse(
    project: Project,
    pulse: Measured,
    prefix: str = "",
    *,
    attach_to: str,
    component: Component = "x",
    scale: float = 1.0,
    from_speed: float = 0.0,
    replace: bool = False,
) -> Project:
    """The project with a segment moved by a measured pulse; raises LibraryError."""
    motion = Motion(
        id="pulse",
        name=pulse.function.name,
        group="Vehicle",
        source=pulse.function.source,
        segment="ground",
        components=(
            MotionComponent(
                component=component,
                pulse=History(function=pulse.function.id, scale=scale),
                start_rate=from_speed,
            ),
        ),
    )
    piece = Project(functions=(pulse.function,), motions=(motion,))
    return put_in(project, piece, pulse.function.name, prefix, attach_to, replace=replace)


def led_by(
    project: Project,
    pulse: Measured,
    segment: str,
    component: Component = "x",
    scale: float = 1.0,
    from_speed: float | None = None,
) -> Project:
    """The project with a segment that moves by a measured pulse: its motion takes the pulse over, or it gets one. Raises LibraryError.

    The rest of a motion stays, and the speed at which it begins where none is given. A function that nobody else follows goes.
    """
    motion = next((one for one in project.motions if one.segment == segment), None)
    ids = {one.id for one in project.functions}
    name = next(one for one in (pulse.function.id, *(f"{pulse.function.id}_{n}" for n in range(2, len(ids) + 3))) if one not in ids)  # fmt: skip
    function = pulse.function.model_copy(update={"id": name})
    if motion is None:
        made = replace(pulse, function=function)
        return insert_pulse(project, made, attach_to=segment, component=component, scale=scale, from_speed=from_speed or 0.0)  # fmt: skip
    old = next((one for one in motion.components if one.component == component), None)
    given: dict[str, Any] = {
        "quantity": "acceleration",
        "pulse": History(function=name, scale=scale),
    }
    if from_speed is not None:
        given["start_rate"] = from_speed
    new = MotionComponent(component=component, **given) if old is None else old.model_copy(update=given)  # fmt: skip
    parts = tuple(new if one is old else one for one in motion.components) + (() if old else (new,))
    led = motion.model_copy(update={"components": parts, "source": function.source})
    motions = tuple(led if one is motion else one for one in project.motions)
    made_ = project.model_copy(update={"functions": (*project.functions, function), "motions": motions})  # fmt: skip
    gone = old.pulse.function if old is not None and isinstance(old.pulse, History) else ""
    used = {key for list_ in ("motions", "drivers", "frame_drivers", "functions", "loads") for one in getattr(made_, list_, ()) for key in keys_in(one)}  # fmt: skip
    if gone and gone != name and ("functions", gone) not in used and not made_.studies:
        kept = tuple(one for one in made_.functions if one.id != gone)
        made_ = made_.model_copy(update={"functions": kept})
    return made_


def thinned(t: Array, y: Array, within: float) -> NDArray[np.intp]:
    """The numbers of the samples to keep, so that straight lines between them miss none by more.

    Ramer 1972, Douglas and Peucker 1973, with the distance along y.
    """
    keep = np.zeros(len(t), bool)
    keep[[0, -1]] = True
    waiting = [(0, len(t) - 1)]
    while waiting:
        first, last = waiting.pop()
        if last - first < 2:
            continue
        inner = slice(first + 1, last)
        line = np.interp(t[inner], [t[first], t[last]], [y[first], y[last]])
        miss = np.abs(y[inner] - line)
        worst = int(np.argmax(miss))
        if miss[worst] > within:
            middle = first + 1 + worst
            keep[middle] = True
            waiting += [(first, middle), (middle, last)]
    return np.flatnonzero(keep)


def _evenly(t: Array, a: Array) -> tuple[Array, Array]:
    """Give samples on an even grid: the same ones, or new ones at the rate of the closest two."""
    steps = np.diff(t)
    even = t[0] + np.arange(len(t)) * (t[-1] - t[0]) / (len(t) - 1)
    if np.abs(t - even).max() <= EVEN * float(steps.min()):
        return even, a
    return resampled(t, a, 1.0 / float(steps.min()))


def _read(file: Path, columns: tuple[int | str, int | str]) -> tuple[list[float], list[float]]:
    """Read two columns below the headings; commas, semicolons or tabs between them."""
    try:
        if file.stat().st_size > LARGEST_FILE:
            raise LibraryError("'{file}' is larger than 64 MB.", file=file)
        text = text_of(read_most(file, LARGEST_FILE))
    except OSError as failure:
        reason = failure.strerror or "no reason given"
        raise LibraryError("'{file}' cannot be read: {reason}.", file=file, reason=reason) from None
    if text is None:
        raise LibraryError("'{file}' is no text.", file=file)
    lines = text.splitlines()
    sample = "\n".join(lines[:50])
    mark = ";" if ";" in sample else "\t" if "\t" in sample else ","
    rows = [row for row in rows_of(text, mark) if any(cell.strip() for cell in row)]
    headings: list[list[str]] = []
    found: tuple[list[float], list[float]] = ([], [])
    numbers: tuple[int, int] | None = None
    for row in rows:
        cells = [cell.strip() for cell in row]
        if numbers is None:
            if not any(_number(cell, mark) is not None for cell in cells):
                headings.append(cells)
                continue
            numbers = _places(columns, headings, len(cells), file)
        pair = [_number(cells[k], mark) if k < len(cells) else None for k in numbers]
        if pair[0] is None or pair[1] is None:
            raise LibraryError(
                "'{file}' has a row without two numbers: '{row}'.",
                file=file,
                row=mark.join(row)[:60],
            )
        found[0].append(pair[0])
        found[1].append(pair[1])
    return found


def _places(
    columns: tuple[int | str, int | str], headings: list[list[str]], width: int, file: Path
) -> tuple[int, int]:
    def place(column: int | str) -> int:
        if isinstance(column, str) and not column.isdigit():
            for row in headings:
                if column in row:
                    return row.index(column)
            there = ", ".join(f"'{h}'" for row in headings[:3] for h in row[:12]) or "none"
            raise LibraryError(
                "'{file}' has no column '{column}'; its headings: {there}.",
                file=file,
                column=column,
                there=there,
            )
        if not 1 <= int(column) <= width:
            raise LibraryError(
                "'{file}' has {width} columns, so there is no column {column}.",
                file=file,
                width=width,
                column=column,
            )
        return int(column) - 1

    return place(columns[0]), place(columns[1])


def _number(cell: str, mark: str) -> float | None:
    """Read a number; a decimal comma where columns are not divided by commas."""
    try:
        value = float(cell.replace(",", ".") if mark != "," else cell)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
