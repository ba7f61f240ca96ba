"""What scenes of bench tests share: some segments of a body, the pendulum's arm, how much speed it loses."""

from __future__ import annotations

import math
from collections.abc import Collection
from itertools import pairwise

from solver.bodies.body import Body
from solver.project.document import Project
from solver.project.fields import ZERO3
from solver.project.geometry import Frame, Orientation
from solver.project.references import keys_in

G = 9.80665
ARM = 1.83
"""Length of the pendulum's arm (m) from its pivot to the neck: 572.33, Figure 22, from memory."""
OVER = Orientation(angles_rad=(0.0, 0.0, math.pi))
"""Upside down, the face still forward."""


def speed_loss(ms: Collection[float], g: Collection[float]) -> float:
    """The speed (m/s) that a deceleration (g) by time (ms) takes."""
    pairs = list(zip(ms, g, strict=True))
    area = sum(0.5 * (b + d) * (c - a) for (a, b), (c, d) in pairwise(pairs))
    return area * 1e-3 * G


def only(
    body: Body,
    kept: Collection[str],
    held: str = "",
    by: str = "",
    turned: Orientation | None = None,
) -> Project:
    """Some segments of a body; a joint may be held by the fixture instead of the body."""
    joints = []
    for joint in body.joints:
        if joint.id == held:
            frame = Frame(position_m=ZERO3, orientation=turned or joint.parent_frame.orientation)
            joints.append(joint.model_copy(update={"parent": by, "parent_frame": frame}))
        elif {joint.parent, joint.child} <= set(kept):
            joints.append(joint)
    segments = tuple(
        s.model_copy(update={"mirror": s.mirror if s.mirror in kept else None})
        for s in body.segments
        if s.id in kept
    )
    also = body.also or Project()
    ids = {joint.id for joint in joints}
    forces = tuple(f for f in also.coordinate_forces if getattr(f.coordinate, "joint", "") in ids)
    used = {key for one in (*joints, *forces, *also.contact_laws) for key in keys_in(one)}
    functions = tuple(f for f in body.functions if ("functions", f.id) in used)
    return Project(
        segments=segments,
        joints=tuple(joints),
        functions=functions,
        coordinate_forces=forces,
        contact_laws=also.contact_laws,
    )
