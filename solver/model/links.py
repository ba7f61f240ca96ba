"""Make springs, bushings and tension elements into arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

import numpy as np

from solver.engine.dynamics.tree import Array, IntArray
from solver.engine.forces import breakable as kinds
from solver.engine.forces.breakable import LIMITS, Breakables
from solver.engine.forces.constraints import AVERAGE, MIRROR, PLANAR, Pairs, Symmetries
from solver.engine.forces.edge_constraint import EDGE_AUTO as RAIL_AUTO
from solver.engine.forces.edge_constraint import (
    ONLY_HELD,
    ONLY_SLIDES,
    RAIL_HOLDS,
    RAIL_SLIDES,
    EdgeConstraints,
)
from solver.engine.forces.flexible import Bends
from solver.engine.forces.rolling import (
    AUTO,
    COEFFICIENT,
    GIVEN_FORCE,
    LIFTED,
    ONLY_ROLL,
    ONLY_SLIDE,
    ROLLS,
    ROLLS_INSIDE,
    ROLLS_OUTSIDE,
    SLIDES,
    Rolls,
)
from solver.engine.forces.springs import Bushings, Lines
from solver.engine.maths.alike import dot, length
from solver.engine.maths.curve import NONE
from solver.model.arrays import reals, wholes
from solver.model.functions import Numbered
from solver.model.tree import Trees, frame_on, placed, point_on, turn
from solver.project.document import Project
from solver.project.geometry import FrameRef, Surface
from solver.project.links import (
    Bushing,
    Constraint,
    Disc,
    EdgeOnEdge,
    FixedDistance,
    LinearSpring,
    PlanarSymmetry,
    RollSlide,
    TabulatedSpring,
    TensionElement,
    ZeroDistance,
)
from solver.project.pose import Placed, edge_of, plane_corners


def lines_of(project: Project) -> list[LinearSpring | TabulatedSpring | TensionElement]:
    """What pulls along a line, in the order of its arrays."""
    springs = [s for s in project.springs if not isinstance(s, Bushing | Disc)]
    return [*springs, *project.tension_elements]


def bushings_of(project: Project) -> list[Bushing]:
    """The bushings, in the order of their arrays."""
    springs = (s if not isinstance(s, Disc) else bushing_of(s) for s in project.springs)
    return [s for s in springs if isinstance(s, Bushing)]


def bushing_of(disc: Disc) -> Bushing:
    """The bushing at half of a disc's height that bends, shears and stretches as it (002, (57) to (65)).

    Against the middle the plate's shift is `d - (h/2) t x z`, which takes the blocks of (61) to (65) to
    their diagonals.
    """
    h, e, g, area = disc.height_m, disc.elastic_pa, disc.shear_pa, disc.area_m2
    one, two = disc.moment_y_m4, disc.moment_x_m4
    p1 = 1.0 + 12.0 * e * one * disc.shear_factor_x / (g * area * h * h)
    p2 = 1.0 + 12.0 * e * two * disc.shear_factor_y / (g * area * h * h)
    along = e if disc.axial_pa is None else disc.axial_pa
    return Bushing(
        id=disc.id,
        a=_shifted(disc.a, 0.5 * h),
        b=_shifted(disc.b, -0.5 * h),
        stiffness_n_per_m=(
            12.0 * e * one / (h**3 * p1),
            12.0 * e * two / (h**3 * p2),
            area * along / h,
        ),
        damping_ns_per_m=(0.0, 0.0, area * disc.axial_damping_pas / h),
        stiffness_nm_per_rad=(e * two / h, e * one / h, g * disc.polar_m4 / h),
        damping_nms_per_rad=disc.damping_nms_per_rad,
    )


def _shifted(ref: FrameRef, way: float) -> FrameRef:
    """Move a frame along its z axis."""
    x, y, z = np.array(ref.frame.position_m) + way * turn(ref.frame.orientation)[:, 2]
    frame = ref.frame.model_copy(update={"position_m": (float(x), float(y), float(z))})
    return ref.model_copy(update={"frame": frame})


def compile_lines(
    project: Project, trees: Trees, functions: Numbered, pose: Mapping[str, Placed]
) -> Lines:
    """All springs between points, and the stiffness and damping of tension elements."""
    rows = lines_of(project)
    ends = [[point_on(trees, p.segment, p.position_m) for p in (r.a, r.b)] for r in rows]

    def column(name: str) -> Array:
        return reals(getattr(r, name, 0.0) for r in rows)

    def curve(name: str) -> IntArray:
        return wholes(
            functions.number(getattr(r, name)) if isinstance(r, TabulatedSpring) else NONE
            for r in rows
        )

    rest = [
        length(placed(pose, r.b) - placed(pose, r.a))
        if r.rest_length_m is None
        else r.rest_length_m
        for r in rows
    ]
    return Lines(
        a=wholes(e[0][0] for e in ends),
        b=wholes(e[1][0] for e in ends),
        at_a=reals((e[0][1] for e in ends), 3),
        at_b=reals((e[1][1] for e in ends), 3),
        rest=reals(rest),
        k=column("stiffness_n_per_m"),
        k2=column("stiffness_n_per_m2"),
        c=column("damping_ns_per_m"),
        c2=column("damping_ns2_per_m2"),
        force=curve("force"),
        damping=curve("damping"),
        pulls_only=wholes(isinstance(r, TensionElement) or r.tension_only for r in rows),
        every_way=wholes(getattr(r, "damping_law", "") == "printed" for r in rows),
    )


def compile_bushings(project: Project, trees: Trees) -> Bushings:
    """All bushings."""
    rows = bushings_of(project)
    a, b = ([frame_on(trees, getattr(r, end)) for r in rows] for end in "ab")
    stiff = [(*r.stiffness_n_per_m, *r.stiffness_nm_per_rad) for r in rows]
    damp = [(*r.damping_ns_per_m, *r.damping_nms_per_rad) for r in rows]
    return Bushings(
        a=wholes(f[0] for f in a),
        b=wholes(f[0] for f in b),
        at_a=reals((f[1] for f in a), 3),
        at_b=reals((f[1] for f in b), 3),
        R_A=reals((f[2] for f in a), 9),
        R_B=reals((f[2] for f in b), 9),
        k=reals(stiff, 6),
        c=reals(damp, 6),
        c2=reals(((*r.drag_ns2_per_m2, *r.drag_nms2_per_rad2) for r in rows), 6),
        along_b=wholes(r.damps_along == "b" for r in rows),
    )


# Make constraints, flexible elements and symmetry into arrays.

LAWS = {"coefficient": COEFFICIENT, "force": GIVEN_FORCE}
RULES = {"auto": AUTO, "roll": ONLY_ROLL, "slide": ONLY_SLIDE}
EDGE_RULES = {"auto": RAIL_AUTO, "held": ONLY_HELD, "slide": ONLY_SLIDES}
KINDS = {"planar": PLANAR, "mirror": MIRROR, "average": AVERAGE}


def pairs_of(project: Project) -> list[ZeroDistance | FixedDistance | TensionElement]:
    """What ties points, in the order of its arrays."""
    return [*_by_kind(project)[0], *(t for t in project.tension_elements if t.mass_ab_kg > 0.0)]


def compile_pairs(project: Project, trees: Trees, pose: Mapping[str, Placed]) -> Pairs:
    """All constraints between points, and the coupled masses of tension elements."""
    rows = pairs_of(project)
    a = [point_on(trees, r.a.segment, r.a.position_m) for r in rows]
    b = [point_on(trees, r.b.segment, r.b.position_m) for r in rows]

    def distance(row: ZeroDistance | FixedDistance | TensionElement) -> float:
        if not isinstance(row, FixedDistance):
            return 0.0
        if row.distance_m is not None:
            return row.distance_m
        return length(placed(pose, row.a) - placed(pose, row.b))

    return Pairs(
        a=wholes(body for body, _ in a),
        b=wholes(body for body, _ in b),
        at_a=reals((at for _, at in a), 3),
        at_b=reals((at for _, at in b), 3),
        distance=reals(distance(r) for r in rows),
        mass=reals(getattr(r, "mass_ab_kg", 0.0) for r in rows),
        first=wholes(0 for _ in rows),
        broken=wholes(0 for _ in rows),
    )


def compile_bends(project: Project, trees: Trees) -> Bends:
    """The bends of all flexible elements."""
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
        first=np.zeros(len(rows), np.int64),
    )


def compile_symmetries(project: Project, trees: Trees, pose: Mapping[str, Placed]) -> Symmetries:
    """All symmetries, with the places from which they count."""
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
        first=np.zeros(len(rows) + 1, np.int64),
    )


def rolls_of(project: Project) -> list[RollSlide]:
    """What rolls or slides, in the order of its arrays."""
    return _by_kind(project)[1]


def shapes_of(project: Project) -> Mapping[tuple[str, str], Surface]:
    """Give all surfaces by their segment and their id."""
    return {(s.id, shape.id): shape for s in project.segments for shape in s.surfaces}


def edge_constraints_of(project: Project) -> list[EdgeOnEdge]:
    """The edges along each other, in the order of their arrays."""
    return _by_kind(project)[2]


def numbers_of(project: Project) -> tuple[Mapping[str, int], ...]:
    """The numbers of what ties points, of what rolls or slides, and of edges, by their ids."""
    sorts = pairs_of(project), rolls_of(project), edge_constraints_of(project)
    return tuple({one.id: k for k, one in enumerate(sort)} for sort in sorts)


def breaking_of(project: Project) -> list[Constraint]:
    """The constraints that may break, in the order of their arrays."""
    return [c for c in project.constraints if c.breakage is not None]


def _by_kind(
    project: Project,
) -> tuple[list[ZeroDistance | FixedDistance], list[RollSlide], list[EdgeOnEdge]]:
    """Sort constraints into those between points, those that roll or slide, and edges."""
    points: list[ZeroDistance | FixedDistance] = []
    rolling: list[RollSlide] = []
    edges: list[EdgeOnEdge] = []
    for c in project.constraints:
        match c:
            case ZeroDistance() | FixedDistance():
                points.append(c)
            case RollSlide():
                rolling.append(c)
            case EdgeOnEdge():
                edges.append(c)
            case _:
                # closures, curves and couplings have arrays of their own
                pass
    return points, rolling, edges


def _sliding(row: RollSlide) -> float:
    return row.sliding_friction if row.friction_law == "coefficient" else row.sliding_force_n


def _stops(row: RollSlide) -> bool:
    """Whether friction ends the sliding of what only slides: then it holds up to what it was."""
    return row.mode == "slide" and _sliding(row) > 0.0


def compile_rolls(project: Project, trees: Trees, pose: Mapping[str, Placed]) -> Rolls:
    """All rolling and sliding pairs."""
    rows = rolls_of(project)
    planes = {plane.id: plane for plane in project.planes}
    shapes = shapes_of(project)
    n = len(rows)
    rolls = Rolls(
        kind=np.zeros(n, np.int64), m=np.zeros(n, np.int64), n=np.zeros(n, np.int64),
        at_m=np.zeros((n, 3)), at_n=np.zeros((n, 3)), R_m=np.zeros((n, 9)), R_n=np.zeros((n, 9)),
        semi_m=np.ones((n, 3)), semi_n=np.ones((n, 3)), t_n=np.zeros((n, 3)),
        rule=wholes(AUTO if _stops(r) else RULES[r.mode] for r in rows),
        law=wholes(LAWS[r.friction_law] for r in rows),
        static=reals(_sliding(r) if _stops(r) else r.static_friction if r.friction_law == "coefficient" else r.static_force_n for r in rows),
        sliding=reals(_sliding(r) for r in rows),
        drag=reals(r.viscous_ns_per_m for r in rows),
        pressing=wholes(int(r.holds == "pressing") for r in rows),
        sign=np.ones(n),
        state=wholes(
            LIFTED if r.starts == "on_touch" else ROLLS if r.mode == "roll" else SLIDES for r in rows
        ),
        first=np.zeros(n, np.int64), struck=np.zeros(n, np.int64), seen=np.zeros((n, 6)), slip=np.zeros((n, 3)),
        normal=np.zeros((n, 3)), last_normal=np.zeros((n, 3)), side=np.zeros((2 * n, 3)), point=np.zeros((n, 3)),
        turn=np.zeros(9),
    )  # fmt: skip
    for k, row in enumerate(rows):
        shape = shapes[row.surface.segment, row.surface.surface]
        rolls.m[k], rolls.at_m[k] = point_on(trees, row.surface.segment, shape.centre_m)
        rolls.R_m[k], rolls.semi_m[k] = turn(shape.orientation).ravel(), shape.semi_axes_m
        if row.plane is not None:
            plane = planes[row.plane]
            corner, one, two = plane_corners(plane)
            rolls.n[k], rolls.at_n[k] = point_on(trees, plane.segment, corner)
            normal = np.cross(one, two)
            rolls.t_n[k] = normal / length(normal)
            continue
        assert row.other is not None
        other = shapes[row.other.segment, row.other.surface]
        rolls.kind[k] = ROLLS_INSIDE if row.inside else ROLLS_OUTSIDE
        rolls.n[k], rolls.at_n[k] = point_on(trees, row.other.segment, other.centre_m)
        rolls.R_n[k], rolls.semi_n[k] = turn(other.orientation).ravel(), other.semi_axes_m
        a, b = pose[row.surface.segment], pose[row.other.segment]
        away = a.p_W + a.R_WS @ np.array(shape.centre_m) - b.p_W - b.R_WS @ np.array(other.centre_m)
        away = -away if row.inside else away
        size = length(away)
        rolls.last_normal[k] = away / size if size > 0.0 else (0.0, 0.0, 1.0)
    return rolls


def compile_edge_constraints(
    project: Project, trees: Trees, pose: Mapping[str, Placed]
) -> EdgeConstraints:
    """All edges that lie along each other, by the middle of the carried one."""
    rows, planes = edge_constraints_of(project), {plane.id: plane for plane in project.planes}
    n = len(rows)
    edge_constraints = EdgeConstraints(
        m=np.zeros(n, np.int64), n=np.zeros(n, np.int64), at_m=np.zeros((n, 3)), at_n=np.zeros((n, 3)),
        t_m=np.zeros((n, 3)), along=np.zeros((n, 3)), across=np.zeros((n, 3)), over=np.zeros((n, 3)),
        rule=wholes(RAIL_AUTO if r.mode == "slide" and r.sliding_force_n > 0.0 else EDGE_RULES[r.mode] for r in rows),
        static=reals(r.sliding_force_n if r.mode == "slide" else r.static_force_n for r in rows),
        sliding=reals(r.sliding_force_n for r in rows), drag=reals(r.viscous_ns_per_m for r in rows),
        state=wholes(RAIL_HOLDS if r.mode == "held" else RAIL_SLIDES for r in rows), first=np.zeros(n, np.int64),
        at=np.zeros(n), sense=np.ones(n), seen=np.zeros((n, 3)), point=np.zeros((n, 3)),
    )  # fmt: skip
    for k, row in enumerate(rows):
        one, other = planes[row.plane], planes[row.on]
        start, way = edge_of(one, row.edge)
        base, along = edge_of(other, row.on_edge)
        edge_constraints.m[k], edge_constraints.at_m[k] = point_on(
            trees, one.segment, start + 0.5 * way
        )
        edge_constraints.n[k], edge_constraints.at_n[k] = point_on(trees, other.segment, base)
        along = along / length(along)
        helper = np.eye(3)[int(np.argmin(np.abs(along)))]
        across = np.cross(along, helper)
        across /= length(across)
        edge_constraints.along[k], edge_constraints.across[k], edge_constraints.over[k] = (
            along,
            across,
            np.cross(along, across),
        )
        edge_constraints.t_m[k] = way / length(way)
        a, b = pose[one.segment], pose[other.segment]
        away = a.p_W + a.R_WS @ (start + 0.5 * way) - b.p_W - b.R_WS @ base
        edge_constraints.at[k] = dot(away, b.R_WS @ along)
    return edge_constraints


def compile_breakables(
    project: Project,
    trees: Trees,
    pairs: Pairs,
    rolls: Rolls,
    edge_constraints: EdgeConstraints,
    first: int,
) -> Breakables:
    """All constraints that may break; their states stand from `first` on."""
    rows = breaking_of(project)
    n = len(rows)
    tied, rolling, edges = numbers_of(project)
    made = Breakables(
        what=np.zeros(n, np.int64), of=np.zeros(n, np.int64), i=np.zeros(n, np.int64), j=np.zeros(n, np.int64),
        limit=np.full((n, LIMITS), np.inf), ramp=np.zeros(n), heal=np.zeros(n), state=np.zeros(n, np.int64),
        at=first + np.arange(n), at_i=np.zeros((n, 3)), at_j=np.zeros((n, 3)), force=np.zeros((n, 3)),
        size=np.zeros(n), load=np.zeros((n, 3)), seen=np.full(n, -1.0),
    )  # fmt: skip
    for k, c in enumerate(rows):
        assert c.breakage is not None
        limits: tuple[float | None, ...]
        match c:
            case ZeroDistance(breakage=b):
                assert b is not None
                what, of, ends = kinds.PART_POINTS, tied[c.id], (pairs.a, pairs.b)
                limits = b.force_n, b.force_x_n, b.force_y_n, b.force_z_n, None
            case FixedDistance(breakage=b):
                assert b is not None
                what, of, ends = kinds.PART_DISTANCE, tied[c.id], (pairs.a, pairs.b)
                limits = b.force_n, None, None, None, b.pull_n
            case RollSlide(breakage=b):
                assert b is not None
                what, of, ends = kinds.PART_ROLL, rolling[c.id], (rolls.m, rolls.n)
                limits = None, None, None, None, b.pull_n
            case EdgeOnEdge(breakage=b):
                assert b is not None
                what, of, ends = (
                    kinds.PART_RAIL,
                    edges[c.id],
                    (edge_constraints.m, edge_constraints.n),
                )
                limits = None, None, None, None, b.across_n
            case _:
                assert_never(c)
        made.what[k], made.of[k], made.i[k], made.j[k] = what, of, ends[0][of], ends[1][of]
        made.limit[k] = [np.inf if limit is None else limit for limit in limits]
        made.ramp[k] = c.breakage.ramp_m or 0.0
        made.heal[k] = getattr(c.breakage, "heals_below_m", None) or 0.0
    return made


def rows_needed(
    pairs: Pairs,
    bends: Bends,
    symmetries: Symmetries,
    rolls: Rolls,
    edge_constraints: EdgeConstraints,
) -> int:
    """Count the rows that all of these can have at once."""
    of_pairs = int(np.sum(np.where(pairs.distance == 0.0, 3, 1)))
    of_symmetry = {PLANAR: 3, MIRROR: 6, AVERAGE: 9}
    of_symmetries = sum(of_symmetry[int(kind)] for kind in symmetries.kind)
    of_edges = 5 * len(edge_constraints.m)
    return of_pairs + 3 * (len(bends.inside) + len(rolls.kind)) + of_symmetries + of_edges
