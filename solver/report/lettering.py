"""How wide words are on a page, and where they are cut or broken."""

from __future__ import annotations

import textwrap
from functools import cache
from typing import Any

LETTER = 0.58
"""Mean width of a letter as a part of its size, to break lines."""
NOTE = 5.8
"""Size of notes and lists (pt)."""


@cache
def _font(bold: bool) -> Any:
    from matplotlib.font_manager import FontProperties, findfont, get_font

    weight = "bold" if bold else "normal"
    return get_font(findfont(FontProperties(family="DejaVu Sans", weight=weight)))


def text_width(words: str, size: float, *, bold: bool = False) -> float:
    """Give the width of a line of text (in), by the measures of its font."""
    font = _font(bold)
    font.set_size(100.0, 72.0)
    font.set_text(words, 0.0)
    return float(font.get_width_height()[0]) / 64.0 / 100.0 * size / 72.0


def cut(words: str, width: float, size: float, *, bold: bool = False) -> str:
    """Shorten a line that is wider than its place."""
    if text_width(words, size, bold=bold) <= width:
        return words
    low, high = 1, len(words)
    while low < high:
        middle = (low + high + 1) // 2
        if text_width(words[:middle] + "…", size, bold=bold) <= width:
            low = middle
        else:
            high = middle - 1
    return words[:low].rstrip() + "…"


def wrapped(words: str, width: float) -> list[str]:
    """Break a note into lines."""
    return textwrap.wrap(words, max(8, int(width * 72.0 / (LETTER * NOTE))))
