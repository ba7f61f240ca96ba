"""Pulses in closed form: peak, speed change, way, and pulses that give a wanted speed change."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from solver.bodies.library.entries import LibraryError
from solver.project.forms import samples, values_on
from solver.project.functions import Function, Table
from solver.project.motions import (
    ConstantHistory,
    HalfSine,
    Haversine,
    History,
    Pulse,
    Trapezoid,
    Triangle,
)

Shape = HalfSine | Haversine | Triangle | Trapezoid


class Facts(NamedTuple):
    """Hold what a pulse of acceleration does to something at rest (SI)."""

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
        """Give the time at which the pulse is over."""
        return self.start_s + self.duration_s

    @property
    def mean(self) -> float:
        """Give the mean over the duration (m/s2)."""
        return self.speed_change / self.duration_s


def facts(pulse: Pulse, functions: Sequence[Function] = ()) -> Facts:
    """Give the facts of a pulse of acceleration; raises LibraryError where it has no end."""
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
    """Give the shape with a speed change (m/s): by its amplitude, or with `keep="peak"` by its length."""
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
    """Give the symmetrical trapezoid that stops from a speed (m/s) within a way (m) at a peak (m/s2).

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
