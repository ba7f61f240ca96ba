"""The inspector: fields, lists, references, and what several elements have in common."""

from __future__ import annotations

from solver.words import msgid

NONE = msgid("none")
YES = msgid("yes")
NO = msgid("no")
GO_TO = msgid("Show this element")
NAMES_AND_NOTES = msgid("Name and notes")
MIXED = "—"


PIN = msgid("Pin as slider")
AXES = ("x", "y", "z")
ANGLES = (msgid("the first angle"), msgid("the second angle"), msgid("the third angle"))
