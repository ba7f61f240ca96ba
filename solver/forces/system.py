"""All that acts on all bodies, gathered: the rates of a model's state.

The state is `q` (coordinates), `v` (speeds) and `z` (work done by each cause since the start).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.dynamics.carried import carried_load
from solver.dynamics.drive import Drives, drive
from solver.dynamics.forward import SOLVED, Room, accelerations, make_room
from solver.dynamics.rows import Rows, constrain, make_rows
from solver.dynamics.tree import Array, IntArray, Motion, Tree, kinematics, make_motion
from solver.forces.constraints import Pairs, coupled_energy, pair_rows
from solver.forces.flexible import Bends, bend_rows
from solver.forces.joints import JointLaws, joint_torques
from solver.forces.loads import Loads, load
from solver.forces.rolling import Rolls, rolling_loads, rolling_rows, watch_rolling
from solver.forces.springs import Bushings, Lines, hold_bushings, pull_lines
from solver.forces.switches import Switches, watch
from solver.forces.symmetry import Symmetries, symmetry_rows
from solver.maths.curve import Curves
from solver.maths.kernels import inner, kernel, only_there

JOINT_SPRINGS, JOINT_FRICTION, SPRINGS, LOADS, MOTIONS, IMPULSES, ROLLING = range(7)
CAUSES = ("joint springs", "joint friction", "springs", "loads", "motions", "impulses", "rolling")

IMPULSE_ROWS = 3
"""Room for the rows of an impulse beside those of constraints."""


class System(NamedTuple):
    """Hold a model: what never changes in a run, and the modes (`tree`, `locked`) that events change."""

    tree: Tree
    locked: IntArray
    gravity: Array
    drives: Drives
    curves: Curves
    joints: JointLaws
    loads: Loads
    lines: Lines
    bushings: Bushings
    pairs: Pairs
    bends: Bends
    symmetries: Symmetries
    rolls: Rolls
    switches: Switches


class Work(NamedTuple):
    """Hold what one evaluation needs and leaves: made once, so that a step allocates nothing."""

    motion: Motion
    room: Room
    torque: Array
    force: Array
    tau: Array
    sums: Array
    load: Array
    held: Array
    on_b: Array
    bushing: Array
    g: Array
    rows: Rows


def make_work(system: System, speeds: int, rows: int) -> Work:
    """Make room for evaluations of one system with that many rows of constraints."""
    n = len(system.tree.parent)
    return Work(
        motion=make_motion(system.tree),
        room=make_room(system.tree),
        torque=np.zeros((n, 3)),
        force=np.zeros((n, 3)),
        tau=np.zeros(speeds),
        sums=np.zeros(3),
        load=np.zeros(6),
        held=np.zeros(3),
        on_b=np.zeros((len(system.lines.a), 4)),
        bushing=np.zeros((len(system.bushings.a), 7)),
        g=np.zeros(len(system.switches.kind) + len(system.rolls.kind)),
        rows=make_rows(system.tree, speeds, rows + IMPULSE_ROWS),
    )


@only_there
def evaluate(
    system: System,
    work: Work,
    t: float,
    within: float,
    q: Array,
    v: Array,
    rates: Array,
    powers: Array,
) -> int:
    """Give the rates of all speeds and the power of each cause.

    Coordinates and speeds of driven bodies are set. Gives SOLVED, or the body that nothing moves.
    """
    tree, locked, curves = system.tree, system.locked, system.curves
    motion, room, torque, force, tau = work.motion, work.room, work.torque, work.force, work.tau
    sums = work.sums
    drive(system.drives, tree, t, within, q, v, rates)
    kinematics(tree, locked, q, v, motion)
    torque[:] = 0.0
    force[:] = 0.0
    tau[:] = 0.0
    joint_torques(system.joints, curves, tree, motion, q, v, tau, torque, sums)
    work.held[0] = sums[0]
    powers[JOINT_SPRINGS], powers[JOINT_FRICTION] = sums[1], sums[2]
    powers[LOADS] = load(system.loads, t, within, motion, torque, force)
    sums[0] = sums[1] = 0.0
    pull_lines(system.lines, curves, motion, torque, force, work.on_b, sums)
    hold_bushings(system.bushings, motion, torque, force, work.bushing, sums)
    work.held[1], powers[SPRINGS] = sums[0], sums[1]
    status = accelerations(
        tree, locked, q, v, motion, torque, force, tau, system.gravity, room, rates
    )
    powers[ROLLING] = work.held[2] = 0.0
    if status == SOLVED and len(work.rows.held) > IMPULSE_ROWS:
        gather_rows(system, motion, work.rows)
        work.held[2] = coupled_energy(system.pairs, work.rows)
        constrain(tree, locked, motion, room, work.rows, rates)
        powers[ROLLING] = rolling_loads(system.rolls, work.rows)
    if len(system.switches.kind):
        watch(
            system.switches, system.joints, tree, locked, motion, room, q, v, tau, work.load, work.g
        )
    watch_rolling(system.rolls, work.g, len(system.switches.kind))
    powers[MOTIONS] = powers[IMPULSES] = 0.0
    for d in range(len(system.drives.body)):
        i, carried = system.drives.body[d], work.load
        carried_load(room, i, carried)
        for k in range(3):
            powers[MOTIONS] += carried[k] * motion.w[i, k] + carried[3 + k] * motion.v[i, k]
    return status


@inner
def gather_rows(system: System, motion: Motion, rows: Rows) -> None:
    """Write down all that constraints ask for."""
    rows.used[0] = 0
    pair_rows(system.pairs, motion, rows)
    bend_rows(system.bends, motion, rows)
    symmetry_rows(system.symmetries, motion, rows, system.bends.room)
    rolling_rows(system.rolls, motion, rows)


@kernel
def energies(tree: Tree, motion: Motion, g: Array, out: Array) -> None:
    """Give kinetic energy, and potential energy of weight from the ground's origin."""
    R, p, w, v, c, J = motion.R, motion.p, motion.w, motion.v, tree.centre, tree.inertia
    kinetic = potential = 0.0
    for i in range(len(tree.parent)):
        m = tree.mass[i]
        dx = R[i, 0] * c[i, 0] + R[i, 1] * c[i, 1] + R[i, 2] * c[i, 2]
        dy = R[i, 3] * c[i, 0] + R[i, 4] * c[i, 1] + R[i, 5] * c[i, 2]
        dz = R[i, 6] * c[i, 0] + R[i, 7] * c[i, 1] + R[i, 8] * c[i, 2]
        vx = v[i, 0] + w[i, 1] * dz - w[i, 2] * dy
        vy = v[i, 1] + w[i, 2] * dx - w[i, 0] * dz
        vz = v[i, 2] + w[i, 0] * dy - w[i, 1] * dx
        wx = R[i, 0] * w[i, 0] + R[i, 3] * w[i, 1] + R[i, 6] * w[i, 2]
        wy = R[i, 1] * w[i, 0] + R[i, 4] * w[i, 1] + R[i, 7] * w[i, 2]
        wz = R[i, 2] * w[i, 0] + R[i, 5] * w[i, 1] + R[i, 8] * w[i, 2]
        kinetic += m * (vx * vx + vy * vy + vz * vz)
        kinetic += wx * (J[i, 0] * wx + J[i, 3] * wy + J[i, 4] * wz)
        kinetic += wy * (J[i, 3] * wx + J[i, 1] * wy + J[i, 5] * wz)
        kinetic += wz * (J[i, 4] * wx + J[i, 5] * wy + J[i, 2] * wz)
        potential -= m * (g[0] * (p[i, 0] + dx) + g[1] * (p[i, 1] + dy) + g[2] * (p[i, 2] + dz))
    out[0], out[1] = 0.5 * kinetic, potential
