"""Colour webbing by its load and bags by their pressure."""

from __future__ import annotations

from typing import Any

from vtkmodules.vtkCommonCore import vtkLookupTable

from app.look import LOAD_TONES, PRESSURE_TONES
from app.scene.key import tone_at
from app.scene.paints import Rgba, rgba

_STEPS = 64
_CLEAR, _CLEAR_AT_TOP = 0.34, 0.56
"""Opacity of a bag without pressure, and at the top of the scale."""


def load_colours() -> Any:
    """Make VTK's table from slack to the highest load."""
    table = vtkLookupTable()
    table.SetNumberOfTableValues(_STEPS)
    for n in range(_STEPS):
        table.SetTableValue(n, *tone_at(LOAD_TONES, n / (_STEPS - 1)), 1.0)
    return table


def colour_by_load(mapper: Any, table: Any, top: float | None) -> None:
    """Colour webbing by the tension in its faces up to `top` (N); None gives it its own colour."""
    mapper.SetScalarVisibility(top is not None)
    if top is not None:
        mapper.SetScalarModeToUseCellData()
        mapper.SetLookupTable(table)
        mapper.SetScalarRange(0.0, top)


def tinted(part: float) -> Rgba:
    """Give the colour of a bag by its pressure, as a part of the scale's top: more is less clear."""
    clear = _CLEAR + (_CLEAR_AT_TOP - _CLEAR) * min(max(part, 0.0), 1.0)
    return rgba(tone_at(PRESSURE_TONES, part), clear)
