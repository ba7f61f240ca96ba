"""Inputs of linear equations: accelerations of what is driven, forces and torques, the model's own loads.

| name | unit | what |
|---|---|---|
| a driven speed, such as `joints/hinge/1` or `segments/sled/vx`, with `''` behind it | m/s2, rad/s2 | its acceleration |
| `segments/head/force/x`, `segments/head[0,0,0.1]/force/z` | N | a force at the mass centre, or at a point (m, segment axes); ground axes |
| `segments/head/torque/y` | N*m | a torque, ground axes |
| `loads/push` | N, N*m | one more of the load named, along its own direction |
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from solver.analysis.linear.names import speed_names
from solver.analysis.linear.refusal import LinearError
from solver.analysis.linear.standing import Standing
from solver.engine.dynamics.tree import Array
from solver.model.forces import Force, refuse_unknown, three

AXES = ("x", "y", "z")
PUSH = re.compile(r"segments/([^/\[\]]+)(\[[^\]]*\])?/(force|torque)/([xyz])")


@dataclass(frozen=True)
class Input:
    """Hold one input: the acceleration of a driven speed, or a force; `size` is that of the trial."""

    name: str
    unit: str
    size: float = 1.0
    rates: Array | None = None
    force: Force | None = None

    def given(self, sign: float) -> tuple[Array | None, Force | None]:
        """Give it at its size, to one side or the other."""
        force = self.force
        if force is not None:
            force = force.of([sign * self.size * part for part in force.value])
        return None if self.rates is None else sign * self.size * self.rates, force


def chosen_inputs(standing: Standing, names: Sequence[str]) -> list[Input]:
    """Give the accelerations of all that is driven, then the inputs that are named."""
    speeds, units = speed_names(standing.model), standing.way_units()
    out = []
    for k in standing.driven:
        one = np.zeros(len(standing.v))
        one[k] = 1.0
        out.append(Input(f"{speeds[k]}''", f"{units[k]}/s2", rates=one))
    known = [one.name for one in out]
    return out + [_named(standing, name) for name in names if name not in known]


def _named(standing: Standing, name: str) -> Input:
    found = PUSH.fullmatch(name)
    if found:
        segment, place, kind, axis = found.groups()
        refuse_unknown(standing.model, segment)
        parts = (0.0, 0.0, 0.0)
        if place:
            try:
                numbers = [float(part) for part in place[1:-1].split(",")]
            except ValueError:
                numbers = []
            parts = three(numbers, f"The point of '{name}'")
        along = [0.0, 0.0, 0.0]
        along[AXES.index(axis)] = 1.0
        force = Force(
            segment, three(along, name), parts, "ground", "torque" if kind == "torque" else "force"
        )
        return Input(name, "N*m" if kind == "torque" else "N", force=force)
    list_, _, id_ = name.partition("/")
    if list_ == "loads":
        for load in standing.model.project.loads:
            if load.id == id_:
                length = float(np.linalg.norm(load.direction))
                direction = three([part / length for part in load.direction], name)
                force = Force(load.segment, direction, load.point_m, load.axes, load.kind)
                return Input(name, "N*m" if load.kind == "torque" else "N", force=force)
    driven = ", ".join(f"{speed_names(standing.model)[k]}''" for k in standing.driven)
    raise LinearError(
        "'{name}' is no input: there are segments/ID/force/x, segments/ID[x,y,z]/force/x, segments/ID/torque/x, loads/ID, and accelerations of what is driven ({driven}).",
        name=name,
        driven=driven or "-",
    )
