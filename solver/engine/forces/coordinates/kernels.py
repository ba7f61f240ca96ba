"""Forces of laws on single coordinates: what each resists now, what it holds, and when it changes.

The laws are those of seed 003 (Table 4), 002 ((68) and (69)) and 001 (Dias and Pereira). Two points of the
print, and what is done:

- Table 4.4 lets viscous resistance begin as (rate / E) C rate, which is positive also for a negative rate:
  the size of the rate is meant.
- (69) of 002 lets damping fall below the lower limit, at last below zero. It grows there as above the upper
  one, unless `as_printed` asks for the text.
"""

from __future__ import annotations

import math

from solver.engine.dynamics.tree import BALL, Applied, Array, Tree
from solver.engine.forces.coordinates.actuators import Clock, actuator, begins, hill, passes, turn
from solver.engine.forces.coordinates.arrays import (
    ABOVE,
    ACTUATOR,
    ANGLE,
    BACKWARD,
    BLOCKS,
    BOTH,
    EULER,
    FORWARD,
    HILL,
    HYDRAULIC,
    JOINT,
    LINE_LENGTH,
    LINEAR,
    MUSCLE,
    ONE_WAY,
    PLASTIC,
    RATED,
    RELAXED,
    SEEN_DRIVE,
    SEEN_LOAD,
    SEEN_OFF,
    SEEN_RATE,
    SEEN_WAY,
    SIDED,
    VISCOUS,
    Coordinates,
)
from solver.engine.forces.coordinates.blocks import cylinder, signal, stand_still
from solver.engine.forces.coordinates.measure import measure
from solver.engine.forces.coordinates.paths import pull_along
from solver.engine.forces.joints.eulers import EulerLaws
from solver.engine.forces.laws import (
    NOTHING,
    STILL,
    TOUCHED,
    TURNED,
    law_event,
    next_mode,
    normal_force,
    what_happened,
)
from solver.engine.forces.points import add_torque, push
from solver.engine.forces.state import Bodies, Elements, Moment
from solver.engine.jit.kernels import inlined, inner, kernel, separate
from solver.engine.maths.curve import Curves, curve_area, curve_at, curve_within
from solver.engine.maths.spatial import Three, scaled

Parts = tuple[float, float, float]
"""Resistance at rest, what the rate adds to it, and the energy that is held."""

Arms = tuple[Three, Three, Three]
"""The direction in which a coordinate grows at B, and both arms (ground axes)."""


TURNS_AT_ONCE = 4
"""Most that what is remembered changes at one place of a course that is led: loading, then turning."""


@inner
def _value(curves: Curves, c: int, x: float) -> float:
    """A curve's value, or nothing for none."""
    return curve_at(curves, c, x)[0] if c >= 0 else 0.0


@inner
def _sided(coords: Coordinates, curves: Curves, k: int, x: float, rate: float) -> Parts:
    """Resist above and below by laws that remember."""
    resistance = held = 0.0
    for s in range(coords.slot[k], coords.slot[k] + 2):
        if coords.inner[s] >= 0:
            sign = coords.sign[s]
            depth = sign * (x - coords.at[s])
            f, energy = normal_force(
                coords.laws, curves, coords.inner[s], coords.memory, s, coords.mode[s], depth, sign * rate
            )  # fmt: skip
            resistance, held = resistance + sign * f, held + energy
    return resistance, 0.0, held


@inner
def _one_way(coords: Coordinates, k: int, x: float, rate: float) -> float:
    """Damp one way; numbers are C0, C1, lower and upper limit, which way, and whether as printed."""
    number = coords.number
    acts = number[k, 4]
    if (acts > 0.0 and rate <= 0.0) or (acts < 0.0 and rate >= 0.0):
        return 0.0
    c, lower, upper = number[k, 0], number[k, 2], number[k, 3]
    if x > upper:
        c += number[k, 1] * (x - upper)
    elif x < lower:
        c += number[k, 1] * (x - lower if number[k, 5] != 0.0 else lower - x)
    return float(c * rate)


@inner
def _hinge_limit(
    coords: Coordinates, curves: Curves, k: int, x: float, rate: float, forward: bool
) -> float:
    """The load at which it gives in one way; faster ways may need more (Cowper and Symonds)."""
    c = coords.curve[k, 0 if forward else 1]
    if c < 0:
        return math.inf
    limit = curve_at(curves, c, x)[0]
    speed = coords.number[k, 1] * (rate if forward else -rate)
    return float(limit * (1.0 + speed ** coords.number[k, 2]) if speed > 0.0 else limit)


@inner
def _yielding(coords: Coordinates, curves: Curves, k: int, x: float, rate: float) -> float:
    """Hold to a limit, and give in beyond; what has none above bears nothing there. The set stands first in the memory."""
    s = coords.slot[k]
    if coords.mode[s] == FORWARD:
        return _hinge_limit(coords, curves, k, x, rate, True)
    if coords.mode[s] == BACKWARD:
        return -_hinge_limit(coords, curves, k, x, rate, False)
    f = coords.number[k, 0] * (x - coords.memory[s, 0])
    return float(min(f, 0.0) if coords.curve[k, 0] < 0 else f)


@inner
def _plastic(coords: Coordinates, curves: Curves, k: int, x: float, rate: float) -> Parts:
    """What gives in, and beside it what is packed below a place and springs back."""
    f = _yielding(coords, curves, k, x, rate)
    held = 0.5 * f * f / coords.number[k, 0]
    deep = x - coords.number[k, 3]
    if coords.number[k, 4] > 0.0 and deep < 0.0:
        push = coords.number[k, 4] * deep
        return f + push, 0.0, held + 0.5 * push * deep
    return f, 0.0, held


@inner
def _by_law(coords: Coordinates, curves: Curves, k: int, x: float, rate: float) -> Parts:
    """What one law resists, muscles and actuators apart."""
    kind, number = coords.law[k], coords.number
    if kind == LINEAR:
        return number[k, 0] * x, 0.0, 0.5 * number[k, 0] * x * x
    if kind == SIDED:
        return _sided(coords, curves, k, x, rate)
    if kind == PLASTIC:
        return _plastic(coords, curves, k, x, rate)
    if kind == RATED:
        more = _value(curves, coords.curve[k, 1], x)
        if coords.curve[k, 2] >= 0:
            more *= curve_at(curves, coords.curve[k, 2], rate)[0]
        more += _value(curves, coords.curve[k, 3], rate)
        c = coords.curve[k, 0]
        held = curve_area(curves, c, x) if c >= 0 else 0.0
        return _value(curves, c, x), more, held
    if kind == ONE_WAY:
        return 0.0, _one_way(coords, k, x, rate), 0.0
    part = abs(rate) / number[k, 1] if abs(rate) < number[k, 1] else 1.0
    if kind == VISCOUS:
        return 0.0, number[k, 0] * part * rate, 0.0
    # dry friction
    return 0.0, number[k, 0] * part * (1.0 if rate >= 0.0 else -1.0), 0.0


@inner
def _muscle(
    coords: Coordinates, curves: Curves, clock: Clock, k: int, rate: float, elements: Elements
) -> float:
    """What a muscle resists, and the rate of its state: its resistance by a1 + a2."""
    number, state = coords.number, coords.state[k]
    a1, a2, a3 = number[k, 1], number[k, 2], number[k, 3]
    active, z, rates = 0.0, elements.z, elements.rates
    if clock.within >= 0.0:
        active = abs(curve_within(curves, coords.curve[k, 0], clock.since, clock.within)[0])
    stiff, drag = a1 + a2 * active, a3 * active
    whole = a1 + a2
    if active == 0.0:
        # what is left of its resistance is let go
        rates[state] = -1000.0 * z[state]
        return 0.0
    relaxing = stiff / drag if stiff < RELAXED * drag else RELAXED
    rates[state] = stiff / whole * rate - relaxing * z[state]
    return float(whole * z[state])


@inner
def _comes_up(x: float, blend: float) -> float:
    """How much of what depends on the rate acts at a way from zero."""
    u = x / blend
    if u <= 0.0:
        return 0.0
    return u * u * (3.0 - 2.0 * u) if u < 1.0 else 1.0


@inner
def _on_side(coords: Coordinates, n: int, x: float, rest: float, more: float) -> float:
    """Give what an element resists on its side: at rest, and what depends on the rate or is put in."""
    side = coords.side[n]
    if side == BOTH:
        return rest + more
    sign = 1.0 if side == ABOVE else -1.0
    if sign * x <= 0.0:
        return 0.0
    return float(sign * max(sign * (rest + _comes_up(sign * x, coords.blend[n]) * more), 0.0))


@inlined
def _rest(coords: Coordinates, n: int, elements: Elements) -> None:
    """Let nothing act on a coordinate that is broken, or without direction; what muscles hold stays."""
    seen = coords.seen
    seen[n, SEEN_WAY] = seen[n, SEEN_RATE] = seen[n, SEEN_LOAD] = 0.0
    for k in range(coords.first[n], coords.first[n + 1]):
        if coords.state[k] >= 0:
            elements.rates[coords.state[k]] = 0.0
        if coords.law[k] == BLOCKS or coords.law[k] == HYDRAULIC:
            stand_still(coords.blocks, k, elements)
            if coords.law[k] == HYDRAULIC:
                elements.rates[coords.state[k] + 1] = 0.0
        if coords.law[k] == ACTUATOR and coords.slot[k] >= 0:
            coords.memory[coords.slot[k], 1] = 0.0


@inner
def _by_blocks(
    coords: Coordinates, curves: Curves, moment: Moment, n: int, k: int, elements: Elements
) -> float:
    """What a law of blocks pushes with, itself or by a cylinder whose valve it opens."""
    blocks, begun = coords.blocks, begins(coords, moment.fires, k)
    since, within = moment.t - begun, moment.within - begun
    out = signal(blocks, coords.seen, curves, since, within, k, elements)
    if coords.law[k] == BLOCKS:
        return out
    if blocks.out[k] < 0 and within >= 0.0:
        out = blocks.gain[k] * curve_within(curves, coords.curve[k, 0], since, within)[0]
    a, b, force = cylinder(
        coords.number, k, out, coords.seen[n, SEEN_WAY], coords.seen[n, SEEN_RATE], coords.state[k], elements
    )  # fmt: skip
    end = blocks.first[k + 1]
    blocks.value[end - 2], blocks.value[end - 1] = a, b
    return float(force)


@inlined
def _resist(
    coords: Coordinates, curves: Curves, moment: Moment, n: int, elements: Elements
) -> tuple[float, float, float, float]:
    """What all laws of a coordinate resist at rest, by the rate and by drive, and the energy held."""
    x, rate = coords.seen[n, SEEN_WAY], coords.seen[n, SEEN_RATE]
    rest = drag = pull = held = 0.0
    for k in range(coords.first[n], coords.first[n + 1]):
        law = coords.law[k]
        if law in (MUSCLE, ACTUATOR, HILL):
            begun = begins(coords, moment.fires, k)
            clock = Clock(moment.t, moment.t - begun, moment.within - begun)
            if law == MUSCLE:
                pull += _muscle(coords, curves, clock, k, rate, elements)
            elif law == ACTUATOR:
                pull += actuator(coords, curves, clock, n, k, elements)
            else:
                one, two, energy = hill(coords, curves, clock, n, k, elements)
                rest, pull, held = rest + one, pull + two, held + energy
        elif law in (BLOCKS, HYDRAULIC):
            pull -= _by_blocks(coords, curves, moment, n, k, elements)
        else:
            one, two, energy = _by_law(coords, curves, k, x, rate)
            rest, drag, held = rest + one, drag + two, held + energy
    return rest, drag, pull, held


@inlined
def _apply(
    coords: Coordinates, n: int, tree: Tree, applied: Applied, resistance: float, arms: Arms
) -> None:
    """Add the load of a resistance: along its direction at both points, about it, or on a freedom."""
    kind, torque, force = coords.kind[n], applied.torque, applied.force
    along, arm_a, arm_b = arms
    if kind == JOINT or (kind == EULER and tree.kind[coords.b[n]] != BALL):
        applied.tau[tree.at_v[coords.body[n]]] -= resistance
    elif kind in (ANGLE, EULER):
        add_torque(torque, coords.b[n], -resistance, along)
        add_torque(torque, coords.a[n], resistance, along)
    elif kind == LINE_LENGTH:
        pull_along(coords.paths, applied, resistance)
    else:
        push(torque, force, coords.a[n], arm_a, scaled(resistance, along))
        push(torque, force, coords.b[n], arm_b, scaled(-resistance, along))


@separate
@kernel
def coordinate_forces(
    coords: Coordinates, eulers: EulerLaws, curves: Curves, bodies: Bodies, moment: Moment, elements: Elements,
    applied: Applied, g: Array,
) -> tuple[float, float, float]:  # fmt: skip
    """Add the forces of all laws on coordinates, and give the functions of their events.

    Rates of the states of muscles and actuators go to `elements`. Returns the energy held, the power of
    all laws but these, and theirs.
    """
    energy = power = of_muscles = 0.0
    for s in range(len(coords.row)):
        g[s] = -1.0
    seen, elements_in_all = coords.seen, len(coords.first) - 1
    # what is only sensed stands behind the elements, and is looked at first
    for m in range(len(coords.kind)):
        n = (m + elements_in_all) % len(coords.kind)
        there, value, rate, u, arm_a, arm_b = measure(
            coords, eulers, curves, bodies.tree, bodies.motion, bodies.q, bodies.v, n
        )
        seen[n, SEEN_OFF] = seen[n, SEEN_DRIVE] = 0.0
        if n >= elements_in_all:
            seen[n, SEEN_LOAD] = 1.0 if there else 0.0
            seen[n, SEEN_WAY] = value - coords.zero[n] if there else 0.0
            seen[n, SEEN_RATE] = rate if there else 0.0
            continue
        if not there:
            _rest(coords, n, elements)
            continue
        x, side = value - coords.zero[n], coords.side[n]
        seen[n, SEEN_WAY], seen[n, SEEN_RATE] = x, rate
        rest, drag, pull, held = _resist(coords, curves, moment, n, elements)
        other = _on_side(coords, n, x, rest, drag)
        resistance = _on_side(coords, n, x, rest, drag + pull)
        if side != BOTH and (x <= 0.0 if side == ABOVE else x >= 0.0):
            held = 0.0
        seen[n, SEEN_LOAD], seen[n, SEEN_DRIVE] = resistance, resistance - other
        energy += held
        power -= other * rate
        of_muscles -= (resistance - other) * rate
        _apply(coords, n, bodies.tree, applied, resistance, (u, arm_a, arm_b))
    for s in range(len(coords.row)):
        g[s] = _event(coords, curves, s)
    return energy, power, of_muscles


@inner
def _event(coords: Coordinates, curves: Curves, s: int) -> float:
    """A function that rises through zero when what a slot remembers is to change."""
    n, near = coords.row[s], 1e-3 * STILL
    x, rate = coords.seen[n, SEEN_WAY], coords.seen[n, SEEN_RATE]
    if coords.inner[s] >= 0:
        sign = coords.sign[s]
        depth = sign * (x - coords.at[s])
        return law_event(
            coords.laws, coords.inner[s], coords.memory, s, coords.mode[s], depth, sign * rate
        )
    k = coords.of[s]
    if coords.law[k] == ACTUATOR:
        return passes(coords, s)
    if coords.law[k] != PLASTIC:
        return -1.0
    if coords.mode[s] in (FORWARD, BACKWARD):
        return float((-rate if coords.mode[s] == FORWARD else rate) - 10.0 * STILL)
    stiff = coords.number[k, 0]
    f = stiff * (x - coords.memory[s, 0])
    up = f - _hinge_limit(coords, curves, k, x, rate, True)
    down = -f - _hinge_limit(coords, curves, k, x, rate, False)
    return float(max(up, down) / stiff - near)


@separate
def switch_coordinate(coords: Coordinates, curves: Curves, s: int) -> int:
    """Let the event of a slot happen at the state just evaluated, and say what it was."""
    n = coords.row[s]
    x, rate = coords.seen[n, SEEN_WAY], coords.seen[n, SEEN_RATE]
    mode = coords.mode[s]
    if coords.inner[s] >= 0:
        sign = coords.sign[s]
        depth = sign * (x - coords.at[s])
        after = next_mode(
            coords.laws, curves, coords.inner[s], coords.memory, s, mode, depth, sign * rate
        )
        coords.mode[s] = after
        return what_happened(mode, after) if coords.told[s] else NOTHING
    k = coords.of[s]
    if coords.law[k] == ACTUATOR:
        turn(coords, s)
        return NOTHING
    stiff = coords.number[k, 0]
    if mode in (FORWARD, BACKWARD):
        if (rate if mode == FORWARD else -rate) > 5.0 * STILL:
            return NOTHING
        f = _yielding(coords, curves, k, x, rate)
        coords.memory[s, 0] = x - f / stiff
        coords.mode[s] = 0
        return TURNED
    f = stiff * (x - coords.memory[s, 0])
    near = 0.5e-3 * STILL * stiff
    if f - _hinge_limit(coords, curves, k, x, rate, True) > near:
        coords.mode[s] = FORWARD
        return TOUCHED
    if -f - _hinge_limit(coords, curves, k, x, rate, False) > near:
        coords.mode[s] = BACKWARD
        return TOUCHED
    return NOTHING


@kernel
def lead(
    coords: Coordinates, curves: Curves, n: int, way: Array, rate: Array, force: Array, held: Array
) -> None:
    """Fill resistance and energy held of element n along a course, as accepted steps would.

    What depends on time (muscles, actuators) is left out.
    """
    for i in range(len(way)):
        coords.seen[n, SEEN_WAY], coords.seen[n, SEEN_RATE] = way[i], rate[i]
        for s in range(len(coords.row)):
            for _ in range(TURNS_AT_ONCE):
                if coords.row[s] == n:
                    switch_coordinate(coords, curves, s)
        rest = drag = held[i] = 0.0
        for k in range(coords.first[n], coords.first[n + 1]):
            if coords.law[k] not in (MUSCLE, ACTUATOR, HILL, BLOCKS, HYDRAULIC):
                one, two, energy = _by_law(coords, curves, k, way[i], rate[i])
                rest, drag, held[i] = rest + one, drag + two, held[i] + energy
        force[i] = _on_side(coords, n, way[i], rest, drag)
