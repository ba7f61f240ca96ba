"""Cards C.2.b and C.5 of a project's motions with several components: the way back of `components`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from solver.engine.maths import profile
from solver.engine.maths.rotation import Array
from solver.exchange.decks.components import ABOUT
from solver.exchange.decks.giving import Giving, card
from solver.exchange.decks.order import Row
from solver.exchange.decks.units import DEGREE
from solver.project.angles import angles_from
from solver.project.functions import Function, Table
from solver.project.histories import curve_of, position
from solver.project.motions import History, Motion
from solver.project.pose import turn

FINE = 1e-12


def give_six(giving: Giving, motion: Motion, number: int) -> list[Row]:
    """Give decelerations and angular accelerations at times that lines join, and what they start from."""
    path = f"motions/{motion.id}"
    angles = [one for one in motion.components if one.component not in "xyz"]
    told = [one for one in motion.components if one not in angles[1:]]
    if len(angles) > 1:
        giving.lose(path, "Of several angles only the first is written.")
    functions = {f.id: curve_of(f) for f in giving.project.functions}
    times = _times(giving, told, path)
    A, R = turn(motion.axes), giving.pose[motion.segment].R_WS
    linear, angular = np.zeros((len(times), 3)), np.zeros((len(times), 3))
    rate, spin = np.zeros(3), np.zeros(3)
    for one in told:
        course = position(one, functions)
        at = np.array([profile.value(course, float(t))[2] for t in times])
        _, first, _ = profile.value(course, 0.0)
        if one.component in "xyz":
            along = A[:, "xyz".index(one.component)]
            linear += np.outer(at, along)
            rate = rate + first * along
        else:
            about = R.T @ A[:, ABOUT.index(one.component)]
            angular += np.outer(at, about)
            spin = spin + first * about
    units = giving.units
    deceleration = units.g * units.acceleration
    rows = [
        card("C.2", points=-len(times), interval=float(np.diff(times).min()), segment=number),
        card("C.2.b", gives=3, degree=1, points=len(times)),
        card("C.5", linear=giving.lengths(giving.pose[motion.segment].p_W),
             angular=giving.numbers(angles_from(R, "zyx"), DEGREE)),
        card("C.5", linear=giving.numbers(rate, units.speed), angular=giving.numbers(spin, DEGREE)),
    ]  # fmt: skip
    return rows + [
        card("C.5", time=float(t), linear=giving.numbers(-a, deceleration), angular=giving.numbers(w, DEGREE))
        for t, a, w in zip(times, linear, angular, strict=True)
    ]  # fmt: skip


def _times(giving: Giving, told: list[Any], path: str) -> Array:
    """Give the times of the points: those of its tables where lines join all of them, else even ones."""
    end = giving.project.runs[0].duration_s if giving.project.runs else 0.1
    corners, exact = {0.0, end}, True
    for one in told:
        form = _table(one, giving.functions)
        if form is not None:
            corners |= {t for t in form.x if t >= 0.0}
        exact &= form is not None or one.pulse.kind == "constant"
        exact &= one.quantity == "acceleration"
    if exact:
        return np.array(sorted(corners))
    giving.lose(path, "The pulse is written as points at even times, joined by lines.")
    return np.linspace(0.0, end, min(math.ceil(end / 0.001), 1000) + 1)


def _table(one: Any, functions: dict[str, Function]) -> Table | None:
    if not isinstance(one.pulse, History):
        return None
    form = functions[one.pulse.function].form
    return form if isinstance(form, Table) and form.between == "lines" else None
