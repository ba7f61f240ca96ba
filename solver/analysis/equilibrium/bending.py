"""Bend modal bodies until their modes are at rest, with everything else held: Newton's method on the amplitudes."""

from __future__ import annotations

import numpy as np

from solver.analysis.equilibrium.diagnosis import G
from solver.analysis.equilibrium.statics import SettleError, Statics
from solver.engine.dynamics.modes import MODE
from solver.engine.dynamics.tree import HELD, Array
from solver.project.document import Project
from solver.project.modal import modes_of

STEP = 1e-6
"""Amplitude by which rates are differenced."""

ROUNDS, EXACT = 60, 1e-11
"""Steps that are tried, and one (as a part of the amplitudes) that is the last."""


class Bending:
    """Find the amplitudes at which all modal bodies of a project rest."""

    def __init__(self, project: Project) -> None:
        self._statics = statics = Statics(project)
        modals, locked = statics.tree.modals, statics.system.locked
        statics.system = statics.system._replace(
            locked=np.where(modals.role == MODE, locked, HELD).astype(locked.dtype)
        )
        self._at, self._along = modals.at_q, modals.at_v
        self.rest = self._find()

    def _find(self) -> Array:
        q = self._statics.q.copy()
        rates, slope = self._rates(q), np.zeros((0, 0))
        for _ in range(ROUNDS):
            slope = self._slope(q)
            step = np.zeros_like(q)
            step[self._at] = -np.linalg.solve(slope, rates)
            part = 1.0
            there = self._rates(q + step)
            # nearer by what a whole step would still ask for
            asked = float(np.abs(step).max())
            while float(np.abs(np.linalg.solve(slope, there)).max()) > asked and part > 1e-4:
                part *= 0.5
                there = self._rates(q + part * step)
            q, rates = q + part * step, there
            if asked <= EXACT * float(np.abs(q[self._at]).max(initial=0.0)) + 1e-15:
                self.acceleration_g = float(np.abs(rates).max(initial=0.0)) / G
                self.is_stable = bool(np.linalg.eigvals(slope).real.max(initial=-1.0) < 0.0)
                return q
        raise SettleError(
            "No rest of the modal bodies is found: they bend further than their shapes can tell, or buckle. Start them nearer to it, or take a beam of pieces."
        )

    def _rates(self, q: Array) -> Array:
        statics = self._statics
        statics.evaluate(q)
        if not statics.solved or not np.isfinite(statics.rates).all():
            raise SettleError("The modal bodies cannot be evaluated where they bend to.")
        out: Array = statics.rates[self._along].copy()
        return out

    def _slope(self, q: Array) -> Array:
        out = np.zeros((len(self._at), len(self._at)))
        for n, at in enumerate(self._at):
            off = np.zeros_like(q)
            off[at] = STEP
            out[:, n] = (self._rates(q + off) - self._rates(q - off)) / (2.0 * STEP)
        return out

    def project(self) -> Project:
        """Give the project with the amplitudes as its start."""
        statics = self._statics
        trees, modals, done = statics.model.trees, statics.tree.modals, []
        for body in statics.project.modal_bodies:
            first = int(modals.first[modals.row[trees.body_of[body.segment]]])
            values = self.rest[modals.at_q[first : first + modes_of(body)]]
            done.append(body.model_copy(update={"start_m": tuple(float(x) for x in values)}))
        return statics.project.model_copy(update={"modal_bodies": tuple(done)})

    def moved(self) -> tuple[float, str]:
        """Say how far bending has taken a segment from the start (m), and which went furthest."""
        statics, ways = self._statics, dict[str, float]()
        statics.evaluate(statics.q)
        start = statics.pose()
        statics.evaluate(self.rest)
        for name, one in statics.pose().items():
            ways[name] = float(np.linalg.norm(one.p_W - start[name].p_W))
        furthest = max(ways, key=lambda name: ways[name])
        return ways[furthest], furthest

    @property
    def evaluations(self) -> int:
        """How often all was evaluated."""
        return self._statics.evaluations


def refuse_bending(project: Project) -> None:
    """Raise SettleError where more than modes of bodies is to come to rest in a model that has such."""
    if project.modal_bodies:
        raise SettleError(
            "'{name}' is a modal body: settling bends such bodies to rest, and moves nothing else. Settle without naming what may move, reach or lock, or let the model swing out in a run with damping.",
            name=project.modal_bodies[0].id,
        )
