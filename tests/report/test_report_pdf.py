"""Reports as PDF: what stands on a page, and that it finds room there."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ET
from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from solver.base.places import samples
from solver.project import load_project
from solver.report import report
from solver.report.content import Bar, Bars, Block, Content, Heights, Section, Verdict
from solver.report.html_page import as_html
from solver.report.pdf_lines import broken, cut_inside, text_width
from solver.report.pdf_page import AGAIN, LEFT, RIGHT, WIDTH, figures
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


def test_a_long_title_stands_whole_on_the_page() -> None:
    made = report(simulate(load_project(samples() / "pendulum.json")))
    words = [f"part{n:02}" for n in range(40)]
    with styled():
        first = figures(replace(made.content, title=" ".join(words)))[0]
    lines = [one for one in first.texts if one.get_text().startswith("part")]
    lines.sort(key=lambda one: -one.get_position()[1])
    assert " ".join(one.get_text() for one in lines).split() == words


def test_text_is_measured_as_it_is_drawn() -> None:
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    for words, bold in (("lumbar_compression 12408 N", False), ("Injury figures", True)):
        font = FontProperties(family="DejaVu Sans", weight="bold" if bold else "normal")
        drawn = TextPath((0, 0), words, size=10, prop=font).get_extents().width / 72.0
        assert text_width(words, 10, bold=bold) == pytest.approx(drawn, rel=0.03)


def bare(words: str) -> str:
    """Leave out what is only between words."""
    return "".join(words.split())


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Content:
    """All that a report may say: a run explained, with curves, lists, and a section with charts."""
    project = load_project(samples() / "lap_belt.json")
    short = project.runs[0].model_copy(update={"duration_s": 0.08})
    run = simulate(project.model_copy(update={"runs": (short,)}))
    content = report(run, labels=["sled"], explained=True).content
    charts = (
        Bars("What matters", (Bar("belt", (1.0, 2.0)), Bar("seat", (-1.0,)))),
        Heights("How they spread", np.arange(9.0), "HIC"),
    )
    verdicts = (Verdict("near", "A sentence about many runs. " * 12), Verdict("good", "Well."))
    section = Section("A study", verdicts, (content.injury,), charts, content.panels[:3])
    return replace(content, studies=(section,))


def test_a_page_and_a_pdf_say_the_same_in_the_same_order(told: Content) -> None:
    root = ET.fromstring(as_html(told).split("\n", 1)[1])
    (body,) = root.iter("body")
    with styled():
        pages = figures(told)
    texts = [one for page in pages for one in page.texts if one.get_gid() != AGAIN]
    assert bare("".join(one.get_text() for one in texts)) == bare("".join(body.itertext()))
    plots = [one.get("alt", "") for one in body.iter("img") if "svg" in one.get("src", "")[:20]]
    drawn = [axes.get_title("left") for page in pages for axes in page.axes if axes.axison]
    assert [bare(one) for one in drawn] == [bare(one) for one in plots]
    count = sum("png" in one.get("src", "")[:20] for one in body.iter("img"))
    assert sum(not axes.axison for page in pages for axes in page.axes) == count > 5
    assert len(plots) > len(told.panels) + 4
    # both have all kinds of parts, the verdict first and lists last
    kinds = [type(one).__name__ for one in told.blocks()]
    assert set(kinds) == {one.__name__ for one in get_args(Block)}
    assert kinds[:3] == ["Head", "Verdicts", "Strip"]
    assert kinds[-1] == "Lists"


def test_nothing_stands_beside_a_page_or_over_something_else(told: Content) -> None:
    with styled():
        for page in figures(told):
            by = FigureCanvasAgg(page).get_renderer()
            boxes = [one.get_window_extent(by) for one in page.texts if one.get_text()]
            assert min(b.x0 for b in boxes) >= LEFT / WIDTH * page.bbox.width - 1
            assert max(b.x1 for b in boxes) <= RIGHT / WIDTH * page.bbox.width + 1
            assert min(b.y0 for b in boxes) > 0.0
            boxes += [one.get_tightbbox(by) for one in page.axes]
            for n, one in enumerate(boxes):
                for other in boxes[:n]:
                    wide = min(one.x1, other.x1) - max(one.x0, other.x0)
                    high = min(one.y1, other.y1) - max(one.y0, other.y0)
                    assert min(wide, high) < 2.0, "letters may touch by a pixel"


def test_words_are_broken_where_they_may_be_and_nothing_is_left_out() -> None:
    rng = random.Random(46)
    for _ in range(300):
        letters = "".join(rng.choice("abcmWI.,;–-/_ ") for _ in range(rng.randrange(1, 90)))
        width, bold = rng.uniform(0.2, 2.0), rng.random() < 0.5
        lines = broken(letters, width, 6.4, bold=bold)
        assert bare("".join(lines)) == bare(letters)
        assert all(len(one) == 1 or text_width(one, 6.4, bold=bold) <= width for one in lines)
    assert broken("from–to", text_width("from–", 6.4), 6.4) == ["from–", "to"]
    assert broken("a word", 2.0, 6.4) == ["a word"]
    assert broken("", 2.0, 6.4) == [""]


def test_a_name_is_shortened_inside() -> None:
    """Contacts of a hand with two parts of one dashboard stay two."""
    names = [f"Left hand on dashboard › {part}" for part in ("Panel", "Lower panel")]
    short = [cut_inside(name, 0.95, 5.8) for name in names]
    assert len(set(short)) == 2
    assert all(text_width(one, 5.8) <= 0.95 and "…" in one for one in short)
    assert cut_inside("Ball", 0.95, 5.8) == "Ball"
