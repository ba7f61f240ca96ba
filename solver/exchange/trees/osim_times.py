"""Functions of time in OpenSim's models, as forms of a project's functions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from solver.exchange.trees.bodies import ReadNotes
from solver.exchange.trees.osim_ties import course_of, function_in
from solver.exchange.trees.xml import Element

LONGEST = 600.0
"""Time (s) up to which functions go on that have no end, and before zero as well."""
MOST_TURNS = 3000
"""Turns of a sine that are taken at most."""
MOST_POWERS = 6
"""Coefficients of a polynomial of a project."""


def form_of(one: Element, factor: float = 1.0, shift: float = 0.0) -> dict[str, Any] | None:
    """Give factor f + shift as a form; none where the function is of a kind that is not known."""
    terms = _terms(one)
    if terms is None:
        return None
    made = [_scaled(term, factor) for term in terms]
    made += [{"kind": "constant", "value": shift}] if shift else []
    return made[0] if len(made) == 1 else {"kind": "sum", "terms": made}


def _scaled(term: dict[str, Any], factor: float) -> dict[str, Any]:
    """A form by a factor."""
    out = dict(term)
    for name in ("value", "amplitude"):
        if name in out:
            out[name] = factor * out[name]
    for name in ("coefficients", "y"):
        if name in out:
            out[name] = [factor * one for one in out[name]]
    return out


def _polynomial(numbers: Any, low: float = -LONGEST, high: float = LONGEST) -> dict[str, Any]:
    return {"kind": "polynomial", "coefficients": [float(a) for a in numbers], "x_min": low, "x_max": high}  # fmt: skip


def _terms(one: Element) -> list[dict[str, Any]] | None:
    one.seen = True
    match one.tag:
        case "MultiplierFunction":
            inner = function_in(one)
            terms = _terms(inner) if inner is not None else None
            (factor,) = one.values("scale", 1, (1.0,))
            return None if terms is None else [_scaled(term, factor) for term in terms]
        case "Sine":
            size, omega, phase, offset = (one.values(tag, 1, (usual,))[0] for tag, usual in (("amplitude", 1.0), ("omega", 1.0), ("phase", 0.0), ("offset", 0.0)))  # fmt: skip
            if not omega > 0.0:
                raise one.wrong("omega", "it is not above zero")
            end = min(LONGEST, MOST_TURNS * 2.0 * math.pi / omega)
            sine = {"kind": "sine", "amplitude": size, "omega": omega, "phase_rad": phase, "x_min": -1.0 / omega, "x_max": end}  # fmt: skip
            return [sine, {"kind": "constant", "value": offset}]
        case "StepFunction":
            begin, end, low, high = (one.values(tag, 1, (usual,))[0] for tag, usual in (("transition_start_time", 0.0), ("transition_end_time", 1.0), ("start_value", 0.0), ("end_value", 1.0)))  # fmt: skip
            if not end > begin:
                raise one.wrong("transition_end_time", "it is not after the start of the transition")  # fmt: skip
            x: Any = np.polynomial.Polynomial((-begin, 1.0)) / (end - begin)
            step = low + (high - low) * (10.0 * x**3 - 15.0 * x**4 + 6.0 * x**5)
            return [_polynomial(step.coef, begin, end)]
    course = course_of(one)
    if course is None or (course.spline is None and len(course.numbers) > MOST_POWERS):
        return None
    if course.spline is None:
        return [_polynomial(course.numbers or (0.0,))]
    knots = course.spline.x
    first, last = float(knots[0]), float(knots[-1])
    # two more points, so that no spline through all of them is another one
    knots = np.sort([*knots, (knots[0] + knots[1]) / 2.0, (knots[-2] + knots[-1]) / 2.0])
    table = {"kind": "table", "x": [float(t) for t in knots], "y": [course.at(float(t)) for t in knots], "between": "spline"}  # fmt: skip
    into, out = course.at(first, 1), course.at(last, 1)
    # before and behind it goes straight on
    return [table, _polynomial((-into * first, into), min(-LONGEST, first - 1.0), first), _polynomial((-out * last, out), last, max(LONGEST, last + 1.0))]  # fmt: skip


def read_controls(parts: Sequence[Element], read_notes: ReadNotes) -> tuple[dict[str, dict[str, Any]], int]:  # fmt: skip
    """Read what controllers prescribe, by the name of what they control; and count the controllers of other kinds."""
    found, others = dict[str, dict[str, Any]](), 0
    for one in parts:
        if one.child_text("enabled", "true") == "false" or one.child_text("isDisabled") == "true":
            read_notes.say("Controller '{name}' is switched off in the file and left out.", name=one.given.get("name", one.tag))  # fmt: skip
        elif one.tag != "PrescribedController":
            others += 1
        else:
            found |= _prescribed(one, read_notes)
    return found, others


def _prescribed(one: Element, read_notes: ReadNotes) -> dict[str, dict[str, Any]]:
    words = (one.child_text("socket_actuators") or one.child_text("actuator_list")).replace(";", " ").split()  # fmt: skip
    names = [word.rsplit("/", 1)[-1] for word in words]
    made = [f for held in one.all("FunctionSet") for inner in held.all("objects") for f in inner.children]  # fmt: skip
    own = [f.given.get("name", "") for f in made]
    # functions are told by the names of what they control, or stand in the same order
    of = dict(zip(own if set(own) <= set(names) else names, made, strict=False))
    found = dict[str, dict[str, Any]]()
    for name in names if len(made) == len(names) else of:
        form = form_of(of[name]) if name in of else None
        if form is None:
            read_notes.name("Prescribed controls by functions of other kinds than constants, lines, polynomials, sines, steps and splines are left out ({count}): {names}.", name)  # fmt: skip
        else:
            found[name] = form
    return found
