"""Which studies stand in a report: all that have ended, unless one says otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QCheckBox, QPushButton, QVBoxLayout, QWidget

from app import texts
from app.having import having
from app.widgets.sheet import ask
from solver.base.words import tr

if TYPE_CHECKING:
    from solver.studies import StudyResult


class StudyBoxes(QWidget):
    """Show a box to tick for each study."""

    def __init__(self, studies: Sequence[StudyResult], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._studies = studies
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        self.boxes = list[QCheckBox]()
        for one in studies:
            tip = tr("Write a section of what was varied, what came out, and how it was run")
            box = having(QCheckBox(one.study.name or one.study.id), toolTip=tip, checked=True)
            self.boxes.append(box)
            column.addWidget(box)

    def chosen(self) -> list[StudyResult]:
        """Give the studies that are ticked."""
        return [one for one, box in zip(self._studies, self.boxes, strict=True) if box.isChecked()]


def chosen(parent: QWidget, studies: Sequence[StudyResult]) -> list[StudyResult] | None:
    """Ask which studies shall stand in a report; None where no report is wanted after all."""
    if not studies:
        return []
    boxes = StudyBoxes(studies)
    do = having(
        QPushButton(tr(texts.words.WRITE)), toolTip=tr("Write the report with these studies")
    )
    title, words = tr("Write a report"), tr("Studies")
    return boxes.chosen() if ask(parent, title, "report", words, boxes, do) else None
