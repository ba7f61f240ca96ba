"""A part of a form under a heading that opens and closes; it is built when first opened."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from app.editing.shape import Shape
from app.fonts import wide
from app.forms.form_commands import FormCommands
from app.forms.picture_tip import PicturedLabel
from app.forms.references import SurfaceEdit
from app.icons import icon
from app.look import Theme
from app.with_properties import with_properties
from solver.base.words import tr
from solver.project.fields import Part

LABEL_WIDTH, _LEAST_HEAD_PX = 108, 90
_INDENTS_PX = (8, 12, 8, 4)
"""How far a section stands in from the one around it, by level: less the deeper it is."""


class Section(QWidget):
    """Show a heading; its body is made by `fill` when it is opened for the first time."""

    toggled = Signal(bool)

    def __init__(
        self, title: str, tip: str, fill: Callable[[QGridLayout], None], theme: Theme, level: int
    ) -> None:
        super().__init__()
        self._fill, self._theme = fill, theme
        self.head = with_properties(QToolButton(), objectName="head", text=title, checkable=True)
        self.head.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.head.setToolTip(tip or tr("Open or close this part"))
        self.head.setAccessibleName(title)
        # a long heading is shortened before the form becomes wider than its panel
        self.head.setMinimumWidth(wide(_LEAST_HEAD_PX))
        self.aside = with_properties(QLabel(), objectName="muted")
        self.mark = with_properties(QLabel(), objectName="mark")
        self.row = QHBoxLayout()
        self.row.setContentsMargins(0, 0, 0, 0)
        self.row.setSpacing(2)
        self.row.addWidget(self.head)
        self.row.addWidget(self.aside)
        self.row.addWidget(self.mark)
        self.row.addStretch(1)
        self.body = QWidget()
        self.grid = new_grid(self.body, _INDENTS_PX[min(level, len(_INDENTS_PX) - 1)])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2, 0, 0)
        column.setSpacing(4)
        column.addLayout(self.row)
        column.addWidget(self.body)
        self.body.hide()
        self._is_filled = False
        self._buttons: list[QToolButton] = []
        self.head.toggled.connect(self._on_toggled)
        self._draw_arrow()

    def open(self, on: bool = True) -> None:
        """Open or close it."""
        self.head.setChecked(on)

    def name(self, title: str) -> None:
        """Write another heading."""
        self.head.setText(title)
        # there may be no room for all of it
        self.head.setToolTip(title)
        self.head.setAccessibleName(title)
        for button in self._buttons:
            button.setAccessibleName(f"{button.toolTip()}: {title}")

    def add_button(self, sign: str, words: str, do: Callable[[], object]) -> QToolButton:
        """Put a small button at the right of the heading."""
        button = with_properties(
            QToolButton(), objectName="quiet", icon=icon(sign, self._theme.muted)
        )
        button.setToolTip(words)
        button.setAccessibleName(f"{words}: {self.head.text()}")
        self.row.addWidget(button)
        self._buttons.append(button)
        button.clicked.connect(lambda: do())
        return button

    def _on_toggled(self, on: bool) -> None:
        if on and not self._is_filled:
            self._is_filled = True
            self._fill(self.grid)
        self.body.setVisible(on)
        self._draw_arrow()
        self.toggled.emit(on)

    def _draw_arrow(self) -> None:
        self.head.setIcon(icon("down" if self.head.isChecked() else "right", self._theme.muted))


def new_grid(holder: QWidget, left: int) -> QGridLayout:
    """Lay out two columns: labels of one width, editors in what is left."""
    grid = QGridLayout(holder)
    grid.setContentsMargins(left, 0, 0, 4)
    grid.setHorizontalSpacing(8)
    grid.setVerticalSpacing(5)
    grid.setColumnMinimumWidth(0, max(72, LABEL_WIDTH - left))
    grid.setColumnStretch(1, 1)
    return grid


class Row:
    """One line of a form: label, editor, and below it what is wrong."""

    def __init__(self, grid: QGridLayout, label: str, tip: str, editor: QWidget) -> None:
        at = grid.rowCount()
        self.editor = editor
        self.label = with_properties(PicturedLabel(label), objectName="muted")
        self.label.setToolTip(tip)
        self.label.setWordWrap(True)
        self.label.setBuddy(editor)
        self.label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.label.setContentsMargins(0, 5, 0, 0)
        editor.setAccessibleName(label)
        editor.setAccessibleDescription(tip)
        if not editor.toolTip():
            editor.setToolTip(tip)
        self.words = with_properties(QLabel(), objectName="error", wordWrap=True)
        self.words.hide()
        grid.addWidget(self.label, at, 0)
        grid.addWidget(editor, at, 1)
        grid.addWidget(self.words, at + 1, 1)
        self._refusal = ""
        self._fault = ""

    def refuse(self, sentence: str) -> None:
        """Say why what was typed cannot be taken over."""
        self._refusal = sentence
        self._show()

    def accept(self) -> None:
        """Forget a refusal."""
        if self._refusal:
            self._refusal = ""
            self._show()

    def fault(self, sentence: str) -> None:
        """Say what the checks have found here; nothing when all is well."""
        if sentence != self._fault:
            self._fault = sentence
            self._show()

    def said(self) -> str:
        """What is said below the editor."""
        return self.words.text() if not self.words.isHidden() else ""

    def _show(self) -> None:
        self.words.setText(self._refusal or self._fault)
        self.words.setVisible(bool(self._refusal or self._fault))
        self.editor.setProperty("refused", bool(self._refusal))
        self.editor.style().unpolish(self.editor)
        self.editor.style().polish(self.editor)


class Line:
    """A line of a list that holds a row and buttons."""

    def __init__(self, grid: QGridLayout, theme: Theme) -> None:
        self._theme = theme
        holder = QWidget()
        self.grid = new_grid(holder, 0)
        self.grid.setColumnMinimumWidth(0, 20)
        self._column = 2
        grid.addWidget(holder, grid.rowCount(), 0, 1, 2)

    def add_button(self, sign: str, words: str, do: Callable[[], object]) -> None:
        """Put a small button at the right."""
        button = with_properties(
            QToolButton(), objectName="quiet", icon=icon(sign, self._theme.muted)
        )
        button.setToolTip(words)
        button.setAccessibleName(words)
        button.clicked.connect(lambda: do())
        self.grid.addWidget(button, 1, self._column)
        self._column += 1


def add_words(what: str) -> str:
    """Write what a button adds."""
    return tr("Add {what}", what=what)


class RowBuilder(Protocol):
    """Build rows into the grids of a form."""

    def add(self, grid: QGridLayout, at: Place, shapes: Iterable[Shape], level: int) -> None:
        """Add fields of the part at a place."""

    def absent(self, grid: QGridLayout, at: Place, shape: Shape, fit: Callable[[], object]) -> None:
        """Add a row for an optional part that is not there."""

    def commit(self, at: Place) -> Callable[[Any, bool], bool]:
        """What takes a value over, and says at its row why not."""

    def surface(
        self, commit: Callable[[Any, bool], bool], optional: bool = False, holds: bool = False
    ) -> SurfaceEdit:
        """Make an editor that names a surface."""


class SectionBuilder(Protocol):
    """Build sections into the grids of a form."""

    def family(self, at: Place) -> tuple[type[Part], ...]:
        """The models among which the kind of an entry chooses."""

    def part(self, grid: QGridLayout, at: Place, holder: Part, shape: Shape, level: int) -> None:
        """Add a section for a part inside a part."""

    def entries(self, grid: QGridLayout, at: Place, shape: Shape, level: int) -> None:
        """Add a section for a list."""


class Building(Protocol):
    """A form that is being built."""

    commands: FormCommands
    theme: Theme
    rows: dict[str, Row]
    sections: dict[str, Section]
    opened: dict[str, bool]

    @property
    def fields(self) -> RowBuilder:
        """Give what builds its rows."""

    @property
    def parts(self) -> SectionBuilder:
        """Give what builds its sections."""

    def part_at(self, at: Place) -> Any:
        """Give the present value at a place."""

    def bind(self, at: Place, editor: Any) -> None:
        """Let an editor show the value at a place, now and after every change."""

    def follow(self, write: Callable[[], None]) -> None:
        """Call something now, and whenever the form turns to another element."""

    def unit_of(self, at: Place, own: str) -> str:
        """The unit of a field: its own, or that which other fields lend it."""

    def add_row(self, grid: QGridLayout, at: Place, label: str, tip: str, editor: QWidget) -> Row:
        """Add a row with its label and editor."""

    def row_of(self, at: Place) -> Row | None:
        """Give the row of a place, or of what it is in."""

    def add_section(self, at: Place, section: Section, usual: Callable[[], bool]) -> None:
        """Keep a section, open or closed as people left it."""


class Place:
    """A word of a path and the place above it; the first may hold several words."""

    __slots__ = ("_above", "word")

    def __init__(self, word: str, above: Place | None = None) -> None:
        self.word, self._above = word, above

    def below(self, word: str) -> Place:
        """The place of something inside."""
        return Place(word, self)

    @property
    def path(self) -> str:
        """The whole path, as it is now."""
        above = "" if self._above is None else self._above.path
        return f"{above}/{self.word}" if above else self.word
