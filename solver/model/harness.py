"""Make harnesses into arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from solver.engine.dynamics.tree import Array
from solver.engine.forces.belts import FIXED, LENGTHS, Belts, belt_path
from solver.engine.forces.laws import MEMORY, RETURNING, UNTOUCHED
from solver.engine.forces.straps.arrays import (
    Retractors,
    StrapMemory,
    StrapModel,
    Straps,
    StrapWorkspace,
)
from solver.engine.forces.straps.retractors import NO_LIMIT
from solver.engine.forces.triggers import NOT_FIRED
from solver.engine.maths.alike import into, length
from solver.engine.maths.curve import Curve, curve_at, joined, table
from solver.model.arrays import reals, wholes
from solver.model.functions import Numbered
from solver.model.strap_points import Row, rows_of, way_of
from solver.model.surfaces import SurfaceNumbers
from solver.model.tree import Trees, placed, point_on, turn
from solver.project.belts import (
    Belt,
    JunctionPoint,
    RingPoint,
    StrapEnd,
    StrapPoint,
    SurfacePoint,
    TimeTrigger,
)
from solver.project.contact import ContactLaw, RateWebbingLaw
from solver.project.document import Project
from solver.project.pose import Placed

HARNESS_VALUES = 6


LEAST = 0.01
"""Least slope where webbing begins to pull, in parts of its stiffness, that its shape goes by."""


def compile_harnesses(
    project: Project,
    trees: Trees,
    laws: Mapping[str, int],
    functions: Numbered,
    pose: Mapping[str, Placed],
    first_trigger: int,
) -> tuple[Straps, list[float]]:
    """All straps as they lie at the start, their devices, and times at which these act."""
    rows, sizes, ends = rows_of(project, trees.body_of, trees.origin)
    retractors, breaks = retractors_of(project, rows, functions, first_trigger)
    by_id = {law.id: law for law in project.contact_laws}
    watched = {
        rows[p].harness for p in retractors.point if retractors.sensors[rows[p].spool, 2] < NO_LIMIT
    }
    rated = {r.harness for r in rows if isinstance(by_id[r.strap.law], RateWebbingLaw)} | watched
    bases = {law: functions[by_id[law].base] for law in {r.strap.law for r in rows}}  # type: ignore[union-attr]
    stiff = {law: _stiffness(base) for law, base in bases.items()}
    eases = {law: min(stiff[law], _first_slope(base)) for law, base in bases.items()}
    count, widest = len(rows), max((n + m for n, m in sizes), default=0)
    ways = [way_of(rows, k) for k in range(count)]
    on = [r.point if isinstance(r.point, SurfacePoint) else None for r in rows]
    fleshes = [_flesh(r, k) for k, r in enumerate(rows)]
    model = StrapModel(
        first=wholes(ends),
        rated=wholes(h in rated for h in range(len(sizes))),
        kind=wholes(r.kind for r in rows),
        last=wholes(r.last for r in rows),
        body=wholes(r.body for r in rows),
        surface=wholes(r.surface for r in rows),
        law=wholes(laws[r.strap.law] for r in rows),
        flesh=wholes(-1 if law is None else laws[law] for law in fleshes),
        flesh_rated=wholes(law is not None and _depends_on_rate(by_id[law]) for law in fleshes),
        across=wholes(functions.number(_across(r, k)) for k, r in enumerate(rows)),
        along=wholes(functions.number(_along(r.point)) for r in rows),
        keeps=wholes(s is not None and not s.may_leave for s in on),
        join=wholes(r.join for r in rows),
        smooth=wholes(isinstance(r.point, RingPoint) and r.point.friction == 0.0 for r in rows),
        spool=wholes(r.spool for r in rows),
        prefers=wholes(s is not None and s.preferred_direction is not None for s in on),
        stiff=reals(stiff[r.strap.law] for r in rows),
        eases=reals(eases[r.strap.law] for r in rows),
    )
    memory = StrapMemory(
        size=wholes(sizes, 2),
        left=wholes(-1 if k == 0 or rows[k - 1].last else k - 1 for k in range(count)),
        right=wholes(-1 if r.last else k + 1 for k, r in enumerate(rows)),
        marks=wholes(s is not None and s.follows == "webbing" for s in on),
        unknown=wholes(r.unknown for r in rows),
        at=reals((r.at for r in rows), 3),
        way=reals(ways, 3),
        rest=reals(r.rest for r in rows),
        laid=reals(r.rest for r in rows),
        webbing_mode=wholes(_begins(by_id[r.strap.law]) for r in rows),
        webbing_memory=np.zeros((count, MEMORY)),
        webbing_strain=np.zeros(count),
        flesh_mode=wholes(UNTOUCHED if law is None else _begins(by_id[law]) for law in fleshes),
        flesh_memory=np.zeros((count, MEMORY)),
        flesh_depth=np.zeros(count),
        x_end=reals((r.at for r in rows), 3),
        fed_end=np.zeros(count),
        way_end=reals(ways, 3),
        long_end=reals(r.rest for r in rows),
        strain_end=np.zeros(count),
        length_end=np.zeros(count),
        depth_end=np.zeros(count),
        going=np.ones(len(sizes)),
        turned=np.full(len(sizes), -np.inf),
        dragged=np.zeros(1),
        per_s_before=np.zeros(1),
    )
    work = StrapWorkspace(
        x=reals((r.at for r in rows), 3),
        fed=np.zeros(count),
        long=reals(r.rest for r in rows),
        seen=np.zeros((count, HARNESS_VALUES)),
        turns=np.zeros(count),
        stretches=np.zeros(count),
        feeds=np.zeros(count),
        hard=np.zeros(count),
        force=np.zeros((count, 3)),
        place=np.zeros((count, 3)),
        turn=np.zeros((count, 9)),
        frame=np.zeros((count, 9)),
        gap=np.zeros(count),
        slope=np.zeros((count, 3)),
        bend=np.zeros((count, 3)),
        moved=np.zeros((count, 3)),
        speed=np.zeros((count, 3)),
        axis=np.zeros((count, 3)),
        matrix=np.zeros((widest, widest)),
        residual=np.zeros(widest),
        residual_rate=np.zeros(widest),
        counts=np.zeros(3, np.int64),
        kept=np.zeros((count, 4)),
        found=np.zeros((count, 4)),
    )
    return Straps(model, memory, work, retractors), breaks


def _flesh(row: Row, k: int) -> str | None:
    """Name the flesh under a point; a junction has it once."""
    point = row.point
    if isinstance(point, SurfacePoint):
        return point.flesh
    return point.flesh if isinstance(point, JunctionPoint) and row.join == k else None


def _across(row: Row, k: int) -> float | str | None:
    """Give friction across the strap; of a junction that of any way, none where it is zero."""
    point = row.point
    if isinstance(point, SurfacePoint):
        return point.friction_across
    if isinstance(point, JunctionPoint) and row.join == k and point.friction != 0.0:
        return point.friction
    return None


def _begins(law: ContactLaw) -> int:
    """The mode of what is taut or pressed at the start, until it is looked at."""
    return RETURNING if getattr(law, "at_start", "turning") == "elastic" else UNTOUCHED


def _depends_on_rate(law: Any) -> bool:
    """Whether a law's force depends on the rate."""
    return any(getattr(law, name) for name in law.kernel.rated)


def _along(point: StrapPoint) -> float | str | None:
    if isinstance(point, RingPoint):
        return float(point.friction)
    return point.friction_along if isinstance(point, SurfacePoint) else None


def _stiffness(base: Curve) -> float:
    """A measure of the tension at a strain of one."""
    curves = joined([base])
    return max(curve_at(curves, 0, x)[0] / x for x in (0.01, 0.03, 0.1))


def _first_slope(base: Curve) -> float:
    """The slope of tension by strain where webbing begins to pull."""
    curves = joined([base])
    for x in np.linspace(0.0, 0.1, SAMPLES):
        pull, slope = curve_at(curves, 0, x)
        if slope > 0.0 or pull > 0.0:
            return max(float(slope), LEAST * _stiffness(base))
    return LEAST * _stiffness(base)


# Devices at the ends of straps as arrays.

SAMPLES = 400
"""Points of the table that joins a film spool and a load limiter."""


def devices_of(project: Project) -> Iterator[tuple[str, StrapEnd, bool]]:
    """Give the devices of strap ends in the order of their rows: strap, device, whether at the end."""
    for harness in project.harnesses:
        for strap in harness.straps:
            for device, ends in ((strap.start_device, False), (strap.end_device, True)):
                if device is not None:
                    yield f"{harness.id}.{strap.id}", device, ends


def retractors_of(
    project: Project, rows: Sequence[Row], functions: Numbered, first_trigger: int
) -> tuple[Retractors, list[float]]:
    """The devices of all strap ends."""
    places = [k for k, r in enumerate(rows) if r.spool >= 0]
    made = [device for _, device, _ in devices_of(project)]
    count, breaks, triggers = len(made), [], first_trigger
    retractors = [d.retractor for d in made]
    trigger = []
    for device in made:
        trigger.append(triggers if device.pretensioner else -1)
        if device.pretensioner:
            triggers += 1
            if isinstance(device.pretensioner.trigger, TimeTrigger):
                breaks.append(device.pretensioner.trigger.time_s)

    def limit(value: float | None) -> float:
        return NO_LIMIT if value is None else float(value)

    return (
        Retractors(
            point=wholes(places),
            body=wholes(rows[k].body for k in places),
            at=reals((rows[k].at for k in places), 3),
            winding=reals(r.tension_n if r else 0.0 for r in retractors),
            empty=reals(NO_LIMIT if d.given_tension else d.retractor.spool_m if d.retractor else 0.0 for d in made),
            sensors=reals(
                (
                    (limit(r.lock_acceleration_m_per_s2), limit(r.lock_payout_m), limit(r.lock_payout_rate_m_per_s))
                    if r
                    else (NO_LIMIT,) * 3
                    for r in retractors
                ),
                3,
            ),
            delay=reals(r.lock_delay_s if r else 0.0 for r in retractors),
            gives=wholes(_gives(d, functions) for d in made),
            trigger=wholes(trigger),
            stroke=wholes(functions.number(d.pretensioner.stroke) if d.pretensioner else -1 for d in made),
            limit=reals(limit(d.pretensioner.force_limit_n) if d.pretensioner else NO_LIMIT for d in made),
            drive=wholes(functions.number(d.given_tension or d.given_payout) for d in made),
            pays=wholes(d.given_payout is not None for d in made),
            locked=wholes(d.retractor is None and d.given_tension is None for d in made),
            locks=np.full(count, NOT_FIRED),
            drawn=np.zeros(count),
            given=np.zeros(count),
            time=np.full(1, -np.inf),
            drawn_end=np.zeros(count),
            given_end=np.zeros(count),
            locked_end=np.zeros(count, np.int64),
            time_end=np.zeros(1),
            pulls=np.zeros(count),
            fired=np.zeros(count, np.int64),
            present=np.zeros((count, 2)),
        ),
        breaks,
    )  # fmt: skip


def _gives(device: StrapEnd, functions: Numbered) -> int:
    """The number of the tension at which a held end gives, by webbing given; -1 if it holds."""
    film = device.retractor.film_spool if device.retractor else None
    limiter = device.load_limiter.force if device.load_limiter else None
    if film is None or limiter is None:
        return functions.number(film or limiter)
    return functions.add(f"{film}+{limiter}", _in_series(functions[film], functions[limiter]))


def _in_series(one: Curve, two: Curve) -> Curve:
    """Join two tensions by webbing given, one behind the other: at each tension both have given."""
    at = _reader(one), _reader(two)
    ends = [max(curve.start[-1], 1e-3) for curve in (one, two)]
    grids = [np.linspace(0.0, end, SAMPLES) for end in ends]
    levels = [
        np.maximum.accumulate([read(x) for x in grid]) for read, grid in zip(at, grids, strict=True)
    ]
    top = min(float(level[-1]) for level in levels)
    tensions = np.unique(np.concatenate([[min(level[0] for level in levels)], *levels]))
    tensions = tensions[tensions <= top]
    given = sum(
        np.interp(tensions, *_rising(level, grid))
        for level, grid in zip(levels, grids, strict=True)
    )
    weaker = int(levels[1][-1] < levels[0][-1])
    return table(
        [*np.asarray(given).tolist(), float(np.asarray(given)[-1]) + ends[weaker]],
        [*tensions.tolist(), top],
    )


def _rising(level: Array, grid: Array) -> tuple[Array, Array]:
    """Keep the first place of each level."""
    values, places = np.unique(level, return_index=True)
    return values, grid[places]


def _reader(curve: Curve) -> Callable[[float], float]:
    curves = joined([curve])
    return lambda x: float(curve_at(curves, 0, float(x))[0])


# Make simple belts into arrays.

BELT_VALUES = 8


def compile_belts(
    project: Project,
    trees: Trees,
    numbers: SurfaceNumbers,
    laws: Mapping[str, int],
    pose: Mapping[str, Placed],
) -> Belts:
    """All simple belts, with their unstretched lengths from those at the start."""
    rows = project.belts
    a = [point_on(trees, b.anchor_a.segment, b.anchor_a.position_m) for b in rows]
    b = [point_on(trees, b.anchor_b.segment, b.anchor_b.position_m) for b in rows]
    laid = [_laid(belt, numbers, pose) for belt in rows]
    count = len(rows)
    return Belts(
        a=wholes(body for body, _ in a),
        b=wholes(body for body, _ in b),
        at_a=reals((at for _, at in a), 3),
        at_b=reals((at for _, at in b), 3),
        surface=wholes(numbers.number(belt.surface) for belt in rows),
        fixed=reals((path[FIXED] for path in laid), 3),
        one=wholes(belt.friction == "none" for belt in rows),
        law=wholes(laws[belt.law] for belt in rows),
        rest=reals((_rest(belt, path) for belt, path in zip(rows, laid, strict=True)), 2),
        mode=np.zeros(2 * count, np.int64),
        memory=np.zeros((2 * count, MEMORY)),
        seen=np.zeros((count, BELT_VALUES)),
        path=np.zeros((9, 3)),
        turn=np.zeros(9),
    )


def _laid(belt: Belt, numbers: SurfaceNumbers, pose: Mapping[str, Placed]) -> Array:
    """Lay a belt at the start, in the own axes of its surface."""
    shape = numbers.shapes[numbers.number(belt.surface)][1]
    at = pose[belt.surface.segment]
    R_WE = at.R_WS @ turn(shape.orientation)
    centre = at.p_W + at.R_WS @ np.array(shape.centre_m)
    semi = np.array(shape.semi_axes_m)
    fixed = R_WE.T @ at.R_WS @ (np.array(belt.fixed_point_m) - np.array(shape.centre_m))
    path = np.zeros((9, 3))
    path[0] = into(R_WE, placed(pose, belt.anchor_a) - centre)
    path[1] = into(R_WE, placed(pose, belt.anchor_b) - centre)
    # radially onto the surface
    path[FIXED] = fixed / length(fixed / semi)
    belt_path(semi[None, :], 0, path)
    return path


def _rest(belt: Belt, path: Array) -> tuple[float, float]:
    """Share the slack between both sides by their lengths."""
    one, two = float(path[LENGTHS, 0]), float(path[LENGTHS, 1])
    stretch = 1.0 + belt.slack_m / (one + two)
    return one * stretch, two * stretch
