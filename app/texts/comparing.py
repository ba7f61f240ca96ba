"""Runs beside each other: what is compared, and how far they are apart."""

from __future__ import annotations

from solver.words import msgid

REPORT = msgid("Report…")
COMPARED = msgid("{others} against {first}")
SAME = msgid("same")
