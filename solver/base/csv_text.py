"""Tables as CSV (RFC 4180, UTF-8), whose words no spreadsheet takes for formulas, and read again.

A word that begins as a formula does, such as the name `=1+1`, gets an apostrophe before it, which spreadsheets do
not show (OWASP, CSV Injection); reading takes it away.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""How formulas begin."""

_LONGEST = 2**30
"""Letters of a cell; a file that is too large is refused before."""


def as_csv(rows: Iterable[Sequence[object]]) -> str:
    """Write rows of words and numbers; these so that reading them gives the same bits."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([_cell(one) for one in row] for row in rows)
    return text.getvalue()


def rows_of(text: str, mark: str = ",") -> list[list[str]]:
    """Read rows, whatever ends their lines."""
    csv.field_size_limit(_LONGEST)
    lines = io.StringIO(text, newline=None)
    return [[_bare(one) for one in row] for row in csv.reader(lines, delimiter=mark)]


def _cell(value: object) -> object:
    if isinstance(value, float):
        return repr(float(value))
    if isinstance(value, str) and value.startswith(FORMULAS) and not _is_number(value):
        return f"'{value}"
    return value


def _bare(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(FORMULAS) else cell


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
