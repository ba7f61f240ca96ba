"""A fit in the window says what it cannot tell apart, and a report takes the studies that are ticked."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QCheckBox, QFileDialog

import manikin as mk
from app.features.studies.results import Fitted
from app.widgets.sheet import Sheet
from tests.report.test_report_studies import model
from tests.window.waiting import once_modal, until

pytestmark = pytest.mark.window


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a project, and beside it two of its studies as the window names them."""
    out = tmp_path_factory.mktemp("beside") / "block.json"
    whole = model()
    whole.save(out)
    for name in ("a_fit", "a_grid"):
        mk.study(whole, name, out.with_name(f"block_{name}.study.h5"), workers=0)
    return out


def test_a_fit_says_what_cannot_be_told_apart(window: Any, file: Path) -> None:
    window.bench.study_asked.emit(file.with_name("block_a_fit.study.h5"))
    results = window.features["studies"].panel.results
    view = results.tabs.currentWidget()
    assert isinstance(view, Fitted)
    assert "do not tell 'two', 'one' apart" in view.apart.text().replace("'one', 'two'", "'two', 'one'")  # fmt: skip
    assert not view.apart.isHidden()
    cells = [view.table.item(row, 2).text() for row in range(view.table.rowCount())]
    assert cells == ["not determined", "not determined"]
    assert view.curves.item(0, 1).text() == "place_x"


def test_a_report_asks_which_studies_it_shall_hold(
    window: Any, qtbot: Any, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.open_file(file)
    window.bench.run_view.run()
    qtbot.waitUntil(lambda: window.bench.run_view.runs.running() is None, timeout=240_000)
    page = tmp_path / "report.html"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(page), ""))
    seen: list[str] = []

    def answer(sheet: Any) -> None:
        assert isinstance(sheet, Sheet)
        boxes = sheet.findChildren(QCheckBox)
        seen.extend(box.text() for box in boxes)
        boxes[seen.index("a_fit")].setChecked(False)
        sheet.accept()

    once_modal(answer)
    window.bench.commands.run("run.report")
    assert seen == ["a_grid", "a_fit"]
    qtbot.waitUntil(page.exists, timeout=240_000)
    text = page.read_text(encoding="utf-8")
    assert "Study: a_grid" in text
    assert "Study: a_fit" not in text
    page.unlink()
    once_modal(lambda sheet: sheet.reject())
    window.bench.commands.run("run.report")
    until(lambda: not any(one.name == "task" for one in threading.enumerate()))
    assert not page.exists()
