"""Numbers and texts in columns, as a Fortran program reads and writes them."""

from __future__ import annotations

import math
import re

_REAL = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_WHOLE = re.compile(r"[+-]?\d+", re.ASCII)
_EXPONENT = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))(?:[eEdDqQ]\s*([+-]?\d+)|([+-]\d+))", re.ASCII)
_VALUE = re.compile(r"""(?:(\d+)\*)?("(?:[^"]|"")*"|'(?:[^']|'')*'|[^\s,/"']*)""")

LARGEST = 1e15
"""No number of a deck reaches it; a larger one is a slip."""
MOST_REPEATS = 10_000


def real(text: str) -> float | None:
    """Read a real number; blanks are nothing, an empty field is zero; None for what is no number.

    The exponent may be led in by E, D or Q, or by its sign alone.
    """
    text = text.strip()
    if not text:
        return 0.0
    if _REAL.fullmatch(text):
        value = float(text)
    else:
        parts = _EXPONENT.fullmatch(text.replace(" ", ""))
        if parts is None:
            bare = text.replace(" ", "")
            return real(bare) if bare != text else None
        value = float(f"{parts[1]}e{parts[2] or parts[3]}")
    return value if abs(value) <= LARGEST else None


def whole(text: str) -> int | None:
    """Read a whole number; blanks are nothing, an empty field is zero; None for what is no whole number."""
    text = text.strip()
    if not text:
        return 0
    if not _WHOLE.fullmatch(text):
        text = text.replace(" ", "")
        if not _WHOLE.fullmatch(text):
            return None
    return int(text) if len(text) <= 10 else None


def has_inner_blank(text: str) -> bool:
    """Tell whether blanks stand within a number, where they count for nothing."""
    return " " in text.strip()


def values_of(line: str) -> list[str | None]:
    """Cut a free line into its values: blanks or commas part them, 3*0 repeats one, a slash ends it.

    None is a value left out between commas. A text in quotes keeps its quotes.
    """
    found = list[str | None]()
    at, awaited = 0, True
    while at < len(line):
        sign = line[at]
        if sign.isspace():
            at += 1
            continue
        if sign == "/":
            break
        if sign == ",":
            if awaited:
                found.append(None)
            at, awaited = at + 1, True
            continue
        match = _VALUE.match(line, at)
        if match is None or match.end() == at:
            found.append(line[at:].strip())
            break
        times = min(int(match[1] or 1), MOST_REPEATS)
        found.extend([match[2] or None] * times)
        at, awaited = match.end(), False
    return found


def unquoted(text: str) -> str:
    """Take the quotes off a text."""
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1].replace(text[0] * 2, text[0])
    return text


def written(value: float, width: int) -> str | None:
    """Write a real number into so many columns with as many digits as go in; None if it does not fit."""
    if value == 0.0:
        return "0.0".rjust(width) if width > 3 else "0.".rjust(width)
    best, least = None, math.inf
    for text in _forms(value, width):
        off = abs(float(text) - value)
        if off < least:
            best, least = text, off
    if best is None or least > abs(value):
        return None
    return best.rjust(width)


def _forms(value: float, width: int) -> list[str]:
    forms = list[str]()
    for digits in range(width - 1, -1, -1):
        text = _bare(f"{value:.{digits}f}")
        if len(text) <= width and "." in text:
            forms.append(text)
            break
    for digits in range(width - 1, -1, -1):
        head, power = f"{value:.{digits}E}".split("E")
        text = f"{head if '.' in head else head + '.'}E{int(power)}"
        if len(text) <= width:
            forms.append(text)
            break
    return forms


def _bare(text: str) -> str:
    """Take off what a Fortran program does not need: zeros at the end, and the one before the point."""
    if "." not in text:
        text += "."
    text = text.rstrip("0")
    if text.endswith("."):
        text += "0" if len(text) < 4 else ""
    for sign in ("", "-"):
        if text.startswith(f"{sign}0.") and text.strip("-0.") != "":
            return sign + text[len(sign) + 1 :]
    return text
