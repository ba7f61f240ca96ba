"""What linear equations are written in: free directions, inputs and outputs.

| name | unit | what |
|---|---|---|
| a driven speed, such as `joints/hinge/1` or `segments/sled/vx`, with `''` behind it | m/s2, rad/s2 | its acceleration |
| `segments/head/force/x`, `segments/head[0,0,0.1]/force/z` | N | a force at the mass centre, or at a point (m, segment axes); ground axes |
| `segments/head/torque/y` | N*m | a torque, ground axes |
| `loads/push` | N, N*m | one more of the load named, along its own direction |

Each state near the instant is made into a frame as those of a run are, and the quantity is read from there by
the name that it has in results (results-file.md): `segments/head[0,0,0.1]/acceleration/x`, `joints/neck/angle/1`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.analysis.linear.operating_point import LinearError, OperatingPoint, speed_names
from solver.engine.dynamics.tree import Array
from solver.engine.integrate.samples import Samples
from solver.model.set_forces import Force, refuse_unknown, three
from solver.project.saving import to_json
from solver.results.memory import MemoryTrajectory
from solver.results.quantities import Quantities
from solver.running.outputs.channels import Last, channels
from solver.running.outputs.frames import Frames, ids
from solver.running.outputs.kinematics import Kinematics

# The free directions of a model, and those of what is driven, over all its speeds.

RANK = 1e-7
"""Part of the largest singular value below which rows of constraint, each of length one, say nothing new."""


@dataclass(frozen=True)
class Space:
    """The directions of x over all speeds: ways (speeds, n) and speeds (speeds, m)."""

    ways: Array
    speeds: Array
    states: int
    """Number of the states of gas and laws."""
    free_ways: int
    free_speeds: int
    names: tuple[str, ...]
    units: tuple[str, ...]
    is_free: NDArray[np.bool_]
    """Marks the entries of x that nothing prescribes."""


def space_of(standing: OperatingPoint) -> Space:
    """The directions that constraints leave, with what is driven beside them."""
    names = speed_names(standing.model)
    open_, driven = standing.open, standing.driven
    ways, of_ways = _allowed(standing, standing.held)
    speeds, of_speeds = _allowed(standing, np.ones(len(standing.held), bool))
    nd = len(driven)
    plain = ways.shape[1] - nd == len(open_)
    free_ways, free_speeds = of_ways, of_speeds
    labels = [names[k] for k in open_] if plain else [f"free/{k + 1}" for k in range(free_ways)]
    same = free_speeds == free_ways
    of_rates = labels if same else [f"rolling/{k + 1}" for k in range(free_speeds)]
    named = (
        *labels, *(names[k] for k in driven), *(f"{one}'" for one in of_rates), *(f"{names[k]}'" for k in driven),
        *(f"state/{k + 1}" for k in range(standing.states)),
    )  # fmt: skip
    kinds = standing.way_units()
    of = [kinds[k] for k in open_] if plain else ["1"] * free_ways
    ofr = of if same else ["1"] * free_speeds
    given = [kinds[k] for k in driven]
    units = (*of, *given, *(_rate(u) for u in (*ofr, *given)), *["1"] * standing.states)
    free = np.array(
        [True] * free_ways + [False] * nd + [True] * free_speeds + [False] * nd + [True] * standing.states,
        bool,
    )  # fmt: skip
    return Space(ways, speeds, standing.states, free_ways, free_speeds, named, units, free)


def _rate(unit: str) -> str:
    return "1/s" if unit == "1" else f"{unit}/s"


def _allowed(standing: OperatingPoint, which: Array) -> tuple[Array, int]:
    """A basis of what some rows allow over all speeds, what is driven last, and how many are free."""
    open_, driven, nv = standing.open, standing.driven, len(standing.v)
    J = standing.rows[which]
    sizes = np.linalg.norm(J, axis=1)
    J = J[sizes > 0.0] / sizes[sizes > 0.0][:, None]
    free = np.eye(len(open_))
    follow = np.zeros((len(open_), len(driven)))
    if len(J) and len(open_):
        _, values, right = np.linalg.svd(J[:, open_])
        rank = int(np.sum(values > RANK * max(float(values.max(initial=0.0)), 1e-300)))
        free = right[rank:].T
        follow = -np.linalg.pinv(J[:, open_], rcond=RANK) @ J[:, driven]
    out = np.zeros((nv, free.shape[1] + len(driven)))
    out[open_, : free.shape[1]] = free
    out[np.ix_(open_, np.arange(free.shape[1], out.shape[1]))] = follow
    out[driven, np.arange(free.shape[1], out.shape[1])] = 1.0
    return out, free.shape[1]


# Inputs of linear equations: accelerations of what is driven, forces and torques, the model's own loads.

AXES = ("x", "y", "z")
PUSH = re.compile(r"segments/([^/\[\]]+)(\[[^\]]*\])?/(force|torque)/([xyz])")


@dataclass(frozen=True)
class Input:
    """One input: the acceleration of a driven speed, or a force; `size` is that of the trial."""

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


def chosen_inputs(standing: OperatingPoint, names: Sequence[str]) -> list[Input]:
    """The accelerations of all that is driven, then the inputs that are named."""
    speeds, units = speed_names(standing.model), standing.way_units()
    out = []
    for k in standing.driven:
        one = np.zeros(len(standing.v))
        one[k] = 1.0
        out.append(Input(f"{speeds[k]}''", f"{units[k]}/s2", rates=one))
    known = [one.name for one in out]
    return out + [_named(standing, name) for name in names if name not in known]


def _named(standing: OperatingPoint, name: str) -> Input:
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


# Outputs of linear equations: any quantity of a run, and the channels that a project records.

NO_GROUPS = ("energy", "integrator", "drivers")
"""Groups of results that hold sums over a run, steps, or what drivers bear; small motions say nothing of them."""


class Outputs:
    """Read named quantities from samples of states near an instant."""

    def __init__(self, standing: OperatingPoint, names: Sequence[str]) -> None:
        self._standing = standing
        for name in names:
            if name.partition("/")[0] in NO_GROUPS:
                raise LinearError(
                    "'{name}' is no output of linear equations: what a run adds up, its steps and the loads of drivers are left out.",
                    name=name,
                )
        one = standing.sampled(1)
        standing.keep(one, 0)
        found = self._quantities(one, 1) if names else None
        self.names: tuple[str, ...] = () if found is None else found.matching(names)
        self.units = () if found is None else tuple(found.about(n).unit for n in self.names)

    def values(self, samples: Samples, rows: int) -> Array:
        """All quantities (rows, outputs)."""
        if not self.names:
            return np.zeros((rows, 0))
        found = self._quantities(samples, rows)
        return np.array([found(name).value for name in self.names]).T

    def _quantities(self, samples: Samples, rows: int) -> Quantities:
        model = self._standing.model
        made = [c for c in channels(model) if c.specs]
        specs = [spec for one in made for spec in one.specs]
        memory = MemoryTrajectory(
            ids(model), specs, to_json(model.project, embed_curves=True).encode()
        )
        seen = Kinematics(model, model.modes().at(rows), samples, rows)
        frames = Frames(model)
        block = frames.block(seen, samples)
        bodies = frames.at_frames(seen, samples, np.arange(rows))
        groups = dict.fromkeys((*block, *bodies))
        whole = {g: {**block.get(g, {}), **bodies.get(g, {})} for g in groups}
        time = np.arange(rows, dtype=float)
        memory.add_frames(time, whole)
        for one in made:
            last: Last = {}
            for spec, value in zip(one.specs, one.values(seen, samples, block, last), strict=True):
                memory.add_samples(spec.name, time, value)
        return Quantities(memory)
