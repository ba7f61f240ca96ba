"""Begin a run where it begins to differ from one that has been solved.

Of two models whose numbers differ, some differences act only from a time on, or once something has happened: histories
and triggers from the first time at which they are others, gas and vents of a bag from its firing, a pretensioner from
its firing, a contact's law from the first touch. As long as none of it acts, the arrays that kernels write are the
same to the last bit, whatever stands in those that differ; so the run goes on from a state of the other one. Each kind
is named here with the reason; whatever else differs is solved from the start.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.base.words import Sentence
from solver.engine.dynamics.tree import Array
from solver.engine.forces.airbags.arrays import FOLDED, FULL, STATES, BagModel
from solver.engine.forces.laws import APPLIED_AT, RESTITUTION, UNTOUCHED
from solver.engine.forces.system import CAUSES
from solver.engine.integrate.flow import H_NEXT, REACH, T
from solver.engine.maths.profile import Profiles
from solver.model.compile import Model
from solver.model.surfaces import NO_IMPULSE
from solver.project.airbags import Airbag
from solver.project.document import LISTS, Project
from solver.project.references import Key, keys_in
from solver.project.runs import Run
from solver.results.memory import MemoryTrajectory
from solver.running.checkpoint import KeptState, to_bytes
from solver.running.outputs.curve_range import CurveRange
from solver.running.outputs.penetration_pairs import law_ends
from solver.running.outputs.recorder import Sink
from solver.running.restart import alike_ways, hand_over
from solver.running.state import RunArrays, State, leaves
from solver.running.state_fits import CHANGING
from solver.running.stepper import Stepper

STATES_KEPT = 20
"""States that a run keeps at even times for others to begin from."""

GAS = frozenset(BagModel._fields) & {
    "gamma", "gas", "ambient", "throat", "tank_volume", "tank_heat", "tank_mass", "flow_curve", "heat_curve", "inflow_heat", "stop",
}  # fmt: skip
"""Numbers of a bag that nothing reads while it is folded (`airbags/kernels.py: bag_forces`)."""

CLOTH = frozenset(BagModel._fields) & {
    "fabric", "factor", "moments", "leak_area", "leak_curve", "leak_ratio", "spring", "friction", "ramp", "vent_hole",
    "vent_opens", "vent_law", "vent_stays",
}  # fmt: skip
"""Numbers of a bag that nothing reads before it is full: until then it has no mass, nothing presses and nothing leaks."""

UNSEEN = frozenset({"title", "note", "source", "studies", "assumed", "runs", "groups", "includes"})
"""Parts of a project on which no run depends, or that are looked at by themselves."""

MAY_ACT_LATE = frozenset({"airbags", "contact_laws", "functions", "motions", "loads", "harnesses"})
"""Lists whose elements may differ; what their arrays say is looked at."""

CURVES = frozenset({
    "/laws/curve", "/coordinates/laws/curve", "/coordinates/curve", "/winds/curve", "/tyres/curve", "/straps/model/across", "/straps/model/along",
    "/straps/retractors/gives", "/straps/retractors/stroke", "/bags/model/flow_curve", "/bags/model/heat_curve", "/bags/model/leak_curve",
})  # fmt: skip
"""Arrays of numbers of curves, which are others once another constant has become a curve: what counts is the curve."""

ROUNDED = 1e-11
"""Part of one and a time (s) by which the reach of a state must stay before what differs: histories are read a little behind a break,
and a reach up to one may be rounded to less than that."""

FLOW_STATES = frozenset({"Flow/z", "Flow/z0", "Flow/zs", "Flow/z_start"})


class _Differ(Exception):
    """Say that something differs that may act from the start."""


@dataclass(frozen=True)
class Apart:
    """From when on two models may differ: a time, or the first that happens of some things."""

    until_s: float = math.inf
    folded: frozenset[int] = frozenset()
    """Bags that must be folded."""
    filling: frozenset[int] = frozenset()
    """Bags that must not be full."""
    contacts: frozenset[int] = frozenset()
    """Contacts that must never have touched."""
    triggers: frozenset[int] = frozenset()
    """Triggers whose time must not have come."""

    def holds_at(
        self, named: Mapping[str, Array], touched: frozenset[str], paths: Sequence[str]
    ) -> bool:
        """Whether nothing that differs has acted up to a state, given by its arrays."""
        clock = named["Flow/clock"]
        # the functions of events at the end of the last step belong to the next one: that, too, must end before
        ahead = float(clock[T]) + 1.01 * float(clock[H_NEXT]) if clock[H_NEXT] > 0.0 else math.inf
        reach = max(float(clock[REACH]), ahead) + ROUNDED * (1.0 + float(clock[T]))
        bags = named["System/bags/memory/state"]
        mode, fires = named["System/contacts/memory/mode"], named["System/triggers/fires"]
        return (
            reach < self.until_s
            and all(bags[k] == FOLDED for k in self.folded)
            and all(bags[k] != FULL for k in self.filling)
            and all(mode[k] == UNTOUCHED and paths[k] not in touched for k in self.contacts)
            and all(reach < fires[n] for n in self.triggers)
        )


@dataclass
class _Finding:
    """Gather what differs."""

    before: Model
    after: Model
    until_s: float = math.inf
    folded: set[int] = field(default_factory=set)
    filling: set[int] = field(default_factory=set)
    laws: set[int] = field(default_factory=set)
    triggers: set[int] = field(default_factory=set)
    seen: dict[bytes, int] = field(default_factory=dict)

    def apart(self) -> Apart:
        old, new = self.before, self.after
        same = (
            np.array_equal(old.q, new.q) and np.array_equal(old.v, new.v)
            and (old.states, old.rows, old.events, old.notes) == (new.states, new.rows, new.events, new.notes)
            and old.z.shape == new.z.shape
        )  # fmt: skip
        if not same or not all(map(np.array_equal, old.marks(), new.marks())):
            raise _Differ
        self._lists(old.project, new.project)
        self._bundle("", old.system, new.system)
        self._gas()
        if self.laws and CurveRange(old).memory()[0].keys() != CurveRange(new).memory()[0].keys():
            # of which kinds of elements it is followed how far they go beyond their curves
            raise _Differ
        self._at_times(old.breaks, new.breaks)
        return Apart(
            self.until_s,
            frozenset(self.folded),
            frozenset(self.filling),
            frozenset(self._contacts()),
            frozenset(self.triggers),
        )

    def _lists(self, old: Project, new: Project) -> None:
        """Refuse parts of the project that differ and of which nothing is known; follow functions to who reads them."""
        for name in Project.model_fields:
            if name not in UNSEEN | MAY_ACT_LATE and getattr(old, name) != getattr(new, name):
                raise _Differ
        for name in MAY_ACT_LATE:
            if [one.id for one in getattr(old, name)] != [one.id for one in getattr(new, name)]:
                raise _Differ
        if [_laid(one) for one in old.harnesses] != [_laid(one) for one in new.harnesses]:
            raise _Differ
        if law_ends(old) != law_ends(new):
            # what passes through what is told by these, whether or not a law has acted
            raise _Differ
        changed: set[Key] = {
            ("functions", one.id) for one in _changed(old.functions, new.functions)
        }
        if not changed:
            return
        laws, bags = (
            [one.id for one in getattr(new, name)] for name in ("contact_laws", "airbags")
        )
        for name in LISTS:
            for item in getattr(new, name) if name not in UNSEEN else ():
                if not changed.intersection(keys_in(item)):
                    continue
                if name == "contact_laws":
                    self.laws.add(laws.index(item.id))
                elif name == "airbags":
                    self._of_function(bags.index(item.id), item, changed)
                elif name not in ("motions", "loads"):
                    # of those two all that counts stands in their histories
                    raise _Differ

    def _bundle(self, path: str, old: Any, new: Any) -> None:
        for name in old._fields:
            a, b, where = getattr(old, name), getattr(new, name), f"{path}/{name}"
            if isinstance(a, Profiles):
                self._histories(a, b)
            elif isinstance(a, tuple):
                self._bundle(where, a, b)
            elif isinstance(a, np.ndarray) and where != "/own/address":
                self._array(where, a, b)

    def _array(self, where: str, a: Array, b: Array) -> None:
        if where.startswith("/curves/"):
            # who reads them has been looked at, and those that laws make for themselves stand with these
            return
        if a.shape != b.shape or a.dtype != b.dtype:
            raise _Differ
        if where in CURVES:
            # a curve may be another one under the same number
            a, b = (self._pieces(number, of) for number, of in ((a, self.before), (b, self.after)))
        if a.tobytes() == b.tobytes():
            return
        rows = np.flatnonzero((a != b).reshape(len(a), -1).any(axis=1))
        _, bundle, *_, name = where.split("/")
        if not len(rows):
            return
        if bundle == "laws":
            if name == "number" and np.any(a[:, APPLIED_AT] != b[:, APPLIED_AT]):
                # beside a plane it is looked there, untouched, whether a pair is within its edges
                raise _Differ
            self.laws.update(map(int, rows))
        elif where == "/triggers/fires":
            self._fires(rows, a, b)
        elif where.startswith("/bags/model/") and name in GAS | CLOTH:
            self._of_bags(name, rows)
        elif where in ("/straps/retractors/limit", "/straps/retractors/stroke"):
            numbers = self.after.system.straps.retractors.trigger[rows]
            if np.any(numbers < 0):
                raise _Differ
            self.triggers.update(map(int, numbers))
        else:
            raise _Differ

    def _pieces(self, numbers: Array, model: Model) -> Array:
        """Numbers of curves, the same for those that have the same pieces."""
        c, same = model.system.curves, [-1]
        for n in range(len(c.first) - 1):
            rows = slice(c.first[n], c.first[n + 1])
            content = b"".join(one[rows].tobytes() for one in (c.start, c.poly, c.area))
            same.append(self.seen.setdefault(content, len(self.seen)))
        found: Array = np.array(same)[numbers + 1]
        return found

    def _histories(self, old: Profiles, new: Profiles) -> None:
        """Histories are the same up to the first piece that differs, of which the piece before is another one's to its end."""
        if len(old.first) != len(new.first):
            raise _Differ
        for k in range(len(old.first) - 1):
            pieces = [
                [(one.start[n], one.poly[n].tobytes(), one.wave[n].tobytes()) for n in range(one.first[k], one.first[k + 1])]
                for one in (old, new)
            ]  # fmt: skip
            if pieces[0] == pieces[1]:
                continue
            same = next(
                (n for n, (a, b) in enumerate(zip(*pieces, strict=False)) if a != b),
                min(map(len, pieces)),
            )
            if same == 0:
                # the first piece holds before its start, too
                raise _Differ
            self.until_s = min(
                self.until_s, *(float(some[same][0]) for some in pieces if len(some) > same)
            )

    def _fires(self, rows: NDArray[np.intp], a: Array, b: Array) -> None:
        """Bags and pretensioners ask of a trigger only whether its time has come."""
        straps, bags = self.after.system.straps, self.after.system.bags
        known = {*bags.model.trigger.tolist(), *straps.retractors.trigger.tolist()}
        if not known.issuperset(rows.tolist()):
            raise _Differ
        self.until_s = min(self.until_s, float(a[rows].min()), float(b[rows].min()))

    def _of_bags(self, name: str, rows: Iterable[int]) -> None:
        model = self.after.system.bags.model
        found = self.filling if name in CLOTH else self.folded
        ends = model.vents if name.startswith("vent_") else model.stops if name == "stop" else None
        for row in rows:
            at = (
                row if ends is None else np.flatnonzero((ends[:, 0] <= row) & (row < ends[:, 1]))[0]
            )
            found.add(int(at))

    def _of_function(self, bag: int, item: Airbag, changed: set[Key]) -> None:
        """A bag that reads functions which differ: those of its gas from its firing, the others once it is full."""
        gas = changed.intersection(keys_in(item.inflator))
        (self.folded if gas else self.filling).add(bag)

    def _gas(self) -> None:
        """What a bag's tank holds stands in the states."""
        for n in np.flatnonzero(self.before.z != self.after.z):
            k = (int(n) - len(CAUSES)) // STATES
            if not 0 <= k < len(self.after.system.bags.model.body):
                raise _Differ
            self.folded.add(k)

    def _at_times(self, old: Array, new: Array) -> None:
        apart = np.setxor1d(old, new)
        if len(apart):
            self.until_s = min(self.until_s, float(apart[0]))

    def _contacts(self) -> Iterator[int]:
        """The contacts of laws that differ: a law is read from the first touch on, unless impulses or webbing go by it."""
        if not self.laws:
            return
        for model in (self.before, self.after):
            system = model.system
            elsewhere = {
                *system.belts.law.tolist(), *system.straps.model.law.tolist(), *system.straps.model.flesh.tolist(),
            }  # fmt: skip
            strikes = system.laws.number[sorted(self.laws), RESTITUTION] != NO_IMPULSE
            if self.laws & elsewhere or np.any(strikes):
                raise _Differ
        yield from (
            k for k, law in enumerate(self.after.system.contacts.model.law) if law in self.laws
        )


def apart(before: Model, after: Model) -> Apart | None:
    """From when on two models may differ; none where it may be from the start."""
    try:
        return _Finding(before, after).apart()
    except _Differ:
        return None


def _changed(old: Sequence[Any], new: Sequence[Any]) -> Iterator[Any]:
    return (one for was, one in zip(old, new, strict=True) if was is not one and was != one)


def _laid(harness: Any) -> Any:
    """A harness without numbers of its pretensioners, for which its arrays speak."""
    straps = []
    for strap in harness.straps:
        ends = {}
        for name in ("start_device", "end_device"):
            device = getattr(strap, name)
            if device is not None and device.pretensioner is not None:
                bare = device.pretensioner.model_copy(
                    update={"trigger": None, "force_limit_n": None}
                )
                ends[name] = device.model_copy(update={"pretensioner": bare})
        straps.append(strap.model_copy(update=ends))
    return harness.model_copy(update={"straps": tuple(straps)})


# States of one model as those of another.


def carried(state: State, before: Model, after: Model, held: RunArrays) -> State | None:
    """A state of one model as one of another, of which nothing that differs has acted yet; none where it does not fit.

    `held` are the arrays of a run of the other model that has not begun.
    """
    starts, arrays = dict(leaves("System", before.system)), list[Array]()
    for (name, mine), then in zip(held.named(held.at_start), state.arrays, strict=True):
        if name.startswith("System/"):
            found = _of_start(starts[name], mine, then) if name in CHANGING else mine
        elif name in FLOW_STATES:
            found = _of_start(before.z, after.z, then)
        else:
            found = then if then.shape == mine.shape else None
        if found is None:
            return None
        arrays.append(found)
    return replace(
        state, project=after.project, arrays=tuple(arrays), breaks=after.breaks.copy(), layout=held.layout
    )  # fmt: skip


def _of_start(old: Array, new: Array, then: Array) -> Array | None:
    """Numbers of a state; of those that begin otherwise in another model its own, if they are still as they began."""
    if old.shape != new.shape or then.shape != new.shape:
        return None
    if old.tobytes() == new.tobytes():
        return then
    differ = old != new
    return np.where(differ, new, then) if np.array_equal(then[differ], old[differ]) else None


@dataclass(frozen=True, eq=False)
class StateOfAnother:
    """A state that another run has kept, carried over once it is asked for."""

    origin: State
    before: Model
    after: Model
    held: RunArrays

    @cached_property
    def state(self) -> State:
        """The state as one of this run."""
        found = carried(self.origin, self.before, self.after, self.held)
        assert found is not None, "what was carried at a later time fits at an earlier one"
        return found

    def __call__(self) -> bytes:
        """Write it down."""
        return to_bytes(self.state)


@dataclass(frozen=True, eq=False)
class Solved:
    """A run that was solved in this process, from whose states others may begin."""

    model: Model
    run: Run
    found: MemoryTrajectory

    def origins(self) -> Iterator[tuple[State, Model]]:
        """Its states, the latest first, each with the model whose run has kept it."""
        for _, made in reversed(self.found.kept_checkpoints()):
            if isinstance(made, StateOfAnother):
                yield made.origin, made.before
            elif isinstance(made, KeptState):
                yield made.state, self.model

    def latest(self, after: Model, run: Run, held: RunArrays) -> State | None:
        """The latest state that belongs to a run of another model, too, as one of that; none where there is no such."""
        differs = apart(self.model, after) if alike_ways(self.run, run) else None
        if differs is None:
            return None
        ends = min(differs.until_s, self.run.duration_s, run.duration_s)
        differs = replace(differs, until_s=ends)
        names = [name for name, _ in held.named(held.at_start)]
        paths = [f"contacts/{one.id}" for one in after.project.contacts]
        for state, origin in self.origins():
            named = dict(zip(names, state.arrays, strict=True))
            if (
                state.forces
                or state.wanted
                or state.inputs
                or not differs.holds_at(named, _touched(state), paths)
            ):
                continue
            found = carried(state, origin, after, held)
            if found is not None:
                return found
        return None

    def take_up(
        self, state: State, course: Stepper, after: Model, groups: Iterable[str], sinks: Sequence[Sink]
    ) -> None:  # fmt: skip
        """Set a run to a state, and hand over what the other one has found before."""
        course.set_state(state)
        out = course.outcome
        out.status, out.message = "completed", ""
        out.notes.append(
            Sentence(
                "note: up to {time:.6g} ms the run is that of a model solved before, to the last bit: nothing that differs acts sooner",
                time=1e3 * state.time,
            )
        )
        held = course.held
        kept = [
            (one.time, StateOfAnother(one, model, after, held))
            for one, model in self.origins()
            if one.time <= state.time
        ]
        for sink in sinks:
            hand_over(self.found, state, groups, out.happened, sink)
            for time, one in reversed(kept):
                sink.add_checkpoint(time, one)


def _touched(state: State) -> frozenset[str]:
    """Paths of all contacts that have touched so far."""
    happened = state.memories[-1].happened
    return frozenset(
        path for one in happened for path in one.elements if path.startswith("contacts/")
    )
