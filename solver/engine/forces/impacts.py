"""Impulses of one instant together: restitution with stick and slip (section 7.6, type I).

Each pair that touches while it approaches turns its normal speed around times its restitution, or is
left by the others with more (Newton's hypothesis as a complementarity: `u_n + e u_n0 >= 0`, impulse
`>= 0`, one of them zero). Along the surface it sticks: no sliding is left; the impulse must lie in the
cone of friction and lean against the sliding before. Else it slides: the impulse is the coefficient
times the normal one and leans against the mean of the sliding before and after (Pereira, Nikravesh,
Impact dynamics of multibody systems with frictional contact, NATO ASI 1993, whose leaning against the
sliding before is the same in a plane). A stop of a joint is a pair without friction.

No impact adds energy: its work is the sum of impulses times mean speeds, which is
`(1 - e) / 2 * u_n0 <= 0` along the normal and `<= 0` along the surface, for any number of pairs with any
coefficients; Kane's paradox cannot occur. Pairs are all treated alike in each sweep, so that nothing
depends on their order. Impulses that the next round meets again follow in rounds, as in a row of balls.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from solver.engine.dynamics.tree import Array, IntArray
from solver.engine.jit.kernels import inner, kernel
from solver.engine.jit.structs import struct

SWEEPS = 20_000
"""Sweeps after which a way of finding impulses is given up."""

FOLLOWS = (1.0, 0.1, 0.03, 0.01)
"""Parts of the way by which cones of friction follow their normal impulses in a sweep, tried in turn.

Cones that follow at once may swing for ever; slower ones settle where the swinging alone was in the way.
"""

SWEPT = 1e-12
"""Error of speeds, in parts of the largest, at which sweeps end."""

STICKS, SLIPS = range(2)

NOTHING_LACKS, WAITING, FRICTIONLESS, ENDLESS, MISSING = 0, 16, 17, 18, 19
"""What the impulses of an instant lack, the worst last; numbers beyond all else that happens to pairs.

Some wait for the next round by their place in the list; stick and slip are not found, so that impulses act
along the normals alone; rounds come to no end; no impulses are found.
"""


@struct
class Impacts(NamedTuple):
    """The pairs of one instant: 3 rows each, normal and two across; stops leave two of them empty.

    `side` keeps the direction in which each stop is entered while its instant lasts, `struck` marks
    pairs that have had their impulse. `ease` is what a unit of each impulse does to all rows, `cone`
    how large friction may be, `lack` what the impulses of this instant lack.
    """

    restitution: Array
    friction: Array
    state: IntArray
    ease: Array
    speed: Array
    load: Array
    last: Array
    ahead: Array
    rate: Array
    pace: Array
    side: Array
    cone: Array
    struck: IntArray
    lack: IntArray


def make_impacts(pairs: int, stops: int, contacts: int) -> Impacts:
    """Make room for a number of pairs at one instant."""
    m = 3 * pairs
    return Impacts(
        restitution=np.zeros(pairs), friction=np.zeros(pairs), state=np.zeros(pairs, np.int64),
        ease=np.zeros((m, m)), speed=np.zeros(m), load=np.zeros(m), last=np.zeros(m),
        ahead=np.zeros(m), rate=np.zeros(m), pace=np.zeros(m), side=np.zeros(stops),
        cone=np.zeros(pairs), struck=np.zeros(contacts, np.int64), lack=np.zeros(1, np.int64),
    )  # fmt: skip


@kernel
def share(impacts: Impacts, pairs: int) -> float:
    """Find the impulses of so many pairs by their speeds and eases; gives their work.

    Notes what they lack, if it is worse than what has been noted at this instant.
    """
    state, load, lack, found = impacts.state, impacts.load, impacts.lack, True
    for i in range(pairs):
        state[i] = STICKS if impacts.friction[i] > 0.0 else SLIPS
    for _ in range(pairs + 1):
        found = _find(impacts, pairs)
        slips = False
        for i in range(pairs):
            if state[i] == STICKS and (not found or not _may_stick(impacts, i)):
                state[i] = SLIPS
                slips = True
        if not slips:
            break
    work = _work(impacts, pairs)
    if not found or work > _rounding(impacts, pairs):
        lack[0] = max(lack[0], FRICTIONLESS)
        for i in range(pairs):
            impacts.friction[i] = 0.0
            state[i] = SLIPS
        _sweep(impacts, pairs, 1.0)
        work = _work(impacts, pairs)
        if work > _rounding(impacts, pairs):
            lack[0] = MISSING
            for r in range(3 * pairs):
                load[r] = 0.0
            return 0.0
    return min(work, 0.0)


@inner
def _find(impacts: Impacts, pairs: int) -> bool:
    """Find all impulses in their present states, with cones that follow as slowly as it takes."""
    for follow in FOLLOWS:
        if _sweep(impacts, pairs, follow):
            return True
        cones = False
        for i in range(pairs):
            cones = cones or (impacts.state[i] == SLIPS and impacts.friction[i] > 0.0)
        if not cones:
            break
    return False


@inner
def _may_stick(impacts: Impacts, i: int) -> bool:
    """Whether what holds a pair lies in the cone of friction and leans against its sliding."""
    load, speed, a = impacts.load, impacts.speed, 3 * i
    x, y, ux, uy = load[a + 1], load[a + 2], speed[a + 1], speed[a + 2]
    size, slip = math.sqrt(x * x + y * y), math.sqrt(ux * ux + uy * uy)
    if size > (1.0 + 1e-9) * impacts.friction[i] * load[a]:
        return False
    return bool(x * ux + y * uy <= 1e-9 * size * slip)


@inner
def _work(impacts: Impacts, pairs: int) -> float:
    """The work of all impulses: each times the mean of its speed before and after."""
    work = 0.0
    for r in range(3 * pairs):
        felt = 0.0
        for c in range(3 * pairs):
            felt += impacts.ease[r, c] * impacts.load[c]
        work += impacts.load[r] * (impacts.speed[r] + 0.5 * felt)
    return work


@inner
def _rounding(impacts: Impacts, pairs: int) -> float:
    """What the work of all impulses may be off by, as their speeds are exact to `SWEPT`."""
    size = fastest = 0.0
    for r in range(3 * pairs):
        size += abs(impacts.load[r])
        fastest = max(fastest, abs(impacts.speed[r]))
    return 10.0 * SWEPT * fastest * size


@inner
def _sweep(impacts: Impacts, pairs: int, follow: float) -> bool:
    """Find all impulses in their present states, by projections with momentum; says if they are exact.

    The projections: Alart, Curnier, Comp. Meth. Appl. Mech. Eng. 92, 1991. The momentum: Nesterov's, taken
    again where it leads back (O'Donoghue, Candes, Found. Comput. Math. 15, 2015). Cones go that part of the
    way to their normal impulses: with cones that stand the problem is convex, so what is left is to
    find their fixed point (Panagiotopoulos, Ingenieur-Archiv 44, 1975), by relaxation.
    """
    G, u, L, last = impacts.ease, impacts.speed, impacts.load, impacts.last
    Y, rate, pace = impacts.ahead, impacts.rate, impacts.pace
    m, largest, theta = 3 * pairs, 0.0, 1.0
    for r in range(m):
        L[r] = Y[r] = 0.0
        largest = max(largest, abs(u[r]))
        total = 0.0
        for c in range(m):
            total += abs(G[r, c])
        pace[r] = 1.0 / total if total > 0.0 else 0.0
    for i in range(pairs):
        a = 3 * i
        one, two = pace[a + 1], pace[a + 2]
        # across, the slower of both; one along which nothing moves has no say
        pace[a + 1] = pace[a + 2] = min(one, two) if one > 0.0 and two > 0.0 else max(one, two)
        impacts.cone[i] = 0.0
    for _ in range(SWEEPS):
        for r in range(m):
            rate[r] = u[r]
            for c in range(m):
                rate[r] += G[r, c] * Y[c]
            last[r] = L[r]
        worst = back = 0.0
        for i in range(pairs):
            a = 3 * i
            L[a] = max(0.0, Y[a] - pace[a] * (rate[a] + impacts.restitution[i] * u[a]))
            # what sticks has no speed left, what slides leans against the mean speed
            for r in range(a + 1, a + 3):
                left = rate[r] if impacts.state[i] == STICKS else 0.5 * (u[r] + rate[r])
                L[r] = Y[r] - pace[r] * left
            if impacts.state[i] == SLIPS:
                size = math.sqrt(L[a + 1] ** 2 + L[a + 2] ** 2)
                whole = impacts.friction[i] * L[a]
                behind = (1.0 - follow) * (whole - impacts.cone[i])
                most = impacts.cone[i] = whole - behind
                if pace[a] > 0.0:
                    worst = max(worst, abs(behind) / pace[a])
                if size > most:
                    L[a + 1], L[a + 2] = L[a + 1] * most / size, L[a + 2] * most / size
            for r in range(a, a + 3):
                if pace[r] > 0.0:
                    worst = max(worst, abs(L[r] - Y[r]) / pace[r])
                    back += (Y[r] - L[r]) * (L[r] - last[r]) / pace[r]
        if worst <= SWEPT * largest:
            return True
        if back > 0.0:
            theta = 1.0
        new = 0.5 * (1.0 + math.sqrt(1.0 + 4.0 * theta * theta))
        for r in range(m):
            Y[r] = L[r] + (theta - 1.0) / new * (L[r] - last[r])
        theta = new
    return False
