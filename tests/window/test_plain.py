"""Names come out of files, and files from anywhere: nothing of them is taken for HTML."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import (
    QApplication,
    QGraphicsTextItem,
    QGraphicsView,
    QInputDialog,
    QLabel,
    QMessageBox,
    QToolTip,
    QWidget,
    QWidgetItem,
)

import app
from app.curves.curves import Curve, Wanted
from app.curves.plot import Plot
from app.plain import PlainStyle
from tests.window.solving import CATCH, solved
from tests.window.waiting import turns, until_exposed

RICH = re.compile(
    r"RichText|MarkdownText|AutoText|setHtml|insertHtml|appendHtml|setMarkdown|insertMarkdown|QStaticText|"
    r"QTextDocument\(|\.setLabel\(|\bhtml=|QGraphicsTextItem|LabelItem|addLegend|setTitle\(|QTextEdit|QMessageBox\.about"
)
KNOWN = {
    "plain.py": 1,  # where all else is made plain
    "curves/chart.py": 1,  # escapes
    "curves/plot.py": 1,  # the readout: names and units are escaped
    "features/editors/course_editor.py": 1,  # numbers and units, escaped
    "features/guide/window.py": 2,  # the program's own pages
    "features/inspector/panel.py": 1,  # escapes
    "features/placing/library_dialog.py": 1,  # escapes
    "shell/commands.py": 1,  # the program's own words
}
"""Where text may be rich, and how often it is said there. Anyone who adds one escapes what names are in it."""

IMAGE = '<img src="file:///probe.png"><b>'
WORDS = ("name", "title", "note", "group", "source", "load_case")


def test_rich_text_is_shown_in_few_places_which_escape() -> None:
    here = Path(app.__file__).parent
    found: Counter[str] = Counter()
    for file in here.rglob("*.py"):
        hits = len(RICH.findall(file.read_text(encoding="utf-8")))
        if hits:
            found[file.relative_to(here).as_posix()] += hits
    assert dict(found) == KNOWN


def hostile(data: Any) -> Any:
    """Give all that people call something a name with a picture in it."""
    if isinstance(data, list):
        return [hostile(one) for one in data]
    if isinstance(data, dict):
        return {
            key: f"{IMAGE}{one}" if key in WORDS and isinstance(one, str) else hostile(one)
            for key, one in data.items()
        }
    return data


def check_texts() -> int:
    """Look at all labels and all texts of plots that are there; counts those with such a name in them."""
    count = 0
    for widget in QApplication.allWidgets():
        if isinstance(widget, QLabel) and widget.isVisible():
            count += "img" in widget.text()
            kind = widget.textFormat()
            assert kind != Qt.TextFormat.AutoText, widget.text()
            assert kind == Qt.TextFormat.PlainText or "<img" not in widget.text()
        if isinstance(widget, QGraphicsView) and widget.scene() is not None:
            for item in widget.scene().items():
                if isinstance(item, QGraphicsTextItem):
                    formats = item.document().allFormats()
                    assert not any(one.isImageFormat() for one in formats), item.toHtml()
    return count


@pytest.mark.window
def test_a_project_of_such_names_is_shown_as_it_is_written(
    window: Any, qtbot: Any, tmp_path: Path
) -> None:
    data = hostile(json.loads(CATCH.read_text(encoding="utf-8")))
    data["runs"] = [data["runs"][0] | {"duration_s": 0.02}]
    data["title"] = f"{IMAGE}The title"
    file = tmp_path / "hostile.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    solved(window, qtbot, file)
    count = 0
    for panel in window.panels.all("left", "right", "below"):
        window.panels.open(panel.name)
        turns()
        count += check_texts()
    assert count > 3
    window.bench.document.select(f"segments/{data['segments'][0]['id']}")
    turns()
    check_texts()


@pytest.mark.window
def test_tips_and_questions_are_plain(window: Any, qtbot: Any) -> None:
    assert isinstance(QApplication.style(), PlainStyle)
    box = QMessageBox(QMessageBox.Icon.Question, "?", f"{IMAGE}a question", parent=window)
    box.setInformativeText(f"{IMAGE}more of it")
    dialog = QInputDialog(window)
    dialog.setLabelText(f"{IMAGE}a number")
    for one in (box, dialog):
        one.open()
        until_exposed(one)
    QToolTip.showText(dialog.mapToGlobal(QPoint(5, 5)), f"{IMAGE}a tip", dialog)
    qtbot.waitUntil(QToolTip.isVisible, timeout=20_000)
    assert check_texts() >= 4
    for one in (box, dialog):
        one.close()
        one.deleteLater()
    QToolTip.hideText()


def test_a_curve_is_named_as_it_is_written(qapp: Any) -> None:
    plot = Plot()
    plot.show_curves([Curve(Wanted("x"), f"{IMAGE}Head", f"{IMAGE}g", np.arange(2.0), np.ones(2))])
    plot.set_time(0.0)
    document = QTextDocument()
    document.setHtml(plot.readout.text())
    assert not any(one.isImageFormat() for one in document.allFormats())
    assert "<img" in document.toPlainText().replace("\N{NO-BREAK SPACE}", " ")
    plot.deleteLater()


def test_a_widget_that_pyside_takes_for_an_item_of_a_layout_raises_nothing(qapp: Any) -> None:
    """It may have a wrapper of what was at its address before."""
    widget = QWidget()
    assert PlainStyle("Fusion").polish(QWidgetItem(widget)) is None
