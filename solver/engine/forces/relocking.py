"""Joints that close again while they are breaking (seed 003, p. 23): once the parts have come back near enough.

They close where they are nearest, once they have been further apart than that. Relative speeds along what the joint holds are stopped by an impulse, which
keeps all momentum; its work is booked with the impulses. What is left of the separation stays: the joint
holds its parts where they meet, as the constraint on accelerations does in the print. To move them the
rest of the way would take a force that is not there, and its work.
"""

from __future__ import annotations

import math

from solver.engine.dynamics.rows import Rows, new_row, take_part
from solver.engine.dynamics.tree import (
    BALL,
    FREE,
    HELD,
    OPEN,
    SLIDE,
    Array,
    IntArray,
    Motion,
    Tree,
    kinematics,
)
from solver.engine.forces.breaking import Breakings
from solver.engine.forces.points import (
    Axes,
    arm_of,
    arm_to,
    axes_in_ground,
    axes_of,
    in_axes_of,
    place_quaternion,
    rotation_vector,
    speed_at,
    spin_of,
    summed,
)
from solver.engine.forces.state import Bodies
from solver.engine.jit.kernels import inlined, inner, kernel, separate
from solver.engine.maths.spatial import (
    NOUGHT,
    UNIT,
    Matrix,
    Three,
    add3,
    added,
    cross,
    dot,
    length,
    less,
    product,
    read,
    read3,
    read9,
    read_spatial,
    scaled,
    transposed,
    write,
    write9,
    write_spatial,
)

FITS = 12
"""Times that a joint's coordinates are fitted to how its parts stand; each roughly squares what is left."""

WAYS, HELD_WAYS, RIGHT_SIDE, LEFT_SIDE, AGREE = 0, 6, 12, 13, 14
"""Rows of `space`: directions in which the joint moves, those that it holds, both sides of equations, and
behind these their matrix."""

FIT_ROWS = 22
"""Rows of `space`."""

NOTHING_LEFT = 1e-9
"""Size, in parts of a unit direction, below which nothing is left of it."""


@inlined
def way_back(b: Breakings, n: int, motion: Motion) -> tuple[float, float, float]:
    """How far the two former points are apart, the rate of half the square of that, and the turn."""
    i, m = b.body[n], b.parent[n]
    place = read3(motion.p, i)
    way = less(arm_to(motion, m, place), arm_of(motion, m, b.at, n))
    speed = speed_at(motion, i, m, place)
    _, angle = rotation_vector(axes_of(motion, m, b.turned, n), axes_in_ground(motion.R, i))
    return length(way), dot(way, speed), angle


@inner
def is_near(b: Breakings, n: int, motion: Motion, z: Array) -> bool:
    """Whether a joint that is breaking closes again as its parts stand: they have been further apart."""
    far, _, angle = way_back(b, n, motion)
    near = far < b.heal[n, 0] <= z[b.first[n]]
    return bool(near and (b.heal[n, 1] <= 0.0 or angle < b.heal[n, 1]))


@inner
def _join(b: Breakings, n: int, tree: Tree, locked: IntArray, first: int) -> None:
    """Make the free body a joint's again, with all that was held."""
    i = b.body[n]
    tree.kind[i], tree.parent[i] = b.kind[n], b.onto[n]
    write9(tree.R0, i, read9(b.R0, n))
    for j in range(first, i + 1):
        locked[j] = b.locked[j]


@separate
@kernel
def relock_rows(b: Breakings, n: int, bodies: Bodies, rows: Rows, first: int) -> int:
    """Fit the joint to how its parts stand, and add the rows of what it holds; gives how many ways it moves.

    The body is free again afterwards, as `rows` and the factors of the last evaluation have it. The joint's
    coordinates then stand in `b.q`, its zero attitude in `b.R0`.
    """
    tree, locked, motion, _, q, v = bodies
    i, m, space = b.body[n], b.parent[n], b.space
    stands, place = axes_in_ground(motion.R, i), read3(motion.p, i)
    a = tree.at_q[i]
    free = (q[a], q[a + 1], q[a + 2], q[a + 3], q[a + 4], q[a + 5], q[a + 6])
    _join(b, n, tree, locked, first)
    ways = 0
    for k in range(FITS + 1):
        for j in range(tree.at_q[first], a + (4 if b.kind[n] == BALL else 1)):
            q[j] = b.q[j]
        kinematics(tree, locked, q, v, motion)
        if k < FITS:
            ways = _ways(tree, locked, motion, first, i, space)
            _fit(b, n, bodies, first, ways, stands, place)
    # what is left goes into the joint's own place and attitude
    add3(tree.joint_in_parent, first, in_axes_of(motion, m, less(place, read3(motion.p, i))))
    _turn_zero(b, n, tree, motion, stands)
    # by its own axis, as it stands now
    _join(b, n, tree, locked, first)
    kinematics(tree, locked, q, v, motion)
    ways = _ways(tree, locked, motion, first, i, space)
    # free again
    tree.kind[i], tree.parent[i], locked[i] = FREE, -1, OPEN
    for j in range(first, i):
        locked[j] = HELD
        q[tree.at_q[j]] = v[tree.at_v[j]] = 0.0
    write9(tree.R0, i, UNIT)
    for k in range(7):
        q[a + k] = free[k]
    kinematics(tree, locked, q, v, motion)
    held = _others(space, ways)
    for k in range(held):
        couple, along = read_spatial(space, HELD_WAYS + k)
        r = new_row(rows)
        take_part(rows, motion, r, 0, i, couple, along)
        about = added(couple, cross(arm_to(motion, m, place), along))
        take_part(rows, motion, r, 1, m, scaled(-1.0, about), scaled(-1.0, along))
    return ways


@separate
@kernel
def relock(b: Breakings, n: int, bodies: Bodies, first: int, ways: int, z: Array) -> None:
    """Close a joint whose relative speeds have been stopped, but for those of its own."""
    tree, locked, motion, _, q, v = bodies
    i, m, space = b.body[n], b.parent[n], b.space
    kinematics(tree, locked, q, v, motion)
    spin = less(spin_of(motion, i), spin_of(motion, m))
    write_spatial(space, RIGHT_SIDE, spin, speed_at(motion, i, m, read3(motion.p, i)))
    _solve(space, ways)
    _join(b, n, tree, locked, first)
    k = 0
    for j in range(first, i + 1):
        c = tree.at_v[j]
        v[c] = 0.0
        if tree.kind[j] == BALL:
            v[c] = v[c + 1] = v[c + 2] = 0.0
        if locked[j] != OPEN:
            continue
        if tree.kind[j] == BALL:
            write(v, c, in_axes_of(motion, j, read(space[LEFT_SIDE], k)))
            k += 3
        else:
            v[c] = space[LEFT_SIDE, k]
            k += 1
    for j in range(tree.at_q[first], tree.at_q[i] + (4 if b.kind[n] == BALL else 1)):
        q[j] = b.q[j]
    z[b.first[n]] = z[b.first[n] + 1] = 0.0


@inner
def _ways(tree: Tree, locked: IntArray, motion: Motion, first: int, i: int, space: Array) -> int:
    """Write down how the body moves by each open coordinate: spin and speed of its point; gives their number."""
    at, k = read3(motion.p, i), 0
    for j in range(first, i + 1):
        if locked[j] != OPEN:
            continue
        if tree.kind[j] == BALL:
            for c in range(3):
                for u in range(6):
                    space[WAYS + k, u] = 1.0 if u == c else 0.0
                k += 1
            continue
        o = tree.parent[j] if tree.kind[j] == SLIDE else j
        axis = arm_of(motion, o, tree.axis, j)
        if tree.kind[j] == SLIDE:
            write_spatial(space, WAYS + k, NOUGHT, axis)
        else:
            write_spatial(space, WAYS + k, axis, cross(axis, arm_to(motion, j, at)))
        k += 1
    return k


@inner
def _fit(
    b: Breakings, n: int, bodies: Bodies, first: int, ways: int, stands: Axes, place: Three
) -> None:
    """Bring the joint's open coordinates nearer to those at which its body would stand as it does."""
    tree, motion, i, space = bodies.tree, bodies.motion, b.body[n], b.space
    now = axes_in_ground(motion.R, i)
    phi, _ = rotation_vector(now, stands)
    write_spatial(space, RIGHT_SIDE, summed(now, phi), less(place, read3(motion.p, i)))
    _solve(space, ways)
    k = 0
    for j in range(first, i + 1):
        if bodies.locked[j] != OPEN:
            continue
        if tree.kind[j] == BALL:
            _set_ball(b, n, tree, motion, stands)
            k += 3
        else:
            b.q[tree.at_q[j]] += space[LEFT_SIDE, k]
            k += 1


@inlined
def _in_parent(b: Breakings, n: int, motion: Motion, stands: Axes) -> Matrix:
    """The turn of the body's axes in those before it."""
    m = b.onto[n]
    x, y, z = (
        in_axes_of(motion, m, stands[0]),
        in_axes_of(motion, m, stands[1]),
        in_axes_of(motion, m, stands[2]),
    )
    return x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]


@inlined
def _from_zero(b: Breakings, n: int, motion: Motion, stands: Axes) -> Matrix:
    """The turn of the body's axes from its zero attitude."""
    return product(transposed(read9(b.R0, n)), _in_parent(b, n, motion, stands))


@inner
def _set_ball(b: Breakings, n: int, tree: Tree, motion: Motion, stands: Axes) -> None:
    """Bring a ball to the attitude in which its body stands."""
    write9(b.turned, n, _from_zero(b, n, motion, stands))
    place_quaternion(b.turned, n, b.q, tree.at_q[b.body[n]])


@inner
def _turn_zero(b: Breakings, n: int, tree: Tree, motion: Motion, stands: Axes) -> None:
    """Turn the joint's zero attitude so that its body stands as it does at the joint's coordinates."""
    i = b.body[n]
    if b.kind[n] == BALL and b.locked[i] == OPEN:
        return
    # R_i = R_before R0 K, so R0 = (R_before^T R_stands) (R_i^T R_before R0)
    joint = _from_zero(b, n, motion, axes_in_ground(motion.R, i))
    write9(b.R0, n, product(_in_parent(b, n, motion, stands), transposed(joint)))


@inner
def _solve(space: Array, ways: int) -> None:
    """Find the sum of ways that comes nearest to what stands at `RIGHT_SIDE`, by normal equations."""
    for r in range(ways):
        for c in range(ways):
            s = 0.0
            for u in range(6):
                s += space[WAYS + r, u] * space[WAYS + c, u]
            space[AGREE + r, c] = s
        s = 0.0
        for u in range(6):
            s += space[WAYS + r, u] * space[RIGHT_SIDE, u]
        space[LEFT_SIDE, r] = s
    for p in range(ways):
        own = space[AGREE + p, p]
        if not own > NOTHING_LEFT:
            # it says nothing that others do not
            for c in range(ways):
                space[AGREE + p, c] = space[AGREE + c, p] = 0.0
            space[AGREE + p, p], space[LEFT_SIDE, p] = 1.0, 0.0
            continue
        for r in range(p + 1, ways):
            f = space[AGREE + r, p] / own
            for c in range(p, ways):
                space[AGREE + r, c] -= f * space[AGREE + p, c]
            space[LEFT_SIDE, r] -= f * space[LEFT_SIDE, p]
    for p in range(ways - 1, -1, -1):
        s = space[LEFT_SIDE, p]
        for c in range(p + 1, ways):
            s -= space[AGREE + p, c] * space[LEFT_SIDE, c]
        space[LEFT_SIDE, p] = s / space[AGREE + p, p]


@inner
def _others(space: Array, ways: int) -> int:
    """Write down the directions across all ways, and give their number; `AGREE` holds those along them."""
    along = 0
    for k in range(ways):
        for u in range(6):
            space[AGREE + along, u] = space[WAYS + k, u]
        along += _orthogonal(space, along, 0, 1e-6)
    held = 0
    for _ in range(6 - along):
        # of the axes the one of which most is left
        best, most = 0, -1.0
        for c in range(6):
            size = 1.0
            for k in range(along):
                size -= space[AGREE + k, c] ** 2
            for k in range(held):
                size -= space[HELD_WAYS + k, c] ** 2
            if size > most:
                best, most = c, size
        for u in range(6):
            space[AGREE + along, u] = 1.0 if u == best else 0.0
        _orthogonal(space, along, held, NOTHING_LEFT)
        for u in range(6):
            space[HELD_WAYS + held, u] = space[AGREE + along, u]
        held += 1
    return held


@inner
def _orthogonal(space: Array, along: int, held: int, least: float) -> int:
    """Take out of a direction what others have of it, twice for round-off, and make it one long; says if anything is left."""
    row, before = space[AGREE + along], 0.0
    for u in range(6):
        before += row[u] ** 2
    for _ in range(2):
        for k in range(along + held):
            other = space[AGREE + k] if k < along else space[HELD_WAYS + k - along]
            s = 0.0
            for u in range(6):
                s += row[u] * other[u]
            for u in range(6):
                row[u] -= s * other[u]
    size = 0.0
    for u in range(6):
        size += row[u] ** 2
    if not size > least * least * before:
        return 0
    f = 1.0 / math.sqrt(size)
    for u in range(6):
        row[u] *= f
    return 1
