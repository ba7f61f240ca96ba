"""Look whether a state that was read from a file fits its model, before kernels see it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from solver.engine.dynamics.tree import BALL, COORDINATES, DRIVEN, FREE, SPEEDS, TURN, Array
from solver.engine.forces.airbags.arrays import FULL, KEPT, BagMemory, BagWorkspace
from solver.engine.forces.contacts.arrays import BEHIND, ContactMemory, Touch
from solver.engine.forces.coordinates.arrays import ON_BELOW, PAST
from solver.engine.forces.impulses import MISSING
from solver.engine.forces.straps.arrays import JUNCTION, SURFACE, StrapMemory, StrapWorkspace
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
)
from solver.engine.integrate.implicit import AGE, PROBE, STALE, TRIES, TRY
from solver.engine.integrate.narrowing import AT_STAGE
from solver.engine.integrate.plan import PROBING
from solver.project.problems import SimulationError

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
    "coordinates": "held memory mode newest past seen turned turning wake",
    "coordinates/blocks": "held value",
    "coordinates/paths": "curved knot knot_body knot_of knots moved_way",
    "drivers": "first fold last offset part phase seen way",
    "joints/balls": "angle axes broken",
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


def _no_more_knots(one: Any, model: Named, _: int) -> Any:
    return (one >= 0) & (one <= len(model["System/coordinates/paths/knot"]))


def _knots(one: Any, model: Named, _: int) -> Any:
    """Ask for points, or for obstacles by -1 less their number."""
    points, over = (len(model[f"System/coordinates/paths/{name}"]) for name in ("body", "over_kind"))  # fmt: skip
    return (one >= -over - 1) & (one < max(points, 1))


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
    "System/coordinates/newest": _newest, "System/coordinates/paths/knots": _no_more_knots,
    "System/coordinates/paths/knot_body": _below("System/tree/parent"), "System/coordinates/paths/knot_of": _knots, "System/drivers/first": _row, "System/drivers/phase": _within(0, 2),
    "System/joints/balls/broken": _FLAG, "System/joints/bearings/missed": _within(0, MOST), "System/locked": _within(0, DRIVEN),
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
