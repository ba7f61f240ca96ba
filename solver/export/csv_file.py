"""Channels side by side as CSV (RFC 4180, UTF-8)."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from solver.results.selection import by_time
from solver.results.trajectory import Array, Channel


def as_csv(channels: Sequence[Channel]) -> str:
    """Write one column for each channel, and one of time (s) before those that share their times.

    Numbers are written so that reading them gives the same bits.
    """
    columns: list[tuple[str, Array]] = []
    for base in by_time(channels):
        columns.append(("time [s]", base.time))
        columns += [(f"{c.name} [{c.unit or '1'}]", c.value) for c in base.channels]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([name for name, _ in columns])
    for row in range(max((len(v) for _, v in columns), default=0)):
        writer.writerow([repr(float(v[row])) if row < len(v) else "" for _, v in columns])
    return text.getvalue()
