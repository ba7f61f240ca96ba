"""Say in which colours a shape is seen, by its kind and by what is selected; no VTK in here."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from vtkmodules.vtkCommonCore import vtkLookupTable

from app.look import LOAD_TONES, PRESSURE_TONES, Theme
from app.scene.key import tone_at
from solver.scene.furnishing import Stuff
from solver.scene.shapes import Kind
from solver.scene.tones import (
    BAG_EDGE,
    BAG_TONE,
    BEAM_TONES,
    BODY_TONES,
    DISC_TONE,
    JOINT_TONE,
    LINK_TONE,
    MARKER_TONE,
    MOTOR_TONE,
    MUSCLE_TONE,
    PACK_TONE,
    PLANE_TONE,
    REACH_OPACITY,
    REACH_TONE,
    STUFF_TONES,
    TYRE_TONE,
    VEHICLE_TONE,
    Rgb,
    mixed,
    rgb,
)

Rgba = tuple[int, int, int, int]

AMBIENT, HOVERED, DIFFUSE = 0.28, 0.40, 0.74
"""Light from everywhere, the same under the mouse, and light from the lamps."""

_TONES: dict[Kind, str] = {
    "vehicle": VEHICLE_TONE,
    "plane": PLANE_TONE,
    "arrow": PLANE_TONE,
    "bag": BAG_TONE,
    "pack": PACK_TONE,
    "way": BAG_EDGE,
    "joint": JOINT_TONE,
    "link": LINK_TONE,
    "muscle": MUSCLE_TONE,
    "motor": MOTOR_TONE,
    "marker": MARKER_TONE,
    "disc": DISC_TONE,
    "tyre": TYRE_TONE,
    "reach": REACH_TONE,
}
_CLEAR: dict[Kind, float] = {"plane": 0.30, "bag": 0.34, "pack": 0.72, "reach": REACH_OPACITY}
_EDGES: dict[Kind, str] = {"bag": BAG_EDGE, "pack": BAG_EDGE}
_FAINT = 0.30
_BRIGHTER = (HOVERED + DIFFUSE) / (AMBIENT + DIFFUSE)


@dataclass(frozen=True, slots=True)
class Marks:
    """Say how people have marked an element."""

    selected: bool = False
    hovered: bool = False
    faint: bool = False


@dataclass(frozen=True, slots=True)
class Paint:
    """The colours of faces and lines, whether lines are thick, and the colour of the rim."""

    face: Rgba
    line: Rgba
    thick: bool
    rim: Rgba | None

    @property
    def is_clear(self) -> bool:
        """Whether faces are seen through."""
        return self.face[3] < 255


@lru_cache(maxsize=512)
def paint(kind: Kind, tone: int, marks: Marks, theme: Theme) -> Paint:
    """The paint of a shape: `tone` chooses among those of bodies."""
    own = _own(kind, tone, theme)
    selected, hovered = marks.selected, marks.hovered
    accent = 0.45 if selected and kind in ("body", "vehicle", "bag", "pack") else 0.85 * selected
    face = mixed(own, theme.accent, accent)
    if hovered and not selected:
        face = tuple(min(1.0, _BRIGHTER * part) for part in face)  # type: ignore[assignment]
    opacity = _CLEAR.get(kind, 1.0) + (0.15 if kind == "plane" and selected else 0.0)
    if marks.faint:
        opacity = min(opacity, _FAINT)
    border = theme.belt_edge if kind == "belt" else _EDGES.get(kind, own)
    edge = mixed(border, theme.accent, float(selected))
    strong = kind != "plane" or selected or hovered
    shown = _FAINT if marks.faint and kind in ("link", "muscle") else 1.0 if strong else 0.65
    has_rim = selected and not marks.faint and kind in ("body", "vehicle")
    return Paint(
        rgba(face, opacity),
        rgba(edge, shown),
        (selected and kind != "bag") or (kind == "link" and not marks.faint),
        rgba(rgb(theme.accent), 1.0) if has_rim else None,
    )


@lru_cache(maxsize=64)
def furniture_paint(stuff: Stuff, marks: Marks, theme: Theme) -> Rgba:
    """The colour of what stands for a plane or a rim."""
    face = mixed(STUFF_TONES[stuff], theme.accent, 0.45 if marks.selected else 0.0)
    if marks.hovered and not marks.selected:
        face = tuple(min(1.0, _BRIGHTER * part) for part in face)  # type: ignore[assignment]
    return rgba(face, 1.0)


def _own(kind: Kind, tone: int, theme: Theme) -> str:
    """The colour that a kind has by itself; webbing is seen on any ground."""
    if kind == "body":
        return BODY_TONES[tone % len(BODY_TONES)]
    if kind == "beam":
        return BEAM_TONES[tone % len(BEAM_TONES)]
    return theme.belt if kind == "belt" else _TONES[kind]


def rgba(colour: Rgb, opacity: float) -> Rgba:
    """A colour in whole numbers from 0 to 255."""
    red, green, blue = (round(255.0 * part) for part in colour)
    return red, green, blue, round(255.0 * opacity)


_STEPS = 64
_CLEAR_AT_REST, _CLEAR_AT_TOP = 0.34, 0.56
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
    clear = _CLEAR_AT_REST + (_CLEAR_AT_TOP - _CLEAR_AT_REST) * min(max(part, 0.0), 1.0)
    return rgba(tone_at(PRESSURE_TONES, part), clear)
