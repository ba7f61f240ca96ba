"""A model at one instant of a run, with the branch of every law frozen, evaluated near that instant.

What events change (what is locked, rolls, slides, touches, has broken, has fired, loads or unloads) stays as
it is. Every evaluation begins from the same memory, so that none depends on those before it.

For each direction the difference is taken over h and over h/2, and both together cancel the term in h^2
(Richardson). By how much they differ, and what rounding leaves, tell the error. h begins at 1e-3 and
becomes eight times smaller until that error is small enough, or no longer falls. Where the rates differ to
both sides however short the way, the law has a corner there: the mean of both sides is given, and said.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from solver.analysis.equilibrium import settle
from solver.analysis.equilibrium.statics import frames_alone, no_drives
from solver.base.words import Refusal
from solver.engine.dynamics.tree import (
    BALL,
    DRIVEN,
    FREE,
    HELD,
    OPEN,
    SLIDE,
    SOLVED,
    SPEEDS,
    TURN,
    Array,
    IntArray,
    drives_of,
    kinematics,
    make_motion,
    move,
)
from solver.engine.forces.state import State
from solver.engine.forces.system import System, evaluate
from solver.engine.integrate.flow import AT
from solver.engine.integrate.samples import Samples, make_samples, take
from solver.model.compile import Model
from solver.model.modal.masses import modal_mass
from solver.model.set_forces import Force, with_forces
from solver.project.checks import Checked, checked
from solver.project.document import Project
from solver.project.fields import ZERO3
from solver.project.problems import SimulationError
from solver.project.reading import parse
from solver.results.trajectory import Trajectory
from solver.running.checkpoint import from_bytes
from solver.running.simulation import Simulation
from solver.running.state import State as instants_State
from solver.running.stepper import Stepper

# What linearising raises.


class LinearError(Refusal):
    """Say in a sentence why a model cannot be linearised, or what an input or output lacks."""

    __module__ = "manikin"


# Names and units of the speeds of a model, in their order.

OF_BODY = ("vx", "vy", "vz", "wx", "wy", "wz")
_UNITS = {TURN: ("rad",), SLIDE: ("m",), BALL: ("rad",) * 3, FREE: ("m",) * 3 + ("rad",) * 3}


def speed_names(model: Model) -> tuple[str, ...]:
    """Name the speeds of a model: those of joints by their number, of bodies on their own by six letters."""
    trees, tree = model.trees, model.trees.tree
    names = [""] * trees.speeds
    owner = {b: f"joints/{id_}" for id_, made in trees.joints.items() for b in made.bodies}
    free = {b: f"segments/{id_}" for id_, b in trees.body_of.items() if b not in owner}
    bags = zip(trees.bag_bodies, model.project.airbags, strict=True)
    free |= {b: f"airbags/{bag.id}" for b, bag in bags}
    for b, one in enumerate(model.project.modal_bodies):
        owner |= dict.fromkeys(bodies_of_modes(model, b), f"modal_bodies/{one.id}")
    free = {i: name for i, name in free.items() if i not in owner}
    counts = dict[str, int]()
    for i, kind in enumerate(tree.kind):
        for k in range(SPEEDS[kind]):
            if i in free:
                names[tree.at_v[i] + k] = f"{free[i]}/{OF_BODY[k]}"
            else:
                counts[owner[i]] = counts.get(owner[i], 0) + 1
                names[tree.at_v[i] + k] = f"{owner[i]}/{counts[owner[i]]}"
    return tuple(names)


def bodies_of_modes(model: Model, number: int) -> list[int]:
    """Give the bodies of the modes of a modal body, by its number in the project."""
    modals = model.system.tree.modals
    segment = model.project.modal_bodies[number].segment
    b = int(modals.row[model.trees.body_of[segment]])
    return [int(i) for i in modals.body[modals.first[b] : modals.first[b + 1]]]


def way_units(model: Model) -> tuple[str, ...]:
    """The unit of the way along each speed: m or rad."""
    tree = model.trees.tree
    units = [""] * model.trees.speeds
    for i, kind in enumerate(tree.kind):
        for k, unit in enumerate(_UNITS[int(kind)]):
            units[tree.at_v[i] + k] = unit
    return tuple(units)


# A run taken to an instant: its start, any time of it, a state, or the start of the settled model.


def settled(project: Project | Checked, free: Sequence[str] | None = None) -> Project:
    """A project whose start is at rest; raises SettleError where none is found.

    Where nothing is driven start speeds are left out, so that no event at the start comes of them.
    """
    found = settle(project, free).project
    if found.motions or found.drivers or found.frame_drivers:
        return found
    start = found.initial
    still = start.model_copy(update={
        "roots": tuple(one.model_copy(update={"velocity_m_per_s": ZERO3}) for one in start.roots),
        "attitudes": tuple(one.model_copy(update={"angular_velocity_rad_per_s": ZERO3}) for one in start.attitudes),
        "joints": tuple(one.model_copy(update={"rates": ()}) for one in start.joints),
    })  # fmt: skip
    return found.model_copy(update={"initial": still})


def course_of(
    project: Project | Checked, at: float | instants_State = 0.0, run: str | None = None
) -> Stepper:
    """A run that stands at a time (s) or in a state; constraints and events of that instant have been seen to."""
    simulation = Simulation(project, run)
    course = simulation.begin()
    if isinstance(at, instants_State):
        course.set_state(at)
        return course
    return _taken(course, at, simulation.run.duration_s)


def course_of_results(results: Trajectory, at: float | None = None) -> Stepper:
    """The run of results at a time (s), or at its last frame; it goes on from the last checkpoint before."""
    project = checked(parse(results.project_json.decode()).project)
    simulation = Simulation(project, getattr(results, "run_id", "") or None)
    course = simulation.begin()
    time = results.time
    if at is None:
        at = float(time[-1]) if len(time) else 0.0
    before = [one for one in results.checkpoints() if one[0] < at]
    if before:
        _, data = max(before, key=lambda one: one[0])
        try:
            course.set_state(from_bytes(data, project.project), is_read=True)
        except SimulationError:
            # of another version: from the start, the run takes the same way
            course = simulation.begin()
    return _taken(course, at, simulation.run.duration_s)


def _taken(course: Stepper, at: float, duration: float) -> Stepper:
    if not 0.0 <= at <= duration * (1.0 + 1e-12):
        raise LinearError(
            "The run goes from 0 to {duration:g} s; {at:g} s is outside.", duration=duration, at=at
        )
    if course.time > at:
        raise LinearError("The state is from after {at:g} s.", at=at)
    course.go_on([], min(at, duration), exactly=at > 0.0)
    if course.outcome.status != "completed":
        raise LinearError(
            "The run does not come to {at:g} s: {message}", at=at, message=course.outcome.message
        )
    return course


# Derivatives by central differences, with steps that are chosen by the error they leave.

FIRST, SHORTER, LAST = 1e-3, 8.0, 2e-9
"""The first step, by what part each next one is shorter, and the last."""

ENOUGH = 1e-10
"""Error, in parts of the largest derivative, at which no shorter step is tried."""

ROUNDING = 4e-16
"""Part of the sum's terms by which rates are rounded; what cancels in them is larger, and adds to it."""

CORNER = 1e-5
"""Part of the largest derivative by which those to both sides differ at a corner."""

SMOOTH = 0.75
"""Part of their difference that is left at half the way, above which it does not vanish with the way."""


@dataclass(frozen=True)
class Derivative:
    """One column: derivatives, the error of each, the step, and whether there is a corner."""

    value: Array
    error: Array
    step: float
    corner: bool


def derivative(
    function: Callable[[float], Array], base: Array, scale: float, size: float = 0.0
) -> Derivative:
    """The derivative at zero of a function of one number whose natural size is `scale`.

    Errors are measured against its largest entry, or against `size` where that is larger.
    """
    best: Derivative | None = None
    h = FIRST
    while h >= LAST:
        found = _at(function, base, h * scale, size)
        if best is None or found.error.max(initial=0.0) < best.error.max(initial=0.0):
            best = found
        limit = ENOUGH * max(float(np.abs(found.value).max(initial=0.0)), size)
        if best.error.max(initial=0.0) <= limit:
            break
        h /= SHORTER
    assert best is not None
    return best


def _at(function: Callable[[float], Array], base: Array, h: float, size: float) -> Derivative:
    ahead, back = function(h), function(-h)
    near, behind = function(0.5 * h), function(-0.5 * h)
    wide, close = (ahead - back) / (2.0 * h), (near - behind) / h
    value = (4.0 * close - wide) / 3.0
    terms = np.abs(near) + np.abs(behind) + np.abs(base)
    error = np.abs(close - wide) / 3.0 + ROUNDING * terms / h
    apart = np.abs(ahead - 2.0 * base + back) / h
    apart_close = np.abs(near - 2.0 * base + behind) / (0.5 * h)
    largest = max(float(np.abs(value).max(initial=0.0)), size)
    corner = (apart_close > CORNER * largest) & (apart_close > SMOOTH * apart)
    return Derivative(value, error, h, bool(corner.any()))


LONG_AGO = 1e9
"""Time (s) since the last step as harnesses see it: webbing that slides has no rate of sliding."""

SPEEDS_OFF = 1e-13
"""Speed (m/s, rad/s) by which a row of constraint may be off."""

CORRECTIONS = 4
"""Times that speeds are corrected before an evaluation."""


@dataclass(frozen=True)
class Rated:
    """What an evaluation gave: rates of the way off, of all speeds and of the states.

    The way off goes with the motion itself: attitudes are q(t) exp(x), so x' = v - v(t) + x cross v(t).
    """

    x: Array
    v: Array
    z: Array


class OperatingPoint:
    """A course at its present instant; the course must not go on.

    `open` and `driven` are numbers of speeds. `rows` (constraints, speeds) says which speeds constraints allow,
    `held` which of its rows hold places.
    """

    def __init__(self, course: Stepper, *, still: bool = False) -> None:
        """Take over a course as it is; or `still`, with nothing in motion and what is driven at rest."""
        model, system, self._work, self._flow, held = course.room()
        self.model: Model = model
        self._plain = system
        self.time = course.time
        self._arrays = held.arrays(system)
        self.tree = system.tree
        locked = system.locked
        speeds = [
            np.arange(at, at + SPEEDS[kind])
            for at, kind in zip(self.tree.at_v, self.tree.kind, strict=True)
        ]

        def numbers(state: int) -> IntArray:
            found = [s for s, one in zip(speeds, locked, strict=True) if one == state]
            return np.concatenate([np.zeros(0, np.int64), *found]).astype(np.int64)

        self.open, self.driven = numbers(OPEN), numbers(DRIVEN)
        self._turns_at = [
            int(at) + (3 if kind == FREE else 0)
            for at, kind, state in zip(self.tree.at_v, self.tree.kind, locked, strict=True)
            if kind >= BALL and state != HELD
        ]
        flow = self._flow
        self.q, self.v, self.z = flow.q.copy(), flow.v.copy(), flow.z.copy()
        self.first_state = int(flow.first_state)
        self._within = self.time + 1e-12 * (1.0 + abs(self.time))
        self._memory = [one.copy() for one in self._arrays]
        self._powers = np.zeros_like(self.z)
        self._motion = make_motion(self.tree)
        # the course's own evaluation tells how what is driven speeds up
        self.drive_rates = np.zeros(len(self.v))
        self._evaluate(system, self.q.copy(), self.v.copy(), self.z, self.drive_rates)
        self._still = still
        if still:
            self.v[:] = self.drive_rates[:] = 0.0
        self._bare = system._replace(drives=no_drives(model.system), drivers=frames_alone(system))
        self.system: System = self._bare
        self._own = self._bare.loads
        self.unit_turning, self.unit_moving = self._unit_speeds()
        self.rows, self.held = self._rows()
        self._back = np.linalg.pinv(self.rows[:, self.open], rcond=1e-9) if len(self.rows) else None

    @property
    def states(self) -> int:
        """The number of states beside coordinates and speeds, of gas and of laws."""
        return len(self.z) - self.first_state

    def pushed(self, force: Force | None) -> None:
        """Let a force act beside the model's own loads from now on, or none."""
        self.system = self._bare
        if force is not None:
            self.system = with_forces(replace(self.model, system=self._bare), {"": force})

    def scaled(self, rows: IntArray | list[int], factor: float) -> None:
        """Let some of the model's own loads act by so many times their size from now on, others as they are."""
        loads = self._own
        direction = loads.direction.copy()
        direction[rows] *= factor
        self._bare = self._bare._replace(loads=loads._replace(direction=direction))
        self.system = self._bare

    def at(self, x: Array, dv: Array, dz: Array, rates: Array | None = None) -> Rated:
        """Evaluate a way x off in the chart, with other speeds and states; `rates` are added to driven ones.

        Speeds that constraints forbid are taken out, as little of all as will do.
        """
        q = self.q.copy()
        move(self.tree, self._plain.locked, self.q, x, 1.0, q)
        v, z = self.v + dv, self.z.copy()
        z[self.first_state :] += dz
        out = self.drive_rates.copy()
        if rates is not None:
            out[self.driven] += rates[self.driven]
        given = out.copy()
        for _ in range(CORRECTIONS):
            out[:] = given
            self._evaluate(self.system, q.copy(), v.copy(), z, out)
            off = self._off()
            if self._back is None or not len(off) or np.abs(off).max() < SPEEDS_OFF:
                break
            v[self.open] -= self._back @ off
        self._q, self._v, self._z = q, v, z
        x_rates = v - self.v
        for k in self._turns_at:
            x_rates[k : k + 3] += np.cross(x[k : k + 3], self.v[k : k + 3])
        return Rated(x_rates, out, self._powers[self.first_state :].copy())

    def way_units(self) -> tuple[str, ...]:
        """The unit of the way along each speed."""
        return way_units(self.model)

    def sampled(self, rows: int) -> Samples:
        """Make room for samples of evaluations."""
        return make_samples(self._plain, self._work, self._flow, rows)

    def keep(self, samples: Samples, row: int) -> None:
        """Keep the last evaluation as a sample."""
        flow, s = self._flow, self.system
        flow.clock[AT] = self.time
        flow.qs[:], flow.vs[:], flow.zs[:] = self._q, self._v, self._z
        take(s._replace(drivers=self._plain.drivers), self._work, flow, samples, row)

    def centres(self) -> tuple[Array, Array]:
        """What unit speeds do to all bodies: turning, and velocity of mass centres (bodies, 3, speeds)."""
        arm = np.einsum("bij,bj->bi", self.turns, self.tree.centre)
        return self.unit_turning, self.unit_moving + np.cross(
            self.unit_turning, arm[:, :, None], axisa=1, axisb=1, axisc=1
        )

    def mass(self) -> Array:
        """The mass matrix over all speeds, with the masses that rows of constraints couple in."""
        turning, moving = self.centres()
        J = self.tree.inertia[:, [0, 3, 4, 3, 1, 5, 4, 5, 2]].reshape(-1, 3, 3)
        own = np.einsum("bji,bjk->bik", self.turns, turning)
        out: Array = np.einsum("bik,bij,bjl->kl", own, J, own)
        out += np.einsum("b,bik,bil->kl", self.tree.mass, moving, moving)
        out += np.diag(drives_of(self.tree, len(out)))
        if len(self.tree.modals.frame):
            out += modal_mass(
                self.tree.modals, self.turns, self.places, self.unit_turning, self.unit_moving
            )
        for row, soft in zip(self._soft_rows, self._soft, strict=True):
            out += np.outer(row, row) / soft
        return out

    def _evaluate(self, system: System, q: Array, v: Array, z: Array, rates: Array) -> None:
        for now, then in zip(self._arrays, self._memory, strict=True):
            now[...] = then
        if len(system.straps.model.kind):
            system.straps.retractors.time[:] = self.time - LONG_AGO
        status = evaluate(
            system, self._work, self.time, self._within, State(q, v, z), rates, self._powers
        )
        if status != SOLVED:
            if status < -1:
                raise LinearError(
                    "At this instant a driver's frame stands so steep that two of its angles are one: its derivatives have no value."
                )
            raise LinearError(
                "No mass moves '{name}' in this state: its rates have no value.",
                name=self.model.segment_of(status),
            )

    def _used(self) -> list[int]:
        rows = self._work.rows
        if self.model.rows == 0:
            return []
        return [r for r in range(int(rows.used[0])) if rows.soft[r] == 0.0]

    def _off(self) -> Array:
        rows, used = self._work.rows, self._used()
        # what drivers of frames prescribe is not done where all stand still
        return rows.speed[used] + rows.rate[used] if self._still else rows.speed[used]

    def _unit_speeds(self) -> tuple[Array, Array]:
        count, n = len(self.tree.parent), len(self.v)
        turning, moving = np.zeros((count, 3, n)), np.zeros((count, 3, n))
        for k in range(n):
            one = np.zeros(n)
            one[k] = 1.0
            kinematics(self.tree, self._plain.locked, self.q, one, self._motion)
            turning[:, :, k], moving[:, :, k] = self._motion.w, self._motion.v
        kinematics(self.tree, self._plain.locked, self.q, self.v, self._motion)
        self.turns = self._motion.R.reshape(-1, 3, 3).copy()
        self.places = self._motion.p.copy()
        return turning, moving

    def _rows(self) -> tuple[Array, Array]:
        """Rows of constraints over all speeds, and which of them hold places."""
        rows, used = self._work.rows, self._used()
        soft = [] if self.model.rows == 0 else [
            r for r in range(int(rows.used[0])) if rows.soft[r] != 0.0
        ]  # fmt: skip
        self._soft_rows = self._over_speeds(soft)
        self._soft = rows.soft[soft].copy()
        return self._over_speeds(used), rows.held[used] != 0

    def _over_speeds(self, used: list[int]) -> Array:
        rows = self._work.rows
        out = np.zeros((len(used), len(self.v)))
        for n, r in enumerate(used):
            for s, body in enumerate(rows.body[r]):
                if body >= 0:
                    out[n] += rows.torque[r, s] @ self.unit_turning[body]
                    out[n] += rows.force[r, s] @ self.unit_moving[body]
        return out
