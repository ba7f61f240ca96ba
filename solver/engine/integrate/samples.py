"""Samples between steps: everything that outputs are made from, at given times."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.engine.dynamics.respond import carried_load
from solver.engine.dynamics.rows import Rows, force_on_first, load_on_body, torque_on_first
from solver.engine.dynamics.tree import FREE, OPEN, Array
from solver.engine.forces.breakable import (
    PART_DISTANCE,
    PART_POINTS,
    PART_RAIL,
    PART_ROLL,
    Breakables,
)
from solver.engine.forces.breaking import BREAKING, PART_FORCE, PART_TORQUE, UNBROKEN
from solver.engine.forces.cams import CAM_SEEN, Cams
from solver.engine.forces.closures import CLOSED_SEEN, Closures
from solver.engine.forces.constraints import Pairs, Symmetries
from solver.engine.forces.contacts.arrays import CONTACT_COLUMNS
from solver.engine.forces.couplings import COUPLING_SEEN, Couplings
from solver.engine.forces.edge_constraint import (
    RAIL_GONE,
    RAIL_SPEED,
    RAIL_WAY,
    SEEN_ALONG,
    EdgeConstraints,
)
from solver.engine.forces.flexible import Bends
from solver.engine.forces.points import arm_of
from solver.engine.forces.rolling import (
    ROLLS,
    SEEN_ACROSS,
    SEEN_APART_OF_ROWS,
    SEEN_GAP,
    SEEN_NORMAL,
    SEEN_SPEED,
    SLIDES,
    Rolls,
)
from solver.engine.forces.system import COUPLED, System, Work, energies
from solver.engine.integrate.flow import AT, Flow
from solver.engine.jit.kernels import inner, kernel, separate, struct
from solver.engine.maths.copying import copy, copy_rows
from solver.engine.maths.spatial import read, write


@struct
class Samples(NamedTuple):
    """One block: a row for each time, then bodies or elements."""

    time: Array
    q: Array
    v: Array
    z: Array
    R: Array
    p: Array
    w: Array
    velocity: Array
    alpha: Array
    acc: Array
    load: Array
    tau: Array
    lines: Array
    bushings: Array
    ties: Array
    rolls: Array
    bends: Array
    symmetries: Array
    contacts: Array
    belts: Array
    winds: Array
    loads: Array
    bags: Array
    bag_loads: Array
    strap_places: Array
    strap_forces: Array
    pieces: Array
    retractors: Array
    coordinates: Array
    signals: Array
    drivers: Array
    eulers: Array
    edge_constraints: Array
    tyres: Array
    couplings: Array
    closures: Array
    cams: Array
    energy: Array


def make_samples(system: System, work: Work, flow: Flow, rows: int) -> Samples:
    """Make room for a block."""
    n = len(system.tree.parent)

    def zeros(*shape: int) -> Array:
        return np.zeros((rows, *shape))

    return Samples(
        time=zeros(), q=zeros(len(flow.q)), v=zeros(len(flow.v)), z=zeros(len(flow.z)),
        R=zeros(n, 9), p=zeros(n, 3), w=zeros(n, 3), velocity=zeros(n, 3),
        alpha=zeros(n, 3), acc=zeros(n, 3), load=zeros(n, 6), tau=zeros(len(flow.v)),
        lines=zeros(*work.on_b.shape), bushings=zeros(*work.bushing.shape), ties=zeros(len(system.pairs.a), 3),
        rolls=zeros(len(system.rolls.kind), 12), bends=zeros(len(system.bends.inside), 18), symmetries=zeros(len(system.symmetries.kind), 12),
        contacts=zeros(len(system.contacts.model.kind), CONTACT_COLUMNS),
        belts=zeros(*system.belts.seen.shape), winds=zeros(len(system.winds.seen), 3), loads=zeros(*system.loads.seen.shape), bags=zeros(*system.bags.workspace.seen.shape),
        bag_loads=zeros(*system.bags.workspace.load.shape),
        strap_places=zeros(*system.straps.workspace.place.shape), strap_forces=zeros(*system.straps.workspace.force.shape),
        pieces=zeros(*system.straps.workspace.seen.shape), retractors=zeros(*system.straps.retractors.present.shape),
        coordinates=zeros(*system.coordinates.seen.shape), signals=zeros(len(system.coordinates.blocks.value)), edge_constraints=zeros(len(system.edge_constraints.m), 6),
        drivers=zeros(*system.drivers.seen.shape), eulers=zeros(len(system.joints.eulers.body), 6),
        tyres=zeros(*system.tyres.seen.shape),
        couplings=zeros(len(system.couplings.a), COUPLING_SEEN + 1), closures=zeros(len(system.closures.a), 6 + CLOSED_SEEN),
        cams=zeros(len(system.cams.a), 4 + CAM_SEEN), energy=zeros(2 + len(work.held)),
    )  # fmt: skip


@inner
def _take_motion(work: Work, flow: Flow, samples: Samples, row: int) -> None:
    """Keep the time, the state and the motion of all bodies."""
    motion, space = work.motion, work.space
    samples.time[row] = flow.clock[AT]
    copy(samples.q[row], flow.qs)
    copy(samples.v[row], flow.vs)
    copy(samples.z[row], flow.zs)
    copy_rows(samples.R[row], motion.R)
    copy_rows(samples.p[row], motion.p)
    copy_rows(samples.w[row], motion.w)
    copy_rows(samples.velocity[row], motion.v)
    copy_rows(samples.alpha[row], space.alpha)
    copy_rows(samples.acc[row], space.acc)
    copy(samples.tau[row], work.applied.tau)


@inner
def _take_joints(system: System, work: Work, samples: Samples, row: int) -> None:
    """Keep what joints carry, those that are breaking too, and the angles and rates of Euler joints."""
    tree, breakings, eulers = system.tree, system.breakings, system.joints.eulers
    for i in range(len(tree.parent)):
        if tree.kind[i] != FREE or system.locked[i] != OPEN:
            carried_load(work.space, i, samples.load[row, i])
        else:
            samples.load[row, i] = 0.0
    for n in range(len(breakings.body)):
        if breakings.state[n] == BREAKING:
            write(samples.load[row, breakings.body[n]], 0, read(breakings.seen[n], PART_TORQUE))
            write(samples.load[row, breakings.body[n]], 3, read(breakings.seen[n], PART_FORCE))
    for k in range(len(eulers.body)):
        for n in range(3):
            samples.eulers[row, k, n] = eulers.angle[k, n] + eulers.centre[k, n]
            samples.eulers[row, k, 3 + n] = eulers.seen[k, n]


@inner
def _take_pairs(pairs: Pairs, rows: Rows, samples: Samples, row: int) -> None:
    """Keep the forces that keep points together, or at a distance."""
    for k in range(len(pairs.a)):
        count = 0 if pairs.broken[k] else 3 if pairs.distance[k] == 0.0 else 1
        force_on_first(rows, pairs.first[k], count, samples.ties[row, k])


@inner
def _take_rolls(rolls: Rolls, work: Work, samples: Samples, row: int) -> None:
    """Keep forces, gaps, places and sliding speeds of what rolls or slides."""
    for k in range(len(rolls.kind)):
        count = 3 if rolls.state[k] == ROLLS else 1 if rolls.state[k] == SLIDES else 0
        out, seen = samples.rolls[row, k], rolls.seen[k]
        force_on_first(work.rows, rolls.first[k], count, out)
        out[3], out[4], out[5] = seen[SEEN_NORMAL], seen[SEEN_ACROSS], seen[SEEN_GAP]
        for c in range(3):
            out[c] -= seen[SEEN_APART_OF_ROWS] * rolls.slip[k, c]
            out[6 + c] = rolls.point[k, c]
            out[9 + c] = seen[SEEN_SPEED] * rolls.slip[k, c]
            if rolls.m[k] >= 0:
                out[6 + c] += work.motion.p[rolls.m[k], c]


@inner
def _take_edge_constraints(
    edge_constraints: EdgeConstraints, work: Work, samples: Samples, row: int
) -> None:
    """Keep forces, ways and speeds of edges on edges."""
    for k in range(len(edge_constraints.m)):
        out, seen = samples.edge_constraints[row, k], edge_constraints.seen[k]
        force_on_first(
            work.rows,
            edge_constraints.first[k],
            0 if edge_constraints.state[k] == RAIL_GONE else 2,
            out,
        )
        along = arm_of(work.motion, edge_constraints.n[k], edge_constraints.along, k)
        for c in range(3):
            out[c] += seen[SEEN_ALONG] * along[c]
        out[3], out[4], out[5] = seen[RAIL_WAY], seen[RAIL_SPEED], seen[SEEN_ALONG]


@inner
def _take_couplings(couplings: Couplings, rows: Rows, samples: Samples, row: int) -> None:
    """Keep what couplings have seen, and their loads on the second axis."""
    for n in range(len(couplings.a)):
        out, r = samples.couplings[row, n], couplings.row[n]
        for c in range(COUPLING_SEEN):
            out[c] = couplings.seen[n, c]
        out[COUPLING_SEEN] = rows.load[r] if r >= 0 else 0.0


@inner
def _take_closures(closures: Closures, rows: Rows, samples: Samples, row: int) -> None:
    """Keep force and torque on the first body, about B's origin, and where B stands."""
    for n in range(len(closures.a)):
        out, first = samples.closures[row, n], closures.first[n]
        force_on_first(rows, first[0], first[1] - first[0], out)
        torque_on_first(rows, first[1], first[2] - first[1], out[3:])
        for c in range(CLOSED_SEEN):
            out[6 + c] = closures.seen[n, c]


@inner
def _take_cams(cams: Cams, rows: Rows, samples: Samples, row: int) -> None:
    """Keep the force on the curve's body, the load across the curve, and where the foot is."""
    for n in range(len(cams.a)):
        out, first = samples.cams[row, n], cams.first[n]
        force_on_first(rows, first, 1 + cams.across[n], out)
        out[3] = rows.load[first]
        for c in range(CAM_SEEN):
            out[4 + c] = cams.seen[n, c]


@inner
def _take_breakables(breakables: Breakables, samples: Samples, row: int) -> None:
    """Keep the loads of constraints that are breaking, in place of those that their rows no longer have."""
    for n in range(len(breakables.what)):
        if breakables.state[n] == UNBROKEN:
            continue
        what, k, load = breakables.what[n], breakables.of[n], read(breakables.load[n], 0)
        if what in (PART_POINTS, PART_DISTANCE):
            write(samples.ties[row, k], 0, load)
        elif what == PART_ROLL:
            write(samples.rolls[row, k], 0, load)
        elif what == PART_RAIL:
            write(samples.edge_constraints[row, k], 0, load)


@inner
def _take_held(
    bends: Bends, symmetries: Symmetries, rows: Rows, samples: Samples, row: int
) -> None:
    """Keep what holds flexible elements and symmetry."""
    for n in range(len(bends.inside)):
        first, out = bends.first[n], samples.bends[row, n]
        load_on_body(rows, first, 3, bends.one[n], out, 0)
        load_on_body(rows, first, 3, bends.last[n], out, 6)
        load_on_body(rows, first, 3, bends.inside[n], out, 12)
    for n in range(len(symmetries.kind)):
        first, out = symmetries.first[n], samples.symmetries[row, n]
        count = symmetries.first[n + 1] - first
        load_on_body(rows, first, count, symmetries.a[n], out, 0)
        if symmetries.b[n] != symmetries.a[n]:
            load_on_body(rows, first, count, symmetries.b[n], out, 6)


@inner
def _take_seen(system: System, work: Work, samples: Samples, row: int) -> None:
    """Keep what elements have written down of themselves at this evaluation."""
    copy_rows(samples.lines[row], work.on_b)
    copy_rows(samples.bushings[row], work.bushing)
    copy_rows(samples.contacts[row], system.contacts.workspace.seen)
    copy_rows(samples.belts[row], system.belts.seen)
    copy_rows(samples.winds[row], system.winds.seen)
    copy_rows(samples.loads[row], system.loads.seen)
    copy_rows(samples.bags[row], system.bags.workspace.seen)
    copy_rows(samples.bag_loads[row], system.bags.workspace.load)
    copy_rows(samples.strap_places[row], system.straps.workspace.place)
    copy_rows(samples.strap_forces[row], system.straps.workspace.force)
    copy_rows(samples.pieces[row], system.straps.workspace.seen)
    copy_rows(samples.retractors[row], system.straps.retractors.present)
    copy_rows(samples.coordinates[row], system.coordinates.seen)
    copy(samples.signals[row], system.coordinates.blocks.value)
    copy_rows(samples.drivers[row], system.drivers.seen)
    copy_rows(samples.tyres[row], system.tyres.seen)


@inner
def _take_energy(system: System, work: Work, samples: Samples, row: int) -> None:
    """Keep kinetic and potential energy, and what each kind of element holds."""
    energies(system.tree, work.motion, system.gravity, samples.energy[row])
    samples.energy[row, 0] += work.held[COUPLED]
    for k in range(len(work.held)):
        samples.energy[row, 2 + k] = 0.0 if k == COUPLED else work.held[k]


@separate
@kernel
def take(system: System, work: Work, flow: Flow, samples: Samples, row: int) -> None:
    """Keep the state that has just been evaluated."""
    _take_motion(work, flow, samples, row)
    _take_joints(system, work, samples, row)
    _take_pairs(system.pairs, work.rows, samples, row)
    _take_rolls(system.rolls, work, samples, row)
    _take_edge_constraints(system.edge_constraints, work, samples, row)
    _take_couplings(system.couplings, work.rows, samples, row)
    _take_closures(system.closures, work.rows, samples, row)
    _take_cams(system.cams, work.rows, samples, row)
    _take_held(system.bends, system.symmetries, work.rows, samples, row)
    _take_breakables(system.breakables, samples, row)
    _take_seen(system, work, samples, row)
    _take_energy(system, work, samples, row)
