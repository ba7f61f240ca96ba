"""Ask how a movie should be, write it picture by picture, and let people cancel."""

from __future__ import annotations

from copy import copy
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDoubleSpinBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app import texts
from app.look import Theme
from app.movie.film import Film, Shot, instants
from app.movie.writing import MovieError, Writer
from app.picture import CannotDraw
from app.study.player import SPEEDS
from app.study.record import RunRecord
from app.study.showing import Showing
from app.told import told

_SIZES = ((1280, 720), (1920, 1080), (960, 540), (720, 720))
_RATE = 30.0


class MovieDialog(QDialog):
    """Film a run from where the scene is seen now."""

    written = Signal(Path)

    def __init__(
        self, record: RunRecord, camera: Any, showing: Showing, theme: Theme, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(texts.outputs.MOVIE_TITLE)
        assert record.trajectory is not None
        self.record, self._camera, self._showing, self._theme = record, camera, showing, theme
        end = 1e3 * float(record.trajectory.time[-1])
        self.start, self.end = _time(0.0, end), _time(end, end)
        self.speed = QComboBox()
        for speed in SPEEDS:
            self.speed.addItem(texts.panels.REAL_TIME if speed == 1.0 else f"× {speed:g}", speed)
        self.speed.setCurrentIndex(SPEEDS.index(0.02))
        self.size_ = QComboBox()
        for width, height in _SIZES:
            self.size_.addItem(f"{width} × {height}", (width, height))
        self.title = QLineEdit(record.project.title)
        self.length = QLabel(objectName="muted")
        form = QFormLayout()
        for label, field in (
            (texts.outputs.FROM, self.start),
            (texts.outputs.TO, self.end),
            (texts.outputs.SPEED, self.speed),
            (texts.outputs.SIZE, self.size_),
            (texts.outputs.WORDS, self.title),
            ("", self.length),
        ):
            form.addRow(label, field)
        self.progress = QProgressBar()
        self.progress.hide()
        self.complaint = QLabel(objectName="error", wordWrap=True)
        self.complaint.hide()
        self.write_button = QPushButton(texts.outputs.WRITE, objectName="primary", default=True)
        self.cancel_button = QPushButton(texts.outputs.CLOSE)
        self.write_button.clicked.connect(self._ask)
        self.cancel_button.clicked.connect(self.reject)
        buttons = QHBoxLayout()
        buttons.addStretch()
        buttons.addWidget(self.cancel_button)
        buttons.addWidget(self.write_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 20, 16)
        layout.setSpacing(12)
        layout.addLayout(form)
        layout.addWidget(self.complaint)
        layout.addWidget(self.progress)
        layout.addLayout(buttons)
        self._film: Film | None = None
        self._writer: Writer | None = None
        self._left: list[float] = []
        self._tick = QTimer(self, interval=0)
        self._tick.timeout.connect(self._draw_one)
        for signal in (self.start.valueChanged, self.end.valueChanged, self.speed.activated):
            signal.connect(lambda _: self._tell_length())
        self._tell_length()

    def write(self, file: Path) -> None:
        """Begin to write; the window stays alive, and `written` tells of the end."""
        size = self.size_.currentData()
        shown = self._showing
        shot = Shot(
            size,
            rides_on=shown.replay.rider,
            theme=self._theme,
            title=self.title.text().strip(),
            sights=shown.sights,
            trails=shown.trails,
        )
        self.complaint.hide()
        try:
            self._writer = Writer(file, size, _RATE)
            assert self.record.trajectory is not None
            self._film = Film(
                self.record.project,
                self.record.trajectory,
                shot,
                copy(self._camera),
                shown.beside_run,
            )
        except (MovieError, CannotDraw) as failure:
            self._give_up(str(failure))
            return
        self._left = list(self._instants())
        self.progress.setRange(0, len(self._left))
        self.progress.setValue(0)
        self.progress.show()
        self.write_button.setEnabled(False)
        self.cancel_button.setText(texts.outputs.CANCEL)
        self._tick.start()

    @told
    def reject(self) -> None:
        """Cancel what is being written, and close."""
        self._give_up("")
        super().reject()

    def _instants(self) -> np.ndarray[Any, Any]:
        start, end = 1e-3 * self.start.value(), 1e-3 * self.end.value()
        return instants(start, max(end, start + 1e-6), float(self.speed.currentData()), _RATE)

    def _tell_length(self) -> None:
        count = len(self._instants())
        self.length.setText(texts.outputs.MOVIE_LENGTH.format(count=count, seconds=count / _RATE))
        self.write_button.setEnabled(self.end.value() > self.start.value())

    def _ask(self) -> None:
        name, _ = QFileDialog.getSaveFileName(
            self, texts.outputs.MOVIE_TITLE, "run.mp4", texts.outputs.MOVIE_FILES
        )
        if name:
            self.write(Path(name))

    def _draw_one(self) -> None:
        assert self._film is not None
        assert self._writer is not None
        try:
            self._writer.add(self._film.picture(self._left.pop(0)))
            self.progress.setValue(self.progress.value() + 1)
            if self._left:
                return
            path = self._writer.finish()
        except MovieError as failure:
            self._give_up(str(failure))
            return
        self._writer = None
        self._stop()
        self.written.emit(path)
        self.accept()

    def _stop(self) -> None:
        self._tick.stop()
        if self._film is not None:
            self._film.close()
            self._film = None
        self.progress.hide()
        self.write_button.setEnabled(True)
        self.cancel_button.setText(texts.outputs.CLOSE)

    def _give_up(self, why: str) -> None:
        if self._writer is not None:
            self._writer.abandon()
            self._writer = None
        self._stop()
        self.complaint.setText(why)
        self.complaint.setVisible(bool(why))


def _time(value: float, end: float) -> QDoubleSpinBox:
    box = QDoubleSpinBox(decimals=1, minimum=0.0, maximum=end, suffix=" ms", singleStep=5.0)
    box.setValue(value)
    return box
