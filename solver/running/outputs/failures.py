"""Say why a run could not go on."""

from __future__ import annotations

import math

from solver.base.words import tr
from solver.engine.forces.system import FIRST_FLAT
from solver.engine.integrate import plan
from solver.engine.integrate.flow import WORST, Flow, T
from solver.model.compile import Model
from solver.model.drivers import drivers_of
from solver.project.holds import Lock
from solver.project.joint_table import row_of
from solver.project.joints import ExtensionalJoint, SixJoint

GOING_ON = (plan.SAMPLED, plan.PAUSED, plan.SWITCHED, plan.STOPPED)
"""Why kernels come back from what can go on."""


NO_LENGTH = 1e-3
"""Part of its length at the start below which a strut that has failed has none (assumed)."""


def _without_length(model: Model, flow: Flow, child: str) -> str:
    """Name the strut that carries a segment, if it turns and has run together; else nothing."""
    for joint in model.project.joints:
        row = row_of(joint)
        if joint.child == child and isinstance(joint, ExtensionalJoint) and row.leading:
            slide = row.slid(model.trees.joints[joint.id].bodies)[0]
            at = model.system.tree.at_q[slide]
            if flow.q[at] < NO_LENGTH * model.q[at]:
                return joint.id
    return ""


UPRIGHT = 0.05
"""Cosine of the pitch of a joint of six below which what fails has come to 90 degrees (assumed)."""


def _upright(model: Model, flow: Flow) -> tuple[str, str]:
    """Name a joint of six at 90 degrees of pitch, and its turns that are held, driven or damped; else nothing."""
    driven = {(one.joint, one.axis) for one in model.project.drivers}
    for joint in model.project.joints:
        if not isinstance(joint, SixJoint):
            continue
        at = model.system.tree.at_q[model.trees.joints[joint.id].bodies[-2]]
        if not abs(math.cos(flow.q[at])) < UPRIGHT:
            continue
        turns = [
            name
            for name in ("yaw", "pitch", "roll")
            if (joint.id, name) in driven
            or getattr(joint, name).lock != Lock()
            or getattr(joint, name).friction.relaxation_s is not None
        ]
        if turns:
            return joint.id, ", ".join(turns)
    return "", ""


def why(code: int, model: Model, flow: Flow) -> str:
    """Say why a run could not go on: place, time, remedy."""
    when = tr("At {clock:.6g} ms", clock=1e3 * flow.clock[T])
    worst = int(flow.counters[WORST])
    if code == plan.SINGULAR and worst <= FIRST_FLAT:
        return tr(
            "{when} the frame that '{name}' moves has a pitch of 90 degrees as seen from the other: there yaw and roll are one, and it does not pass straight through in one plane by its pitch alone. Turn the frame that it is seen from, so that its z is not along the other's x, or drive axes of joints instead.",
            when=when,
            name=drivers_of(model.project)[FIRST_FLAT - worst].id,
        )
    name = model.segment_of(worst)
    if code in (plan.SINGULAR, plan.NO_STEP, plan.BLOWN_UP) and (strut := _without_length(model, flow, name)):  # fmt: skip
        return tr(
            "{when} the strut '{strut}' has no length left: then nothing says which way it points. Keep it away from there by a spring or a stop, or hold its length.",
            when=when,
            strut=strut,
        )
    joint, turns = _upright(model, flow)
    if code in (plan.SINGULAR, plan.NO_STEP, plan.BLOWN_UP) and joint:
        return tr(
            "{when} the joint '{joint}' has a pitch of 90 degrees: there yaw and roll are one, and what holds, drives or damps its {turns} leaves it no motion, or an endless rate. Turn the frames of the joint so that pitch keeps away from there, drive yaw or roll, or leave the turns to springs.",
            when=when,
            joint=joint,
            turns=turns,
        )
    if code == plan.SINGULAR:
        return tr(
            "{when} nothing determines how '{name}' moves: it, or what it carries, has no mass or inertia in a direction in which it is free. Give it some, or lock its joint.",
            when=when,
            name=name,
        )
    if code == plan.NO_STEP:
        return tr(
            "{when} the smallest step was reached; '{name}' moves least smoothly. Look at what acts on it there, loosen the tolerances, or allow a smaller step.",
            when=when,
            name=name,
        )
    if code == plan.CONTRADICTED:
        return tr(
            "{when} the constraints contradict each other: no motion of the segments brings all points together. Look at their places at the start.",
            when=when,
        )
    if code == plan.FORKED:
        return tr(
            "{when} the constraints stand at a singular position, as links that fold into one line: from there the motion could go on in more than one way. Keep the mechanism off it, or let a spring or a stop decide.",
            when=when,
        )
    if code == plan.FROZEN:
        return tr(
            "{when} events at '{name}' follow each other without end. Look at its locks, stops and constraints.",
            when=when,
            name=name,
        )
    return tr(
        "{when} the motion of '{name}' blew up. Look at what acts on it just before; with a method of fixed step, take a smaller one.",
        when=when,
        name=name,
    )
