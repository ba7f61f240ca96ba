"""Reports as PDF: what stands on a page, and that it finds room there."""

from __future__ import annotations

from dataclasses import replace

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from solver.base.places import samples
from solver.project import load_project
from solver.report import report
from solver.report.content import Verdict
from solver.report.pdf_page import RIGHT, WIDTH, cut_inside, text_width
from solver.report.pdf_pages import figures
from solver.report.plots.curves import styled
from solver.running.simulation import simulate


def test_verdicts_are_written_whole() -> None:
    """What an engineer signs says all of a warning, in lines that have room."""
    words = " ".join(f"‘Right knee block {n}’ went {n} mm too deep," for n in range(20))
    made = report(simulate(load_project(samples() / "pendulum.json")))
    content = replace(made.content, verdicts=(Verdict("bad", words),))
    with styled():
        first = figures(content)[0]
        lines = [one for one in first.texts if "knee block" in one.get_text()]
        drawn_by = FigureCanvasAgg(first).get_renderer()
        box = [one.get_window_extent(drawn_by) for one in lines]
    lines.sort(key=lambda one: -one.get_position()[1])
    assert " ".join(one.get_text() for one in lines) == words
    assert len(lines) > 2
    assert max(b.x1 for b in box) <= RIGHT / WIDTH * first.bbox.width


def test_text_is_measured_as_it_is_drawn() -> None:
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    for words, bold in (("lumbar_compression 12408 N", False), ("Injury figures", True)):
        font = FontProperties(family="DejaVu Sans", weight="bold" if bold else "normal")
        drawn = TextPath((0, 0), words, size=10, prop=font).get_extents().width / 72.0
        assert text_width(words, 10, bold=bold) == pytest.approx(drawn, rel=0.03)


def test_heads_of_contacts_are_whole() -> None:
    content = report(simulate(load_project(samples() / "bouncing_ball.json"))).content
    with styled():
        words = [one.get_text() for page in figures(content) for one in page.texts]
    assert {"peak [kN]", "from–to", "acting", "depth [mm]"} <= set(words)


def test_a_name_is_shortened_inside() -> None:
    """Contacts of a hand with two parts of one dashboard stay two."""
    names = [f"Left hand on dashboard › {part}" for part in ("Panel", "Lower panel")]
    short = [cut_inside(name, 0.95, 5.8) for name in names]
    assert len(set(short)) == 2
    assert all(text_width(one, 5.8) <= 0.95 and "…" in one for one in short)
    assert cut_inside("Ball", 0.95, 5.8) == "Ball"
