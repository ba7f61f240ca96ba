"""The inspector: fields, lists, references, and what several elements have in common."""

from __future__ import annotations

NONE = "none"
YES = "yes"
NO = "no"
GO_TO = "Show this element"
NAMES_AND_NOTES = "Name and notes"
MIXED = "—"


PIN = "Pin as slider"
AXES = ("x", "y", "z")
ANGLES = ("the first angle", "the second angle", "the third angle")
