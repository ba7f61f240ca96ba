"""A report as a PDF: the verdict on the first page, then the curves, then the studies, then the log."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from solver.base.words import tr
from solver.report.charts import draw_chart
from solver.report.content import Bars, Chart, Content, Panel, Section, Step, Story, Table, Verdict
from solver.report.pdf_page import (
    BOTTOM,
    HALF,
    HEIGHT,
    LEFT,
    PANELS,
    RIGHT,
    TOP,
    WIDTH,
    Page,
    cut,
    wrapped,
)
from solver.report.plots.curves import QUIET, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# The pages of a PDF that explain a run: pictures beside sentences.

PICTURE = 1.9
"""Width of a picture (in)."""
LINE = 0.135
WORDS = LEFT + PICTURE + 0.2


def story_pages(content: Content) -> list[Page]:
    """The pages of all runs that are explained."""
    return [page for story in content.stories for page in _StoryPages(content, story).pages]


class _StoryPages:
    """Fill page after page with the steps of a run."""

    def __init__(self, content: Content, story: Story) -> None:
        self._content, self.pages = content, list[Page]()
        self._turn()
        self._page.heading(story.title)
        self._page.y -= 0.06
        for words in story.lead:
            self._say(words, LEFT, RIGHT - LEFT)
        for step in story.steps:
            self._step(step)
        for table in story.tables:
            if self._page.y - self._page.height_of(table, RIGHT - LEFT) < BOTTOM:
                self._turn()
            self._page.y = self._page.table(table, LEFT, RIGHT - LEFT, self._page.y)

    def _turn(self) -> None:
        self._page = Page(self._content)
        self._page.small_head()
        self.pages.append(self._page)

    def _say(self, words: str, x: float, width: float) -> None:
        # sentences stand in larger letters than notes, by which lines are broken
        for line in wrapped(words, width / 1.3):
            self._page.y -= LINE
            self._page.write(x, self._page.y, line, 7.5)

    def _step(self, step: Step) -> None:
        several, lines = len(step.sentences) > 1, 1
        said = [f"{when}  {words}" if several else words for when, words in step.sentences]
        lines += sum(len(wrapped(words, (RIGHT - WORDS) / 1.3)) for words in said)
        high, wide = step.picture.image.shape[:2]
        tall = min(PICTURE * high / wide, 1.5)
        need = max(tall, LINE * lines) + 0.16
        if self._page.y - need < BOTTOM:
            self._turn()
        top = self._page.y - 0.06
        width = tall * wide / high
        box = (LEFT / WIDTH, (top - tall) / HEIGHT, width / WIDTH, tall / HEIGHT)
        axes = self._page.figure.add_axes(box)
        axes.imshow(step.picture.image, aspect="auto", interpolation="antialiased")
        axes.set_axis_off()
        self._page.y = top - LINE
        self._page.write(WORDS, self._page.y, step.when, 8.5, bold=True)
        self._page.write(LEFT, top - tall - 0.09, step.picture.caption, 6.2, QUIET)
        for words in said:
            self._say(words, WORDS, RIGHT - WORDS)
        self._page.y = min(self._page.y, top - tall) - 0.14


# The pages of studies and bench tests in a PDF: each begins a page.

CHART = 2.0
"""Height of a chart (in)."""
_VERDICT_LETTERS = 1.42
"""Sentences stand in larger letters than notes: so much wider."""


def study_pages(content: Content) -> list[Page]:
    """The pages of all sections."""
    return [page for section in content.studies for page in _StudyPages(content, section).pages]


class _StudyPages:
    """Fill page after page with what is said in a section."""

    def __init__(self, content: Content, section: Section) -> None:
        self._content, self.pages = content, list[Page]()
        self._turn()
        self._page.heading(section.title)
        self._page.verdicts(_broken(section.verdicts))
        self._page.y -= 0.06
        self._charts(section.charts)
        self._panels(section.panels)
        for table in section.tables:
            self._table(table)

    def _turn(self) -> None:
        self._page = Page(self._content)
        self._page.small_head()
        self.pages.append(self._page)

    def _charts(self, charts: tuple[Chart, ...]) -> None:
        for n in range(0, len(charts), 2):
            if self._page.y - CHART < BOTTOM:
                self._turn()
            for side, chart in enumerate(charts[n : n + 2]):
                _draw(self._page, chart, LEFT + side * (HALF + 0.24))
            self._page.y -= CHART + 0.06

    def _panels(self, panels: tuple[Panel, ...]) -> None:
        for n in range(0, len(panels), 2):
            if self._page.y - CHART < BOTTOM:
                self._turn()
            ends = [
                self._page.curve(panel, LEFT + side * (HALF + 0.24), HALF, self._page.y, CHART)
                for side, panel in enumerate(panels[n : n + 2])
            ]
            self._page.y = min(ends)

    def _table(self, table: Table) -> None:
        """Put a table down; rows that find no room go on with the next page."""
        width = RIGHT - LEFT
        while True:
            room = self._page.y - BOTTOM
            if self._page.height_of(table, width) <= room:
                break
            few = self._page.rows_in(table, width, room)
            if few > 2:
                first = replace(table, rows=table.rows[:few], notes=())
                self._page.y = self._page.table(first, LEFT, width, self._page.y)
                table = replace(table, rows=table.rows[few:])
            self._turn()
        self._page.y = self._page.table(table, LEFT, width, self._page.y)


def _broken(verdicts: tuple[Verdict, ...]) -> list[Verdict]:
    """Break sentences into lines of the page."""
    width = (RIGHT - LEFT) / _VERDICT_LETTERS
    return [Verdict(v.tone, line) for v in verdicts for line in wrapped(v.text, width)]


def _draw(page: Page, chart: Chart, x: float) -> None:
    left = 1.15 if isinstance(chart, Bars) else 0.5
    box = (
        (x + left) / WIDTH, (page.y - CHART + 0.42) / HEIGHT, (HALF - left - 0.05) / WIDTH, (CHART - 0.68) / HEIGHT,
    )  # fmt: skip
    axes = page.figure.add_axes(box)
    draw_chart(axes, chart, size=5.8)
    title = axes.get_title(loc="left")
    axes.set_title(cut(title, HALF, 7.5, bold=True), fontsize=7.5, x=-left / (HALF - left - 0.05))
    axes.xaxis.label.set_fontsize(6.5)
    axes.yaxis.label.set_fontsize(6.5)
    axes.tick_params(labelsize=6)


PULSE_ROOM = 0.3
"""Room (in) below the pulse for its axis."""
SCALES = (1.0, 0.93, 0.86, 0.8)
"""How much the first page may shrink to hold the whole verdict."""


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
    for scale in SCALES:
        first, later = _first_page(content, scale)
        if not later:
            break
    out = [first]
    while later:
        page = Page(content)
        page.small_head()
        left = _two_columns(page, later, [page.y, page.y])
        out.append(page)
        if len(left) == len(later):
            break
        later = left
    out += story_pages(content)
    left_over = (
        () if content.pulse is None or has_curve(first.figure, content.pulse) else (content.pulse,)
    )
    panels = (*left_over, *content.panels)
    for start in range(0, len(panels), PANELS):
        page = Page(content)
        page.small_head()
        page.curves(panels[start : start + PANELS])
        out.append(page)
    out += study_pages(content)
    out += _list_pages(content)
    for number, page in enumerate(out, start=1):
        page.number(number, len(out))
    return [page.figure for page in out]


def _first_page(content: Content, scale: float) -> tuple[Page, list[Table]]:
    """Draw the page of the verdict; give it with the tables that found no room."""
    page = Page(content, scale)
    page.head()
    page.pictures(content.pictures)
    if content.regions is not None:
        page.across(content.regions)
    rest: list[Table] = []
    if content.injury.rows or content.injury.notes:
        first, *rest = _parts(content.injury, page)
        page.across(first)
    beside = [page.y, page.y]
    if content.pulse is not None and page.y - 1.45 * scale - PULSE_ROOM > BOTTOM:
        beside[0] = page.curve(content.pulse, LEFT, HALF, page.y, 1.45 * scale)
    return page, _two_columns(page, [*rest, *content.tables, content.settings], beside)


def has_curve(figure: Figure, panel: Panel) -> bool:
    """Whether a page shows a panel."""
    shown = {axes.get_title(where) for axes in figure.axes for where in ("left", "center")}
    return panel.title in shown


def _parts(table: Table, page: Page) -> list[Table]:
    """Give a table in parts that find room: the first on this page, the others on pages of their own."""
    width = RIGHT - LEFT
    if page.height_of(table, width) <= page.y - BOTTOM:
        return [table]
    rows, parts = table.rows, []
    # the notes stand below the last part
    room = page.y - BOTTOM - page.height_of(replace(table, rows=()), width) + 0.42
    while rows:
        few = max(page.rows_in(table, width, room), 3)
        parts.append(replace(table, rows=rows[:few], notes=()))
        rows, room = rows[few:], 0.8 * (TOP - BOTTOM)
    return [*parts[:-1], replace(parts[-1], notes=table.notes)]


def _two_columns(page: Page, tables: Sequence[Table], ys: list[float]) -> list[Table]:
    """Put tables where there is room, two beside each other; give those that are left."""
    left: list[Table] = []
    for table in tables:
        wide = table.title == tr("Settings") or len(table.heads) > 6
        if wide:
            y, x, width = min(ys), LEFT, RIGHT - LEFT
        else:
            column = 0 if ys[0] >= ys[1] else 1
            y, x, width = ys[column], LEFT + column * (HALF + 0.24), HALF
        if y - page.height_of(table, width) < BOTTOM and y < TOP - 1.0:
            left.append(table)
            continue
        end = page.table(table, x, width, y)
        if wide:
            ys = [end, end]
        else:
            ys[column] = end
    page.y = min(ys)
    return left


def _list_pages(content: Content) -> list[Page]:
    """Print all lists one after the other, in two columns."""
    rows: list[tuple[str, bool]] = []
    for heading, lines in content.lists:
        rows += [("", False)] * bool(rows)
        rows.append((heading, True))
        rows += [(row, False) for line in lines for row in wrapped(line, HALF) or [""]]
    out: list[Page] = []
    each = int((TOP - 0.5 - BOTTOM) / 0.118)
    for start in range(0, len(rows), 2 * each):
        page = Page(content)
        page.small_head()
        page.lines(rows[start : start + each], LEFT)
        page.lines(rows[start + each : start + 2 * each], LEFT + HALF + 0.24)
        out.append(page)
    return out
