"""Tables of time histories that the Articulated Total Body program prints: curves to hold a run against.

A page begins with a line of the date; under its title stand up to three items of four columns each, of 39
characters, behind nine of time in ms (the program's version V.3). Pages of the same items go on from one another.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np

from solver.base.atomic import read_most
from solver.base.words import Refusal, Sentence
from solver.exchange.decks.numbers import LENGTHS, TIMES, unit_named
from solver.results.trajectory import Channel

LARGEST_FILE = 64 * 2**20
G = 386.088 * LENGTHS["IN"]
"""Gravity of the program, by which it prints accelerations (m/s2)."""
TURN = 2.0 * np.pi
ITEM, CLOCK, CELL = 39, 9, 9
_PAGE = re.compile(r"^[1 ]\s*Date:", re.IGNORECASE)
_UNIT = re.compile(r"\(([^()]*)\)\s*$")
_SEGMENT = re.compile(r"Segment No\.\s*(-?\d+)\s*-\s*(.*)", re.IGNORECASE)
_POINT = re.compile(r"Point\s*\(([^)]*)\)", re.IGNORECASE)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[ED][+-]?\d+)?", re.IGNORECASE)
KINDS = {
    "point total acceleration": "acceleration",
    "point rel. velocity": "velocity",
    "point rel. linear displacement": "position",
    "segment angular acceleration": "angular_acceleration",
    "segment rel. angular velocity": "angular_velocity",
    "segment rel. angular displacement": "angle",
}
"""Titles of tables that are read, and what they hold."""
AXES = {True: ("yaw", "pitch", "roll", "resultant"), False: ("x", "y", "z", "resultant")}


class PrintedError(Refusal):
    """Say in one sentence why printed results cannot be read."""


@dataclass(frozen=True)
class Printed:
    """The curves of a printout in SI, and what of it was not read."""

    curves: tuple[Channel, ...]
    notes: tuple[Sentence, ...] = ()


@dataclass
class _Table:
    """The rows of one set of items."""

    quantity: str
    unit: str
    factor: float
    items: tuple[tuple[str, str, str], ...]
    """Segment, point and reference of each."""
    rows: list[tuple[float, ...]] = field(default_factory=list)


def read_printed(path: Path | str) -> Printed:
    """Read the tables of a printout; raises PrintedError. The file is never changed."""
    file = Path(path)
    try:
        if file.stat().st_size > LARGEST_FILE:
            raise PrintedError("'{file}' is larger than 64 MB.", file=file.name)
        raw = read_most(file, LARGEST_FILE)
    except (OSError, ValueError) as failure:
        why = getattr(failure, "strerror", None) or "no reason given"
        raise PrintedError(
            "'{file}' cannot be read: {reason}.", file=file.name, reason=why
        ) from None
    return printed(raw.decode("utf-8-sig", "replace"), file.name)


def printed(text: str, name: str = "") -> Printed:
    """Read the tables of a printout's text."""
    lines = [one.expandtabs(8) for one in re.split(r"\r\n|\r|\n|\f", text)]
    starts = [n for n, line in enumerate(lines) if _PAGE.match(line)]
    tables: dict[tuple[object, ...], _Table] = {}
    left = dict[str, None]()
    for start, end in pairwise([*starts, len(lines)]):
        _page(lines, start, end, tables, left)
    if not tables and left:
        raise PrintedError(
            "'{file}' has no table that is read here. Its tables are: {titles}. Read are {known}.",
            file=name, titles="; ".join(left), known=", ".join(KINDS),
        )  # fmt: skip
    if not tables:
        raise PrintedError(
            "'{file}' is no printout of time histories: no page begins with its date.", file=name
        )
    curves = [curve for one in tables.values() for curve in _curves(one)]
    if not curves:
        raise PrintedError("The tables of '{file}' have fewer than two rows.", file=name)
    notes = [Sentence("The table '{title}' is not read.", title=title) for title in left]
    return Printed(tuple(curves), tuple(notes))


def _page(
    lines: list[str],
    start: int,
    end: int,
    tables: dict[tuple[object, ...], _Table],
    left: dict[str, None],
) -> None:
    clock = next((n for n in range(start, end) if "(msec)" in lines[n].lower()), None)
    if clock is None:
        return
    title = _title(lines[start:clock])
    kind = KINDS.get(_UNIT.sub("", title).strip().lower())
    if kind is None:
        left[title or "?"] = None
        return
    unit, factor = _unit(title, kind, start + 1)
    heads = lines[start:clock]
    items = _items(heads, start + 1)
    key = (kind, items)
    table = tables.setdefault(key, _Table(kind, unit, factor, items))
    for n in range(clock + 1, end):
        if lines[n].strip():
            row = _row(lines[n], len(items), n + 1)
            if row is None:
                break
            if table.rows and row[0] <= table.rows[-1][0]:
                raise PrintedError(
                    "Line {line}: the time {time:g} ms does not come after the one before it.",
                    line=n + 1,
                    time=row[0],
                )
            table.rows.append(row)


def _title(head: list[str]) -> str:
    """The title of a table: the line after the test subject's that is not blank."""
    at = next((n for n, line in enumerate(head) if "test subject:" in line.lower()), 0)
    return next((line.strip() for line in head[at + 1 :] if line.strip()), "")


def _unit(title: str, kind: str, line: int) -> tuple[str, float]:
    match = _UNIT.search(title)
    written = match[1].replace(" ", "").upper() if match else ""
    length, _, time = written.partition("/")
    power = 2 if time.endswith("**2") else 1
    if written == "G'S" and kind == "acceleration":
        return "m/s2", G
    if written == "DEG" and kind == "angle":
        return "rad", TURN / 360.0
    seconds = unit_named(time.removesuffix("**2"), TIMES) if time else 1.0
    metres = TURN if length == "REV" else unit_named(length, LENGTHS)
    expected = {
        "velocity": (1, "m/s"),
        "position": (0, "m"),
        "angular_velocity": (1, "rad/s"),
        "angular_acceleration": (2, "rad/s2"),
    }
    wanted = expected.get(kind)
    turns = kind.startswith("angular")
    if (
        seconds is None
        or metres is None
        or wanted is None
        or turns != (length == "REV")
        or (power if time else 0) != wanted[0]
    ):
        raise PrintedError(
            "Line {line}: the unit of '{title}' is not known.", line=line, title=title
        )
    return wanted[1], metres / seconds**power


def _items(head: list[str], line: int) -> tuple[tuple[str, str, str], ...]:
    named = next((one for one in head if _SEGMENT.search(one)), "")
    points = next((one for one in head if _POINT.search(one)), "")
    seen = next((one for one in head if one.lstrip().lower().startswith("time")), "")
    found = list[tuple[str, str, str]]()
    for k in range(3):
        match = _SEGMENT.search(_cell(named, k))
        if match is None:
            break
        point = _POINT.search(_cell(points, k))
        place = ", ".join(part.strip() for part in point[1].split(",")) if point else ""
        found.append((match[2].strip() or match[1], place, " ".join(_cell(seen, k).split())))
    if not found:
        raise PrintedError("Line {line}: the page does not name its segments.", line=line)
    return tuple(found)


def _cell(line: str, k: int) -> str:
    return line[CLOCK + k * ITEM : CLOCK + (k + 1) * ITEM]


def _row(line: str, items: int, number: int) -> tuple[float, ...] | None:
    """Give time and values of a row; none where the table has ended."""
    if _NUMBER.fullmatch(line[:CLOCK].strip()) is None:
        return None
    cells = [line[:CLOCK]]
    for k in range(items):
        item = _cell(line, k)
        cells += [item[3 + CELL * c : 3 + CELL * (c + 1)] for c in range(4)]
    values = list[float]()
    for cell in cells:
        text = cell.strip().upper().replace("D", "E")
        if text.startswith("*"):
            values.append(float("nan"))
        elif _NUMBER.fullmatch(text):
            values.append(float(text))
        else:
            raise PrintedError(
                "Line {line}: '{text}' stands where a number is expected.",
                line=number,
                text=cell.strip(),
            )
    return tuple(values)


def _curves(table: _Table) -> list[Channel]:
    """Each column as a curve; samples that did not fit into their columns (asterisks) are left out."""
    rows = np.array(table.rows)
    found = list[Channel]()
    if len(rows) < 2:
        return found
    for k, (segment, point, seen) in enumerate(table.items):
        for c, axis in enumerate(AXES[table.quantity == "angle"]):
            values = rows[:, 1 + 4 * k + c]
            there = np.isfinite(values)
            words = f"{segment} {table.quantity.replace('_', ' ')} {axis}"
            place = f" at ({point})" if point.strip("0., ") else ""
            found.append(Channel(
                f"{words}{place}, {seen}" if seen else f"{words}{place}", rows[there, 0] * 1e-3,
                values[there] * table.factor, table.unit, quantity=table.quantity, segment=segment, axis=axis,
            ))  # fmt: skip
    return found
