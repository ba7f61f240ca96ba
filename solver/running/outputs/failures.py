"""Say what held a run up, and why it could not go on."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from solver.base.words import Sentence, msgid, tr
from solver.engine.dynamics.tree import OPEN, Array, IntArray, kinematics, make_motion
from solver.engine.forces.airbags.arrays import APART, FULL
from solver.engine.forces.system import FIRST_FLAT
from solver.engine.integrate import plan
from solver.engine.integrate.flow import LOOKED, STEPS, STIFF, WORST, Flow, T
from solver.engine.integrate.implicit import OFTEN, SINCE, TAKEN_OVER, Implicit
from solver.model.compile import Model
from solver.model.modal.masses import bent_too_far
from solver.model.motions import drivers_of
from solver.project.joint_table import row_of
from solver.project.joints import ExtensionalJoint, Lock, SixJoint

# Follow the steps of a run, and say what held it up where they became very short.

SHORT = 0.05
"""Length of a step, in parts of the time between samples, below which it is short."""

MANY, MOST = 1000, 0.5
"""Short steps, and their part of all, from which a run was held up."""

HELD_UP = msgid(
    "note: {short} of {steps} steps were shorter than {limit:.2g} s, most of them between "
    "{first:.4g} and {last:.4g} s; the motion of '{segment}' limited {share:.0%} of them: "
    "look at what touches and holds it there"
)


STIFF_RUN, STIFF_PART = 1000, 0.8
"""Steps, and the part of those asked that stiffness keeps short, from which it is worth a word."""

KEPT_SHORT = msgid(
    "note: stiffness or damping, not error, kept {share:.0%} of the steps short (about {step:.2g} s); "
    "the integrator 'implicit' is not bound by it"
)
TOOK_OVER = msgid(
    "note: stiffness or damping, not error, kept steps short; from {since:.4g} s on the integrator "
    "'implicit' went on, which is not bound by it"
)
WAS_WEIGHED = msgid(
    "note: stiffness or damping, not error, kept steps short; from {since:.4g} s on the integrator "
    "'implicit', which is not bound by it, went on wherever it was quicker"
)


class StepSizes:
    """Count short steps, when they were, and whose error limited them."""

    def __init__(self, model: Model, between_samples_s: float) -> None:
        self._model = model
        self._limit = SHORT * between_samples_s
        self._steps, self._length = 0, 0.0
        self._times: list[Array] = []
        self._of_body = np.zeros(len(model.system.tree.parent), np.int64)

    def memory(self) -> tuple[Any, ...]:
        """What has been followed."""
        return self._steps, self._length, self._times, self._of_body

    def recall(self, memory: tuple[Any, ...]) -> None:
        """Follow on from there."""
        self._steps, self._length, self._times, self._of_body = memory

    def take(self, time: Array, step: Array, worst: IntArray) -> None:
        """Take the next steps: their ends, lengths, and the bodies with the largest errors."""
        self._steps += len(step)
        self._length += float(np.sum(step))
        short = step < self._limit
        if np.any(short):
            self._times.append(time[short])
            self._of_body += np.bincount(worst[short], minlength=len(self._of_body))

    def sentences(self, counters: IntArray, implicit: Implicit) -> list[Sentence]:
        """Say what held the run up, if it was held up."""
        if often := implicit.counts[OFTEN]:
            for_good = often == 1 and implicit.counts[TAKEN_OVER]
            template = TOOK_OVER if for_good else WAS_WEIGHED
            return [Sentence(template, since=float(implicit.numbers[SINCE]))]
        looked, stiff = int(counters[LOOKED]), int(counters[STIFF])
        if counters[STEPS] >= STIFF_RUN and stiff > STIFF_PART * looked:
            return [Sentence(KEPT_SHORT, share=stiff / looked, step=self._length / self._steps)]
        count = sum(map(len, self._times))
        if count < MANY or count < MOST * self._steps:
            return []
        first, last = np.quantile(np.concatenate(self._times), (0.05, 0.95))
        body = int(np.argmax(self._of_body))
        return [
            Sentence(
                HELD_UP,
                short=count,
                steps=self._steps,
                limit=self._limit,
                first=float(first),
                last=float(last),
                segment=self._model.segment_of(body),
                share=float(self._of_body[body] / count),
            )
        ]


# Say why a run could not go on.

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


def _bent_too_far(model: Model, flow: Flow) -> str:
    """Name a segment that moves and whose modes have lost its masses; empty where there is none."""
    tree = model.system.tree
    if not len(tree.modals.frame):
        return ""
    motion = make_motion(tree)
    kinematics(tree, model.system.locked, flow.q, flow.v, motion)
    for body in bent_too_far(tree.modals, model.trees.modal_rest, motion.p):
        if model.system.locked[body] == OPEN:
            return model.segment_of(body)
    return ""


def _pressed(model: Model, name: str) -> tuple[str, str]:
    """Name the full airbag that is, or presses on, what failed, and the body on which it presses; else nothing."""
    bags = model.system.bags
    for k, bag in enumerate(model.project.airbags):
        stages = bags.memory.stage[slice(*bags.model.touches[k])][-len(bag.touches) :]
        pressed = [r.segment for r, n in zip(bag.touches, stages, strict=False) if n != APART]
        if bags.memory.state[k] == FULL and pressed and name in (bag.id, *pressed):
            return bag.id, name if name in pressed else pressed[0]
    return "", ""


def failure_text(code: int, model: Model, flow: Flow) -> str:
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
    bag, body = _pressed(model, name)
    if code in (plan.SINGULAR, plan.NO_STEP, plan.BLOWN_UP) and bag:
        return tr(
            "{when} no step is short enough where the airbag '{bag}' presses on '{body}'. Look at its pressure and at how far '{body}' has gone into it: give it vents or less gas, let it fire earlier, soften the spring to its panel, or loosen the tolerances.",
            when=when,
            bag=bag,
            body=body,
        )
    bent = _bent_too_far(model, flow)
    if code in (plan.SINGULAR, plan.NO_STEP, plan.BLOWN_UP) and bent:
        return tr(
            "{when} '{name}' bends further than its shapes can tell: as they move the mass of a free segment there, they are those of no body. Give it free ends, fewer modes, or a beam of pieces.",
            when=when,
            name=bent,
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
