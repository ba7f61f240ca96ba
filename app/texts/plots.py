"""Curves: quantities, pages, tests beside runs."""

from __future__ import annotations

PAGES: dict[str, str] = {
    "head": "Head",
    "chest": "Chest",
    "pelvis": "Pelvis",
    "motion": "Motion",
    "belts": "Belts",
    "airbag": "Airbag",
    "contacts": "Contacts",
    "energy": "Energy",
}


DRAW = "Draw"

TIME_MS = "time (ms)"
