"""Sines and exponentials: functions of an argument in closed form, with their derivatives."""

from __future__ import annotations

import math
from typing import Literal

from solver.engine.maths.alike import exp
from solver.project.fields import REQUIRED, Number, Part, choice, number


class Ended(Part):
    """Hold where a form begins and ends; beyond its ends the end values hold."""

    x_min: Number = number(0.0, "", "From", "Lower end; below it the value there holds.")
    x_max: Number = number(REQUIRED, "", "To", "Upper end; above it the value there holds.")


class Sine(Ended):
    """Swing between two ends: amplitude * e^(growth x) * sin(omega x + phase)."""

    kind: Literal["sine"] = choice("sine", "Kind", "A sine, also one that grows or dies away.")
    amplitude: Number = number(REQUIRED, "", "Amplitude", "Size of the sine where x is 0.")
    omega: Number = number(
        REQUIRED,
        "",
        "Angular frequency",
        "Radians for each unit of the argument: of time 2 pi times the hertz.",
        gt=0,
    )
    phase_rad: Number = number(
        0.0, "rad", "Phase", "Angle of the sine where x is 0; pi / 2 makes it a cosine."
    )
    growth: Number = number(
        0.0, "", "Growth", "Exponent for each unit of the argument; below zero it dies away."
    )


class Exponential(Ended):
    """Grow or die away between two ends: amplitude * e^(growth x)."""

    kind: Literal["exponential"] = choice("exponential", "Kind", "An exponential.")
    amplitude: Number = number(REQUIRED, "", "Amplitude", "Value where x is 0.")
    growth: Number = number(
        REQUIRED, "", "Growth", "Exponent for each unit of the argument; below zero it dies away."
    )


Wave = Sine | Exponential

PER_TURN = 48
"""Pieces in one turn of a sine, or in an exponent that changes by 2 pi."""

MOST_PIECES = 200_000


def rate(form: Wave) -> float:
    """How fast a form changes, in radians and exponents for each unit of the argument."""
    return math.hypot(form.growth, form.omega) if isinstance(form, Sine) else abs(form.growth)


def pieces(form: Wave, fastest: float = 0.0) -> int:
    """Count the pieces of a form, by how fast it changes or by what changes faster beside it."""
    turns = max(rate(form), fastest) * (form.x_max - form.x_min) / (2.0 * math.pi)
    return max(1, math.ceil(turns * PER_TURN * (1.0 - 1e-12)))


def derivative(form: Wave, x: float, order: int = 0) -> float:
    """The value of a form inside its ends, or one of its derivatives."""
    if isinstance(form, Exponential):
        return form.amplitude * form.growth**order * float(exp(form.growth * x))
    # each derivative turns the sine and makes it larger: (growth + i omega)^order
    turned = form.phase_rad + order * math.atan2(form.omega, form.growth)
    size = form.amplitude * rate(form) ** order * float(exp(form.growth * x))
    return size * math.sin(form.omega * x + turned)


def value(form: Wave, x: float) -> float:
    """The value of a form anywhere."""
    return derivative(form, min(max(x, form.x_min), form.x_max))
