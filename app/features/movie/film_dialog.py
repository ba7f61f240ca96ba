"""What a dialog that films has: size, quality, words, progress, and the way to cancel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QLineEdit, QProgressBar, QPushButton, QWidget

from app import texts
from app.features.movie.filming import Filming
from app.forms.choices import Choice
from app.guard import guard
from app.having import having
from app.widgets.sheet import Sheet
from solver.base.words import msgid, tr

_CLOSE = msgid("Close")

Offers = tuple[tuple[str, str], ...]
_QUALITIES: Offers = (
    ("print", msgid("Print: smooth")),
    ("fine", msgid("Fine, as in the window")),
    ("draft", msgid("Draft: quick and rough")),
)


class FilmDialog(Sheet):
    """Ask for a file, film into it step by step while the window stays alive, and let people cancel."""

    written = Signal(Path)

    def __init__(
        self,
        parent: QWidget,
        title: str,
        words: str,
        sizes: Sequence[tuple[int, int]],
        ask_file: Callable[[QWidget], str],
        tips: tuple[str, str],
    ) -> None:
        super().__init__(parent, title, "guide#pictures-movies-and-reports")
        self._ask_file = ask_file
        self.size_, self.quality = Choice(), Choice()
        for width, height in sizes:
            self.size_.addItem(f"{width} × {height}", (width, height))
        for value, name in _QUALITIES:
            self.quality.addItem(tr(name), value)
        self.title = QLineEdit(words)
        self.title.setCursorPosition(0)
        self.progress = QProgressBar()
        self.progress.hide()
        self.complaint = having(QLabel(), objectName="error", wordWrap=True)
        self.complaint.hide()
        self.write_button = having(
            QPushButton(tr(texts.words.WRITE)), objectName="primary", default=True, toolTip=tips[0]
        )
        self.cancel_button = having(QPushButton(tr(_CLOSE)), toolTip=tips[1])
        self.write_button.clicked.connect(self._ask)
        self.cancel_button.clicked.connect(self.reject)
        self._filming: Filming | None = None

    def _lay_out(self) -> None:
        """Put progress and buttons below the fields, once these are there: so the keyboard comes to them."""
        self.column.addLayout(self.form)
        self.column.addWidget(self.complaint)
        self.column.addWidget(self.progress)
        self.add_buttons(self.cancel_button, self.write_button)

    def write(self, file: Path) -> None:
        """Begin to film; the window stays alive, and `written` tells of the end."""
        raise NotImplementedError

    def _begin(self, filming: Filming, count: int) -> None:
        """Film so many pictures, of which it tells; none where it does not."""
        self._filming = filming
        filming.written.connect(self._on_written)
        filming.failed.connect(self._complain)
        self.progress.setRange(0, count)
        self.progress.setValue(0)
        self.progress.show()
        self.write_button.setEnabled(False)
        self.cancel_button.setText(tr(texts.words.CANCEL))
        filming.start()

    @guard
    def reject(self) -> None:
        """Cancel what is being written, and close."""
        if self._filming is not None:
            self._filming.cancel()
        super().reject()

    def _ask(self) -> None:
        name = self._ask_file(self)
        if name:
            self.write(Path(name))

    def _on_written(self, file: Path) -> None:
        self._filming = None
        self.written.emit(file)
        self.accept()

    def _complain(self, why: str) -> None:
        self._filming = None
        self.progress.hide()
        self.write_button.setEnabled(True)
        self.cancel_button.setText(tr(_CLOSE))
        self.complaint.setText(why)
        self.complaint.show()
