"""What all dialogs have in common: fields of one width beside their labels, words, help and buttons."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.fonts import em
from app.guard import guard
from app.scene.viewport import Viewport
from app.with_properties import with_properties
from solver.base.words import tr

_LABEL_EM, _FIELD_EM = 11.0, 20.0
"""Widths of labels, at least, and of fields, in heights of the text."""
_EDGE_PX, _TOP_PX, _GAP_PX = 20, 16, 12


class Fields(QFormLayout):
    """Put fields beside their labels; larger letters get more room."""

    def __init__(self, field_em: float = _FIELD_EM, hint_em: float = _FIELD_EM) -> None:
        super().__init__(horizontalSpacing=16, verticalSpacing=8)
        self.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.field_em, self._hint_em = field_em, hint_em
        self._labels: list[QLabel] = []
        self._fields: list[QWidget] = []
        self._hints: list[QLabel] = []

    def add(self, words: str, field: QWidget, hint: str = "") -> None:
        """Add a field, and below it what it is for."""
        label = QLabel(words)
        label.setBuddy(field)
        field.setAccessibleName(words)
        self.addRow(label, field)
        self.setAlignment(field, Qt.AlignmentFlag.AlignLeft)
        self._labels.append(label)
        if not isinstance(field, QAbstractButton):
            self._fields.append(field)
        if hint:
            self.add_hint(QLabel(hint))
        self.measure()

    def add_hint(self, label: QLabel) -> None:
        """Add paler words below the last field."""
        label.setObjectName("muted")
        label.setWordWrap(True)
        self.addRow("", label)
        self._hints.append(label)

    def tell(self, hint: QLabel, words: str) -> None:
        """Change the words below a field."""
        hint.setText(words)
        hint.setVisible(bool(words))
        self.measure()

    def measure(self) -> None:
        """Give everything the room that letters of the present size need."""
        for label in self._labels:
            label.setMinimumWidth(round(_LABEL_EM * em()))
        for field in self._fields:
            field.setFixedWidth(round(self.field_em * em()))
        for hint in self._hints:
            width = round(self._hint_em * em())
            hint.setFixedSize(width, max(0, hint.heightForWidth(width)))


class Sheet(QDialog):
    """Lay out a dialog as all are: `form` holds the fields, `column` everything, buttons come last."""

    def __init__(
        self,
        parent: QWidget,
        title: str,
        topic: str,
        *,
        form: Fields | None = None,
        width_em: float = 0.0,
    ) -> None:
        super().__init__(parent)
        self.finished.connect(self.deleteLater)
        self.setWindowTitle(title)
        self._topic, self._width_em = topic, width_em
        self.form = form or Fields()
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(_EDGE_PX, _TOP_PX, _EDGE_PX, _TOP_PX)
        self.column.setSpacing(_GAP_PX)
        help_by_key(self, topic)

    def add_buttons(self, *buttons: QPushButton, left: QWidget | None = None) -> None:
        """End with the way to help at the left and the buttons at the right, the main one last."""
        help_button = HelpButton()
        help_button.clicked.connect(lambda: ask_for_help(self, self._topic))
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(help_button)
        if left is not None:
            row.addWidget(left)
        row.addStretch()
        for button in buttons:
            row.addWidget(button)
        self.column.addLayout(row)
        self._measure()

    @guard
    def changeEvent(self, event: QEvent) -> None:
        """Give larger letters more room."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.ApplicationFontChange, QEvent.Type.StyleChange):
            self._measure()

    def _measure(self) -> None:
        self.form.measure()
        self.setMinimumWidth(round(self._width_em * em()))


def in_row(*fields: QWidget, alike: bool = False) -> QWidget:
    """Put fields beside each other into one: all as wide, or the first with what room is left."""
    box = QWidget()
    row = QHBoxLayout(box)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(8)
    for field in fields:
        row.addWidget(field, 1 if alike or field is fields[0] else 0)
    return box


def ask(
    parent: QWidget,
    title: str,
    topic: str,
    words: str,
    field: QWidget,
    do: QPushButton,
    field_em: float = _FIELD_EM,
) -> bool:
    """Ask for one thing; tells whether it is wanted."""
    sheet = Sheet(parent, title, topic, form=Fields(field_em))
    sheet.form.add(words, field)
    sheet.column.addLayout(sheet.form)
    cancel = with_properties(
        QPushButton(tr("Cancel")), toolTip=tr("Leave everything as it is (Esc)")
    )
    cancel.clicked.connect(sheet.reject)
    do.setObjectName("primary")
    do.setDefault(True)
    do.clicked.connect(sheet.accept)
    sheet.add_buttons(cancel, do)
    return sheet.exec() == QDialog.DialogCode.Accepted


_LEAST_PX, GUTTER_PX = 120, 12
"""The least height, and what is left free at the right for the scroll bar."""


class Tall(QScrollArea):
    """Ask for the whole height of what is inside, and do with less."""

    def __init__(self, inner: QLayout, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        with_properties(self, widgetResizable=True, objectName="tall")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMinimumHeight(_LEAST_PX)
        holder = with_properties(QWidget(), objectName="tall")
        inner.setContentsMargins(0, 0, GUTTER_PX, 0)
        holder.setLayout(inner)
        self.setWidget(holder)

    @guard
    def sizeHint(self) -> QSize:
        """Ask for all of it."""
        within = self.widget()
        assert within is not None
        return within.sizeHint()


_BESIDE_EDGE_PX, _BELOW_PX = 12, 60
"""From the window's right edge, and below its top where there is room."""
_RIM_PX = 32
"""What is nearer than this to the rim of the scene counts as out of sight."""
_MOST_COVERED = 0.7
"""Where a dialog covers more of the scene's width, all of it is used as if there were none."""


def keep_in_sight(view: Viewport, dialog: QDialog, paths: Iterable[str]) -> None:
    """Show everything again, in the room that a dialog leaves, where elements would not be seen beside it."""
    free = view.width()
    if dialog.isVisible():
        free = min(free, view.mapFromGlobal(dialog.frameGeometry().topLeft()).x())
    rect = view.rect().adjusted(_RIM_PX, _RIM_PX, free - view.width() - _RIM_PX, -_RIM_PX)
    seen = [view.pixel_of(path) for path in paths]
    if seen and not all(at is not None and rect.contains(at.toPoint()) for at in seen):
        view.fit()
        covered = view.width() - free
        if view.stage is not None and 0 < covered < _MOST_COVERED * view.width():
            view.stage.fit(free / max(1, view.height()))
            view.stage.camera.pan(-0.5 * covered, 0.0, view.height())
            view.turned.emit()
            view.refresh()


def fit_beside(dialog: QDialog) -> None:
    """Give a dialog the height of what is in it, or that of the screen, beside its window."""
    layout, window = dialog.layout(), dialog.parentWidget()
    if layout is None or window is None:
        return
    screen = dialog.screen().availableGeometry()
    wanted = layout.totalHeightForWidth(dialog.width())
    wanted = max(wanted, layout.totalSizeHint().height())
    height = min(wanted, screen.height() - 2 * _BESIDE_EDGE_PX)
    dialog.resize(dialog.width(), height)
    corner = window.frameGeometry().topRight()
    top = min(corner.y() + _BELOW_PX, screen.bottom() - height - _BESIDE_EDGE_PX)
    dialog.move(corner.x() - dialog.width() - _BESIDE_EDGE_PX, max(screen.top(), top))


class HelpAsked(QEvent):
    """Tell the window that the guide is asked for: about a topic, or else about a widget."""

    KIND = QEvent.Type(QEvent.registerEventType())

    def __init__(self, widget: QWidget, topic: str) -> None:
        super().__init__(self.KIND)
        self.widget, self.topic = widget, topic


def ask_for_help(widget: QWidget, topic: str = "") -> None:
    """Let the window that all stands in open the guide."""
    window = widget
    while (parent := window.parentWidget()) is not None:
        window = parent
    QApplication.sendEvent(window, HelpAsked(widget, topic))


def help_by_key(dialog: QWidget, topic: str) -> None:
    """Let F1 in a dialog open the guide at what reports it."""
    key = QShortcut(QKeySequence(Qt.Key.Key_F1), dialog)
    key.activated.connect(lambda: ask_for_help(dialog, topic))


class HelpButton(QToolButton):
    """Stand for F1 where the mouse is; Tab passes it by, since F1 is nearer then."""

    def __init__(self) -> None:
        super().__init__()
        with_properties(
            self, text="?", objectName="help", toolTip=tr("What the guide tells of this (F1)")
        )
        self.setAccessibleName(tr("Help"))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
