"""Make prescribed motions into profiles of position, by exact integrals."""

from __future__ import annotations

from collections.abc import Mapping

from solver.engine.dynamics.drive import Drives
from solver.engine.dynamics.tree import Array
from solver.engine.maths import profile
from solver.engine.maths.profile import Profile
from solver.engine.maths.rotation import from_angles, quaternion
from solver.model.arrays import reals, wholes
from solver.model.functions import Numbered
from solver.model.tree import Trees
from solver.project.document import Project
from solver.project.histories import position
from solver.project.pose import Placed, moved_at_start

COMPONENTS = ("x", "y", "z", "yaw", "pitch", "roll")


def compile_drives(
    project: Project, pose: Mapping[str, Placed], trees: Trees, functions: Numbered
) -> tuple[Drives, tuple[float, ...]]:
    """Give which bodies are driven, and the times at which their motion breaks."""
    bodies: list[int] = []
    numbers: list[range] = []
    profiles: list[Profile] = []
    frames: list[tuple[Array, Array, Array]] = []
    moved = moved_at_start(project)
    for motion in project.motions:
        given = {c.component: c for c in motion.components}
        bodies.append(trees.body_of[motion.segment])
        numbers.append(range(len(profiles), len(profiles) + 6))
        for name in COMPONENTS:
            profiles.append(
                position(given[name], functions) if name in given else profile.constant(0.0)
            )
        placed = moved[motion.segment].back(pose[motion.segment])
        R_WM = from_angles(motion.axes.angles_rad, motion.axes.order)
        frames.append((placed.p_W, R_WM, R_WM.T @ placed.R_WS))
    drives = Drives(
        body=wholes(bodies),
        profile=wholes(numbers, 6),
        origin=reals((f[0] for f in frames), 3),
        R_WM=reals((f[1] for f in frames), 9),
        q_WM=reals((quaternion(f[1]) for f in frames), 4),
        q_MB=reals((quaternion(f[2]) for f in frames), 4),
        R_MB=reals((f[2] for f in frames), 9),
        profiles=profile.joined(profiles),
    )
    return drives, tuple(t for p in profiles for t in p.start[1:])
