"""Show an instant of a run on the stage: segments, webbing, links and bags."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.scene.actors import Form, user_matrix
from app.scene.placing import Pose
from app.scene.shapes import full_bag, links, surfaces_of, webbing
from app.study.motion import Motion
from solver.maths.rotation import Array
from solver.project import Project
from solver.project.pose import Placed
from solver.project.segments import GROUND


class Replay:
    """Put a motion's instants before a camera that stands on the ground, or rides on a segment."""

    def __init__(self, project: Project, motion: Motion) -> None:
        self.project, self.motion = project, motion
        self.rider = GROUND
        self.turns_too = True
        self._surfaces = surfaces_of(project)
        self._forms: dict[int, dict[tuple[str, str], Form]] = {}

    def refresh(self) -> None:
        """Look again at a motion that has grown."""
        self.motion.refresh()

    def ride(self, segment: str, turns_too: bool = True) -> None:
        """Let the camera go with a segment; `turns_too` also when it turns."""
        self.rider, self.turns_too = segment, turns_too
        self._forms.clear()

    def show(self, stage: Any, t: float) -> None:
        """Show an instant (s)."""
        carried = self._carried(t)
        pose = {
            name: Placed(carried.R_WS @ placed.R_WS, carried.R_WS @ placed.p_W + carried.p_W)
            for name, placed in self.motion.pose(t).items()
        }
        bags = {f"airbags/{bag.id}": self._bag(bag, carried, t) for bag in self.project.airbags}
        stage.move(pose, self._formed(pose, carried, t), bags)

    def _carried(self, t: float) -> Placed:
        """Give what takes the ground to where a camera that rides sees it."""
        if self.rider not in self.motion.names:
            return Placed(np.eye(3), np.zeros(3))
        first, now = self.motion.pose(0.0)[self.rider], self.motion.pose(t)[self.rider]
        R = first.R_WS @ now.R_WS.T if self.turns_too else np.eye(3)
        return Placed(R, first.p_W - R @ now.p_W)

    def _formed(self, pose: Pose, carried: Placed, t: float) -> dict[tuple[str, str], Form]:
        """Lay webbing and links anew, once for each frame."""
        frame = self.motion.near(t)
        if frame not in self._forms:

            def found(name: str) -> Array | None:
                points = self.motion.strap(name, t)
                return None if points is None else points @ carried.R_WS.T + carried.p_W

            shapes = (
                *webbing(self.project, self._surfaces, pose, found),
                *links(self.project, pose),
            )
            self._forms[frame] = {(s.element, s.part): Form.of(s.mesh) for s in shapes}
        return self._forms[frame]

    def _bag(self, bag: Any, carried: Placed, t: float) -> Any:
        """Give the matrix from the drawn full bag to the bag as it is; None while it is folded."""
        full, state = full_bag(bag, self._surfaces), self.motion.bag(bag.id, t)
        if full is None or state is None:
            return None
        placed, semi_axes = state
        stretch = np.diag(semi_axes / np.array(bag.semi_axes_m)) @ full.R_WS.T
        A = carried.R_WS @ placed.R_WS @ stretch
        return user_matrix(A, carried.R_WS @ placed.p_W + carried.p_W - A @ full.p_W)
