"""A report as a PDF: its blocks one after the other on pages of A4, from their top down.

Nothing is cut: what is wider than its place goes on in the next line, what is higher than its page on the next page.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, assert_never

from solver.report.charts import draw_chart, draw_spans, names_room
from solver.report.content import (
    Beside,
    Block,
    Cell,
    Chart,
    Content,
    Head,
    Heading,
    Lists,
    Panel,
    Picture,
    Plots,
    Step,
    Strip,
    Table,
    Tone,
    Verdict,
    Verdicts,
    Words,
)
from solver.report.pdf_lines import broken, cut, cut_inside
from solver.report.plots.curves import INK, QUIET, clear_legend, draw_panel, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 8.27, 11.69
LEFT, RIGHT, TOP, BOTTOM = 0.55, 7.72, 11.25, 0.5
ROW, NEXT, SIZE = 0.138, 0.106, 6.4
"""Height of a table's row and of each further line in it (in), and size of its letters (pt)."""
NOTE, NOTE_ROW = 5.8, 0.11
"""Size of notes and lists (pt) and height of their lines (in)."""
SAID, SAID_ROW = 7.5, 0.135
"""Size of sentences (pt) and height of their lines (in)."""
GAP = 0.24
HALF = 0.5 * (RIGHT - LEFT - GAP)
"""Width of one of two columns (in)."""
PLOT, PULSE, BELOW = 2.2, 1.45, 0.3
"""Heights of plots, of one between tables, and of the room for the axis below (in)."""
PICTURE, STEP = 1.9, 1.5
"""Height of a strip, and width of the picture of a step (in); how high that is at most."""
LINE, FAINT, GREY = "#C3CCD4", "#E6EAEE", "#F6F8FA"
TONES: dict[Tone, str] = {
    "good": "#1F7A4D", "near": "#B26A00", "bad": "#B3261E", "plain": INK, "muted": QUIET,
}  # fmt: skip
SCALES = (0.93, 0.86)
"""How much the first page shrinks where all of the verdict then stands on it."""
AGAIN = "again"
"""Marks what is written once more on each page: running heads, numbers, heads of tables that go on."""


def as_pdf(content: Content) -> bytes:
    """Draw the pages; in memory, as the writer of PDF cannot end once a write has failed."""
    from matplotlib.backends.backend_pdf import PdfPages

    about = {"Title": content.title, "Creator": "Manikin", "CreationDate": None}
    drawn = io.BytesIO()
    with styled(), PdfPages(drawn, metadata=about) as pages:
        for figure in figures(content):
            pages.savefig(figure)
    return drawn.getvalue()


def figures(content: Content) -> list[Figure]:
    """Draw all pages; call it inside the style."""
    blocks = list(content.blocks())
    later = (n for n, one in enumerate(blocks) if isinstance(one, Heading | Lists))
    first = next(later, len(blocks))
    made = _Pages(content.title, blocks[:first])
    for scale in SCALES if len(made.pages) > 1 else ():
        small = _Pages(content.title, blocks[:first], scale)
        if len(small.pages) == 1:
            made = small
            break
    made.scale = 1.0
    for block in blocks[first:]:
        made.put(block)
    made.number()
    return made.pages


@dataclass(frozen=True, slots=True)
class _Laid:
    """A table in lines: each cell of its head and of its rows, and its notes."""

    edges: list[float]
    head: list[list[str]]
    rows: list[list[list[str]]]
    notes: list[str]

    def high(self, n: int) -> float:
        """How high a row is before scaling."""
        return ROW + NEXT * (max(map(len, self.rows[n]), default=1) - 1)

    @property
    def top(self) -> float:
        """How high title and head are."""
        return 0.38 + NEXT * (max(map(len, self.head), default=1) - 1)


class _Pages:
    """Fill page after page; `y` is how far down the last one is filled (in from the bottom)."""

    def __init__(self, title: str, blocks: Sequence[Block], scale: float = 1.0) -> None:
        self.pages: list[Figure] = []
        self.scale, self._title = scale, title
        self._turn()
        for block in blocks:
            self.put(block)

    def put(self, block: Block) -> None:
        """Write a block below what is there, or on a page of its own."""
        match block:
            case Head():
                self._head(block)
            case Heading():
                self._fresh()
                self._say(block.words, LEFT, RIGHT - LEFT, 11, row=0.2, bold=True)
                self.y -= 0.1
            case Verdicts():
                for verdict in block.all:
                    self._verdict(verdict)
                self.y -= 0.12
            case Strip():
                self._strip(block.pictures)
            case Words():
                for words in block.lines:
                    self._say(words, LEFT, RIGHT - LEFT)
            case Step():
                self._step(block)
            case Table():
                self._across(block)
            case Beside():
                self._beside(block.parts)
            case Plots():
                self._plots(block.all)
            case Lists():
                self._lists(block)
            case _:
                assert_never(block)

    def number(self) -> None:
        """Write the numbers of pages at their feet."""
        pages = len(self.pages)
        for page, figure in enumerate(self.pages, start=1):
            self._figure = figure
            self._write(RIGHT, 0.28, f"{page} / {pages}", 6.5, QUIET, right=True, again=True)
            self._write(LEFT, 0.28, "Manikin", 6.5, QUIET, again=True)

    # Marks on a page.

    def _write(
        self, x: float, y: float, words: str, size: float, colour: str = INK, *, bold: bool = False,
        right: bool = False, again: bool = False,
    ) -> None:  # fmt: skip
        """Write one line at a place (in)."""
        self._figure.text(
            x / WIDTH, y / HEIGHT, words, fontsize=size, color=colour, va="baseline",
            ha="right" if right else "left", fontweight="bold" if bold else "normal",
            parse_math=False, gid=AGAIN if again else None,
        )  # fmt: skip

    def _line(self, x0: float, x1: float, y: float, colour: str = LINE, width: float = 0.5) -> None:
        from matplotlib.lines import Line2D

        self._figure.add_artist(
            Line2D([x0 / WIDTH, x1 / WIDTH], [y / HEIGHT] * 2, color=colour, linewidth=width)
        )

    def _box(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        from matplotlib.patches import Rectangle

        place, size = (x / WIDTH, y / HEIGHT), (width / WIDTH, height / HEIGHT)
        self._figure.add_artist(Rectangle(place, *size, facecolor=colour, edgecolor="none"))

    def _axes(self, x: float, y: float, width: float, height: float) -> Axes:
        return self._figure.add_axes((x / WIDTH, y / HEIGHT, width / WIDTH, height / HEIGHT))

    # Pages.

    def _turn(self) -> None:
        """Begin a page; all but the first say again what it is of."""
        from matplotlib.figure import Figure

        self._figure, self.y = Figure(figsize=(WIDTH, HEIGHT)), TOP
        self.pages.append(self._figure)
        if len(self.pages) > 1:
            words = cut(self._title, RIGHT - LEFT, 8, bold=True)
            self._write(LEFT, self.y - 0.1, words, 8, QUIET, bold=True, again=True)
            self._line(LEFT, RIGHT, self.y - 0.17)
            self.y -= 0.29
        self._top = self.y

    def _fresh(self) -> None:
        if self.y < self._top:
            self._turn()

    def _need(self, height: float) -> None:
        """Turn the page where there is no more room."""
        if self.y - height < BOTTOM:
            self._fresh()

    # Sentences.

    def _say(
        self, words: str, x: float, width: float, size: float = SAID, colour: str = INK, *,
        row: float = SAID_ROW, bold: bool = False,
    ) -> None:  # fmt: skip
        for line in broken(words, width, size, bold=bold):
            self._need(row)
            self.y -= row
            self._write(x, self.y, line, size, colour, bold=bold)

    def _head(self, head: Head) -> None:
        self._say(head.title, LEFT, RIGHT - LEFT, 13, row=0.22, bold=True)
        self.y -= 0.04
        self._say(head.subtitle, LEFT, RIGHT - LEFT, 8, QUIET)
        self.y -= 0.1

    def _verdict(self, verdict: Verdict) -> None:
        lines = broken(verdict.text, RIGHT - LEFT - 0.2, SAID, bold=True)
        more = SAID_ROW * (len(lines) - 1)
        self._need(0.2 + more)
        self.y -= 0.2 + more
        self._box(LEFT, self.y - 0.045, RIGHT - LEFT, 0.175 + more, GREY)
        self._box(LEFT, self.y - 0.045, 0.05, 0.175 + more, TONES[verdict.tone])
        colour = TONES["bad"] if verdict.tone == "bad" else INK
        for n, words in enumerate(lines):
            self._write(LEFT + 0.13, self.y + more - SAID_ROW * n, words, SAID, colour, bold=True)

    def _lists(self, lists: Lists) -> None:
        """Print all lists one after the other, in two columns."""
        rows: list[tuple[str, bool]] = []
        for heading, lines in lists.all:
            rows += [("", False)] * bool(rows)
            rows += [(row, True) for row in broken(heading, HALF, 7.0, bold=True)]
            rows += [(row, False) for line in lines for row in broken(line, HALF, NOTE)]
        self._fresh()
        while rows:
            each = int((self.y - BOTTOM) / NOTE_ROW)
            for x in (LEFT, LEFT + HALF + GAP):
                # no heading at the foot of a column
                count = each - 1 if len(rows) > each and rows[each - 1][1] else each
                for n, (row, bold) in enumerate(rows[:count], start=1):
                    size, colour = (7.0, INK) if bold else (NOTE, QUIET)
                    self._write(x, self.y - NOTE_ROW * n, row, size, colour, bold=bold)
                rows = rows[count:]
            if rows:
                self._turn()

    # Pictures.

    def _strip(self, pictures: Sequence[Picture]) -> None:
        shares = [one.image.shape[1] / one.image.shape[0] for one in pictures]
        gaps = len(pictures) - 1
        height = min(PICTURE * self.scale, (RIGHT - LEFT - 0.1 * gaps) / sum(shares))
        gap = (RIGHT - LEFT - height * sum(shares)) / max(gaps, 1) if gaps else 0.1
        captions = [
            broken(one.caption, share * height + 0.8 * gap, 6.2)
            for one, share in zip(pictures, shares, strict=True)
        ]
        below = NEXT * max(map(len, captions))
        self._need(height + below)
        x = LEFT
        for one, share, caption in zip(pictures, shares, captions, strict=True):
            self._picture(one, x, self.y - height, share * height, height, caption)
            x += share * height + gap
        self.y -= height + below + 0.1

    def _picture(
        self, one: Picture, x: float, y: float, width: float, height: float, caption: Sequence[str]
    ) -> None:
        axes = self._axes(x, y, width, height)
        axes.imshow(one.image, aspect="auto", interpolation="antialiased")
        axes.set_axis_off()
        for n, words in enumerate(caption, start=1):
            self._write(x, y - NEXT * n, words, 6.2, QUIET)

    def _step(self, step: Step) -> None:
        """Put a picture down, and beside it what happened then."""
        several = len(step.sentences) > 1
        said = [f"{when}  {words}" if several else words for when, words in step.sentences]
        x = LEFT + PICTURE + 0.2
        lines = 1 + sum(len(broken(words, RIGHT - x, SAID)) for words in said)
        high, wide = step.picture.image.shape[:2]
        tall = min(PICTURE * high / wide, STEP)
        self._need(max(tall, SAID_ROW * lines) + 0.2)
        top = self.y - 0.06
        self._picture(
            step.picture, LEFT, top - tall, tall * wide / high, tall, [step.picture.caption]
        )
        self.y = top - SAID_ROW
        self._write(x, self.y, step.when, 8.5, bold=True)
        for words in said:
            self._say(words, x, RIGHT - x)
        self.y = min(self.y, top - tall) - 0.14

    # Plots.

    def _plots(self, plots: Sequence[Panel | Chart]) -> None:
        for n in range(0, len(plots), 2):
            self._need(PLOT + BELOW)
            for side, one in enumerate(plots[n : n + 2]):
                self._plot(one, LEFT + side * (HALF + GAP), self.y, PLOT)
            self.y -= PLOT + BELOW

    def _plot(self, of: Panel | Chart, x: float, y: float, height: float) -> None:
        left = names_room(of, 0.42, 1.15)
        axes = self._axes(x + left, y - height + 0.05, HALF - left - 0.04, height - 0.42)
        if isinstance(of, Panel):
            draw_panel(axes, of.curves, bands=of.bands, beside=False)
            draw_spans(axes, of.spans, size=5.6)
            axes.set_xlabel(of.x_label)
            _small_legend(axes)
        else:
            draw_chart(axes, of, size=5.8)
        title = "\n".join(broken(of.title, HALF, 7.5, bold=True))
        axes.set_title(title, fontsize=7.5, x=-left / (HALF - left - 0.04), parse_math=False)
        axes.xaxis.label.set_fontsize(6.5)
        axes.xaxis.labelpad = 1.5
        axes.yaxis.label.set_fontsize(6.5)
        axes.tick_params(labelsize=6)

    # Tables.

    def _beside(self, parts: Sequence[Panel | Table]) -> None:
        """Fill two columns, each part in the one that is higher; what is wide goes across both."""
        ys = [self.y, self.y]
        for part in parts:
            side = 0 if ys[0] >= ys[1] else 1
            tall = (PULSE + BELOW if isinstance(part, Panel) else self._tall(part)) * self.scale
            if tall > max(ys) - BOTTOM and tall <= TOP - 0.3 - BOTTOM:
                self._turn()
                ys, side = [self.y, self.y], 0
            if isinstance(part, Table) and (len(part.heads) > 6 or tall > max(ys) - BOTTOM):
                self.y = min(ys)
                self._across(part)
                ys = [self.y, self.y]
                continue
            x = LEFT + side * (HALF + GAP)
            if isinstance(part, Panel):
                self._plot(part, x, ys[side], PULSE * self.scale)
            else:
                laid = self._laid(part, HALF)
                self.y = ys[side]
                self._rows(part, laid, x, HALF, 0, len(part.rows))
                self._notes(laid, x)
            ys[side] -= tall
        self.y = min(ys)

    def _across(self, table: Table) -> None:
        """Put a table over the whole width; rows that find no room go on with the next page."""
        laid = self._laid(table, RIGHT - LEFT)
        tall, few = self._tall(table, RIGHT - LEFT) * self.scale, laid.top + 4 * ROW
        if tall < 0.4 * (TOP - BOTTOM):
            self._need(tall)
        self._need(few * self.scale)
        start = 0
        while True:
            room, end = (self.y - BOTTOM) / self.scale - laid.top, start
            while end < len(laid.rows) and (room := room - laid.high(end)) >= 0.0:
                end += 1
            end = max(end, min(start + 1, len(laid.rows)))
            self._rows(table, laid, LEFT, RIGHT - LEFT, start, end)
            start = end
            if start == len(laid.rows):
                break
            self._turn()
        self._notes(laid, LEFT)

    def _tall(self, table: Table, width: float = HALF) -> float:
        """How high a table is, before scaling."""
        laid = self._laid(table, width)
        rows = sum(laid.high(n) for n in range(len(laid.rows)))
        return laid.top + rows + NOTE_ROW * len(laid.notes) + 0.06

    def _laid(self, table: Table, width: float) -> _Laid:
        edges = [width * sum(table.widths[:n]) for n in range(len(table.widths) + 1)]
        rooms = [end - start - 0.06 for start, end in pairwise(edges)]
        size = SIZE * self.scale
        return _Laid(
            edges,
            [broken(words, room, size, bold=True) for words, room in zip(table.heads, rooms, strict=False)],
            [
                [broken(cell.text, room, size, bold=_is_bold(cell)) for cell, room in zip(row, rooms, strict=False)]
                for row in table.rows
            ],
            [line for note in table.notes for line in broken(note, width, NOTE * self.scale)],
        )  # fmt: skip

    def _rows(
        self, table: Table, laid: _Laid, x: float, width: float, start: int, end: int
    ) -> None:
        """Write title, head and some of the rows of a table; from the second time on its head is there again."""
        scale, size, again = self.scale, SIZE * self.scale, start > 0
        y = self.y - 0.19 * scale
        title = cut(table.title, width, 8, bold=True) if again else table.title
        self._write(x, y, title, 8, bold=True, again=again)
        y -= 0.15 * scale
        numbers = [cell.number for cell in table.rows[0]] if table.rows else []
        numbers += [False] * (len(laid.head) - len(numbers))
        for n, lines in enumerate(laid.head):
            at = x + (laid.edges[n + 1] - 0.06 if numbers[n] else laid.edges[n])
            for k, words in enumerate(lines):
                self._write(at, y - NEXT * scale * k, words, size, QUIET, bold=True, right=numbers[n], again=again)  # fmt: skip
        y = self.y - laid.top * scale
        self._line(x, x + width, y, LINE, 0.9)
        for number in range(start, end):
            first = y - 0.75 * ROW * scale
            for n, (cell, lines) in enumerate(zip(table.rows[number], laid.rows[number], strict=True)):  # fmt: skip
                left, right = x + laid.edges[n], x + laid.edges[n + 1]
                if cell.share is not None:
                    self._bar(left + 0.02, first, right - left - 0.42, cell)
                for k, words in enumerate(lines):
                    self._write(
                        right - 0.06 if cell.number else left, first - NEXT * scale * k, words, size,
                        TONES[cell.tone], bold=_is_bold(cell), right=cell.number,
                    )  # fmt: skip
            y -= laid.high(number) * scale
            self._line(x, x + width, y, FAINT, 0.4)
        self.y = y

    def _notes(self, laid: _Laid, x: float) -> None:
        for line in laid.notes:
            self._need(NOTE_ROW * self.scale)
            self.y -= NOTE_ROW * self.scale
            self._write(x, self.y, line, NOTE * self.scale, QUIET)
        self.y -= 0.06 * self.scale

    def _bar(self, x: float, y: float, width: float, cell: Cell) -> None:
        assert cell.share is not None
        if width > 0.1:
            self._box(x, y + 0.01, width, 0.045, FAINT)
            self._box(x, y + 0.01, width * min(max(cell.share, 0.0), 1.0), 0.045, TONES[cell.tone])


def _is_bold(cell: Cell) -> bool:
    return cell.tone in ("good", "near", "bad")


def _small_legend(axes: Axes) -> None:
    """Make a legend again in small letters, its names as long as there is room."""
    legend = axes.get_legend()
    if legend is not None:
        handles, labels = axes.get_legend_handles_labels()
        legend.remove()
        axes.legend(handles, [cut_inside(w, 1.5, 5.6) for w in labels], fontsize=5.6, loc="best",
                    handlelength=1.6, borderaxespad=0.2)  # fmt: skip
        clear_legend(axes)
