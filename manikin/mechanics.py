"""The mechanics of a model at one state: masses, motions, forces along its speeds.

The speeds of a model are those of its trees' joints: a turn or a slide has one, a ball joint three (the
angular velocity relative to the parent, along the child's axes), a body on its own six (the velocity of
its mass centre, ground axes, then the angular velocity along its own axes). `speeds` names them in order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from manikin.model import Model, the_model
from solver.analysis.inverse.bodies import At, inverse_forces, jacobians, pushed, skew, standing
from solver.analysis.inverse.bodies import mass_matrix as masses
from solver.analysis.linear.operating_point import speed_names
from solver.engine.dynamics.tree import SOLVED
from solver.engine.forces.state import State as Present
from solver.engine.forces.system import Work, evaluate, make_work
from solver.model.compile import compile_model
from solver.model.set_forces import refuse_unknown, three
from solver.project.problems import SimulationError
from solver.results.trajectory import Array
from solver.running.state import State

if TYPE_CHECKING:
    from manikin.schema.numbers import Numbers


def standing_at(model: Model, state: State | None) -> At:
    """A model at a state, or at its start."""
    from solver.running.simulation import Simulation

    whole = Simulation(the_model(model).checked(), model.settings().id)
    course = whole.begin()
    if state is not None:
        course.set_state(state)
    return standing(course)


def speeds(model: Model) -> tuple[str, ...]:
    """Name the speeds of a model, in their order.

    >>> mk.speeds(mk.sample("double_pendulum"))
    ('joints/hinge/1', 'joints/elbow/1')
    >>> mk.speeds(mk.sample("free_body"))[0]
    'segments/body/vx'
    """
    return speed_names(compile_model(the_model(model).checked()))


def mass_matrix(model: Model, state: State | None = None) -> Array:
    """The mass matrix M along the speeds at a state, or at the start: kinetic energy is v M v / 2.

    Of joints that are locked rows and columns are zero; those of prescribed motions are there.

    >>> mk.mass_matrix(mk.sample("double_pendulum")).shape
    (2, 2)
    """
    return masses(standing_at(model, state))


def jacobian(
    model: Model, state: State | None, segment: str, point: Numbers = (0.0, 0.0, 0.0)
) -> Array:
    """The matrix (6, n) from speeds to a point's velocity and its segment's angular velocity.

    Rows are velocity and then angular velocity, ground axes; the point counts from the mass centre,
    along the segment's axes.

    >>> mk.jacobian(mk.sample("double_pendulum"), None, "lower", (0.0, 0.0, 0.25)).shape
    (6, 2)
    """
    at = standing_at(model, state)
    refuse_unknown(at.compiled, segment)
    i = at.compiled.trees.body_of[segment]
    from_o = np.array(three(point, f"The point on '{segment}'")) - at.compiled.trees.origin[segment]
    turning, moving = jacobians(at)[i]
    arm = at.motion.R[i].reshape(3, 3) @ from_o
    return np.vstack([moving - skew(arm) @ turning, turning])


def forward(model: Model, state: State | None = None, forces: Numbers | None = None) -> Array:
    """The rates of all speeds that follow from all that acts, constraints included.

    `forces` along the speeds (N, N*m) act beside all that; those along speeds that are held or driven do
    nothing. Raises SimulationError where no mass moves a body.

    >>> mk.forward(mk.sample("double_pendulum")).shape
    (2,)
    """
    at = standing_at(model, state)
    return _evaluated(at if forces is None else pushed(at, _given(at, forces)))[0]


def acting(model: Model, state: State | None = None) -> Array:
    """The forces along the speeds (N, N*m) of all that acts but weight, constraints and motions.

    Joints, springs, loads, contacts, belts, harnesses, winds and airbags are in it.

    >>> mk.acting(mk.sample("double_pendulum"))
    array([0., 0.])
    """
    at = standing_at(model, state)
    _, work = _evaluated(at)
    applied = work.applied
    out = applied.tau.copy()
    for i, (turning, moving) in enumerate(jacobians(at)):
        out += moving.T @ applied.force[i] + turning.T @ applied.torque[i]
    return out


def inverse(model: Model, state: State | None, rates: Numbers) -> Array:
    """The forces along the speeds (N, N*m) that bring about given rates, beside weight.

    Where nothing is constrained `inverse` of `forward` is what is `acting`.

    >>> model = mk.sample("double_pendulum")
    >>> bool(np.allclose(mk.inverse(model, None, mk.forward(model)), mk.acting(model), atol=1e-9))
    True
    """
    at = standing_at(model, state)
    return inverse_forces(at, _given(at, rates))


def _given(at: At, values: Numbers) -> Array:
    given = np.asarray(values, float)
    if given.shape != at.v.shape or not np.isfinite(given).all():
        raise SimulationError(
            "The model has {count} speeds, each with one finite rate; these are {shape}.",
            count=len(at.v),
            shape=given.shape,
        )
    return given


def _evaluated(at: At) -> tuple[Array, Work]:
    """Evaluate all that acts; give the rates, and what has been left."""
    work = make_work(at.system, at.compiled.trees.speeds, at.compiled.rows)
    rates, powers = np.zeros(len(at.v)), np.zeros(len(at.z))
    now = Present(at.q.copy(), at.v.copy(), at.z)
    status = evaluate(at.system, work, at.time, at.time, now, rates, powers)
    if status != SOLVED:
        name = at.compiled.segment_of(status)
        raise SimulationError(
            "No mass moves '{name}' in this state: its rates have no value.", name=name
        )
    return rates, work
