"""The pages that stand where the scene will be: the welcome, and the file that cannot be read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app import texts
from app.features.files.gallery import Gallery, Sample, columns_in, width_of
from app.guard import guard
from app.having import having
from app.workbench import Commands
from solver.base.words import msgid, tr
from solver.project import Problem

_TEXT_PX, _EDGE = 640, 32
"""The width of a page of text, and the space around a page."""


TEMPLATES = {
    "empty": (msgid("&Empty"), msgid("Begin a new project with nothing but gravity.")),
    "seated_occupant": (
        msgid("&Seated occupant"),
        msgid("Begin a new project with a person on a seat in a sled, ready for belts."),
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
        having(self, objectName="page")
        self._commands = commands
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        inner = having(QWidget(), objectName="page")
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
        label = having(QLabel(text), objectName=name, wordWrap=True)
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
        button = having(
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
        row = self.row()
        self.crash = having(
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
            words = tr("New: {what}", what=command.plain.lower())
            button = having(QPushButton(words), toolTip=command.full_tip)
            button.clicked.connect(lambda _=False, name=name: self.new_asked.emit(name))
            row.addWidget(button)
            self.templates[name] = button
        row.addStretch()
        self.tour = having(
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

    def show_recent(self, files: Sequence[Path]) -> None:
        """List the files opened last."""
        while (item := self.recent.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        if not files:
            return
        heading = having(QLabel(tr("Recent files")), objectName="section")
        self.recent.addWidget(heading)
        for file in files[:5]:
            button = having(
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
        self.back = having(QPushButton(tr("Back")), toolTip=tr("Go back to what was shown before"))
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
