"""Airbags: inflation from the deployment point, then a body of its own that presses (section 7.4).

A bag is a body of the trees from the start, held and without mass until it is full. Its gas is a
state beside the motion: mass blown in and out, free volume, what is left in the tank, energy in and
out (`gas`). What bodies displace is found with the bag in its full size: while it fills no force
acts, and it is full as soon as the free volume of its gas fills what they leave.
"""

from __future__ import annotations

from solver.engine.dynamics.tree import Applied, Array, Tree
from solver.engine.forces.airbags.arrays import (
    APART,
    BLOWN,
    FILLING,
    FOLDED,
    FREE_VOLUME,
    FULL,
    HEAT_IN,
    HEAT_OUT,
    KEPT,
    LOST,
    PRESSED,
    S_CENTRE,
    S_ENERGY,
    S_FORCE,
    S_HEAT,
    S_MASS,
    S_ONCE,
    S_PRESSURE,
    S_SEMI,
    S_STATE,
    S_TURN,
    S_VOLUME,
    SEEN,
    STATES,
    STUCK,
    TANK,
    Airbags,
)
from solver.engine.forces.airbags.body import (
    SPRING_COMES_UP,
    hold_bag,
    place_bag,
    set_free,
    weigh_bag,
)
from solver.engine.forces.airbags.gas import (
    energy_of,
    free_rate,
    gas_in,
    gauge_pressure,
    leak_flow,
    opening,
    outflow,
    table_flow,
    tank_rates,
    tank_temperature,
    vent_flow,
)
from solver.engine.forces.airbags.shape import (
    ALIKE,
    OVER,
    REGION,
    STEEP,
    Contact,
    bag_contact,
    contact_by,
    displaced_volume,
    flat_contact,
    other_side,
    put_region,
    steepness,
)
from solver.engine.forces.bristles import APART as NO_TOUCH
from solver.engine.forces.bristles import HOLDS, grip_of, keep_rows, rub, together
from solver.engine.forces.contacts.ellipsoids import OUTWARD, deepest_points, shape_of
from solver.engine.forces.laws import NOTHING
from solver.engine.forces.points import arm_of, arm_to, push, speed_at
from solver.engine.forces.state import Around, Bodies, Elements, Moment
from solver.engine.forces.surfaces import turn_of
from solver.engine.jit.kernels import inner, kernel, separate
from solver.engine.maths.curve import NONE, Curves
from solver.engine.maths.spatial import (
    Symmetric,
    Three,
    added,
    dot,
    length,
    less,
    mat_on,
    plus,
    read,
    read3,
    read9,
    scaled,
    transpose_on,
    write,
    write3,
)

FIRED, FILLED, VENT_OPENED, SIDE_CHANGED = range(4)
"""What happens to a bag."""

TOUCH_TURNED = -2
"""A touch begins or ends to press: its force has a kink there, and steps end at it; nobody is told."""

ENDS = 1e-6
"""Depth, in parts of the bag, below which a touch that has an event ends; deeper its side does."""


@inner
def _displaced(bags: Airbags, around: Around, k: int, centre: Three, g: Array, slot: int) -> float:
    """Look at all that a bag touches; return the volume that it is left. From `slot` on `g` tells of sides that end."""
    model, work, surfaces = bags.model, bags.workspace, around.surfaces
    turn = work.turn_of_other
    shape = shape_of(work.turn[k], model.semi, k)
    first, end = model.touches[k, 0], model.touches[k, 1]
    for n in range(first, end):
        s = model.surface[n]
        if s < 0:
            _lay_flat(bags, around, shape, centre, n, n - first)
            g[slot + n - first] = _of_touch(bags, k, n, work.depth[n], 1.0)
            continue
        turn_of(around.motion, surfaces.body[s], surfaces.R, s, turn[0])
        other = shape_of(turn[0], surfaces.semi, s)
        m = less(read3(surfaces.centre, s), centre)
        reach = max(model.semi[k, 0], model.semi[k, 1], model.semi[k, 2])
        work.depth[n] = reach + surfaces.reach[s] - length(m)
        if work.depth[n] < -SPRING_COMES_UP:
            # farther away than anybody asks
            work.area[n] = 0.0
            write3(work.normal, n, (0.0, 0.0, 0.0))
            for u in range(work.regions.shape[1]):
                work.regions[n - first, u] = 0.0
            g[slot + n - first] = _of_touch(bags, k, n, work.depth[n], 1.0)
            continue
        side = mat_on(read9(work.turn, k), read3(bags.memory.normal, n))
        found = bag_contact(shape, other, m, side)
        left = steepness(shape, other, found.normal, found.depth)
        if bags.memory.stage[n] == KEPT:
            found = contact_by(shape, other, m, side)
        _keep(bags, found, centre, n, n - first)
        g[slot + n - first] = _of_touch(bags, k, n, found.depth, left)
    full = model.volume[k]
    taken = displaced_volume(work.regions, end - first, full, work.best)
    _count_once(bags, k, taken)
    return float(full - taken)


@inner
def _of_touch(bags: Airbags, k: int, n: int, depth: float, left: float) -> float:
    """The function of a touch's event: it begins or ends to press, or the side by which it presses comes to its end."""
    model, memory = bags.model, bags.memory
    if memory.state[k] != FULL:
        return -1.0
    if memory.stage[n] == APART:
        return float(depth / model.semi[k, 0])
    ends = STEEP - left
    if memory.stage[n] == STUCK:
        ends = max(left - 2.0 * STEEP, OVER - left)
    elif memory.stage[n] == KEPT:
        ends = left - 2.0 * STEEP
    return float(max(-depth / model.semi[k, 0], ends))


@inner
def _lay_flat(
    bags: Airbags, around: Around, shape: Symmetric, centre: Three, n: int, row: int
) -> None:
    """Look at a plane that holds a bag."""
    model, work, planes, motion = bags.model, bags.workspace, around.planes, around.motion
    b = -1 - model.surface[n]
    i, now = planes.body[b], planes.now
    m = plus(read(now[b], 0), -1.0, centre)
    one, two = arm_of(motion, i, planes.edges, 2 * b), arm_of(motion, i, planes.edges, 2 * b + 1)
    ends = model.ends[n] != 0
    found = flat_contact(shape, m, read(now[b], 3), one, two, ends, work.corner, work.overlap)
    _keep(bags, found, centre, n, row)


@inner
def _keep(bags: Airbags, found: Contact, centre: Three, n: int, row: int) -> None:
    """Keep what one touch does to a bag."""
    work = bags.workspace
    put_region(found, work.regions, row)
    work.depth[n], work.area[n] = found.depth, found.area
    write3(work.normal, n, found.normal)
    write3(work.place, n, added(centre, found.on_b))


@inner
def _count_once(bags: Airbags, k: int, taken: float) -> None:
    """Lessen the areas of bodies by the part of their volumes that they share: what is pressed in once, presses once."""
    model, work = bags.model, bags.workspace
    first, end = model.touches[k, 0], model.touches[k, 1]
    together = of_bodies = 0.0
    for n in range(first, end):
        together += work.regions[n - first, REGION - 1]
        if not model.is_panel[n]:
            of_bodies += work.regions[n - first, REGION - 1]
    once = 1.0
    if of_bodies > 0.0:
        once = min(max(1.0 - (together - taken) / of_bodies, 0.0), 1.0)
    work.seen[k, S_ONCE] = once
    for n in range(first, end):
        if not model.is_panel[n]:
            work.area[n] *= once


@separate
@kernel
def bag_forces(
    bags: Airbags, around: Around, tree: Tree, moment: Moment, elements: Elements, applied: Applied, g: Array, sums: Array
) -> None:  # fmt: skip
    """Add the forces of all bags, give the rates of their gas and the functions of their events.

    Their states stand first in `elements`. `sums` takes the power of pressure and springs with that of gas
    that joins the motion, the power of friction, and the energy that it holds.
    """
    model, memory, motion = bags.model, bags.memory, around.motion
    z, rates = elements
    sums[0] = sums[1] = sums[2] = 0.0
    for n in range(len(bags.workspace.bristle)):
        bags.workspace.bristle[n, HOLDS] = NO_TOUCH
    slot = 0
    for k in range(len(model.body)):
        e, seen, state = STATES * k, bags.workspace.seen, memory.state[k]
        vents, end = model.vents[k, 0], model.vents[k, 1]
        sides = slot + 2 + end - vents
        after = sides + model.touches[k, 1] - model.touches[k, 0]
        for n in range(slot, after):
            g[n] = -1.0
        for n in range(STATES):
            rates[e + n] = 0.0
        age = moment.t - moment.fires[model.trigger[k]]
        gamma, gas_constant, outside = model.gamma[k], model.gas[k], model.ambient[k]
        for n in range(SEEN):
            seen[k, n] = 0.0
        for n in range(model.touches[k, 0], model.touches[k, 1]):
            for c in range(6):
                bags.workspace.load[n, c] = 0.0
        seen[k, S_STATE] = state
        if state == FOLDED:
            g[slot] = age
            _show(bags, k, place_bag(bags, motion, k, 0.0), 0.0)
            slot = after
            continue
        mass, free = max(z[e + BLOWN] - z[e + LOST], 0.0), z[e + FREE_VOLUME]
        centre = place_bag(bags, motion, k, 1.0)
        volume = _displaced(bags, around, k, centre, g, sides)
        gas = gas_in(gamma, gas_constant, mass, free, volume, outside)
        gauge = gauge_pressure(gamma, free, volume, outside) if state == FULL else 0.0
        if memory.ahead[k] < model.stops[k, 1]:
            g[slot] = age - model.stop[memory.ahead[k]]
        _flow(bags, around.curves, elements, k, age, volume, gauge)
        if state == FILLING:
            g[slot + 1] = (free - volume) / model.volume[k]
            part = min(max(free / volume, 0.0), 1.0) ** (1.0 / 3.0) if volume > 0.0 else 1.0
            _show(bags, k, place_bag(bags, motion, k, part), part)
            seen[k, S_VOLUME] = max(free, 0.0)
        else:
            # where more has left than still fills it, it is slack: no larger than its gas
            part = min(max(free / volume, 0.0), 1.0) if volume > 0.0 else 1.0
            _show(bags, k, centre, part ** (1.0 / 3.0))
            seen[k, S_VOLUME] = part * volume
            for n in range(vents, end):
                if model.vent_stays[n] and not memory.vent_held[n]:
                    g[slot + 2 + n - vents] = gauge / (1.02 * model.vent_opens[n]) - 1.0
            flow = rates[e + BLOWN] - rates[e + LOST]
            weigh_bag(bags, tree, motion, around.gravity, k, mass, flow, sums)
            _press(bags, around, tree, k, moment.t, gauge, applied, sums)
            hold_bag(bags, motion, k, centre, applied, sums)
        seen[k, S_PRESSURE], seen[k, S_MASS] = gauge, mass
        seen[k, S_HEAT] = gas.temperature
        seen[k, S_ENERGY] = energy_of(gamma, max(free, 0.0), volume, outside)
        slot = after


@inner
def _show(bags: Airbags, k: int, centre: Three, size: float) -> None:
    """Keep place, turn and size of a bag for outputs."""
    work = bags.workspace
    seen = work.seen[k]
    write(seen, S_CENTRE, centre)
    for n in range(9):
        seen[S_TURN + n] = work.turn[k, n]
    write(seen, S_SEMI, scaled(size, read3(bags.model.semi, k)))


@inner
def _flow(
    bags: Airbags, curves: Curves, elements: Elements, k: int, age: float, volume: float, gauge: float
) -> None:  # fmt: skip
    """The rates of a bag's gas."""
    model, e = bags.model, STATES * k
    z, rates = elements
    free = z[e + FREE_VOLUME]
    gamma, gas_constant, outside = model.gamma[k], model.gas[k], model.ambient[k]
    mass = max(z[e + BLOWN] - z[e + LOST], 0.0)
    gas = gas_in(gamma, gas_constant, mass, free, volume, outside)
    if model.flow_curve[k] == NONE:
        left = max(z[e + TANK], 0.0)
        heat = tank_temperature(gamma, model.tank_heat[k], left / model.tank_mass[k])
        loss, _, enthalpy = tank_rates(
            gamma, gas_constant, model.tank_volume[k], model.throat[k], left, heat,
            outside + gauge,
        )  # fmt: skip
        rates[e + TANK], flow = loss, -loss
    else:
        flow, enthalpy = table_flow(
            curves, model.flow_curve[k], model.heat_curve[k], model.inflow_heat[k], gamma,
            gas_constant, age,
        )  # fmt: skip
    out = 0.0
    if gauge > 0.0:
        rho = outside / (gas_constant * model.inflow_heat[k])
        for n in range(model.vents[k, 0], model.vents[k, 1]):
            wide = opening(gauge, model.vent_opens[n], bags.memory.vent_held[n] != 0)
            if wide > 0.0:
                hole = wide * model.vent_hole[n]
                out += vent_flow(model.vent_law[n], hole, gamma, gas, outside, rho)
        if model.leak_area[k] > 0.0:
            out += leak_flow(
                curves, model.leak_curve[k], model.leak_ratio[k], model.leak_area[k], gamma, gas,
                outside,
            )  # fmt: skip
    carried = outflow(gamma, gas_constant, gas, out)
    rates[e + BLOWN], rates[e + LOST] = flow, out
    rates[e + HEAT_IN], rates[e + HEAT_OUT] = enthalpy, carried
    rates[e + FREE_VOLUME] = free_rate(gamma, free, volume, outside, enthalpy - carried)


@inner
def _press(
    bags: Airbags, around: Around, tree: Tree, k: int, t: float, gauge: float, applied: Applied, sums: Array
) -> None:  # fmt: skip
    """Press on everything that a full bag touches."""
    model, work, motion = bags.model, bags.workspace, around.motion
    torque, force = applied.torque, applied.force
    holds = model.grip[k] > 0.0
    if gauge <= 0.0 and not holds:
        return
    i, seen = model.body[k], work.seen[k]
    for n in range(model.touches[k, 0], model.touches[k, 1]):
        size = max(gauge, 0.0) * work.area[n]
        # bristles follow what is pressed by nothing yet, too
        if work.depth[n] <= 0.0 or (size <= 0.0 and not holds):
            continue
        s = model.surface[n]
        j = around.surfaces.body[s] if s >= 0 else around.planes.body[-1 - s]
        place, normal = read3(work.place, n), read3(work.normal, n)
        speed = speed_at(motion, j, i, place)
        along = dot(speed, normal)
        across = plus(speed, -along, normal)
        if holds:
            mass = together(tree.mass[i], tree.mass[j] if j >= 0 else 0.0)
            limit, depth, rate = model.friction[k] * size, work.depth[n], -along
            grip = grip_of(limit, model.grip[k], model.grip_damping[k], mass, size, depth, rate)
            x, y, z, bent, _ = rub(
                bags.memory.bristle, work.bristle, n, t, motion, j, i, place, normal, across, grip
            )
            load = less(scaled(size, normal), (x, y, z))
            sums[1] -= dot(across, (x, y, z))
            sums[2] += bent
        else:
            slip, ramp = length(across), model.ramp[k]
            drag = model.friction[k] * size / (slip if slip >= ramp else ramp / (2.0 - slip / ramp))
            load = plus(scaled(size, normal), -drag, across)
            sums[1] -= drag * slip * slip
        sums[0] += size * along
        push(torque, force, j, arm_to(motion, j, place), load)
        push(torque, force, i, arm_to(motion, i, place), scaled(-1.0, load))
        write(work.load[n], 0, load)
        write(work.load[n], 3, place)
        if not model.is_panel[n]:
            write(seen, S_FORCE, added(read(seen, S_FORCE), load))


@inner
def keep_sides(bags: Airbags) -> None:
    """Let the sides by which bags have just pressed be those that the next step starts from: no stage of a step that is refused leaves one."""
    model, memory, work = bags.model, bags.memory, bags.workspace
    for k in range(len(model.body)):
        if memory.state[k] != FOLDED:
            for n in range(model.touches[k, 0], model.touches[k, 1]):
                side = transpose_on(read9(work.turn, k), read3(work.normal, n))
                write3(memory.normal, n, side)
    keep_rows(memory.bristle_end, work.bristle)


@inner
def begin_bag_step(bags: Airbags) -> None:
    """Let bristles go on from the end of the last step; again changes nothing."""
    keep_rows(bags.memory.bristle, bags.memory.bristle_end)


@inner
def _change_side(bags: Airbags, around: Around, k: int, n: int) -> int:
    """Press on another side of what has gone so far through a full bag that the side it came by ends; tell whether there is one.

    Where there is none, that side is followed to its end, and then kept as it turns with the bag, until one that is not
    about to end is the way down from it.
    """
    model, memory, work = bags.model, bags.memory, bags.workspace
    surfaces, motion, turn = around.surfaces, around.motion, work.turn_of_other
    s, now, stage = model.surface[n], read3(work.normal, n), memory.stage[n]
    centre = place_bag(bags, motion, k, 1.0)
    turn_of(motion, surfaces.body[s], surfaces.R, s, turn[0])
    m = less(read3(surfaces.centre, s), centre)
    a, b = shape_of(work.turn[k], model.semi, k), shape_of(turn[0], surfaces.semi, s)
    side, what = now, NOTHING
    if stage == PRESSED:
        side = other_side(a, b, work.turn[k], turn[0], m, now)
        is_other = dot(side, now) < ALIKE
        memory.stage[n], what = (PRESSED, SIDE_CHANGED) if is_other else (STUCK, NOTHING)
    elif stage == STUCK:
        is_over = steepness(a, b, now, work.depth[n]) < STEEP
        memory.stage[n], what = KEPT if is_over else PRESSED, TOUCH_TURNED
    else:
        side = deepest_points(a, b, m, now, OUTWARD).normal
        memory.stage[n], what = PRESSED, SIDE_CHANGED
    write3(memory.normal, n, transpose_on(read9(work.turn, k), side))
    return what


@separate
def switch_bag(
    bags: Airbags, around: Around, bodies: Bodies, elements: Elements, event: int, gained: Array
) -> int:
    """Let an event of a bag happen; `gained` takes the energy that a full bag brings into the motion."""
    model, memory, work = bags.model, bags.memory, bags.workspace
    k = n = vents = 0
    for k in range(len(model.body)):
        vents = model.vents[k, 1] - model.vents[k, 0]
        count = 2 + vents + model.touches[k, 1] - model.touches[k, 0]
        if event < count:
            n = event
            break
        event -= count
    if n == 0:
        if memory.state[k] != FOLDED:
            memory.ahead[k] += 1
            return NOTHING
        memory.state[k] = FILLING
        return FIRED
    if n > 1 + vents:
        n += model.touches[k, 0] - 2 - vents
        if memory.stage[n] != APART and work.depth[n] > ENDS * model.semi[k, 0]:
            return int(_change_side(bags, around, k, n))
        memory.stage[n] = PRESSED if memory.stage[n] == APART else APART
        return TOUCH_TURNED
    if n > 1:
        memory.vent_held[model.vents[k, 0] + n - 2] = 1
        return VENT_OPENED
    if memory.state[k] != FILLING:
        return NOTHING
    set_free(bags, bodies, around.gravity, elements, k, gained)
    for n in range(model.touches[k, 0], model.touches[k, 1]):
        memory.stage[n] = PRESSED if work.depth[n] > 0.0 else APART
    return FILLED
