"""Draw a project's start pose into a PNG file, without a window."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from app.look import LIGHT, Theme
from app.scene.lens import View
from solver.project import Project

if TYPE_CHECKING:
    from app.scene.canvas import Canvas

Pixels = NDArray[np.uint8]


class CannotDraw(RuntimeError):
    """Say in a sentence why this machine cannot draw."""


def picture(
    project: Project, file: Path, size: tuple[int, int] = (1280, 800), view: View = "iso"
) -> None:
    """Draw the start pose into a PNG file; `size` in pixels; CannotDraw says what is missing."""
    from matplotlib.image import imsave

    imsave(file, pixels(project, size, view), format="png")


def pixels(
    project: Project, size: tuple[int, int], view: View = "iso", theme: Theme = LIGHT
) -> Pixels:
    """Draw the start pose of one project."""
    pictures = Pictures(theme)
    try:
        return pictures.draw(project, size, view)
    finally:
        pictures.close()


class Pictures:
    """Draw start poses one after the other; most of the work of the first is done for all of them."""

    def __init__(self, theme: Theme = LIGHT, canvas: Canvas | None = None) -> None:
        """Begin; a canvas may be shared with anyone who draws on it at other times."""
        from app.scene.graphics import why_not

        reason = why_not()
        if reason:
            raise CannotDraw(reason)
        from app.scene.exposure import Exposure
        from app.scene.stage import Stage

        self._stage = Stage(theme)
        self._exposure = Exposure(self._stage, canvas)
        self._of: Project | None = None
        self._is_laid = False

    def draw(self, project: Project, size: tuple[int, int], view: View = "iso") -> Pixels:
        """Draw a start pose; gives rows from the top, each pixel red, green, blue, opaque."""
        found = self.part(project, size, view)
        while found is None:
            found = self.part(project, size, view)
        return found

    def part(self, project: Project, size: tuple[int, int], view: View = "iso") -> Pixels | None:
        """Draw a part of a start pose, so that a window stays alive; the last gives it whole."""
        width, height = size
        if self._of is not project:
            self._of, self._is_laid = project, False
            self._exposure.forget()
            self._stage.show(project)
            self._stage.look(view, width / height)
            return None
        if not self._is_laid:
            self._is_laid = True
            self._exposure.lay(width, height)
            return None
        rows = self._exposure.add(width, height)
        if rows is None:
            return None
        self._of = None
        picture = rows[::-1]
        picture[..., 3] = 255
        return np.ascontiguousarray(picture)

    def close(self) -> None:
        """Give the graphics memory back."""
        self._exposure.close()
