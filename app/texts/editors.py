"""The editors below the scene: functions, laws, pulses, contacts, contours, outputs."""

from __future__ import annotations

from solver.words import msgid

MOVED = msgid("Move a point of {name}")


CSV_TITLE = msgid("Read points from a file")


LIBRARY = msgid("From library")
INSERTED = msgid("Insert {name} from the library")


MATRIX = msgid("Who may touch what")


NO_UNIT = msgid("no unit")
