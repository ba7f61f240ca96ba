"""Edit places in an own frame of the user; the project keeps them in the axes of their segments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QLabel

from app.forms.lines import VectorEdit
from app.forms.units import Units
from solver.base.words import tr
from solver.project import Project
from solver.project.frame_places import FrameError, place_from, place_in
from solver.project.meshes import unpack


class FramedEdit(VectorEdit):
    """Show a place in an own frame; a component that is typed moves it along that axis."""

    def __init__(
        self,
        commit: Callable[[Any, bool], bool],
        units: Units,
        frame: str,
        project: Callable[[], Project],
        path: Callable[[], str],
    ) -> None:
        super().__init__(self._take, units, "m")
        self._set, self._frame, self._project, self._path = commit, frame, project, path

    def show_value(self, value: tuple[float, ...]) -> None:
        """Show the place (SI, segment axes) in the frame."""
        try:
            super().show_value(place_in(self._project(), self._frame, self._path()))
        except FrameError as failure:
            self.show_mixed((None,))
            self.setToolTip(str(failure))

    def _take(self, n: int, value: float, step: bool) -> bool:
        project, path = self._project(), self._path()
        try:
            place = list(place_in(project, self._frame, path))
            place[n] = value
            moved = place_from(project, self._frame, path, place)
        except FrameError as failure:
            self.refused.emit(str(failure))
            return False
        return self._set(moved, step)


class Counted(QLabel):
    """Say how many points and triangles a mesh has; they are not typed."""

    def show_value(self, packed: str) -> None:
        """Show the counts."""
        found = unpack(packed)
        self.setText(
            tr(
                "{points} points, {faces} triangles",
                points=len(found.points),
                faces=len(found.faces),
            )
            if found is not None
            else tr("cannot be unpacked")
        )

    def show_mixed(self, _: object) -> None:
        """Show that there are several meshes."""
        self.setText(tr("several meshes"))
