"""Curves of bench tests as panels, with what is asked of them as bands: corridors, and gates to go through."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from solver.base.words import msgid, tr
from solver.engine.maths.rotation import Array
from solver.project.study_tests import Asked
from solver.report.content import Panel
from solver.report.plots import Band, Curve
from solver.studies.bench.figures import Curve as Sampled
from solver.studies.bench.figures import lost
from solver.studies.bench.running import Result
from solver.studies.bench.table import TITLES, UNITS

_THIN = 0.006
"""Half the width of a gate, in parts of what is drawn."""


@dataclass(frozen=True)
class Shown:
    """Say how a curve is drawn: by its name and unit of the table, over time or over another curve."""

    curve: str
    unit: str
    title: str
    gates: Mapping[str, str]
    """How each figure bounds it: see `_place`."""
    over: str = ""
    over_unit: str = "ms"
    over_title: str = msgid("time [ms]")
    asked_alone: bool = False
    """Whether it is drawn only where one of its figures is asked."""


_CHEST = (
    Shown("force", "N", msgid("Force of the probe"), {"force": "peak"}),
    Shown("deflection", "mm", msgid("Deflection of the sternum"), {"deflection": "peak"}),
    Shown("force", "N", msgid("Force of the probe"), {"force_between": "between"}, "deflection", "mm", msgid("deflection [mm]")),
)  # fmt: skip
SHOWN: Mapping[str, tuple[Shown, ...]] = {
    "head_drop": (
        Shown("head", "g", msgid("Head acceleration"), {"peak": "peak"}),
        Shown("lateral", "g", msgid("Lateral acceleration"), {"lateral": "both"}),
    ),
    "neck_flexion": (
        Shown("rotation", "deg", msgid("Rotation of the D plane"), {"rotation": "peak", "rotation_back": "falls"}),
        Shown("moment", "N*m", msgid("Moment at the condyles"), {"moment": "peak", "moment_within": "peak", "moment_back": "falls"}),
        Shown("moment", "N*m", msgid("Moment at the condyles"), {"moment_at": "at"}, "rotation", "deg", msgid("rotation [°]"), asked_alone=True),
        Shown("pulse", "g", msgid("Deceleration of the pendulum"), {"pulse_g": "at", "pulse_later": "later", "pulse_falls": "falls"}),
        Shown("lost", "m/s", msgid("Pendulum's loss of speed"), {"speed_loss": "at"}),
    ),
    "thorax": _CHEST,
    "thorax_slow": _CHEST,
    "thorax_pressed": (
        Shown("load", "N", msgid("Force on the sternum"), {"load_at": "at"}, "deflection", "mm", msgid("deflection [mm]")),
        Shown("deflection", "mm", msgid("Deflection of the sternum"), {}),
    ),
    "knee": (Shown("force", "N", msgid("Force of the probe"), {"force": "peak"}),),
    "hip": (Shown("load", "N*m", msgid("Torque at the hip"), {"torque_at": "at", "angle_at": "falls"}, "angle", "deg", msgid("angle above level [°]")),),
    "torso_flexion": (
        Shown("load", "N", msgid("Pull at the head's pin"), {"torque_at": "at"}, "angle", "deg", msgid("lean [°]")),
        Shown("angle", "deg", msgid("Lean of the torso"), {}),
    ),
}  # fmt: skip
"""Curves of a test; a pendulum's loss of speed stands in place of its deceleration where it is judged."""

TIMES = {"rotation": "rotation_time", "moment": "moment_time"}
"""Figures that say when a peak has to be."""


def panels(result: Result) -> Iterator[Panel]:
    """Give the curves of a test with their corridors."""
    asked = {v.asked.figure for v in result.verdicts}
    of: dict[str, Sampled] = dict(result.curves.of)
    if "pulse" in of:
        left_out = "pulse" if "speed_loss" in asked else "lost"
        of["lost"] = lost(of["pulse"])
        del of[left_out]
    for one in SHOWN[result.test.kind.replace("extension", "flexion")]:
        if one.curve not in of or (one.asked_alone and not asked & set(one.gates)):
            continue
        time, y = of[one.curve]
        y = y / UNITS[one.unit][0]
        x = 1e3 * time
        if one.over:
            over = of[one.over]
            if len(over[0]) > len(time):
                # a load that grows as it is told has its corners alone
                time, y = over[0], np.interp(over[0], time, y)
            x = np.interp(time, *over) / UNITS[one.over_unit][0]
        what = tr(one.title)
        yield Panel(
            f"{tr(TITLES[result.test.kind])}: {what}",
            (Curve(x, y, one.unit, what),),
            tr(one.over_title),
            bands=tuple(_bands(result, one, x, y)),
        )


def _bands(result: Result, shown: Shown, x: Array, y: Array) -> Iterator[Band]:
    asked = [v.asked for v in result.verdicts]
    named = False
    for one in asked:
        how = shown.gates.get(one.figure)
        if how is None:
            continue
        time = next((a for a in asked if a.figure == TIMES.get(one.figure)), None)
        (left, right), (low, high) = _place(how, one, time, x, y)
        label = "" if named else tr("what is asked")
        named = True
        yield Band(np.array([left, right]), np.full(2, low), np.full(2, high), shown.unit, label)


Ends = tuple[float, float]


def _place(how: str, one: Asked, time: Asked | None, x: Array, y: Array) -> tuple[Ends, Ends]:
    """Give left and right, low and high end of the band that a figure asks for.

    A `peak` lies within it, at its time where one is asked; `falls` says where the curve passes a level;
    `at` one place, `between` two, `later` than one, it has to be within.
    """
    first, last = float(x.min()), float(x.max())
    low = min(0.0, float(y.min())) if one.low is None else one.low
    high = max(0.0, float(y.max())) if one.high is None else one.high
    thin, flat = _THIN * (last - first), _THIN * float(np.ptp(y)) * 3.0
    at, until = one.at or 0.0, one.until or 0.0
    if how == "both":
        return (first, last), (-high, high)
    if how == "falls":
        return (low, high), (at - flat, at + flat)
    if how == "at":
        return (at - thin, at + thin), (low, high)
    if how == "between":
        return (at, until), (low, high)
    if how == "later":
        return (at, last), (low, high)
    if time is not None and time.low is not None and time.high is not None:
        return (time.low, time.high), (low, high)
    return (first, last), (low, high)
