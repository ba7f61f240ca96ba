"""Sines and exponentials: functions of an argument in closed form, with their derivatives.

Made from the schema by `make docs`; do not edit it.
"""

from __future__ import annotations

from typing import Literal, Required, TypedDict


class Ended(TypedDict, total=False):
    """Hold where a form begins and ends; beyond its ends the end values hold."""

    x_min: float
    """From (0.0): Lower end; below it the value there holds."""
    x_max: Required[float]
    """To (required): Upper end; above it the value there holds."""


class Sine(Ended, total=False):
    """Swing between two ends: amplitude * e^(growth x) * sin(omega x + phase)."""

    kind: Required[Literal["sine"]]
    """Kind ("sine"): A sine, also one that grows or dies away."""
    amplitude: Required[float]
    """Amplitude (required): Size of the sine where x is 0."""
    omega: Required[float]
    """Angular frequency (> 0, required): Radians for each unit of the argument: of time 2 pi times the hertz."""
    phase_rad: float
    """Phase (rad, 0.0): Angle of the sine where x is 0; pi / 2 makes it a cosine."""
    growth: float
    """Growth (0.0): Exponent for each unit of the argument; below zero it dies away."""


class Exponential(Ended, total=False):
    """Grow or die away between two ends: amplitude * e^(growth x)."""

    kind: Required[Literal["exponential"]]
    """Kind ("exponential"): An exponential."""
    amplitude: Required[float]
    """Amplitude (required): Value where x is 0."""
    growth: Required[float]
    """Growth (required): Exponent for each unit of the argument; below zero it dies away."""
