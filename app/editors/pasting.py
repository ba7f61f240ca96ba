"""Read tables of numbers that come from spreadsheets, data acquisition and papers; no Qt."""

from __future__ import annotations

import re
from dataclasses import dataclass

from app import texts
from app.editors.points import Points, in_order
from app.forms.units import Units

_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$")
_COMMA_NUMBER = re.compile(r"[-+]?(\d+,?\d*|,\d+)([eE][-+]?\d+)?$")
SEPARATORS = ("\t", ";", ",", " ")
MOST_ROWS = 1_000_000


class NotATable(ValueError):
    """Say in a sentence why a text is no table of numbers."""


@dataclass(frozen=True, slots=True)
class Pasted:
    """Hold the columns of a table, its headings, and how it was read."""

    columns: tuple[tuple[float, ...], ...]
    headings: tuple[str, ...]
    separator: str
    decimal_comma: bool
    skipped: int
    """Rows above the numbers."""

    def said(self) -> str:
        """Say how the table was read."""
        parts = [
            texts.editors.ROWS.format(rows=len(self.columns[0])),
            texts.editors.APART_BY.format(what=texts.editors.SEPARATORS[self.separator]),
        ]
        if len(self.columns) == 1:
            parts.pop()
        if self.decimal_comma:
            parts.append(texts.editors.DECIMAL_COMMAS)
        if self.skipped:
            words = texts.editors.HEADINGS if self.skipped > 1 else texts.editors.ONE_HEADING
            parts.append(words.format(rows=self.skipped))
        return ", ".join(parts)


def read_table(text: str, skip: int | None = None) -> Pasted:
    """Read columns of numbers; separator, decimal comma and headings are found out."""
    lines = [line.rstrip("\r") for line in text.lstrip("\ufeff").split("\n")]
    while lines and not lines[-1].strip():
        lines.pop()
    if not any(line.strip() for line in lines):
        raise NotATable(texts.editors.NOTHING_TO_READ)
    if len(lines) > MOST_ROWS:
        raise NotATable(texts.editors.TOO_MANY_ROWS.format(most=MOST_ROWS, rows=len(lines)))
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
                texts.editors.ROW_SHORT.format(number=number, columns=len(cells), width=width)
            )
        rows.append([_value(cell, comma, number) for cell in cells[:width]])
    if not rows:
        raise NotATable(texts.editors.NO_NUMBERS)
    heads = cut(lines[first - 1], separator) if first else []
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
    """Give a pasted table's points (SI); one column goes where the cursor stands among the old ones."""
    if len(found.columns) > 1:
        x, y = ([units.from_shown(v, si[k]) for v in found.columns[k]] for k in (0, 1))
        return in_order(x, y)
    x, y = (list(one) for one in points)
    values = [units.from_shown(v, si[column]) for v in found.columns[0]]
    if row + len(values) > len(x):
        raise NotATable(texts.editors.COLUMN_TOO_LONG.format(n=len(values), rows=len(x)))
    (x, y)[column][row : row + len(values)] = values
    return in_order(x, y)


def units_said(units: Units, si: tuple[str, str]) -> str:
    """Say in which units both columns were read."""
    names = [units.name(one) or texts.editors.NO_UNIT for one in si]
    both = texts.elements.AND.format(one=names[0], other=names[1])
    return names[0] if names[0] == names[1] else both


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
    raise NotATable(texts.editors.NO_ROW.format(shown=shown[:40]))


def _value(cell: str, comma: bool, row: int) -> float:
    pattern = _COMMA_NUMBER if comma else _NUMBER
    if not pattern.match(cell):
        raise NotATable(texts.editors.NO_NUMBER.format(cell=cell[:40], row=row))
    return float(cell.replace(",", ".") if comma else cell)
