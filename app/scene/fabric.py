"""Lay the cloth of airbags on a stage: finely at rest, with fewer points in motion."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from app.scene.actors import Form
from app.scene.drawn import Drawn
from solver.project import Project
from solver.scene.fabric import FINE, ROUGH, Cloths
from solver.scene.placing import Pose, Stretched


class Fabric:
    """Lay the cloth of a project's bags over what presses into them."""

    def __init__(self) -> None:
        self._cloths = Cloths(Project.empty())
        self._laid: dict[str, tuple[Any, Any, bool]] = {}
        self.layings = 0
        """How many times cloth has been laid so far."""

    def update(self, project: Project) -> None:
        """Take another version of the project."""
        self._cloths = Cloths(project)
        self._laid.clear()

    def lay(self, items: Iterable[Drawn], pose: Pose, is_on: bool, *, quick: bool = False) -> None:
        """Give each bag that a run has opened its cloth; the others are seen as they are in the model.

        With `quick`, cloth that must be laid anew has fewer points.
        """
        for item in items:
            if item.shape.kind != "bag":
                continue
            element = item.shape.element
            if not is_on or not item.is_seen or not isinstance(item.at, Stretched):
                item.laid = None
                continue
            at, stood, is_rough = self._laid.get(element, (None, None, True))
            stays = at is item.at and stood is pose and (quick or not is_rough)
            if item.laid is None or not stays:
                self._laid[element] = (item.at, pose, quick)
                self.layings += 1
                grid = ROUGH if quick else FINE
                item.laid = Form(self._cloths.laid(element, item.at, pose, grid))
