"""Tables of time histories that the Articulated Total Body program prints: curves to hold a run against.

Layouts are those of the program's version V.3, in `.aou` or one table a file (`.t21` to `.t99`). A page begins with a
line of the date; under its title stand one to four items side by side, behind nine columns of time in ms. Pages of the
same items go on from one another.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np

from solver.base.atomic import read_most
from solver.base.words import Refusal, Sentence
from solver.exchange.decks.numbers import FORCES, LENGTHS, TIMES, unit_named
from solver.results.trajectory import Channel

LARGEST_FILE = 64 * 2**20
G = 386.088 * LENGTHS["IN"]
"""Gravity of the program, by which it prints accelerations (m/s2)."""
TURN = 2.0 * np.pi
DEGREE = TURN / 360.0
PSI = FORCES["LB"] / LENGTHS["IN"] ** 2
CLOCK = 9
_PAGE = re.compile(r"^[1 ]\s*Date:", re.IGNORECASE)
_UNIT = re.compile(r"\(([^()]*)\)\s*$")
_INSIDE = re.compile(r"\(([^()]*)\)")
_POINT = re.compile(r"Point\s*\(([^)]*)\)", re.IGNORECASE)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[ED][+-]?\d+|[+-]\d+)?", re.IGNORECASE)
_EXPONENT = re.compile(r"(?<=[\d.])[D]?([+-]\d+)$")
_SEGMENT = re.compile(r"Segment No\.\s*(-?\d+)\s*-\s*(.{0,4})", re.IGNORECASE)


@dataclass(frozen=True)
class Layout:
    """How a table stands on its pages: what names an item, how wide an item is, and its columns."""

    kind: str
    title: re.Pattern[str]
    item: re.Pattern[str]
    """What names an item: its numbers and names, in the title or in a line of the heading."""
    stride: int
    columns: tuple[tuple[str, int, int, str], ...]
    """Words, where it begins in the item, its width, and its unit as powers: L, F, T, or another word."""
    units_on: str = "(msec)"
    """The line of the heading, or `title`, where units of length and force stand in brackets."""


def _row(words: str, start: int, width: int, unit: str) -> tuple[tuple[str, int, int, str], ...]:
    return tuple((one, start + k * width, width, unit) for k, one in enumerate(words.split(",")))


def _in(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


def _by_axes(
    kind: str, title: str, unit: str, words: str = "x,y,z,resultant", units_on: str = "title"
) -> Layout:
    return Layout(kind, _in(f"^{title}"), _SEGMENT, 39, _row(words, 3, 9, unit), units_on)


_FORCES = _row("normal,friction,resultant", 9, 9, "F")
_ENDS = tuple(
    (f"{word} at {end}", start, width, unit)
    for end, at in (("A", 0), ("B", 30))
    for word, start, width, unit in (("strain", at, 15, "1"), ("force", at + 15, 12, "F"))
)
_ANGLES = "flexure or precession,azimuth or nutation,torsion or spin"
LAYOUTS = (
    _by_axes("acceleration", "Point Total Acceleration", "G"),
    _by_axes("velocity", r"Point Rel\. Velocity", "L/T"),
    _by_axes("position", r"Point Rel\. Linear Displacement", "L"),
    _by_axes("angular_acceleration", "Segment Angular Acceleration", "rev/T2"),
    _by_axes("angular_velocity", r"Segment Rel\. Angular Velocity", "rev/T"),
    _by_axes("angle", r"Segment Rel\. Angular Displacement", "deg", "yaw,pitch,roll,resultant"),
    _by_axes("wind", "Segment Wind Force", "F"),
    Layout("joint", _in("^Joint Parameters"), _in(r"Joint No\.\s*(-?\d+) - (.{0,4})"), 61, (
        ("state", 0, 5, "1"), *_row(_ANGLES, 5, 9, "deg"), *_row("spring torque,viscous torque,torque", 34, 9, "FL"),
    ), "time"),
    Layout("joint_force", _in("Joint Forces & Torques on"), _in(r"^(.{1,4}) Joint Forces & Torques on (.{4}) in (.{0,4})"), 0, (
        *_row("force x,force y,force z", 3, 9, "100F"), *((f"torque {c}", 35 + 12 * n, 10, "100FL") for n, c in enumerate("xyz")),
    ), "time"),
    Layout("plane_contact", _in("Contact Forces - Segment Panels vs"),
           _in(r"PANEL\s*(\d+) \((.{20})\) VS SEG\s*(\d+) \((.{4})\)\s+ELLIP\s*(\d+)"), 60,
           (("depth", 0, 9, "L"), *_FORCES, *_row("place x,place y,place z", 36, 8, "L"))),
    Layout("contact", _in(r"Contact Forces - Segment No\."),
           _in(r"Segment No\.\s*(\d+) \((.{4})\) vs\. Segment No\.\s*(\d+) \((.{4})\)"), 0,
           (("depth", 0, 9, "L"), *_FORCES, *_row("first place x,first place y,first place z", 36, 8, "L"),
            *_row("second place x,second place y,second place z", 62, 8, "L"))),
    Layout("belt", _in(r"Contact Forces - Belts vs"), _in(r"Belt\s*(\d+) \((.{20})\) vs\. Segment\s*(\d+) \((.{0,4})"), 60, _ENDS),
    Layout("harness", _in("Harness System Belt Endpoint Forces"), _in(r"Belt No\.\s*(\d+) of Harness No\.\s*(\d+)"), 60, _ENDS),
    Layout("spring", _in("Spring Damper Forces"), _in(r"Spring Damper No\.\s*(\d+)"), 55,
           (("length", 0, 14, "L"), *_row("force,spring force,damper force", 15, 12, "F"))),
    Layout("actuator", _in("Actuator Joint Torque"), _in(r"Actuator No\.\s*(\d+)"), 57, (
        *_row("torque,proportional torque,derivative torque,integral torque", 3, 9, "FL"), *_row("target angle,angle", 39, 9, "deg"),
    ), "units"),
    Layout("airbag", _in(r"Parameters for Airbag No\."), _in(r"Airbag No\.\s*(\d+)\s*(.{0,20})"), 0, (
        ("supply pressure", 3, 9, "psi"), ("supply temperature", 12, 9, "degR"), ("pressure", 21, 9, "psi"),
        *_row("centre x,centre y,centre z", 33, 9, "L"), *_row("semi-axis a,semi-axis b,semi-axis c", 63, 9, "L"),
        *_row("yaw,pitch,roll", 93, 9, "deg"),
    ), "inches"),
    Layout("airbag_contact", _in(r"Contact Forces \(.{0,4}\) on Airbag No\."), _in(r"Airbag\s*(\d+) vs\. (.{0,4})"), 30,
           _row("force x,force y,force z", 3, 9, "F"), "title"),
    Layout("body", _in("Body Properties - Reference Segment No"), _in(r"Reference Segment No\.\s*(\d+) \((.{4})\)"), 0, (
        *_row("centre x,centre y,centre z", 0, 8, "L"),
        *((w, 25 + 11 * n, 10, u) for n, (w, u) in enumerate((
            *((f"momentum {c}", "FT") for c in "xyz"), *((f"angular momentum {c}", "FLT") for c in "xyz"),
            *((f"{w} energy", "FL") for w in ("linear", "angular", "kinetic"))))),
    ), "time"),
    Layout("inertia", _in("Body Properties - (?:Inertia Matrix|Principal Moment)"), _in("Body Properties - (Inertia Matrix|Principal Moment)"), 0,
           tuple((w, 2 + 14 * n, 12, "1") for n, w in enumerate(("1", "2", "3", "4", "5", "6"))), "as it is"),
)  # fmt: skip
"""Tables that are read."""
KINDS = {one.kind: one.title.pattern.strip("^").replace("\\", "") for one in LAYOUTS}
OUT = {
    "1": ("1", 1.0),
    "G": ("m/s2", G),
    "deg": ("rad", DEGREE),
    "psi": ("Pa", PSI),
    "degR": ("K", 5.0 / 9.0),
}
"""Unit and factor of what needs no unit of the deck."""


class PrintedError(Refusal):
    """Say in one sentence why printed results cannot be read."""


@dataclass(frozen=True)
class Printed:
    """The curves of a printout in SI, and what of it was not read."""

    curves: tuple[Channel, ...]
    notes: tuple[Sentence, ...] = ()
    tables: tuple[PrintedTable, ...] = ()
    """The same curves, item by item."""


@dataclass(frozen=True)
class PrintedTable:
    """The curves of an item: what kind of table it stands in, and what its heading says of it."""

    kind: str
    names: tuple[str, ...]
    """Numbers and names of the heading, as the layout reads them."""
    point: str
    reference: str
    curves: dict[str, Channel]
    """By the words of their columns."""


@dataclass
class _Table:
    """The rows of one set of items."""

    layout: Layout
    units: tuple[tuple[str, float], ...]
    """Unit and factor of each column."""
    items: tuple[tuple[tuple[str, ...], str, str], ...]
    """Names, point and reference of each."""
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
            file=name, titles="; ".join(left), known="; ".join(KINDS.values()),
        )  # fmt: skip
    if not tables:
        raise PrintedError(
            "'{file}' is no printout of time histories: no page begins with its date.", file=name
        )
    found = [made for one in tables.values() for made in _curves(one)]
    if not found:
        raise PrintedError("The tables of '{file}' have fewer than two rows.", file=name)
    notes = [Sentence("The table '{title}' is not read.", title=title) for title in left]
    curves = [curve for one in found for curve in one.curves.values()]
    return Printed(tuple(curves), tuple(notes), tuple(found))


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
    heads = lines[start : clock + 3]
    title = _title(lines[start:clock])
    layout = next((one for one in LAYOUTS if one.title.search(title)), None)
    if layout is None:
        left[title or "?"] = None
        return
    items = _items(layout, heads, title, start + 1)
    key = (layout.kind, items)
    if key not in tables:
        tables[key] = _Table(layout, _units(layout, heads, title, start + 1), items)
    table = tables[key]
    for n in range(clock + 1, end):
        if lines[n].strip():
            row = _values(lines[n], layout, len(items), n + 1)
            if row is None and table.rows:
                break
            if row is None:
                continue
            if table.rows and row[0] <= table.rows[-1][0]:
                raise PrintedError(
                    "Line {line}: the time {time:g} ms does not come after the one before it.",
                    line=n + 1,
                    time=row[0],
                )
            table.rows.append(row)


def _title(head: list[str]) -> str:
    """The title of a table: the line after the test subject's that is not blank, without a sign for the printer."""
    at = next((n for n, line in enumerate(head) if "test subject:" in line.lower()), 0)
    lines = (re.sub(r"^[0+]", "", line).strip() for line in head[at + 1 :])
    return next((line for line in lines if line), "")


def _units(
    layout: Layout, heads: list[str], title: str, line: int
) -> tuple[tuple[str, float], ...]:
    """Unit and factor of each column: those of length, force and time stand in the heading."""
    named = {"L": LENGTHS, "F": FORCES, "T": TIMES}
    if layout.units_on == "title":
        # the unit of all columns
        text = "".join(_INSIDE.findall(title)[-1:])
    elif layout.units_on == "inches":
        text = "IN. LB."
    elif layout.units_on == "units":
        text = " ".join(one for head in heads for one in _INSIDE.findall(head) if "-" in one)
    else:
        at = next((head for head in heads if layout.units_on in head.lower()), "")
        text = " ".join(one for one in _INSIDE.findall(at) if one.lower() not in ("msec", "deg"))
    words = re.split(r"[-/\s]+|\*\*2", text)
    found = {letter: next((unit for unit in (unit_named(w, known) for w in words if w) if unit is not None), None)
             for letter, known in named.items()}  # fmt: skip
    found["T"] = 1.0 if found["T"] is None else found["T"]
    made = list[tuple[str, float]]()
    for _, _, _, unit in layout.columns:
        if unit in OUT and (
            layout.kind not in ("acceleration", "angle") or text.upper() in ("G'S", "DEG")
        ):
            made.append(OUT[unit])
            continue
        needs = {letter for letter in named if letter in unit}
        turns = unit.startswith("rev")
        given = set(re.findall(r"[A-Z]+", text.upper()))
        if (
            unit in OUT
            or any(found[letter] is None for letter in needs)
            or turns != ("REV" in given)
        ):
            raise PrintedError("Line {line}: the unit of '{title}' is not known.", line=line, title=title)  # fmt: skip
        if layout.units_on == "title" and ("/" in unit) != ("/" in text):
            raise PrintedError("Line {line}: the unit of '{title}' is not known.", line=line, title=title)  # fmt: skip
        length, force, time = (float(found[letter] or 1.0) for letter in "LFT")
        made.append({
            "L": ("m", length), "L/T": ("m/s", length / time), "F": ("N", force), "FL": ("N*m", force * length),
            "100F": ("N", 100.0 * force), "100FL": ("N*m", 100.0 * force * length), "FT": ("N*s", force * time),
            "FLT": ("N*m*s", force * length * time), "rev/T": ("rad/s", TURN / time), "rev/T2": ("rad/s2", TURN / time**2),
        }[unit])  # fmt: skip
    return tuple(made)


def _items(
    layout: Layout, heads: list[str], title: str, line: int
) -> tuple[tuple[tuple[str, ...], str, str], ...]:
    points = next((one for one in heads if _POINT.search(one)), "")
    seen = next((one for one in heads if one.lstrip().lower().startswith("time")), "")
    by_axes = layout.item is _SEGMENT
    found = list[tuple[tuple[str, ...], str, str]]()
    lines = [title, *heads[1:]] if not layout.stride else heads[1:]
    named = next((one for one in lines if layout.item.search(one)), "")
    for k, match in enumerate(layout.item.finditer(named)):
        point = _POINT.search(_cell(points, layout, k)) if by_axes else None
        place = ", ".join(part.strip() for part in point[1].split(",")) if point else ""
        reference = " ".join(_cell(seen, layout, k).split()) if by_axes else ""
        found.append((tuple(one.strip() for one in match.groups()), place, reference))
        if not layout.stride:
            break
    if not found:
        raise PrintedError("Line {line}: the page does not name its segments.", line=line)
    return tuple(found)


def _cell(line: str, layout: Layout, k: int) -> str:
    return line[CLOCK + k * layout.stride : CLOCK + (k + 1) * layout.stride]


def _values(line: str, layout: Layout, items: int, number: int) -> tuple[float, ...] | None:
    """Give time and values of a row; none where no row stands."""
    if _NUMBER.fullmatch(line[:CLOCK].strip()) is None:
        return None
    cells = [line[:CLOCK]]
    for k in range(items):
        first = CLOCK + k * layout.stride
        cells += [line[first + at : first + at + width] for _, at, width, _ in layout.columns]
    values = list[float]()
    for cell in cells:
        text = cell.strip().upper()
        if text.startswith("*"):
            values.append(float("nan"))
        elif _NUMBER.fullmatch(text):
            values.append(
                float(_EXPONENT.sub(r"E\1", text.replace("D", "E")) if "E" not in text else text)
            )
        else:
            raise PrintedError(
                "Line {line}: '{text}' stands where a number is expected.",
                line=number,
                text=cell.strip(),
            )
    return tuple(values)


def _curves(table: _Table) -> list[PrintedTable]:
    """Each column as a curve; samples that did not fit into their columns (asterisks) are left out."""
    rows, layout = np.array(table.rows), table.layout
    found = list[PrintedTable]()
    if len(rows) < 2:
        return found
    by_axes, count = layout.item is _SEGMENT, len(layout.columns)
    for k, (names, point, seen) in enumerate(table.items):
        made = dict[str, Channel]()
        segment = (
            (names[1] or names[0]) if by_axes else " ".join(dict.fromkeys(filter(None, names)))
        )
        for c, (word, _, _, _) in enumerate(layout.columns):
            values = rows[:, 1 + count * k + c]
            there = np.isfinite(values)
            unit, factor = table.units[c]
            words = f"{segment} {layout.kind.replace('_', ' ')} {word}"
            place = f" at ({point})" if point.strip("0., ") else ""
            made[word] = Channel(
                f"{words}{place}, {seen}" if seen else f"{words}{place}", rows[there, 0] * 1e-3,
                values[there] * factor, unit, quantity=layout.kind, segment=segment, axis=word,
            )  # fmt: skip
        found.append(PrintedTable(layout.kind, names, point, seen, made))
    return found
