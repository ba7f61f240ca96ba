"""The samples of the welcome: tiles with a picture, a title and a line, as many beside each other as fit."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic_core import from_json
from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.guard import guard
from app.having import having
from app.jobs.task import Task
from app.look import Theme
from solver.project import Project, open_project

if TYPE_CHECKING:
    from app.picture import Pictures
    from app.scene.canvas import Canvas

TILE = QSize(300, 284)
GAP, MOST = 16, 4
"""Between tiles, and how many stand beside each other at most."""
PICTURE = QSize(298, 158)


@dataclass(frozen=True, slots=True)
class Sample:
    """Hold what a tile of the welcome says."""

    file: Path
    title: str
    note: str


def shipped_samples() -> list[Sample]:
    """List the samples that come with the program: the default one, then the fullest first."""
    from solver.base.places import DEFAULT_SAMPLE, NotShipped, samples

    try:
        files = sorted(samples().rglob("*.json"))
    except NotShipped:
        return []
    found = []
    for file in files:
        read = _read(file, file.stat().st_mtime_ns)
        if read is not None:
            found.append(read)
    found.sort(key=lambda pair: (pair[1].file.stem != DEFAULT_SAMPLE, -pair[0], pair[1].file))
    return [sample for _, sample in found]


@lru_cache(maxsize=256)
def _read(file: Path, _changed: int) -> tuple[int, Sample] | None:
    """Give the size of a sample and what its tile says, read once as long as the file is the same.

    It is checked when it is opened: to check all of them takes a tenth of the time to the first picture.
    """
    try:
        data = from_json(file.read_bytes())
        segments, title, note = (data.get(name) for name in ("segments", "title", "note"))
    except (OSError, ValueError, AttributeError):
        return None
    note = first_sentence(str(note or "").split("\n", 1)[0])
    return len(segments or ()), Sample(file, str(title or file.stem), note or file.name)


def first_sentence(text: str) -> str:
    """Give the first sentence; a tile has room for no more."""
    end = re.search(r"[.!?](?=\s|$)", text)
    return text if end is None else text[: end.end()]


class Card(QPushButton):
    """Offer one sample: picture, title and a line."""

    def __init__(self, sample: Sample, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        having(self, objectName="card")
        self.sample = sample
        self._drawn: Theme | None = None
        self._project: Project | None = None
        self._reading: Task | None = None
        self.setFixedSize(TILE)
        self.setAccessibleName(sample.title)
        self.setAccessibleDescription(sample.note)
        self.setToolTip(sample.note)
        self.picture = QLabel()
        self.picture.setFixedSize(PICTURE)
        # a line must not break inside 'km/h'
        title = having(
            QLabel(sample.title.replace("/", "\u2060/\u2060")), objectName="tile", wordWrap=True
        )
        note = having(QLabel(sample.note), objectName="muted", wordWrap=True)
        note.setAlignment(Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setContentsMargins(12, 8, 12, 8)
        words.setSpacing(4)
        words.addWidget(title)
        words.addWidget(note, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 1, 1, 1)
        layout.setSpacing(0)
        layout.addWidget(self.picture)
        layout.addLayout(words, 1)
        for label in (self.picture, title, note):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def wanted_height(self) -> int:
        """Give the height at which all words are seen, in letters of the present size."""
        layout = self.layout()
        assert layout is not None
        return layout.totalHeightForWidth(TILE.width())

    def is_drawn(self, theme: Theme) -> bool:
        """Tell whether the picture is there, in these colours."""
        return self._drawn is theme

    def draw(self, pictures: Pictures, theme: Theme) -> None:
        """Draw a part of the sample's start pose in the colours of a theme."""
        assert self._project is not None
        ratio = self.devicePixelRatioF()
        width, height = round(PICTURE.width() * ratio), round(PICTURE.height() * ratio)
        rgba = pictures.part(self._project, (width, height))
        if rgba is None:
            return
        self._project = None
        image = QImage(rgba.tobytes(), width, height, QImage.Format.Format_RGBX8888).copy()
        image.setDevicePixelRatio(ratio)
        self.picture.setPixmap(QPixmap.fromImage(image))
        self._drawn = theme

    def is_read(self) -> bool:
        """Read the project in a thread, with all that is made of it before it is drawn; tells whether it is there."""
        if self._project is not None or self._reading is not None:
            return self._project is not None
        from app.scene.tailor import make_ready

        def ready(project: Project) -> None:
            self._project, self._reading = project, None

        def failed(failure: Exception) -> None:
            raise failure

        self._reading = Task(lambda: make_ready(open_project(self.sample.file).project), self)
        self._reading.done.connect(ready)
        self._reading.failed.connect(failed)
        self._reading.start()
        return False


class Gallery(QWidget):
    """Lay tiles in as many columns as there is room for."""

    chosen = Signal(Path)

    def __init__(self, samples: Sequence[Sample], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cards = [Card(sample) for sample in samples]
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(GAP)
        self._columns = 0
        self._pictures: tuple[Theme, Pictures] | None = None
        for card in self.cards:
            card.clicked.connect(lambda _=False, file=card.sample.file: self.chosen.emit(file))
        self.lay_out(MOST)

    def draw_next(self, theme: Theme, canvas: Callable[[], Canvas | None] | None = None) -> bool:
        """Draw a part of one of the pictures that are missing; tells whether there was one.

        `canvas` gives what to draw on; None while that is being made.
        """
        waiting = [card for card in self.cards if not card.is_drawn(theme)]
        if self._pictures is not None and (not waiting or self._pictures[0] is not theme):
            self.close_graphics()
        if not waiting:
            return False
        if not waiting[0].is_read():
            return True
        if self._pictures is None:
            from app.picture import Pictures

            # to begin with graphics takes turns of its own
            lent = None if canvas is None else canvas()
            if lent is not None or canvas is None:
                self._pictures = theme, Pictures(theme, lent)
        else:
            waiting[0].draw(self._pictures[1], theme)
        return True

    def close_graphics(self) -> None:
        """Give the graphics memory back."""
        if self._pictures is not None:
            self._pictures[1].close()
            self._pictures = None

    @guard
    def changeEvent(self, event: QEvent) -> None:
        """Give larger letters more room, once the words have taken their size."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.FontChange):
            QTimer.singleShot(0, self, self._make_room)

    def _make_room(self) -> None:
        """Make all tiles as high as the one with the most words needs."""
        height = max([TILE.height(), *(card.wanted_height() for card in self.cards)])
        for card in self.cards:
            card.setFixedHeight(height)

    def lay_out(self, columns: int) -> None:
        """Put the tiles into so many columns."""
        if columns == self._columns:
            return
        self._columns = columns
        for number, card in enumerate(self.cards):
            self._grid.addWidget(card, number // columns, number % columns)
        self.setFixedWidth(width_of(columns))


def columns_in(width: int) -> int:
    """Tell how many tiles have room beside each other."""
    return max(1, min(MOST, (width + GAP) // (TILE.width() + GAP)))


def width_of(columns: int) -> int:
    """Give the width that so many tiles take."""
    return columns * (TILE.width() + GAP) - GAP
