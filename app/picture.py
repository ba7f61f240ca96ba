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
    from app.scene.graphics import off_screen_window, why_not

    reason = why_not()
    if reason:
        raise CannotDraw(reason)
    from vtkmodules.vtkCommonCore import vtkUnsignedCharArray

    from app.scene.stage import Stage

    width, height = size
    window = off_screen_window(samples=8)
    stage = Stage(theme)
    stage.add_to(window)
    data = vtkUnsignedCharArray()
    try:
        window.SetSize(width, height)
        stage.show(project)
        stage.look(view, width / height)
        stage.prepare()
        window.Render()
        window.GetRGBACharPixelData(0, 0, width - 1, height - 1, 0, data)
    finally:
        window.Finalize()
    picture = np.array(memoryview(data), dtype=np.uint8).reshape(height, width, 4)[::-1]
    picture[..., 3] = 255
    return np.ascontiguousarray(picture)
