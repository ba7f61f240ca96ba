"""What friction bears at rest: pushes along directions in which nothing else holds a body.

The forces sought balance the push along the soft modes, each at its contact and across its normal. Of
all that do, those with the least sum of `f^2 / (mu N)` are taken: where a body would just slide along,
every contact bears the same part of its `mu N`. Where they stay below it, friction holds.
"""

from __future__ import annotations

import numpy as np

from solver.analysis.equilibrium.statics import Columns, Statics
from solver.engine.dynamics.tree import Array
from solver.engine.forces.contacts.kernels import ON_PLANE
from solver.engine.forces.laws import LAW_FRICTION
from solver.engine.maths.curve import curve_at

MET = 1e-6
"""Part of a push that may be left where friction is said to bear it."""


def gripped(statics: Statics, columns: Columns, soft: Array, push: Array) -> tuple[Array, float]:
    """Give the forces of friction along all columns that balance those along the soft ones, and their share.

    `soft` are the columns' parts in each soft mode, `push` the force along each. The share is the largest
    part of `mu N` that a contact bears; without end where friction cannot hold.
    """
    ways, most = _ways(statics, columns)
    along = (ways @ soft).T
    if not len(most):
        return np.zeros(soft.shape[0]), np.inf
    weighted = along * np.repeat(most, 2)
    forces = -weighted.T @ np.linalg.lstsq(weighted @ along.T, push, rcond=1e-9)[0]
    if np.linalg.norm(along @ forces + push) > MET * np.linalg.norm(push):
        return np.zeros(soft.shape[0]), np.inf
    share = np.linalg.norm(forces.reshape(-1, 2), axis=1) / most
    return ways.T @ forces, float(share.max())


def _ways(statics: Statics, columns: Columns) -> tuple[Array, Array]:
    """Give how contacts slide along both tangents (two rows each) by each column, and what each bears (N)."""
    system, p = statics.system, statics.work.motion.p
    contacts, laws = system.contacts, system.laws
    ways, most = [], []
    for k, row in enumerate(contacts.seen):
        curve, size = int(laws.curve[contacts.law[k], LAW_FRICTION]), float(np.linalg.norm(row[:3]))
        bears = curve_at(system.curves, curve, float(row[3]))[0] * size if curve >= 0 else 0.0
        if bears <= 0.0:
            continue
        others = system.planes if contacts.kind[k] == ON_PLANE else system.surfaces
        slides = np.zeros(columns.v.shape[1:])
        for body, sign in (
            (int(system.surfaces.body[contacts.a[k]]), 1.0),
            (int(others.body[contacts.b[k]]), -1.0),
        ):
            if body >= 0:
                arm = row[4:7] - p[body]
                slides += sign * (columns.v[body] + np.cross(columns.w[body].T, arm).T)
        _, _, axes = np.linalg.svd(row[None, :3])
        ways.append(axes[1:] @ slides)
        most.append(bears)
    return np.concatenate([np.zeros((0, columns.v.shape[2])), *ways]), np.array(most)
