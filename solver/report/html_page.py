"""A report as one HTML page that needs nothing beside itself: no script, no font, no other file."""

from __future__ import annotations

import base64
import hashlib
import io
from functools import cache
from typing import TYPE_CHECKING, Any

from solver.base.places import resources
from solver.report.charts import draw_chart, draw_spans, names_room
from solver.report.content import Chart, Content, Panel, Picture, Table
from solver.report.plots.curves import clear_legend, draw_panel, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STYLE = (resources() / "report" / "page.css").read_text(encoding="utf-8")


def policy(script: str = "") -> str:
    """The line that keeps a page from loading anything, and from running any script but this one.

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
    """The page."""
    page: Any = _template().page
    return str(page(content, STYLE, policy())).lstrip()


def table_html(table: Table) -> str:
    """A table in the style of reports."""
    return str(_template().table(table))


@cache
def _template() -> Any:
    """What `resources/report/page.html` can write: pages and their parts. What is filled in is escaped there."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(resources() / "report"),
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined,
    )  # fmt: skip
    made.filters |= {
        "png": lambda picture: _data("png", png_bytes(picture)),
        "plot": _plot,
        "kind": lambda block: type(block).__name__,
    }
    return made.get_template("page.html").module


def _data(kind: str, data: bytes) -> str:
    return f"data:image/{kind};base64,{_text(data)}"


def _plot(of: Panel | Chart, wide: float, high: float) -> str:
    from matplotlib.figure import Figure

    with styled():
        # margins by hand: finding them costs as much as drawing
        figure, left = Figure(figsize=(wide, high)), names_room(of, 0.74, 1.6)
        axes = figure.add_axes((left / wide, 0.46 / high, 1.0 - (left + 0.1) / wide, 1.0 - 0.76 / high))  # fmt: skip
        if isinstance(of, Panel):
            draw_panel(axes, of.curves, bands=of.bands, beside=False)
            draw_spans(axes, of.spans)
            axes.set_title(of.title)
            axes.set_xlabel(of.x_label)
            clear_legend(axes)
        else:
            draw_chart(axes, of)
        drawn = _svg(figure)
    return _data("svg+xml", drawn)


def _svg(figure: Figure) -> bytes:
    """A figure as SVG alone, without the head that names a place on the web."""
    buffer = io.BytesIO()
    figure.savefig(
        buffer, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None}
    )
    whole = buffer.getvalue()
    return whole[whole.index(b"<svg") :]


def png_bytes(picture: Picture) -> bytes:
    """A picture as PNG."""
    from matplotlib.image import imsave

    buffer = io.BytesIO()
    imsave(buffer, picture.image, format="png")
    return buffer.getvalue()


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
