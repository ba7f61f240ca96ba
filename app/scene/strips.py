"""Draw webbing and links: each has actors of its own, since it takes another form at every instant."""

from __future__ import annotations

from typing import Any

from app.scene.actors import Form, actor_of
from app.scene.colouring import colour_by_load
from app.scene.drawn import Drawn
from app.scene.paints import AMBIENT, DIFFUSE, Paint
from solver.scene.meshes import Mesh


class Strip:
    """Hold the actors of one belt, strap or link: its faces, and its edges as lines."""

    def __init__(self, renderer: Any, item: Drawn, edges: bool = True) -> None:
        self._renderer = renderer
        self._form = item.laid or item.form or Form(item.shape.mesh)
        self._mesh: Mesh = item.mesh
        self.face, self._lines = actor_of(self._form.faces), actor_of(self._form.lines)
        self._lines.GetProperty().SetLighting(False)
        prop = self.face.GetProperty()
        prop.SetAmbient(AMBIENT)
        prop.SetDiffuse(DIFFUSE)
        prop.SetSpecular(0.05)
        prop.SetSpecularPower(12.0)
        self._has_edges = edges
        self._painted: Paint | None = None
        for actor in self._actors:
            actor.PickableOff()
            renderer.AddActor(actor)

    @property
    def _actors(self) -> tuple[Any, ...]:
        return (self.face, self._lines) if self._has_edges else (self.face,)

    def show(self, item: Drawn, paint: Paint) -> None:
        """Show the item as it is now."""
        if item.mesh is not self._mesh:
            self._mesh = item.mesh
            self._form = item.laid or item.form or Form(item.shape.mesh)
            self.face.GetMapper().SetInputData(self._form.faces)
            self._lines.GetMapper().SetInputData(self._form.lines)
        for actor in self._actors:
            actor.SetVisibility(item.is_seen)
        if paint is not self._painted:
            self._painted = paint
            _colour(self.face, paint.face)
            _colour(self._lines, paint.line)
            self._lines.GetProperty().SetLineWidth(2.5 if paint.thick else 1.4)

    def colour_by_load(self, table: Any, top: float | None) -> None:
        """Colour it by its tension up to `top` (N), or in its own colour."""
        colour_by_load(self.face.GetMapper(), table, top)

    def cut(self, plane: Any) -> None:
        """Leave away what lies behind a VTK plane; None cuts nothing."""
        for actor in self._actors:
            mapper = actor.GetMapper()
            mapper.RemoveAllClippingPlanes()
            if plane is not None:
                mapper.AddClippingPlane(plane)

    def remove(self) -> None:
        """Take the actors out of the scene."""
        for actor in self._actors:
            self._renderer.RemoveActor(actor)


def _colour(actor: Any, rgba: tuple[int, int, int, int]) -> None:
    prop = actor.GetProperty()
    prop.SetColor(*(part / 255.0 for part in rgba[:3]))
    prop.SetOpacity(rgba[3] / 255.0)
