"""Make harnesses into arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from solver.engine.forces.laws import MEMORY, RETURNING, UNTOUCHED
from solver.engine.forces.straps.arrays import StrapMemory, StrapModel, Straps, StrapWorkspace
from solver.engine.forces.straps.spools import NO_LIMIT, Spools
from solver.engine.maths.curve import Curve, curve_at, joined
from solver.model.arrays import reals, wholes
from solver.model.devices import SAMPLES, spools_of
from solver.model.functions import Numbered
from solver.model.strap_points import Row, rows_of, way_of
from solver.model.tree import Trees
from solver.project.belts import JunctionPoint, RingPoint, StrapPoint, SurfacePoint
from solver.project.contact import ContactLaw, RateWebbingLaw
from solver.project.document import Project
from solver.project.pose import Placed

SEEN = 6


LEAST = 0.01
"""Least slope where webbing begins to pull, in parts of its stiffness, that its shape goes by."""


def compile_harnesses(
    project: Project,
    trees: Trees,
    laws: Mapping[str, int],
    functions: Numbered,
    pose: Mapping[str, Placed],
    first_trigger: int,
) -> tuple[Straps, Spools, list[float]]:
    """Give all straps as they lie at the start, their devices, and times at which these act."""
    rows, sizes, ends = rows_of(project, trees.body_of, trees.origin)
    spools, breaks = spools_of(project, rows, functions, first_trigger)
    by_id = {law.id: law for law in project.contact_laws}
    watched = {rows[p].harness for p in spools.point if spools.sensors[rows[p].spool, 2] < NO_LIMIT}
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
        flesh_rated=wholes(law is not None and _hangs_on_rate(by_id[law]) for law in fleshes),
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
        seen=np.zeros((count, SEEN)),
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
    return Straps(model, memory, work), spools, breaks


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
    """Give the mode of what is taut or pressed at the start, until it is looked at."""
    return RETURNING if getattr(law, "at_start", "turning") == "elastic" else UNTOUCHED


def _hangs_on_rate(law: Any) -> bool:
    """Tell whether a law's force hangs on the rate."""
    return any(getattr(law, name) for name in law.kernel.rated)


def _along(point: StrapPoint) -> float | str | None:
    if isinstance(point, RingPoint):
        return float(point.friction)
    return point.friction_along if isinstance(point, SurfacePoint) else None


def _stiffness(base: Curve) -> float:
    """Give a measure of the tension at a strain of one."""
    curves = joined([base])
    return max(curve_at(curves, 0, x)[0] / x for x in (0.01, 0.03, 0.1))


def _first_slope(base: Curve) -> float:
    """Give the slope of tension by strain where webbing begins to pull."""
    curves = joined([base])
    for x in np.linspace(0.0, 0.1, SAMPLES):
        pull, slope = curve_at(curves, 0, x)
        if slope > 0.0 or pull > 0.0:
            return max(float(slope), LEAST * _stiffness(base))
    return LEAST * _stiffness(base)
