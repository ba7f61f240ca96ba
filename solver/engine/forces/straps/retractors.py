"""Devices between an anchor and its webbing: retractor with lock and film spool, pretensioner, limiter.

What a device lets a strap's end do is a rising graph of tension over webbing drawn from it:

- a retractor that is not locked draws or winds at its winding tension, until its spool is empty;
- a locked one holds, up to the tension at which its film spool or the load limiter gives; what has
  been given stays given;
- a pretensioner that has fired holds the spool, and draws in by its stroke while tension is below its
  limit;
- an end that follows a measured history has its tension at every instant, as a spool that winds with it, or
  has let out as much as it says.
"""

from __future__ import annotations

from solver.engine.dynamics.tree import Array, Motion, Workspace
from solver.engine.forces.points import acceleration_of, arm_of
from solver.engine.forces.straps.arrays import Retractors, Straps
from solver.engine.forces.triggers import NOT_FIRED, Triggers
from solver.engine.jit.kernels import inner, kernel, separate
from solver.engine.maths.curve import Curves, curve_at
from solver.engine.maths.spatial import length

NO_LIMIT = 1e30

LONGEST = 1e6
"""Time (s) by which every stroke has ended."""

SENSED, LOCKED = range(2)
"""What happens to a retractor."""


@inner
def _stroke(retractors: Retractors, curves: Curves, d: int, since: float) -> float:
    """Give the webbing that a pretensioner has drawn in by a time since its firing."""
    return float(curve_at(curves, retractors.stroke[d], since)[0]) if since > 0.0 else 0.0


@inner
def wind_up(retractors: Retractors, curves: Curves, triggers: Triggers, t: float) -> None:
    """Find what each pretensioner or history draws in between the memory and now; of a history of tension, with which it pulls.

    A pretensioner that waits to fire holds nothing yet, though its step ends a little beyond that instant.
    """
    fires = triggers.fires
    for d in range(len(retractors.point)):
        retractors.pulls[d] = 0.0
        retractors.fired[d] = 0
        drive = retractors.drive[d]
        if drive >= 0:
            now = curve_at(curves, drive, t)[0]
            retractors.pulls[d] = retractors.drawn[d] - now if retractors.pays[d] else max(now, 0.0)
        n = retractors.trigger[d]
        if n >= 0 and fires[n] < NOT_FIRED and not triggers.waits[n]:
            retractors.fired[d] = int(t > fires[n])
            before = _stroke(retractors, curves, d, retractors.time[0] - fires[n])
            retractors.pulls[d] = max(_stroke(retractors, curves, d, t - fires[n]) - before, 0.0)


@separate
def draw_in(retractors: Retractors, curves: Curves, fires: Array, t: float) -> bool:
    """Whether a pretensioner has fired and has not come to the end of its stroke."""
    for d in range(len(retractors.point)):
        n = retractors.trigger[d]
        if n >= 0 and fires[n] <= t:
            since = t - fires[n]
            if _stroke(retractors, curves, d, LONGEST) > _stroke(retractors, curves, d, since):
                return True
    return False


@inner
def graph_of_device(
    retractors: Retractors, curves: Curves, d: int, pull: float, drawn: float, stiff: float
) -> tuple[bool, float, float, float]:
    """Tell which part of the graph holds: whether webbing is held, tension and its slope, or where.

    `drawn` counts from the memory. The part is that on which `tension + stiff drawn` is as at present.
    """
    aim = pull + stiff * drawn
    if retractors.locked[d] == 0 and retractors.fired[d] == 0:
        winding, left = retractors.winding[d], retractors.empty[d] - retractors.drawn[d]
        if retractors.drive[d] >= 0:
            winding = retractors.pulls[d]
        if winding == 0.0 and aim <= 0.0:
            return True, 0.0, 0.0, 0.0
        if aim <= winding + stiff * left:
            return False, winding, 0.0, 0.0
        return True, 0.0, 0.0, left
    gives = NO_LIMIT
    if retractors.gives[d] >= 0:
        gives = curve_at(curves, retractors.gives[d], retractors.given[d])[0]
    pulls, most = retractors.pulls[d], min(retractors.limit[d], gives)
    if pulls != 0.0:
        if aim <= most - stiff * pulls:
            return True, 0.0, 0.0, -pulls
        if aim <= most:
            return False, most, 0.0, 0.0
    if aim <= gives:
        return True, 0.0, 0.0, 0.0
    level, rise = curve_at(curves, retractors.gives[d], retractors.given[d] + max(drawn, 0.0))
    return False, level, rise, 0.0


@separate
@kernel
def retractor_events(
    retractors: Retractors, motion: Motion, space: Workspace, t: float, g: Array, first: int
) -> None:
    """The functions of retractors that are not locked: sensing, and locking after a delay."""
    for d in range(len(retractors.point)):
        g[first + d] = -1.0
        if retractors.locked[d]:
            continue
        if retractors.locks[d] < NOT_FIRED:
            g[first + d] = t - retractors.locks[d]
            continue
        sensors = retractors.sensors
        far, fast = retractors.present[d, 0], retractors.present[d, 1]
        value = max(far / sensors[d, 1], fast / sensors[d, 2]) - 1.0
        i = retractors.body[d]
        if i >= 0 and sensors[d, 0] < NO_LIMIT:
            felt = acceleration_of(motion, space, i, arm_of(motion, i, retractors.at, d))
            value = max(value, length(felt) / sensors[d, 0] - 1.0)
        g[first + d] = value


@inner
def _hold_here(straps: Straps, d: int) -> None:
    """Take what has been drawn up to now into the memory, if nothing has held the spool yet.

    What is held counts from the memory, which is older than the instant at which it is held.
    """
    memory, work, retractors = straps.memory, straps.workspace, straps.retractors
    if retractors.locked[d] or retractors.fired[d]:
        return
    k = retractors.point[d]
    piece, sign = (memory.left[k], -1.0) if straps.model.last[k] else (k, 1.0)
    memory.rest[piece] += sign * work.fed[k]
    work.fed[k] = 0.0
    retractors.drawn[d] = retractors.present[d, 0]


@inner
def switch_retractor(straps: Straps, d: int, t: float) -> int:
    """Let a retractor sense or lock, and say which it was."""
    retractors = straps.retractors
    if retractors.locks[d] == NOT_FIRED:
        retractors.locks[d] = t + retractors.delay[d]
        if retractors.delay[d] > 0.0:
            return SENSED
    _hold_here(straps, d)
    retractors.locked[d] = 1
    return LOCKED


@inner
def hold_fired(straps: Straps, trigger: int) -> None:
    """Let the pretensioners of a trigger that has just fired hold their spools."""
    for d in range(len(straps.retractors.point)):
        if straps.retractors.trigger[d] == trigger:
            _hold_here(straps, d)
