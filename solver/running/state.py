"""The state of a run: all that steps depend on, and what outputs follow on from block to block.

Kernels trust their numbers: one that counts rows or names a body is not looked at again. So what no
kernel writes must be as the model has it, to the last bit; whole numbers must lie in their range, and
all others be finite. A state that does not fit is not written either (`stepper.py`), so that none is
refused that this program has made.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from solver.engine.dynamics.tree import BALL, COORDINATES, DRIVEN, FREE, SPEEDS, TURN, Array
from solver.engine.forces.airbags.arrays import FULL, KEPT, BagMemory, BagWorkspace
from solver.engine.forces.contacts.arrays import BEHIND, ContactMemory, Touch
from solver.engine.forces.coordinates.arrays import ON_BELOW, PAST
from solver.engine.forces.impulses import MISSING
from solver.engine.forces.own import OwnLaws
from solver.engine.forces.straps.arrays import JUNCTION, SURFACE, StrapMemory, StrapWorkspace
from solver.engine.forces.system import System, Work
from solver.engine.integrate.flow import (
    ERROR,
    FRESH,
    NEXT_BREAK,
    PHASE,
    SIDE,
    STAGE,
    STAGES,
    WAKE,
    WORST,
    Flow,
)
from solver.engine.integrate.implicit import AGE, PROBE, STALE, TRIES, TRY
from solver.engine.integrate.narrowing import AT_STAGE
from solver.engine.integrate.plan import PROBING, Method
from solver.model.set_forces import Force
from solver.project.document import Project
from solver.project.problems import SimulationError
from solver.running.inputs import Kept

# Look whether a state that was read from a file fits its model, before kernels see it.

FAR = 1e30
"""No number of a state is larger, but for marks of what is never reached."""

FARTHEST = 1e301
"""Those marks are within this, or endless."""

MOST = 2**53
"""Nothing is counted so often."""

CHANGES: Mapping[str, str] = MappingProxyType({
    "": "locked",
    "bags/memory": " ".join(BagMemory._fields),
    "bags/workspace": " ".join(BagWorkspace._fields),
    "belts": "memory mode path seen turn",
    "bends": "first space",
    "breakings": "R0 at force kind locked onto q seen space state torque turned",
    "contacts/memory": " ".join(ContactMemory._fields),
    "contacts/workspace": "bristle seen time warm",
    "contacts/workspace/clear": "gap kept_gap kept_place kept_turn moved place turn",
    "contacts/workspace/touch": " ".join(Touch._fields),
    "cams": "at first normal now seen",
    "closures": "first seen",
    "couplings": "row seen",
    "coordinates": "held legs memory mode newest past seen turned turning wake",
    "coordinates/blocks": "held value",
    "drivers": "first fold last offset part phase seen way",
    "joints/balls": "angle axes",
    "joints/bearings": "before found missed size wanted",
    "joints/contours": "across depth",
    "joints/eulers": "angle axes last led seen way",
    "loads": "seen",
    "own": "load of_a of_b",
    "pairs": "at_a broken first",
    "breakables": "at_i at_j force limit load seen size state",
    "planes": "now",
    "edge_constraints": "at first point seen sense state",
    "rolls": "first last_normal normal point seen side sign slip state struck turn",
    "straps/retractors": "drawn drawn_end fired given given_end locked locked_end locks present pulls time time_end",
    "straps/memory": " ".join(StrapMemory._fields),
    "straps/workspace": " ".join(StrapWorkspace._fields),
    "surfaces": "centre",
    "switches": "carried kept limit",
    "symmetries": "first",
    "tree": "R0 inertia joint_in_parent kind mass parent",
    "traces": "load",
    "triggers": "fires vector waits",
    "tyres": "seen",
    "winds": "began other seen sums turn",
})  # fmt: skip
"""What kernels write of a system, by bundle. All else of it is the model's own."""

MARKS = (
    "System/breakings/seen", "System/breakables/seen", "System/contacts/workspace/touch/found", "Implicit/numbers",
)  # fmt: skip
"""Arrays that may hold marks of what is never reached."""

CHANGING = frozenset(
    f"System/{bundle}/{name}".replace("//", "/")
    for bundle, names in CHANGES.items()
    for name in names.split()
)

Named = Mapping[str, Array]
Fits = Callable[[Any, Named, int], Any]
"""Say of an array of whole numbers whether, or where, it may be as it is, from the model's arrays, and breaks."""


def _within(least: int, most: int) -> Fits:
    return lambda one, _, __: (one >= least) & (one <= most)


def _below(name: str, least: int = -1, axis: int = 0) -> Fits:
    """Ask for numbers of rows of another array."""
    return lambda one, model, _: (one >= least) & (one < model[name].shape[axis])


def _no_more(name: str, least: int) -> Fits:
    """Ask for no more than the most that there is at the start."""
    return lambda one, model, _: (one >= least) & (one <= np.max(model[name], initial=least))


def _row(one: Any, model: Named, _: int) -> Any:
    """Ask for the number of a row of constraints, or the one behind the last."""
    return (one >= -1) & (one <= len(model["Work/rows/bias"]))


def _struck(one: Any, model: Named, _: int) -> Any:
    """Ask for pairs, or for stops by -1 less their number."""
    stops = len(model["System/switches/law"])
    return (one >= -stops - 1) & (one < max(len(model["System/contacts/model/a"]), 1))


def _written(one: Any, model: Named, _: int) -> Any:
    """Ask for no more pairs and rounds than there is room for."""
    room = len(model["Work/impacts/told/number"]), len(model["Work/impacts/told/on_body"])
    return np.all((one >= 0) & (one <= room))


def _used(one: Any, model: Named, _: int) -> Any:
    most = len(model["Work/rows/bias"])
    return np.all((one[:3] >= 0) & (one[:3] <= most)) and one[3] == model["Work/rows/used"][3]


def _counters(one: Any, model: Named, breaks: int) -> Any:
    least, most = np.zeros(len(one)), np.full(len(one), float(MOST))
    least[SIDE] = -1
    most[[PHASE, STAGE, FRESH, NEXT_BREAK, SIDE]] = PROBING, STAGES - 1, 1, breaks, AT_STAGE
    most[WORST] = max(len(model["System/tree/parent"]) - 1, 0)
    return (one >= least) & (one <= most)


def _implicit(one: Any, model: Named, _: int) -> Any:
    least, most = np.zeros(len(one)), np.full(len(one), float(MOST))
    least[AGE], least[PROBE] = STALE, -1
    most[PROBE], most[TRY] = 2 * len(model["Implicit/open"]), TRIES
    return (one >= least) & (one <= most)


def _room(at: Any, whole: int) -> Any:
    """How many places there are from each on to the next."""
    ends = np.sort(np.append(np.unique(at), whole))
    return ends[np.searchsorted(ends, at, side="right")] - at if len(at) else at


def _kinds(one: Any, model: Named, _: int) -> Any:
    """Ask for kinds of the model, for turns or balls at the last of three pins, or for free bodies where there is room for one."""
    q = _room(model["System/tree/at_q"], len(model["Flow/q"]))
    v = _room(model["System/tree/at_v"], len(model["Flow/v"]))
    may_be_free = (q >= COORDINATES[FREE]) & (v >= SPEEDS[FREE])
    pinned = np.zeros(len(one), bool)
    bodies = model["System/joints/eulers/body"]
    # a single body is a ball for good
    pinned[bodies[bodies[:, 0] != bodies[:, 2], 2]] = True
    changes = ((one == TURN) | (one == BALL)) & pinned
    return (one == model["System/tree/kind"]) | ((one == FREE) & may_be_free) | changes


def _parents(one: Any, model: Named, _: int) -> Any:
    return (one == model["System/tree/parent"]) | (one == -1)


def _before(name: str) -> Fits:
    """Ask for what a joint was before it broke, or for what stands there until it does."""

    def fits(one: Any, model: Named, _: int) -> Any:
        was = model[f"System/tree/{name}"][model["System/breakings/body"]]
        return (one == was) | (
            one == model[f"System/breakings/{'onto' if name == 'parent' else name}"]
        )

    return fits


def _newest(one: Any, _: Named, __: int) -> Any:
    return (one >= 0) & (one <= [PAST - 1, PAST]) if one.size else one == one


def _ahead(one: Any, model: Named, _: int) -> Any:
    ends = model["System/bags/model/stops"]
    return (one >= ends[:, 0]) & (one <= ends[:, 1]) if one.size else one == one


_FLAG, _MODE = _within(0, 1), _within(0, ON_BELOW)

WHOLE: Mapping[str, Fits] = MappingProxyType({
    "Exponential/counts": _within(0, MOST), "Exponential/group": _below("Flow/v"),
    "Flow/armed": _FLAG, "Flow/counters": _counters, "Flow/fire": _within(0, 2), "Flow/level": _FLAG,
    "Implicit/counts": _implicit, "Implicit/open": _FLAG,
    "Implicit/equations/pair_order": _below("Implicit/equations/pair_order", 0),
    "Implicit/equations/single_order": _below("Implicit/equations/single_order", 0),
    "System/bags/memory/ahead": _ahead, "System/bags/memory/state": _within(0, FULL), "System/bags/memory/vent_held": _FLAG, "System/bags/memory/stage": _within(0, KEPT),
    "System/belts/mode": _MODE, "System/bends/first": _row, "System/breakings/kind": _before("kind"),
    "System/breakings/locked": _within(0, DRIVEN), "System/breakings/onto": _before("parent"),
    "System/breakings/state": _within(0, 2), "System/contacts/memory/mode": _MODE,
    "System/cams/first": _row, "System/closures/first": _row, "System/couplings/row": _row,
    "System/contacts/memory/present": _within(0, BEHIND), "System/coordinates/mode": _MODE,
    "System/coordinates/newest": _newest, "System/drivers/first": _row, "System/drivers/phase": _within(0, 2),
    "System/joints/bearings/missed": _within(0, MOST), "System/locked": _within(0, DRIVEN),
    "System/pairs/broken": _FLAG, "System/pairs/first": _row, "System/breakables/state": _within(0, 2),
    "System/edge_constraints/first": _row, "System/edge_constraints/state": _within(0, 2), "System/rolls/first": _row,
    "System/rolls/state": _within(0, 3), "System/rolls/struck": _FLAG,
    "System/straps/retractors/fired": _FLAG, "System/straps/retractors/locked": _FLAG, "System/straps/retractors/locked_end": _FLAG,
    "System/straps/workspace/counts": _within(0, MOST), "System/straps/memory/flesh_mode": _MODE,
    "System/straps/memory/left": _below("System/straps/model/kind"), "System/straps/memory/marks": _FLAG, "System/straps/memory/webbing_mode": _MODE,
    "System/straps/memory/right": _below("System/straps/model/kind"), "System/straps/memory/size": _no_more("System/straps/memory/size", 0),
    "System/straps/memory/unknown": _no_more("System/straps/memory/unknown", -1), "System/symmetries/first": _row, "System/tree/kind": _kinds,
    "System/tree/parent": _parents, "System/triggers/waits": _FLAG,
    "Work/impacts/lack": _within(0, MISSING), "Work/impacts/state": _FLAG, "Work/impacts/struck": _FLAG, "Work/impacts/poisson": _FLAG,
    "Work/impacts/number": _struck, "Work/impacts/told/number": _struck, "Work/impacts/told/written": _written,
    "Work/rows/body": _below("System/tree/parent"), "Work/rows/held": _FLAG,
    "Work/rows/order": _below("Work/rows/order", 0), "Work/rows/response/touched": _FLAG, "Work/rows/used": _used,
})  # fmt: skip
"""In which range whole numbers that kernels write may lie. All others are the model's own."""


def check(
    theirs: Sequence[Array], breaks: Array, now: Sequence[tuple[str, Array]], model: Named
) -> None:
    """Raise SimulationError where arrays of a state do not fit the model.

    `now` are the model's arrays by name, in the order of theirs, with the forces that act from outside;
    `model` are those at its start.
    """
    ends = breaks.dtype == np.float64 and breaks.ndim == 1
    if not ends or not np.isfinite(breaks).all() or np.any(np.diff(breaks) < 0.0):
        raise unfit("breaks")
    state = {}
    for (name, mine), one in zip(now, theirs, strict=True):
        state[name] = one
        if not fits(name, one, mine, model, len(breaks)):
            raise unfit(name)
    if not _is_consistent(state, model):
        raise unfit("System/straps")


def unfit(name: str) -> SimulationError:
    """The error that says what of a state does not fit."""
    return SimulationError(
        "The checkpoint does not fit the model: '{name}' in it holds what no run of this model writes.",
        name=name,
    )


def fits(name: str, one: Any, mine: Any, model: Named, breaks: int) -> bool:
    """Whether an array of a state could be of a run that has so many breaks."""
    if (one.dtype, one.shape) != (mine.dtype, mine.shape):
        return False
    is_own = name.startswith("System/") and name not in CHANGING
    if not is_own and one.dtype.kind == "f":
        return is_finite(name, one, model)
    if is_own or name not in WHOLE:
        return bool(one.tobytes() == mine.tobytes())
    return bool(np.all(WHOLE[name](one, model, breaks)))


def is_finite(name: str, one: Any, model: Named) -> bool:
    """Whether an array holds nothing endless, and nothing too large, but marks of what is never reached."""
    # NaN is below nothing
    fine = np.abs(one) <= (FARTHEST if name in MARKS else FAR)
    if name == "Flow/clock":
        fine[[ERROR, WAKE]] = np.abs(one[ERROR]) <= FARTHEST, one[WAKE] > 0.0
    # what never comes is endless at the start already
    return bool(np.all(fine | (np.isinf(model[name]) & (one == model[name]))))


def _is_consistent(state: Named, model: Named) -> bool:
    """Whether points in play follow each other along their straps, and their unknowns are counted off."""
    kind, first, join, was_left, was_right, was = (
        model[f"System/straps/{name}"]
        for name in (
            "model/kind",
            "model/first",
            "model/join",
            "memory/left",
            "memory/right",
            "memory/unknown",
        )
    )
    left, right, unknown = (
        state[f"System/straps/memory/{name}"].copy() for name in ("left", "right", "unknown")
    )
    out = (unknown < 0) & (was >= 0)
    if np.any(out & ((kind != SURFACE) | (right != -1))):
        return False
    left_now, right_now, number, size = (
        was_left.copy(),
        was_right.copy(),
        was.copy(),
        model["System/straps/memory/size"].copy(),
    )
    for h in range(len(first) - 1):
        points = range(first[h], first[h + 1])
        if not out[points].any():
            continue
        for k in points:
            while left_now[k] >= 0 and out[left_now[k]]:
                left_now[k] = was_left[left_now[k]]
            while right_now[k] >= 0 and out[right_now[k]]:
                right_now[k] = was_right[right_now[k]]
        # as `_number` does it in `straps/kernels.py`
        count = joins = 0
        for k in points:
            if was[k] >= 0 and kind[k] != JUNCTION:
                number[k] = -1 if out[k] else count
                count += 0 if out[k] else 3 if kind[k] == SURFACE else 1
        for k in points:
            if join[k] == k:
                number[k], joins = count + joins, joins + 3
        for k in points:
            if join[k] >= 0:
                number[k] = number[join[k]]
        size[h, 0] = count
    stay = ~out
    return (
        np.array_equal(left[stay], left_now[stay])
        and np.array_equal(right[stay], right_now[stay])
        and np.array_equal(unknown, number)
        and np.array_equal(state["System/straps/memory/size"], size)
    )


def alike(theirs: Any, ours: Any) -> bool:
    """Whether what outputs follow on from is made as the model has it at its start."""
    if ours is None or theirs is None:
        return True
    if isinstance(ours, np.ndarray):
        return isinstance(theirs, np.ndarray) and (theirs.dtype, theirs.shape) == (
            ours.dtype,
            ours.shape,
        )
    if isinstance(ours, Mapping):
        return isinstance(theirs, dict) and all(
            key in theirs and alike(theirs[key], one) for key, one in ours.items()
        )
    if isinstance(ours, list):
        return isinstance(theirs, list) and all(map(alike, theirs, ours))
    if isinstance(ours, tuple):
        return isinstance(theirs, tuple) and (
            not ours or (len(theirs) == len(ours) and all(map(alike, theirs, ours)))
        )
    if isinstance(ours, int | float | np.number) and not isinstance(ours, bool):
        return isinstance(theirs, int | float | np.number) and not isinstance(theirs, bool)
    if type(theirs) is not type(ours):
        return False
    return all(alike(getattr(theirs, name, None), one) for name, one in _parts(ours))


def _parts(value: Any) -> Iterator[tuple[str, Any]]:
    if is_dataclass(value):
        yield from ((one.name, getattr(value, one.name)) for one in fields(value))
    elif hasattr(value, "__dict__"):
        yield from vars(value).items()


@dataclass(frozen=True, eq=False)
class State:
    """All that a run knows at one instant, to go on from it, also in another program.

    `time` is the end of the last step (s), `q` and `v` are the coordinates and speeds of the tree's
    joints there (docs/engine.md); `sampled` is the last instant of frames and channels.
    """

    time: float
    sampled: float
    q: Array
    v: Array
    project: Project = field(repr=False)
    arrays: tuple[Array, ...] = field(repr=False)
    breaks: Array = field(repr=False)
    forces: Mapping[str, Force] = field(repr=False)
    wanted: Mapping[str, Force] = field(repr=False)
    memories: tuple[Any, ...] = field(repr=False)
    layout: str = field(repr=False)
    """Tells this model, in this version of the program, from all others."""
    inputs: tuple[Kept, ...] = field(default=(), repr=False)
    """Inputs that have been set, and what they hold."""
    asked: Mapping[str, float] = field(default_factory=dict, repr=False)
    """Inputs that are set for the step that begins."""


class RunArrays:
    """All arrays that the kernels of a run read and write, but the wish of others and what follows from the rest."""

    def __init__(self, start: System, own: OwnLaws, work: Work, flow: Flow, method: Method) -> None:
        e = method.implicit.equations
        # factors follow from derivatives
        self._start = self.at_start = start
        # where users' functions stand in memory is another place in each process
        self._left_out = [
            flow.wish,
            e.single,
            e.pair_real,
            e.pair_imag,
            start.own.address,
            own.address,
            # named and written down within one call, and read when it has come back
            work.impacts.number,
            work.impacts.place,
            *work.impacts.told,
        ]
        self._ids = frozenset(map(id, self._left_out))
        self._beside = (work, flow, method.vei, method.implicit)
        self._found: tuple[System, list[Array]] = start, []

    def arrays(self, system: System) -> list[Array]:
        """Give them, those of a system first."""
        of, found = self._found
        if of is not system or not found:
            parts = (one for bundle in (system, *self._beside) for one in _flat(bundle))
            found = [one for one in parts if id(one) not in self._ids]
            self._found = system, found
        return found

    @cached_property
    def start(self) -> dict[str, Array]:
        """Give the arrays of the model at its start by name, and of the rest how they are."""
        return dict(self.named(self._start))

    def is_finite(self, system: System) -> bool:
        """Whether all numbers are such that a run could be taken up with them."""
        plain, marked = self._reals
        arrays = self.arrays(system)
        # NaN is below nothing
        return bool(
            np.all(np.abs(np.concatenate([arrays[n].ravel() for n in plain])) <= FAR)
        ) and all(is_finite(name, arrays[n], self.start) for n, name in marked)

    @cached_property
    def _reals(self) -> tuple[list[int], list[tuple[int, str]]]:
        """Which arrays hold real numbers, and which of these may hold marks of what is never reached."""
        plain, marked = list[int](), list[tuple[int, str]]()
        for n, (name, one) in enumerate(self.named(self._start)):
            if one.dtype.kind != "f":
                continue
            if name in MARKS or name == "Flow/clock" or not np.all(np.abs(self.start[name]) <= FAR):
                marked.append((n, name))
            else:
                plain.append(n)
        return plain, marked

    @cached_property
    def layout(self) -> str:
        """Tell the model at its start, in this version of the program, from all others."""
        words = [f"{name} {one.dtype.str} {one.ndim}" for name, one in self.named(self._start)]
        sum_ = hashlib.sha256("\n".join(words).encode())
        for name, one in leaves("", self._start):
            if name != "/own/address":
                sum_.update(one.tobytes())
        return sum_.hexdigest()

    def named(self, system: System) -> Iterator[tuple[str, Array]]:
        """All arrays by name, in the order of `arrays`."""
        for bundle in (system, *self._beside):
            for name, one in leaves(type(bundle).__name__, bundle):
                if id(one) not in self._ids:
                    yield name, one


def leaves(path: str, bundle: Any) -> Iterator[tuple[str, Array]]:
    """All arrays of a bundle by name, those of bundles in it too."""
    names = getattr(bundle, "_fields", range(len(bundle)))
    for name, part in zip(names, bundle, strict=True):
        if isinstance(part, tuple):
            yield from leaves(f"{path}/{name}", part)
        elif isinstance(part, np.ndarray):
            yield f"{path}/{name}", part


def _flat(bundle: Any) -> list[Array]:
    """All arrays of a bundle in the same order."""
    found: list[Array] = []
    for part in bundle:
        if isinstance(part, np.ndarray):
            found.append(part)
        elif isinstance(part, tuple):
            found += _flat(part)
    return found


def lasting(project: Project) -> Project:
    """Give the model without its ways to solve it, which states do not depend on."""
    return project.model_copy(update={"runs": (), "studies": ()})
