"""The mechanics of a model at one state: masses, motions, forces along its speeds.

The speeds of a model are those of its trees' joints: a turn or a slide has one, a ball joint three (the
angular velocity relative to the parent, along the child's axes), a body on its own six (the velocity of
its mass centre, ground axes, then the angular velocity along its own axes). `speeds` names them in order.

Featherstone, Rigid Body Dynamics Algorithms (2008), chapters 5 and 6, written out body by body.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from manikin.model import Model, the_model
from solver.dynamics.tree import BALL, FREE, HELD, SLIDE, SPEEDS, Motion, kinematics, make_motion
from solver.dynamics.workspace import SOLVED
from solver.forces.system import System, Work, evaluate, make_work
from solver.model.compile import Model as Compiled
from solver.model.compile import compile_model
from solver.model.forces import refuse_unknown, three
from solver.model.refusal import SimulationError
from solver.results.trajectory import Array
from solver.state import State


class _At(NamedTuple):
    """Hold a model at one state."""

    compiled: Compiled
    system: System
    time: float
    q: Array
    v: Array
    z: Array
    motion: Motion


def _at(model: Model, state: State | None) -> _At:
    from solver.simulation import Simulation

    whole = Simulation(the_model(model).checked(), model.settings().id)
    course = whole.begin()
    if state is not None:
        course.set_state(state)
    return _At(*course.present())


def speeds(model: Model) -> tuple[str, ...]:
    """Name the speeds of a model, in their order.

    >>> mk.speeds(mk.sample("double_pendulum"))
    ('joints/hinge/1', 'joints/elbow/1')
    >>> mk.speeds(mk.sample("free_body"))[0]
    'segments/body/vx'
    """
    compiled = compile_model(the_model(model).checked())
    trees, tree = compiled.trees, compiled.trees.tree
    names = [""] * trees.speeds
    owner = {b: f"joints/{id_}" for id_, made in trees.joints.items() for b in made.bodies}
    free = {b: f"segments/{id_}" for id_, b in trees.body_of.items() if b not in owner}
    bags = zip(trees.bag_bodies, model.project.airbags, strict=True)
    free |= {b: f"airbags/{bag.id}" for b, bag in bags}
    counts = dict[str, int]()
    for i, kind in enumerate(tree.kind):
        for k in range(SPEEDS[kind]):
            if i in free:
                names[tree.at_v[i] + k] = f"{free[i]}/{('vx', 'vy', 'vz', 'wx', 'wy', 'wz')[k]}"
            else:
                counts[owner[i]] = counts.get(owner[i], 0) + 1
                names[tree.at_v[i] + k] = f"{owner[i]}/{counts[owner[i]]}"
    return tuple(names)


def mass_matrix(model: Model, state: State | None = None) -> Array:
    """Give the mass matrix M along the speeds at a state, or at the start: kinetic energy is v M v / 2.

    Of joints that are locked rows and columns are zero; those of prescribed motions are there.

    >>> mk.mass_matrix(mk.sample("double_pendulum")).shape
    (2, 2)
    """
    at = _at(model, state)
    tree, out = at.system.tree, np.zeros((len(at.v), len(at.v)))
    for i, (turning, moving) in enumerate(_jacobians(at)):
        J, arm = _inertia(at, i)
        centre = moving - _skew(arm) @ turning
        out += tree.mass[i] * centre.T @ centre + turning.T @ J @ turning
    return out


def jacobian(
    model: Model, state: State | None, segment: str, point: Sequence[float] = (0.0, 0.0, 0.0)
) -> Array:
    """Give the matrix (6, n) from speeds to a point's velocity and its segment's angular velocity.

    Rows are velocity and then angular velocity, ground axes; the point counts from the mass centre,
    along the segment's axes.

    >>> mk.jacobian(mk.sample("double_pendulum"), None, "lower", (0.0, 0.0, 0.25)).shape
    (6, 2)
    """
    at = _at(model, state)
    refuse_unknown(at.compiled, segment)
    i = at.compiled.trees.body_of[segment]
    from_o = np.array(three(point, f"The point on '{segment}'")) - at.compiled.trees.origin[segment]
    turning, moving = _jacobians(at)[i]
    arm = at.motion.R[i].reshape(3, 3) @ from_o
    return np.vstack([moving - _skew(arm) @ turning, turning])


def forward(model: Model, state: State | None = None) -> Array:
    """Give the rates of all speeds that follow from all that acts, constraints included.

    Raises SimulationError where no mass moves a body.

    >>> mk.forward(mk.sample("double_pendulum")).shape
    (2,)
    """
    return _evaluated(_at(model, state))[0]


def acting(model: Model, state: State | None = None) -> Array:
    """Give the forces along the speeds (N, N*m) of all that acts but weight, constraints and motions.

    Joints, springs, loads, contacts, belts, harnesses, winds and airbags are in it.

    >>> mk.acting(mk.sample("double_pendulum"))
    array([0., 0.])
    """
    at = _at(model, state)
    _, work = _evaluated(at)
    out = work.tau.copy()
    for i, (turning, moving) in enumerate(_jacobians(at)):
        out += moving.T @ work.force[i] + turning.T @ work.torque[i]
    return out


def inverse(model: Model, state: State | None, rates: Sequence[float]) -> Array:
    """Give the forces along the speeds (N, N*m) that bring about given rates, beside weight.

    Where nothing is constrained `inverse` of `forward` is what is `acting`.

    >>> model = mk.sample("double_pendulum")
    >>> bool(np.allclose(mk.inverse(model, None, mk.forward(model)), mk.acting(model), atol=1e-9))
    True
    """
    at = _at(model, state)
    given = np.asarray(rates, float)
    if given.shape != at.v.shape or not np.isfinite(given).all():
        raise SimulationError(
            "The model has {count} speeds, each with one finite rate; these are {shape}.",
            count=len(at.v),
            shape=given.shape,
        )
    tree, motion, out = at.system.tree, at.motion, np.zeros(len(at.v))
    alpha, acc = _accelerations(at, given)
    for i, (turning, moving) in enumerate(_jacobians(at)):
        J, arm = _inertia(at, i)
        w = motion.w[i]
        a = acc[i] + np.cross(alpha[i], arm) + np.cross(w, np.cross(w, arm))
        force = tree.mass[i] * (a - at.system.gravity)
        torque = J @ alpha[i] + np.cross(w, J @ w)
        out += (moving - _skew(arm) @ turning).T @ force + turning.T @ torque
    return out


def _evaluated(at: _At) -> tuple[Array, Work]:
    """Evaluate all that acts; give the rates, and what has been left."""
    work = make_work(at.system, at.compiled.trees.speeds, at.compiled.rows)
    rates, powers = np.zeros(len(at.v)), np.zeros(len(at.z))
    status = evaluate(
        at.system, work, at.time, at.time, at.q.copy(), at.v.copy(), at.z, rates, powers
    )
    if status != SOLVED:
        name = at.compiled.segment_of(status)
        raise SimulationError(
            "No mass moves '{name}' in this state: its rates have no value.", name=name
        )
    return rates, work


def _jacobians(at: _At) -> list[tuple[Array, Array]]:
    """Give for each body the matrices from speeds to angular velocity and velocity of O, ground axes."""
    tree, n = at.system.tree, len(at.v)
    out = [(np.zeros((3, n)), np.zeros((3, n))) for _ in tree.parent]
    room = make_motion(tree)
    for k in range(n):
        one = np.zeros(n)
        one[k] = 1.0
        kinematics(tree, at.system.locked, at.q, one, room)
        for i, (turning, moving) in enumerate(out):
            turning[:, k], moving[:, k] = room.w[i], room.v[i]
    return out


def _inertia(at: _At, i: int) -> tuple[Array, Array]:
    """Give a body's inertia about its mass centre, and the arm from O to there, ground axes."""
    R, (xx, yy, zz, xy, xz, yz) = at.motion.R[i].reshape(3, 3), at.system.tree.inertia[i]
    J = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return R @ J @ R.T, R @ at.system.tree.centre[i]


def _accelerations(at: _At, rates: Array) -> tuple[Array, Array]:
    """Give angular acceleration and acceleration of O of all bodies at given rates, ground axes."""
    tree, motion, v = at.system.tree, at.motion, at.v
    alpha, acc = np.zeros((len(tree.parent), 3)), np.zeros((len(tree.parent), 3))
    for i, m in enumerate(tree.parent):
        R, n = motion.R[i].reshape(3, 3), tree.at_v[i]
        w = motion.w[m] if m >= 0 else np.zeros(3)
        if m >= 0:
            r = motion.p[i] - motion.p[m]
            alpha[i] = alpha[m]
            acc[i] = acc[m] + np.cross(alpha[m], r) + np.cross(w, np.cross(w, r))
        if at.system.locked[i] == HELD:
            continue
        if tree.kind[i] == SLIDE:
            axis = (motion.R[m].reshape(3, 3) if m >= 0 else np.eye(3)) @ tree.axis[i]
            acc[i] += axis * rates[n] + 2.0 * np.cross(w, axis * v[n])
            continue
        if tree.kind[i] == FREE:
            acc[i] = rates[n : n + 3]
            n += 3
        if tree.kind[i] >= BALL:
            spin, change = R @ v[n : n + 3], R @ rates[n : n + 3]
        else:
            spin, change = R @ tree.axis[i] * v[n], R @ tree.axis[i] * rates[n]
        alpha[i] += change + np.cross(w, spin)
    return alpha, acc


def _skew(a: Array) -> Array:
    """Give the matrix of the product a x."""
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])
