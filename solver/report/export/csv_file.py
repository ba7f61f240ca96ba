"""Channels side by side as CSV (RFC 4180, UTF-8)."""

from __future__ import annotations

from collections.abc import Sequence

from solver.base import csv_text
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
    return columns_as_csv(columns)


def columns_as_csv(columns: Sequence[tuple[str, Array]]) -> str:
    """Write columns side by side; those that are shorter end in empty cells."""
    most = max((len(v) for _, v in columns), default=0)
    rows = ([float(v[n]) if n < len(v) else "" for _, v in columns] for n in range(most))
    return csv_text.as_csv(([name for name, _ in columns], *rows))
