"""Let the scene swing in the shape of a mode, to and fro, at a size that can be seen."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QObject, QTimer

from app.scene.views import Views
from solver.project import Project
from solver.project.pose import Placed
from solver.project.segments import GROUND
from solver.scene.placing import Pose
from solver.scene.shapes import links, surfaces_of, webbing

if TYPE_CHECKING:
    from solver.analysis.linear import Linear, Mode

_STILL = Placed(np.eye(3), np.zeros(3))
_EACH_MS = 33
_SLOWEST_HZ, _FASTEST_HZ = 0.4, 1.2
"""Between these a mode is shown, whatever its own frequency: the eye cannot follow more."""


class Shape:
    """Show a mode at a phase as a scene shows an instant of a run."""

    def __init__(self, project: Project, linear: Linear, mode: Mode) -> None:
        self.project, self.linear, self.mode = project, linear, mode
        self.amplitude_m = 0.05
        self._surfaces = surfaces_of(project)

    def pose(self, phase: float) -> Pose:
        """Give where all segments are."""
        places, turns = self.linear.posed(self.mode, self.amplitude_m, phase)
        pose = {
            name: Placed(turn, place)
            for name, place, turn in zip(self.linear.segments, places, turns, strict=True)
        }
        return {GROUND: _STILL} | pose

    def show(self, stage: Any, t: float) -> None:
        """Show a phase (rad) on a stage."""
        pose = self.pose(t)
        shapes = (*webbing(self.project, self._surfaces, pose), *links(self.project, pose))
        from app.scene.actors import Form

        forms = {(s.element, s.part): Form(s.mesh, None, False) for s in shapes}
        stage.move(pose, forms, {f"airbags/{bag.id}": None for bag in self.project.airbags})


class Swing(QObject):
    """Move the scene while a mode is shown."""

    def __init__(self, views: Views, parent: QObject) -> None:
        super().__init__(parent)
        self._views = views
        self.shape: Shape | None = None
        self._timer = QTimer(self, interval=_EACH_MS)
        self._timer.timeout.connect(self._on_tick)
        self._begun = 0.0

    @property
    def is_on(self) -> bool:
        """Tell whether a mode is shown."""
        return self.shape is not None

    def start(self, shape: Shape) -> None:
        """Show a mode."""
        self.shape, self._begun = shape, time.monotonic()
        for view in self._views.all:
            view.update_project(shape.project)
        self._timer.start()

    def stop(self) -> None:
        """Show no mode any more; the scene stays as it is until somebody shows something else."""
        self.shape = None
        self._timer.stop()

    def _on_tick(self) -> None:
        if self.shape is None:
            return
        own = self.shape.mode.frequency_hz
        shown = min(max(own, _SLOWEST_HZ), _FASTEST_HZ)
        phase = 2.0 * math.pi * shown * (time.monotonic() - self._begun)
        for view in self._views.all:
            view.show_moment(self.shape, phase)
