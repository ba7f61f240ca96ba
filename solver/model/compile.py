"""Make a checked project into the arrays of a run."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from solver.base.words import Sentence
from solver.engine.dynamics.tree import DRIVEN, Array, IntArray
from solver.engine.forces.joints.relaxing import COMPONENTS
from solver.engine.forces.parting import HEAL, PARTING_TURNS
from solver.engine.forces.rails import EDGE_AUTO
from solver.engine.forces.rolling import AUTO, ROLLS
from solver.engine.forces.switches import FREES
from solver.engine.forces.system import (
    ALL_EVENTS,
    CAUSES,
    CONTACT_EVENTS,
    PARTING_EVENTS,
    RAIL_EVENTS,
    System,
    first_of,
)
from solver.model.airbags import compile_airbags
from solver.model.belts import compile_belts
from solver.model.constraints import (
    compile_bends,
    compile_pairs,
    compile_partings,
    compile_rails,
    compile_rolls,
    compile_symmetries,
    rolls_of,
    rows_needed,
)
from solver.model.coordinates import compile_coordinates
from solver.model.devices import devices_of
from solver.model.drivers import compile_drivers, rows_of_drivers, triggers_of_drivers
from solver.model.drives import compile_drives
from solver.model.functions import Numbered
from solver.model.harness import compile_harnesses
from solver.model.joints import compile_joints, compile_relaxings
from solver.model.links import compile_bushings, compile_lines
from solver.model.loads import compile_loads
from solver.model.start import start_speeds
from solver.model.surfaces import (
    SurfaceNumbers,
    compile_contacts,
    compile_laws,
    compile_planes,
    compile_surfaces,
)
from solver.model.switches import compile_breakings, compile_switches
from solver.model.timed import timed_of, triggers_of
from solver.model.tree import Trees, compile_trees
from solver.model.triggers import compile_triggers
from solver.model.winds import compile_winds, wind_stops
from solver.project.checks import Checked, refuse_broken
from solver.project.document import Project
from solver.project.pose import start_pose


class Modes(NamedTuple):
    """Hold what events change: kinds of elementary bodies, how they are held, what rolls or slides."""

    kind: IntArray
    locked: IntArray
    rolling: IntArray
    edges: IntArray
    parting: IntArray
    """How far constraints that may break are broken."""

    def at(self, rows: int) -> Modes:
        """Give them for some samples, a row each; kinds are those of all."""
        return Modes(self.kind, *(np.broadcast_to(one, (rows, len(one))) for one in self[1:]))


def _copied(value: Any) -> Any:
    """Copy arrays, also inside tuples of tuples."""
    if isinstance(value, tuple):
        return type(value)(*(_copied(part) for part in value))
    return value.copy()


@dataclass(frozen=True)
class Model:
    """Hold a project as arrays: what acts, where and how fast everything starts, what breaks when."""

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
        """Give a copy for one run, whose events leave this one as it is."""
        return replace(self, system=_copied(self.system))

    def level(self) -> IntArray:
        """Mark the events that happen as soon as their function is above zero."""
        # whether a pair rolls or slides from the start shows in its speed
        rolls = (self.system.rolls.state == ROLLS) | (self.system.rolls.rule == AUTO)
        turns = np.stack([rolls, np.ones_like(rolls)], axis=1).ravel()
        first = self.system.first
        laws = np.ones(first[ALL_EVENTS] - first[CONTACT_EVENTS], np.int64)
        edges = self.system.rails
        laws[first[RAIL_EVENTS] - first[CONTACT_EVENTS] :][: len(edges.m)] = edges.rule == EDGE_AUTO
        # what closes again must have come back
        laws[first[PARTING_EVENTS] - first[CONTACT_EVENTS] + HEAL :: PARTING_TURNS] = 0
        return np.concatenate([self.system.switches.level, turns.astype(np.int64), laws])

    def frees(self) -> IntArray:
        """Mark the events that set something free."""
        first, kinds = self.system.first, self.system.switches.kind
        marks = np.zeros(first[ALL_EVENTS], np.int64)
        marks[: len(kinds)] = np.isin(kinds, FREES)
        partings = marks[first[PARTING_EVENTS] :][: PARTING_TURNS * len(self.system.partings.state)]
        partings[:] = 1
        partings[HEAL::PARTING_TURNS] = 0
        return marks

    def marks(self) -> tuple[IntArray, IntArray]:
        """Mark the events of level, and those that set something free."""
        return self.level(), self.frees()

    def modes(self) -> Modes:
        """Give the modes as they are now."""
        system = self.system
        parting = system.partings.state.copy()
        kind, locked = system.tree.kind.copy(), system.locked.copy()
        return Modes(kind, locked, system.rolls.state.copy(), system.rails.state.copy(), parting)

    def segment_of(self, body: int) -> str:
        """Name the segment that an elementary body carries, for messages."""
        by_body = {b: s for s, b in self.trees.body_of.items()}
        bags = zip(self.trees.bag_bodies, self.project.airbags, strict=True)
        by_body |= {b: bag.id for b, bag in bags}
        while body not in by_body:
            # bodies without mass stand just before the one with it
            body += 1
        return by_body[body]


def compile_model(project: Project | Checked) -> Model:
    """Make the arrays of a project that has passed the checks.

    Unless somebody vouches for it, references and topology are looked at once more: where these do not
    hold, arrays lead kernels astray. Raises ProjectError.
    """
    if isinstance(project, Checked):
        project = project.project
    else:
        refuse_broken(project)
    trees = compile_trees(project)
    pose = start_pose(project)
    functions = Numbered(project)
    drives, drive_breaks = compile_drives(project, pose, trees, functions)
    trees.locked[drives.body] = DRIVEN
    joints, numbers = compile_joints(project, trees, functions)
    switches, events = compile_switches(project, trees, numbers)
    loads, load_breaks = compile_loads(project, trees, functions)
    lines = compile_lines(project, trees, functions, pose)
    bushings = compile_bushings(project, trees)
    pairs = compile_pairs(project, trees, pose)
    bends = compile_bends(project, trees)
    symmetries = compile_symmetries(project, trees, pose)
    rolls = compile_rolls(project, trees, pose)
    rails = compile_rails(project, trees, pose)
    numbers_of_surfaces = SurfaceNumbers(project)
    laws, law_numbers = compile_laws(project, functions)
    surfaces = compile_surfaces(project, trees)
    contacts = compile_contacts(project, numbers_of_surfaces, law_numbers, surfaces)
    belts = compile_belts(project, trees, numbers_of_surfaces, law_numbers, pose)
    fired = [bag.trigger for bag in project.airbags]
    straps, spools, strap_breaks = compile_harnesses(
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
    timed = len(timed_of(project))
    breakings = compile_breakings(project, trees, len(CAUSES) + len(gas) + timed)
    fading = timed + 2 * len(breakings.body)
    partings = compile_partings(
        project, trees, pairs, rolls, rails, len(CAUSES) + len(gas) + fading
    )
    slow = fading + len(partings.what)
    relaxings = compile_relaxings(project, trees, len(CAUSES) + len(gas) + slow)
    states = [*gas, *np.zeros(slow + COMPONENTS * len(relaxings.body))]
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
        spools=spools,
        coordinates=coordinates,
        breakings=breakings,
        rails=rails,
        partings=partings,
        drivers=drivers,
        relaxings=relaxings,
    )
    system = system._replace(first=first_of(system))
    ends = (
        *drive_breaks,
        *driver_breaks,
        *load_breaks,
        *strap_breaks,
        *coordinate_breaks,
        *wind_stops(project, functions),
    )
    breaks = np.unique([t for t in ends if t > 0.0])
    events += tuple(
        (kind, f"constraints/{r.id}")
        for r in rolls_of(project)
        for kind in ("rolling_changes", "rolling_lets_go")
    )
    rows = rows_needed(pairs, bends, symmetries, rolls, rails) + rows_of_drivers(drivers)
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
