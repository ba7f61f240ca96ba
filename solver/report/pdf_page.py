"""A page of a report as a PDF: what is written and drawn on it, from its top down."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from functools import cache
from typing import Any

from solver.report.charts import draw_spans
from solver.report.content import Content, Panel, Picture, Table, Tone, Verdict
from solver.report.plots.curves import INK, QUIET, clear_legend, draw_panel

WIDTH, HEIGHT = 8.27, 11.69
LEFT, RIGHT, TOP, BOTTOM = 0.55, 7.72, 11.25, 0.5
ROW, SIZE = 0.138, 6.4
"""Height of a table's row (in) and size of its letters (pt)."""
LINE = "#C3CCD4"
TONES: dict[Tone, str] = {
    "good": "#1F7A4D", "near": "#B26A00", "bad": "#B3261E", "plain": INK, "muted": QUIET,
}  # fmt: skip
PANELS = 8
"""Curves on a page."""
HALF = 0.5 * (RIGHT - LEFT) - 0.12
"""Width of one of two columns (in)."""


LETTER = 0.58
"""Mean width of a letter as a part of its size, to break lines."""
NOTE = 5.8
"""Size of notes and lists (pt)."""
CAPTIONS = (6.2, 5.6, 5.0)
"""Sizes of captions (pt); the largest that has room is taken."""


class Page:
    """A page and how far down it is filled (in from the bottom)."""

    def __init__(self, content: Content, scale: float = 1.0) -> None:
        from matplotlib.figure import Figure

        self._row, self._size, self._note = ROW * scale, SIZE * scale, NOTE * scale

        self.figure = Figure(figsize=(WIDTH, HEIGHT))
        self._content = content
        self.y = TOP

    def write(
        self, x: float, y: float, words: str, size: float, colour: str = INK, *, bold: bool = False,
        right: bool = False,
    ) -> None:  # fmt: skip
        """Write one line at a place (in)."""
        self.figure.text(
            x / WIDTH, y / HEIGHT, words, fontsize=size, color=colour, va="baseline",
            ha="right" if right else "left", fontweight="bold" if bold else "normal",
            parse_math=False,
        )  # fmt: skip

    def _line(self, x0: float, x1: float, y: float, colour: str = LINE, width: float = 0.5) -> None:
        from matplotlib.lines import Line2D

        self.figure.add_artist(
            Line2D([x0 / WIDTH, x1 / WIDTH], [y / HEIGHT] * 2, color=colour, linewidth=width)
        )

    def _box(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        from matplotlib.patches import Rectangle

        place = (x / WIDTH, y / HEIGHT)
        size = (width / WIDTH, height / HEIGHT)
        self.figure.add_artist(Rectangle(place, *size, facecolor=colour, edgecolor="none"))

    def head(self) -> None:
        """Write title, runs and verdicts."""
        lines = textwrap.wrap(self._content.title, 70)[:2]
        for line in lines:
            self.y -= 0.16
            self.write(LEFT, self.y, line, 13, bold=True)
            self.y -= 0.06
        self.y -= 0.12
        self.write(LEFT, self.y, cut(self._content.subtitle, RIGHT - LEFT, 8), 8, QUIET)
        self.y -= 0.1
        self.verdicts(self._content.verdicts)
        self.y -= 0.12

    def verdicts(self, verdicts: Sequence[Verdict]) -> None:
        """Write sentences below each other, each with the colour of how it is judged."""
        for verdict in verdicts:
            lines = broken(verdict.text, RIGHT - LEFT - 0.2, 7.5, bold=True)
            more = 0.135 * (len(lines) - 1)
            self.y -= 0.2 + more
            self._box(LEFT, self.y - 0.045, RIGHT - LEFT, 0.175 + more, "#F6F8FA")
            self._box(LEFT, self.y - 0.045, 0.05, 0.175 + more, TONES[verdict.tone])
            colour = TONES["bad"] if verdict.tone == "bad" else INK
            for n, words in enumerate(reversed(lines)):
                self.write(LEFT + 0.13, self.y + 0.135 * n, words, 7.5, colour, bold=True)

    def small_head(self) -> None:
        """Repeat the title small."""
        self.y -= 0.1
        self.write(
            LEFT, self.y, cut(self._content.title, RIGHT - LEFT, 8, bold=True), 8, QUIET, bold=True
        )
        self.y -= 0.07
        self._line(LEFT, RIGHT, self.y)
        self.y -= 0.12

    def heading(self, words: str) -> None:
        """Write the heading of a part that begins here."""
        self.y -= 0.12
        self.write(LEFT, self.y, cut(words, RIGHT - LEFT, 11, bold=True), 11, bold=True)
        self.y -= 0.06

    def number(self, page: int, pages: int) -> None:
        """Write the page's number at its foot."""
        self.write(RIGHT, 0.28, f"{page} / {pages}", 6.5, QUIET, right=True)
        self.write(LEFT, 0.28, "Manikin", 6.5, QUIET)

    def pictures(self, pictures: Sequence[Picture]) -> None:
        """Put pictures beside each other, at one height."""
        if not pictures:
            return
        gap = 0.1
        shares = [p.image.shape[1] / p.image.shape[0] for p in pictures]
        height = min(
            1.9 * self._size / SIZE, (RIGHT - LEFT - gap * (len(pictures) - 1)) / sum(shares)
        )
        wide = height * sum(shares)
        gap = (RIGHT - LEFT - wide) / max(len(pictures) - 1, 1) if len(pictures) > 1 else gap
        x = LEFT
        for picture, share in zip(pictures, shares, strict=True):
            width = share * height
            box = (x / WIDTH, (self.y - height) / HEIGHT, width / WIDTH, height / HEIGHT)
            axes = self.figure.add_axes(box)
            axes.imshow(picture.image, aspect="auto", interpolation="antialiased")
            axes.set_axis_off()
            room, words = width + 0.8 * gap, picture.caption
            size = next((one for one in CAPTIONS if text_width(words, one) <= room), CAPTIONS[-1])
            self.write(x, self.y - height - 0.1, cut(words, room, size), size, QUIET)
            x += width + gap
        self.y -= height + 0.2

    def across(self, table: Table) -> None:
        """Put a table over the whole width."""
        self.y = self.table(table, LEFT, RIGHT - LEFT, self.y)

    def height_of(self, table: Table, width: float) -> float:
        """The height that a table needs."""
        notes = sum(len(wrapped(note, width)) for note in table.notes)
        return 0.42 + self._row * len(table.rows) + 1.9e-2 * self._note * notes

    def rows_in(self, table: Table, width: float, room: float) -> int:
        """Count the rows of a table that find room, without its notes."""
        bare = room - 0.42
        return int(bare / self._row) if bare > 0.0 else 0

    def table(self, table: Table, x: float, width: float, y: float) -> float:
        """Draw a table; give where it ends."""
        y -= 0.19
        self.write(x, y, table.title, 8, bold=True)
        y -= 0.15
        edges = [x + width * sum(table.widths[:n]) for n in range(len(table.widths) + 1)]
        first = table.rows[0] if table.rows else ()
        for n, head in enumerate(table.heads):
            number = n < len(first) and first[n].number
            room = edges[n + 1] - edges[n] - 0.05
            at = edges[n + 1] - 0.06 if number else edges[n]
            self.write(
                at,
                y,
                cut(head, room, self._size, bold=True),
                self._size,
                QUIET,
                bold=True,
                right=number,
            )
        y -= 0.04
        self._line(x, x + width, y, LINE, 0.9)
        for row in table.rows:
            y -= self._row
            for n, cell in enumerate(row):
                room = edges[n + 1] - edges[n] - 0.05
                at = edges[n + 1] - 0.06 if cell.number else edges[n]
                bold = cell.tone in ("good", "near", "bad")
                if cell.share is not None:
                    self._bar(edges[n] + 0.02, y, room - 0.36, cell.share, TONES[cell.tone])
                shorten = cut if n else cut_inside
                words = shorten(cell.text, room, self._size, bold=bold)
                self.write(
                    at,
                    y + 0.25 * self._row,
                    words,
                    self._size,
                    TONES[cell.tone],
                    bold=bold,
                    right=cell.number,
                )
            self._line(x, x + width, y, "#E6EAEE", 0.4)
        for note in table.notes:
            for line in wrapped(note, width):
                y -= 1.9e-2 * self._note
                self.write(x, y, line, self._note, QUIET)
        return y - 0.06

    def _bar(self, x: float, y: float, width: float, share: float, colour: str) -> None:
        if width > 0.1:
            self._box(x, y + 0.33 * self._row, width, 0.045, "#E6EAEE")
            self._box(x, y + 0.33 * self._row, width * min(max(share, 0.0), 1.0), 0.045, colour)

    def curve(self, panel: Panel, x: float, width: float, y: float, height: float) -> float:
        """Draw one panel; give where it ends."""
        box = (
            (x + 0.42) / WIDTH, (y - height + 0.05) / HEIGHT, (width - 0.46) / WIDTH,
            (height - 0.42) / HEIGHT,
        )  # fmt: skip
        axes = self.figure.add_axes(box)
        draw_panel(axes, panel.curves, bands=panel.bands, beside=False)
        draw_spans(axes, panel.spans, size=5.6)
        axes.set_title(panel.title, fontsize=8)
        axes.set_xlabel(panel.x_label, fontsize=6.5, labelpad=1.5)
        axes.yaxis.label.set_fontsize(6.5)
        axes.tick_params(labelsize=6)
        legend = axes.get_legend()
        if legend is not None:
            handles, labels = axes.get_legend_handles_labels()
            legend.remove()
            axes.legend(handles, [cut_inside(w, 1.5, 5.6) for w in labels], fontsize=5.6, loc="best",
                        handlelength=1.6, borderaxespad=0.2)  # fmt: skip
            clear_legend(axes)
        return y - height - 0.3

    def lines(self, rows: Sequence[tuple[str, bool]], x: float) -> None:
        """Print a column of lines, of which some are headings."""
        for n, (row, bold) in enumerate(rows, start=1):
            size, colour = (7.0, INK) if bold else (NOTE, QUIET)
            self.write(x, self.y - 0.118 * n, row, size, colour, bold=bold)

    def curves(self, panels: Sequence[Panel]) -> None:
        """Fill the page with panels, two beside each other."""
        half = HALF
        height = (self.y - BOTTOM) / (PANELS / 2) - 0.32
        for n, panel in enumerate(panels):
            x = LEFT + (n % 2) * (half + 0.24)
            self.curve(panel, x, half, self.y - (n // 2) * (height + 0.32), height)


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
    room = width * 72.0 / size - _advance("…", bold)
    short = 0
    while short < len(words) and (room := room - _advance(words[short], bold)) >= 0.0:
        short += 1
    return words[: max(short, 1)].rstrip() + "…"


def cut_inside(words: str, width: float, size: float, *, bold: bool = False) -> str:
    """Shorten a name that is wider than its place in its middle: names that begin alike differ at their ends."""
    short, keep = words, len(words)
    while keep > 2 and text_width(short, size, bold=bold) > width:
        keep -= 1
        short = f"{words[: (keep + 1) // 2].rstrip()}…{words[-(keep // 2) :].lstrip()}"
    return short


def broken(words: str, width: float, size: float, *, bold: bool = False) -> list[str]:
    """Break a sentence into lines that are no wider than their place; a word that is wider is cut."""
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size, bold=bold) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return [cut(line, width, size, bold=bold) for line in lines]


def wrapped(words: str, width: float) -> list[str]:
    """Break a note into lines."""
    return textwrap.wrap(words, max(8, int(width * 72.0 / (LETTER * NOTE))))
