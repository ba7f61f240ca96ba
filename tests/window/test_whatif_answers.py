"""What is told of a slider's value before its answer is solved: what lies between answers, and how far off that has been."""

from __future__ import annotations

import math
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from app.features.whatif.answers import Answers, between
from app.run_view.solving import Solving
from solver.base.places import samples
from solver.project import load_project
from solver.project.changes import value_at, with_value
from tests.window.solving import CATCH
from tests.window.test_whatif import TIME, answered, pinned

MASS = "segments/head/mass_kg"


def test_what_lies_between_answers_is_no_farther_off_than_is_told() -> None:
    for bent in (math.sin, math.exp, lambda x: x**3):
        known = [(x, {"a": bent(x)}) for x in (0.0, 0.4, 0.5, 0.9, 1.0)]
        for at in (0.1, 0.45, 0.7, 0.95):
            found = between(known, at)["a"]
            assert abs(found.value - bent(at)) <= found.off, (bent, at)
            assert found.off < 0.3
    # what jumps is told by the jump itself
    steps = [(float(n), {"a": 5.0 if n > 1 else 1.0}) for n in range(4)]
    found = between(steps, 1.5)["a"]
    assert (found.value, found.off) == (3.0, 2.0)
    line = between([(float(n), {"a": 2.0 * n, "b": 0.0}) for n in range(4)], 2.25)
    assert {name: (one.value, one.off) for name, one in line.items()} == {
        "a": (4.5, 0.0),
        "b": (0.0, 0.0),
    }


def test_nothing_is_told_beyond_answers_or_from_too_few() -> None:
    known = [(x, {"a": x}) for x in (1.0, 2.0, 3.0)]
    assert between(known, 0.9) == between(known, 3.1) == between(known[:2], 1.5) == {}
    assert set(between(known, 1.0)) == {"a"}
    assert between([*known, (4.0, {})], 1.5) == {}, "a figure that one has not is told by none"


def test_only_models_that_differ_in_that_field_alone_count() -> None:
    project, answers = load_project(samples() / "airbag_catch.json"), Answers()
    for mass in (3.0, 4.0, 5.0):
        answers.add(with_value(project, MASS, mass), {"HIC": 10.0 * mass})
    wanted = with_value(project, MASS, 4.5)
    assert answers.about(wanted, MASS)["HIC"].value == pytest.approx(45.0)
    assert answers.about(wanted, TIME) == {}
    later = with_value(wanted, TIME, 0.02)
    assert answers.about(later, MASS) == {}
    assert answers.about(wanted, "segments/nobody/mass_kg") == {}
    answers.clear()
    assert answers.about(wanted, MASS) == {}


@pytest.mark.window
def test_an_answer_is_told_about_before_it_is_solved(
    window: Any, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.open_file(CATCH)
    pinned(window)
    panel, document, run_view = (
        window.panels["whatif"],
        window.bench.document,
        window.bench.run_view,
    )
    figures = panel.figures
    for value in (0.012, 0.016, 0.020):
        assert not panel.set_value(TIME, value)
        answered(window, qtbot)
    shown = {line.title: line.cells[-1].words for line in figures.lines}
    assert figures.tree.headerItem().text(2) == "Now"
    # the next one is held at its very start
    begin, held = Solving._asked_to_stop, list[Solving]()

    def hold(solving: Solving) -> bool:
        if not held:
            held.append(solving)
            solving.pause()
        return begin(solving)

    monkeypatch.setattr(Solving, "_asked_to_stop", hold)
    assert not panel.set_value(TIME, 0.018)
    QApplication.processEvents()
    assert value_at(document.project, TIME) == 0.018
    figures._look()
    assert figures.tree.headerItem().text(2) == "About"
    about = {line.title: line.cells[-1].words for line in figures.lines}
    assert about.keys() == shown.keys()
    hic = next(words for title, words in about.items() if "HIC" in title)
    value, off = (float(one) for one in hic.split(" ± "))
    assert off > 0.0
    assert figures.tree.topLevelItem(0).text(3) == "", "what is not solved is not compared"
    assert not figures.tree.topLevelItem(0).font(2).bold()
    qtbot.waitUntil(lambda: bool(held), timeout=240_000)
    figures._look()
    assert figures.tree.headerItem().text(2) == "About"
    assert "from the answers on both sides" in figures.state.text()
    held[0].resume()
    answered(window, qtbot)
    assert figures.tree.headerItem().text(2) == "Now"
    found = run_view.runs.current
    now = next(f.value for f in found.assess().figures if f.name == "HIC")
    assert abs(now - value) <= 3.0 * off
