"""The start that settling writes: what is counted from it, joints that are locked, what rides along.

With `keep="slack"` a belt lies on the settled body with the slack of the project. With `keep="length"`
its webbing stays as long as it is at the given start, and the slack follows. A tension lays all
webbing so that it has just that; ends with a retractor are left alone, which winds by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from solver.analysis.equilibrium.statics import SettleError, Statics
from solver.engine.dynamics.tree import HELD, Array
from solver.engine.forces.straps.arrays import STRAIN, TENSION
from solver.engine.maths.curve import curve_at
from solver.model.compile import Model, compile_model
from solver.model.links import lines_of
from solver.project.belts import Belt, Harness, Strap
from solver.project.checks import Checked
from solver.project.contact import PlaneContact, surfaces_of
from solver.project.document import Project
from solver.project.joint_table import axes_of, row_of, slides_of
from solver.project.joints import Joint, Lock
from solver.project.motions import RootStart
from solver.project.posing import members, root_of
from solver.project.segments import GROUND

# Belts while a body settles: laid again over it, or of the length that they had.

Keep = Literal["slack", "length"]

STRONGEST = 1.0
"""Strain up to which a tension is looked for."""

TRIES = 40

NO_WIDER = 1e-7
"""Difference of slack (m) that is none."""

EVEN, ROUGH = 1e-3, 0.05
"""Part of a wanted tension to which webbing is laid, and that is taken where it does not come nearer."""


class Webbing:
    """Lay the belts of one project on its body in other poses."""

    def __init__(self, project: Project, keep: Keep, tension_n: float | None) -> None:
        self._keep, self._tension = keep, tension_n
        self._whole = lengths(Statics(project).model) if keep == "length" else {}
        self._slack: dict[str, float] = {}

    def laid(self, project: Project) -> Project:
        """Give a posed project with the slack that its webbing is to have there."""
        if self._tension is not None:
            return self._tightened(project, self._tension)
        if self._keep == "slack":
            return project
        now = lengths(Statics(project).model)
        slack = {n: self._whole[n][0] - (whole - old) for n, (whole, old) in now.items()}
        return _with_slack(project, slack)

    def _tightened(self, project: Project, wanted: float) -> Project:
        """Shorten webbing until its largest tension is the wanted one, after all points have slipped."""
        model = Statics(project).model
        path = {name: whole - old for name, (whole, old) in lengths(model).items()}
        strain = {name: _strain(model, name, wanted) for name in path}
        slack = {n: self._slack.get(n, -path[n] * e / (1.0 + e)) for n, e in strain.items()}
        ways = {n: _Way(max(path[n] * e, 1e-5)) for n, e in strain.items()}
        best = project, float("inf")
        pull: dict[str, float] = {}
        for _ in range(TRIES):
            made = _with_slack(project, slack)
            statics = Statics(made)
            statics.evaluate(statics.q)
            pull = tensions(statics)
            off = max((abs(pull[n] - wanted) for n in slack), default=0.0)
            if off < best[1]:
                best, self._slack = (made, off), dict(slack)
            if off <= EVEN * wanted:
                return made
            slack = {n: ways[n].further(old, pull[n] - wanted) for n, old in slack.items()}
        if best[1] > ROUGH * wanted:
            worst = max(slack, key=lambda n: abs(pull[n] - wanted))
            raise SettleError(
                "The webbing of '{worst}' cannot be laid with {wanted:g} N: it slips to {pull:.3g} N. Ask for another tension, or look at its points and friction.",
                worst=worst,
                wanted=wanted,
                pull=pull[worst],
            )
        return best[0]


@dataclass
class _Way:
    """Look for the slack of one strap: first by growing steps, then between two that enclose it."""

    step: float
    tight: tuple[float, float] | None = None
    loose: tuple[float, float] | None = None

    def further(self, slack: float, over: float) -> float:
        """The next slack to try after one at which tension is over, or under if below zero."""
        if over > 0.0:
            self.tight = slack, over
        else:
            self.loose = slack, over
        if self.tight is None or self.loose is None:
            self.step *= 2.0
            return slack + (self.step if over > 0.0 else -self.step)
        (a, high), (b, low) = self.tight, self.loose
        if b - a < NO_WIDER:
            # other straps have moved it out of there
            self.step = 10.0 * NO_WIDER
            self.tight = self.loose = None
            return slack + (self.step if over > 0.0 else -self.step)
        part = min(max(high / (high - low), 0.2), 0.8)
        return a + part * (b - a)


def _strain(model: Model, name: str, tension: float) -> float:
    """The strain at which webbing has a tension, on its way in."""
    law, curves = _law_of(model, name), model.system.curves
    base = int(model.system.laws.curve[law, 0])
    low, high = 0.0, STRONGEST
    if tension > curve_at(curves, base, high)[0]:
        raise SettleError(
            "The webbing of '{name}' never comes to {tension:g} N: ask for less tension, or look at its law.",
            name=name,
            tension=tension,
        )
    for _ in range(80):
        middle = 0.5 * (low + high)
        if curve_at(curves, base, middle)[0] < tension:
            low = middle
        else:
            high = middle
    return high if tension > 0.0 else 0.0


def tensions(statics: Statics) -> dict[str, float]:
    """The largest tension (N) of each belt, and of each strap as `harness.strap`."""
    project, system = statics.project, statics.system
    out = {
        belt.id: float(max(row[0], row[1]))
        for belt, row in zip(project.belts, system.belts.seen, strict=True)
    }
    k = 0
    for harness in project.harnesses:
        for strap in harness.straps:
            seen = system.straps.workspace.seen[k : k + len(strap.points) - 1]
            pull = np.where(seen[:, STRAIN] > 0.0, seen[:, TENSION], 0.0)
            out[f"{harness.id}.{strap.id}"] = float(pull.max(initial=0.0))
            k += len(strap.points)
    return out


def has_belts(project: Project) -> bool:
    """Whether a project has belts of any kind."""
    return bool(project.belts or project.harnesses)


def without_belts(project: Project) -> Project:
    """Give a project without its belts."""
    return project.model_copy(update={"belts": (), "harnesses": ()})


def belt_loads(project: Project) -> tuple[Array, Array]:
    """Give torque (about O) and force of all belts on every body, as the project starts, ground axes."""
    full, bare = Statics(project), Statics(without_belts(project))
    full.evaluate(full.q)
    bare.evaluate(bare.q)
    return (
        full.work.applied.torque - bare.work.applied.torque,
        full.work.applied.force - bare.work.applied.force,
    )


def lengths(model: Model) -> dict[str, tuple[float, float]]:
    """The unstretched length and the slack (m) of each belt and strap at the start."""
    out: dict[str, tuple[float, float]] = {}
    for belt, rest in zip(model.project.belts, model.system.belts.rest, strict=True):
        out[belt.id] = float(rest.sum()), belt.slack_m
    k = 0
    for harness in model.project.harnesses:
        for strap in harness.straps:
            n = len(strap.points) - 1
            if not winds(strap):
                rest = model.system.straps.memory.rest[k : k + n]
                out[f"{harness.id}.{strap.id}"] = float(rest.sum()), strap.slack_m
            k += n + 1
    return out


def winds(strap: Strap) -> bool:
    """Whether a retractor takes up the slack of a strap."""
    ends = (strap.start_device, strap.end_device)
    return any(end is not None and end.retractor is not None for end in ends)


def _law_of(model: Model, name: str) -> int:
    project = model.project
    names = {b.id: b.law for b in project.belts}
    names |= {f"{h.id}.{s.id}": s.law for h in project.harnesses for s in h.straps}
    return [law.id for law in project.contact_laws].index(names[name])


def _with_slack(project: Project, slack: dict[str, float]) -> Project:
    def belt(b: Belt) -> Belt:
        return b.model_copy(update={"slack_m": slack[b.id]}) if b.id in slack else b

    def harness(h: Harness) -> Harness:
        straps = tuple(
            s.model_copy(update={"slack_m": slack[f"{h.id}.{s.id}"]})
            if f"{h.id}.{s.id}" in slack
            else s
            for s in h.straps
        )
        return h.model_copy(update={"straps": straps})

    return project.model_copy(
        update={
            "belts": tuple(belt(b) for b in project.belts),
            "harnesses": tuple(harness(h) for h in project.harnesses),
        }
    )


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
    """Whether anything is counted from the start."""
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
    """What each joint would have to hold at the last evaluation (N m; along slides N)."""
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
    for contact, row in zip(project.contacts, statics.system.contacts.workspace.seen, strict=True):
        ends = {end.segment for end in surfaces_of(contact)}
        if isinstance(contact, PlaneContact):
            ends.add(planes[contact.plane])
        others = ends - own
        if len(others) == 1 and ends & own:
            name = root_of(project, others.pop())
            loads[name] = loads.get(name, 0.0) + float(np.linalg.norm(row[:3]))
    return max(loads, key=lambda name: loads[name]) if loads and max(loads.values()) > 0 else GROUND
