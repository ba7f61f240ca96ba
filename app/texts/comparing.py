"""Runs beside each other: what is compared, and how far they are apart."""

from __future__ import annotations

REPORT = "Report…"
COMPARED = "{others} against {first}"
SAME = "same"
