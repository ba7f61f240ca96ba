"""Forces between surfaces by depth and rate, some with a memory (section 7.5 and further laws).

- Hysteretic: base and inertial spike, quadratic unloading, cubic reloading (7.56 to 7.66).
- Rate form: F1(d) + F2(d) F3(d') + F4(d') (the later program's contact functions); linear damping.
- Hunt, Crossley, Coefficient of restitution interpreted as damping in vibroimpact, J. Appl. Mech. 42
  (1975). Lankarani, Nikravesh, A contact force model with hysteresis damping for impact analysis of
  multibody systems, J. Mech. Design 112 (1990); with an indentation that stays: the same,
  Continuous contact force models, Nonlinear Dynamics 5 (1994).

A force never pulls. What changes a memory are events, so that it belongs to accepted steps alone.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.engine.dynamics.tree import Array, IntArray
from solver.engine.jit.kernels import inlined, inner, kernel, struct
from solver.engine.maths.curve import Curves, curve_area, curve_at

HYSTERETIC, BY_RATE, HUNT_CROSSLEY, LANKARANI, INDENTED, PANEL = range(6)
"""Kinds. Linear damping and Kelvin-Voigt are rated ones."""

BASE, SPIKE, RETURNED, KEPT, LAW_FRICTION, LAW_FACTOR, GATE, LAW_DAMPING, LEAST, LEAST_BARE = range(
    10
)
"""Curves of a law; -1 for none. Of one that remembers the last two are what is lost at least by who
loads from zero to a depth, wherever he then turns, with the spike and without."""

LAW_CURVES = 10

(
    FULL_FRICTION, RESTITUTION, APPLIED_AT, STIFFNESS, EXPONENT, LOSS, DASHPOT, BASE_START, SPIKE_TOP, SPIKE_END, GIVES_BACK,
    LEAST_SPEED, GRIP, GRIP_DAMPING, STATIC_RATIO, STATIC_SPEED, GIVES_BY, AS_PRINTED,
) = range(18)  # fmt: skip
"""Numbers of a law: sliding speed of full friction; restitution of the impulse (below -2: none);
ratio of the point of application; K or A; n or B; c, e or C; linear damping; where the base begins;
where the spike is highest and where it ends; whether what is pressed at the start gives all back; the least
speed that counts as that of an impact; of bristles the stiffness in parts of force by depth (0: friction by speed
alone), damping ratio, by how much friction at rest is larger, and the speed at which it has fallen;
whether restitution is that of Newton, 0, or of Poisson, 1; whether unloading is as printed, though it then gives
more than it took."""

LAW_NUMBERS = 18

UNTOUCHED, LOADING, UNLOADING, RELOADING, GAP, RETURNING = range(6)
"""Modes: not touching; on the way in; out; in again; within the offset, without force; out along the
loading curve, where all is given back."""

(
    TURNED_AT, FORCE, EXIT, Q1, Q2, REJOINS, C0, C1, C2, C3, AREA, RETURN, SPIKE_GONE, IMPACT, SHORT,
) = range(15)  # fmt: skip
"""Entries of a memory: deepest point of loading and the force there; where unloading reaches zero and
its two coefficients; where reloading begins and its four; area below the path up to there; part
returned; whether the spike is over; rate at impact; by how much less has been put in than loading from
zero would have taken."""

MEMORY = 15

BENDS_AT, SEEN_AT = IMPACT, SHORT
"""The same entries of what remembers in steps: where its unloading curve ends and the cubic begins; the depth seen last."""

BY_EVENTS, IN_STEPS = 1.0, 2.0
"""How what unloads as printed remembers."""

NOTHING, TOUCHED, LEFT, TURNED = range(-1, 3)
"""What has happened to a pair, or to webbing that is taut or slack."""

ANY_WORK = 1e300
"""Work (J) that no unloading gives back: what is printed does not ask what was put in."""

STILL = 1e-9
"""Rate (m/s) within which it is open what turns; a thousandth of it is the depth (m) within which it
is open what touches. A step taken again up to an event ends a little beside it: the event then
happens if it is as close as that, else it is looked for again."""

PRESSED_IN = 1e-6
"""Depth (m) beyond which what begins to press has not just touched: it stood there at the start, or came in
over an edge. Its rate is that of an impact where it goes in faster than the least; else it has none."""


@struct
class Laws(NamedTuple):
    """All contact laws."""

    kind: IntArray
    curve: IntArray
    number: Array


@inner
def loading(laws: Laws, curves: Curves, n: int, depth: float, gone: bool) -> tuple[float, float]:
    """Give base and spike of a hysteretic law, and their slope."""
    f, slope = curve_at(curves, laws.curve[n, BASE], depth)
    if laws.curve[n, SPIKE] >= 0 and not gone:
        g, more = curve_at(curves, laws.curve[n, SPIKE], depth)
        f, slope = f + g, slope + more
    return f, slope


@inner
def _loading_area(laws: Laws, curves: Curves, n: int, depth: float, gone: bool) -> float:
    """The work of loading from zero to a depth."""
    area = curve_area(curves, laws.curve[n, BASE], depth)
    if laws.curve[n, SPIKE] >= 0 and not gone:
        area += curve_area(curves, laws.curve[n, SPIKE], depth)
    return float(area)


@inner
def _unloading_area(memory: Array, k: int, depth: float) -> float:
    """The area below the quadratic, from where it begins."""
    x = depth - memory[k, EXIT]
    return float(x * x * (0.5 * memory[k, Q1] + x * memory[k, Q2] / 3.0)) if x > 0.0 else 0.0


@inner
def _reloading_area(memory: Array, k: int, depth: float) -> float:
    """The area below the cubic, from where it begins."""
    x, m = depth - memory[k, REJOINS], memory
    return float(x * (m[k, C0] + x * (m[k, C1] / 2 + x * (m[k, C2] / 3 + x * m[k, C3] / 4))))


@inner
def _hysteretic(
    laws: Laws, curves: Curves, n: int, memory: Array, k: int, mode: int, depth: float
) -> tuple[float, float]:
    if mode in (LOADING, RETURNING):
        gone = memory[k, SPIKE_GONE] != 0.0
        f, _ = loading(laws, curves, n, depth, gone)
        held = _loading_area(laws, curves, n, depth, gone)
        if mode == LOADING and laws.curve[n, RETURNED] >= 0:
            # the most that any later path gives back, of what has been put in
            short = memory[k, SHORT]
            lost, _ = curve_at(curves, laws.curve[n, LEAST_BARE if gone else LEAST], depth)
            held = min(held - short, held - lost + max(-short, 0.0))
        return f, held
    if mode == UNLOADING:
        x = depth - memory[k, EXIT]
        if x <= 0.0:
            return 0.0, 0.0
        return x * (memory[k, Q1] + x * memory[k, Q2]), _unloading_area(memory, k, depth)
    x, m = depth - memory[k, REJOINS], memory
    f = m[k, C0] + x * (m[k, C1] + x * (m[k, C2] + x * m[k, C3]))
    return f, m[k, AREA] + _reloading_area(memory, k, depth)


@inner
def rated_force(
    laws: Laws, curves: Curves, n: int, depth: float, rate: float
) -> tuple[float, float, float]:
    """The force of a law that depends on depth and rate, and how it changes with both."""
    f = laws.number[n, STIFFNESS] * depth + laws.number[n, DASHPOT] * rate
    by_depth, by_rate = laws.number[n, STIFFNESS], laws.number[n, DASHPOT]
    if laws.curve[n, BASE] >= 0:
        more, rise = curve_at(curves, laws.curve[n, BASE], depth)
        f, by_depth = f + more, by_depth + rise
    if laws.curve[n, LAW_FACTOR] >= 0:
        more, rise = curve_at(curves, laws.curve[n, LAW_FACTOR], depth)
        part, grows = 1.0, 0.0
        if laws.curve[n, GATE] >= 0:
            part, grows = curve_at(curves, laws.curve[n, GATE], rate)
        f, by_depth, by_rate = f + more * part, by_depth + rise * part, by_rate + more * grows
    if laws.curve[n, LAW_DAMPING] >= 0:
        more, rise = curve_at(curves, laws.curve[n, LAW_DAMPING], rate)
        f, by_rate = f + more, by_rate + rise
    return f, by_depth, by_rate


@kernel
def normal_force(
    laws: Laws, curves: Curves, n: int, memory: Array, k: int, mode: int, depth: float, rate: float
) -> tuple[float, float]:
    """The force of law n on pair k, zero or more, and the energy that it holds."""
    if (mode in (UNTOUCHED, GAP) and not in_steps(laws, n)) or depth <= 0.0:
        return 0.0, 0.0
    kind, number = laws.kind[n], laws.number
    if kind == HYSTERETIC and in_steps(laws, n):
        f, held = _between_steps(laws, curves, n, memory, k, depth)
    elif kind == HYSTERETIC:
        f, held = _hysteretic(laws, curves, n, memory, k, mode, depth)
    elif kind == BY_RATE:
        f, _, _ = rated_force(laws, curves, n, depth, rate)
        held = 0.5 * number[n, STIFFNESS] * depth * depth
        if laws.curve[n, BASE] >= 0:
            held += curve_area(curves, laws.curve[n, BASE], depth)
    elif kind == PANEL:
        a, b = number[n, STIFFNESS], number[n, EXPONENT]
        grown = math.exp(b * depth)
        f = a * (grown - 1.0) + number[n, LOSS] * grown * rate
        held = a * ((grown - 1.0) / b - depth)
    elif kind == INDENTED and mode == UNLOADING:
        m, p = memory, number[n, EXPONENT]
        part = (depth - m[k, EXIT]) / (m[k, TURNED_AT] - m[k, EXIT])
        if part <= 0.0:
            return 0.0, 0.0
        f = m[k, FORCE] * part**p
        held = f * (depth - m[k, EXIT]) / (p + 1.0)
    else:
        p = number[n, EXPONENT]
        f = number[n, STIFFNESS] * depth**p
        held = f * depth / (p + 1.0)
        if kind == HUNT_CROSSLEY:
            f *= 1.0 + number[n, LOSS] * rate
        elif kind == LANKARANI and memory[k, IMPACT] > 0.0:
            part = rate / memory[k, IMPACT]
            if number[n, LEAST_SPEED] > 0.0:
                # no impact is left, or gone on with, faster than it began
                part = min(max(part, -1.0), 1.0)
            f *= 1.0 + 0.75 * (1.0 - number[n, LOSS] ** 2) * part
        elif kind == INDENTED and mode == LOADING:
            held *= number[n, LOSS] ** 2
    return max(f, 0.0), held


@inner
def law_event(
    laws: Laws, n: int, memory: Array, k: int, mode: int, depth: float, rate: float
) -> float:
    """A function that rises through zero when the mode is to change; the depth is its unit."""
    near = 1e-3 * STILL
    if in_steps(laws, n):
        return -1.0
    if mode == UNTOUCHED:
        return float(depth - near)
    out = max(memory[k, EXIT], 0.0) - depth - near
    if mode == GAP:
        return float(-out - 2.0 * near)
    kind = laws.kind[n]
    if mode == LOADING:
        # at rest it is armed: what then comes out turns
        return float(max(-depth - near, -rate - 10.0 * STILL) if _turns(laws, n) else -depth - near)
    if mode == RETURNING:
        return max(-depth - near, rate - 10.0 * STILL)
    if mode == UNLOADING:
        return float(
            max(
                out,
                depth - memory[k, TURNED_AT] - near if kind == INDENTED else rate - 10.0 * STILL,
            )
        )
    return float(max(depth - memory[k, TURNED_AT] - near, -rate))


@inlined
def _turns(laws: Laws, n: int) -> bool:
    """Whether a law unloads otherwise than it loads."""
    kind = laws.kind[n]
    return bool(kind == INDENTED or (kind == HYSTERETIC and laws.curve[n, RETURNED] >= 0))


@inlined
def what_happened(before: int, after: int) -> int:
    """Name a change of mode."""
    if after == before:
        return NOTHING
    if after in (UNTOUCHED, GAP):
        return LEFT
    return TOUCHED if before in (UNTOUCHED, GAP) else TURNED


@inner
def next_mode(
    laws: Laws, curves: Curves, n: int, memory: Array, k: int, mode: int, depth: float, rate: float
) -> int:
    """Let a mode change at the state just evaluated, and give the new one; the same if it was not yet."""
    if in_steps(laws, n):
        return mode
    near, m = 0.5e-3 * STILL, memory
    indented, stopped, goes_in = laws.kind[n] == INDENTED, rate < 5.0 * STILL, rate > 5.0 * STILL
    start = max(m[k, EXIT], 0.0)
    if mode in (UNTOUCHED, GAP):
        if depth - (start if mode == GAP else 0.0) < near:
            return mode
        least = laws.number[n, LEAST_SPEED]
        if depth < PRESSED_IN:
            m[k, IMPACT] = max(rate, least)
        else:
            m[k, IMPACT] = rate if rate > least > 0.0 else 0.0
        if mode == UNTOUCHED:
            m[k, SHORT] = 0.0
            if depth >= PRESSED_IN and laws.number[n, GIVES_BACK] != 0.0:
                return RETURNING
            turns = rate < -5.0 * STILL and _turns(laws, n)
            return _turn(laws, curves, n, memory, k, depth) if turns else LOADING
        if indented:
            return UNLOADING
        _reload(laws, curves, n, memory, k, start)
        return RELOADING
    if mode in (LOADING, RETURNING):
        if depth < -near:
            return UNTOUCHED
        if mode == RETURNING:
            return LOADING if goes_in else mode
        return _turn(laws, curves, n, memory, k, depth) if stopped and _turns(laws, n) else mode
    if mode == UNLOADING:
        if start - depth > near:
            return GAP
        if indented:
            return LOADING if depth - m[k, TURNED_AT] > near else mode
        if goes_in:
            _reload(laws, curves, n, memory, k, depth)
        return RELOADING if goes_in else mode
    if depth - m[k, TURNED_AT] > near:
        return LOADING
    if not stopped:
        return mode
    m[k, AREA] += _reloading_area(memory, k, depth)
    x = depth - m[k, REJOINS]
    force = m[k, C0] + x * (m[k, C1] + x * (m[k, C2] + x * m[k, C3]))
    printed = laws.number[n, AS_PRINTED] != 0.0
    _unload(memory, k, depth, force, ANY_WORK if printed else m[k, AREA], printed)
    return UNLOADING


@inlined
def in_steps(laws: Laws, n: int) -> bool:
    """Whether a law remembers at the ends of steps alone, without events, as the old program."""
    return bool(laws.number[n, AS_PRINTED] == IN_STEPS)


@inner
def _between_steps(
    laws: Laws, curves: Curves, n: int, memory: Array, k: int, depth: float
) -> tuple[float, float]:
    """The whole curve that the last step has left: nothing, quadratic, cubic, loading from the turning point on (7.56 to 7.66)."""
    m = memory
    if depth >= m[k, TURNED_AT]:
        return _hysteretic(laws, curves, n, memory, k, RETURNING, depth)
    if depth <= m[k, BENDS_AT]:
        return _hysteretic(laws, curves, n, memory, k, UNLOADING, depth)
    x = m[k, BENDS_AT] - m[k, REJOINS]
    before = x * (m[k, C0] + x * (m[k, C1] / 2 + x * (m[k, C2] / 3 + x * m[k, C3] / 4)))
    f, _ = _hysteretic(laws, curves, n, memory, k, RELOADING, depth)
    held = _unloading_area(memory, k, m[k, BENDS_AT]) - before
    return f, held + _reloading_area(memory, k, depth)


@inner
def step_on(laws: Laws, curves: Curves, n: int, memory: Array, k: int, depth: float) -> None:
    """Take a step's end into a memory without events, as the old program does before its next step (7.56 to 7.66).

    Out: a cubic from where it stands. In again: a quadratic from the cubic. Beyond the turning point: one from the loading curve.
    """
    m = memory
    if depth == m[k, SEEN_AT]:
        return
    m[k, SEEN_AT] = depth
    if depth < m[k, BENDS_AT]:
        if laws.curve[n, SPIKE] >= 0 and m[k, TURNED_AT] > laws.number[n, SPIKE_TOP]:
            m[k, SPIKE_GONE] = 1.0
        m[k, BENDS_AT] = max(depth, m[k, EXIT])
        _reload(laws, curves, n, memory, k, m[k, BENDS_AT])
        m[k, SEEN_AT] = depth
    elif depth > m[k, BENDS_AT]:
        if depth <= m[k, TURNED_AT]:
            force, area = _between_steps(laws, curves, n, memory, k, depth)
            m[k, AREA] = area
        else:
            if laws.curve[n, SPIKE] >= 0 and depth >= laws.number[n, SPIKE_END]:
                m[k, SPIKE_GONE] = 1.0
            returned, kept = 1.0, 0.0
            if laws.curve[n, RETURNED] >= 0:
                returned, _ = curve_at(curves, laws.curve[n, RETURNED], depth)
                kept, _ = curve_at(curves, laws.curve[n, KEPT], depth)
            if returned >= 1.0:
                m[k, TURNED_AT] = m[k, EXIT] = m[k, BENDS_AT] = m[k, Q1] = m[k, Q2] = 0.0
                return
            start = laws.number[n, BASE_START]
            force, _ = loading(laws, curves, n, depth, m[k, SPIKE_GONE] != 0.0)
            m[k, TURNED_AT], m[k, RETURN] = depth, returned
            m[k, EXIT] = start + kept * (depth - start)
            m[k, AREA] = curve_area(curves, laws.curve[n, BASE], depth)
        m[k, BENDS_AT] = depth
        _unload(memory, k, depth, force, ANY_WORK, True)


@inner
def _turn(laws: Laws, curves: Curves, n: int, memory: Array, k: int, depth: float) -> int:
    """Turn from loading to unloading, unless the law gives all back."""
    number, m = laws.number, memory
    if laws.kind[n] == INDENTED:
        m[k, TURNED_AT] = depth
        m[k, FORCE] = number[n, STIFFNESS] * depth ** number[n, EXPONENT]
        m[k, EXIT] = depth * (1.0 - number[n, LOSS] ** 2)
        return UNLOADING
    taken = _loading_area(laws, curves, n, depth, m[k, SPIKE_GONE] != 0.0) - m[k, SHORT]
    if laws.curve[n, SPIKE] >= 0 and depth >= number[n, SPIKE_END]:
        m[k, SPIKE_GONE] = 1.0
    returned, _ = curve_at(curves, laws.curve[n, RETURNED], depth)
    kept, _ = curve_at(curves, laws.curve[n, KEPT], depth)
    printed = number[n, AS_PRINTED] != 0.0
    if returned >= 1.0 and (printed or (kept <= 0.0 and m[k, SHORT] <= 0.0)):
        return RETURNING
    force, _ = loading(laws, curves, n, depth, m[k, SPIKE_GONE] != 0.0)
    start = number[n, BASE_START]
    m[k, TURNED_AT], m[k, RETURN] = depth, returned
    m[k, EXIT] = start + kept * (depth - start)
    m[k, AREA] = curve_area(curves, laws.curve[n, BASE], depth)
    if laws.curve[n, SPIKE] >= 0 and depth > number[n, SPIKE_TOP]:
        # reloading meets the base alone
        m[k, SPIKE_GONE] = 1.0
    _unload(memory, k, depth, force, ANY_WORK if printed else taken, printed)
    m[k, SHORT] = _loading_area(laws, curves, n, depth, m[k, SPIKE_GONE] != 0.0)
    m[k, SHORT] -= _unloading_area(memory, k, depth)
    return UNLOADING


@inner
def _unload(memory: Array, k: int, depth: float, force: float, taken: float, printed: bool) -> None:
    """Lay the quadratic from a force down to zero so that its area is the part returned (7.65).

    It is never more than has been taken: where the flattest parabola would give more, the offset is larger. As printed
    it gains there, and it is never steeper at its foot than a straight line (7.66).
    """
    m = memory
    m[k, Q1] = m[k, Q2] = 0.0
    d = depth - m[k, EXIT]
    if d > 1e-12 and force * d > (3.0 + 1e-9) * max(taken, 0.0):
        d = 3.0 * max(taken, 0.0) / force
        m[k, EXIT] = depth - d
    if d > 1e-12:
        slope = (6.0 * min(m[k, RETURN] * m[k, AREA], taken) / d - 2.0 * force) / d
        m[k, Q1] = min(max(slope, 0.0), (1.0 if printed else 2.0) * force / d)
        m[k, Q2] = (force / d - m[k, Q1]) / d


@inner
def _reload(laws: Laws, curves: Curves, n: int, memory: Array, k: int, depth: float) -> None:
    """Lay the cubic from the present force up to loading, with the slopes of both (7.57 to 7.59)."""
    m = memory
    x = depth - m[k, EXIT]
    x = x if x > 0.0 else 0.0
    m[k, REJOINS], m[k, AREA] = depth, _unloading_area(memory, k, depth)
    m[k, C0], m[k, C1] = x * (m[k, Q1] + x * m[k, Q2]), m[k, Q1] + 2.0 * x * m[k, Q2]
    top, slope = loading(laws, curves, n, m[k, TURNED_AT], m[k, SPIKE_GONE] != 0.0)
    d = m[k, TURNED_AT] - depth
    m[k, C2] = m[k, C3] = 0.0
    m[k, SHORT] = (
        _loading_area(laws, curves, n, m[k, TURNED_AT], m[k, SPIKE_GONE] != 0.0) - m[k, AREA]
    )
    if d < 1e-12:
        return
    rise, bend = top - m[k, C0] - m[k, C1] * d, slope - m[k, C1]
    m[k, C2], m[k, C3] = (3.0 * rise - bend * d) / (d * d), (bend * d - 2.0 * rise) / (d * d * d)
    if _dips(m[k, C0], m[k, C1], m[k, C2], m[k, C3], d):
        m[k, C1], m[k, C2], m[k, C3] = (top - m[k, C0]) / d, 0.0, 0.0
    m[k, SHORT] -= _reloading_area(memory, k, m[k, TURNED_AT])


@kernel
def _dips(c0: float, c1: float, c2: float, c3: float, d: float) -> bool:
    """Whether a cubic falls below zero between its ends."""
    root = c2 * c2 - 3.0 * c3 * c1
    if root < 0.0:
        return False
    # the minimum: slope c1 + 2 c2 x + 3 c3 x^2 rises through zero
    root = math.sqrt(root)
    if c2 + root != 0.0 and (c2 >= 0.0 or abs(c3) < 1e-300):
        x = -c1 / (c2 + root)
    elif c3 != 0.0:
        x = (-c2 + root) / (3.0 * c3)
    else:
        return False
    return bool(0.0 < x < d and c0 + x * (c1 + x * (c2 + x * c3)) < 0.0)


@inner
def friction(laws: Laws, curves: Curves, n: int, depth: float, force: float, speed: float) -> float:
    """The friction at a sliding speed, divided by that speed (7.8, with the later ramp)."""
    c = laws.curve[n, LAW_FRICTION]
    if c < 0:
        return 0.0
    z, ramp = speed, laws.number[n, FULL_FRICTION]
    if z < ramp:
        z = ramp / (2.0 - z / ramp)
    return curve_at(curves, c, depth)[0] * force / z


@inner
def friction_limit(
    laws: Laws, curves: Curves, n: int, depth: float, force: float, speed: float
) -> float:
    """The most that friction bears at a sliding speed: more at rest, where the law says so (Bo, Pavelescu, Wear 82, 1982)."""
    limit = float(curve_at(curves, laws.curve[n, LAW_FRICTION], depth)[0] * force)
    more = laws.number[n, STATIC_RATIO] - 1.0
    if more > 0.0:
        limit *= 1.0 + more * math.exp(-((speed / laws.number[n, STATIC_SPEED]) ** 2))
    return limit


@inlined
def rests(laws: Laws, n: int) -> bool:
    """Whether friction of a law holds by bristles what rests."""
    return bool(laws.number[n, GRIP] > 0.0 and laws.curve[n, LAW_FRICTION] >= 0)
