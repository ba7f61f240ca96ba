"""Edit places in an own frame of the user; the project keeps them in the axes of their segments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from app.forms.lines import VectorEdit
from app.forms.units import Units
from solver.project import Project
from solver.project.frame_places import FrameError, place_from, place_in


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
