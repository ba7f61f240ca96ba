"""Tyres on roads: a spring along the road's normal, and slip by the brush model behind a carcass that gives.

- Slip: Fiala, Z. VDI 96 (1954); Pacejka, Tire and Vehicle Dynamics, 3rd edition 2012, chapter 3.2: a brush of parabolic pressure. With
  theoretical slips s along and across (sliding speed by rolling speed), g = |(Cx sx / mx, Cy sy / my)| and load N the force is
  N (1 - (1 - g / 3N)^3) in parts of friction, and N beyond g = 3 N. Its moment is that of the trail a c^3 / (1 + c + c^2), c = 1 - g / 3N.
- Carcass: chapter 7.2, a spring between rim and patch of stiffness C by relaxation length. Its stretch is the state: the force follows
  from that, the patch slides by what the brush, asked the other way round, needs for this force, and the stretch grows by the rest. So a tyre that
  stands is a spring and holds on a slope; one whose wheel is locked slides at its limit; and rolling freely it loses nothing.
- Its damper acts by the rate of stretch, which is none in a steady state, and never gives back more than slip loses just then.
- Turning slip, chapter 3.2.3: bristles slide as a place ahead of the middle by the trail does, so that a patch that turns is pushed, not twisted.
  Camber thrust is its stiffness times camber; it acts in the middle.
- Road: a mesh (`roads.py`), a plane, or a height over it along its first edge, touched where the wheel's centre is nearest. The tread is round from side to side
  (a torus), so a tilted wheel presses with its shoulder.

A brake is an elastic twist that gives way at its torque, so that a locked wheel stands.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.engine.dynamics.tree import Applied, Array, IntArray, Motion
from solver.engine.forces.points import (
    add_torque,
    arm_of,
    arm_to,
    point_of,
    push,
    speed_at,
    spin_of,
)
from solver.engine.forces.roads import Ground, pressed
from solver.engine.forces.state import Elements, Moment
from solver.engine.jit.kernels import inlined, inner, kernel, separate, struct
from solver.engine.maths.curve import Curves, curve_at, curve_within
from solver.engine.maths.spatial import (
    Three,
    cross,
    dot,
    length,
    less,
    over,
    plus,
    scaled,
    write,
)

(
    RADIUS, CROWN, STIFF, DAMP, RIM_AT, RIM_STIFF, C_ALONG, C_ACROSS, LOAD, PEAK, K_ALONG, K_ACROSS, RELAX,
    RATIO, FALLS, PATCH, RESISTS, CAMBER, TYRE_NUMBERS,
) = range(19)  # fmt: skip
"""Numbers of a tyre: lengths (m), stiffnesses (N/m, N, N/rad), nominal load and that of the peak (N, 0 for none), stiffness of the carcass
(N/m) and its damping by that (s), friction across by that along, its fall (s/m), half the patch (m, 0 for the chord), rolling resistance,
stiffness by camber (N/rad)."""

FRICTION, PROFILE, BRAKE, DRIVE, TYRE_CURVES = range(5)
"""Curves of a tyre; a profile of -1 is none."""

STRETCH_ALONG, STRETCH_ACROSS, TWIST, TYRE_STATES = range(4)
"""States of a tyre: stretch of its carcass (m), twist of its brake (rad)."""

ON_WHEEL, NORMAL_LOAD, ALONG, ACROSS, ALIGNING, SLIP, SLIP_ANGLE, DEFLECTION, TOUCHES, BRAKING, TYRE_COLUMNS = (
    0, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14,
)  # fmt: skip
"""What is seen of a tyre: force on the wheel, its parts, moment about the normal, slip ratio and angle, deflection, place, brake torque."""

NOWHERE = -2
"""No body, and not the ground."""

SETTLES = 1e-3
"""Time (s) in which what is stretched beyond the limit comes back (*assumed*)."""

NEARLY = 0.1
"""Part of the brush that still sticks below which the force goes on in a straight line: it is within a thousandth of the limit."""

BRAKE_STIFF, BRAKE_RELAX = 5e4, 0.003
"""Stiffness of a brake and what carries it (N m/rad), and its damping by that (s) (*assumed*)."""

SLOW = 0.1
"""Speed (m/s) below which slip is told as at this, and about which trail and rolling resistance turn round."""

LOOKS, SECTIONS, HALVINGS, GOLDEN = 40, 22, 35, 0.6180339887498949
"""Places looked at along a profile below a wheel, and halvings about the nearest."""


@struct
class Tyres(NamedTuple):
    """Hold tyres: wheel and carrier (-1 for the ground), centre and axle in the wheel, numbers, curves, first of their states.

    Tyre k rolls on the roads `first[k]` to `first[k + 1]`: bodies, a point, normal, direction of the profile, edges' duals (two rows each) and
    whether it ends along them; and on meshes of the ground, likewise. `seen` is what was found last.
    """

    wheel: IntArray
    carrier: IntArray
    at: Array
    axle: Array
    number: Array
    curve: IntArray
    state: IntArray
    first: IntArray
    road: IntArray
    road_at: Array
    normal: Array
    along: Array
    duals: Array
    ends: IntArray
    first_mesh: IntArray
    mesh: IntArray
    ground: Ground
    seen: Array


class Slides(NamedTuple):
    """How a patch slides ahead and to the right (m/s), its rolling speed, how it turns about the road's inward normal (rad/s), and its camber to the right."""

    ahead: float
    right: float
    rolls: float
    turning: float
    leans: float


@inner
def _nearest(curves: Curves, c: int, s: float, h: float, reach: float) -> tuple[float, float]:
    """The place along a profile that is nearest to a point at s and height h, and its height."""
    best, least = s, 1e300
    step = 2.0 * reach / LOOKS
    before, here = 1e300, 1e300
    for n in range(LOOKS + 2):
        x = s - reach + n * step
        after = (x - s) ** 2 + (curve_at(curves, c, x)[0] - h) ** 2
        if here <= before and here <= after and n > 0:
            # nearer than both beside it: there, or at a corner between them
            place = _nearest_within(curves, c, s, h, x - 2.0 * step, x)
            away = (place - s) ** 2 + (curve_at(curves, c, place)[0] - h) ** 2
            if away < least:
                best, least = place, away
        before, here = here, after
    return best, curve_at(curves, c, best)[0]


@inner
def _nearest_within(curves: Curves, c: int, s: float, h: float, low: float, high: float) -> float:
    """The place between two others at which a profile comes nearest to a point.

    By golden sections, which no corner leads astray, until the two are near; then by where the slope turns.
    """
    one, two = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    at_one = (one - s) ** 2 + (curve_at(curves, c, one)[0] - h) ** 2
    at_two = (two - s) ** 2 + (curve_at(curves, c, two)[0] - h) ** 2
    for _ in range(SECTIONS):
        if at_one < at_two:
            high, two, at_two = two, one, at_one
            one = high - GOLDEN * (high - low)
            at_one = (one - s) ** 2 + (curve_at(curves, c, one)[0] - h) ** 2
        else:
            low, one, at_one = one, two, at_two
            two = low + GOLDEN * (high - low)
            at_two = (two - s) ** 2 + (curve_at(curves, c, two)[0] - h) ** 2
    for _ in range(HALVINGS):
        x = 0.5 * (low + high)
        y, slope = curve_at(curves, c, x)
        if (x - s) + (y - h) * slope > 0.0:
            high = x
        else:
            low = x
    return 0.5 * (low + high)


@inner
def _below(
    tyres: Tyres, curves: Curves, motion: Motion, k: int, r: int, centre: Three
) -> tuple[float, Three, float]:
    """How high the centre is over road r, the normal there, and how far along the road that is; -1 of height beside its edges."""
    b = tyres.road[r]
    at, _ = point_of(motion, b, arm_of(motion, b, tyres.road_at, r))
    normal, along = arm_of(motion, b, tyres.normal, r), arm_of(motion, b, tyres.along, r)
    away = less(centre, at)
    for n in range(2):
        if tyres.ends[r, n]:
            part = dot(arm_of(motion, b, tyres.duals, 2 * r + n), away)
            if part < 0.0 or part > 1.0:
                return 1e300, normal, 0.0
    s, h = dot(along, away), dot(normal, away)
    if h < 0.0 and (tyres.ends[r, 0] or tyres.ends[r, 1]):
        # a road with edges bears what is over it: this one is a bridge overhead
        return 1e300, normal, 0.0
    c = tyres.curve[k, PROFILE]
    if c < 0:
        return h, normal, s
    x, y = _nearest(curves, c, s, h, tyres.number[k, RADIUS])
    ds, dh = s - x, h - y
    away_from = math.sqrt(ds * ds + dh * dh)
    if not away_from > 1e-9:
        return 0.0, normal, x
    if dh < 0.0:
        away_from = -away_from
    ds, dh = ds / away_from, dh / away_from
    return away_from, plus(scaled(dh, normal), ds, along), x


@inlined
def _stiffness(number: Array, k: int, load: float) -> tuple[float, float]:
    """Slip and cornering stiffness at a load."""
    cx, cy, at = number[k, C_ALONG], number[k, C_ACROSS], number[k, LOAD]
    if at > 0.0:
        cx *= load / at
        peak = number[k, PEAK]
        if peak > 0.0:
            # sin(2 atan(u)) = 2 u / (1 + u^2)
            u, v = load / peak, at / peak
            cy *= u * (1.0 + v * v) / (v * (1.0 + u * u))
        else:
            cy *= load / at
    return max(cx, 1e-9), max(cy, 1e-9)


@inlined
def _brush(part: float) -> float:
    """By how much more than in proportion a brush must slip to give a part of its limit."""
    if part < 1e-9:
        return 1.0
    last = 1.0 - NEARLY**3
    if part <= last:
        return float(3.0 * (1.0 - (1.0 - part) ** (1.0 / 3.0)) / part)
    return (3.0 * (1.0 - NEARLY) + (min(part, 1.0) - last) / (NEARLY * NEARLY)) / part


@inlined
def _allowed(lost: float, by_damper: float) -> float:
    """The part of a damper that gives back no more than is lost."""
    return 1.0 if by_damper >= 0.0 else min(1.0, max(lost, 0.0) / -by_damper)


@inlined
def _turns(tyres: Tyres, curves: Curves, moment: Moment, k: int, which: int) -> float:
    """A torque by time."""
    return curve_within(curves, tyres.curve[k, which], moment.t, moment.within)[0]


@inlined
def _brake(
    tyres: Tyres,
    curves: Curves,
    moment: Moment,
    k: int,
    motion: Motion,
    axle: Three,
    elements: Elements,
    applied: Applied,
) -> tuple[float, float, float]:
    """Add brake and drive: the power of the brake, the energy it holds, and the power of the drive."""
    i, b, z = tyres.wheel[k], tyres.carrier[k], tyres.state[k] + TWIST
    rate = dot(axle, less(spin_of(motion, i), spin_of(motion, b)))
    twist, limit = elements.z[z], max(_turns(tyres, curves, moment, k, BRAKE), 0.0)
    torque, held = 0.0, 0.5 * BRAKE_STIFF * twist * twist
    if limit > 0.0:
        over_it = max(1.0 - limit / max(BRAKE_STIFF * abs(twist), limit), 0.0)
        gives = over_it * twist / SETTLES
        if twist * rate > 0.0:
            gives += over_it * rate
        twists = rate - gives
        elements.rates[z] = twists
        rests = BRAKE_STIFF * twist * (1.0 - over_it)
        damped = min(max(BRAKE_STIFF * (twist + BRAKE_RELAX * twists), -limit), limit) - rests
        lost = rests * rate - BRAKE_STIFF * twist * twists
        torque = rests + _allowed(lost, damped * rate) * damped
    else:
        elements.rates[z] = -twist / SETTLES
    drive = -_turns(tyres, curves, moment, k, DRIVE)
    add_torque(applied.torque, i, drive - torque, axle)
    add_torque(applied.torque, b, torque - drive, axle)
    tyres.seen[k, BRAKING] = -torque
    return -torque * rate, held, drive * rate


@inlined
def _no_touch(tyres: Tyres, k: int, elements: Elements) -> None:
    """Let a tyre in the air forget its stretch."""
    for n in range(TWIST):
        z = tyres.state[k] + n
        elements.rates[z] = -elements.z[z] / SETTLES


@inlined
def _stretched(tyres: Tyres, k: int, elements: Elements) -> float:
    """The energy that a carcass holds."""
    z = tyres.state[k]
    x, y = elements.z[z + STRETCH_ALONG], elements.z[z + STRETCH_ACROSS]
    return float(0.5 * (tyres.number[k, K_ALONG] * x * x + tyres.number[k, K_ACROSS] * y * y))


@inner
def _rolls(
    tyres: Tyres,
    curves: Curves,
    motion: Motion,
    k: int,
    axle: Three,
    elements: Elements,
    applied: Applied,
) -> tuple[float, float]:
    """Add the road's force and moment on one tyre: their power, and the energy held."""
    i, number, seen = tyres.wheel[k], tyres.number, tyres.seen[k]
    centre, _ = point_of(motion, i, arm_of(motion, i, tyres.at, k))
    radius, crown = number[k, RADIUS], number[k, CROWN]
    found, depth = NOWHERE, 0.0
    normal, along_way = axle, 0.0
    for r in range(tyres.first[k], tyres.first[k + 1]):
        height, up, s = _below(tyres, curves, motion, k, r, centre)
        lean = dot(up, axle)
        upright = math.sqrt(max(1.0 - lean * lean, 0.0))
        into = crown + (radius - crown) * upright - height
        if into > depth:
            found, depth, normal, along_way = tyres.road[r], into, up, s
    for r in range(tyres.first_mesh[k], tyres.first_mesh[k + 1]):
        into, up, s = pressed(tyres.ground, tyres.mesh[r], motion, centre, axle, radius, crown)
        if into > depth:
            found, depth, normal, along_way = tyres.ground.body[tyres.mesh[r]], into, up, s
    for n in range(BRAKING):
        seen[n] = 0.0
    if found == NOWHERE:
        _no_touch(tyres, k, elements)
        return 0.0, _stretched(tyres, k, elements)
    j = found
    ahead = cross(normal, axle)
    ahead = over(ahead, max(length(ahead), 1e-9))
    side = cross(ahead, normal)
    # to the middle of the tread: in the wheel's plane down by the ring, then along the normal
    down = cross(ahead, axle)
    place = plus(plus(centre, radius - crown, down), depth - crown, normal)
    # what is down in the wheel's plane lies against the normal
    velocity = speed_at(motion, i, j, place)
    sink = -dot(normal, velocity)
    # the spring
    load = number[k, STIFF] * depth
    held = 0.5 * load * depth
    rim = depth - number[k, RIM_AT]
    if rim > 0.0:
        load += number[k, RIM_STIFF] * rim
        held += 0.5 * number[k, RIM_STIFF] * rim * rim
    load = max(load + number[k, DAMP] * sink, 0.0)
    slides, drifts = dot(ahead, velocity), dot(side, velocity)
    travels = dot(ahead, speed_at(motion, i, j, centre))
    turns = less(spin_of(motion, i), spin_of(motion, j))
    # to turn the wheel about its axle is no turning of the patch: that is camber
    about = plus(normal, -dot(normal, axle), axle)
    leans = -math.asin(min(max(dot(normal, axle), -1.0), 1.0))
    f, g, by_slip, arm, thrust = _slip(
        tyres, curves, k, load, depth, Slides(slides, drifts, travels - slides, -dot(about, turns), leans), along_way, elements
    )  # fmt: skip
    force = plus(plus(scaled(load, normal), f, ahead), g, side)
    # what side slip alone gives acts behind the middle, and leans on the spin as far as camber thrust comes of it
    aligning = plus(scaled(arm * by_slip, about), thrust * by_slip, cross(less(centre, place), ahead))  # fmt: skip
    spin = dot(axle, turns)
    resist = -number[k, RESISTS] * load * (radius - depth) * spin
    resist /= math.sqrt(spin * spin + (SLOW / radius) ** 2)
    moment = plus(aligning, resist, axle)
    push(applied.torque, applied.force, i, arm_to(motion, i, place), force)
    add_torque(applied.torque, i, 1.0, moment)
    push(applied.torque, applied.force, j, arm_to(motion, j, place), scaled(-1.0, force))
    add_torque(applied.torque, j, -1.0, moment)
    write(seen, ON_WHEEL, force)
    write(seen, TOUCHES, place)
    seen[NORMAL_LOAD], seen[ALONG], seen[ACROSS], seen[ALIGNING] = load, f, g, arm * by_slip
    seen[DEFLECTION] = depth
    seen[SLIP] = -slides / max(abs(travels), SLOW)
    seen[SLIP_ANGLE] = -math.atan2(drifts, max(abs(travels), SLOW))
    return dot(force, velocity) + dot(moment, turns), held + _stretched(tyres, k, elements)


@inlined
def _slip(
    tyres: Tyres,
    curves: Curves,
    k: int,
    load: float,
    depth: float,
    slides: Slides,
    way: float,
    elements: Elements,
) -> tuple[float, float, float, float, float]:
    """Forces on the wheel along and across, the part of the latter by side slip, its arm behind, and thrust by camber; rates of stretch go to `elements`.

    The energy held is that of the whole stretch. Where this is beyond the limit it grows no more, whatever load and friction do: so no
    energy comes of them.
    """
    number, z = tyres.number, tyres.state[k]
    x, y = elements.z[z + STRETCH_ALONG], elements.z[z + STRETCH_ACROSS]
    kx, ky = number[k, K_ALONG], number[k, K_ACROSS]
    mu, _ = curve_at(curves, tyres.curve[k, FRICTION], way)
    mu /= 1.0 + number[k, FALLS] * math.sqrt(slides.ahead**2 + slides.right**2)
    mu = max(mu, 1e-6)
    nu = mu * number[k, RATIO]
    if not load > 0.0:
        _no_touch(tyres, k, elements)
        return 0.0, 0.0, 0.0, 0.0, 0.0
    cx, cy = _stiffness(number, k, load)
    bent = math.sqrt((kx * x / mu) ** 2 + (ky * y / nu) ** 2)
    part = min(bent / load, 1.0)
    beyond = 1.0 - load / bent if bent > load else 0.0
    half = number[k, PATCH]
    if half > 0.0:
        half *= math.sqrt(load / number[k, LOAD]) if number[k, LOAD] > 0.0 else 1.0
    else:
        half = math.sqrt(max(depth * (2.0 * number[k, RADIUS] - depth), 0.0))
    c = max(1.0 - part, 0.0) ** (1.0 / 3.0)
    trail = half * c * c * c / (1.0 + c + c * c)
    slow = 1.0 / math.sqrt(slides.rolls**2 + SLOW * SLOW)
    thrust = number[k, CAMBER] / number[k, C_ACROSS] * slides.leans
    # turning and camber: as bristles slide a trail ahead of the middle
    turned = slow * (trail * slides.turning - thrust * slides.rolls)
    right = slides.right + slides.rolls * turned
    # how fast the patch slides: as the brush needs, and what is beyond the limit so that it loses most
    brush = _brush(part)
    creeps = abs(slides.rolls) * brush * (1.0 - beyond)
    one, two = kx / (mu * mu), ky / (nu * nu)
    pressed = kx * x * slides.ahead + ky * y * right
    back = 0.0
    if beyond > 0.0:
        back = beyond * (1.0 / (SETTLES * max(one, two)) + max(pressed, 0.0) / (kx * one * x * x + ky * two * y * y))  # fmt: skip
    x_rate = slides.ahead - (creeps * kx / cx + back * one) * x
    y_rate = right - (creeps * ky / cy + back * two) * y
    elements.rates[z + STRETCH_ALONG], elements.rates[z + STRETCH_ACROSS] = x_rate, y_rate
    rests_x, rests_y = kx * x * (1.0 - beyond), ky * y * (1.0 - beyond)
    by_slip = rests_y - math.copysign(cy / brush, slides.rolls) * turned
    by_slip = min(max(by_slip, -nu * load), nu * load)
    lost = rests_x * slides.ahead + rests_y * slides.right - by_slip * slides.rolls * turned - kx * x * x_rate - ky * y * y_rate  # fmt: skip
    relax = number[k, RELAX]
    f, g = kx * (x + relax * x_rate), ky * (y + relax * y_rate)
    whole = math.sqrt((f / mu) ** 2 + (g / nu) ** 2)
    if whole > load:
        f, g = f * load / whole, g * load / whole
    by_damper = (f - rests_x) * slides.ahead + (g - rests_y) * slides.right
    much, way = _allowed(lost, by_damper), slow * slides.rolls
    f, g = rests_x + much * (f - rests_x), rests_y + much * (g - rests_y)
    return -f, -g, -by_slip, way * trail, way * thrust


@separate
@kernel
def tyre_forces(
    tyres: Tyres,
    curves: Curves,
    moment: Moment,
    motion: Motion,
    elements: Elements,
    applied: Applied,
    sums: Array,
) -> None:
    """Add the forces of all tyres; `sums` takes the energy held, the power of road and brakes, and that of drives."""
    sums[0] = sums[1] = sums[2] = 0.0
    for k in range(len(tyres.wheel)):
        axle = arm_of(motion, tyres.wheel[k], tyres.axle, k)
        power, held = _rolls(tyres, curves, motion, k, axle, elements, applied)
        braked, bent, driven = _brake(tyres, curves, moment, k, motion, axle, elements, applied)
        sums[0] += held + bent
        sums[1] += power + braked
        sums[2] += driven
