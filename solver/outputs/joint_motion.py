"""How joints stand and move: their state, angles, rates and slides from samples."""

from __future__ import annotations

import numpy as np

from solver.dynamics.tree import BALL, FREE, HELD, SLIDE, TURN, Array
from solver.integrate.samples import Samples
from solver.maths.rotation import precession_nutation_spin, yaw_pitch_roll
from solver.model.compile import Model, Modes
from solver.outputs.seen import Seen, along
from solver.project.joints import EulerJoint, Joint


def state_of(modes: Modes, bodies: tuple[int, ...]) -> int:
    """Give a joint's state: bits 0 to 2 for held axes, bit 3 once it is broken."""
    if modes.kind[bodies[-1]] == FREE:
        return 8
    if len(bodies) == 3 and modes.kind[bodies[-1]] == BALL:
        # an Euler joint all of whose axes are open
        return 0
    return sum(1 << k for k, body in enumerate(bodies) if modes.locked[body] == HELD)


def joint_motion(
    model: Model, joint: Joint, seen: Seen, samples: Samples
) -> tuple[Array, Array, Array]:
    """Give a joint's angles and rates (T, 3), and the distance slid (T).

    Of a ball the angles are yaw, pitch and roll of the child's frame in the parent's, the rates are
    the relative angular velocity along the child's frame.
    """
    made, tree, kind = model.trees.joints[joint.id], model.system.tree, seen.modes.kind
    angle, rate = np.zeros((seen.rows, 3)), np.zeros((seen.rows, 3))
    slide, n = np.zeros(seen.rows), 0
    for body in made.bodies:
        q = samples.q[: seen.rows, tree.at_q[body]]
        if kind[body] == SLIDE:
            slide = q.copy()
        elif kind[body] == TURN and joint.kind != "locked":
            angle[:, n], rate[:, n] = q, samples.v[: seen.rows, tree.at_v[body]]
            n += 1
    if kind[made.bodies[-1]] in (BALL, FREE):
        R_WP = seen.turn(joint.parent) @ made.R_PF
        R_WC = seen.turn(joint.child) @ made.R_CF
        R = R_WP.transpose(0, 2, 1) @ R_WC
        angle = precession_nutation_spin(R) if isinstance(joint, EulerJoint) else yaw_pitch_roll(R)
        rate = along(R_WC, seen.spin(joint.child) - seen.spin(joint.parent))
    return angle, rate, slide


def angle_names(joint: Joint) -> tuple[str, ...]:
    """Name a joint's own angles."""
    kind = getattr(joint, "rotation", joint.kind)
    return {
        "euler": ("precession", "nutation", "spin"),
        "ball": ("yaw", "pitch", "roll"),
        "universal": ("first", "second"),
        "pin": ("angle",),
        "pin_y": ("angle",),
        "pin_z": ("angle",),
    }.get(kind, ())
