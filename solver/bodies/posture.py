"""A posture, or follow a motion: an actuator at every axis of joints, as stiff as what the joint carries needs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from solver.bodies.body import BodyError, Holding
from solver.engine.maths.rotation import Array
from solver.project.coordinate_forces import CoordinateForce
from solver.project.coordinates import Actuator, AngleCoordinate, AnyCoordinate, JointCoordinate
from solver.project.document import Project
from solver.project.functions import Function, Table
from solver.project.geometry import FrameRef
from solver.project.inertia import inertia_of
from solver.project.joint_table import TURNS_OF_BALLS, is_free, law_axes, row_of, slides_along
from solver.project.joints import Joint
from solver.project.pose import Placed, start_pose, turn
from solver.project.segments import GROUND

LEAST = 1e-6
"""Inertia (kg m2) and mass (kg) below which a joint carries nothing worth holding."""


@dataclass(frozen=True, slots=True)
class JointTargets:
    """Where axes of joints are to be over time, absolutely, by joint and axis (rad, m)."""

    time: Array
    value: Mapping[tuple[str, str], Array]


def held(
    project: Project,
    segments: Iterable[str] | None = None,
    how: Holding | None = None,
    course: JointTargets | None = None,
) -> Project:
    """The project with an actuator at every axis of the joints between segments, all of them if none are named.

    The target is the posture of the start; with a course, what it says of an axis over time. Where an actuator
    is at an axis already, there is no other. Raises BodyError where nothing can be held.
    """
    how = how or Holding()
    times = (how.damping, how.reflex_s, how.period_s, how.delay_s, how.ramp_s)
    if not how.frequency_hz > 0.0 or not all(value >= 0.0 for value in times):
        raise BodyError("The frequency must be above zero, damping and times not below.")
    if how.limit is not None and not how.limit > 0.0:
        raise BodyError("The limit must be above zero.")
    known = {segment.id for segment in project.segments}
    wanted = known if segments is None else set(segments)
    unknown = sorted(wanted - known)
    if unknown:
        raise BodyError("There is no segment '{segment}'.", segment=unknown[0])
    pose = start_pose(project)
    made, functions = list(project.coordinate_forces), list(project.functions)
    taken = [one.coordinate for one in made if any(law.kind == "actuator" for law in one.laws)]
    before = len(made)
    for joint in project.joints:
        if is_free(joint) or joint.child not in wanted or joint.parent not in wanted | {GROUND}:
            continue
        mass, about, lever = _carried(project, pose, joint)
        for axis, coordinate in _axes(joint):
            slides = slides_along(joint, axis)
            inertia = mass if slides else _about(pose, joint, axis, about)
            if inertia < LEAST or coordinate in taken:
                continue
            zero: float | None = None
            target: float | str = 0.0
            if course is not None and (joint.id, axis) in course.value:
                unit: Literal["m", "rad"] = "m" if slides else "rad"
                name = _free_id((one.id for one in functions), f"{joint.id}_{axis}_wanted")
                functions.append(_function(name, unit, course.time, course.value[joint.id, axis]))
                zero, target = 0.0, name
            made.append(
                CoordinateForce(
                    id=_free_id((one.id for one in made), f"{joint.id}_{axis}_held"),
                    group="Posture",
                    source="Assumed",
                    coordinate=coordinate,
                    zero=zero,
                    laws=_laws(how, inertia, mass * 9.81 * (1.0 if slides else lever), target),
                )
            )
    if len(made) == before:
        raise BodyError("Between these segments there is no axis to hold that is not held already.")
    update = {"coordinate_forces": tuple(made), "functions": tuple(functions)}
    return project.model_copy(update=update)


def turns_as_one(joint: Joint) -> bool:
    """Whether the turn of a joint is held as a rotation vector, whatever its angles are called."""
    return row_of(joint).acts in ("ball", "euler")


def _axes(joint: Joint) -> Iterator[tuple[str, AnyCoordinate]]:
    """Give axes of a joint by name, and what is held of each; an Euler joint's are those of a ball, which are nowhere singular."""
    if row_of(joint).acts != "euler":
        for axis in law_axes(joint):
            yield (
                axis,
                JointCoordinate.model_validate({"kind": "joint", "joint": joint.id, "axis": axis}),
            )
        return
    a = FrameRef(segment=joint.parent, frame=joint.parent_frame)
    b = FrameRef(segment=joint.child, frame=joint.child_frame)
    for axis in TURNS_OF_BALLS:
        yield (
            axis,
            AngleCoordinate.model_validate({"kind": "angle", "a": a, "b": b, "axis": axis[-1]}),
        )


def _laws(how: Holding, inertia: float, weight: float, target: float | str) -> tuple[Actuator, ...]:
    """Give actuators that let an inertia swing as wanted.

    What is sensed late or now and then gives the stiffness alone, and the damping acts at once: with P late < D that
    is stable whatever moves along, while late damping drives the light parts of a chain.
    """
    rate = 2.0 * math.pi * how.frequency_hz
    stiff, damps = _rounded(inertia * rate * rate), _rounded(2.0 * how.damping * inertia * rate)
    begins: dict[str, Any] = {
        "kind": "actuator", "target": target, "delay_s": how.delay_s, "ramp_s": how.ramp_s,
        "trigger": None if how.trigger is None else dict(how.trigger),
        "limit": None if how.limit is None else _rounded(how.limit * weight),
    }  # fmt: skip
    if how.reflex_s == 0.0 == how.period_s:
        gains = [{"proportional": stiff, "derivative": damps}]
    else:
        late = {"reflex_s": how.reflex_s, "period_s": how.period_s}
        gains = [{"proportional": stiff, **late}, {"derivative": damps}]
    return tuple(Actuator.model_validate(begins | one) for one in gains)


def _rounded(value: float) -> float:
    """Give a number to four figures: what it stands for is not known better."""
    return float(f"{value:.4g}")


def _carried(
    project: Project, pose: Mapping[str, Placed], joint: Joint
) -> tuple[float, Array, float]:
    """Give mass, inertia about the joint's point (ground axes) and lever of all that a joint carries."""
    carried, more = {joint.child}, True
    while more:
        found = {one.child for one in project.joints if one.parent in carried} - carried
        carried, more = carried | found, bool(found)
    at = pose[joint.child]
    point = at.p_W + at.R_WS @ np.array(joint.child_frame.position_m)
    mass, about, moment = 0.0, np.zeros((3, 3)), np.zeros(3)
    for one in project.segments:
        if one.id in carried:
            R, arm = pose[one.id].R_WS, pose[one.id].p_W - point
            own = R @ inertia_of(one) @ R.T
            about += own + one.mass_kg * (arm @ arm * np.eye(3) - np.outer(arm, arm))
            mass, moment = mass + one.mass_kg, moment + one.mass_kg * arm
    return mass, about, float(np.linalg.norm(moment) / mass) if mass > LEAST else 0.0


def _about(pose: Mapping[str, Placed], joint: Joint, axis: str, about: Array) -> float:
    """The inertia about an axis of a joint, which lies along one of the parent's frame."""
    letter = axis[-1]
    for one in row_of(joint).turns:
        if one.name == axis:
            letter = one.axis
    R = pose[joint.parent].R_WS
    along = (R @ turn(joint.parent_frame.orientation))[:, "xyz".index(letter)]
    return float(along @ about @ along)


def _function(name: str, unit: Literal["m", "rad"], time: Array, value: Array) -> Function:
    t = tuple(float(x) for x in time - time[0])
    form = Table(x=t, y=tuple(float(x) for x in value), between="spline")
    return Function(id=name, x_unit="s", y_unit=unit, form=form)


def _free_id(taken: Iterable[str], wanted: str) -> str:
    there, name, n = set(taken), wanted, 2
    while name in there:
        name, n = f"{wanted}_{n}", n + 1
    return name
