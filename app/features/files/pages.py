"""The pages that stand where the scene will be: the welcome, and the file that cannot be read."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic_core import from_json
from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app import texts
from app.guard import guard
from app.jobs.task import Task
from app.look import Theme
from app.with_properties import with_properties
from app.workbench import Commands
from solver.base.words import msgid, tr, within
from solver.project import Problem, Project, open_project

if TYPE_CHECKING:
    from app.picture import Pictures
    from app.scene.canvas import Canvas
_TEXT_PX, _EDGE = 640, 32
"""The width of a page of text, and the space around a page."""


TEMPLATES = {
    "empty": (msgid("&Empty"), msgid("Begin a new project with nothing but gravity.")),
    "seated_occupant": (
        msgid("&Seated occupant"),
        msgid("Begin a new project with a person on a seat in a sled, ready for belts."),
    ),
    "car": (
        msgid("C&ar"),
        msgid(
            "Begin a new project with a car on four wheels that brakes, ready for who sits in it."
        ),
    ),
    "pendulum": (
        msgid("&Pendulum"),
        msgid("Begin a new project with a ball on a pin joint, ready to run."),
    ),
}
"""What a new project can begin with, with title and tip."""


class _Page(QWidget):
    """Lay widgets in one column in the middle."""

    open_asked = Signal()

    def __init__(self, commands: Commands) -> None:
        super().__init__()
        with_properties(self, objectName="page")
        self._commands = commands
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        inner = with_properties(QWidget(), objectName="page")
        self.column = QVBoxLayout(inner)
        self.column.setContentsMargins(_EDGE, _EDGE, _EDGE, _EDGE)
        self.column.setSpacing(8)
        self.column.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter)
        self.area = QScrollArea(widgetResizable=True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setWidget(inner)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.area)
        self._wide: list[QWidget] = []

    def line(self, text: str, name: str = "") -> QLabel:
        """Add a line of text as wide as a card."""
        label = with_properties(QLabel(text), objectName=name, wordWrap=True)
        self._keep_wide(label)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.column.addWidget(label)
        return label

    def row(self) -> QHBoxLayout:
        """Add a row as wide as a card."""
        holder = QWidget()
        self._keep_wide(holder)
        layout = QHBoxLayout(holder)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(12)
        self.column.addWidget(holder)
        return layout

    def set_width(self, width: int) -> None:
        """Make all lines and rows so wide."""
        for widget in self._wide:
            widget.setFixedWidth(width)

    def _keep_wide(self, widget: QWidget) -> None:
        widget.setFixedWidth(_TEXT_PX)
        self._wide.append(widget)

    def open_button(self, text: str, *, is_main: bool = True) -> QPushButton:
        """Make the button that asks for a file."""
        button = with_properties(
            QPushButton(text),
            objectName="primary" if is_main else "",
            toolTip=self._commands.find("file.open").full_tip,
        )
        button.clicked.connect(self.open_asked)
        return button


class Welcome(_Page):
    """Say what this is, offer the samples, and a file."""

    sample_asked = Signal(Path)
    new_asked = Signal(str)
    tour_asked = Signal()

    def __init__(self, commands: Commands, samples: Sequence[Sample]) -> None:
        super().__init__(commands)
        self.line(texts.words.PROGRAM, "title")
        self.line(tr("Model people, vehicles and restraints in a crash."), "muted")
        self.column.addSpacing(16)
        self._lines = row, below = self.row(), self.row()
        self.crash = with_properties(
            QPushButton(tr("New crash…")),
            objectName="primary",
            toolTip=tr("Load case, seat, person, belt, pulse: a crash that is ready to run"),
        )
        self.crash.clicked.connect(lambda: commands.run("file.crash"))
        row.addWidget(self.crash)
        self.open = self.open_button(tr("Open…"), is_main=False)
        row.addWidget(self.open)
        self.templates: dict[str, QPushButton] = {}
        for name in TEMPLATES:
            command = commands.find(f"file.new_{name}")
            words = tr("New: {what}", what=within(command.plain))
            button = with_properties(QPushButton(words), toolTip=command.full_tip)
            button.clicked.connect(lambda _=False, name=name: self.new_asked.emit(name))
            row.addWidget(button)
            self.templates[name] = button
        for one in (row, below):
            one.addStretch()
        self._below = below.parentWidget() or self
        self._below.hide()
        self.tour = with_properties(
            QPushButton(tr("New here? Be shown around: the first five minutes")),
            objectName="link",
            flat=True,
        )
        self.tour.setToolTip(
            tr("A card leads through a first run, step by step; it never stands in the way")
        )
        self.tour.setProperty("flush", True)
        self.tour.clicked.connect(self.tour_asked)
        self._keep_wide(self.tour)
        self.column.addWidget(self.tour)
        self.tours = with_properties(
            QPushButton(tr("… or by load case: frontal, rear, side, pedestrian, child, aircraft")),
            objectName="link",
            flat=True,
        )
        self.tours.setToolTip(tr("Choose a tour: a few steps through a real crash"))
        self.tours.setProperty("flush", True)
        self._keep_wide(self.tours)
        self.column.addWidget(self.tours)
        self.line(tr("or drop a project file here"), "muted")
        self.column.addSpacing(16)
        recent = QWidget()
        self._keep_wide(recent)
        self.recent = QVBoxLayout(recent)
        self.recent.setContentsMargins(0, 0, 0, 0)
        self.recent.setSpacing(2)
        self.column.addWidget(recent)
        self.gallery = Gallery(samples)
        self.cards = self.gallery.cards
        self.gallery.chosen.connect(self.sample_asked)
        if self.cards:
            self.line(tr("Samples"), "section")
            self.column.addWidget(self.gallery)

    @guard
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay as many tiles beside each other as fit; lines begin where the tiles do."""
        super().resizeEvent(event)
        # what is inside is given its new size only after this
        bar = self.area.verticalScrollBar().sizeHint().width()
        columns = columns_in(self.width() - bar - 2 * _EDGE)
        self.gallery.lay_out(columns)
        self.set_width(width_of(columns))
        self._lay_buttons(width_of(columns))

    def _lay_buttons(self, room: int) -> None:
        """Give what is new a line of its own where one has not the room for all."""
        first, second = self._lines
        buttons = self.templates.values()
        needs = sum(one.sizeHint().width() + first.spacing() for one in (self.crash, self.open, *buttons))  # fmt: skip
        is_short = needs > room
        if is_short == self._below.isHidden():
            for one in buttons:
                to = second if is_short else first
                to.insertWidget(to.count() - 1, one)
            self._below.setVisible(is_short)

    def show_recent(self, files: Sequence[Path]) -> None:
        """List the files opened last."""
        while (item := self.recent.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        if not files:
            return
        heading = with_properties(QLabel(tr("Recent files")), objectName="section")
        self.recent.addWidget(heading)
        for file in files[:5]:
            button = with_properties(
                QPushButton(f"{file.name}    {_short(file.parent)}"), objectName="link", flat=True
            )
            button.setToolTip(str(file))
            button.clicked.connect(lambda _=False, file=file: self.sample_asked.emit(file))
            self.recent.addWidget(button)


def _short(folder: Path) -> str:
    """Write a folder shortly, from the person's own folder."""
    try:
        return f"~/{folder.relative_to(Path.home())}".removesuffix("/.")
    except ValueError:
        return str(folder)


class Unreadable(_Page):
    """Say in sentences why a file could not be opened."""

    back_asked = Signal()

    def __init__(self, commands: Commands) -> None:
        super().__init__(commands)
        self.heading = self.line("", "title")
        self.where = self.line("", "muted")
        self.column.addSpacing(16)
        self.sentences = self.line("")
        self.sentences.setTextFormat(Qt.TextFormat.PlainText)
        self.column.addSpacing(16)
        row = self.row()
        row.addWidget(self.open_button(tr("Open another file…")))
        self.back = with_properties(
            QPushButton(tr("Back")), toolTip=tr("Go back to what was shown before")
        )
        self.back.clicked.connect(self.back_asked)
        row.addWidget(self.back)
        row.addStretch()

    def show_file(self, file: Path, problems: Sequence[Problem]) -> None:
        """Show the problems of a file."""
        self.heading.setText(tr("{file} cannot be opened", file=file.name))
        self.where.setText(str(file))
        self.sentences.setText("\n\n".join(_sentence(p) for p in problems))


def _sentence(problem: Problem) -> str:
    place = f"{problem.path}: " if problem.path else ""
    return f"{place}{problem.sentence}" + (f"\n{problem.hint}" if problem.hint else "")


TILE = QSize(300, 284)
GAP, MOST = 16, 4
"""Between tiles, and how many stand beside each other at most."""
PICTURE = QSize(298, 158)


@dataclass(frozen=True, slots=True)
class Sample:
    """What a tile of the welcome says."""

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
    """The first sentence; a tile has room for no more."""
    end = re.search(r"[.!?](?=\s|$)", text)
    return text if end is None else text[: end.end()]


class Card(QPushButton):
    """Offer one sample: picture, title and a line."""

    def __init__(self, sample: Sample, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        with_properties(self, objectName="card")
        self.sample = sample
        self._drawn: Theme | None = None
        self._project: Project | None = None
        self._reading: Task | None = None
        self.setFixedSize(TILE)
        self.setAccessibleName(tr(sample.title))
        self.setAccessibleDescription(tr(sample.note))
        self.setToolTip(tr(sample.note))
        self.picture = QLabel()
        self.picture.setFixedSize(PICTURE)
        # a line must not break inside 'km/h'
        title = with_properties(
            QLabel(tr(sample.title).replace("/", "\u2060/\u2060")), objectName="tile", wordWrap=True
        )
        note = with_properties(QLabel(tr(sample.note)), objectName="muted", wordWrap=True)
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
        """The height at which all words are seen, in letters of the present size."""
        layout = self.layout()
        assert layout is not None
        return layout.totalHeightForWidth(TILE.width())

    def is_drawn(self, theme: Theme) -> bool:
        """Whether the picture is there, in these colours."""
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
        from app.scene.ready import make_ready

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
    """The width that so many tiles take."""
    return columns * (TILE.width() + GAP) - GAP
