"""The pages of studies and bench tests in a PDF: each begins a page."""

from __future__ import annotations

from dataclasses import replace

from solver.report.charts import draw_chart
from solver.report.content import Bars, Chart, Content, Panel, Section, Table, Verdict
from solver.report.pdf_page import BOTTOM, HALF, HEIGHT, LEFT, RIGHT, WIDTH, Page, cut, wrapped

CHART = 2.0
"""Height of a chart (in)."""
_VERDICT_LETTERS = 1.42
"""Sentences stand in larger letters than notes: so much wider."""


def study_pages(content: Content) -> list[Page]:
    """Give the pages of all sections."""
    return [page for section in content.studies for page in _Filled(content, section).pages]


class _Filled:
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
