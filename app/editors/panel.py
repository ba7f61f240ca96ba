"""The editor of what is selected, in the drawer: a curve, a matrix, a sphere."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QStackedWidget, QVBoxLayout, QWidget

from app.change import Change
from app.document import Document
from app.editors import words
from app.editors.contact_matrix import ContactMatrix
from app.editors.function_editor import FunctionEditor
from app.editors.law_editor import LawEditor
from app.editors.pulse_editor import PulseEditor
from app.forms.hands import Hands
from app.forms.units import Units
from app.look import LIGHT, Theme

Editor = FunctionEditor | LawEditor | PulseEditor | ContactMatrix

_EDITORS: dict[str, type[Editor]] = {
    "functions": FunctionEditor,
    "contact_laws": LawEditor,
    "motions": PulseEditor,
    "contacts": ContactMatrix,
}
"""Editors by lists of the document."""


class EditorPanel(QWidget):
    """Choose the editor that fits the selection; each is made when it is first needed."""

    def __init__(
        self, document: Document, system: str = "metric", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.document, self._theme = document, LIGHT
        self.hands = Hands(document, Units(system))
        self._made: dict[str, Editor] = {}
        self.current: Editor | None = None
        self.empty = QLabel(words.NOTHING, objectName="muted", wordWrap=True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.empty)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.stack, 1)
        self._stale = True
        self.show_element()

    def fits(self, path: str) -> bool:
        """Tell whether there is an editor for an element."""
        return bool(self._name(path))

    def show_element(self) -> None:
        """Show what is selected now."""
        path = self.document.selection
        name = self._name(path)
        self.current = self._editor(name) if name else None
        self._stale = not self.isVisible()
        if self.current is None:
            self.stack.setCurrentWidget(self.empty)
            return
        self.stack.setCurrentWidget(self.current)
        if not self._stale:
            self.current.show_element(path)

    def update_project(self, change: Change) -> None:
        """Show another version of the same project."""
        if self.current is None:
            return
        if not self.isVisible():
            self._stale = True
            return
        if not self.fits(self.document.selection):
            self.show_element()
            return
        self.current.refresh()

    def set_units(self, system: str) -> None:
        """Show numbers in other units."""
        self.hands.units = Units(system)
        if self.current is not None:
            self.current.show_element(self.document.selection)
            canvas = getattr(self.current, "canvas", None)
            if canvas is not None:
                canvas.fit()

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self._theme = theme
        for one in self._made.values():
            one.set_theme(theme)

    def showEvent(self, _: object) -> None:
        """Show what was selected or changed while the panel was hidden."""
        if self._stale:
            self.show_element()

    def _name(self, path: str) -> str:
        """Name the editor for an element; empty for none."""
        name = path.split("/", 1)[0]
        return name if name in _EDITORS else ""

    def _editor(self, name: str) -> Editor:
        if name not in self._made:
            made = _EDITORS[name](self.hands)
            made.set_theme(self._theme)
            self._made[name] = made
            self.stack.addWidget(made)
        return self._made[name]
