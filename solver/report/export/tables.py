"""Tables for other programs: CSV, an Excel workbook, Apache Parquet."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from solver.base import atomic
from solver.base.atomic import replaced
from solver.base.extras import needed
from solver.base.units import pretty
from solver.base.words import Refusal, tr
from solver.results.impacts import COLUMNS as COLUMNS_OF_IMPACTS
from solver.results.impacts import Impact, impacts_of, rows_of_impacts
from solver.results.selection import SAME_TIME, TimeBase, by_time
from solver.results.trajectory import Array, Channel, Trajectory, facts

# What can go wrong when a file for another program is written.


class ExportError(Refusal):
    """Say in one sentence why a file cannot be written."""

    __module__ = "manikin"


@contextmanager
def writing(path: Path) -> Iterator[Path]:
    """Write a file or folder whole or not at all; what the disk refuses becomes one sentence."""
    try:
        with replaced(path) as part:
            yield part
    except OSError as failure:
        raise ExportError(
            "'{path}' cannot be written: {strerror}.",
            path=path,
            strerror=(failure.strerror or failure),
        ) from None


# Channels side by side as CSV (RFC 4180, UTF-8).


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
    return atomic.as_csv(([name for name, _ in columns], *rows))


def impacts_as_csv(run: Trajectory) -> str:
    """Write a row for each impulse of a contact or stop, and for what each joint and the constraints of each segment took up, in SI."""
    heads = [f"{name} [{unit}]" if unit else name for name, unit in COLUMNS_OF_IMPACTS]
    rows = rows_of_impacts(impacts_of(run.events()))
    return atomic.as_csv((heads, *(["" if one is None else one for one in row] for row in rows)))


# An Excel workbook: what the run is, its injury figures, and a sheet for each time base.

ROWS, COLUMNS = 1_048_576, 16_384
"""What a sheet holds (ECMA-376)."""
HEAD = 2
"""Rows of names and units above the numbers."""


def write_excel(path: Path, run: Trajectory, channels: Sequence[Channel]) -> None:
    """Write a workbook; a time base that is longer than a sheet is refused."""
    import xlsxwriter

    bases = by_time(channels)
    for base in bases:
        if len(base.time) + HEAD > ROWS or len(base.channels) + 1 > COLUMNS:
            raise ExportError(
                "A sheet holds {rows} rows and {columns} columns; these are {count} samples of {count_2} quantities. Choose fewer, or export to Parquet.",
                rows=ROWS,
                columns=COLUMNS,
                count=len(base.time),
                count_2=len(base.channels),
            )
    made = io.BytesIO()
    with writing(path) as part:
        # an id such as =1+1 is a name, not a formula
        plain = {
            "strings_to_formulas": False,
            "strings_to_urls": False,
            "strings_to_numbers": False,
            "in_memory": True,
        }
        with xlsxwriter.Workbook(made, plain) as book:
            look = {
                "head": book.add_format({"bold": True, "bottom": 1, "text_wrap": True}),
                "unit": book.add_format({"italic": True, "font_color": "#5A6672", "bottom": 1}),
                "label": book.add_format({"bold": True}),
                "number": book.add_format({"num_format": "0.00000E+00"}),
                "time": book.add_format({"num_format": "0.000000"}),
            }
            _run_sheet(book.add_worksheet("Run"), run, look)
            if run.injury:
                _injury_sheet(book.add_worksheet("Injury"), run, look)
            impacts = impacts_of(run.events())
            if impacts:
                _impacts_sheet(book.add_worksheet("Impacts"), impacts, look)
            for number, base in enumerate(bases):
                title = "Values" if number == 0 else f"Values {number + 1}"
                _values_sheet(book.add_worksheet(title), base, look)
        part.write_bytes(made.getvalue())


def _run_sheet(sheet: Any, run: Trajectory, look: dict[str, Any]) -> None:
    about = facts(run)
    rows = [
        ("Title", about.title),
        ("Results", about.name),
        ("Status", about.status),
        ("Message", about.message),
        ("Made (UTC)", about.created_utc),
        ("Program", f"Manikin {about.app_version}".strip()),
        ("SHA-256 of the project", about.project_sha256),
    ]
    for row, (label, text) in enumerate(rows):
        sheet.write_string(row, 0, label, look["label"])
        sheet.write_string(row, 1, text)
    sheet.set_column(0, 0, 24)
    sheet.set_column(1, 1, 70)


def _injury_sheet(sheet: Any, run: Trajectory, look: dict[str, Any]) -> None:
    heads = (
        tr("figure"),
        tr("value"),
        tr("unit"),
        tr("from [s]"),
        tr("to [s]"),
        tr("channel"),
        tr("filter class"),
    )
    for column, head in enumerate(heads):
        sheet.write_string(0, column, head, look["head"])
    for row, v in enumerate(run.injury.values(), start=1):
        sheet.write_string(row, 0, v.name)
        _number(sheet, row, 1, v.value, None)
        sheet.write_string(row, 2, pretty(v.unit))
        _number(sheet, row, 3, v.t1, look["time"])
        _number(sheet, row, 4, v.t2, look["time"])
        sheet.write_string(row, 5, v.channel)
        sheet.write_string(row, 6, f"CFC {v.filter}" if v.filter else "none")
    sheet.set_column(0, 6, 16)
    sheet.freeze_panes(1, 1)


def _impacts_sheet(sheet: Any, impacts: Sequence[Impact], look: dict[str, Any]) -> None:
    for column, (name, unit) in enumerate(COLUMNS_OF_IMPACTS):
        sheet.write_string(0, column, name, look["head"])
        sheet.write_string(1, column, unit, look["unit"])
    # a workbook ends where a sheet does; impacts in files of their own do not
    for row, values in enumerate(islice(rows_of_impacts(impacts), ROWS - HEAD), start=HEAD):
        for column, value in enumerate(values):
            if isinstance(value, str):
                sheet.write_string(row, column, value)
            elif value is not None:
                _number(sheet, row, column, value, look["time"] if column == 0 else look["number"])
    sheet.set_column(0, 0, 10)
    sheet.set_column(1, 1, 24)
    sheet.set_column(2, len(COLUMNS_OF_IMPACTS) - 1, 13)
    sheet.freeze_panes(HEAD, 2)


def _values_sheet(sheet: Any, base: TimeBase, look: dict[str, Any]) -> None:
    sheet.write_string(0, 0, "time", look["head"])
    sheet.write_string(1, 0, "s", look["unit"])
    sheet.write_column(HEAD, 0, base.time.tolist(), look["time"])
    for column, channel in enumerate(base.channels, start=1):
        sheet.write_string(0, column, channel.name, look["head"])
        sheet.write_string(1, column, pretty(channel.unit) or "1", look["unit"])
        if np.all(np.isfinite(channel.value)):
            sheet.write_column(HEAD, column, channel.value.tolist(), look["number"])
        else:
            for row, value in enumerate(channel.value, start=HEAD):
                _number(sheet, row, column, float(value), look["number"])
    sheet.set_column(0, 0, 10)
    sheet.set_column(1, len(base.channels), 15)
    sheet.freeze_panes(HEAD, 1)


def _number(sheet: Any, row: int, column: int, value: float, look: Any) -> None:
    """Write a number; a sheet knows none that is not finite, and the cell stays empty."""
    if np.isfinite(value):
        sheet.write_number(row, column, value, look)


# Channels as an Apache Parquet table, with units in the metadata of its columns.


def write_parquet(path: Path, run: Trajectory, channels: Sequence[Channel]) -> None:
    """Write one row for each time of any channel; a channel without a sample there has no value.

    Needs pyarrow, which comes with `pip install 'manikin[parquet]'`.
    """
    with needed("parquet", ExportError):
        import pyarrow as pa
        import pyarrow.parquet as pq
    bases = by_time(channels)
    time = _all_times([base.time for base in bases])
    fields = [pa.field("time", pa.float64(), metadata={"unit": "s"})]
    columns = [pa.array(time)]
    for base in bases:
        rows = np.searchsorted(time, base.time - SAME_TIME)
        for channel in base.channels:
            about = {
                "unit": channel.unit or "1", "quantity": channel.quantity, "axis": channel.axis,
                "segment": channel.segment, "cfc": str(channel.filtered_to),
            }  # fmt: skip
            fields.append(pa.field(channel.name, pa.float64(), metadata=about))
            values, missing = np.zeros(len(time)), np.ones(len(time), bool)
            values[rows], missing[rows] = channel.value, False
            columns.append(pa.array(values, mask=missing))
    head = {"manikin": json.dumps(asdict(facts(run)))}
    table = pa.Table.from_arrays(columns, schema=pa.schema(fields, metadata=head))
    with writing(path) as part:
        pq.write_table(table, str(part))


def _all_times(times: Sequence[Array]) -> Array:
    """Join times; those of one instant become one."""
    joined = np.unique(np.concatenate([*times, np.zeros(0)]))
    keep = np.ones(len(joined), bool)
    keep[1:] = np.diff(joined) >= SAME_TIME
    out: Array = joined[keep]
    return out
