"""How joints stand and move: their state, angles, rates and slides from samples."""

from __future__ import annotations

import numpy as np

from solver.engine.dynamics.tree import BALL, FREE, HELD, SLIDE, TURN, Array, IntArray
from solver.engine.forces.joints.eulers import STRAIGHT
from solver.engine.integrate.samples import Samples
from solver.engine.maths.rotation import cross, turns_of
from solver.model.compile import Model, Modes
from solver.project.joint_table import is_rigid, row_of, slides_of
from solver.project.joints import Joint
from solver.running.outputs.contours import relative_turn
from solver.running.outputs.kinematics import Kinematics


def state_of(modes: Modes, bodies: tuple[int, ...]) -> IntArray:
    """Give a joint's states: bits 0 to 2, and 4 to 6 of one with more, for held axes, bit 3 once it is broken."""
    state, kind = np.zeros(len(modes.locked), np.int64), modes.kind[bodies[-1]]
    if kind == FREE:
        return state + 8
    if len(bodies) >= 3 and kind == BALL:
        # three turns that are a ball, all of them open
        bodies = bodies[:-3]
    for k, body in enumerate(bodies):
        state |= (modes.locked[:, body] == HELD).astype(np.int64) << (k if k < 3 else k + 1)
    return state


def order_of(joint: Joint) -> str:
    """Name the axes of the three successive turns that a joint's angles are, its own first.

    Those of a ball, and of a joint without turns of its own, are yaw, pitch and roll.
    """
    row = row_of(joint)
    # about one axis twice: once it is broken, the turn of both together
    order = row.order[:1] if row.leading else row.order if has_rates(joint) else "zyx"
    return order + "".join(axis for axis in "xyz" if axis not in order)[: 3 - len(order)]


def has_rates(joint: Joint) -> bool:
    """Tell whether a joint's rates are those of its angles; of others they are the angular velocity."""
    return row_of(joint).acts in ("axes", "euler")


def joint_motion(
    model: Model, joint: Joint, seen: Kinematics, samples: Samples
) -> tuple[Array, Array, Array]:
    """Give a joint's angles and rates (T, 3), and the distances slid (T, slides).

    The angles are its own, those of a ball yaw, pitch and roll of the child's frame in the parent's.
    The rates are those of the angles, of a ball the relative angular velocity along the child's frame.
    An Euler joint's are as its laws see them, followed on. Once it is broken, the turns that its own angles begin are counted on.
    """
    made, tree, kind = model.trees.joints[joint.id], model.system.tree, seen.modes.kind
    angle, rate = np.zeros((seen.rows, 3)), np.zeros((seen.rows, 3))
    slides, n = [], 0
    for body in made.bodies:
        q = samples.q[: seen.rows, tree.at_q[body]]
        if kind[body] == SLIDE:
            slides.append(q)
        elif kind[body] == TURN and kind[made.bodies[-1]] != BALL and not is_rigid(joint):
            angle[:, n], rate[:, n] = q, samples.v[: seen.rows, tree.at_v[body]]
            n += 1
    if kind[made.bodies[-1]] == BALL and has_rates(joint):
        k = int(np.flatnonzero(model.system.joints.eulers.body[:, 2] == made.bodies[-1])[0])
        told = samples.eulers[: seen.rows, k]
        angle, rate = told[:, :3].copy(), told[:, 3:].copy()
    elif kind[made.bodies[-1]] in (BALL, FREE):
        R, rate = relative_turn(model, joint, seen)
        angle = turns_of(R, order_of(joint))
        if has_rates(joint):
            rate = rates_of_turns(R, rate, order_of(joint))
    slid = np.zeros((seen.rows, len(slides_of(joint))))
    if slides:
        slid = np.stack(slides, axis=1)
    return angle, rate, slid


def rates_of_turns(R: Array, spin: Array, order: str) -> Array:
    """Give the rates (T, 3) of the angles of `turns_of` from the angular velocity along the child's axes.

    Near the attitude at which the outer two are one they are told apart less and less.
    """
    i, j, k = ("xyz".index(axis) for axis in order)
    first, last = R[:, i, :], np.eye(3)[k]
    node = cross(first, last) if i == k else cross(last, first) * (1 if (j - i) % 3 == 1 else -1)
    sine = np.linalg.norm(node, axis=1)
    about, cosine = np.einsum("ti,ti->t", first, spin), first[:, k]
    damp = 1.0 / np.maximum(sine**2, STRAIGHT**2)
    middle = np.einsum("ti,ti->t", node, spin) / np.maximum(sine, 1e-12)
    return np.stack(
        [(about - cosine * spin[:, k]) * damp, middle, (spin[:, k] - cosine * about) * damp], axis=1
    )


def slide_names(joint: Joint) -> tuple[str, ...]:
    """Name the ways that a joint slides."""
    return tuple(slide.name for slide, _ in slides_of(joint))


def angle_names(joint: Joint) -> tuple[str, ...]:
    """Name a joint's own angles."""
    return tuple(turn.name for turn in row_of(joint).turns)
