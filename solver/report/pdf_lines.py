"""How wide words are on a page of a PDF, and how they are broken into lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any


@cache
def _font(bold: bool) -> Any:
    from matplotlib.font_manager import FontProperties, findfont, get_font

    weight = "bold" if bold else "normal"
    return get_font(findfont(FontProperties(family="DejaVu Sans", weight=weight)))


@cache
def _advance(letter: str, bold: bool) -> float:
    """How far a letter of size 1 moves the next one on."""
    font = _font(bold)
    font.set_size(100.0, 72.0)
    return float(font.load_char(ord(letter)).linearHoriAdvance) / 65536.0 / 100.0


def text_width(words: str, size: float, *, bold: bool = False) -> float:
    """The width of a line of text (in), by the measures of its font; letters that draw near leave it narrower."""
    return sum(_advance(letter, bold) for letter in words) * size / 72.0


def cut(words: str, width: float, size: float, *, bold: bool = False) -> str:
    """Shorten a line that is wider than its place."""
    if text_width(words, size, bold=bold) <= width:
        return words
    return words[: _fitting(words, width - text_width("…", size, bold=bold), size, bold)].rstrip() + "…"  # fmt: skip


def cut_inside(words: str, width: float, size: float, *, bold: bool = False) -> str:
    """Shorten a name that is wider than its place in its middle: names that begin alike differ at their ends."""
    short, keep = words, len(words)
    while keep > 2 and text_width(short, size, bold=bold) > width:
        keep -= 1
        short = f"{words[: (keep + 1) // 2].rstrip()}…{words[-(keep // 2) :].lstrip()}"
    return short


def _fitting(words: str, width: float, size: float, bold: bool) -> int:
    """Count the letters from the first on that find room: one at least."""
    room, count = width * 72.0 / size, 0
    while count < len(words) and (room := room - _advance(words[count], bold)) >= 0.0:
        count += 1
    return max(count, 1)


def broken(words: str, width: float, size: float, *, bold: bool = False) -> list[str]:
    """Break a sentence into lines that are no wider than their place: between words, else at marks, else within a word."""
    lines = [""]
    for piece in _pieces(words, width, size, bold):
        longer = lines[-1] + piece
        if lines[-1] and text_width(longer.rstrip(), size, bold=bold) > width:
            lines.append(piece)
        else:
            lines[-1] = longer
    return [line.rstrip() for line in lines]


def _pieces(words: str, width: float, size: float, bold: bool) -> Iterator[str]:
    """Words with the space behind them, in pieces where one is wider than its place."""
    for word in re.findall(r"\S+\s*", words):
        if text_width(word.rstrip(), size, bold=bold) <= width:
            yield word
            continue
        for part in re.findall(r"[^–/_,;-]*[–/_,;-]+\s*|[^–/_,;-]+", word):
            while text_width(part.rstrip(), size, bold=bold) > width:
                count = _fitting(part, width, size, bold)
                yield part[:count]
                part = part[count:]
            if part:
                yield part
