"""A model of joints, motions and constraints alone, and the rows that bind it in any pose.

Nothing in it acts by a force, and no segment is without mass, so that its rows can be had in every pose: also where
the loops of the model are open, or where nothing but a spring would hold a segment.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.analysis.equilibrium.statics import SettleError, Statics
from solver.engine.dynamics.tree import Array
from solver.project.belts import ChannelTrigger, TimeTrigger
from solver.project.document import Project

ACTING = (
    "contact_laws", "contacts", "belts", "harnesses", "airbags", "springs", "coordinate_forces", "tyres",
    "tension_elements", "winds", "loads", "markers", "meshes", "outputs", "studies", "assumed",
)  # fmt: skip
"""Lists of what acts by forces, or only looks."""

TRACE = 1e-3
"""Mass of a segment without mass, in parts of the heaviest; its inertia is that at a distance of a metre."""

NEVER_S = 1e9


def skeleton(project: Project) -> Project:
    """Leave only what binds segments; a driver that waits for a channel waits for good."""
    heaviest = max((one.mass_kg for one in project.segments), default=0.0) or 1.0
    trace = {"mass_kg": TRACE * heaviest, "inertia_kgm2": (TRACE * heaviest,) * 3}
    waiting = {"trigger": TimeTrigger(time_s=NEVER_S)}
    update: dict[str, object] = dict.fromkeys(ACTING, ())
    update["segments"] = tuple(
        one if one.mass_kg else one.model_copy(update=trace) for one in project.segments
    )
    for name in ("drivers", "frame_drivers"):
        update[name] = tuple(
            one.model_copy(update=waiting) if isinstance(one.trigger, ChannelTrigger) else one
            for one in getattr(project, name)
        )
    return project.model_copy(update=update)


class Bound(NamedTuple):
    """Hold rows over all speeds, by how much each is open, by how much speeds miss it, and which hold places."""

    rows: Array
    error: Array
    speed: Array
    held: Array


def bound(statics: Statics) -> Bound:
    """All rows at the last evaluation; raises SettleError where that found none."""
    if not statics.solved:
        raise SettleError(
            "In this pose two angles of a driver's frame are one: it says nothing of the rest."
        )
    n, rows = len(statics.rest), statics.work.rows
    used = [] if statics.model.rows == 0 else [
        r for r in range(int(rows.used[0])) if rows.soft[r] == 0.0
    ]  # fmt: skip
    out = np.zeros((len(used), n))
    if not used:
        return Bound(out, np.zeros(0), np.zeros(0), np.zeros(0, bool))
    unit = statics.columns(np.eye(n))
    for at, r in enumerate(used):
        for s, body in enumerate(rows.body[r]):
            if body >= 0:
                out[at] += rows.torque[r, s] @ unit.w[body] + rows.force[r, s] @ unit.v[body]
    held = rows.held[used] != 0
    return Bound(out, np.where(held, rows.error[used], 0.0), rows.speed[used].copy(), held)
