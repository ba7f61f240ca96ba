"""Which runs keep the limits, and which of them serve the goals best."""

from __future__ import annotations

import numpy as np

from solver.project.studies import StudyBase
from solver.studies.rows import Array, Rows


def kept(study: StudyBase, rows: Rows) -> Array:
    """Tell which runs keep all limits; one without a value keeps none."""
    out = np.asarray(rows.is_done)
    for i, one in enumerate(study.responses):
        value = rows.outputs[:, i]
        with np.errstate(invalid="ignore"):
            if one.at_least is not None:
                out = out & (value >= one.at_least)
            if one.at_most is not None:
                out = out & (value <= one.at_most)
    return np.asarray(out)


def losses(study: StudyBase, rows: Rows) -> Array:
    """Give the goals (n, g) so that less is better."""
    signs = {"minimise": 1.0, "maximise": -1.0}
    goals = [(i, signs[r.goal]) for i, r in enumerate(study.responses) if r.goal in signs]
    columns = [sign * rows.outputs[:, i] for i, sign in goals]
    return np.array(columns).T.reshape(len(rows), len(goals))


def front(study: StudyBase, rows: Rows) -> list[int]:
    """Give the runs that keep the limits and that no other is better than in every goal; the best with one goal."""
    loss = losses(study, rows)
    if loss.shape[1] == 0:
        return []
    usable = np.flatnonzero(kept(study, rows) & np.all(np.isfinite(loss), axis=1))
    if not len(usable):
        return []
    if loss.shape[1] == 1:
        return [int(usable[np.argmin(loss[usable, 0])])]
    # loaded only where it is needed
    from pymoo.util.nds.non_dominated_sorting import NonDominatedSorting

    first = NonDominatedSorting().do(loss[usable], only_non_dominated_front=True)
    return sorted(int(usable[i]) for i in first)
