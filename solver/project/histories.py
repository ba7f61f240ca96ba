"""Make functions and pulses into pieces for the kernels: curves, and profiles over time.

Also where a prescribed place or speed jumps. This loads the kernels: import it where it is used.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise, zip_longest
from typing import Protocol, assert_never

import numpy as np

from solver.engine.maths import curve, profile
from solver.engine.maths.curve import Curve
from solver.engine.maths.profile import Profile, profile_piece
from solver.project.couplings import Coupled
from solver.project.document import Project
from solver.project.forms import cubics
from solver.project.functions import (
    Constant,
    Form,
    Function,
    Polynomial,
    Random,
    Sum,
    Sweep,
    Table,
    TwoRanges,
    quintics,
)
from solver.project.links import Coupling
from solver.project.motions import (
    ConstantHistory,
    DriverBase,
    HalfSine,
    Haversine,
    History,
    Prescribed,
    Pulse,
    Trapezoid,
    Triangle,
)
from solver.project.summing import FineCurve, added, wave_curve
from solver.project.waves import Exponential, Sine, Wave, rate

STILL = (0.0, 0.0, 0.0)
FOREVER = 1e30
"""End of a driver that moves its coordinate to the end of the run."""


class ById(Protocol):
    """Give functions as curves by their ids."""

    def __getitem__(self, id_: str, /) -> Curve: ...


_made: dict[int, tuple[Form, Curve]] = {}
MOST_MADE = 1024


def curve_of(function: Function) -> Curve:
    """A function's pieces, made once for each form: it stays the very same while nobody changes it."""
    form = function.form
    known = _made.get(id(form))
    if known is None or known[0] is not form:
        if len(_made) >= MOST_MADE:
            _made.clear()
        # the form is kept, so that no other one takes its number
        known = _made[id(form)] = form, _curve(form)
    return known[1]


def _curve(form: Form) -> Curve:
    match form:
        case Constant():
            return curve.constant(form.value)
        case Table():
            return curve.table(form.x, form.y) if form.between == "lines" else _smooth(form)
        case Polynomial():
            return curve.polynomial(form.coefficients, form.x_min, form.x_max)
        case Sine() | Exponential():
            return wave_curve(form)
        case Sum():
            fastest = max((rate(one) for one in form.terms if isinstance(one, Wave)), default=0.0)
            return added(
                [
                    wave_curve(one, fastest) if isinstance(one, Wave) else _curve(one)
                    for one in form.terms
                ]
            )
        case TwoRanges():
            return curve.split(_curve(form.first), _curve(form.second), form.split)
        case Sweep() | Random():
            return _swinging(form)
        case _:
            assert_never(form)


def _smooth(table: Table) -> Curve:
    """Join points by cubics; the end values hold beyond them."""
    inner = (tuple(float(c) for c in row) for row in cubics(table))
    start = (table.x[0], *table.x[:-1], table.x[-1])
    return Curve(start, ((table.y[0],), *inner, (table.y[-1],)))


@lru_cache(8)
def _swinging(form: Sweep | Random) -> Curve:
    """Follow a sweep or a random signal; the mean holds before and after it."""
    start, inner = quintics(form)
    still = (form.mean,)
    times = tuple(start.tolist())
    return Curve((times[0], *times), (still, *(tuple(row) for row in inner.tolist()), still))


def position(component: Prescribed, functions: ById, start: float = 0.0) -> Profile:
    """A coordinate over time; it starts from `start` where it does not say from what."""
    given = shape(component.pulse, functions, is_place=component.quantity == "position")
    if component.quantity == "position":
        return given
    speed = given
    if component.quantity == "acceleration":
        begins = component.from_s if isinstance(component, DriverBase) else 0.0
        speed = profile.integral(given, component.start_rate, begins)
    value = component.start_value
    return profile.integral(speed, start if value is None else value)


def shape(pulse: Pulse, functions: ById, *, is_place: bool = False) -> Profile:
    """A pulse's own value over time; a place is differentiated twice, so that it is taken as fine as there is."""
    match pulse:
        case ConstantHistory():
            return profile.constant(pulse.value)
        case History():
            return scaled(functions[pulse.function], pulse.scale, is_place=is_place)
        case HalfSine():
            return profile.half_sine(pulse.amplitude, pulse.start_s, pulse.duration_s)
        case Haversine():
            return profile.haversine(pulse.amplitude, pulse.start_s, pulse.duration_s)
        case Triangle():
            peak = (pulse.peak_ratio, pulse.amplitude)
            return _corners(((0.0, 0.0), peak, (1.0, 0.0)), pulse.start_s, pulse.duration_s)
        case Trapezoid():
            a, rise, fall = pulse.amplitude, pulse.rise_ratio, 1.0 - pulse.fall_ratio
            corners = ((0.0, 0.0), (rise, a), (fall, a), (1.0, 0.0))
            return _corners(corners, pulse.start_s, pulse.duration_s)
        case _:
            assert_never(pulse)


def scaled(curve: Curve, factor: float, *, is_place: bool = False) -> Profile:
    """A function of time as a profile."""
    pieces = curve.finer if is_place and isinstance(curve, FineCurve) else curve.poly
    poly = np.zeros((len(pieces), profile.PROFILE_COEFFICIENTS))
    given = np.array(list(zip_longest(*pieces, fillvalue=0.0))).T
    poly[:, : given.shape[1]] = factor * given
    return Profile(np.array(curve.start), poly, np.zeros((len(poly), 3)))


def beyond(profile: Profile) -> Profile:
    """Let what holds its end values go straight on, at the slopes that it has inside them."""
    start, poly, wave = (one.copy() for one in profile)
    if len(start) < 3 or np.any(wave):
        return profile
    inner = profile_piece(poly, wave, len(start) - 2, start[-1] - start[-2])
    poly[0], poly[-1] = 0.0, 0.0
    start[0] = start[1]
    poly[0, :2], poly[-1, :2] = poly[1, :2], inner[:2]
    return Profile(start, poly, wave)


def course_of(coupling: Coupling, function: Function | None) -> Profile:
    """The second axis of a coupling by the first, without the offset."""
    if not isinstance(coupling, Coupled):
        return profile.make([(0.0, [0.0, coupling.slope], STILL)])
    if function is None:
        return profile.make([(0.0, list(coupling.coefficients), STILL)])
    made = scaled(curve_of(function), coupling.scale)
    return beyond(made) if isinstance(function.form, Table | Polynomial) else made


def _corners(points: tuple[tuple[float, float], ...], start: float, length: float) -> Profile:
    """Join corners, given in parts of the length, by straight lines; zero before and after."""
    pieces: list[tuple[float, list[float], tuple[float, float, float]]] = [(start, [0.0], STILL)]
    for (x0, y0), (x1, y1) in pairwise(points):
        if x1 > x0:
            slope = (y1 - y0) / ((x1 - x0) * length)
            pieces.append((start + x0 * length, [y0, slope], STILL))
    return profile.make([*pieces, (start + length, [0.0], STILL)])


def jumps(project: Project, component: Prescribed, functions: ById) -> list[tuple[float, str]]:
    """The times (s) at which place or speed jumps before the longest run ends, or while a driver moves."""
    begin, end = 0.0, max((run.duration_s for run in project.runs), default=0.0)
    if component.quantity == "acceleration":
        return []
    if isinstance(component, DriverBase):
        begin = component.from_s
        end = min(
            end - (component.zero_s or 0.0),
            FOREVER if component.until_s is None else component.until_s,
        )
    made = position(component, functions)
    return [(t, what) for t, what in profile.jumps(made) if begin < t < end * (1.0 - 1e-9)]
