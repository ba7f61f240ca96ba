"""Curves: quantities, pages, tests beside runs."""

from __future__ import annotations

from solver.words import msgid

PAGES: dict[str, str] = {
    "head": msgid("Head"),
    "turn": msgid("Head turn"),
    "discs": msgid("Discs"),
    "chest": msgid("Chest"),
    "pelvis": msgid("Pelvis"),
    "motion": msgid("Motion"),
    "belts": msgid("Belts"),
    "airbag": msgid("Airbag"),
    "contacts": msgid("Contacts"),
    "energy": msgid("Energy"),
}


DRAW = msgid("Draw")

TIME_MS = msgid("time (ms)")
