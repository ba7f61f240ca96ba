"""The pages that stand where the scene will be: the welcome, and the file that cannot be read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app import texts
from app.files import TEMPLATES
from app.look import Theme
from solver.project import Problem, ProjectError, open_project

_CARD = QSize(640, 74)
PICTURE = QSize(116, 72)


@dataclass(frozen=True, slots=True)
class Sample:
    """Hold what a card of the welcome says."""

    file: Path
    title: str
    note: str


def shipped_samples() -> list[Sample]:
    """List the samples that come with the program: the default one, then the fullest first."""
    from solver.places import DEFAULT_SAMPLE, NotShipped, samples

    try:
        files = sorted(samples().rglob("*.json"))
    except NotShipped:
        return []
    found = []
    for file in files:
        try:
            project = open_project(file).project
        except ProjectError:
            continue
        note = first_sentence(project.note.split("\n", 1)[0])
        sample = Sample(file, project.title or file.stem, note or file.name)
        found.append((len(project.segments), sample))
    found.sort(key=lambda pair: (pair[1].file.stem != DEFAULT_SAMPLE, -pair[0], pair[1].file))
    return [sample for _, sample in found]


def first_sentence(text: str) -> str:
    """Give the first sentence; a card has room for no more."""
    end = re.search(r"[.!?](?=\s|$)", text)
    return text if end is None else text[: end.end()]


class Card(QPushButton):
    """Offer one sample: picture, title and a line."""

    def __init__(self, sample: Sample, parent: QWidget | None = None) -> None:
        super().__init__(parent, objectName="card")
        self.sample = sample
        self.setFixedSize(_CARD)
        self.setAccessibleName(sample.title)
        self.picture = QLabel()
        self.picture.setFixedSize(PICTURE)
        title = QLabel(sample.title, wordWrap=True)
        note = QLabel(sample.note, objectName="muted", wordWrap=True)
        words = QVBoxLayout()
        words.setContentsMargins(0, 6, 12, 6)
        words.setSpacing(2)
        words.addStretch()
        words.addWidget(title)
        words.addWidget(note)
        words.addStretch()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(1, 1, 1, 1)
        layout.setSpacing(16)
        layout.addWidget(self.picture)
        layout.addLayout(words, 1)
        for label in (self.picture, title, note):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def draw(self, theme: Theme) -> None:
        """Draw the sample's start pose."""
        from app.picture import pixels

        ratio = self.devicePixelRatioF()
        width, height = round(PICTURE.width() * ratio), round(PICTURE.height() * ratio)
        rgba = pixels(open_project(self.sample.file).project, (width, height), theme=theme)
        image = QImage(rgba.tobytes(), width, height, QImage.Format.Format_RGBX8888).copy()
        image.setDevicePixelRatio(ratio)
        self.picture.setPixmap(QPixmap.fromImage(image))


class _Page(QWidget):
    """Lay widgets in one column in the middle."""

    open_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, objectName="page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        inner = QWidget(objectName="page")
        self.column = QVBoxLayout(inner)
        self.column.setContentsMargins(32, 32, 32, 32)
        self.column.setSpacing(8)
        self.column.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter)
        area = QScrollArea(widgetResizable=True)
        area.setWidget(inner)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(area)

    def line(self, text: str, name: str = "") -> QLabel:
        """Add a line of text as wide as a card."""
        label = QLabel(text, objectName=name, wordWrap=True)
        label.setFixedWidth(_CARD.width())
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.column.addWidget(label)
        return label

    def row(self) -> QHBoxLayout:
        """Add a row as wide as a card."""
        holder = QWidget()
        holder.setFixedWidth(_CARD.width())
        layout = QHBoxLayout(holder)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(12)
        self.column.addWidget(holder)
        return layout

    def open_button(self, text: str) -> QPushButton:
        """Add the button that asks for a file."""
        button = QPushButton(text, objectName="primary")
        button.clicked.connect(self.open_asked)
        return button


class Welcome(_Page):
    """Say what this is, offer the samples, and a file."""

    sample_asked = Signal(Path)
    new_asked = Signal(str)

    def __init__(self, samples: Sequence[Sample], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.line(texts.window.PROGRAM, "title")
        self.line(texts.window.SLOGAN, "muted")
        self.column.addSpacing(16)
        row = self.row()
        self.open = self.open_button(texts.window.OPEN)
        row.addWidget(self.open)
        self.templates: dict[str, QPushButton] = {}
        for name in TEMPLATES:
            title, tip = texts.actions.WORDS[f"file.new_{name}"]
            words = texts.window.NEW.format(what=title.replace("&", "").lower())
            button = QPushButton(words, toolTip=tip)
            button.clicked.connect(lambda _=False, name=name: self.new_asked.emit(name))
            row.addWidget(button)
            self.templates[name] = button
        row.addStretch()
        self.line(texts.window.OR_DROP, "muted")
        self.column.addSpacing(16)
        self.recent = QVBoxLayout()
        self.recent.setSpacing(2)
        self.column.addLayout(self.recent)
        self.cards = [Card(sample) for sample in samples]
        if self.cards:
            self.line(texts.window.SAMPLES, "section")
        for card in self.cards:
            card.clicked.connect(
                lambda _=False, file=card.sample.file: self.sample_asked.emit(file)
            )
            self.column.addWidget(card)

    def show_recent(self, files: Sequence[Path]) -> None:
        """List the files opened last."""
        while (item := self.recent.takeAt(0)) is not None:
            item.widget().deleteLater()
        if not files:
            return
        heading = QLabel(texts.window.RECENT_FILES, objectName="section")
        heading.setFixedWidth(_CARD.width())
        self.recent.addWidget(heading)
        for file in files[:5]:
            button = QPushButton(
                f"{file.name}    {_short(file.parent)}", objectName="link", flat=True
            )
            button.setToolTip(str(file))
            button.setFixedWidth(_CARD.width())
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

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.heading = self.line("", "title")
        self.where = self.line("", "muted")
        self.column.addSpacing(16)
        self.sentences = self.line("")
        self.sentences.setTextFormat(Qt.TextFormat.PlainText)
        self.column.addSpacing(16)
        row = self.row()
        row.addWidget(self.open_button(texts.window.OPEN_ANOTHER))
        self.back = QPushButton(texts.window.BACK)
        self.back.clicked.connect(self.back_asked)
        row.addWidget(self.back)
        row.addStretch()

    def show_file(self, file: Path, problems: Sequence[Problem]) -> None:
        """Show the problems of a file."""
        self.heading.setText(texts.window.CANNOT_OPEN.format(file=file.name))
        self.where.setText(str(file))
        self.sentences.setText("\n\n".join(_sentence(p) for p in problems))


def _sentence(problem: Problem) -> str:
    place = f"{problem.path}: " if problem.path else ""
    return f"{place}{problem.sentence}" + (f"\n{problem.hint}" if problem.hint else "")
