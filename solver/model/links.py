"""Make springs, bushings and tension elements into arrays."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from solver.dynamics.tree import Array
from solver.forces.springs import Bushings, Lines
from solver.maths.curve import NONE
from solver.model.functions import Numbered
from solver.model.points import frame_on, placed, point_on
from solver.model.tree import Trees
from solver.project.document import Project
from solver.project.links import Bushing, LinearSpring, TabulatedSpring, TensionElement
from solver.project.pose import Placed


def lines_of(project: Project) -> list[LinearSpring | TabulatedSpring | TensionElement]:
    """Give what pulls along a line, in the order of its arrays."""
    springs = [s for s in project.springs if not isinstance(s, Bushing)]
    return [*springs, *project.tension_elements]


def bushings_of(project: Project) -> list[Bushing]:
    """Give the bushings, in the order of their arrays."""
    return [s for s in project.springs if isinstance(s, Bushing)]


def compile_lines(
    project: Project, trees: Trees, functions: Numbered, pose: Mapping[str, Placed]
) -> Lines:
    """Give all springs between points, and the stiffness and damping of tension elements."""
    rows = lines_of(project)
    ends = [[point_on(trees, p.segment, p.position_m) for p in (r.a, r.b)] for r in rows]

    def column(name: str) -> Array:
        return np.array([getattr(r, name, 0.0) for r in rows], float)

    def curve(name: str) -> Array:
        return np.array(
            [
                functions.number(getattr(r, name)) if isinstance(r, TabulatedSpring) else NONE
                for r in rows
            ],
            np.int64,
        )

    rest = [
        float(np.linalg.norm(placed(pose, r.b) - placed(pose, r.a)))
        if r.rest_length_m is None
        else r.rest_length_m
        for r in rows
    ]
    return Lines(
        a=np.array([e[0][0] for e in ends], np.int64),
        b=np.array([e[1][0] for e in ends], np.int64),
        at_a=np.array([e[0][1] for e in ends]).reshape(-1, 3),
        at_b=np.array([e[1][1] for e in ends]).reshape(-1, 3),
        rest=np.array(rest, float),
        k=column("stiffness_n_per_m"),
        k2=column("stiffness_n_per_m2"),
        c=column("damping_ns_per_m"),
        c2=column("damping_ns2_per_m2"),
        force=curve("force"),
        damping=curve("damping"),
        pulls_only=np.array(
            [isinstance(r, TensionElement) or r.tension_only for r in rows], np.int64
        ),
        every_way=np.array([isinstance(r, TensionElement) for r in rows], np.int64),
    )


def compile_bushings(project: Project, trees: Trees) -> Bushings:
    """Give all bushings."""
    rows = bushings_of(project)
    a, b = ([frame_on(trees, getattr(r, end)) for r in rows] for end in "ab")
    stiff = [(*r.stiffness_n_per_m, *r.stiffness_nm_per_rad) for r in rows]
    damp = [(*r.damping_ns_per_m, *r.damping_nms_per_rad) for r in rows]
    return Bushings(
        a=np.array([f[0] for f in a], np.int64),
        b=np.array([f[0] for f in b], np.int64),
        at_a=np.array([f[1] for f in a]).reshape(-1, 3),
        at_b=np.array([f[1] for f in b]).reshape(-1, 3),
        R_A=np.array([f[2] for f in a]).reshape(-1, 9),
        R_B=np.array([f[2] for f in b]).reshape(-1, 9),
        k=np.array(stiff, float).reshape(-1, 6),
        c=np.array(damp, float).reshape(-1, 6),
    )
