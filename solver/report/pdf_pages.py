"""A report as a PDF: the verdict on the first page, then the curves, then the studies, then the log."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from solver.base.words import tr
from solver.report.content import Content, Panel, Table
from solver.report.pdf_page import BOTTOM, HALF, LEFT, PANELS, RIGHT, TOP, Page, wrapped
from solver.report.pdf_story import story_pages
from solver.report.pdf_studies import study_pages
from solver.report.plots.style import styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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
    """Tell whether a page shows a panel."""
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
