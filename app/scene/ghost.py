"""Draw the bodies, belts and bags of another pose faintly beside the scene."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.look import rgb
from app.scene.actors import Drawn, Form, drawn, move_items
from app.scene.placing import Pose, pose_at_start
from app.scene.shapes import shapes
from solver.project import Project

_KINDS = ("body", "belt", "bag", "pack")
_CLEAR = {"body": 0.24, "belt": 0.45, "bag": 0.14, "pack": 0.3}


class Ghost:
    """Hold translucent actors of one project; they are seen, but not touched."""

    def __init__(self, renderer: Any, project: Project, tone: str) -> None:
        self._renderer = renderer
        self._items: list[Drawn] = []
        for shape in shapes(project, pose_at_start(project)):
            if shape.kind in _KINDS:
                item = drawn(shape, marks=False)
                prop = item.face.GetProperty()
                prop.SetColor(*rgb(tone))
                prop.SetOpacity(_CLEAR[shape.kind])
                prop.SetAmbient(0.5)
                prop.SetDiffuse(0.5)
                prop.BackfaceCullingOn()
                item.face.PickableOff()
                renderer.AddActor(item.face)
                self._items.append(item)

    def move(
        self,
        pose: Pose,
        forms: Mapping[tuple[str, str], Form],
        bags: Mapping[str, Any] | None = None,
    ) -> None:
        """Show another pose, as a stage does."""
        move_items(self._items, pose, forms, bags)

    def remove(self) -> None:
        """Take the actors out of the scene."""
        for item in self._items:
            self._renderer.RemoveActor(item.face)
        self._items = []
