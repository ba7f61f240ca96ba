"""All that acts on all bodies, gathered: the rates of a model's state.

The state is `q` (coordinates), `v` (speeds) and `z` (work done by each cause since the start).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.engine.dynamics.drive import Drives, drive
from solver.engine.dynamics.forward import accelerations
from solver.engine.dynamics.modes import modal_forces
from solver.engine.dynamics.respond import carried_load
from solver.engine.dynamics.rows import Rows, constrain, make_rows
from solver.engine.dynamics.tree import (
    SOLVED,
    Array,
    IntArray,
    Motion,
    Tree,
    kinematics,
    kinetic_energy,
    make_applied,
    make_motion,
    make_workspace,
    weight_energy,
)
from solver.engine.forces.airbags.arrays import Airbags
from solver.engine.forces.airbags.kernels import bag_forces
from solver.engine.forces.belts import Belts, belt_forces
from solver.engine.forces.breakable import (
    Breakables,
    Ties,
    breakable_events,
    breakable_forces,
)
from solver.engine.forces.breaking import Breakings, breaking_forces
from solver.engine.forces.cams import Cams, cam_rows
from solver.engine.forces.closures import Closures, closure_rows
from solver.engine.forces.constraints import (
    Pairs,
    Symmetries,
    coupled_energy,
    pair_rows,
    symmetry_rows,
)
from solver.engine.forces.contacts.arrays import Contacts
from solver.engine.forces.contacts.kernels import contact_forces
from solver.engine.forces.coordinates.arrays import Coordinates
from solver.engine.forces.coordinates.kernels import coordinate_forces
from solver.engine.forces.couplings import Couplings, coupling_rows
from solver.engine.forces.drivers import Drivers, drive_axes, driver_rows, watch_drivers
from solver.engine.forces.edge_constraint import (
    EdgeConstraints,
    edge_events,
    edge_forces,
    edge_rows,
)
from solver.engine.forces.flexible import Bends, bend_rows
from solver.engine.forces.impulses import make_impacts
from solver.engine.forces.joints.bearings import BALANCE_ROUNDS, balance_bearings
from solver.engine.forces.joints.kernels import JointLaws, joint_torques
from solver.engine.forces.joints.springs import Relaxings, relaxing_torques
from solver.engine.forces.laws import Laws
from solver.engine.forces.loads import Loads, Winds, load_forces, wind_forces
from solver.engine.forces.own import OwnLaws, own_forces
from solver.engine.forces.rolling import (
    Rolls,
    rolling_forces,
    rolling_loads,
    rolling_rows,
    watch_rolling,
)
from solver.engine.forces.springs import Bushings, Lines, bushing_forces, line_forces
from solver.engine.forces.state import Around, Bodies, Elements, Moment, State
from solver.engine.forces.straps.arrays import Straps
from solver.engine.forces.straps.kernels import strap_forces
from solver.engine.forces.straps.retractors import retractor_events, wind_up
from solver.engine.forces.strikes import IMPULSE_ROUNDS, impact_room
from solver.engine.forces.surfaces import Planes, Surfaces, place_surfaces
from solver.engine.forces.switches import Switches, kept_loads, watch
from solver.engine.forces.traces import TRACE_ROUNDS, Traces, energy_of_traces, take_out
from solver.engine.forces.triggers import Triggers, watch_triggers
from solver.engine.forces.tyres import Tyres, tyre_forces
from solver.engine.forces.workspace import Work as Work
from solver.engine.jit.kernels import inlined, kernel, separate, struct
from solver.engine.maths.curve import Curves

(
    JOINT_SPRINGS, JOINT_FRICTION, SPRINGS, LOADS, MOTIONS, IMPULSES, ROLLING, CONTACTS,
    CONTACT_FRICTION, BELTS, WINDS, AIRBAGS, AIRBAG_FRICTION, HARNESSES, BELT_PLANES,
    CONTACT_GEOMETRY, COORDINATE_LAWS, MUSCLES, TYRES,
) = range(19)  # fmt: skip
CAUSES = (
    "joint springs",
    "joint friction",
    "springs",
    "loads",
    "motions",
    "impulses",
    "rolling",
    "contacts",
    "contact friction",
    "belts",
    "winds",
    "airbags",
    "airbag friction",
    "harnesses",
    "belt planes",
    "contact geometry",
    "coordinate forces",
    "muscles",
    "tyres",
)

(
    IN_JOINTS, IN_SPRINGS, COUPLED, IN_CONTACTS, IN_BELTS, IN_HARNESSES, IN_COORDINATES,
    IN_CONTACT_FRICTION, IN_AIRBAG_FRICTION, IN_TYRES, ALL_HELD,
) = range(11)  # fmt: skip
"""Entries of `held`: energy in joints, springs, contacts, belts, harnesses, laws of coordinates, and bristles of contacts
and bags, tyres; kinetic energy of coupled masses; and how many."""

JOINT_EVENTS, ROLL_EVENTS, CONTACT_EVENTS, BELT_EVENTS, WIND_EVENTS = range(5)
TRIGGER_EVENTS, BAG_EVENTS, SPOOL_EVENTS, STRAP_EVENTS, COORDINATE_EVENTS = range(5, 10)
EDGE_EVENTS, BREAKABLE_EVENTS, DRIVER_EVENTS, ALL_EVENTS = range(10, 14)
"""Entries of `first`: where the events of each kind begin, and how many there are in all."""

FIRST_FLAT = -2
"""Says, less its number, which driver's angles are too flat to be told apart (`evaluate`)."""

LOCK_ROWS, HEAL_ROWS = 3, 6
"""Rows of the impulse that locks a joint, and of one that closes a joint again."""


@struct
class System(NamedTuple):
    """A model: what never changes in a run, and the modes (`tree`, `locked`) that events change."""

    tree: Tree
    locked: IntArray
    first: IntArray
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
    surfaces: Surfaces
    planes: Planes
    laws: Laws
    contacts: Contacts
    belts: Belts
    winds: Winds
    triggers: Triggers
    bags: Airbags
    straps: Straps
    coordinates: Coordinates
    breakings: Breakings
    edge_constraints: EdgeConstraints
    breakables: Breakables
    drivers: Drivers
    relaxings: Relaxings
    own: OwnLaws
    tyres: Tyres
    couplings: Couplings
    closures: Closures
    cams: Cams
    traces: Traces


def make_work(system: System, speeds: int, rows: int) -> Work:
    """Make room for evaluations of one system with that many rows of constraints."""
    pairs, stops = impact_room(system.contacts, system.laws, system.switches)
    # one more, for a stop of which it is yet to be seen whether it strikes
    closes = HEAL_ROWS if np.any(system.breakings.heal > 0.0) else LOCK_ROWS
    spare = max(closes, 3 * pairs + 1)
    return Work(
        motion=make_motion(system.tree),
        space=make_workspace(system.tree),
        applied=make_applied(system.tree, speeds),
        sums=np.zeros(5),
        load=np.zeros(6),
        held=np.zeros(ALL_HELD),
        on_b=np.zeros((len(system.lines.a), 4)),
        bushing=np.zeros((len(system.bushings.a), 7)),
        g=np.zeros(system.first[ALL_EVENTS]),
        rows=make_rows(system.tree, speeds, rows + spare, spare),
        impacts=make_impacts(
            pairs, stops, len(system.contacts.model.kind), IMPULSE_ROUNDS, len(system.tree.parent)
        ),
    )


@inlined
def around_of(system: System, motion: Motion) -> Around:
    """What contacts, webbing and bags meet."""
    return Around(
        system.laws, system.curves, system.surfaces, system.planes, system.gravity, motion
    )


@separate
@kernel
def evaluate(
    system: System, work: Work, t: float, within: float, state: State, rates: Array, powers: Array
) -> int:
    """The rates of all speeds and the power of each cause.

    `z` of the state holds the work of all causes, and behind it the states of elements; its rates go to `powers`.
    Coordinates and speeds of driven bodies are set. Gives SOLVED, the body that nothing moves, or
    below -1 the driver that cannot move its angle.
    """
    tree, motion, applied = system.tree, work.motion, work.applied
    moment = Moment(t, within, system.triggers.fires)
    bodies = Bodies(tree, system.locked, motion, work.space, state.q, state.v)
    elements = Elements(state.z, powers)
    around = around_of(system, motion)
    drive(system.drives, tree, t, within, state.q, state.v, rates)
    if len(system.drivers.axis):
        drive_axes(system.drivers, tree, moment, state.q, state.v, rates)
    kinematics(tree, system.locked, state.q, state.v, motion)
    applied.torque[:] = 0.0
    applied.force[:] = 0.0
    applied.tau[:] = 0.0
    _add_joints(system, work, bodies, elements)
    _add_loads_and_springs(system, work, moment, elements)
    if len(tree.modals.frame):
        _add_modes(work, bodies, powers)
    _add_coordinates(system, work, bodies, moment, elements)
    _add_tyres(system, work, moment, elements)
    _add_contacts(system, work, around, t, powers)
    _add_webbing(system, work, around, t, powers)
    _add_air(system, work, around, moment, elements)
    status = _find_rates(system, work, bodies, moment, rates, powers)
    _watch(system, work, bodies, t)
    _add_motions(system, work, bodies, moment, powers)
    return status


@inlined
def _add_joints(system: System, work: Work, bodies: Bodies, elements: Elements) -> None:
    """Add springs, stops and friction of joints, their dampers, what slips, and what is breaking (section 6)."""
    tree, motion, applied, sums = system.tree, work.motion, work.applied, work.sums
    z, powers = elements.z, elements.rates
    joint_torques(system.joints, system.curves, bodies, applied, sums)
    work.held[IN_JOINTS] = sums[0]
    powers[JOINT_SPRINGS], powers[JOINT_FRICTION] = sums[1], sums[2]
    if len(system.relaxings.body):
        relaxing_torques(system.relaxings, tree, bodies.v, z, powers, applied.tau, sums)
        work.held[IN_JOINTS] += sums[0]
        powers[JOINT_SPRINGS] += sums[1]
        powers[JOINT_FRICTION] += sums[2]
    if len(system.switches.kind):
        powers[JOINT_FRICTION] += kept_loads(system.switches, tree, bodies.v, applied.tau)
    if len(system.breakings.body):
        breaking_forces(
            system.breakings, motion, z, powers, applied.torque, applied.force, sums
        )  # fmt: skip
        work.held[IN_JOINTS] += sums[0]
        powers[JOINT_SPRINGS] += sums[1]


@inlined
def _add_loads_and_springs(system: System, work: Work, moment: Moment, elements: Elements) -> None:
    """Add loads by time, springs, bushings and users' laws between segments, and constraints that are breaking."""
    motion, applied, sums, powers = work.motion, work.applied, work.sums, elements.rates
    powers[LOADS] = 0.0
    if len(system.loads.body):
        powers[LOADS] = load_forces(system.loads, moment, motion, applied)
    sums[0] = sums[1] = 0.0
    if len(system.lines.a):
        line_forces(system.lines, system.curves, motion, applied, work.on_b, sums)
    if len(system.bushings.a):
        bushing_forces(system.bushings, motion, applied, work.bushing, sums)
    if len(system.own.address):
        own_forces(system.own, motion, moment.t, applied, sums)
    if len(system.breakables.what):
        breakable_forces(
            system.breakables, system.pairs, motion, elements.z, powers, applied.torque, applied.force, sums
        )  # fmt: skip
    work.held[IN_SPRINGS], powers[SPRINGS] = sums[0], sums[1]


@inlined
def _add_modes(work: Work, bodies: Bodies, powers: Array) -> None:
    """Add stiffness and damping of the modes of bodies that bend, to what springs hold and lose."""
    sums = work.sums
    sums[0] = sums[1] = 0.0
    modal_forces(bodies.tree.modals, bodies.q, bodies.v, work.applied.tau, sums)
    work.held[IN_SPRINGS] += sums[0]
    powers[SPRINGS] += sums[1]


@inlined
def _add_coordinates(
    system: System, work: Work, bodies: Bodies, moment: Moment, elements: Elements
) -> None:
    """Add laws on coordinates, muscles and actuators."""
    held = power = of_muscles = 0.0
    if len(system.coordinates.kind):
        held, power, of_muscles = coordinate_forces(
            system.coordinates, system.joints.eulers, system.curves, bodies, moment, elements,
            work.applied, work.g[system.first[COORDINATE_EVENTS] :],
        )  # fmt: skip
    work.held[IN_COORDINATES] = held
    elements.rates[COORDINATE_LAWS], elements.rates[MUSCLES] = power, of_muscles


@inlined
def _add_tyres(system: System, work: Work, moment: Moment, elements: Elements) -> None:
    """Add tyres with their brakes; what drives them is work of loads."""
    sums, powers = work.sums, elements.rates
    sums[0] = sums[1] = 0.0
    if len(system.tyres.wheel):
        tyre_forces(system.tyres, system.curves, moment, work.motion, elements, work.applied, sums)
        powers[LOADS] += sums[2]
    work.held[IN_TYRES], powers[TYRES] = sums[0], sums[1]


@inlined
def _add_contacts(system: System, work: Work, around: Around, t: float, powers: Array) -> None:
    """Place all surfaces, and add the contacts between them."""
    applied, sums = work.applied, work.sums
    sums[0] = sums[1] = sums[2] = sums[3] = sums[4] = 0.0
    if len(system.surfaces.body):
        place_surfaces(system.surfaces, system.planes, work.motion)
    if len(system.contacts.model.kind):
        system.contacts.workspace.time[0] = t
        contact_forces(
            system.contacts, around, applied, work.g[system.first[CONTACT_EVENTS] :], sums
        )
    work.held[IN_CONTACTS], work.held[IN_CONTACT_FRICTION] = sums[0], sums[4]
    powers[CONTACTS], powers[CONTACT_FRICTION] = sums[1] - sums[3], sums[2]
    powers[CONTACT_GEOMETRY] = sums[3]


@inlined
def _add_webbing(system: System, work: Work, around: Around, t: float, powers: Array) -> None:
    """Add simple belts and harnesses."""
    applied, sums = work.applied, work.sums
    held = power = of_planes = 0.0
    if len(system.belts.a):
        held, power, of_planes = belt_forces(
            system.belts, system.laws, system.surfaces, system.curves, work.motion, applied,
            work.g[system.first[BELT_EVENTS] :],
        )  # fmt: skip
    work.held[IN_BELTS], powers[BELTS], powers[BELT_PLANES] = held, power, of_planes
    sums[0] = sums[1] = 0.0
    if len(system.straps.model.kind):
        wind_up(system.straps.retractors, system.curves, system.triggers, t)
        strap_forces(system.straps, around, t, applied, work.g[system.first[STRAP_EVENTS] :], sums)
    work.held[IN_HARNESSES], powers[HARNESSES] = sums[0], sums[1]


@inlined
def _add_air(
    system: System, work: Work, around: Around, moment: Moment, elements: Elements
) -> None:
    """Add winds and airbags."""
    applied, sums, powers = work.applied, work.sums, elements.rates
    powers[WINDS] = 0.0
    if len(system.winds.surface):
        powers[WINDS] = wind_forces(
            system.winds, system.surfaces, system.planes, system.curves, work.motion, moment.t, applied,
            work.g[system.first[WIND_EVENTS] :],
        )  # fmt: skip
    sums[0] = sums[1] = sums[2] = 0.0
    if len(system.bags.model.body):
        gas = Elements(elements.z[len(CAUSES) :], powers[len(CAUSES) :])
        bag_forces(
            system.bags, around, system.tree, moment, gas, applied, work.g[system.first[BAG_EVENTS] :], sums
        )  # fmt: skip
    powers[AIRBAGS], powers[AIRBAG_FRICTION] = sums[0], sums[1]
    work.held[IN_AIRBAG_FRICTION] = sums[2]


@inlined
def _find_rates(
    system: System, work: Work, bodies: Bodies, moment: Moment, rates: Array, powers: Array
) -> int:
    """Solve the equations of motion with all constraints, and friction by what they give in joints."""
    tree, locked, motion, space, _, v = bodies
    applied, bearings, slid, status = work.applied, system.joints.bearings, 0.0, SOLVED
    if len(system.rolls.kind):
        rolling_forces(system.rolls, motion, applied)
    if len(system.edge_constraints.m):
        slid = edge_forces(system.edge_constraints, motion, applied)
    powers[ROLLING] = slid
    work.held[COUPLED] = 0.0
    traced = len(system.traces.body) > 0
    system.traces.load[:] = 0.0
    for turn in range(BALANCE_ROUNDS):
        for again in range(TRACE_ROUNDS if traced else 1):
            if again > 0:
                take_out(system.traces, motion, space, system.gravity, applied)
            status = accelerations(tree, locked, v, motion, applied, system.gravity, space, rates)
            if status == SOLVED and work.rows.used[3] > 0:
                flat = gather_rows(system, bodies.q, v, motion, moment.t, moment.within, work.rows)
                if flat >= 0:
                    status = FIRST_FLAT - flat
                work.held[COUPLED] = coupled_energy(system.pairs, work.rows)
                constrain(tree, locked, motion, space, work.rows, rates)
                powers[ROLLING] = slid + rolling_loads(system.rolls, work.rows)
            if status != SOLVED:
                break
        if len(bearings.body) == 0 or status != SOLVED:
            break
        if balance_bearings(
            bearings, system.joints.eulers, bodies, turn, work.load, applied.tau, work.sums
        ):
            powers[JOINT_FRICTION] += work.sums[0]
            break
    if traced:
        work.held[COUPLED] -= energy_of_traces(system.traces, motion, system.gravity)
    return status


@inlined
def _watch(system: System, work: Work, bodies: Bodies, t: float) -> None:
    """The functions of events of joints, constraints, triggers and retractors, by the rates just found."""
    motion, space, rows, g = work.motion, work.space, work.rows, work.g
    if len(system.switches.kind):
        watch(
            system.switches, system.joints, system.breakings, bodies, work.applied.tau, work.load, g
        )
    watch_rolling(system.rolls, g, system.first[ROLL_EVENTS])
    if len(system.edge_constraints.m):
        edge_events(system.edge_constraints, rows, g, system.first[EDGE_EVENTS])
    if len(system.breakables.what):
        breakable_events(
            system.breakables, Ties(system.pairs, system.rolls, system.edge_constraints), motion, rows, g, system.first[BREAKABLE_EVENTS],
        )  # fmt: skip
    if len(system.triggers.what):
        watch_triggers(
            system.triggers, bodies, system.contacts.workspace.seen, system.belts.seen, system.straps, system.bags.workspace.seen, t,
            work.g[system.first[TRIGGER_EVENTS] :],
        )  # fmt: skip
    if len(system.straps.retractors.point):
        retractor_events(system.straps.retractors, motion, space, t, g, system.first[SPOOL_EVENTS])


@inlined
def _add_motions(system: System, work: Work, bodies: Bodies, moment: Moment, powers: Array) -> None:
    """Find the power of prescribed motions and of drivers, by the loads that their joints carry."""
    motion, carried = work.motion, work.load
    powers[MOTIONS] = powers[IMPULSES] = 0.0
    for d in range(len(system.drives.body)):
        i = system.drives.body[d]
        carried_load(work.space, i, carried)
        for k in range(3):
            powers[MOTIONS] += carried[k] * motion.w[i, k] + carried[3 + k] * motion.v[i, k]
    if len(system.drivers.axis):
        powers[MOTIONS] += watch_drivers(
            system.drivers, system.joints, bodies, work.rows, moment, work.applied, carried,
            work.g[system.first[DRIVER_EVENTS] :],
        )  # fmt: skip


@separate
def gather_rows(
    system: System, q: Array, v: Array, motion: Motion, t: float, within: float, rows: Rows
) -> int:
    """Write down all that constraints and drivers ask for; gives a driver whose angles are too flat, or -1."""
    rows.used[0] = 0
    pair_rows(system.pairs, motion, rows)
    bend_rows(system.bends, motion, rows)
    symmetry_rows(system.symmetries, motion, rows)
    rolling_rows(system.rolls, motion, rows)
    edge_rows(system.edge_constraints, motion, rows)
    if len(system.closures.a):
        closure_rows(system.closures, motion, rows)
    if len(system.cams.a):
        cam_rows(system.cams, motion, rows)
    if len(system.couplings.a):
        coupling_rows(system.couplings, system.tree, motion, q, v, rows)
    if len(system.drivers.axis) == 0:
        return -1
    return driver_rows(system.drivers, motion, Moment(t, within, system.triggers.fires), rows)


@kernel
def energies(tree: Tree, motion: Motion, g: Array, out: Array) -> None:
    """Give kinetic energy, and potential energy of weight from the ground's origin."""
    out[0], out[1] = kinetic_energy(tree, motion), weight_energy(tree, motion, g)
