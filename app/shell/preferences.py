"""The page of preferences: every choice holds at once and is remembered."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import (
    QCheckBox,
    QLabel,
    QPushButton,
)

from app import texts
from app.fonts import em
from app.forms.choices import Choice, Whole
from app.preferences import CHOICES, LABELS, PREFERENCES, TIPS, Preference, Value
from app.widgets.sheet import Fields, Sheet, Tall
from app.with_properties import with_properties
from app.workbench import Workbench
from solver.base.words import msgid, tr

_SECTIONS: dict[str, str] = {
    "numbers": msgid("Numbers"),
    "look": msgid("Look"),
    "scene": msgid("Scene"),
    "files": msgid("Files"),
}
_AFTER: dict[str, str] = {"keep_every_s": " s", "recent_files": ""}
"""What stands behind a number."""

_WIDTH_EM, _HEIGHT_EM, _HINT_EM, _BELOW_PX = 52.0, 58.0, 29.0, 60
_PLAIN = ("scheme", "text_size", "wheel_ahead", "recent_files")
"""Preferences whose label says it all; the tip says it at length."""
Field = Choice | Whole | QCheckBox


class PreferencesDialog(Sheet):
    """Show every preference with what it does; the window can be used meanwhile."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(
            bench.window,
            tr("Preferences"),
            "guide#as-you-like-it",
            form=Fields(hint_em=_HINT_EM),
            width_em=_WIDTH_EM,
        )
        self._bench, self._application = bench, bench.application
        self.fields: dict[str, Field] = {}
        self.driver = QLabel()
        for section, title in _SECTIONS.items():
            self.form.addRow(with_properties(QLabel(tr(title)), objectName="heading"))
            for one in PREFERENCES:
                if one.section == section:
                    self._add(one)
        self.restore = QPushButton(tr("Restore defaults"), autoDefault=False)
        self.restore.setToolTip(tr("Go back to the usual value of every preference on this page"))
        self.restore.clicked.connect(self._restore)
        close = with_properties(QPushButton(tr("Close")), objectName="primary", default=True)
        close.setToolTip(tr("Close this window; every choice holds already (Esc)"))
        close.clicked.connect(self.accept)
        self.column.addWidget(Tall(self.form), 1)
        self.add_buttons(close, left=self.restore)
        self._application.changed.connect(self._on_changed)
        self._tell_driver()
        room = self.screen().availableGeometry().height() - _BELOW_PX
        self.resize(round(_WIDTH_EM * em()), min(round(_HEIGHT_EM * em()), room))

    def _add(self, one: Preference) -> None:
        """Add a line: label, field, and below it what it does."""
        words = tr(LABELS[one.name])
        tip = tr(TIPS[one.name])
        field = self._field(one)
        self.form.add(words, field, "" if one.name in _PLAIN else tip)
        field.setAccessibleDescription(tip)
        field.setToolTip(tip)
        if one.name == "by_processor":
            self.form.add_hint(self.driver)
        self.fields[one.name] = field

    def _field(self, one: Preference) -> Field:
        value, name = self._application.settings.value(one.name), one.name
        field: Field
        if one.choices:
            field = Choice()
            for choice in one.choices:
                field.addItem(tr(CHOICES[name][choice]), choice)
            self._show(field, value)
            field.activated.connect(lambda _: self._application.choose(name, field.currentData()))
        elif isinstance(one.usual, bool):
            field = QCheckBox(tr(texts.words.YES))
            field.setChecked(bool(value))
            field.toggled.connect(lambda on: self._application.choose(name, on))
        else:
            unit = _AFTER[name]
            field = Whole(one.least, one.most, int(value), unit)
            field.valueChanged.connect(lambda number: self._application.choose(name, number))
        return field

    def _on_changed(self, name: str) -> None:
        """Show a value that was set elsewhere too, such as by the View menu."""
        field = self.fields.get(name)
        if field is None:
            return
        value: Value = self._application.settings.value(name)
        with QSignalBlocker(field):
            if isinstance(field, Choice):
                self._show(field, value)
            elif isinstance(field, QCheckBox):
                field.setChecked(bool(value))
            else:
                field.setValue(int(value))
        if name == "by_processor":
            self._tell_driver()

    @staticmethod
    def _show(field: Choice, value: Value) -> None:
        """Show a choice; an own system of units is one more."""
        if field.findData(value) < 0:
            field.addItem(str(value).replace(",", ", "), value)
        field.show_data(value)

    def _restore(self) -> None:
        self._application.restore_defaults()
        self._bench.say(tr("All preferences have their usual values."))

    def _tell_driver(self) -> None:
        screen = self._bench.viewport.picture
        name = "" if screen is None else screen.drawn_by()
        self.form.tell(self.driver, tr("Drawn now by: {name}.", name=name) if name else "")
