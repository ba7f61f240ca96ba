"""Choose an element, or a surface of one, by name; search by typing, and go there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QComboBox, QCompleter, QHBoxLayout, QLineEdit, QToolButton, QWidget

from app import texts
from app.editing.shape import word_label
from app.elements import called, name_of
from app.forms.choices import Choice
from app.forms.lines import Commit
from app.guard import guard
from app.icons import icon
from app.look import Theme
from app.with_properties import with_properties
from solver.base.words import msgid, tr
from solver.bodies.library.occupants import surfaces_that_hold
from solver.project import Project
from solver.project.contact import StrapLaw
from solver.project.geometry import SurfaceRef
from solver.project.segments import GROUND

_SEARCH_HERE = msgid("Search")
_UNKNOWN_REFERENCE = msgid("{id} (missing)")

NEW, MIXED = "\0new", "\0mixed"
Entry = tuple[str, Any]
"""What is read, and the value that it stands for."""


class Finder(Choice):
    """Choose from many names; lists them only when asked, finds them by any part of the name."""

    def __init__(
        self, entries: Callable[[], Sequence[Entry]], commit: Callable[[Any], object]
    ) -> None:
        super().__init__()
        self.line = QLineEdit()
        self.setLineEdit(self.line)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        completer = QCompleter(self.model(), self)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        self.setCompleter(completer)
        self.line.setPlaceholderText(tr(_SEARCH_HERE))
        self.line.editingFinished.connect(self._on_typed)
        self.activated.connect(self._on_chosen)
        self._entries, self._commit = entries, commit
        self._shown: Entry = ("", None)

    def show_entry(self, entry: Entry) -> None:
        """Show what is chosen."""
        self._shown = entry
        self.line.setPlaceholderText(tr(_SEARCH_HERE))
        self.blockSignals(True)
        self.clear()
        self.addItem(*entry)
        self.setCurrentIndex(0)
        self.line.setCursorPosition(0)
        self.blockSignals(False)

    def show_mixed(self, _: object = None) -> None:
        """Show that several elements have different ones."""
        self._shown = ("", MIXED)
        self.blockSignals(True)
        self.clear()
        self.line.clear()
        self.blockSignals(False)
        self.line.setPlaceholderText(texts.words.MIXED)

    def fill(self) -> None:
        """List everything that can be chosen."""
        self.blockSignals(True)
        text = self.line.text()
        self.clear()
        for words, value in self._entries():
            self.addItem(words, value)
        at = next((i for i in range(self.count()) if self.itemData(i) == self._shown[1]), -1)
        self.setCurrentIndex(at)
        self.line.setText(text)
        self.blockSignals(False)

    @guard
    def showPopup(self) -> None:
        """List everything, then open."""
        self.fill()
        super().showPopup()

    @guard
    def focusInEvent(self, event: QFocusEvent) -> None:
        """List everything before somebody begins to type."""
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.fill()
        super().focusInEvent(event)

    def _on_chosen(self, index: int) -> None:
        value = self.itemData(index)
        if value != self._shown[1]:
            self._commit(value)

    def _on_typed(self) -> None:
        """Take a typed name over if it is one; otherwise show what was chosen."""
        text = self.line.text().strip()
        at = self.findText(text, Qt.MatchFlag.MatchFixedString)
        if at < 0 and text:
            fit = [i for i in range(self.count()) if text.casefold() in self.itemText(i).casefold()]
            at = fit[0] if len(fit) == 1 else -1
        if at >= 0 and self.itemData(at) not in (self._shown[1], NEW):
            self._commit(self.itemData(at))
        elif text != self._shown[0]:
            self.line.setText(self._shown[0])


class _Leading(QWidget):
    """Name something by a finder, with a button that leads to it."""

    go = Signal(str)
    refused = Signal(str)
    accepted = Signal()

    def __init__(self, take: Callable[[Any], object], theme: Theme) -> None:
        super().__init__()
        self._value: Any = None
        self.finder = Finder(self._entries, take)
        self.leads = with_properties(
            QToolButton(), objectName="quiet", icon=icon("goto", theme.muted)
        )
        self.leads.setToolTip(tr(texts.words.GO_TO))
        self.leads.setAccessibleName(tr(texts.words.GO_TO))
        self.leads.clicked.connect(self._on_go)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self.finder, 1)
        row.addWidget(self.leads)
        self.setFocusProxy(self.finder)

    def show_mixed(self, _: object) -> None:
        """Show that the selected elements name different ones."""
        self._value = None
        self.finder.show_mixed()
        self.leads.setEnabled(False)

    def setAccessibleName(self, name: str) -> None:
        """Name the field."""
        super().setAccessibleName(name)
        self.finder.setAccessibleName(name)

    def _entries(self) -> list[Entry]:
        raise NotImplementedError

    def _place(self) -> str:
        """The path of what is named."""
        raise NotImplementedError

    def _on_go(self) -> None:
        if self._value is not None:
            self.go.emit(self._place())


class ReferenceEdit(_Leading):
    """Name an element of a list, with a button that leads to it."""

    new_asked = Signal()

    def __init__(
        self,
        target: str,
        project: Callable[[], Project],
        commit: Commit,
        theme: Theme,
        *,
        optional: bool = False,
        units: tuple[str, str] = ("", ""),
        webbing: bool | None = None,
        words: tuple[str, ...] = (),
    ) -> None:
        self._target, self._project, self._units = target, project, units
        self._instead = tuple(one for one in words if one != GROUND)
        self._optional, self._webbing = optional, webbing
        self._given_commit = commit
        super().__init__(self._take, theme)

    def show_value(self, value: str | None) -> None:
        """Show the element with an id."""
        self._value = value
        self.finder.show_entry((self._words(value), value))
        self.leads.setEnabled(value not in (None, GROUND, *self._instead))

    def _words(self, value: str | None) -> str:
        if value is None:
            return tr(texts.words.NONE)
        if value in self._instead:
            return word_label(value)
        if value == GROUND and self._target == "segments":
            return tr(texts.elements.GROUND)
        found = next((i for i in getattr(self._project(), self._target) if i.id == value), None)
        return tr(_UNKNOWN_REFERENCE, id=value) if found is None else called(self._project(), found)

    def _entries(self) -> list[Entry]:
        out: list[Entry] = [(tr(texts.words.NONE), None)] if self._optional else []
        out += [(word_label(one), one) for one in self._instead]
        if self._target == "segments":
            out.append((tr(texts.elements.GROUND), GROUND))
        items = getattr(self._project(), self._target)
        if self._units[0]:
            items = [one for one in items if (one.x_unit, one.y_unit) == self._units]
        if self._webbing is not None:
            items = [one for one in items if isinstance(one, StrapLaw) == self._webbing]
        names = [called(self._project(), one) for one in items]
        for one, name in zip(items, names, strict=True):
            out.append((name if names.count(name) == 1 else f"{name} ({one.id})", one.id))
        if self._target in ("functions", "contact_laws"):
            out.append((tr("＋ Make a new one"), NEW))
        return out

    def _take(self, value: Any) -> None:
        if value == NEW:
            self.new_asked.emit()
        else:
            self._given_commit(value, False)

    def _place(self) -> str:
        return f"{self._target}/{self._value}"


class SurfaceEdit(_Leading):
    """Name a surface by its segment and itself, in one list."""

    def __init__(
        self,
        project: Callable[[], Project],
        commit: Commit,
        theme: Theme,
        *,
        optional: bool = False,
        holds: bool = False,
    ) -> None:
        self._project, self._optional, self._holds = project, optional, holds
        super().__init__(lambda value: commit(value, False), theme)

    def show_value(self, value: SurfaceRef | None) -> None:
        """Show a surface."""
        self._value = value
        words = next((w for w, one in self._entries() if one == value), None)
        if words is None and value is not None:
            words = tr(_UNKNOWN_REFERENCE, id=f"{value.segment} › {value.surface}")
        self.finder.show_entry((words or tr(texts.words.NONE), value))
        self.leads.setEnabled(value is not None)

    def _entries(self) -> list[Entry]:
        out: list[Entry] = [(tr(texts.words.NONE), None)] if self._optional else []
        segments = {segment.id: segment for segment in self._project().segments}
        for ref in self._listed():
            segment = segments[ref.segment]
            one = next(shape for shape in segment.surfaces if shape.id == ref.surface)
            alone = len(segment.surfaces) == 1
            words = name_of(segment) if alone else f"{name_of(segment)} › {name_of(one)}"
            out.append((words, ref))
        return out

    def _listed(self) -> list[SurfaceRef]:
        """All surfaces in the order of the model; as panels of a bag only those that may be, the vehicle's first."""
        project = self._project()
        if self._holds:
            return surfaces_that_hold(project)
        return [
            SurfaceRef(segment=s.id, surface=one.id) for s in project.segments for one in s.surfaces
        ]

    def _place(self) -> str:
        return f"segments/{self._value.segment}"
