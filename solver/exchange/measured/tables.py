"""Read curves from a table of numbers: time in the first column, names with units above the others."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from solver.base.atomic import rows_of
from solver.base.words import Note, Sentence
from solver.exchange.measured.files import MeasuredTest, alone, saturated, whole
from solver.exchange.measured.mme import to_si
from solver.results.layout import ResultsError
from solver.results.trajectory import Channel

_HEADING = re.compile(r"^(?P<name>.*?)\s*(?:[\[(](?P<unit>[^\])]*)[\])])?$")
_TIME = re.compile(r"^(time|t|zeit|x)$", re.IGNORECASE)


def read_columns(file: Path) -> MeasuredTest:
    """Read each column behind the first as a curve over it; a row of units may follow the headings. Raises ResultsError."""
    text = alone(file).text_of(file.name)
    head = "\n".join(text.splitlines()[:50])
    mark = next((one for one in (";", "\t", ",") if one in head), ",")
    rows = [(n, [cell.strip() for cell in row]) for n, row in enumerate(rows_of(text, mark), 1)]
    rows = [(n, row) for n, row in rows if any(row)]
    begin = next((k for k, (_, row) in enumerate(rows) if _value(row[0], mark) is not None and len(row) > 1), None)  # fmt: skip
    if not begin:
        raise ResultsError("'{file}' does not begin with a row of headings, 'time [s]' first, and a row of numbers below it.", file=file.name)  # fmt: skip
    names, units, clock = _headings([row for _, row in rows[:begin]], file)
    table = np.full((len(rows) - begin, len(names) + 1), np.nan)
    for at, (n, row) in enumerate(rows[begin:]):
        if len([cell for cell in row if cell]) > table.shape[1]:
            raise ResultsError("Line {line} of '{file}' has more columns than headings.", line=n, file=file.name)  # fmt: skip
        for k, cell in enumerate(row[: table.shape[1]]):
            if cell:
                value = _value(cell, mark)
                if value is None:
                    raise ResultsError("Line {line} of '{file}': '{word}' is no number.", line=n, file=file.name, word=cell[:40])  # fmt: skip
                table[at, k] = value
    time = to_si(table[:, 0], clock, file.name)[1]
    if not (np.isfinite(time).all() and (np.diff(time) > 0.0).all()):
        raise ResultsError("The times of '{file}' do not grow from row to row.", file=file.name)
    channels, notes = list[Channel](), list[Note]()
    for k, (name, unit) in enumerate(zip(names, units, strict=True), 1):
        try:
            at_, values, said = whole(name, time, table[:, k])
            si, values = to_si(values, unit or "1", name)
        except ResultsError as failure:
            notes.append(Sentence("Left out: {why}", why=failure.said))
            continue
        if not unit:
            said.append(Sentence("'{name}' has no unit: its numbers are told as they stand.", name=name))  # fmt: skip
        channels.append(Channel(name, at_, values, si))
        notes += [*said, *saturated(name, at_, values)]
    if not channels:
        raise ResultsError("'{where}' has no channel that can be read. {why}", where=file.name, why=notes[0] if notes else "")  # fmt: skip
    return MeasuredTest("table", tuple(channels), (), tuple(notes))


def _headings(above: list[list[str]], file: Path) -> tuple[list[str], list[str], str]:
    """Names, units and the unit of time, from the last rows above the numbers."""
    heads, below = above[-1], [""] * len(above[-1])
    if len(above) > 1 and len(above[-2]) >= len(above[-1]) and _TIME.match(_split(above[-2][0])[0]):
        heads, below = above[-2], [one.strip("[]() ") for one in above[-1]]
    first, clock = _split(heads[0])
    if not _TIME.match(first):
        raise ResultsError("The first column of '{file}' is '{heading}', not 'time [s]'.", file=file.name, heading=heads[0][:40])  # fmt: skip
    pairs = [_split(one) for one in heads[1:]]
    units = [unit or (below[k] if k < len(below) else "") for k, (_, unit) in enumerate(pairs, 1)]
    names = [name or f"column {k}" for k, (name, _) in enumerate(pairs, 2)]
    return names, units, clock or below[0] or "s"


def _split(heading: str) -> tuple[str, str]:
    found = _HEADING.match(heading.strip())
    return ("", "") if found is None else (found["name"].strip(), (found["unit"] or "").strip())


def _value(cell: str, mark: str) -> float | None:
    try:
        return float(cell.replace(",", ".") if mark != "," else cell)
    except ValueError:
        return None
