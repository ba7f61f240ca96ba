"""Tables of numbers: points that are moved and kept in order, and what is read from spreadsheets and papers; no Qt."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from app import texts
from app.forms.units import Units, known
from solver.base.units import UnitError, convert, pretty, unit
from solver.base.words import msgid, plural, tr

Points = tuple[tuple[float, ...], tuple[float, ...]]
"""Arguments and values."""

_GAP = 1e-6
"""Least distance of two arguments, in parts of the whole span."""


def moved(x: Sequence[float], y: Sequence[float], i: int, to_x: float, to_y: float) -> Points:
    """Move one point; it stays between its neighbours."""
    gap = _gap(x)
    low = x[i - 1] + gap if i > 0 else -math.inf
    high = x[i + 1] - gap if i + 1 < len(x) else math.inf
    at = min(max(to_x, low), high)
    return (*x[:i], at, *x[i + 1 :]), (*y[:i], to_y, *y[i + 1 :])


def with_point(
    x: Sequence[float], y: Sequence[float], at: float, value: float
) -> tuple[Points, int]:
    """Add a point in its place; one with the same argument takes the new value. Gives its number."""
    i = bisect_left(x, at)
    if i < len(x) and abs(x[i] - at) < _gap(x):
        return moved(x, y, i, x[i], value), i
    return ((*x[:i], at, *x[i:]), (*y[:i], value, *y[i:])), i


def without(x: Sequence[float], y: Sequence[float], gone: Sequence[int]) -> Points:
    """Take points away; one stays."""
    kept = [i for i in range(len(x)) if i not in set(gone)] or [0]
    return tuple(x[i] for i in kept), tuple(y[i] for i in kept)


def in_order(x: Sequence[float], y: Sequence[float]) -> Points:
    """Sort points by their arguments; of several with one argument the last stays."""
    pairs = dict(zip(x, y, strict=True))
    keys = sorted(pairs)
    return tuple(keys), tuple(pairs[k] for k in keys)


def nice_step(least: float) -> float:
    """The smallest of 1, 2 or 5 times a power of ten that is no less."""
    if not least > 0.0 or not math.isfinite(least):
        return 1.0
    power = 10.0 ** math.floor(math.log10(least))
    return next(m * power for m in (1.0, 2.0, 5.0, 10.0) if m * power >= least * (1.0 - 1e-9))


def snapped(value: float, step: float) -> float:
    """Round to a multiple of a step, without the dust of binary numbers."""
    count = round(value / step)
    digits = max(0, 2 - math.floor(math.log10(step)))
    return round(count * step, digits) + 0.0


def _gap(x: Sequence[float]) -> float:
    return _GAP * ((x[-1] - x[0]) if len(x) > 1 else max(1.0, abs(x[0]) if x else 1.0))


_SEPARATORS: dict[str, str] = {
    "\t": msgid("tabs"),
    ";": msgid("semicolons"),
    ",": msgid("commas"),
    " ": msgid("blanks"),
}

_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$")
_COMMA_NUMBER = re.compile(r"[-+]?(\d+,?\d*|,\d+)([eE][-+]?\d+)?$")
_BRACKETS = re.compile(r"[\[(]([^\])]*)[\])]\s*$")
_APART = re.compile(r"[\s,_]+")
SEPARATORS = ("\t", ";", ",", " ")
MOST_ROWS = 1_000_000


class NotATable(ValueError):
    """Say in a sentence why a text is no table of numbers."""


@dataclass(frozen=True, slots=True)
class Pasted:
    """The columns of a table, its headings, and how it was read."""

    columns: tuple[tuple[float, ...], ...]
    headings: tuple[str, ...]
    separator: str
    decimal_comma: bool
    skipped: int
    """Rows above the numbers."""

    def said(self) -> str:
        """Say how the table was read."""
        parts = [
            tr("{rows} rows", rows=len(self.columns[0])),
            tr("columns apart by {what}", what=tr(_SEPARATORS[self.separator])),
        ]
        if len(self.columns) == 1:
            parts.pop()
        if self.decimal_comma:
            parts.append(tr("decimal commas"))
        if self.skipped:
            parts.append(
                plural("{n} heading row left out", "{n} heading rows left out", self.skipped)
            )
        return ", ".join(parts)


def read_table(text: str, skip: int | None = None) -> Pasted:
    """Read columns of numbers; separator, decimal comma and headings are found out."""
    lines = [line.rstrip("\r") for line in text.lstrip("\ufeff").split("\n")]
    while lines and not lines[-1].strip():
        lines.pop()
    if not any(line.strip() for line in lines):
        raise NotATable(tr("There is nothing to read."))
    if len(lines) > MOST_ROWS:
        raise NotATable(
            tr(
                "A table has at most {most} rows; there are {rows}.",
                most=MOST_ROWS,
                rows=len(lines),
            )
        )
    separator, comma = _manner(lines[skip or 0 :])
    first = _first_row(lines, separator, comma) if skip is None else skip
    rows = []
    width = 0
    for number, line in enumerate(lines[first:], first + 1):
        if not line.strip():
            continue
        cells = cut(line, separator)
        width = width or len(cells)
        if len(cells) < width:
            raise NotATable(
                tr(
                    "Row {number} has {columns} columns; those above have {width}.",
                    number=number,
                    columns=len(cells),
                    width=width,
                )
            )
        rows.append([_value(cell, comma, number) for cell in cells[:width]])
    if not rows:
        raise NotATable(tr("There are no numbers."))
    heads = _headings(lines[first - 1], separator, width) if first else []
    return Pasted(
        tuple(zip(*rows, strict=True)),
        tuple(h.strip().strip('"') for h in heads) if len(heads) >= width else (),
        separator,
        comma,
        first,
    )


def put_in(
    found: Pasted, points: Points, row: int, column: int, units: Units, si: tuple[str, str]
) -> Points:
    """A pasted table's points (SI); one column goes where the cursor stands among the old ones."""
    if len(found.columns) > 1:
        x, y = (_in_si(found, k, units, si[k]) for k in (0, 1))
        return in_order(x, y)
    x, y = (list(one) for one in points)
    values = _in_si(found, 0, units, si[column])
    if row + len(values) > len(x):
        raise NotATable(
            tr(
                "{n} numbers do not fit into the {rows} rows from there. Paste two columns.",
                n=len(values),
                rows=len(x),
            )
        )
    (x, y)[column][row : row + len(values)] = values
    return in_order(x, y)


def _headings(line: str, separator: str, width: int) -> list[str]:
    """Cut a row of headings; a unit in brackets belongs to the word before it."""
    if width == 1:
        return [line.strip()]
    if separator == " ":
        return re.findall(r"\S+(?:\s+[\[(][^\])]*[\])])?", line)
    return cut(line, separator)


def unit_in(heading: str, si_unit: str) -> str:
    """Give the unit that a heading names, as in 'Time [ms]', 'Force, lbf' or 'kN'; empty for none.

    A unit of another quantity in brackets is refused: it would be read as something that it is not.
    """
    if not known(si_unit):
        return ""
    bracketed = _BRACKETS.search(heading)
    words = [bracketed[1]] if bracketed else [heading, *_APART.split(heading)[-1:]]
    for word in words:
        try:
            found = unit(word.strip())
        except UnitError:
            continue
        if word.strip() and found.dimension == unit(si_unit).dimension:
            return word.strip()
        if bracketed:
            raise NotATable(
                tr(
                    "The heading '{heading}' names a unit of another quantity: here stands what is counted in {unit}.",
                    heading=heading,
                    unit=pretty(si_unit),
                )
            )
    return ""


def _in_si(found: Pasted, column: int, units: Units, si_unit: str) -> list[float]:
    """Turn a column into SI, from the unit that its heading names, or else from the shown one."""
    named = unit_in(found.headings[column], si_unit) if found.headings else ""
    if named:
        return [float(convert(v, named, si_unit)) for v in found.columns[column]]
    return [units.from_shown(v, si_unit) for v in found.columns[column]]


def units_text(found: Pasted, units: Units, si: tuple[str, str], column: int = 0) -> str:
    """Say in which units the columns were read; a single one is that of a column of the table."""
    heads = found.headings or ("", "")
    if len(found.columns) == 1:
        return _named(heads[0], units, si[column])
    names = [_named(head, units, one) for head, one in zip(heads, si, strict=False)]
    both = tr(texts.elements.AND, one=names[0], other=names[1])
    return names[0] if names[0] == names[1] else both


def _named(heading: str, units: Units, si_unit: str) -> str:
    named = unit_in(heading, si_unit)
    return pretty(named) if named else units.name(si_unit) or tr(texts.words.NO_UNIT)


def cut(line: str, separator: str) -> list[str]:
    """Cut a row into its cells; an empty one at the end is none."""
    if separator == " ":
        return line.split()
    cells = [cell.strip().strip('"').strip() for cell in line.split(separator)]
    while len(cells) > 1 and not cells[-1]:
        cells.pop()
    return cells


def _manner(lines: list[str]) -> tuple[str, bool]:
    """Find out what stands between columns, and whether commas are decimal signs."""
    some = [line for line in lines if line.strip()][-50:]
    best: tuple[int, str, bool] = (0, " ", False)
    for separator in SEPARATORS:
        for comma in (False, True):
            if comma and separator == ",":
                continue
            pattern = _COMMA_NUMBER if comma else _NUMBER
            rows = [cut(line, separator) for line in some]
            good = sum(len(row) > 0 and all(pattern.match(cell) for cell in row) for row in rows)
            wide = max((len(row) for row in rows), default=0)
            # a row of several columns counts for more than one long number
            score = good * (2 if wide > 1 else 1)
            if score > best[0]:
                best = (score, separator, comma)
    return best[1], best[2]


def _first_row(lines: list[str], separator: str, comma: bool) -> int:
    """Find the first row that holds nothing but numbers."""
    pattern = _COMMA_NUMBER if comma else _NUMBER
    for i, line in enumerate(lines):
        cells = cut(line, separator)
        if line.strip() and all(pattern.match(cell) for cell in cells):
            return i
    shown = next(line.strip() for line in lines if line.strip())
    raise NotATable(tr("'{shown}' is no row of numbers.", shown=shown[:40]))


def _value(cell: str, comma: bool, row: int) -> float:
    pattern = _COMMA_NUMBER if comma else _NUMBER
    if not pattern.match(cell):
        raise NotATable(tr("'{cell}' in row {row} is no number.", cell=cell[:40], row=row))
    return float(cell.replace(",", ".") if comma else cell)
