"""Check couplings of axes, closures of loops, and points on curves."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from solver.base.words import Sentence
from solver.engine.maths.rotation import Array
from solver.project.angles import turned
from solver.project.checks.drivers import relative_turn
from solver.project.checks.index import Index
from solver.project.checks.registry import PHYSICS, TOPOLOGY, finds, problem
from solver.project.closures import (
    CLOSURES,
    FIRST_AXIS,
    PointOnCurve,
    bend_of,
    curve_of,
    foot_on,
    looked_at,
    nearest_on,
)
from solver.project.couplings import COUPLINGS, Coupled, CoupledAxis
from solver.project.forms import samples, value_at
from solver.project.geometry import FrameRef
from solver.project.joint_table import axes_of, driven_axes, row_of, slides_of
from solver.project.links import Closure, Coupling
from solver.project.pose import joint_values, turn
from solver.project.problems import Problem, listed

EXACT = 1e-6
"""By how much (m or rad) a coupling or a closure may start off."""

NEAR_CURVE_M = 1e-5
"""By how much a point may start off its curve."""


@finds(
    TOPOLOGY,
    error={
        "coupling-axis": "A coupling names an axis that its joint does not have, or that has no coordinate of its own.",
        "coupling-same": "A coupling names one axis twice.",
        "coupling-sort": "A gear, belt, rack or screw names an axis of the wrong sort.",
        "coupling-ratio": "A coupling has a ratio, radius, lead or factor of zero, or a function that never changes.",
        "coupling-function": "A coupling by a function has none, or two.",
        "coupling-driven": "Both axes of a coupling are driven or locked.",
        "curve-points": "Points of a curve cannot be joined.",
    },
    warning={"coupling-unused": "A coupling has a number that is not used."},
)
def couplings(index: Index) -> Iterator[Problem]:
    """Find couplings that name what is not there, and curves without a course."""
    for item, path in index.elements("constraints"):
        if isinstance(item, COUPLINGS):
            yield from _coupling(index, item, path)
        elif isinstance(item, PointOnCurve) and curve_of(item) is None:
            if len(item.x_m) != len(item.y_m):
                sentence = Sentence(
                    "It has {count} values of x and {count_2} of y.",
                    count=len(item.x_m),
                    count_2=len(item.y_m),
                )
                hint = Sentence("Give both for each point.")
            else:
                sentence = Sentence("Two points that follow each other lie in one place.")
                hint = Sentence("Leave one out; a closed curve goes to its first point by itself.")
            yield problem("curve-points", f"{path}/y_m", sentence, hint)


def _coupling(index: Index, item: Coupling, path: str) -> Iterator[Problem]:
    sound = True
    for name in ("first", "second"):
        axis: CoupledAxis = getattr(item, name)
        joint = index.by_id["joints"].get(axis.joint)
        if joint is None:
            return
        # the three turns of an Euler joint are a ball while all are free
        names = () if row_of(joint).acts == "euler" else driven_axes(joint)
        if axis.axis not in names:
            sound = False
            sentence = Sentence(
                "'{joint}' has no axis '{axis}' that could be coupled.",
                joint=joint.id,
                axis=axis.axis,
            )
            hint = Sentence(
                "Use a pin, a universal, a slip, an extensional joint or a joint of six."
            )
            if names:
                hint = Sentence("It has {names}.", names=listed(names))
            yield problem("coupling-axis", f"{path}/{name}/axis", sentence, hint)
    if not sound:
        return
    if item.first == item.second:
        sentence = Sentence("Both axes are the same.")
        yield problem("coupling-same", f"{path}/second", sentence, "Name another axis.")
    if not isinstance(item, Coupled):
        for name, wanted in zip(("first", "second"), item.sorts, strict=True):
            axis = getattr(item, name)
            if axis.turns != wanted:
                sentence = (
                    Sentence("'{axis}' slides; an axis that turns is needed here.", axis=axis.axis)
                    if wanted
                    else Sentence("'{axis}' turns; one that slides is needed here.", axis=axis.axis)
                )
                change = Sentence("Exchange both axes, or use kind coupled.")
                yield problem("coupling-sort", f"{path}/{name}/axis", sentence, change)
        if item.slope == 0.0:
            field = {"gear": "ratio", "rack": "radius_m", "screw": "lead_m"}.get(item.kind, "kind")
            sentence = Sentence("It is zero: the second axis would never move.")
            yield problem("coupling-ratio", f"{path}/{field}", sentence, "Lock that axis instead.")
    elif (item.function is None) == (not item.coefficients):
        sentence = (
            Sentence("Neither coefficients nor a function are given.")
            if item.function is None
            else Sentence("Both coefficients and a function are given.")
        )
        yield problem("coupling-function", f"{path}/function", sentence, "Give exactly one.")
    elif (still := _stands_still(index, item)) is not None:
        sentence = Sentence("The second axis would never move.")
        yield problem("coupling-ratio", f"{path}/{still}", sentence, "Lock that axis instead.")
    elif item.function is None and item.scale != 1.0:
        sentence = Sentence("The factor is not used: a polynomial has its own numbers.")
        yield problem("coupling-unused", f"{path}/scale", sentence, "Set it to 1.")
    if all(_is_given(index, axis) for axis in (item.first, item.second)):
        sentence = Sentence(
            "Both axes are driven or locked for good; there is nothing left to couple."
        )
        yield problem("coupling-driven", path, sentence, "Remove the coupling, or free one axis.")


def _stands_still(index: Index, item: Coupled) -> str | None:
    """Name the field by which a coupling gives one value for all places of its first axis."""
    if item.function is None:
        return None if any(item.coefficients[1:]) else "coefficients"
    if item.scale == 0.0:
        return "scale"
    one = index.functions.get(item.function)
    values = np.zeros(0) if one is None else samples(one.form)[1]
    return "function" if values.size and not np.ptp(values) else None


def _is_given(index: Index, axis: CoupledAxis) -> bool:
    """Whether an axis is never free."""
    joint = index.by_id["joints"][axis.joint]
    for driver in index.project.drivers:
        if (driver.joint, driver.axis) == (axis.joint, axis.axis) and driver.moves_always:
            return True
    if axis.turns:
        lock = next(one.lock for one in axes_of(joint) if one.turn.name == axis.axis)
        return lock.locked and lock.unlock_torque_nm is None
    slide = next(one for along, one in slides_of(joint) if along.name == axis.axis)
    return slide.locked and slide.release_above_n is None and slide.release_below_n is None


@finds(
    PHYSICS,
    error={
        "coupling-start": "Two coupled axes do not start as their coupling has them.",
        "coupling-jumps": "The function of a coupling jumps in value or slope.",
        "closure-apart": "A closure does not start closed.",
        "curve-apart": "A point does not start on its curve.",
        "curve-roller": "A roller is too large for the hollows of its curve.",
    },
)
def closure_starts(index: Index) -> Iterator[Problem]:
    """Find couplings, closures and points on curves that do not hold at time zero, and say by how much."""
    for item, path in index.elements("constraints"):
        if isinstance(item, COUPLINGS):
            yield from _coupled_start(index, item, path)
        elif isinstance(item, CLOSURES):
            yield from _closed_start(index, item, path)
        elif isinstance(item, PointOnCurve):
            yield from _curve_start(index, item, path)


def axis_at_start(index: Index, axis: CoupledAxis) -> float:
    """Where an axis of a joint stands at time zero (m or rad)."""
    joint = index.by_id["joints"][axis.joint]
    names, row = driven_axes(joint), row_of(joint)
    given = joint_values(index.project).get(joint.id)
    if given:
        return float(given[names.index(axis.axis)])
    if not axis.turns:
        return 0.0
    turns = [one.name for one in row.turns]
    angles = turned(relative_turn(index, joint), row.order)
    return float(angles[turns.index(axis.axis)])


def _coupled_start(index: Index, item: Coupling, path: str) -> Iterator[Problem]:
    if isinstance(item, Coupled) and item.function is not None:
        # the kernels are loaded only where they are needed
        from solver.engine.maths import profile
        from solver.project.histories import course_of

        form = index.functions[item.function].form
        if value_at(form, 0.0) is None:
            return
        course = course_of(item, index.functions[item.function])
        jumps = profile.jumps(course)
        if jumps:
            x, what = jumps[0]
            sentence = (
                Sentence("Its value jumps at {x:.6g}.", x=x)
                if what == "place"
                else Sentence("Its slope jumps at {x:.6g}: no finite load does that.", x=x)
            )
            hint = "Join the points of its table by a spline."
            yield problem("coupling-jumps", f"{path}/function", sentence, hint)
            return
    if item.offset is None:
        return
    x, y = (axis_at_start(index, axis) for axis in (item.first, item.second))
    wanted = _value(index, item, x) + item.offset
    if abs(y - wanted) > EXACT:
        unit = "rad" if item.second.turns else "m"
        sentence = Sentence(
            "The second axis starts at {here:.6g} {unit}; the coupling has it at {wanted:.6g} {unit_2}.",
            here=y,
            unit=unit,
            wanted=wanted,
            unit_2=unit,
        )
        hint = "Let the axis start there, or leave the offset out to take it from the start."
        yield problem("coupling-start", f"{path}/second", sentence, hint)


def _value(index: Index, item: Coupling, x: float) -> float:
    if not isinstance(item, Coupled):
        return item.slope * x
    if item.function is None:
        return float(np.polynomial.polynomial.polyval(x, np.array(item.coefficients)))
    from solver.engine.maths import profile
    from solver.project.histories import course_of

    course = course_of(item, index.functions[item.function])
    return profile.value(course, x)[0]


def _axes(index: Index, ref: FrameRef, axis: str) -> tuple[Array, Array]:
    """A frame's origin and its axes in ground, the one that is meant last."""
    at = index.pose[ref.segment]
    R = at.R_WS @ turn(ref.frame.orientation)
    return index.point(ref.segment, ref.frame.position_m), R[:, FIRST_AXIS[axis]]


def _closed_start(index: Index, item: Closure, path: str) -> Iterator[Problem]:
    origin, R = _axes(index, item.a, item.axis)
    other = np.eye(3)
    if isinstance(item.b, FrameRef):
        place, other = _axes(index, item.b, item.axis)
    else:
        place = index.point(item.b.segment, item.b.position_m)
    way = R.T @ (place - origin)
    off = float(np.linalg.norm([way["uvw".index(one)] for one in item.ways]))
    x, y, _z = R.T
    ahead, aside, along = other.T
    cosines = {
        "free": (),
        "parallel": (x @ along, y @ along),
        "alike": (x @ along, y @ along, x @ aside),
        "crossed": (x @ aside,),
    }[item.turns]
    turned_by = math.asin(min(1.0, float(np.linalg.norm(cosines)))) if cosines else 0.0
    if item.turns == "alike" and x @ ahead < 0.0:
        turned_by = math.pi - turned_by
    if off <= EXACT and turned_by <= EXACT:
        return
    if item.turns != "free" and turned_by > EXACT:
        sentence = Sentence(
            "It starts {mm} mm off its place, and {degrees:.3g} degrees off its direction.",
            mm=f"{off * 1e3:.6g}",
            degrees=math.degrees(turned_by),
        )
    else:
        sentence = Sentence("It starts {mm} mm off its place.", mm=f"{off * 1e3:.6g}")
    hint = "Move or turn the segments, or a frame, until both fit."
    yield problem("closure-apart", path, sentence, hint)


def _curve_start(index: Index, item: PointOnCurve, path: str) -> Iterator[Problem]:
    curve = curve_of(item)
    if curve is None:
        return
    origin, R = _axes(index, item.a, "z")
    point = R.T @ (index.point(item.b.segment, item.b.position_m) - origin)
    s = foot_on(curve, point, nearest_on(curve, point, item.near_m), item.closed)
    place, slope, _ = (one[0] for one in curve.at(np.array([s])))
    t = slope / np.hypot(*slope)
    off = float((point[:2] - place) @ [t[1], -t[0]]) - item.sign * item.radius_m
    high = float(point[2]) if item.across == "held" else 0.0
    if math.hypot(off, high) > NEAR_CURVE_M:
        sentence = Sentence(
            "It starts {mm} mm off its curve, and {mm_2} mm off the curve's plane.",
            mm=f"{abs(off) * 1e3:.4g}",
            mm_2=f"{abs(high) * 1e3:.4g}",
        )
        hint = "Move a segment or the frame until the point, or its roller, touches the curve."
        yield problem("curve-apart", path, sentence, hint)
    if item.radius_m > 0.0:
        hollow = float(np.min(item.sign * bend_of(curve, looked_at(curve))))
        if hollow * item.radius_m <= -1.0:
            sentence = Sentence(
                "The roller's radius is {mm:.4g} mm; the narrowest hollow on its side has {mm_2:.4g} mm.",
                mm=1e3 * item.radius_m,
                mm_2=-1e3 / hollow,
            )
            hint = "Make the roller smaller, or the curve flatter there."
            yield problem("curve-roller", f"{path}/radius_m", sentence, hint)
