"""Lock joints with what they must hold at rest; they open once they are loaded more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from solver.analysis.equilibrium.refusal import SettleError
from solver.analysis.equilibrium.statics import Statics
from solver.engine.dynamics.tree import HELD, Array
from solver.project.document import Project
from solver.project.holds import Lock
from solver.project.joint_table import axes_of, row_of, slides_of
from solver.project.joints import Joint

LEAST_NM = 1.0
"""Torque (N m) below which no lock opens; for slides as many N."""


def holding(statics: Statics) -> dict[str, Array]:
    """Give what each joint would have to hold at the last evaluation (N m; along slides N)."""
    forces, locked = statics.forces(), statics.system.locked
    out: dict[str, Array] = {}
    for name, made in statics.model.trees.joints.items():
        speeds = [s for b in made.bodies if locked[b] != HELD for s in statics.speeds_of(b)]
        if speeds:
            out[name] = -forces[speeds]
    return out


def locked_joints(
    project: Project, names: Iterable[str], loads: dict[str, Array], opens_at: float | None
) -> Project:
    """Lock joints so that each opens at a multiple of the torque that it holds at rest; none: never."""
    wanted = set(names)
    known = {j.id for j in project.joints}
    for name in sorted(wanted - known):
        raise SettleError("There is no joint '{name}' to lock.", name=name)
    joints = tuple(
        _locked(j, loads[j.id], opens_at) if j.id in wanted and j.id in loads else j
        for j in project.joints
    )
    return project.model_copy(update={"joints": joints})


def _behind(joint: Joint, load: Array) -> Array:
    """Put what slides bear before what turns do."""
    row = row_of(joint)
    free = [not slide.locked for _, slide in slides_of(joint)]
    turns = [not axis.lock.locked for axis in axes_of(joint)]
    before = sum(turns[: row.leading])
    slid = before + sum(free)
    return np.concatenate([load[before:slid], load[:before], load[slid:]])


def _locked(joint: Joint, load: Array, opens_at: float | None) -> Joint:
    def lock(torque: float) -> Lock:
        limit = None if opens_at is None else max(opens_at * abs(torque), LEAST_NM)
        return Lock(locked=True, unlock_torque_nm=limit)

    def all_of(part: Sequence[float] | Array) -> Lock:
        return lock(float(np.linalg.norm(part)))

    row = row_of(joint)
    change: dict[str, object] = {}
    turns = load
    if row.leading:
        turns = _behind(joint, load)
    for along, slide in slides_of(joint):
        if slide.locked:
            continue
        limit = None if opens_at is None else max(opens_at * abs(float(turns[0])), LEAST_NM)
        turns = turns[1:]
        change[along.field] = slide.model_copy(
            update={
                "locked": True,
                "release_above_n": limit,
                "release_below_n": None if limit is None else -limit,
            }
        )
    if not row.turns or not len(turns):
        return joint.model_copy(update=change)
    axes = {axis.part: getattr(joint, axis.part) for axis in axes_of(joint) if axis.part}
    for name, axis in axes.items():
        if not axis.lock.locked:
            change[name] = axis.model_copy(update={"lock": all_of(turns)})
    if not axes:
        change["lock"] = all_of(turns)
    return joint.model_copy(update=change)
