"""Draw a project's start pose into a PNG file, without a window."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app.look import LIGHT, Theme
from app.scene.camera import View
from solver.project import Project


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
) -> NDArray[np.uint8]:
    """Draw the start pose; gives rows from the top, each pixel red, green, blue, opaque."""
    from app.scene.graphics import why_not

    reason = why_not()
    if reason:
        raise CannotDraw(reason)
    from app.scene.exposure import Exposure
    from app.scene.stage import Stage

    width, height = size
    stage = Stage(theme)
    exposure = Exposure(stage)
    try:
        stage.show(project)
        stage.look(view, width / height)
        picture = exposure.fine(width, height)[::-1]
    finally:
        exposure.close()
    picture[..., 3] = 255
    return np.ascontiguousarray(picture)
