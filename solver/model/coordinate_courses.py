"""Lead the laws of one coordinate along a course, as a run would: what they resist, and what they hold.

The engine's own functions are called; nothing of a law is written a second time here. What hangs on time,
as muscles and actuators do, is left out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solver.engine.dynamics.tree import Array
from solver.engine.forces.coordinates.kernels import lead
from solver.model.coordinates import compile_coordinates
from solver.model.functions import Numbered
from solver.model.timed import Timed
from solver.model.tree import Trees
from solver.project.coordinate_forces import (
    CoordinateForce,
    OneWayDamper,
    PlasticHinge,
    RestResistance,
    Sided,
    StopResistance,
)
from solver.project.coordinates import (
    ComponentCoordinate,
)
from solver.project.document import Project
from solver.project.geometry import FrameRef, PointRef
from solver.project.segments import GROUND

PARTS = 200
"""Steps from one turn of the course to the next."""

CREEP = 1e-6
"""Rate that stands for none, and still has a direction."""

USUAL_M, USUAL_RAD = 0.1, 0.5
"""How far laws are led that say nothing of it."""


@dataclass(frozen=True, slots=True)
class CoordinateCourse:
    """Hold a course there, back and there again: value from zero, resistance, energy held, turns."""

    way: Array
    force: Array
    held: Array
    turn: tuple[int, ...]

    @property
    def lost(self) -> float:
        """Give the energy that does not come back from its beginning to its end."""
        work = np.sum(0.5 * (self.force[1:] + self.force[:-1]) * np.diff(self.way))
        return float(work - (self.held[-1] - self.held[0]))


def coordinate_course(
    project: Project, id_: str, low: float, high: float, rate: float = 0.0
) -> CoordinateCourse:
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
    return CoordinateCourse(way, force, held, tuple(turns))


NO_TREES: Trees = None  # type: ignore[assignment]
"""Nothing is looked up in trees for what stands on the ground."""


def reach_of(project: Project, one: CoordinateForce) -> tuple[float, float]:
    """Give values between which the laws of an element show what they are."""
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
