"""The page of preferences: every choice holds at once and is remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app import texts
from app.comfort.preferences import PREFERENCES, Preference, Value
from app.forms.choices import Choice
from app.guide.asking import help_by_key

if TYPE_CHECKING:
    from app.window import MainWindow

_LABEL_PX, _FIELD_PX, _WIDE_PX, _HIGH_PX = 220, 200, 720, 760
_PLAIN = ("scheme", "text_size", "wheel_ahead", "recent_files")
"""Preferences whose label says it all; the tip says it at length."""
Field = Choice | QSpinBox | QCheckBox


class PreferencesDialog(QDialog):
    """Show every preference with what it does; the window can be used meanwhile."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.setWindowTitle(texts.preferences.TITLE)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._window, self._studio = window, window.studio
        self.fields: dict[str, Field] = {}
        self.driver = QLabel(objectName="muted", wordWrap=True)
        page = QWidget(objectName="page")
        grid = QGridLayout(page)
        grid.setContentsMargins(24, 16, 24, 16)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        grid.setColumnMinimumWidth(0, _LABEL_PX)
        grid.setColumnStretch(1, 1)
        for section, title in texts.preferences.SECTIONS.items():
            grid.addWidget(QLabel(title, objectName="heading"), grid.rowCount(), 0, 1, 2)
            for one in PREFERENCES:
                if one.section == section:
                    self._add(grid, one)
            grid.setRowMinimumHeight(grid.rowCount(), 12)
        grid.setRowStretch(grid.rowCount(), 1)
        area = QScrollArea(widgetResizable=True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(page)
        self.restore = QPushButton(texts.preferences.RESTORE, autoDefault=False)
        self.restore.setToolTip(texts.preferences.RESTORE_TIP)
        self.restore.clicked.connect(self._restore)
        close = QPushButton(texts.preferences.CLOSE, objectName="primary", default=True)
        close.setToolTip(texts.preferences.CLOSE_TIP)
        close.clicked.connect(self.accept)
        below = QHBoxLayout()
        below.setContentsMargins(24, 0, 24, 16)
        below.setSpacing(8)
        below.addWidget(self.restore)
        below.addStretch(1)
        below.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(area, 1)
        column.addLayout(below)
        self._studio.changed.connect(self._on_changed)
        help_by_key(self, "preferences")
        self._tell_driver()
        room = window.screen().availableGeometry().height() - 60
        self.resize(_WIDE_PX, min(_HIGH_PX, room))

    def _add(self, grid: QGridLayout, one: Preference) -> None:
        """Add a line: label, field, and below it what it does."""
        words, tip = texts.preferences.LABELS[one.name], texts.preferences.TIPS[one.name]
        field = self._field(one)
        field.setAccessibleName(words)
        field.setAccessibleDescription(tip)
        field.setToolTip(tip)
        if not isinstance(field, QCheckBox):
            field.setMinimumWidth(_FIELD_PX)
        label = QLabel(words)
        label.setBuddy(field)
        row = grid.rowCount()
        grid.addWidget(label, row, 0)
        grid.addWidget(field, row, 1, Qt.AlignmentFlag.AlignLeft)
        if one.name not in _PLAIN:
            grid.addWidget(QLabel(tip, objectName="muted", wordWrap=True), row + 1, 1)
        if one.name == "by_processor":
            grid.addWidget(self.driver, row + 2, 1)
        grid.setRowMinimumHeight(grid.rowCount(), 2)
        self.fields[one.name] = field

    def _field(self, one: Preference) -> Field:
        value, name = self._studio.settings.value(one.name), one.name
        field: Field
        if one.choices:
            field = Choice()
            for choice in one.choices:
                field.addItem(texts.preferences.CHOICES[name][choice], choice)
            field.show_data(value)
            field.activated.connect(lambda _: self._studio.choose(name, field.currentData()))
        elif isinstance(one.usual, bool):
            field = QCheckBox(texts.forms.YES)
            field.setChecked(bool(value))
            field.toggled.connect(lambda on: self._studio.choose(name, on))
        else:
            field = QSpinBox(minimum=one.least, maximum=one.most, value=int(value))
            field.setSuffix(texts.preferences.AFTER[name])
            field.valueChanged.connect(lambda number: self._studio.choose(name, number))
        return field

    def _on_changed(self, name: str) -> None:
        """Show a value that was set elsewhere too, such as by the View menu."""
        field = self.fields.get(name)
        if field is None:
            return
        value: Value = self._studio.settings.value(name)
        with QSignalBlocker(field):
            if isinstance(field, Choice):
                field.show_data(value)
            elif isinstance(field, QCheckBox):
                field.setChecked(bool(value))
            else:
                field.setValue(int(value))
        if name == "by_processor":
            self._tell_driver()

    def _restore(self) -> None:
        self._studio.restore_defaults()
        self._window.say(texts.preferences.RESTORED)

    def _tell_driver(self) -> None:
        screen = self._window.viewport.screen
        name = "" if screen is None else screen.drawn_by()
        self.driver.setText(texts.preferences.DRAWN_BY.format(name=name) if name else "")
        self.driver.setVisible(bool(name))
