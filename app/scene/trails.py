"""Draw the ways of points: what lies behind strongly, what is still to come faintly."""

from __future__ import annotations

from typing import Any

from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper

from app.look import LINES, rgb
from app.scene.actors import poly_data, segment_cells
from app.scene.meshes import Mesh, path
from solver.maths.rotation import Array


class Trail:
    """Hold one way as two lines."""

    def __init__(self, renderer: Any, way: Array, number: int) -> None:
        self._renderer = renderer
        self.way = way
        self._frame = -1
        colour = rgb(LINES[number % len(LINES)])
        self._passed = _line(Mesh(way), colour, 3.0, 1.0)
        self._all = _line(path(way), colour, 1.2, 0.35)
        for actor in (self._all, self._passed):
            renderer.AddActor(actor)

    def show(self, frame: int) -> None:
        """Show the way until a frame as passed."""
        if frame == self._frame:
            return
        self._frame = frame
        lines = segment_cells(min(frame, len(self.way) - 1) + 1)
        self._passed.GetMapper().GetInput().SetLines(lines)

    def remove(self) -> None:
        """Take the lines out of the scene."""
        for actor in (self._all, self._passed):
            self._renderer.RemoveActor(actor)


def _line(mesh: Mesh, colour: tuple[float, float, float], width: float, opacity: float) -> Any:
    mapper = vtkPolyDataMapper()
    mapper.SetInputData(poly_data(mesh, faces=False))
    actor = vtkActor()
    actor.SetMapper(mapper)
    actor.PickableOff()
    prop = actor.GetProperty()
    prop.SetLighting(False)
    prop.SetColor(*colour)
    prop.SetLineWidth(width)
    prop.SetOpacity(opacity)
    return actor
