"""Forces and torques that somebody sets while a run goes on: loads beside those of the project."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from solver.engine.forces.loads import Loads
from solver.engine.forces.system import System
from solver.engine.maths import profile
from solver.model.compile import Model
from solver.model.motions import axes_body
from solver.model.tree import point_on
from solver.project.problems import SimulationError, did_you_mean

Three = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Force:
    """A force (N) at a point (m, from the mass centre, segment axes), or a torque (N*m)."""

    segment: str
    value: Three
    point: Three = (0.0, 0.0, 0.0)
    axes: str = "ground"
    """ground, segment for its own, or the name of another one."""
    kind: Literal["force", "torque"] = "force"
    grows_from: float | None = None
    """Time (s) from which it grows by its value each second; none: it is constant."""

    def of(self, value: Iterable[float]) -> Force:
        """Give the same with another value."""
        return replace(self, value=three(value, f"The {self.kind} on '{self.segment}'"))


def three(values: Iterable[float], what: str) -> Three:
    """Three numbers, or say that these are none."""
    try:
        found = tuple(float(x) for x in values)
    except (TypeError, ValueError):
        raise SimulationError(
            "{what} has three finite components; {found} are none.", what=what, found=repr(values)
        ) from None
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
    always = profile.joined([_size(row) for row in rows])
    history = loads.history
    return model.system._replace(
        loads=Loads(
            body=np.append(loads.body, [body for body, _ in points]),
            turns=np.append(loads.turns, [int(row.kind == "torque") for row in rows]),
            axes=np.append(
                loads.axes, [axes_body(model.trees, row.segment, row.axes) for row in rows]
            ),
            point=np.vstack([loads.point, *(at for _, at in points)]),
            direction=np.vstack([loads.direction, *(row.value for row in rows)]),
            seen=loads.seen,
            history=profile.Profiles(
                np.concatenate([history.first, history.first[-1] + always.first[1:]]),
                np.concatenate([history.start, always.start]),
                np.concatenate([history.poly, always.poly]),
                np.concatenate([history.wave, always.wave]),
            ),
        )
    )


def _size(force: Force) -> profile.Profile:
    """The size of a force over time, in parts of its value."""
    if force.grows_from is None:
        return profile.constant(1.0)
    return profile.make([(force.grows_from, [0.0, 1.0], (0.0, 0.0, 0.0))])


def refuse_unknown(model: Model, segment: str) -> None:
    """Raise SimulationError where a model has no such segment."""
    if segment not in model.trees.body_of:
        hint = did_you_mean(segment, model.trees.body_of)
        raise SimulationError(f"There is no segment '{segment}' in this model. {hint}".rstrip())
