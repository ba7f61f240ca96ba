"""An Excel workbook: what the run is, its injury figures, and a sheet for each time base."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from solver.base.units import pretty
from solver.base.words import tr
from solver.report.export.errors import ExportError, writing
from solver.results.selection import TimeBase, by_time
from solver.results.trajectory import Channel, Trajectory, facts

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
