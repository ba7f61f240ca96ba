"""Change a model and go on: what a run knows, taken into a model whose numbers differ.

Coordinates and speeds stay as they are, and so does all that elements remember, where both models have the same elements;
what has not changed since the start begins as the changed model has it. Steps begin again. The energy account goes on: by how
much the change alone has made energy more or less is told, and counted as neither work nor loss.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from solver.base.words import Sentence
from solver.engine.forces.system import CAUSES
from solver.engine.integrate.flow import (
    ERROR,
    EVALUATIONS,
    FRESH,
    JOINED,
    NEXT_BREAK,
    REJECTED,
    STEPS,
    T0,
    WITHIN,
    H,
    T,
)
from solver.project.document import Project
from solver.project.problems import SimulationError
from solver.running.course import Course
from solver.running.state import leaves
from solver.running.state_fits import CHANGING

REMEMBER: Mapping[str, str] = {
    "contacts": "contacts", "belts": "belts", "harnesses": "straps", "airbags": "bags",
    "coordinate_forces": "coordinates", "winds": "winds", "constraints": "pairs rolls edge_constraints breakables couplings closures cams",
    "tyres": "tyres", "drivers": "drivers", "frame_drivers": "drivers", "flexible_elements": "bends", "symmetry": "symmetries",
}  # fmt: skip
"""Lists of the project whose elements remember something, and the bundles of arrays in which they do."""

MOVED = 1e-9
"""Part of a coordinate, and of one, from which it is told that something stands elsewhere."""


@dataclass(frozen=True)
class Change:
    """What has come of a change of the model: energies before and behind it (J), and what there is to say."""

    time: float
    kinetic: tuple[float, float] = (0.0, 0.0)
    potential: tuple[float, float] = (0.0, 0.0)
    strain: tuple[float, float] = (0.0, 0.0)
    notes: tuple[Sentence, ...] = ()

    @property
    def energy_jump(self) -> float:
        """By how much the change alone has made energy more (J)."""
        return sum(after - before for before, after in (self.kinetic, self.potential, self.strain))


def refuse_other_coordinates(old: Project, new: Project) -> None:
    """Raise SimulationError where the coordinates of two models are not the same; says which."""
    for what in _other_coordinates(old, new):
        raise SimulationError(
            "The state cannot be taken into this model: {what} Coordinates have to be the same; masses, laws, places and histories may differ.",
            what=what,
        )


def _other_coordinates(old: Project, new: Project) -> Iterator[Sentence]:
    for list_ in ("segments", "joints", "airbags"):
        theirs, mine = ([one.id for one in getattr(of, list_)] for of in (old, new))
        for name in theirs:
            if name not in mine:
                yield Sentence(
                    "the state has '{name}', which this model lacks.", name=f"{list_}/{name}"
                )
        for name in mine:
            if name not in theirs:
                yield Sentence("it has '{name}', which the state lacks.", name=f"{list_}/{name}")
        if theirs != mine:
            yield Sentence("its {list_} stand in another order.", list_=list_)
    for was, now in zip(old.joints, new.joints, strict=True):
        for field in ("kind", "parent", "child", "axis"):
            one, other = getattr(was, field, None), getattr(now, field, None)
            if one != other:
                yield Sentence(
                    "joint '{name}' has {field} '{now}', and in the state '{was}'.",
                    name=now.id, field=field, now=other, was=one,
                )  # fmt: skip
    for list_, field in (
        ("motions", "segment"),
        ("drivers", "joint"),
        ("frame_drivers", "component"),
    ):
        theirs, mine = (
            [(one.id, getattr(one, field)) for one in getattr(of, list_)] for of in (old, new)
        )
        if theirs != mine:
            yield Sentence("its {list_} drive something else than those of the state.", list_=list_)


def take_over(old: Course, new: Course, before: Project, after: Project) -> Change:
    """Let a run that has not begun go on from where another one of a like model stands."""
    refuse_other_coordinates(before, after)
    mine, theirs = new.room()[1].tree, old.room()[1].tree
    if len(old.room()[3].q) != len(new.room()[3].q) or len(mine.parent) != len(theirs.parent):
        raise SimulationError(
            "The state cannot be taken into this model: it has other coordinates."
        )
    old.hand_over()
    samples, row, _ = old.look(())
    energy_before = samples.energy[row].copy()
    notes = list(_memories(old, new, before, after))
    notes += _outside(old, new)
    q = old.room()[3].q.copy()
    _stand(old, new)
    notes += _states(old, new, before, after)
    new.go_on_behind(old)
    samples, row, _ = new.look(())
    energy_after = samples.energy[row].copy()
    off = np.abs(samples.q[row] - q)
    if np.any(off > MOVED * (1.0 + np.abs(q))):
        notes.append(
            Sentence(
                "note: what is driven or held by constraints stands elsewhere in the changed model, by up to {off:.3g} m or rad",
                off=float(off.max()),
            )
        )
    change = Change(
        old.time,
        (float(energy_before[0]), float(energy_after[0])),
        (float(energy_before[1]), float(energy_after[1])),
        (float(energy_before[2:].sum()), float(energy_after[2:].sum())),
    )
    notes.insert(
        0,
        Sentence(
            "note: the model was changed at {time:.6g} ms; that alone made energy {jump:+.4g} J more",
            time=1e3 * old.time,
            jump=change.energy_jump,
        ),
    )
    new.energy.go_on(old.energy, energy_before, energy_after)
    new.outcome.notes += notes
    return Change(change.time, change.kinetic, change.potential, change.strain, tuple(notes))


def _ids(project: Project, list_: str) -> list[str]:
    return [one.id for one in getattr(project, list_)]


def _memories(old: Course, new: Course, before: Project, after: Project) -> Iterator[Sentence]:
    """Take over what elements remember: of all numbers those that are others than at the start."""
    again = set[str]()
    for list_, bundles in REMEMBER.items():
        if _ids(before, list_) != _ids(after, list_):
            again |= set(bundles.split())
            yield Sentence(
                "note: {list_} are others than in the state; they begin again, without what they remember",
                list_=list_,
            )
            continue
        differ = [
            was.id
            for was, now in zip(getattr(before, list_), getattr(after, list_), strict=True)
            if was != now
        ]
        if differ:
            yield Sentence(
                "note: {list_}: numbers of {names} differ; they go on from what they remember",
                list_=list_,
                names=", ".join(differ),
            )
    for list_ in ("contact_laws", "functions"):
        theirs = getattr(after, list_)
        differ = [one.id for one in getattr(before, list_) if one not in theirs]
        if differ:
            yield Sentence(
                "note: {list_}: {names} differ; what has been pressed or drawn by them goes on from what it remembers",
                list_=list_,
                names=", ".join(differ),
            )
    was, start = (dict(leaves("System", one)) for one in (old.room()[1], old.start))
    misfit = set[str]()
    for name, now in leaves("System", new.room()[1]):
        bundle = name.split("/")[1]
        if name not in CHANGING or bundle in again or name not in start:
            continue
        if was[name].shape != now.shape or start[name].shape != now.shape:
            misfit.add(bundle)
        elif now.size:
            now[...] = np.where(was[name] != start[name], was[name], now)
    for bundle in sorted(misfit):
        yield Sentence(
            "note: what {bundle} remember does not fit the changed model; they begin again",
            bundle=bundle,
        )


def _outside(old: Course, new: Course) -> Sequence[Sentence]:
    """Take over forces from outside and inputs."""
    there = [one for one in old.outside.held.kept() if new.outside.held.has(one[0])]
    lost = [one[0] for one in old.outside.held.kept() if one not in there]
    new.outside.recall(old.outside.forces, old.outside.wanted, there, old.outside.asked)
    new.outside.held.carry_from(old.outside.held)
    if not lost:
        return ()
    return (Sentence("note: the changed model has no input {names}", names=", ".join(lost)),)


def _stand(old: Course, new: Course) -> None:
    """Stand where the other stands, without a step behind."""
    was, now = old.room()[3], new.room()[3]
    t = old.time
    now.q[:], now.v[:] = was.q, was.v
    now.z[: len(CAUSES)] = was.z[: len(CAUSES)]
    now.clock[T] = now.clock[T0] = t
    now.clock[H], now.clock[ERROR], now.clock[WITHIN] = 0.0, 1e-4, t + 1e-12 * (1.0 + abs(t))
    now.counters[STEPS] = max(int(was.counters[STEPS]), 1)
    for count in (EVALUATIONS, REJECTED):
        now.counters[count] = was.counters[count]
    now.counters[FRESH], now.counters[JOINED] = 0, 1
    now.counters[NEXT_BREAK] = int(np.searchsorted(new.breaks, t, side="right"))


def _states(old: Course, new: Course, before: Project, after: Project) -> Sequence[Sentence]:
    """Take over states of elements, such as the gas of bags and what muscles hold."""
    was, now = old.room()[3], new.room()[3]
    n = len(CAUSES)
    same = all(
        _ids(before, one) == _ids(after, one)
        for one in ("airbags", "coordinate_forces", "joints", "constraints")
    )
    notes: Sequence[Sentence] = ()
    if same and len(was.z) == len(now.z):
        changed = was.z[n:] != was.z_start[n:]
        now.z[n:] = np.where(changed, was.z[n:], now.z[n:])
    elif len(now.z) > n:
        notes = (
            Sentence(
                "note: states of gas, muscles and what breaks do not fit the changed model; they begin again"
            ),
        )
    for one, other in ((now.q0, now.q), (now.v0, now.v), (now.z0, now.z), (now.z_start, now.z)):
        one[:] = other
    for dense in (now.dense_x, now.dense_v, now.dense_z):
        dense[:] = 0.0
    return notes
