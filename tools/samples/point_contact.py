"""Knutson's point-contact joint: a rod with a ball in a socket, held by six springs, let go aside.

Numbers are those of Table F.1 and Trial 5 of the thesis. There the first axis points down; here z does.
"""

from __future__ import annotations

import math

import numpy as np

from solver.engine.maths.rotation import Array, about_axis
from solver.project.angles import angles_from
from solver.project.document import Project
from solver.project.geometry import Ellipsoid, Orientation, PointRef, SurfaceRef
from solver.project.joints import LockedJoint
from solver.project.links import LinearSpring, RollSlide
from solver.project.motions import AttitudeStart, Initial, RootStart
from solver.project.outputs import PointOutput
from solver.project.runs import Run
from solver.project.segments import GROUND, Segment

SOCKET_M, BALL_M = 0.0381, 0.00635
CENTRE = (-0.1539, -0.0011, -0.0053)
"""Of the ball, from the mass centre of the rod, rod axes (m)."""
SPRINGS = (
    ((0.0905, 0.0480, 0.0265), (-0.0754, -0.2767, 0.1616), 0.064, 13.257),
    ((0.0917, 0.0029, -0.0543), (-0.0710, -0.0088, -0.3042), 0.062, 13.257),
    ((0.0898, -0.0437, 0.0234), (-0.0800, 0.2790, 0.1471), 0.062, 13.999),
    ((0.1286, 0.0466, 0.0249), (-0.1200, -0.2761, 0.1625), 0.067, 13.244),
    ((0.1303, 0.0028, -0.0521), (-0.1152, -0.0080, -0.3043), 0.062, 13.438),
    ((0.1299, -0.0436, 0.0243), (-0.1249, 0.2782, 0.1481), 0.060, 12.908),
)
"""End on the rod (from the ball's centre), end on the bench (from the socket's centre), free length, N/m."""
MARKERS = (
    (0.3082, 0.0394, 0.0072), (0.3441, 0.0015, 0.0072), (0.3082, -0.0367, 0.0072), (0.3281, 0.0015, 0.0273),
)  # fmt: skip
TRIAL_5_DEG = (-20.5, 17.3, 186.5, 16.2, 2.7)
R_WT = np.array([[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
"""From the axes of the thesis to those of the ground."""
APART_M = 0.45


def build() -> Project:
    """Build the sample: two equal rods, one with friction by a force, one by a coefficient."""
    sides = (("force", -APART_M), ("coefficient", APART_M))
    x1, x2, x3, x4, x5 = (math.radians(angle) for angle in TRIAL_5_DEG)
    towards = about_axis("z", x1) @ about_axis("y", x2)
    R_WS = R_WT @ towards @ about_axis("z", x3) @ about_axis("y", x4) @ about_axis("x", x5)
    ball = (SOCKET_M - BALL_M) * (R_WT @ towards)[:, 0]
    turned = Orientation(angles_rad=angles_from(R_WS, "zyx"))
    roots, attitudes = [], []
    for name, aside in sides:
        at = np.array([0.0, aside, 0.0]) + ball - R_WS @ np.array(CENTRE)
        roots.append(RootStart(segment=f"rod_{name}", position_m=_three(at)))
        attitudes.append(AttitudeStart(segment=f"rod_{name}", orientation=turned))
    return Project(
        title="Point contact: a ball in a socket, held by six springs",
        note="A rod stands on a ball in a socket as a bone in its joint; six springs hold it, and it is let go from "
        "aside. To the left friction is 0.145 N whatever presses, to the right 0.27 of the load. The thesis's rod "
        "swung at 2.33 Hz; these do at 2.37 Hz.",
        source="Knutson: A point-contact joint, Table F.1 and Trial 5",
        segments=(
            Segment(
                id="bench", name="Bench", mass_kg=10.0, inertia_kgm2=(1.0, 1.0, 1.0),
                surfaces=tuple(
                    Ellipsoid(id=f"socket_{name}", semi_axes_m=(SOCKET_M,) * 3, centre_m=(0.0, aside, 0.0))
                    for name, aside in sides
                ),
                note="Fixed to the ground; its mass does nothing.",
            ),
            *(_rod(name) for name, _ in sides),
        ),
        joints=(LockedJoint(id="fixed", name="Fixed", parent=GROUND, child="bench"),),
        springs=tuple(spring for name, aside in sides for spring in _springs(name, aside)),
        constraints=(
            RollSlide(
                id="contact_force", name="Ball in socket, friction by a force", friction_law="force",
                static_force_n=0.145, sliding_force_n=0.145, **_between("force"),
            ),
            RollSlide(
                id="contact_coefficient", name="Ball in socket, friction by a coefficient",
                static_friction=0.27, sliding_friction=0.27, **_between("coefficient"),
            ),
        ),
        initial=Initial(roots=tuple(roots), attitudes=tuple(attitudes)),
        outputs=tuple(
            PointOutput(
                id=f"marker_{n}_{name}", name=f"Marker {n}, {name}", segment=f"rod_{name}",
                quantity="position", axes="relative", point_m=_three(np.array(marker) + CENTRE),
            )
            for name, _ in sides
            for n, marker in enumerate(MARKERS, 1)
        ),
        runs=(
            Run(id="trial_5", name="Trial 5", duration_s=5.0, frame_interval_s=0.01, channel_rate_hz=100.0),
        ),
    )  # fmt: skip


def _rod(name: str) -> Segment:
    return Segment(
        id=f"rod_{name}",
        name=f"Rod, friction by a {name}",
        mass_kg=0.1755,
        inertia_kgm2=(7.1e-5, 1.4e-3, 1.4e-3),
        products_kgm2=(-1.9e-7, 2.3e-5, 2.8e-6),
        surfaces=(
            Ellipsoid(id="ball", semi_axes_m=(BALL_M,) * 3, centre_m=CENTRE),
            Ellipsoid(
                id="shaft", semi_axes_m=(0.16, 0.0085, 0.0085), note="Drawn only; size assumed."
            ),
        ),
    )


def _springs(name: str, aside: float) -> list[LinearSpring]:
    return [
        LinearSpring(
            id=f"spring_{letter}_{name}", name=f"Spring {letter.upper()}, {name}",
            a=PointRef(segment=f"rod_{name}", position_m=_three(np.array(on) + CENTRE)),
            b=PointRef(segment=GROUND, position_m=_three(np.array([0.0, aside, 0.0]) + R_WT @ np.array(off))),
            stiffness_n_per_m=stiffness, rest_length_m=free,
        )
        for letter, (on, off, free, stiffness) in zip("efghij", SPRINGS, strict=True)
    ]  # fmt: skip


def _between(name: str) -> dict[str, object]:
    return {
        "surface": SurfaceRef(segment=f"rod_{name}", surface="ball"),
        "other": SurfaceRef(segment="bench", surface=f"socket_{name}"),
        "inside": True,
        "mode": "auto",
    }


def _three(place: Array) -> tuple[float, float, float]:
    x, y, z = (round(float(v), 12) for v in place)
    return x, y, z
