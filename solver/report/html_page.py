"""A report as one HTML page that needs nothing beside itself: no script, no font, no other file."""

from __future__ import annotations

import base64
import hashlib
import io
from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

from solver.base.words import tr
from solver.report.charts import draw_chart, draw_spans
from solver.report.content import Bars, Cell, Chart, Content, Panel, Picture, Story, Table, Verdict
from solver.report.plots.curves import clear_legend, draw_panel, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STYLE = """
:root { --ink:#1e2833; --quiet:#5a6672; --line:#dfe4e9; --good:#1f7a4d; --near:#b26a00; --bad:#b3261e; }
* { box-sizing: border-box; }
body { font: 14px/1.45 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; color: var(--ink);
  margin: 0; background: #eef1f4; }
main { max-width: 1120px; margin: 24px auto; background: #fff; padding: 28px 36px 36px; border-radius: 6px;
  box-shadow: 0 1px 4px rgba(20,30,40,.12); }
h1 { font-size: 24px; margin: 0; line-height: 1.25; } h2 { font-size: 15px; margin: 26px 0 8px; }
h2.part { font-size: 19px; margin-top: 40px; border-top: 2px solid var(--line); padding-top: 16px; }
.sub { color: var(--quiet); margin: 2px 0 14px; }
.verdicts { list-style: none; margin: 0 0 18px; padding: 0; }
.verdicts li { padding: 7px 12px; margin: 0 0 4px; border-left: 5px solid var(--line); background: #f6f8fa;
  font-weight: 600; }
.verdicts .good { border-color: var(--good); } .verdicts .near { border-color: var(--near); }
.verdicts .bad { border-color: var(--bad); color: var(--bad); }
.pictures { display: flex; gap: 14px; justify-content: space-between; align-items: flex-start; margin: 0 0 6px; }
figure { margin: 0; min-width: 0; } figure img { display: block; width: 100%; height: auto; }
figcaption { color: var(--quiet); font-size: 12px; margin-top: 4px; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(420px, 1fr)); gap: 6px 32px; align-items: start; }
.curves { display: grid; grid-template-columns: 1fr 1fr; gap: 14px 26px; }
table { border-collapse: collapse; width: 100%; font-size: 12.5px; table-layout: fixed; }
th { text-align: left; font-weight: 600; color: var(--quiet); border-bottom: 1.5px solid #c3ccd4; padding: 3px 6px 3px 0;
  vertical-align: bottom; }
td { border-bottom: 1px solid var(--line); padding: 3px 6px 3px 0; vertical-align: top; overflow-wrap: anywhere; }
.n { text-align: right; font-variant-numeric: tabular-nums; padding-right: 12px; }
td.n { white-space: nowrap; } th { overflow-wrap: break-word; hyphens: auto; }
.muted { color: var(--quiet); } td.good { color: var(--good); font-weight: 600; }
td.near { color: var(--near); font-weight: 600; } td.bad { color: var(--bad); font-weight: 700; }
.share { display: flex; align-items: center; gap: 8px; justify-content: flex-end; }
.bar { flex: 1 1 0; height: 6px; background: var(--line); border-radius: 3px; min-width: 12px; }
.bar i { display: block; height: 6px; border-radius: 3px; background: currentColor; }
.notes { color: var(--quiet); font-size: 12px; margin: 5px 0 0; }
.step { display: grid; grid-template-columns: 300px 1fr; gap: 6px 24px; border-top: 1px solid var(--line); padding: 10px 0;
  break-inside: avoid; } .step h3 { font-size: 15px; margin: 0 0 4px; } .step p { margin: 0 0 5px; }
.step b { color: var(--quiet); font-weight: 600; margin-right: 4px; } .step img { max-height: 190px; object-fit: contain; }
.log { font: 11.5px/1.45 ui-monospace, Consolas, Menlo, monospace; color: var(--quiet); columns: 2; margin: 0;
  padding: 0; list-style: none; overflow-wrap: anywhere; }
@media (max-width: 760px) { .curves { grid-template-columns: 1fr; } .pictures { flex-wrap: wrap; } main { padding: 16px; } }
@media print { body { background: #fff; font-size: 9.5px; } main { box-shadow: none; margin: 0; padding: 0; max-width: none; }
  table { font-size: 8.5px; } h1 { font-size: 17px; } h2 { font-size: 11px; margin: 9px 0 3px; }
  h2.part { font-size: 15px; } td, th { padding: 1px 4px 1px 0; }
  .verdicts li { padding: 3px 8px; margin-bottom: 2px; } .pair { grid-template-columns: 1fr 1fr; gap: 4px 18px; }
  .later { break-before: page; } figure, tr { break-inside: avoid; } .sub { margin-bottom: 6px; }
  figcaption, .notes { font-size: 8px; margin-top: 2px; } @page { size: A4; margin: 12mm; }
  .step { grid-template-columns: 150px 1fr; padding: 4px 0; } .step h3 { font-size: 10px; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
"""


def policy(script: str = "") -> str:
    """Give the line that keeps a page from loading anything, and from running any script but this one.

    What it shows stands in it: pictures as data. A name that came through as HTML would still do nothing
    (W3C, Content Security Policy Level 3).
    """
    own = f"'sha256-{_text(hashlib.sha256(script.encode()).digest())}'" if script else "'none'"
    rules = (
        "default-src 'none'", f"script-src {own}", "style-src 'unsafe-inline'", "img-src data:",
        "base-uri 'none'", "form-action 'none'",
    )  # fmt: skip
    return f'<meta http-equiv="Content-Security-Policy" content="{"; ".join(rules)}"/>'


def as_html(content: Content) -> str:
    """Give the page."""
    return "\n".join(_lines(content)) + "\n"


def _lines(content: Content) -> Iterator[str]:
    title = escape(content.title)
    yield "<!DOCTYPE html>"
    yield '<html lang="en">'
    yield f'<head>\n<meta charset="utf-8"/>\n{policy()}\n<title>{title}</title>'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1"/>'
    yield f"<style>{STYLE}</style>\n</head>\n<body>\n<main>"
    yield f'<h1>{title}</h1>\n<p class="sub">{escape(content.subtitle)}</p>'
    yield _verdicts(content.verdicts)
    yield '<div class="pictures">'
    wide = sum(p.image.shape[1] for p in content.pictures) or 1
    for picture in content.pictures:
        yield _picture(picture, picture.image.shape[1] / wide)
    yield "</div>"
    if content.regions is not None:
        yield table_html(content.regions)
    for story in content.stories:
        yield from _story(story)
    if content.injury.rows or content.injury.notes:
        yield table_html(content.injury)
    yield '<div class="pair">'
    if content.pulse is not None:
        yield f"<div>{_panel(content.pulse, (5.2, 2.3))}</div>"
    for table in content.tables:
        yield f"<div>{table_html(table)}</div>"
    yield "</div>"
    yield table_html(content.settings)
    if content.panels:
        yield f'<h2 class="later">{escape(tr("Curves"))}</h2>\n<div class="curves">'
        for panel in content.panels:
            yield _panel(panel, (5.2, 2.7))
        yield "</div>"
    for section in content.studies:
        yield f'<h2 class="later part">{escape(section.title)}</h2>'
        yield _verdicts(section.verdicts)
        yield '<div class="curves">'
        for chart in section.charts:
            yield _chart(chart, (5.2, 2.9))
        for panel in section.panels:
            yield _panel(panel, (5.2, 2.7))
        yield "</div>"
        for table in section.tables:
            yield table_html(table)
    for heading, lines in content.lists:
        yield f'<h2>{escape(heading)}</h2>\n<ul class="log">'
        for line in lines:
            yield f"<li>{escape(line)}</li>"
        yield "</ul>"
    yield "</main>\n</body>\n</html>"


def _verdicts(verdicts: Sequence[Verdict]) -> str:
    lines = (f'<li class="{one.tone}">{escape(one.text)}</li>' for one in verdicts)
    return "\n".join(('<ul class="verdicts">', *lines, "</ul>"))


def _story(story: Story) -> Iterator[str]:
    yield f'<h2 class="later part" id="story">{escape(story.title)}</h2>'
    for words in story.lead:
        yield f"<p>{escape(words)}</p>"
    for step in story.steps:
        yield f'<div class="step">{_picture(step.picture, 1.0)}<div><h3>{escape(step.when)}</h3>'
        several = len(step.sentences) > 1
        for when, words in step.sentences:
            lead = f"<b>{escape(when)}</b>" if several else ""
            yield f"<p>{lead}{escape(words)}</p>"
        yield "</div></div>"
    for table in story.tables:
        yield table_html(table)


def table_html(table: Table) -> str:
    """Give a table in the style of reports."""
    out = [f"<h2>{escape(table.title)}</h2>", "<table>", "<colgroup>"]
    out += [f'<col style="width:{100.0 * w:.1f}%"/>' for w in table.widths]
    out.append("</colgroup>\n<thead><tr>")
    first = table.rows[0] if table.rows else ()
    for n, head in enumerate(table.heads):
        side = ' class="n"' if n < len(first) and first[n].number else ""
        out.append(f"<th{side}>{escape(head)}</th>")
    out.append("</tr></thead>\n<tbody>")
    for row in table.rows:
        out.append("<tr>" + "".join(_cell(cell) for cell in row) + "</tr>")
    out.append("</tbody>\n</table>")
    for note in table.notes:
        out.append(f'<p class="notes">{escape(note)}</p>')
    return "\n".join(out)


def _cell(cell: Cell) -> str:
    names: list[str] = [cell.tone] if cell.tone != "plain" else []
    if cell.number:
        names.append("n")
    start = f'<td class="{" ".join(names)}">' if names else "<td>"
    if cell.share is not None:
        width = 100.0 * min(max(cell.share, 0.0), 1.0)
        bar = f'<div class="bar"><i style="width:{width:.0f}%"></i></div>'
        return f'{start}<div class="share">{bar}{escape(cell.text)}</div></td>'
    return f"{start}{escape(cell.text)}</td>"


def _picture(picture: Picture, share: float) -> str:
    return (
        f'<figure style="flex:{share:.4f} 1 0"><img alt="{escape(picture.caption)}" '
        f'src="data:image/png;base64,{_text(png_bytes(picture))}"/>'
        f"<figcaption>{escape(picture.caption)}</figcaption></figure>"
    )


def _panel(panel: Panel, size: tuple[float, float]) -> str:
    from matplotlib.figure import Figure

    with styled():
        # margins by hand: finding them costs as much as drawing
        figure = Figure(figsize=size)
        wide, high = size
        axes = figure.add_axes((0.74 / wide, 0.46 / high, 1.0 - 0.84 / wide, 1.0 - 0.76 / high))
        draw_panel(axes, panel.curves, bands=panel.bands, beside=False)
        draw_spans(axes, panel.spans)
        axes.set_title(panel.title)
        axes.set_xlabel(panel.x_label)
        clear_legend(axes)
        drawn = _svg(figure)
    return f'<figure><img alt="{escape(panel.title)}" src="data:image/svg+xml;base64,{_text(drawn)}"/></figure>'


def _chart(chart: Chart, size: tuple[float, float]) -> str:
    from matplotlib.figure import Figure

    with styled():
        figure = Figure(figsize=size)
        wide, high = size
        left = 1.6 if isinstance(chart, Bars) else 0.74
        axes = figure.add_axes((left / wide, 0.46 / high, 1.0 - (left + 0.1) / wide, 1.0 - 0.76 / high))  # fmt: skip
        draw_chart(axes, chart)
        drawn = _svg(figure)
    return f'<figure><img alt="{escape(chart.title)}" src="data:image/svg+xml;base64,{_text(drawn)}"/></figure>'


def _svg(figure: Figure) -> bytes:
    """Give a figure as SVG alone, without the head that names a place on the web."""
    buffer = io.BytesIO()
    figure.savefig(
        buffer, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None}
    )
    whole = buffer.getvalue()
    return whole[whole.index(b"<svg") :]


def png_bytes(picture: Picture) -> bytes:
    """Give a picture as PNG."""
    from matplotlib.image import imsave

    buffer = io.BytesIO()
    imsave(buffer, picture.image, format="png")
    return buffer.getvalue()


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
