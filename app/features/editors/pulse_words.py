"""What is said of a pulse: peak, speed change and way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.forms.units import Units
from solver.base.words import tr
from solver.project.drivers import DriverBase
from solver.project.motions import MotionComponent, Prescribed

if TYPE_CHECKING:
    from solver.model.pulse_paths import PulsePath


SI = {
    "acceleration": ("m/s2", "rad/s2"), "velocity": ("m/s", "rad/s"), "position": ("m", "rad"),
}  # fmt: skip
"""SI units of translations and of turns."""
TURNS = ("yaw", "pitch", "roll")
"""Components of a motion that are angles."""


def is_turn(component: Prescribed) -> bool:
    """Tell whether a coordinate is an angle."""
    if isinstance(component, DriverBase):
        return component.turns
    return isinstance(component, MotionComponent) and component.component in TURNS


def pulse_facts(component: Prescribed, found: PulsePath, units: Units) -> str:
    """Say peak, speed change and way in words."""
    turns = is_turn(component)

    def said(value: float, quantity: str) -> str:
        si = SI[quantity][turns]
        return units.with_unit(units.short(value, si), si)

    peak = int(np.argmax(np.abs(found.acceleration)))
    change = float(found.speed[-1] - found.speed[0])
    also = "" if turns or units.system == "inch_pound" else f" ({3.6 * change:.4g} km/h)"
    return tr(
        "Peak {peak} at {at}. Speed change {change}: from {first} to {last}. Gone by {end}: {way}.",
        peak=said(float(found.acceleration[peak]), "acceleration"),
        at=units.with_unit(units.short(float(found.time[peak]), "s"), "s"),
        change=said(change, "velocity") + also,
        first=said(float(found.speed[0]), "velocity"),
        last=said(float(found.speed[-1]), "velocity"),
        way=said(float(found.place[-1] - found.place[0]), "position"),
        end=units.with_unit(units.short(float(found.time[-1]), "s"), "s"),
    )
