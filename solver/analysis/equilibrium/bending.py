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


TOLD = 1e-9
"""Part of the largest below which a slope is rounding."""


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
        q, n = self._statics.q.copy(), len(self._at)
        off = self._off(q)
        for _ in range(ROUNDS):
            slope = self._slope(q)
            back = _inverse(slope)
            step = np.zeros_like(q)
            step[self._at] = -back @ off
            part = 1.0
            there = self._off(q + step)
            # nearer by what a whole step would still ask for
            asked = float(np.abs(step).max())
            while float(np.abs(back @ there).max()) > asked and part > 1e-4:
                part *= 0.5
                there = self._off(q + part * step)
            q, off = q + part * step, there
            if asked <= EXACT * float(np.abs(q[self._at]).max(initial=0.0)) + 1e-15:
                self.acceleration_g = float(np.abs(off[:n]).max(initial=0.0)) / G
                self.is_stable = _is_stable(slope[:n], slope[n:])
                return q
        raise SettleError(
            "No rest of the modal bodies is found: they bend further than their shapes can tell, or buckle. Start them nearer to it, or take a beam of pieces."
        )

    def _off(self, q: Array) -> Array:
        """The rates of all modes, and then by how much constraints are open: those alone stay nought where these hold."""
        statics = self._statics
        statics.evaluate(q)
        if not statics.solved or not np.isfinite(statics.rates).all():
            raise SettleError("The modal bodies cannot be evaluated where they bend to.")
        rows = statics.work.rows
        held = [r for r in range(int(rows.used[0])) if rows.soft[r] == 0.0 and rows.held[r] != 0]
        return np.concatenate([statics.rates[self._along], rows.error[held]])

    def _slope(self, q: Array) -> Array:
        out = []
        for at in self._at:
            by = np.zeros_like(q)
            by[at] = STEP
            out.append((self._off(q + by) - self._off(q - by)) / (2.0 * STEP))
        return np.array(out).T

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


def _inverse(slope: Array) -> Array:
    """What takes rates and openings to the step that ends them, whatever the sizes of modes and rows."""
    n = slope.shape[1]
    wide = np.linalg.norm(slope[:n], axis=0)
    rows = slope / np.where(wide > 0.0, wide, 1.0)
    size = np.linalg.norm(rows, axis=1)
    for part in (size[:n], size[n:]):
        # what no mode moves stays as it is
        part[part <= TOLD * part.max(initial=0.0)] = np.inf
    rows = rows / size[:, None]
    if np.linalg.matrix_rank(rows, TOLD) < n:
        raise SettleError(
            "Nothing determines how far a modal body bends: give its modes stiffness."
        )
    out: Array = np.linalg.pinv(rows) / size / wide[:, None]
    return out


def _is_stable(slope: Array, held: Array) -> bool:
    """Whether all that constraints leave open goes back to rest."""
    _, sizes, ways = np.linalg.svd(held)
    fixed = int((sizes > TOLD * sizes.max(initial=0.0)).sum())
    ways = ways[fixed:].T
    return bool(np.linalg.eigvals(ways.T @ slope @ ways).real.max(initial=-1.0) < 0.0)


def refuse_bending(project: Project) -> None:
    """Raise SettleError where more than modes of bodies is to come to rest in a model that has such."""
    if project.modal_bodies:
        raise SettleError(
            "'{name}' is a modal body: settling bends such bodies to rest, and moves nothing else. Settle without naming what may move, reach or lock, or let the model swing out in a run with damping.",
            name=project.modal_bodies[0].id,
        )
