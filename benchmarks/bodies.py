"""Models that all programs are measured with: an occupant, chains and stars."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solver.base.places import samples
from solver.engine.dynamics.modes import no_modals
from solver.engine.dynamics.tree import (
    BALL,
    COORDINATES,
    FREE,
    SPEEDS,
    Array,
    Tree,
    by_levels,
    kinematics,
    make_motion,
    zero_position,
)
from solver.model.tree import compile_trees
from solver.project import load_project


@dataclass(frozen=True, slots=True)
class Body:
    """A tree with its start and gravity."""

    tree: Tree
    q: Array
    v: Array
    g: Array


def occupant() -> Body:
    """The 15 segments of the sled's occupant: one free, ten ball and four pin joints.

    No contact, no belt, no torque in the joints: it falls and tumbles from its seated pose. Its
    rates at the start, up to 2 rad/s, are such that for one second no joint comes within 20 degrees
    of where three angles are singular: some of the other programs have no other ball joint.
    """
    project = load_project(samples() / "sled.json")
    trees = compile_trees(project)
    count = trees.body_of["vehicle"]
    assert count == len(trees.body_of) - 1 == 15
    rigid = (column[:count] for column in trees.tree[:-1])
    tree = Tree(*rigid, no_modals(count))
    tree = tree._replace(order=by_levels(tree.parent))
    v = 2.0 * np.random.default_rng(197).uniform(-1, 1, sum(SPEEDS[k] for k in tree.kind))
    q = trees.q[: sum(COORDINATES[k] for k in tree.kind)]
    return Body(tree, q, v, np.array(project.gravity_m_per_s2))


def chain(count: int) -> Body:
    """A free segment with a chain of others on ball joints."""
    return _rods(np.arange(count) - 1)


def star(count: int) -> Body:
    """A free segment with all others around it on ball joints."""
    return _rods(np.minimum(np.arange(count) - 1, 0))


def places(body: Body, q: Array) -> Array:
    """The places of all mass centres (m)."""
    motion, none = make_motion(body.tree), np.zeros(len(body.tree.parent), np.int64)
    kinematics(body.tree, none, q, body.v, motion)
    return motion.p + np.einsum("nij,nj->ni", motion.R.reshape(-1, 3, 3), body.tree.centre)


def _rods(parent: Array) -> Body:
    count = len(parent)
    kind = np.array([FREE, *[BALL] * (count - 1)], np.int64)
    tree = Tree(
        parent=parent.astype(np.int64),
        kind=kind,
        at_q=np.cumsum([0, *(COORDINATES[k] for k in kind[:-1])]).astype(np.int64),
        at_v=np.cumsum([0, *(SPEEDS[k] for k in kind[:-1])]).astype(np.int64),
        R0=np.tile(np.eye(3).ravel(), (count, 1)),
        axis=np.tile([0.0, 0.0, 1.0], (count, 1)),
        joint_in_parent=np.tile([0.0, 0.0, 0.2], (count, 1)),
        mass=np.full(count, 2.0),
        centre=np.tile([0.0, 0.01, 0.1], (count, 1)),
        inertia=np.tile([0.02, 0.021, 0.004, 0.0, 0.0, 0.001], (count, 1)),
        drive=np.zeros(count),
        order=by_levels(parent.astype(np.int64)),
        modals=no_modals(count),
    )
    v = np.random.default_rng(2).normal(size=6 + 3 * (count - 1))
    return Body(tree, zero_position(tree), v, np.array([0.0, 0.0, 9.81]))
