"""A model at one instant of a run, with the branch of every law frozen, evaluated near that instant.

What events change (what is locked, rolls, slides, touches, has broken, has fired, loads or unloads) stays as
it is. Every evaluation begins from the same memory, so that none depends on those before it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from solver.analysis.equilibrium.statics import frames_alone, no_drives
from solver.analysis.linear.names import way_units
from solver.analysis.linear.refusal import LinearError
from solver.engine.dynamics.tree import (
    BALL,
    DRIVEN,
    FREE,
    HELD,
    OPEN,
    SPEEDS,
    Array,
    IntArray,
    kinematics,
    make_motion,
    move,
)
from solver.engine.dynamics.workspace import SOLVED
from solver.engine.forces.state import State
from solver.engine.forces.system import System, evaluate
from solver.engine.integrate.flow import AT
from solver.engine.integrate.samples import Samples, make_samples, take
from solver.model.compile import Model
from solver.model.forces import Force, with_forces
from solver.running.course import Course

LONG_AGO = 1e9
"""Time (s) since the last step as harnesses see it: webbing that slides has no rate of sliding."""

SPEEDS_OFF = 1e-13
"""Speed (m/s, rad/s) by which a row of constraint may be off."""

CORRECTIONS = 4
"""Times that speeds are corrected before an evaluation."""


@dataclass(frozen=True)
class Rated:
    """Hold what an evaluation gave: rates of the way off, of all speeds and of the states.

    The way off goes with the motion itself: attitudes are q(t) exp(x), so x' = v - v(t) + x cross v(t).
    """

    x: Array
    v: Array
    z: Array


class Standing:
    """Hold a course at its present instant; the course must not go on.

    `open` and `driven` are numbers of speeds. `rows` (constraints, speeds) says which speeds constraints allow,
    `held` which of its rows hold places.
    """

    def __init__(self, course: Course, *, still: bool = False) -> None:
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
        """Give the number of states beside coordinates and speeds, of gas and of laws."""
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
        """Give the unit of the way along each speed."""
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
        """Give what unit speeds do to all bodies: turning, and velocity of mass centres (bodies, 3, speeds)."""
        arm = np.einsum("bij,bj->bi", self.turns, self.tree.centre)
        return self.unit_turning, self.unit_moving + np.cross(
            self.unit_turning, arm[:, :, None], axisa=1, axisb=1, axisc=1
        )

    def mass(self) -> Array:
        """Give the mass matrix over all speeds, with the masses that rows of constraints couple in."""
        turning, moving = self.centres()
        J = self.tree.inertia[:, [0, 3, 4, 3, 1, 5, 4, 5, 2]].reshape(-1, 3, 3)
        own = np.einsum("bji,bjk->bik", self.turns, turning)
        out: Array = np.einsum("bik,bij,bjl->kl", own, J, own)
        out += np.einsum("b,bik,bil->kl", self.tree.mass, moving, moving)
        for row, soft in zip(self._soft_rows, self._soft, strict=True):
            out += np.outer(row, row) / soft
        return out

    def _evaluate(self, system: System, q: Array, v: Array, z: Array, rates: Array) -> None:
        for now, then in zip(self._arrays, self._memory, strict=True):
            now[...] = then
        if len(system.straps.model.kind):
            system.spools.time[:] = self.time - LONG_AGO
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
        """Give rows of constraints over all speeds, and which of them hold places."""
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
