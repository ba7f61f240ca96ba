"""Loads about the three pins of Euler joints: what works along each of their angles."""

from __future__ import annotations

import numpy as np

from solver.analysis.inverse.bodies import At
from solver.analysis.linear.names import speed_names
from solver.engine.dynamics.tree import BALL, Array
from solver.engine.maths.rotation import followed, turns_of
from solver.project.joint_table import row_of
from solver.project.joints import EulerJoint, Joint


def eulers_of(at: At) -> list[Joint]:
    """Give the Euler joints of a model."""
    return [one for one in at.compiled.project.joints if isinstance(one, EulerJoint)]


def columns_of(at: At, joint: Joint) -> tuple[int, ...]:
    """Give the numbers of the three loads of an Euler joint: of its own turns, or in the place of a ball's."""
    tree, bodies = at.system.tree, at.compiled.trees.joints[joint.id].bodies
    first = [int(tree.at_v[body]) for body in bodies]
    return tuple(first) if len(first) == 3 else (first[0], first[0] + 1, first[0] + 2)


def load_names(at: At) -> tuple[str, ...]:
    """Name the loads of joints: as the speeds, those of Euler joints by their angles."""
    names = list(speed_names(at.compiled))
    for joint in eulers_of(at):
        for column, turn in zip(columns_of(at, joint), row_of(joint).turns, strict=True):
            names[column] = f"joints/{joint.id}/{turn.name}"
    return tuple(names)


def about_pins(at: At, turns: Array, torques: dict[str, Array], values: Array) -> None:
    """Write the loads about the angles of Euler joints that are balls, by the torques (instants, 3) on their children.

    `turns` (instants, bodies, 9) are those of all bodies. The work of a torque along an angle is its component along
    the pin: the parent's z axis, the line of nodes, the child's z axis.
    """
    trees = at.compiled.trees
    for joint in eulers_of(at):
        made = trees.joints[joint.id]
        body = made.bodies[-1]
        if at.system.tree.kind[body] != BALL:
            continue
        parent, child = made.R_PF[None], turns[:, body].reshape(-1, 3, 3) @ made.R_CF
        if joint.parent in trees.body_of:
            parent = turns[:, trees.body_of[joint.parent]].reshape(-1, 3, 3) @ made.R_PF
        R = np.swapaxes(parent, 1, 2) @ child
        angle, _ = followed(turns_of(R, "zxz"), "zxz", np.array(made.start))
        c, s = np.cos(angle[:, 0]), np.sin(angle[:, 0])
        node = parent @ np.stack([c, s, np.zeros(len(c))], axis=1)[:, :, None]
        first = int(at.system.tree.at_v[body])
        values[:, first : first + 3] = 0.0
        pins = (np.broadcast_to(parent[:, :, 2], (len(c), 3)), node[:, :, 0], child[:, :, 2])
        for column, pin in zip(columns_of(at, joint), pins, strict=True):
            values[:, column] = np.einsum("ti,ti->t", pin, torques[joint.id])
