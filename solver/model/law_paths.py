"""Lead one law along a course of deflection, as a run would: force, energy held, modes.

The engine's own functions are called; nothing of a law is written a second time here.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solver.engine.dynamics.tree import Array, IntArray
from solver.engine.forces.coordinates.kernels import lead
from solver.engine.forces.laws import MEMORY, UNTOUCHED, Laws, next_mode, normal_force
from solver.engine.jit.kernels import kernel
from solver.engine.maths.curve import Curves
from solver.engine.maths.spatial import Table
from solver.model.arrays import Timed
from solver.model.coordinates import compile_coordinates
from solver.model.functions import Numbered
from solver.model.surfaces import compile_laws
from solver.model.tree import Trees
from solver.project.contact import StrapLaw
from solver.project.coordinate_forces import (
    CoordinateForce,
    CrushTube,
    OneWayDamper,
    PlasticHinge,
    RestResistance,
    Sided,
    StopResistance,
)
from solver.project.coordinates import ComponentCoordinate
from solver.project.document import Project
from solver.project.geometry import FrameRef, PointRef
from solver.project.segments import GROUND

PARTS = 200
"""Steps from one turn of the course to the next."""

_CREEP = 1e-6
"""Rate (m/s) that stands for none, and still has a direction."""

_TURNS = 4
"""A mode may change more than once at one place: loading, then turning."""


@dataclass(frozen=True, slots=True)
class LawPath:
    """A course: deflection (m) or strain, force (N), energy held and put in, modes, turns.

    Energies are in J; for webbing in J for each metre of its length.
    """

    depth: Array
    force: Array
    held: Array
    work: Array
    mode: IntArray
    turn: tuple[int, ...]
    """Numbers of the places at which the course turns."""

    @property
    def absorbed(self) -> float:
        """Give the energy (J) that did not come back by the end."""
        return float(self.work[-1] - self.held[-1])


def law_path(
    project: Project, law: str, turns: tuple[float, ...], speed: float = 0.0, parts: int = PARTS
) -> LawPath:
    """Lead a law from no deflection through turning points, at a speed (m/s, or 1/s for webbing)."""
    functions = Numbered(project)
    laws, numbers = compile_laws(project, functions)
    depth, rate, places = _course(turns, speed, parts)
    force, held = np.zeros(len(depth)), np.zeros(len(depth))
    mode = np.zeros(len(depth), np.int64)
    follow(
        laws,
        functions.curves(),
        numbers[law],
        depth,
        rate,
        force,
        held,
        mode,
        np.zeros((1, MEMORY)),
    )
    steps = 0.5 * (force[1:] + force[:-1]) * np.diff(depth)
    work = np.concatenate([[0.0], np.cumsum(steps)])
    return LawPath(depth, force, held, work, mode, places)


def deepest_of(project: Project, law: str) -> float:
    """A deflection or strain that shows a law: the end of its base, else 0.1 m."""
    found = next(one for one in project.contact_laws if one.id == law)
    base = getattr(found, "base", None)
    if base is not None:
        end = Numbered(project)[base].start[-1]
        if end > 0.0:
            return float(end)
    return 0.1


def is_webbing(project: Project, law: str) -> bool:
    """Whether a law is one of webbing, whose deflection is a strain."""
    return any(one.id == law and isinstance(one, StrapLaw) for one in project.contact_laws)


def _course(
    turns: tuple[float, ...], speed: float, parts: int
) -> tuple[Array, Array, tuple[int, ...]]:
    """Places and rates: as a mass on a spring, fastest where it is out and still where deepest.

    A place of turning is passed twice, with both directions of motion.
    """
    depth, rate, places, here = [np.zeros(1)], [np.array([max(speed, _CREEP)])], [0], 0.0
    for to in turns:
        share = np.linspace(0.0, 1.0, parts + 1)
        way = share if to >= here else 1.0 - share
        depth.append(here + (to - here) * share)
        size = np.maximum(speed * np.sqrt(1.0 - way * way), _CREEP)
        rate.append(size if to >= here else -size)
        places.append(places[-1] + parts + 1)
        here = to
    return np.concatenate(depth), np.concatenate(rate), tuple(places)


@kernel
def follow(
    laws: Laws, curves: Curves, n: int, depth: Array, rate: Array, force: Array, held: Array,
    mode: IntArray, memory: Table,
) -> None:  # fmt: skip
    """Fill force, energy held and mode along a course of deflection, as accepted steps would."""
    here = UNTOUCHED
    for i in range(len(depth)):
        for _ in range(_TURNS):
            after = next_mode(laws, curves, n, memory, 0, here, depth[i], rate[i])
            if after == here:
                break
            here = after
        mode[i] = here
        force[i], held[i] = normal_force(laws, curves, n, memory, 0, here, depth[i], rate[i])


# Lead the laws of one coordinate along a course, as a run would: what they resist, and what they hold.
#
# The engine's own functions are called; nothing of a law is written a second time here. What depends on time, as muscles
# and actuators do, is left out.

CREEP = 1e-6
"""Rate that stands for none, and still has a direction."""

USUAL_M, USUAL_RAD = 0.1, 0.5
"""How far laws are led that say nothing of it."""


@dataclass(frozen=True, slots=True)
class CoordinatePath:
    """A course there, back and there again: value from zero, resistance, energy held, turns."""

    way: Array
    force: Array
    held: Array
    turn: tuple[int, ...]

    @property
    def lost(self) -> float:
        """Give the energy that does not come back from its beginning to its end."""
        work = np.sum(0.5 * (self.force[1:] + self.force[:-1]) * np.diff(self.way))
        return float(work - (self.held[-1] - self.held[0]))


def coordinate_path(
    project: Project, id_: str, low: float, high: float, rate: float = 0.0
) -> CoordinatePath:
    """Lead an element from zero up, down and up again, at a rate."""
    one = next(one for one in project.coordinate_forces if one.id == id_)
    # what is resisted does not matter: a point of the ground stands for it
    stand_in = ComponentCoordinate(
        kind="component", a=FrameRef(segment=GROUND), b=PointRef(segment=GROUND)
    )
    laws = tuple(law for law in one.laws if not isinstance(law, Timed))
    alone = one.model_copy(update={"coordinate": stand_in, "zero": 0.0, "laws": laws})
    functions = Numbered(project)
    nowhere = project.model_copy(update={"coordinate_forces": (alone,)})
    coords, _ = compile_coordinates(nowhere, NO_TREES, functions, {}, 0, 0)
    ways, rates, turns, here = [np.zeros(1)], [np.array([max(rate, CREEP)])], [0], 0.0
    for to in (high, low, high):
        ways.append(np.linspace(here, to, PARTS + 1))
        rates.append(np.full(PARTS + 1, max(rate, CREEP) * (1.0 if to >= here else -1.0)))
        turns.append(turns[-1] + PARTS + 1)
        here = to
    way, speed = np.concatenate(ways), np.concatenate(rates)
    force, held = np.zeros(len(way)), np.zeros(len(way))
    lead(coords, functions.curves(), 0, way, speed, force, held)
    return CoordinatePath(way, force, held, tuple(turns))


NO_TREES: Trees = None  # type: ignore[assignment]
"""Nothing is looked up in trees for what stands on the ground."""


def reach_of(project: Project, one: CoordinateForce) -> tuple[float, float]:
    """Values between which the laws of an element show what they are."""
    functions = Numbered(project)
    usual = USUAL_RAD if one.coordinate.turns else USUAL_M
    low, high = [0.0], [0.0]
    for law in one.laws:
        if isinstance(law, Sided):
            above, below = (
                max(float(functions[name].start[-1]), 0.0)
                for name in (law.above, law.below or law.above)
            )
            least, most = (law.at, law.at) if isinstance(law, RestResistance) else (None, None)
            if isinstance(law, StopResistance):
                least, most = law.lower, law.upper
            low += [] if least is None else [least - (below or usual)]
            high += [] if most is None else [most + (above or usual)]
        elif isinstance(law, PlasticHinge) and not isinstance(law.limit, str):
            low.append(-3.0 * law.limit / law.stiffness)
            high.append(3.0 * law.limit / law.stiffness)
        elif isinstance(law, CrushTube):
            low.append(1.05 * law.limit[0][0])
            high.append(0.02 * law.length_m)
        elif isinstance(law, OneWayDamper):
            low += [] if law.lower is None else [law.lower - usual]
            high += [] if law.upper is None else [law.upper + usual]
    least, most = min(low), max(high)
    if least == most:
        least, most = -usual, usual
    if one.side == "above":
        least = min(0.0, -0.1 * most)
    if one.side == "below":
        most = max(0.0, -0.1 * least)
    return least, most
