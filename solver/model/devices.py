"""Devices at the ends of straps as arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from solver.engine.dynamics.tree import Array
from solver.engine.forces.straps.spools import NO_LIMIT, Spools
from solver.engine.forces.triggers import NOT_FIRED
from solver.engine.maths.curve import Curve, curve_at, joined, table
from solver.model.arrays import reals, wholes
from solver.model.functions import Numbered
from solver.model.strap_points import Row
from solver.project.belts import StrapEnd, TimeTrigger
from solver.project.document import Project

SAMPLES = 400
"""Points of the table that joins a film spool and a load limiter."""


def devices_of(project: Project) -> Iterator[tuple[str, StrapEnd, bool]]:
    """Give the devices of strap ends in the order of their rows: strap, device, whether at the end."""
    for harness in project.harnesses:
        for strap in harness.straps:
            for device, ends in ((strap.start_device, False), (strap.end_device, True)):
                if device is not None:
                    yield f"{harness.id}.{strap.id}", device, ends


def spools_of(
    project: Project, rows: Sequence[Row], functions: Numbered, first_trigger: int
) -> tuple[Spools, list[float]]:
    """Give the devices of all strap ends."""
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
        Spools(
            point=wholes(places),
            body=wholes(rows[k].body for k in places),
            at=reals((rows[k].at for k in places), 3),
            winding=reals(r.tension_n if r else 0.0 for r in retractors),
            empty=reals(r.spool_m if r else 0.0 for r in retractors),
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
            locked=wholes(r is None for r in retractors),
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
    """Give the number of the tension at which a held end gives, by webbing given; -1 if it holds."""
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
