"""The editors in the drawer: functions, laws, pulses, contacts, contours, outputs."""

from __future__ import annotations

MOVED = "Move a point of {name}"


CSV_TITLE = "Read points from a file"


LIBRARY = "From library"
INSERTED = "Insert {name} from the library"


MATRIX = "Who may touch what"


NO_UNIT = "no unit"
