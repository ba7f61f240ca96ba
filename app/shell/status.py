"""The status line: what was done, and what can be done with what is selected."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QPushButton, QStatusBar, QWidget

from app.document import Document
from app.editing.naming import counted
from app.elements import PROJECT, START, element_label, kind_word
from app.fonts import Shortened
from app.with_properties import with_properties
from solver.base.words import msgid, tr

_HINT_NOTHING = msgid(
    "Click something to see its numbers; Insert adds elements; Ctrl+K finds any command."
)

_STAYS_MS = 9000


class StatusLine(QStatusBar):
    """Keep the last sentence for a while, then explain the selection again."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeGripEnabled(False)
        self.setContentsMargins(10, 0, 10, 2)
        self.words = Shortened()
        self.words.say(tr(_HINT_NOTHING))
        self.addWidget(self.words, 1)
        self.open, self.folder = QPushButton(tr("Open")), QPushButton(tr("Show folder"))
        for button in (self.open, self.folder):
            with_properties(button, objectName="link").hide()
            self.addPermanentWidget(button)
        self.offer(None)
        self._hint, self._tool = tr(_HINT_NOTHING), ""
        self._stays = QTimer(self, singleShot=True, interval=_STAYS_MS)
        self._stays.timeout.connect(self._rest)

    def offer(self, file: Path | None) -> None:
        """Offer to open a file that was just written, and its folder; None offers nothing any more."""
        for button in (self.open, self.folder):
            button.setVisible(file is not None)
        self.open.setToolTip(tr("Open {file}", file=file or ""))
        self.folder.setToolTip(tr("Show the folder of {file}", file=file or ""))

    def say(self, sentence: str) -> None:
        """Say what was done."""
        self.words.say(sentence)
        self._stays.start()

    def explain_tool(self, hint: str) -> None:
        """Say how the tool in hand is used, as long as it is; nothing for none."""
        self._tool = hint
        if hint:
            self._stays.stop()
        if not self._stays.isActive():
            self._rest()

    def _rest(self) -> None:
        self.words.say(self._tool or self._hint)

    def explain(self, document: Document | None) -> None:
        """Say what can be done with what is selected; without a document, how to begin."""
        if document is None:
            # what was said before belongs to another page
            self._stays.stop()
            self._hint = tr(
                "Choose a sample to look at, or begin with an empty project. Ctrl+K finds any command."
            )
            self._rest()
            return
        chosen = [path for path in document.chosen if path not in (PROJECT, START)]
        if not chosen:
            self._hint = tr(_HINT_NOTHING)
        elif len(chosen) == 1:
            name = element_label(document.project, chosen[0])
            self._hint = tr(
                "{name}, {kind}. F2 renames, Ctrl+D duplicates, Del deletes.",
                name=name,
                kind=kind_word(chosen[0]),
            )
        else:
            self._hint = tr("{what} selected.", what=counted(chosen).capitalize())
        if not self._stays.isActive():
            self._rest()
