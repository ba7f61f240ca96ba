"""A model at rest: what acts along each of its freedoms, how heavy they are, which constraints hold.

Everything is at time zero and without speed, with contacts on their way in. So dampers and friction
give nothing: what friction would hold slides until something else holds it. Driven segments stand.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

import numpy as np

from solver.base.words import Refusal
from solver.engine.dynamics.drive import Drives, drive
from solver.engine.dynamics.tree import (
    BALL,
    DRIVEN,
    FREE,
    HELD,
    SLIDE,
    SOLVED,
    SPEEDS,
    TURN,
    Array,
    IntArray,
    move,
)
from solver.engine.forces.contacts.kernels import find_sides
from solver.engine.forces.drivers import Drivers, drive_axes
from solver.engine.forces.laws import LOADING
from solver.engine.forces.state import Around, Moment, State
from solver.engine.forces.system import System, Work, evaluate, make_work
from solver.model.compile import Model, compile_model
from solver.project.checks import Checked
from solver.project.document import Project
from solver.project.joint_table import carrying, row_of
from solver.project.pose import Placed, across, turn
from solver.project.segments import GROUND
from solver.running.warm import compile_parts

# What settling raises.


class SettleError(Refusal):
    """Say which element keeps a model from coming to rest, and what would mend it."""

    __module__ = "manikin"


# Stop what is being worked out at rest, wherever in it the next evaluation is.

_CANCEL: ContextVar[Callable[[], bool] | None] = ContextVar("cancel", default=None)
_COMPILED: ContextVar[Callable[[int, int], object] | None] = ContextVar("compiled", default=None)


class Cancelled(SettleError):
    """Say that somebody wanted no answer any more."""


@contextmanager
def may_stop(cancel: Callable[[], bool] | None) -> Iterator[None]:
    """Let all evaluations in here, and compiling, look whether they are still wanted."""
    token = _CANCEL.set(cancel)
    try:
        yield
    finally:
        _CANCEL.reset(token)


def is_asked() -> bool:
    """Whether the work in hand is not wanted any more."""
    cancel = _CANCEL.get()
    return cancel is not None and cancel()


def look() -> None:
    """Raise Cancelled where the work in hand is not wanted any more."""
    if is_asked():
        raise Cancelled("Settling was cancelled.")


@contextmanager
def telling(compiled: Callable[[int, int], object]) -> Iterator[None]:
    """Let anyone who waits in here be told how many parts of the solver are compiled, and of how many."""
    token = _COMPILED.set(compiled)
    try:
        yield
    finally:
        _COMPILED.reset(token)


def tell_compiled(done: int, of: int) -> None:
    """Tell it, if somebody wants to know."""
    tell = _COMPILED.get()
    if tell is not None:
        tell(done, of)


SAME = 1e-9
"""How far apart entries of two attitudes may be that are one."""


@dataclass(frozen=True)
class Columns:
    """What unit speeds do to all bodies: turning `w` and velocity `v` of O, (bodies, 3, columns)."""

    w: Array
    v: Array


class Statics:
    """Evaluate one project at rest in any pose; or, `as_run`, with the speeds with which a run starts.

    `torque` and `force` are further loads on bodies, about their origins O in ground axes.
    """

    def __init__(self, project: Project, *, as_run: bool = False) -> None:
        self.project = project
        # of a project that was checked on entry; without its belts some names lead nowhere
        self.model: Model = compile_model(Checked(project))
        _warm_up(self.model)
        self.evaluations = 0
        model, tree = self.model, self.model.system.tree
        self.q: Array = model.q.copy()
        self._last = self.q
        self.rest: Array = np.zeros_like(model.v)
        self.rates = self.rest
        no_speeds = self.rest.copy()
        drive(model.system.drives, tree, 0.0, 0.0, self.q, no_speeds, no_speeds)
        start = Moment(0.0, 0.0, model.system.triggers.fires)
        drive_axes(model.system.drivers, tree, start, self.q, no_speeds, no_speeds)
        locked = np.where(model.system.locked == DRIVEN, HELD, model.system.locked)
        self.driven = model.system.locked == DRIVEN
        self.system: System = model.system
        if as_run:
            self.rest = model.v.copy()
        else:
            self.system = self.system._replace(
                locked=locked, drives=no_drives(model.system), drivers=frames_alone(model.system)
            )
        self.work: Work = make_work(self.system, len(model.v), model.rows)
        self.tree = tree
        self.count = len(tree.parent)
        self.torque = np.zeros((self.count, 3))
        self.force = np.zeros((self.count, 3))
        self._powers = np.zeros(len(model.z))
        self._below = _subtrees(tree.parent)
        self._kinds = {k: np.flatnonzero(tree.kind == k) for k in (TURN, SLIDE, BALL, FREE)}
        self.open = np.flatnonzero(locked != HELD)
        take_in(self.system)

    def evaluate(self, q: Array) -> None:
        """Find everything that acts in a pose, with contacts within the edges that they have there."""
        system = self.system
        if len(system.contacts.model.kind):
            self._call(q)
            around = Around(
                system.laws, system.curves, system.surfaces, system.planes, system.gravity, self.work.motion
            )  # fmt: skip
            find_sides(system.contacts, around)
        self._call(q)

    def again(self, q: Array) -> Array:
        """The forces along all freedoms in a pose close to the last one."""
        self._call(q)
        return self.forces()

    def _call(self, q: Array) -> None:
        look()
        self.evaluations += 1
        self._last = q
        state = State(q, self.rest, self.model.z)
        self.rates = self.rest.copy()
        status = evaluate(self.system, self.work, 0.0, 0.0, state, self.rates, self._powers)
        self.solved = status == SOLVED

    def forces(self) -> Array:
        """The force along every freedom at the last evaluation, weight included."""
        tree, motion, work = self.tree, self.work.motion, self.work
        R, p = motion.R.reshape(-1, 3, 3), motion.p
        force, torque = work.applied.force + self.force, work.applied.torque + self.torque
        weight = tree.mass[:, None] * self.system.gravity
        arm = np.einsum("ijk,ik->ij", R, tree.centre)
        about_ground = torque + np.cross(arm, weight)
        force = force + weight
        about_ground += np.cross(p, force)
        force = self._below @ force
        about_own = self._below @ about_ground - np.cross(p, force)
        out = work.applied.tau.copy()
        for i in self._kinds[TURN]:
            out[tree.at_v[i]] += (R[i] @ tree.axis[i]) @ about_own[i]
        for i in self._kinds[SLIDE]:
            out[tree.at_v[i]] += self._slide_axis(i) @ force[i]
        for i in self._kinds[BALL]:
            out[tree.at_v[i] : tree.at_v[i] + 3] += R[i].T @ about_own[i]
        for i in self._kinds[FREE]:
            at = tree.at_v[i]
            out[at : at + 3] += force[i]
            out[at + 3 : at + 6] += R[i].T @ about_own[i]
        return out

    def _slide_axis(self, i: int | np.signedinteger) -> Array:
        m = self.tree.parent[i]
        axis: Array = self.tree.axis[i]
        return axis if m < 0 else self.work.motion.R[m].reshape(3, 3) @ axis

    def columns(self, directions: Array) -> Columns:
        """What speeds along directions (speeds, columns) do to all bodies."""
        tree, R, p = self.tree, self.work.motion.R.reshape(-1, 3, 3), self.work.motion.p
        k = directions.shape[1]
        w, v = np.zeros((self.count, 3, k)), np.zeros((self.count, 3, k))
        for i in range(self.count):
            kind, at = tree.kind[i], tree.at_v[i]
            if kind == TURN:
                w[i] = np.outer(R[i] @ tree.axis[i], directions[at])
            elif kind == SLIDE:
                v[i] = np.outer(self._slide_axis(i), directions[at])
            elif kind == BALL:
                w[i] = R[i] @ directions[at : at + 3]
            else:
                v[i] = directions[at : at + 3]
                w[i] = R[i] @ directions[at + 3 : at + 6]
        at_ground = v - np.cross(w, p[:, :, None], axis=1)
        above = self._below.T
        w = np.tensordot(above, w, axes=1)
        v = np.tensordot(above, at_ground, axes=1) + np.cross(w, p[:, :, None], axis=1)
        return Columns(w, v)

    def centres(self, columns: Columns) -> Array:
        """The velocities of the mass centres of bodies (bodies, 3, columns)."""
        R = self.work.motion.R.reshape(-1, 3, 3)
        arm = np.einsum("ijk,ik->ij", R, self.tree.centre)
        out: Array = columns.v + np.cross(columns.w, arm[:, :, None], axis=1)
        return out

    def mass(self, columns: Columns) -> Array:
        """The mass matrix of directions."""
        R, J = self.work.motion.R.reshape(-1, 3, 3), self.tree.inertia
        full = J[:, [0, 3, 4, 3, 1, 5, 4, 5, 2]].reshape(-1, 3, 3)
        own = np.einsum("iba,ibk->iak", R, columns.w)
        turning = np.einsum("iak,iab,ibl->kl", own, full, own)
        c = self.centres(columns)
        out: Array = turning + np.einsum("i,iak,ial->kl", self.tree.mass, c, c)
        return out

    def constraints(self) -> tuple[Array, Array]:
        """The rows of constraints over all speeds (rows, speeds), and by how much each is open."""
        rows = self.work.rows
        used = [r for r in range(int(rows.used[0])) if rows.soft[r] == 0.0]
        if not self.solved or self.model.rows == 0 or not used:
            return np.zeros((0, len(self.rest))), np.zeros(0)
        unit = self.columns(np.eye(len(self.rest)))
        A = np.zeros((len(used), len(self.rest)))
        for n, r in enumerate(used):
            for s, body in enumerate(rows.body[r]):
                if body >= 0:
                    A[n] += rows.torque[r, s] @ unit.w[body] + rows.force[r, s] @ unit.v[body]
        error = np.where(rows.held[used] != 0, rows.error[used], 0.0)
        return A, error

    def moved(self, q: Array, by: Array) -> Array:
        """The coordinates after a displacement along all speeds."""
        out = q.copy()
        move(self.tree, self.system.locked, q, by, 1.0, out)
        return out

    def joint_values(self) -> dict[str, tuple[float, ...]]:
        """The coordinates of joints at the last evaluation, where attitudes leave a choice of them.

        An attitude tells angles but for whole turns, which the springs of a joint count. Those of an
        Euler joint that is nearly straight are led, and may belong to no attitude: they are left out.
        """
        pose = self.pose()
        out, q, eulers = dict[str, tuple[float, ...]](), self._last, self.system.joints.eulers
        for joint in carrying(self.project.joints):
            row, bodies = row_of(joint), self.model.trees.joints[joint.id].bodies
            if row.acts == "euler":
                k = int(np.flatnonzero(eulers.body[:, 2] == bodies[-1])[0])
                values = tuple(float(a) for a in eulers.angle[k] + eulers.centre[k])
                parent, child = pose[joint.parent].R_WS, pose[joint.child].R_WS
                R = parent @ turn(joint.parent_frame.orientation) @ across(joint, values)[0]
                if np.abs(R - child @ turn(joint.child_frame.orientation)).max() < SAME:
                    out[joint.id] = values
            elif row.acts == "axes" and row.coordinates == len(bodies):
                out[joint.id] = tuple(float(q[self.tree.at_q[i]]) for i in bodies)
        return out

    @property
    def led(self) -> tuple[str, ...]:
        """Name the Euler joints whose angles are led at the last evaluation: a start there has others."""
        known, joints = self.joint_values(), carrying(self.project.joints)
        return tuple(j.id for j in joints if row_of(j).acts == "euler" and j.id not in known)

    def pose(self) -> dict[str, Placed]:
        """Where all segments are at the last evaluation."""
        motion, trees = self.work.motion, self.model.trees
        out = {GROUND: Placed(np.eye(3), np.zeros(3))}
        for name, i in trees.body_of.items():
            R = motion.R[i].reshape(3, 3).copy()
            out[name] = Placed(R, motion.p[i] - R @ trees.origin[name])
        return out

    def speeds_of(self, body: int) -> IntArray:
        """The numbers of the speeds of one body."""
        at = int(self.tree.at_v[body])
        return np.arange(at, at + SPEEDS[self.tree.kind[body]])


_told: set[str] = set()
"""What failed while kernels were compiled, and has been said in this process."""


def _warm_up(model: Model) -> None:
    """Compile the kernels in several processes, unless that has been done."""
    if not _told:
        for failure in compile_parts(model, is_asked, tell_compiled):
            _told.add(failure)
            warnings.warn(failure, RuntimeWarning, stacklevel=2)
        look()


def take_in(system: System) -> None:
    """Let all contacts and belts stand where they would after their first touch."""
    system.contacts.memory.mode[:] = LOADING
    system.belts.mode[:] = LOADING
    coordinates = system.coordinates
    coordinates.mode[coordinates.inner >= 0] = LOADING


def no_drives(system: System) -> Drives:
    """No drives of bodies: others say how these move."""
    drives = system.drives
    parts = {f: getattr(drives, f)[:0] for f in drives._fields if f != "profiles"}
    return drives._replace(**parts)


def frames_alone(system: System) -> Drivers:
    """The drivers of frames alone: axes stand where drivers have them."""
    drivers = system.drivers
    kept = drivers.axis < 0
    parts = {f: getattr(drivers, f)[kept] for f in drivers._fields if f != "profiles"}
    # drivers of one turn name each other by number, and those before them may have gone
    number = np.append(np.where(kept, np.cumsum(kept) - 1, -1), -1)
    parts["mates"] = number[parts["mates"]]
    return drivers._replace(**parts)


def _subtrees(parent: IntArray) -> Array:
    """Mark for each body (rows) all that it carries, itself included."""
    n = len(parent)
    out = np.eye(n)
    for i in range(n - 1, -1, -1):
        if parent[i] >= 0:
            out[parent[i]] += out[i]
    return out
