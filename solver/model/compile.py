"""Make a checked project into the arrays of a run."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from solver.base.words import Sentence
from solver.engine.dynamics.tree import DRIVEN, Array, IntArray
from solver.engine.forces.breakable import HEAL, PARTING_TURNS
from solver.engine.forces.edge_constraint import EDGE_AUTO
from solver.engine.forces.event_numbers import first_of
from solver.engine.forces.joints.springs import COMPONENTS
from solver.engine.forces.own import no_laws
from solver.engine.forces.rolling import AUTO, ROLLS
from solver.engine.forces.switches import FREES
from solver.engine.forces.system import (
    ALL_EVENTS,
    BREAKABLE_EVENTS,
    CAUSES,
    CONTACT_EVENTS,
    EDGE_EVENTS,
    System,
)
from solver.engine.forces.tyres import TYRE_STATES
from solver.engine.integrate.implicit import make_implicit
from solver.engine.integrate.plan import Method
from solver.engine.integrate.stages import (
    BOGACKI_SHAMPINE,
    DOPRI,
    ENERGY_MOMENTUM,
    IMPLICIT,
    RK4,
    SEMI_IMPLICIT_EULER,
    VEI,
)
from solver.engine.integrate.vei import VECTORS, Exponential, make_exponential
from solver.model.airbags import compile_airbags, compile_triggers
from solver.model.arrays import reals, states_of, triggers_of, wholes
from solver.model.closures import (
    compile_cams,
    compile_closures,
    compile_couplings,
    rows_of_closures,
)
from solver.model.coordinates import compile_coordinates
from solver.model.event_sorts import sorts_of_events
from solver.model.functions import Numbered
from solver.model.harness import compile_belts, compile_harnesses, devices_of
from solver.model.joints import compile_joints, compile_relaxings
from solver.model.links import (
    compile_bends,
    compile_breakables,
    compile_bushings,
    compile_edge_constraints,
    compile_lines,
    compile_pairs,
    compile_rolls,
    compile_symmetries,
    rolls_of,
    rows_needed,
)
from solver.model.motions import (
    compile_drivers,
    compile_drives,
    compile_loads,
    compile_winds,
    rows_of_drivers,
    triggers_of_drivers,
    wind_stops,
)
from solver.model.start import start_speeds
from solver.model.surfaces import (
    SurfaceNumbers,
    compile_contacts,
    compile_laws,
    compile_planes,
    compile_surfaces,
)
from solver.model.switches import compile_breakings, compile_switches
from solver.model.tree import Trees, compile_traces, compile_trees, copied
from solver.model.tyres import compile_tyres
from solver.project.checks import Checked, refuse_broken
from solver.project.document import Project
from solver.project.expanding import expanded
from solver.project.pose import start_pose
from solver.project.runs import (
    BogackiShampine,
    ConvergenceTests,
    DormandPrince,
    EnergyMomentum,
    Implicit,
    Run,
    RungeKutta4,
    SemiImplicitEuler,
    StepsByError,
    VectorExponential,
)


class Modes(NamedTuple):
    """What events change: kinds of elementary bodies, how they are held, what rolls or slides."""

    kind: IntArray
    locked: IntArray
    rolling: IntArray
    edges: IntArray
    parting: IntArray
    """How far constraints that may break are broken."""
    hanging: IntArray
    """Which ball laws are of joints that have broken, and whose parts stay together."""

    def at(self, rows: int) -> Modes:
        """Give them for some samples, a row each; kinds are those of all."""
        return Modes(self.kind, *(np.broadcast_to(one, (rows, len(one))) for one in self[1:]))


@dataclass(frozen=True)
class Model:
    """A project as arrays: what acts, where and how fast everything starts, what breaks when."""

    project: Project
    system: System
    trees: Trees
    q: Array
    v: Array
    z: Array
    states: int
    breaks: Array
    rows: int
    events: tuple[tuple[str, str], ...]
    """Kinds of the events of joints and rolling, and paths of what they happen to, in order."""
    notes: tuple[Sentence, ...]
    """What a run's log says before anything else."""

    def fresh(self) -> Model:
        """A copy for one run, whose events leave this one as it is."""
        return replace(self, system=copied(self.system))

    def level(self) -> IntArray:
        """Mark the events that happen as soon as their function is above zero."""
        # whether a pair rolls or slides from the start shows in its speed
        rolls = (self.system.rolls.state == ROLLS) | (self.system.rolls.rule == AUTO)
        turns = np.stack([rolls, np.ones_like(rolls)], axis=1).ravel()
        first = self.system.first
        laws = np.ones(first[ALL_EVENTS] - first[CONTACT_EVENTS], np.int64)
        edges = self.system.edge_constraints
        laws[first[EDGE_EVENTS] - first[CONTACT_EVENTS] :][: len(edges.m)] = edges.rule == EDGE_AUTO
        # what closes again must have come back
        laws[first[BREAKABLE_EVENTS] - first[CONTACT_EVENTS] + HEAL :: PARTING_TURNS] = 0
        return np.concatenate([self.system.switches.level, turns.astype(np.int64), laws])

    def frees(self) -> IntArray:
        """Mark the events that set something free."""
        first, kinds = self.system.first, self.system.switches.kind
        marks = np.zeros(first[ALL_EVENTS], np.int64)
        marks[: len(kinds)] = np.isin(kinds, FREES)
        breakables = marks[first[BREAKABLE_EVENTS] :][
            : PARTING_TURNS * len(self.system.breakables.state)
        ]
        breakables[:] = 1
        breakables[HEAL::PARTING_TURNS] = 0
        return marks

    def marks(self) -> tuple[IntArray, IntArray, IntArray]:
        """Mark the events of level, those that set something free, and of which sort each is."""
        return self.level(), self.frees(), sorts_of_events(self.system)

    def modes(self) -> Modes:
        """The modes as they are now."""
        system = self.system
        parting, hanging = system.breakables.state.copy(), system.joints.balls.broken.copy()
        kind, locked = system.tree.kind.copy(), system.locked.copy()
        return Modes(
            kind,
            locked,
            system.rolls.state.copy(),
            system.edge_constraints.state.copy(),
            parting,
            hanging,
        )

    def segment_of(self, body: int) -> str:
        """Name the segment that an elementary body carries, for messages."""
        by_body = {b: s for s, b in self.trees.body_of.items()}
        bags = zip(self.trees.bag_bodies, self.project.airbags, strict=True)
        by_body |= {b: bag.id for b, bag in bags}
        modals = self.system.tree.modals
        for b, frame in enumerate(modals.frame):
            modes = modals.body[modals.first[b] : modals.first[b + 1]]
            by_body |= {int(mode): by_body[int(frame)] for mode in modes}
        while body not in by_body:
            # bodies without mass stand just before the one with it
            body += 1
        return by_body[body]


def compile_model(project: Project | Checked, as_printed: bool = False) -> Model:
    """Make the arrays of a project that has passed the checks; laws as the old program has them, or as each says.

    Unless somebody vouches for it, references and topology are looked at once more: where these do not
    hold, arrays lead kernels astray. Raises ProjectError.
    """
    if isinstance(project, Checked):
        project = project.project
    else:
        refuse_broken(project)
    project = expanded(project)
    trees = compile_trees(project)
    pose = start_pose(project)
    functions = Numbered(project)
    drives, drive_breaks = compile_drives(project, pose, trees, functions)
    trees.locked[drives.body] = DRIVEN
    joints, numbers = compile_joints(project, trees, functions, as_printed)
    switches, events = compile_switches(project, trees, numbers)
    loads, load_breaks = compile_loads(project, trees, functions)
    lines = compile_lines(project, trees, functions, pose)
    bushings = compile_bushings(project, trees)
    pairs = compile_pairs(project, trees, pose)
    bends = compile_bends(project, trees)
    symmetries = compile_symmetries(project, trees, pose)
    rolls = compile_rolls(project, trees, pose)
    edge_constraints = compile_edge_constraints(project, trees, pose)
    couplings = compile_couplings(project, trees)
    closures = compile_closures(project, trees)
    cams = compile_cams(project, trees, pose)
    numbers_of_surfaces = SurfaceNumbers(project)
    laws, law_numbers = compile_laws(project, functions, as_printed)
    surfaces = compile_surfaces(project, trees)
    contacts = compile_contacts(project, numbers_of_surfaces, law_numbers, surfaces, trees)
    belts = compile_belts(project, trees, numbers_of_surfaces, law_numbers, pose)
    fired = [bag.trigger for bag in project.airbags]
    straps, strap_breaks = compile_harnesses(
        project, trees, law_numbers, functions, pose, len(fired)
    )
    fired += [d.pretensioner.trigger for _, d, _ in devices_of(project) if d.pretensioner]
    clock = len(fired)
    fired += [trigger for _, trigger in triggers_of(project)]
    drivers, driver_breaks = compile_drivers(project, pose, trees, functions, numbers, len(fired))
    fired += [trigger for _, trigger in triggers_of_drivers(project)]
    triggers = compile_triggers(project, trees, fired)
    bags, gas = compile_airbags(project, trees, numbers_of_surfaces, functions, 0)
    coordinates, coordinate_breaks = compile_coordinates(
        project, trees, functions, pose, clock, len(CAUSES) + len(gas)
    )
    timed = states_of(project)
    breakings = compile_breakings(project, trees, len(CAUSES) + len(gas) + timed)
    fading = timed + 2 * len(breakings.body)
    breakables = compile_breakables(
        project, trees, pairs, rolls, edge_constraints, len(CAUSES) + len(gas) + fading
    )
    slow = fading + len(breakables.what)
    relaxings = compile_relaxings(project, trees, len(CAUSES) + len(gas) + slow)
    slow += COMPONENTS * len(relaxings.body)
    tyres, tyre_breaks = compile_tyres(project, trees, functions, len(CAUSES) + len(gas) + slow)
    states = [*gas, *np.zeros(slow + TYRE_STATES * len(tyres.wheel))]
    winds = compile_winds(project, trees, numbers_of_surfaces, functions)
    v, notes = start_speeds(project, trees, drives, drivers, pose)
    system = System(
        tree=trees.tree,
        locked=trees.locked,
        first=np.zeros(0, np.int64),
        gravity=np.array(project.gravity_m_per_s2, float),
        drives=drives,
        curves=functions.curves(),
        joints=joints,
        loads=loads,
        lines=lines,
        bushings=bushings,
        pairs=pairs,
        bends=bends,
        symmetries=symmetries,
        rolls=rolls,
        switches=switches,
        surfaces=surfaces,
        planes=compile_planes(project, trees),
        laws=laws,
        contacts=contacts,
        belts=belts,
        winds=winds,
        triggers=triggers,
        bags=bags,
        straps=straps,
        coordinates=coordinates,
        breakings=breakings,
        edge_constraints=edge_constraints,
        breakables=breakables,
        drivers=drivers,
        relaxings=relaxings,
        own=no_laws(),
        tyres=tyres,
        couplings=couplings,
        closures=closures,
        cams=cams,
        traces=compile_traces(project, trees),
    )
    system = system._replace(first=first_of(system))
    ends = (
        *drive_breaks,
        *driver_breaks,
        *load_breaks,
        *strap_breaks,
        *coordinate_breaks,
        *tyre_breaks,
        *wind_stops(project, functions),
    )
    breaks = np.unique([t for t in ends if t > 0.0])
    events += tuple(
        (kind, f"constraints/{r.id}")
        for r in rolls_of(project)
        for kind in ("rolling_changes", "rolling_lets_go")
    )
    rows = rows_needed(pairs, bends, symmetries, rolls, edge_constraints) + rows_of_drivers(drivers)
    rows += rows_of_closures(couplings, closures, cams)
    z = np.concatenate([np.zeros(len(CAUSES)), states])
    return Model(
        project,
        system,
        trees,
        trees.q,
        v,
        z,
        len(states),
        breaks,
        rows,
        events,
        notes,
    )


# Make the integrator of a run into the kernels' form.

MOST_SPEEDS = 150
"""Speeds up to which the implicit method may take over: its factors take time by their third power."""


def allowed_to_third(relative: float) -> float:
    """What the estimate of a step of third order may be for its error to keep to what is asked.

    The estimate, of the second order, goes with the third power of the step, the error with the fourth.
    """
    return float(relative**0.75)


SHORTEST = 1024.0
"""By how much a step that keeps energy may be shorter than what is asked for, before the run is given up."""


def method_of(run: Run, model: Model) -> Method:
    """A run's method in the kernels' form, with its memory if it has one."""
    i, speeds = run.integrator, len(model.v)
    # what is sensed late has been kept by then: no step is longer than the shortest reflex time
    lag = float(min(model.system.coordinates.lag, default=math.inf))
    vei = compile_vei(i, model.trees, run.frame_interval_s)
    pair = isinstance(i, DormandPrince | BogackiShampine) and i.when_stiff == "implicit"
    changes = pair and speeds <= MOST_SPEEDS
    tree = model.system.tree
    implicit = make_implicit(tree, 0)
    if isinstance(i, StepsByError) and (changes or isinstance(i, Implicit)):
        implicit = make_implicit(
            tree, speeds, model.states, i.relative_tolerance, i.absolute_tolerance
        )
    if isinstance(i, EnergyMomentum):
        implicit = make_implicit(tree, speeds, model.states, balanced=True)
        return Method(
            ENERGY_MOMENTUM, 0.0, 0.0, i.step_s, i.step_s, i.step_s / SHORTEST, vei, implicit
        )
    if isinstance(i, DormandPrince):
        return Method(
            DOPRI, i.relative_tolerance, i.absolute_tolerance, i.first_step_s or 0.0,
            min(i.largest_step_s, lag), i.smallest_step_s, vei, implicit,
        )  # fmt: skip
    if isinstance(i, BogackiShampine):
        allowed = allowed_to_third(i.relative_tolerance)
        return Method(
            BOGACKI_SHAMPINE, allowed, i.absolute_tolerance * allowed / i.relative_tolerance, i.first_step_s or 0.0,
            min(i.largest_step_s, lag), i.smallest_step_s, vei, implicit,
        )  # fmt: skip
    if isinstance(i, Implicit):
        return Method(
            IMPLICIT, i.relative_tolerance, i.absolute_tolerance, i.first_step_s or 0.0,
            min(i.largest_step_s, lag), i.smallest_step_s, vei, implicit,
        )  # fmt: skip
    if isinstance(i, VectorExponential):
        return Method(
            VEI,
            0.0,
            0.0,
            i.first_step_s,
            min(i.largest_step_s, lag),
            i.smallest_step_s,
            vei,
            implicit,
        )
    kind = RK4 if isinstance(i, RungeKutta4) else SEMI_IMPLICIT_EULER
    assert isinstance(i, RungeKutta4 | SemiImplicitEuler)
    step = min(i.step_s, lag)
    return Method(kind, 0.0, 0.0, step, step, step, vei, implicit)


def longest_step(run: Run) -> float:
    """The length that no step of a run exceeds (s)."""
    i = run.integrator
    if isinstance(i, EnergyMomentum | RungeKutta4 | SemiImplicitEuler):
        return i.step_s
    return i.largest_step_s


# Make settings of the vector exponential integrator into arrays.

AT_REST = 1e-6
"""Angular acceleration (rad/s^2) that is none, where the run names no tests."""


def compile_vei(
    integrator: StepsByError | VectorExponential | EnergyMomentum | RungeKutta4 | SemiImplicitEuler,
    trees: Trees,
    output_every: float = 0.0,
) -> Exponential:
    """The integrator's arrays and tests; for other methods they stand idle."""
    i = integrator if isinstance(integrator, VectorExponential) else VectorExponential(kind="vei")
    tests = i.tests or [
        ConvergenceTests(segment=s, vector="angular_acceleration", magnitude=AT_REST)
        for s in trees.body_of
    ]
    return make_exponential(
        trees.tree, trees.speeds, i.iterations, i.memory_rate_per_s,
        wholes(((trees.body_of[t.segment], VECTORS.index(t.vector)) for t in tests), 2),
        reals(((t.magnitude, t.absolute, t.relative) for t in tests), 3),
        output_every if i.as_program else 0.0,
    )  # fmt: skip
