"""What all dialogs have in common: fields of one width beside their labels, words, help and buttons."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.fonts import em
from app.guard import guard
from app.having import having
from app.widgets.help_button import HelpButton, ask_for_help, help_by_key
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
    cancel = having(QPushButton(tr("Cancel")), toolTip=tr("Leave everything as it is (Esc)"))
    cancel.clicked.connect(sheet.reject)
    do.setObjectName("primary")
    do.setDefault(True)
    do.clicked.connect(sheet.accept)
    sheet.add_buttons(cancel, do)
    return sheet.exec() == QDialog.DialogCode.Accepted
