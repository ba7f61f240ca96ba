"""Where markers were seen and where the model has them, at one instant; no Qt in here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from solver.engine.maths.rotation import Array
from solver.project import Project
from solver.project.segments import GROUND
from solver.scene.placing import Pose


@dataclass(frozen=True, slots=True)
class Gap:
    """Hold one marker at an instant, in the axes of the scene: where it was seen, and where the model has it."""

    name: str
    seen: Array | None
    own: Array | None
    way: Array | None
    """From the model's point to where it was seen (m), in ground axes."""

    @property
    def size(self) -> float:
        """Give the distance (m); not a number where one of both is missing."""
        return float("nan") if self.way is None else float(np.linalg.norm(self.way))


def gaps(project: Project, pose: Pose, seen: Mapping[str, Array], names: tuple[str, ...]) -> list[Gap]:  # fmt: skip
    """Compare a pose as the scene shows it with markers that were seen (m, ground); the model's markers first.

    A camera that rides on a segment moves the ground: what was seen moves with it.
    """
    ground = pose.get(GROUND)
    R = np.eye(3) if ground is None else ground.R_WS
    p = np.zeros(3) if ground is None else ground.p_W
    own = {
        one.id: pose[one.segment].R_WS @ np.array(one.point_m) + pose[one.segment].p_W
        for one in project.markers
        if one.segment in pose
    }
    out = list[Gap]()
    for name in dict.fromkeys((*own, *names)):
        there = R @ seen[name] + p if name in seen else None
        here = own.get(name)
        way = None if there is None or here is None else R.T @ (there - here)
        out.append(Gap(name, there, here, way))
    return out


def rms(found: list[Gap]) -> float:
    """Give the root mean square of all distances that there are (m); not a number where there is none."""
    sizes = np.array([one.size for one in found if one.way is not None])
    return float(np.sqrt(np.mean(sizes**2))) if len(sizes) else float("nan")
