"""Forces and torques that somebody sets while a run goes on: loads beside those of the project."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from solver.engine.forces.loads import Loads
from solver.engine.forces.system import System
from solver.engine.maths import profile
from solver.model.compile import Model
from solver.model.points import point_on
from solver.model.refusal import SimulationError
from solver.project.problems import did_you_mean

Three = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Force:
    """Hold a force (N) at a point (m, from the mass centre, segment axes), or a torque (N*m)."""

    segment: str
    value: Three
    point: Three = (0.0, 0.0, 0.0)
    axes: Literal["ground", "segment"] = "ground"
    kind: Literal["force", "torque"] = "force"

    def of(self, value: Sequence[float]) -> Force:
        """Give the same with another value."""
        return replace(self, value=three(value, f"The {self.kind} on '{self.segment}'"))


def three(values: Sequence[float], what: str) -> Three:
    """Give three numbers, or say that these are none."""
    found = tuple(float(x) for x in values)
    if len(found) != 3 or not all(math.isfinite(x) for x in found):
        raise SimulationError(
            "{what} has three finite components; {found} are none.", what=what, found=found
        )
    return found[0], found[1], found[2]


def with_forces(model: Model, forces: Mapping[str, Force]) -> System:
    """Give the system of a model with forces beside its own loads; all other arrays are shared."""
    loads, rows = model.system.loads, list(forces.values())
    if not rows:
        return model.system
    points = [point_on(model.trees, row.segment, row.point) for row in rows]
    always = profile.joined([profile.constant(1.0)] * len(rows))
    history = loads.history
    return model.system._replace(
        loads=Loads(
            body=np.append(loads.body, [body for body, _ in points]),
            turns=np.append(loads.turns, [int(row.kind == "torque") for row in rows]),
            fixed=np.append(loads.fixed, [int(row.axes == "ground") for row in rows]),
            point=np.vstack([loads.point, *(at for _, at in points)]),
            direction=np.vstack([loads.direction, *(row.value for row in rows)]),
            history=profile.Profiles(
                np.concatenate([history.first, history.first[-1] + always.first[1:]]),
                np.concatenate([history.start, always.start]),
                np.concatenate([history.poly, always.poly]),
                np.concatenate([history.wave, always.wave]),
            ),
        )
    )


def refuse_unknown(model: Model, segment: str) -> None:
    """Raise SimulationError where a model has no such segment."""
    if segment not in model.trees.body_of:
        hint = did_you_mean(segment, model.trees.body_of)
        raise SimulationError(f"There is no segment '{segment}' in this model. {hint}".rstrip())
