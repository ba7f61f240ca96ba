"""Draw a project's start pose into a PNG file, without a window."""

from __future__ import annotations

from pathlib import Path

from app.look import LIGHT, Theme
from app.scene.camera import View
from solver.project import Project


class CannotDraw(RuntimeError):
    """Say in a sentence why this machine cannot draw."""


def picture(
    project: Project,
    file: Path,
    size: tuple[int, int] = (1280, 800),
    view: View = "iso",
    theme: Theme = LIGHT,
) -> None:
    """Draw the start pose; `size` in pixels; raises CannotDraw where graphics are missing."""
    from app.scene.graphics import off_screen_window, why_not

    reason = why_not()
    if reason:
        raise CannotDraw(reason)
    from vtkmodules.vtkIOImage import vtkPNGWriter
    from vtkmodules.vtkRenderingCore import vtkWindowToImageFilter

    from app.scene.stage import Stage

    window = off_screen_window(samples=8)
    stage = Stage(theme)
    stage.add_to(window)
    try:
        window.SetSize(*size)
        stage.show(project)
        stage.look(view, size[0] / size[1])
        stage.prepare()
        window.Render()
        grab = vtkWindowToImageFilter()
        grab.SetInput(window)
        grab.ReadFrontBufferOff()
        writer = vtkPNGWriter()
        writer.SetInputConnection(grab.GetOutputPort())
        writer.SetFileName(str(file))
        writer.Write()
    finally:
        window.Finalize()
    if not file.is_file():
        raise CannotDraw(f"The picture could not be written to '{file}'.")
