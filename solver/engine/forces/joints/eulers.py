"""Torques about the three axes of Euler joints (section 6.3), and the angles about them, followed on from step to step.

While all three axes are open the joint is a ball. What acts sees the angles of three pins in a row: they go on through
nutations of 0 and of half a turn, where the attitude alone would fold the nutation and throw precession and spin round
by half a turn. Which of the two ways to write an attitude holds is known from the last step.

At such a nutation precession and spin are turns about one axis, and only their sum (at half a turn their difference) is
an angle at all. The pins would there turn round at once. Within `LED` of it, the other combination of the two is led over to what it was on
the way in, where it stays within `STRAIGHT`, and the nutation to its part in the plane of that way. All that acts
sees the angles so told, and turns along their gradients: what it holds and gives is one account. A motion that passes
nearer than `STRAIGHT` goes straight on to the other side: so would pins of a mass that is less than a ten-thousandth of the child's.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.engine.dynamics.tree import BALL, FREE, Array, IntArray, Tree
from solver.engine.forces.joints.springs import (
    Frictions,
    Springs,
    add_turned,
    friction_factor,
    spring_torque,
    to_joint,
)
from solver.engine.forces.state import Bodies
from solver.engine.jit.kernels import inlined, inner, struct
from solver.engine.maths.curve import Curves

STRAIGHT, LED = 0.01, 0.02
"""Sines of the nutation: within the first a motion goes straight through, within the second angles are led over (*assumed*)."""

SPUN, BENT_PART = 1.0, 0.5
"""Most that an open Euler joint turns in a step (rad), and most that it bends, as a part of its way to where its axes lie in a plane."""

NO_NUTATION = 1e-14
"""Half the sine of the nutation that stands for none."""


@struct
class EulerLaws(NamedTuple):
    """What acts about precession, nutation and spin: bodies, springs and frictions of the three.

    Where all three are open the last body is a BALL and the others are held; else each is a TURN.
    A joint of six that is near an upright pitch is one, too: its yaw, pitch and roll are the three angles less `shift`, and
    its second turn rests at `rest` while the last body is a BALL. What is seen at an evaluation stays for events and samples: angles from the centres in `angle`, rates and
    torques in `seen`, and, of a BALL, what turns each angle alone (body axes) in `axes`. `way` holds the attitude as
    precession plus spin, precession less spin, and nutation, followed from `last`, that of the last step; `led` whether that lies near where
    the axes lie in a plane, and what stays there.
    """

    body: IntArray
    R_BC: Array
    centre: Array
    spring: IntArray
    friction: IntArray
    angle: Array
    seen: Array
    axes: Array
    way: Array
    last: Array
    led: Array
    shift: Array
    rest: Array


@inlined
def gradient_of(eulers: EulerLaws, k: int, n: int) -> tuple[float, float, float]:
    """Give along what the n-th angle of an open Euler joint grows, as it was last seen (body axes)."""
    axes, at = eulers.axes, 3 * k + n
    return axes[at, 0], axes[at, 1], axes[at, 2]


@inlined
def _nearest(angle: float, like: float, period: float) -> float:
    """How many periods bring an angle nearest to another."""
    return math.floor((like - angle) / period + 0.5)


@inlined
def _led(eulers: EulerLaws, k: int, outer: int) -> float:
    """What stays of the combination of precession and spin that is no angle where the axes lie in a plane."""
    return float(eulers.led[k, 1] if eulers.led[k, 0] != 0.0 else eulers.last[k, outer])


@inner
def _find_angles(eulers: EulerLaws, k: int, w: float, x: float, y: float, z: float) -> None:
    """Find the angles of a ball by the attitude of the child's joint frame in the parent's, and their gradients (that frame)."""
    two_pi, last, way = 2.0 * math.pi, eulers.last, eulers.way
    bend, twist = x * x + y * y, w * w + z * z
    # which combination is no angle there: precession less spin near 0, their sum near half a turn
    outer = 1 if twist >= bend else 0
    stays = _led(eulers, k, outer)
    if bend < NO_NUTATION * NO_NUTATION:
        x, y, bend = (
            NO_NUTATION * math.cos(0.5 * stays),
            NO_NUTATION * math.sin(0.5 * stays),
            NO_NUTATION * NO_NUTATION,
        )
    if twist < NO_NUTATION * NO_NUTATION:
        w, z, twist = (
            NO_NUTATION * math.cos(0.5 * stays),
            NO_NUTATION * math.sin(0.5 * stays),
            NO_NUTATION * NO_NUTATION,
        )
    total, apart = 2.0 * math.atan2(z, w), 2.0 * math.atan2(y, x)
    turns, others = _nearest(total, last[k, 0], two_pi), _nearest(apart, last[k, 1], two_pi)
    total, apart = total + two_pi * turns, apart + two_pi * others
    # half a turn of both outer axes is the other way round of the middle one
    side = 1.0 if (turns + others) % 2.0 == 0.0 else -1.0
    bent = 2.0 * math.atan2(math.sqrt(bend), math.sqrt(twist))
    theta = side * bent
    theta += two_pi * _nearest(theta, last[k, 2], two_pi)
    way[k, 0], way[k, 1], way[k, 2] = total, apart, theta
    a, b = x * z - w * y, y * z + w * x
    half = math.sqrt(a * a + b * b)
    n0, n1 = side * b / half, -side * a / half
    s0, s1, s2 = a / twist, b / twist, 1.0
    d0, d1, d2 = a / bend, b / bend, -1.0
    y0, y1, y2 = n0, n1, 0.0
    square = 4.0 * half * half
    if square < LED * LED:
        width = LED * LED - STRAIGHT * STRAIGHT
        u = max((square - STRAIGHT * STRAIGHT) / width, 0.0)
        part = u * u * (3.0 - 2.0 * u)
        # how it grows with the nutation
        grows = 6.0 * u * (1.0 - u) / width * 4.0 * side * half * (twist - bend)
        off = (apart if outer else total) - stays
        cosine, sine = math.cos(0.5 * off), math.sin(0.5 * off)
        here = side * (bent if outer else bent - math.pi)
        f0, f1, f2 = (d0, d1, d2) if outer else (s0, s1, s2)
        keeps, leans = (1.0 - part) * cosine + part, -0.5 * here * (1.0 - part) * sine
        theta += here * (keeps - 1.0)
        along = keeps + here * (1.0 - cosine) * grows
        y0, y1, y2 = along * n0 + leans * f0, along * n1 + leans * f1, leans * f2
        f0, f1, f2 = part * f0 + off * grows * n0, part * f1 + off * grows * n1, part * f2
        if outer:
            apart, d0, d1, d2 = stays + part * off, f0, f1, f2
        else:
            total, s0, s1, s2 = stays + part * off, f0, f1, f2
    angle, axes = eulers.angle, eulers.axes
    shift = eulers.shift
    angle[k, 0], angle[k, 1] = 0.5 * (total + apart) - shift[k, 0], theta - shift[k, 1]
    angle[k, 2] = 0.5 * (total - apart) - shift[k, 2]
    axes[3 * k, 0], axes[3 * k, 1], axes[3 * k, 2] = (
        0.5 * (s0 + d0),
        0.5 * (s1 + d1),
        0.5 * (s2 + d2),
    )
    axes[3 * k + 1, 0], axes[3 * k + 1, 1], axes[3 * k + 1, 2] = y0, y1, y2
    axes[3 * k + 2, 0], axes[3 * k + 2, 1], axes[3 * k + 2, 2] = (
        0.5 * (s0 - d0),
        0.5 * (s1 - d1),
        0.5 * (s2 - d2),
    )


@inner
def keep_eulers(eulers: EulerLaws, tree: Tree) -> None:
    """Let the angles last seen be those from which they are followed on."""
    way, last, led = eulers.way, eulers.last, eulers.led
    for k in range(len(eulers.body)):
        if tree.kind[eulers.body[k, 2]] != BALL:
            continue
        sine = abs(math.sin(way[k, 2]))
        outer = 1 if math.cos(way[k, 2]) >= 0.0 else 0
        stays = _led(eulers, k, outer)
        led[k, 0], led[k, 1] = (1.0 if sine < LED else 0.0), stays
        for n in range(3):
            last[k, n] = way[k, n]
        if sine <= STRAIGHT:
            last[k, outer] = stays


@inner
def longest_turn(eulers: EulerLaws, tree: Tree, v: Array) -> float:
    """Give the longest step (s) in which no open Euler joint turns so far that its angles are lost."""
    longest = math.inf
    for k in range(len(eulers.body)):
        i = eulers.body[k, 2]
        if tree.kind[i] != BALL:
            continue
        x, y, z = to_joint(eulers.R_BC, k, v, tree.at_v[i])
        bends = math.sqrt(x * x + y * y)
        turns, way = math.sqrt(bends * bends + z * z), abs(math.sin(eulers.last[k, 2]))
        if turns > 0.0:
            longest = min(longest, SPUN / turns)
        if bends > 0.0:
            longest = min(longest, BENT_PART * max(way, STRAIGHT) / bends)
    return longest


@inner
def follow_from(eulers: EulerLaws, k: int, phi: float, theta: float, psi: float) -> None:
    """Follow the angles of an Euler joint on from these."""
    eulers.last[k, 0], eulers.last[k, 1], eulers.last[k, 2] = phi + psi, phi - psi, theta
    eulers.led[k, 0] = 0.0


@inner
def on_eulers(
    eulers: EulerLaws, springs: Springs, frictions: Frictions, curves: Curves, bodies: Bodies, tau: Array, sums: Array
) -> None:  # fmt: skip
    """Let springs and frictions act about precession, nutation and spin."""
    tree, q, v = bodies.tree, bodies.q, bodies.v
    angle, axes, seen = eulers.angle, eulers.axes, eulers.seen
    for k in range(len(eulers.body)):
        i = eulers.body[k, 2]
        if tree.kind[i] == FREE:
            continue
        ball, b = tree.kind[i] == BALL, tree.at_v[i]
        if ball:
            x, y, z = to_joint(eulers.R_BC, k, q, tree.at_q[i] + 1)
            _find_angles(eulers, k, q[tree.at_q[i]], x, y, z)
            rx, ry, rz = to_joint(eulers.R_BC, k, v, b)
        tx = ty = tz = 0.0
        for n in range(3):
            m = 3 * k + n
            if ball:
                rate = axes[m, 0] * rx + axes[m, 1] * ry + axes[m, 2] * rz
            else:
                j = eulers.body[k, n]
                angle[k, n], rate = q[tree.at_q[j]], v[tree.at_v[j]]
            angle[k, n] -= eulers.centre[k, n]
            torque, held = spring_torque(springs, curves, eulers.spring[k, n], angle[k, n], rate)
            drag = friction_factor(frictions, eulers.friction[k, n], rate) * rate
            sums[0] += held
            sums[1] -= torque * rate
            sums[2] -= drag * rate
            torque += drag
            seen[k, n], seen[k, 3 + n] = rate, torque
            if ball:
                tx, ty, tz = (
                    tx - torque * axes[m, 0],
                    ty - torque * axes[m, 1],
                    tz - torque * axes[m, 2],
                )
                x, y, z = axes[m, 0], axes[m, 1], axes[m, 2]
                row = axes[m]
                row[:] = 0.0
                add_turned(row, 0, eulers.R_BC, k, x, y, z)
            else:
                tau[tree.at_v[eulers.body[k, n]]] -= torque
        if ball:
            add_turned(tau, b, eulers.R_BC, k, tx, ty, tz)
