"""The start that settling writes: what is counted from it, joints that are locked, what rides along."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from solver.analysis.equilibrium.statics import SettleError, Statics
from solver.engine.dynamics.tree import HELD, Array
from solver.model.compile import Model, compile_model
from solver.model.links import lines_of
from solver.project.checks import Checked
from solver.project.contact import PlaneContact, surfaces_of
from solver.project.document import Project
from solver.project.joint_table import axes_of, row_of, slides_of
from solver.project.joints import Joint, Lock
from solver.project.motions import RootStart
from solver.project.posing import members, root_of
from solver.project.segments import GROUND

# What is counted from the start: settling moves the start, and must not move what springs are at rest at.

SAME = 1e-9
"""Difference (m or rad) that makes no other length."""


def with_lengths(project: Project) -> Project:
    """Write down rest lengths and zeros that are counted from the start as they are now."""
    if not _counts(project):
        return project
    return _written(project, compile_model(Checked(project)))


def without_same(project: Project, before: Project) -> Project:
    """Leave out again what has been written down, where the start that was found gives the same."""
    if not _counts(before):
        return project
    bare = project.model_copy(
        update={
            "springs": _left_out(project.springs, before.springs, "rest_length_m"),
            "coordinate_forces": _left_out(
                project.coordinate_forces, before.coordinate_forces, "zero"
            ),
        }
    )
    found = _written(bare, compile_model(Checked(bare)))
    return bare.model_copy(
        update={
            "springs": _chosen(bare.springs, project.springs, found.springs, "rest_length_m"),
            "coordinate_forces": _chosen(
                bare.coordinate_forces, project.coordinate_forces, found.coordinate_forces, "zero"
            ),
        }
    )


def written_down(before: Project, after: Project) -> list[str]:
    """Name what was counted from the start and no longer is."""
    pairs = [
        *zip(before.springs, after.springs, strict=True),
        *zip(before.coordinate_forces, after.coordinate_forces, strict=True),
    ]
    return [was.id for was, one in pairs if was != one]


def _counts(project: Project) -> bool:
    """Tell whether anything is counted from the start."""
    springs = any(getattr(one, "rest_length_m", 0.0) is None for one in project.springs)
    return springs or any(one.zero is None for one in project.coordinate_forces)


def _written(project: Project, model: Model) -> Project:
    system = model.system
    rest = {one.id: system.lines.rest[n] for n, one in enumerate(lines_of(project))}
    zero = {one.id: system.coordinates.zero[n] for n, one in enumerate(project.coordinate_forces)}
    return project.model_copy(
        update={
            "springs": _given(project.springs, "rest_length_m", rest),
            "coordinate_forces": _given(project.coordinate_forces, "zero", zero),
        }
    )


def _given(items: Sequence[Any], name: str, values: dict[str, Array]) -> tuple[Any, ...]:
    return tuple(
        one.model_copy(update={name: float(values[one.id])})
        if getattr(one, name, 0.0) is None
        else one
        for one in items
    )


def _left_out(items: Sequence[Any], before: Sequence[Any], name: str) -> tuple[Any, ...]:
    return tuple(
        one.model_copy(update={name: None}) if getattr(was, name, 0.0) is None else one
        for one, was in zip(items, before, strict=True)
    )


def _chosen(
    bare: Sequence[Any], written: Sequence[Any], found: Sequence[Any], name: str
) -> tuple[Any, ...]:
    return tuple(
        one if abs(getattr(kept, name, 0.0) - getattr(new, name, 0.0)) <= SAME else kept
        for one, kept, new in zip(bare, written, found, strict=True)
    )


# Lock joints with what they must hold at rest; they open once they are loaded more.

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


# Let what rests on a moving segment start with its motion.


def starting_at_rest(project: Project, statics: Statics, roots: Sequence[str]) -> Project:
    """Let whole bodies share the motion of what bears most of them, with no speeds of their own."""
    starts = {r.segment: r for r in project.initial.roots}
    still: set[str] = set()
    for root in roots:
        bearer = bearing(project, statics, root)
        start = starts.get(root, RootStart(segment=root))
        starts[root] = start.model_copy(
            update={"moves_with": bearer, "velocity_m_per_s": (0.0, 0.0, 0.0)}
        )
        still |= set(members(project, root))
    children = {j.id: j.child for j in project.joints}
    initial = project.initial.model_copy(
        update={
            "roots": tuple(starts.values()),
            "attitudes": tuple(
                a.model_copy(update={"angular_velocity_rad_per_s": (0.0, 0.0, 0.0)})
                if a.segment in still
                else a
                for a in project.initial.attitudes
            ),
            "joints": tuple(
                s.model_copy(update={"rates": ()}) if children[s.joint] in still else s
                for s in project.initial.joints
            ),
        }
    )
    return project.model_copy(update={"initial": initial})


def bearing(project: Project, statics: Statics, root: str) -> str:
    """Name the segment that presses most on a body at the last evaluation; the ground if none does."""
    own, planes = set(members(project, root)), {p.id: p.segment for p in project.planes}
    loads: dict[str, float] = {}
    for contact, row in zip(project.contacts, statics.system.contacts.seen, strict=True):
        ends = {end.segment for end in surfaces_of(contact)}
        if isinstance(contact, PlaneContact):
            ends.add(planes[contact.plane])
        others = ends - own
        if len(others) == 1 and ends & own:
            name = root_of(project, others.pop())
            loads[name] = loads.get(name, 0.0) + float(np.linalg.norm(row[:3]))
    return max(loads, key=lambda name: loads[name]) if loads and max(loads.values()) > 0 else GROUND
