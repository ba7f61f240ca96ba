"""Make winds into arrays."""

from __future__ import annotations

import itertools

import numpy as np

from solver.engine.forces.winds import (
    NOT_YET,
    OUTLINE,
    WHOLE,
    WIND_PRESSURE,
    WIND_SPEED,
    Winds,
    make_workspace,
)
from solver.model.arrays import reals, wholes
from solver.model.functions import Numbered, stops
from solver.model.surfaces import SurfaceNumbers
from solver.model.tree import Trees
from solver.project.document import Project
from solver.project.segments import GROUND

KINDS = {"pressure": WIND_PRESSURE, "speed": WIND_SPEED}
METHODS = {"whole": WHOLE, "outline": OUTLINE}


def compile_winds(
    project: Project, trees: Trees, numbers: SurfaceNumbers, functions: Numbered
) -> Winds:
    """Give the targets of all winds."""
    planes = {plane.id: k for k, plane in enumerate(project.planes)}
    rows = [(n, wind, target) for n, wind in enumerate(project.winds) for target in wind.targets]
    shield = [[numbers.number(ref) for ref in target.shields] for _, _, target in rows]
    ends = np.cumsum([0, *(len(s) for s in shield)])
    curves = [
        [functions.number(c) for c in (w.pressure_x, w.pressure_y, w.pressure_z, w.drag)]
        for _, w, _ in rows
    ]
    turn, other, sums = make_workspace()
    return Winds(
        surface=wholes(numbers.number(target.surface) for _, _, target in rows),
        plane=wholes(-1 if w.plane is None else planes[w.plane] for _, w, _ in rows),
        axes=wholes(
            -1 if w.relative_to == GROUND else trees.body_of[w.relative_to] for _, w, _ in rows
        ),
        kind=wholes(KINDS[w.kind] for _, w, _ in rows),
        method=wholes(METHODS[target.method] for _, _, target in rows),
        curve=wholes(curves, 4),
        air=reals(((*w.air_velocity_m_per_s, w.air_density_kg_per_m3) for _, w, _ in rows), 4),
        shields=wholes(itertools.pairwise(ends), 2),
        shield=wholes(s for row in shield for s in row),
        wind=wholes(n for n, _, _ in rows),
        began=np.full(len(rows), NOT_YET),
        seen=np.zeros((len(project.winds), 3)),
        turn=turn,
        other=other,
        sums=sums,
    )


def wind_stops(project: Project, functions: Numbered) -> list[float]:
    """Give the times at which winds want steps to end: of those whose clock is that of the run."""
    winds = [w for w in project.winds if w.plane is None]
    named = {c for w in winds for c in (w.pressure_x, w.pressure_y, w.pressure_z, w.drag)}
    return [t for name in named if isinstance(name, str) for t in stops(functions[name])]
