"""Impulses of pairs that strike at one instant, by their speeds and eases: restitution, stick and slip (section 7.6, type I).

**Newton's law** of restitution: each pair turns its normal speed around times its restitution, or is left
by the others with more (a complementarity: `u_n + e u_n0 >= 0`, impulse `>= 0`, one of them zero). Along
the surface it sticks: no sliding is left; the impulse must lie in the cone of friction and lean against the
sliding before. Else it slides: the impulse is the coefficient times the normal one and leans against the mean
of the sliding before and after; then, where no other pair feels it, it turns on from there to the direction of
most loss (Pereira, Nikravesh, Impact dynamics of multibody systems with frictional contact, NATO ASI 1993; in a
plane both are the same). A stop of a joint is a pair without friction.

**Poisson's law**: all pairs press until none approaches, and then give back their restitution times the normal
impulse up to there, or more where others press on them. In both phases friction sticks if the cone allows it, and else
slides against the sliding at the end of the phase (Pfeiffer, Glocker, Multibody Dynamics with Unilateral Contacts,
Wiley 1996, ch. 8). Where a joined pair asks for it, all of the instant follow it.

No impact adds energy. By Newton's law its work is the sum of impulses times mean speeds: `(1 - e) / 2 * u_n0 <= 0`
along the normal, `<= 0` along the surface, and the direction of most loss is taken where it takes more. By Poisson's
law and one restitution the work is at most `(1 + e) (1 - e) / 2` times that of the impulse that presses at the speeds before, which
is below zero; where different ones would gain, the least of them holds for all. Pairs are
all treated alike in each sweep, so that nothing depends on their order. Impulses that the next round meets again follow in rounds,
as in a row of balls.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from solver.engine.dynamics.tree import Array, IntArray
from solver.engine.forces.struck import Struck, make_struck
from solver.engine.jit.kernels import inner, kernel, struct

SWEEPS = 20_000
"""Sweeps after which a way of finding impulses is given up."""

FOLLOWS = (1.0, 0.1, 0.03, 0.01)
"""Parts of the way by which cones of friction follow their normal impulses in a sweep, tried in turn.

Cones that follow at once may swing for ever; slower ones settle where the swinging alone was in the way.
"""

SWEPT = 1e-12
"""Error of speeds, in parts of the largest, at which sweeps end."""

STICKS, SLIPS = range(2)

BY_NEWTON, PRESSES, GIVES_BACK = range(3)
"""What sweeps look for: all of an impulse by Newton's law, or the two phases of Poisson's."""

ALONE = 1e-12
"""Part of what impulses do to their own pair below which another pair does not feel them."""

LOOKS, HALVINGS, LEVEL = 48, 60, 1e-10
"""Steps of the half circle in which the direction of most loss is looked for, and halvings of the one in which it lies;
slope of the loss, in parts of the largest, below which a direction is the one of most loss. So what strikes in a plane
stays in it."""

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
    `number` names each pair, or its stop by -1 less its number, `place` is where it touches, `told` what all this did.
    `poisson` says whether they follow Poisson's law; `floor` is what its normal impulses give back at least, `pressed`
    are the impulses that press, `before` the speeds before them.
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
    poisson: IntArray
    floor: Array
    pressed: Array
    before: Array
    number: IntArray
    place: Array
    told: Struck


def make_impacts(
    pairs: int, stops: int, contacts: int, rounds: int = 0, bodies: int = 0
) -> Impacts:
    """Make room for a number of pairs at one instant."""
    m = 3 * pairs
    return Impacts(
        restitution=np.zeros(pairs), friction=np.zeros(pairs), state=np.zeros(pairs, np.int64),
        ease=np.zeros((m, m)), speed=np.zeros(m), load=np.zeros(m), last=np.zeros(m),
        ahead=np.zeros(m), rate=np.zeros(m), pace=np.zeros(m), side=np.zeros(stops),
        cone=np.zeros(pairs), struck=np.zeros(contacts, np.int64), lack=np.zeros(1, np.int64),
        poisson=np.zeros(1, np.int64), floor=np.zeros(pairs), pressed=np.zeros(m), before=np.zeros(m),
        number=np.zeros(pairs, np.int64), place=np.zeros((pairs, 3)), told=make_struck(pairs, rounds, bodies),
    )  # fmt: skip


@kernel
def share(impacts: Impacts, pairs: int) -> float:
    """Find the impulses of so many pairs by their speeds and eases; gives their work.

    Notes what they lack, if it is worse than what has been noted at this instant.
    """
    state, load, lack = impacts.state, impacts.load, impacts.lack
    found = _by_poisson(impacts, pairs) if impacts.poisson[0] else _by_newton(impacts, pairs)
    work = _work(impacts, pairs)
    if not found or work > _rounding(impacts, pairs):
        lack[0] = max(lack[0], FRICTIONLESS)
        for i in range(pairs):
            impacts.friction[i] = 0.0
            state[i] = SLIPS
        if impacts.poisson[0]:
            _by_poisson(impacts, pairs)
        else:
            _sweep(impacts, pairs, 1.0, BY_NEWTON)
        work = _work(impacts, pairs)
        if work > _rounding(impacts, pairs):
            lack[0] = MISSING
            for r in range(3 * pairs):
                load[r] = 0.0
            return 0.0
    return min(work, 0.0)


@inner
def _by_newton(impacts: Impacts, pairs: int) -> bool:
    """Find impulses by Newton's law of restitution: all stick at first, and those that may not slide."""
    state, found = impacts.state, True
    for i in range(pairs):
        state[i] = STICKS if impacts.friction[i] > 0.0 else SLIPS
    for _ in range(pairs + 1):
        found = _find_impulses(impacts, pairs, BY_NEWTON)
        slips = False
        for i in range(pairs):
            if state[i] == STICKS and (not found or not _may_stick(impacts, i)):
                state[i] = SLIPS
                slips = True
        if not slips:
            break
    for i in range(pairs if found else 0):
        if state[i] == SLIPS and impacts.friction[i] > 0.0 and _is_alone(impacts, pairs, i):
            _turn_to_most_loss(impacts, i)
    return found


# Poisson's law: impulses that press, and what they give back.


@inner
def _by_poisson(impacts: Impacts, pairs: int) -> bool:
    """Find impulses by Poisson's law; with the least restitution of all where different ones together would gain energy."""
    m, speed, load, found = 3 * pairs, impacts.speed, impacts.load, False
    for r in range(m):
        impacts.before[r] = speed[r]
    for i in range(pairs):
        impacts.state[i] = SLIPS
    if _find_impulses(impacts, pairs, PRESSES):
        least = 1.0
        for r in range(m):
            impacts.pressed[r] = load[r]
        for i in range(pairs):
            least = min(least, impacts.restitution[i])
        for alike in range(2):
            for i in range(pairs):
                part = least if alike else impacts.restitution[i]
                impacts.floor[i] = max(part, 0.0) * impacts.pressed[3 * i]
            found = _give_back(impacts, pairs)
            if not found or _work(impacts, pairs) <= _rounding(impacts, pairs):
                break
    return found


@inner
def _give_back(impacts: Impacts, pairs: int) -> bool:
    """Find what is given back, and add it to the impulses that press; says of each pair whether it sticks."""
    m, speed, load, largest = 3 * pairs, impacts.speed, impacts.load, 0.0
    for r in range(m):
        speed[r] = impacts.before[r] + felt_by_all(impacts, m, r, impacts.pressed)
    found = _find_impulses(impacts, pairs, GIVES_BACK)
    for r in range(m):
        load[r] += impacts.pressed[r]
        speed[r] = impacts.before[r]
        largest = max(largest, abs(speed[r]))
    for i in range(pairs):
        left = 0.0
        for r in range(3 * i + 1, 3 * i + 3):
            left = max(left, abs(speed[r] + felt_by_all(impacts, m, r, load)))
        sticks = impacts.friction[i] > 0.0 and left <= 1e-9 * largest
        impacts.state[i] = STICKS if sticks else SLIPS
    return found


@inner
def felt_by_all(impacts: Impacts, m: int, r: int, load: Array) -> float:
    """Give the change of speed of a row by all impulses."""
    felt = 0.0
    for c in range(m):
        felt += impacts.ease[r, c] * load[c]
    return felt


# The direction of most loss of a pair that no other one feels.


@inner
def _is_alone(impacts: Impacts, pairs: int, i: int) -> bool:
    """Whether no other pair feels the impulses of this one."""
    G = impacts.ease
    for a in range(3 * i, 3 * i + 3):
        for r in range(3 * pairs):
            if r // 3 != i and abs(G[a, r]) > ALONE * math.sqrt(abs(G[a, a] * G[r, r])):
                return False
    return True


@inner
def _turn_to_most_loss(impacts: Impacts, i: int) -> None:
    """Turn the friction of a pair from the mean sliding on to where its impulse loses most, if all of it acts."""
    load, a, most = impacts.load, 3 * i, impacts.friction[i] * impacts.load[3 * i]
    size = math.sqrt(load[a + 1] ** 2 + load[a + 2] ** 2)
    if size == 0.0 or size < (1.0 - 1e-9) * most:
        # against no sliding on the mean: more friction would throw it back faster than it came
        return
    x, y = load[a + 1] / size, load[a + 2] / size
    slope, fastest = _slope(impacts, i, x, y), 0.0
    for r in range(a, a + 3):
        fastest = max(fastest, abs(impacts.speed[r]))
    if abs(slope) <= LEVEL * most * fastest:
        return
    step = -math.copysign(math.pi / LOOKS, slope)
    low = high = 0.0
    for n in range(1, LOOKS + 1):
        low, high = high, n * step
        if _is_beyond(impacts, i, x, y, high, step):
            break
    else:
        return
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if _is_beyond(impacts, i, x, y, middle, step):
            high = middle
        else:
            low = middle
    c, s = math.cos(low), math.sin(low)
    _lean(impacts, i, c * x - s * y, s * x + c * y)


@inner
def _is_beyond(impacts: Impacts, i: int, x: float, y: float, angle: float, step: float) -> bool:
    """Whether a turned direction lies beyond that of most loss."""
    c, s = math.cos(angle), math.sin(angle)
    slope = _slope(impacts, i, c * x - s * y, s * x + c * y)
    return bool(slope == math.inf or slope * step >= 0.0)


@inner
def _slope(impacts: Impacts, i: int, x: float, y: float) -> float:
    """Give by how much the work of a pair that slides rises as the direction (x, y) of its friction turns on.

    Its normal impulse follows from the restitution. Where none can, as friction presses by itself, work has no bound: it has
    no end.
    """
    G, u, a, mu = impacts.ease, impacts.speed, 3 * i, impacts.friction[i]
    x, y = mu * x, mu * y
    fall = G[a, a] + x * G[a, a + 1] + y * G[a, a + 2]
    if fall <= 0.0:
        return math.inf
    size = -(1.0 + impacts.restitution[i]) * u[a] / fall
    after_n = u[a] + size * (G[a, a] + G[a, a + 1] * x + G[a, a + 2] * y)
    after_x = u[a + 1] + size * (G[a + 1, a] + G[a + 1, a + 1] * x + G[a + 1, a + 2] * y)
    after_y = u[a + 2] + size * (G[a + 2, a] + G[a + 2, a + 1] * x + G[a + 2, a + 2] * y)
    share_n = (after_n + x * after_x + y * after_y) / fall
    after_x -= share_n * G[a, a + 1]
    after_y -= share_n * G[a, a + 2]
    return float(size * (x * after_y - y * after_x))


@inner
def _lean(impacts: Impacts, i: int, x: float, y: float) -> None:
    """Let the friction of a pair that slides lean along a direction."""
    G, a, mu = impacts.ease, 3 * i, impacts.friction[i]
    fall = G[a, a] + mu * (x * G[a, a + 1] + y * G[a, a + 2])
    size = -(1.0 + impacts.restitution[i]) * impacts.speed[a] / fall
    impacts.load[a] = size
    impacts.load[a + 1], impacts.load[a + 2] = mu * size * x, mu * size * y


# Sweeps.


@inner
def _find_impulses(impacts: Impacts, pairs: int, phase: int) -> bool:
    """Find all impulses in their present states, with cones that follow as slowly as it takes."""
    for follow in FOLLOWS:
        if _sweep(impacts, pairs, follow, phase):
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
        felt = felt_by_all(impacts, 3 * pairs, r, impacts.load)
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
def _sweep(impacts: Impacts, pairs: int, follow: float, phase: int) -> bool:
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
        # what is pressed has no speed left but by friction
        largest = max(largest, abs(impacts.before[r]) if phase == GIVES_BACK else abs(u[r]))
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
            bounce = impacts.restitution[i] * u[a] if phase == BY_NEWTON else 0.0
            floor = impacts.floor[i] if phase == GIVES_BACK else 0.0
            L[a] = max(floor, Y[a] - pace[a] * (rate[a] + bounce))
            # what sticks has no speed left, what slides leans against the mean speed, or by Poisson's law that at the end
            for r in range(a + 1, a + 3):
                leans = impacts.state[i] == SLIPS and phase == BY_NEWTON
                left = 0.5 * (u[r] + rate[r]) if leans else rate[r]
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
