"""Make constraints, flexible elements and symmetry into arrays."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from solver.forces.constraints import Pairs
from solver.forces.flexible import Bends, make_room
from solver.forces.symmetry import AVERAGE, MIRROR, PLANAR, Symmetries
from solver.model.arrays import reals, wholes
from solver.model.points import placed, point_on
from solver.model.tree import Trees
from solver.project.document import Project
from solver.project.links import FixedDistance, PlanarSymmetry, TensionElement, ZeroDistance
from solver.project.pose import Placed

KINDS = {"planar": PLANAR, "mirror": MIRROR, "average": AVERAGE}


def pairs_of(project: Project) -> list[ZeroDistance | FixedDistance | TensionElement]:
    """Give what ties points, in the order of its arrays."""
    tied = [c for c in project.constraints if isinstance(c, ZeroDistance | FixedDistance)]
    return [*tied, *(t for t in project.tension_elements if t.mass_ab_kg > 0.0)]


def compile_pairs(project: Project, trees: Trees, pose: Mapping[str, Placed]) -> Pairs:
    """Give all constraints between points, and the coupled masses of tension elements."""
    rows = pairs_of(project)
    a = [point_on(trees, r.a.segment, r.a.position_m) for r in rows]
    b = [point_on(trees, r.b.segment, r.b.position_m) for r in rows]

    def distance(row: ZeroDistance | FixedDistance | TensionElement) -> float:
        if not isinstance(row, FixedDistance):
            return 0.0
        if row.distance_m is not None:
            return row.distance_m
        return float(np.linalg.norm(placed(pose, row.a) - placed(pose, row.b)))

    return Pairs(
        a=wholes(body for body, _ in a),
        b=wholes(body for body, _ in b),
        at_a=reals((at for _, at in a), 3),
        at_b=reals((at for _, at in b), 3),
        distance=reals(distance(r) for r in rows),
        mass=reals(getattr(r, "mass_ab_kg", 0.0) for r in rows),
        first=wholes(0 for _ in rows),
    )


def compile_bends(project: Project, trees: Trees) -> Bends:
    """Give the bends of all flexible elements."""
    rows = [
        (element.segments[0], element.segments[-1], segment, bend)
        for element in project.flexible_elements
        for segment, bend in zip(element.segments[1:-1], element.bends, strict=True)
    ]
    return Bends(
        one=wholes(trees.body_of.get(r[0], -1) for r in rows),
        last=wholes(trees.body_of.get(r[1], -1) for r in rows),
        inside=wholes(trees.body_of.get(r[2], -1) for r in rows),
        bias=reals((r[3].bias_rad for r in rows), 3),
        f=reals((r[3].linear for r in rows), 3, 3),
        g=reals((r[3].interaction_per_rad for r in rows), 3, 3),
        h=reals((r[3].quadratic_per_rad for r in rows), 3, 3),
        room=make_room(),
    )


def compile_symmetries(project: Project, trees: Trees, pose: Mapping[str, Placed]) -> Symmetries:
    """Give all symmetries, with the places from which they count."""
    rows = [
        (s.kind, s.segment, s.segment)
        if isinstance(s, PlanarSymmetry)
        else (s.kind, s.first, s.second)
        for s in project.symmetry
    ]
    return Symmetries(
        kind=wholes(KINDS[r[0]] for r in rows),
        a=wholes(trees.body_of[r[1]] for r in rows),
        b=wholes(trees.body_of[r[2]] for r in rows),
        at_a=reals((-trees.origin[r[1]] for r in rows), 3),
        at_b=reals((-trees.origin[r[2]] for r in rows), 3),
        start=reals((np.concatenate([pose[r[1]].p_W, pose[r[2]].p_W]) for r in rows), 6),
        R_a=reals((pose[r[1]].R_WS.ravel() for r in rows), 9),
        R_b=reals((pose[r[2]].R_WS.ravel() for r in rows), 9),
    )


def rows_needed(pairs: Pairs, bends: Bends, symmetries: Symmetries) -> int:
    """Count the rows that all of these can have at once."""
    of_pairs = int(np.sum(np.where(pairs.distance == 0.0, 3, 1)))
    of_symmetry = {PLANAR: 3, MIRROR: 6, AVERAGE: 9}
    return (
        of_pairs + 3 * len(bends.inside) + sum(of_symmetry[int(kind)] for kind in symmetries.kind)
    )
