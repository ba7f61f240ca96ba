"""Colours of what is seen: the same in the window and in reports."""

from __future__ import annotations

Rgb = tuple[float, float, float]

BODY_TONES = ("#dcbfa3", "#cfa98b", "#e5cfb8")
"""Warm and matte; neighbours in a tree take different ones."""
VEHICLE_TONE = "#b4bac0"
PLANE_TONE = "#6f94b5"
STUFF_TONES = {
    "cloth": "#666c74",
    "trim": "#8e9196",
    "carpet": "#77756f",
    "metal": "#8fa0b3",
    "leather": "#3d4044",
    "bag": "#d8d3c8",
    "glass": "#9fc0c9",
    "road": "#a9aaa8",
    "handle": "#d9b21f",
    "paint": "#8496aa",
    "lamp": "#e8edf0",
    "tail_lamp": "#96302c",
    "tint": "#39434b",
    "concrete": "#b9b6ae",
    "foil": "#c3c8cc",
}
"""Of what stands for planes and rims."""
CRACK_TONES = ("#ecf1f3", "#546067")
"""Of broken glass: what is white, and cracks."""
BELT_TONE, BELT_EDGE = "#34383d", "#a6adb4"
BAG_TONE = "#f4f1ea"
BAG_EDGE = "#8f8676"
PACK_TONE = "#d9cfbd"
JOINT_TONE = "#5d3f2c"
LINK_TONE = "#4d7f6a"
MUSCLE_TONE = "#a8483f"
MOTOR_TONE = "#c77700"
MARKER_TONE = "#c2257e"
DISC_TONE = "#8fa3b5"
BEAM_TONES = ("#9aa3ad", "#e6dcc3", "#b58a58", "#4a4f57")
"""Of what is metal, bone, wood and plastic."""
TYRE_TONE = "#33363a"
REACH_TONE = "#4f93a8"
REACH_OPACITY = 0.26
"""Of what is seen through, as a reach envelope."""


def rgb(colour: str) -> Rgb:
    """Turn '#rrggbb' into three numbers from 0 to 1."""
    return tuple(int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))  # type: ignore[return-value]


def mixed(colour: str, other: str, part: float) -> Rgb:
    """Mix `part` of another colour into a colour."""
    a, b = rgb(colour), rgb(other)
    return tuple(x + (y - x) * part for x, y in zip(a, b, strict=True))  # type: ignore[return-value]
