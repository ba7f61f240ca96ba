"""Make springs, bushings and tension elements into arrays."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from solver.engine.dynamics.tree import Array, IntArray
from solver.engine.forces.springs import Bushings, Lines
from solver.engine.maths.curve import NONE
from solver.model.arrays import reals, wholes
from solver.model.functions import Numbered
from solver.model.points import frame_on, placed, point_on
from solver.model.tree import Trees, turn
from solver.project.document import Project
from solver.project.geometry import FrameRef
from solver.project.links import Bushing, Disc, LinearSpring, TabulatedSpring, TensionElement
from solver.project.pose import Placed


def lines_of(project: Project) -> list[LinearSpring | TabulatedSpring | TensionElement]:
    """Give what pulls along a line, in the order of its arrays."""
    springs = [s for s in project.springs if not isinstance(s, Bushing | Disc)]
    return [*springs, *project.tension_elements]


def bushings_of(project: Project) -> list[Bushing]:
    """Give the bushings, in the order of their arrays."""
    springs = (s if not isinstance(s, Disc) else bushing_of(s) for s in project.springs)
    return [s for s in springs if isinstance(s, Bushing)]


def bushing_of(disc: Disc) -> Bushing:
    """Give the bushing at half of a disc's height that bends, shears and stretches as it (002, (57) to (65)).

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
    """Give all springs between points, and the stiffness and damping of tension elements."""
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
        float(np.linalg.norm(placed(pose, r.b) - placed(pose, r.a)))
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
    """Give all bushings."""
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
    )
