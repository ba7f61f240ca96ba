"""Colour webbing by its load, and write beside it what the colours mean."""

from __future__ import annotations

from typing import Any

import vtkmodules.vtkRenderingFreeType  # noqa: F401  (VTK finds its fonts by this import)
from vtkmodules.vtkCommonCore import vtkLookupTable
from vtkmodules.vtkRenderingAnnotation import vtkScalarBarActor

from app import texts
from app.look import LOAD_TONES, Theme, mixed, rgb
from solver.units import convert, display_unit, pretty

_STEPS = 64
_PLAIN = (1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)


def load_colours() -> Any:
    """Make VTK's table from slack to the highest load."""
    table = vtkLookupTable()
    table.SetNumberOfTableValues(_STEPS)
    for n in range(_STEPS):
        place = n / (_STEPS - 1) * (len(LOAD_TONES) - 1)
        k = min(int(place), len(LOAD_TONES) - 2)
        table.SetTableValue(n, *mixed(LOAD_TONES[k], LOAD_TONES[k + 1], place - k), 1.0)
    return table


def colour_by_load(mapper: Any, table: Any, top: float | None) -> None:
    """Colour webbing by the tension in its faces up to `top` (N); None gives it its own colour."""
    mapper.SetScalarVisibility(top is not None)
    if top is not None:
        mapper.SetScalarModeToUseCellData()
        mapper.SetLookupTable(table)
        mapper.SetScalarRange(0.0, top)


class Legend:
    """Show the colours of belt loads in the lower right corner, with their numbers."""

    def __init__(self, renderer: Any) -> None:
        self._table = load_colours()
        self._shown: tuple[float, str, Theme] | None = None
        self.actor = bar = vtkScalarBarActor()
        bar.SetLookupTable(self._table)
        bar.SetOrientationToHorizontal()
        bar.GetPositionCoordinate().SetValue(0.72, 0.02)
        bar.SetWidth(0.25)
        bar.SetHeight(0.08)
        bar.SetNumberOfLabels(2)
        bar.SetLabelFormat("{:g}")
        bar.UnconstrainedFontSizeOn()
        bar.SetBarRatio(0.18)
        bar.SetTextPad(2)
        bar.VisibilityOff()
        bar.PickableOff()
        renderer.AddViewProp(bar)

    def show(self, top: float, system: str, theme: Theme) -> None:
        """Show colours from nothing to `top` (N), written in a system's unit."""
        self.actor.VisibilityOn()
        if (top, system, theme) == self._shown:
            return
        self._shown = (top, system, theme)
        unit = display_unit("N", system)
        self._table.SetRange(0.0, convert(top, "N", unit))
        self.actor.SetTitle(texts.scene.BELT_LOAD.format(unit=pretty(unit)))
        for text in (self.actor.GetTitleTextProperty(), self.actor.GetLabelTextProperty()):
            text.SetColor(*rgb(theme.text))
            text.SetFontSize(12)
            text.BoldOff()
            text.ItalicOff()
            text.ShadowOff()

    def hide(self) -> None:
        """Show no colours."""
        self.actor.VisibilityOff()


def rounded_up(value: float) -> float:
    """Give the next plain number: one or two digits and a power of ten."""
    if value <= 0.0:
        return 1.0
    power = 1.0
    while power * 10.0 <= value:
        power *= 10.0
    while power > value:
        power /= 10.0
    return next(power * step for step in _PLAIN if power * step >= value)
