"""Steps of one length that keep energy and momentum: the mid-point rule, and speeds at its end that close the account.

A step goes from its start by the speeds and accelerations at its middle, `x = h vm`, `v1 = v0 + h a(xm, vm)` with
`xm = x / 2` in the chart of the tree, found by Newton's method with the derivatives of the implicit one. It is the same both ways in
time and of second order; stiff springs do not shorten it (Crisfield, Shi, An energy conserving co-rotational procedure for non-linear
dynamics with finite elements, NATO ASI 1993, whose bars are slides and turns here). It keeps quadratic energies alone, and no momentum of turning.
So at its end the speeds of all free trees are parted into those of a rigid body, which bear all momentum, and the rest. The first
become those of the momenta that external forces at the middle have left; the rest are made larger or smaller, all
alike, until the energy is what it was, with the work of loads (in the sense of energy both parts are normal to each other). Both
changes are smaller than the error of the step. Near a turning point speeds may have too little energy for that: then two shorter steps are taken.
"""

from __future__ import annotations

import math

from solver.engine.dynamics.tree import OPEN, SPEEDS, Array, IntArray, Tree
from solver.engine.forces.system import JOINT_SPRINGS, LOADS, SPRINGS
from solver.engine.integrate.flow import AT, STAGE, T0, Flow, H
from solver.engine.integrate.implicit import (
    AGE,
    CHANGE,
    FACTORED,
    FACTORED_LENGTH,
    FAILED,
    GOES_ON,
    LEFT_OVER,
    MADE,
    TRY,
    Implicit,
    larger,
    renew_derivatives,
)
from solver.engine.integrate.radau import REAL, factor, solve_single
from solver.engine.integrate.weighing import (
    IN_JOINTS_FIRST,
    IN_JOINTS_NOW,
    IN_SPRINGS_FIRST,
    IN_SPRINGS_NOW,
    KINETIC,
    POTENTIAL,
    REFERENCE,
    Balance,
)
from solver.engine.jit.kernels import inner
from solver.engine.maths.copying import copy, copy_rows
from solver.engine.maths.spatial import (
    NOUGHT,
    Three,
    added,
    cross,
    dot,
    less,
    mat_on,
    of_quaternion,
    plus,
    plus_cross,
    product,
    read,
    read3,
    read4,
    read9,
    scaled,
    transpose_on,
    write,
)

MIDDLE, END, CLOSED = 1, 2, 3
"""Stages: the middle is looked for; its end is seen; the end whose account is closed is seen."""

NEWTON_TRIES, FOUND = 40, 1e-13
"""Tries of Newton's method for the middle, and the part of the fastest speed to which it is found."""

NEARLY, SLOWLY = 1e-9, 0.5
"""Part of the fastest speed that is left where rounding lets nothing more be found, and what is left of a change from which derivatives
are found again."""

MOST_CHANGE = 0.1
"""Part by which the energy of speeds beside momentum may be changed to close the account: they change by half of it."""

ON_GRID = 1e-6
"""Part of a step within which the end of one counts as a multiple of it."""

CLOSED_TO = 1e-14
"""Part of all energies below which the account is closed."""


@inner
def begin_account(balance: Balance, first: bool) -> None:
    """Let the state just weighed be the start of a step; at the very start say what the account is to be."""
    copy_rows(balance.start, balance.now)
    if first:
        numbers = balance.numbers
        numbers[REFERENCE] = numbers[KINETIC] + numbers[POTENTIAL]
        numbers[IN_JOINTS_FIRST] = numbers[IN_JOINTS_NOW]
        numbers[IN_SPRINGS_FIRST] = numbers[IN_SPRINGS_NOW]


@inner
def prepare_energy(flow: Flow, implicit: Implicit) -> None:
    """Put time, chart coordinates and speeds of the present stage in place."""
    s, h, x, v = flow.counters[STAGE], flow.clock[H], implicit.x[0], implicit.v[0]
    nv = len(flow.v0)
    if s == MIDDLE:
        if implicit.counts[TRY] == 0:
            copy(flow.kx[0], flow.v0)
            for n in range(nv):
                v[n] = 0.0
            # of the real equation of Radau's method with another length
            if not implicit.counts[FACTORED] or implicit.numbers[FACTORED_LENGTH] != 0.5 * REAL * h:
                factor(implicit.equations, 0.5 * REAL * h)
                implicit.numbers[FACTORED_LENGTH], implicit.counts[FACTORED] = 0.5 * REAL * h, 1
        for n in range(nv):
            x[n] = 0.5 * h * (flow.v0[n] + v[n])
            flow.xs[n], flow.vs[n] = x[n], flow.v0[n] + v[n]
        flow.clock[AT] = flow.clock[T0] + 0.5 * h
        return
    for n in range(nv):
        flow.xs[n] = h * (flow.v0[n] + v[n])
        if s == END:
            flow.vs[n] = flow.v0[n] + 2.0 * v[n]
    flow.clock[AT] = flow.clock[T0] + h


@inner
def keep_energy(tree: Tree, locked: IntArray, flow: Flow, implicit: Implicit) -> int:
    """Keep the present stage; try the middle again, close the account at the end, or let the step be made."""
    s, h, balance = flow.counters[STAGE], flow.clock[H], implicit.balance
    copy(flow.kv[s], flow.now)
    copy(flow.kz[s], flow.power_now)
    if s == MIDDLE:
        found = _improve(flow, implicit)
        implicit.counts[TRY] = implicit.counts[TRY] + 1 if found == GOES_ON else 0
        if found == MADE:
            flow.counters[STAGE] = END
            # momenta go on from those of the start by what pushes at the middle
            for r in range(len(balance.mass)):
                for k in range(6):
                    balance.wanted[r, k] = balance.start[r, k] + h * balance.push[r, k]
            for i in range(len(flow.z)):
                flow.z[i] = flow.z0[i] + h * flow.kz[MIDDLE, i]
        return FAILED if found == FAILED else GOES_ON
    if s == END:
        flow.counters[STAGE] = CLOSED
        return GOES_ON if _close(tree, locked, flow, balance) else FAILED
    # what is elastic gives back what it holds
    numbers = balance.numbers
    flow.z[JOINT_SPRINGS] = numbers[IN_JOINTS_FIRST] - numbers[IN_JOINTS_NOW]
    flow.z[SPRINGS] = numbers[IN_SPRINGS_FIRST] - numbers[IN_SPRINGS_NOW]
    begin_account(balance, False)
    implicit.counts[AGE] += 1
    if implicit.numbers[LEFT_OVER] > SLOWLY:
        renew_derivatives(implicit)
    return MADE


@inner
def _improve(flow: Flow, implicit: Implicit) -> int:
    """Change the middle by one step of Newton's method, and judge the change."""
    e, h, v, numbers = implicit.equations, flow.clock[H], implicit.v[0], implicit.numbers
    fastest = change = 0.0
    for n in range(len(v)):
        e.gx[0, n] = 0.0
        e.gv[0, n] = flow.now[n] - 2.0 * v[n] / h
        fastest = max(fastest, abs(flow.v0[n]), abs(flow.v0[n] + 2.0 * v[n]))
    solve_single(e, 0.5 * REAL * h, e.gx[0], e.gv[0])
    for n in range(len(v)):
        if implicit.open[n]:
            v[n] += e.gv[0, n]
            change = larger(change, abs(e.gv[0, n]))
            fastest = max(fastest, abs(v[n]))
    tries, before = implicit.counts[TRY], numbers[CHANGE]
    numbers[CHANGE] = change
    if not change < 1e30:
        return FAILED
    numbers[LEFT_OVER] = change / before if tries > 0 and before > 0.0 else 0.0
    if change <= FOUND * fastest:
        numbers[LEFT_OVER] = 0.0 if tries < 8 else 1.0
        return MADE
    if tries > 2 and numbers[LEFT_OVER] > SLOWLY and change <= NEARLY * fastest:
        return MADE
    return FAILED if tries >= NEWTON_TRIES else GOES_ON


@inner
def _close(tree: Tree, locked: IntArray, flow: Flow, balance: Balance) -> bool:
    """Change the speeds at the end so that momenta and energy are what they should be; says whether they have the energy for it."""
    numbers, rigid, wanted, part = balance.numbers, 0.0, 0.0, 1.0
    for r in range(len(balance.mass)):
        rigid += _rigid_energy(balance, r, balance.now)
        wanted += _rigid_energy(balance, r, balance.wanted)
    inside = numbers[KINETIC] - rigid
    target = numbers[REFERENCE] + flow.z[LOADS] - numbers[POTENTIAL] - wanted
    least = CLOSED_TO * (numbers[KINETIC] + abs(numbers[POTENTIAL]) + abs(numbers[REFERENCE]))
    if inside > least and abs(target - inside) > 0.0:
        square = target / inside
        if abs(target - inside) > least and not abs(square - 1.0) <= MOST_CHANGE:
            return False
        part = math.sqrt(min(max(square, 1.0 - MOST_CHANGE), 1.0 + MOST_CHANGE))
    elif abs(target - inside) > least and numbers[KINETIC] <= least:
        return False
    for i in range(len(tree.parent)):
        if locked[i] != OPEN:
            continue
        r, at = balance.root[i], tree.at_v[i]
        if r >= 0 and tree.parent[i] < 0:
            _turn_root(tree, balance, flow, i, part)
            continue
        for n in range(at, at + SPEEDS[tree.kind[i]]):
            flow.vs[n] *= part
    return True


@inner
def _rigid_energy(balance: Balance, r: int, momenta: Array) -> float:
    """Give the energy of a tree that moves as one body with its momenta."""
    push, turn = read3(momenta, r), _turning(balance, r, momenta)
    about = less(
        (momenta[r, 3], momenta[r, 4], momenta[r, 5]), cross(read3(balance.centre, r), push)
    )
    return float(0.5 * (dot(push, push) / balance.mass[r] + dot(turn, about)))


@inner
def _turning(balance: Balance, r: int, momenta: Array) -> Three:
    """Give the angular velocity of a tree that moves as one body with its momenta; none where it has no inertia about some axis."""
    M, centre = read9(balance.inertia, r), read3(balance.centre, r)
    about = less((momenta[r, 3], momenta[r, 4], momenta[r, 5]), cross(centre, read3(momenta, r)))
    a, b, c = (M[0], M[1], M[2]), (M[3], M[4], M[5]), (M[6], M[7], M[8])
    whole, size = dot(a, cross(b, c)), M[0] + M[4] + M[8]
    if not whole > 1e-12 * size * size * size:
        return NOUGHT
    first, second, third = cross(b, c), cross(c, a), cross(a, b)
    out = added(added(scaled(about[0], first), scaled(about[1], second)), scaled(about[2], third))
    return scaled(1.0 / whole, out)


@inner
def _turn_root(tree: Tree, balance: Balance, flow: Flow, i: int, part: float) -> None:
    """Give a free root the speeds of the momenta that are wanted, and a part of what it has besides."""
    r, at, q, row = balance.root[i], tree.at_v[i], tree.at_q[i], flow.vs
    turn = product(read9(tree.R0, i), of_quaternion(read4(flow.qs, q + 3)))
    arm = less(read(flow.qs, q), read3(balance.centre, r))
    was, now = _turning(balance, r, balance.now), _turning(balance, r, balance.wanted)
    mass = 1.0 / balance.mass[r]
    speed_was = plus_cross(scaled(mass, read3(balance.now, r)), was, arm)
    speed_now = plus_cross(scaled(mass, read3(balance.wanted, r)), now, arm)
    spin = mat_on(turn, read(row, at + 3))
    write(row, at, plus(speed_now, part, less(read(row, at), speed_was)))
    write(row, at + 3, transpose_on(turn, plus(now, part, less(spin, was))))


@inner
def up_to_grid(t: float, step: float) -> float:
    """Give the next step: the whole one, or what is left up to the next multiple of it behind steps that were shorter."""
    left = (math.floor(t / step + ON_GRID) + 1.0) * step - t
    return step if abs(left - step) <= ON_GRID * step else left
