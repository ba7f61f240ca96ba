"""Where something is written: the ending fits what was chosen, and nothing is replaced unasked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from app.widgets.asking import ask_where

pytestmark = pytest.mark.window
KINDS = "Drawing (*.svg);;PDF (*.pdf);;Pictures (*.png *.jpg)"
SVG, PDF, PICTURES = KINDS.split(";;")
ANYTHING = "Projects (*.json);;All files (*)"


@pytest.mark.parametrize(
    ("offered", "kinds", "typed", "kind", "wanted"),
    [
        ("curves.svg", KINDS, "mine", PDF, "mine.pdf"),
        ("curves.svg", KINDS, "mine.jpg", SVG, "mine.jpg"),
        ("curves.svg", KINDS, "curves.svg", PDF, "curves.pdf"),
        ("curves.png", KINDS, "curves.png", PICTURES, "curves.png"),
        ("curves.svg", KINDS, "at 0.5 s", SVG, "at 0.5 s.svg"),
        ("a.json", ANYTHING, "b", ANYTHING.split(";;")[1], "b.json"),
        ("a.json", ANYTHING, "b.txt", ANYTHING.split(";;")[1], "b.txt"),
        ("curves.svg", KINDS, "", "", ""),
    ],
)
def test_the_ending_is_that_of_the_chosen_kind(
    offered: str, kinds: str, typed: str, kind: str, wanted: str, qtbot: Any, monkeypatch: Any
) -> None:
    begun: list[str] = []

    def answered(*given: Any) -> tuple[str, str]:
        begun.append(given[4])
        return typed, kind

    monkeypatch.setattr(QFileDialog, "getSaveFileName", answered)
    parent = QWidget()
    qtbot.addWidget(parent)
    assert ask_where(parent, "Save", offered, kinds) == wanted
    assert Path(offered).suffix in begun[0], "files of the offered kind are listed"


@pytest.mark.parametrize("answer", ["Yes", "No"])
def test_what_is_there_under_the_whole_name_is_asked_for(
    answer: str, qtbot: Any, tmp_path: Path, monkeypatch: Any
) -> None:
    there = tmp_path / "mine.pdf"
    there.write_text("old")
    asked: list[str] = []

    def said(*given: Any) -> Any:
        asked.append(given[2])
        return QMessageBox.StandardButton[answer]

    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "mine"), PDF))
    monkeypatch.setattr(QMessageBox, "question", said)
    parent = QWidget()
    qtbot.addWidget(parent)
    assert ask_where(parent, "Save", "curves.svg", KINDS) == (str(there) if answer == "Yes" else "")
    assert asked == ["mine.pdf is there already. Replace it?"]
