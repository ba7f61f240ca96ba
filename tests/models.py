"""Small projects for tests of the engine, and ways to evaluate them."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from solver.engine.dynamics.tree import BALL, FREE, SOLVED, Array, move
from solver.engine.forces.state import State
from solver.engine.forces.system import System, Work, energies, evaluate, make_work
from solver.model.compile import Model, compile_model
from solver.project import Project, validated

EXACT = {"kind": "dopri", "relative_tolerance": 1e-9, "absolute_tolerance": 1e-11}


def base(duration: float = 1.0, integrator: dict[str, Any] | None = None, **parts: Any) -> Any:
    """Give a project's data with one exact run, z pointing down."""
    run = {
        "id": "run", "duration_s": duration, "frame_interval_s": 0.01, "channel_rate_hz": 100.0,
        "integrator": integrator or EXACT,
    }  # fmt: skip
    whole = {
        "format": "manikin-project", "schema_version": 4, "gravity_m_per_s2": [0.0, 0.0, 9.81],
        "runs": [run],
    }  # fmt: skip
    return copy.deepcopy(whole | parts)


def project(data: Any) -> Project:
    """Give the project of some data."""
    return validated(data)


def segment(
    id_: str, mass: float = 1.0, inertia: tuple[float, ...] = (1 / 12, 1 / 12, 0.01)
) -> Any:
    """Give a segment; by default a rod one metre long along z."""
    return {"id": id_, "mass_kg": mass, "inertia_kgm2": list(inertia)}


def point(segment_id: str, *place: float) -> Any:
    """Give a point of a segment."""
    return {"segment": segment_id, "position_m": [*place, 0.0, 0.0, 0.0][:3]}


def hung(joint: dict[str, Any], values: list[float] | None = None, **parts: Any) -> Any:
    """Hang a rod from the ground by a joint at its upper end."""
    whole = {
        "id": "joint", "parent": "ground", "child": "rod",
        "child_frame": {"position_m": [0.0, 0.0, -0.5]}, **joint,
    }  # fmt: skip
    start = {"joints": [{"joint": "joint", "values": values}]} if values else {}
    start |= parts.pop("initial", {})
    return base(segments=[segment("rod")], joints=[whole], initial=start, **parts)


class Bench:
    """Hold a compiled project, to be evaluated at any state."""

    def __init__(self, data: Any) -> None:
        self.model: Model = compile_model(project(data))
        self.system: System = self.model.system
        self.work: Work = make_work(self.system, self.model.trees.speeds, self.model.rows)
        self.q, self.v = self.model.q.copy(), self.model.v.copy()
        self.powers = np.zeros(len(self.model.z))

    def rates(self, q: Array, v: Array, t: float = 0.0) -> Array:
        """Give the rates of all speeds at a state."""
        out = np.zeros_like(self.v)
        state = State(q.copy(), v.copy(), self.model.z)
        status = evaluate(self.system, self.work, t, t, state, out, self.powers)
        assert status == SOLVED
        return out

    def held(self, q: Array, v: Array) -> float:
        """Give the energy held in springs at a state."""
        self.rates(q, v)
        return float(np.sum(self.work.held[:2]))

    def energy(self, q: Array, v: Array) -> float:
        """Give kinetic, potential and held energy at a state."""
        out = np.zeros(4)
        self.rates(q, v)
        energies(self.system.tree, self.work.motion, self.system.gravity, out)
        return float(out.sum() + np.sum(self.work.held))

    def moved(self, q: Array, v: Array, h: float) -> Array:
        """Give the coordinates a time h later at constant speeds."""
        out = q.copy()
        move(self.system.tree, self.system.locked, q, v, h, out)
        return out

    def random_state(self, rng: np.random.Generator, spread: float = 1.0) -> tuple[Array, Array]:
        """Give coordinates and speeds anywhere near the start."""
        q = self.moved(self.q, rng.normal(size=len(self.v)) * spread, 1.0)
        v = rng.normal(size=len(self.v)) * 2.0
        tree = self.system.tree
        for i, held in enumerate(self.system.locked):
            if held:
                size = {BALL: 3, FREE: 6}.get(int(tree.kind[i]), 1)
                v[tree.at_v[i] : tree.at_v[i] + size] = 0.0
        return q, v
