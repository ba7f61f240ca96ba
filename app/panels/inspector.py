"""Show and change the numbers of the selected element; the form comes from the schema."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app import texts
from app.change import Change
from app.document import Document
from app.editing.naming import counted
from app.elements import PROJECT, START, find, kind_word, spoken
from app.forms.facts import Fact, Uses, used_by
from app.forms.form import NAMES, Form
from app.forms.hands import Hands
from app.forms.units import Units
from app.look import LIGHT, Theme
from solver.project import LISTS

_LINK_PX = 300
_MOST_USERS = 24


class Inspector(QWidget):
    """Say what the selected element is, let people change it, and lead to its neighbours."""

    chosen = Signal(str)

    def __init__(self, document: Document, system: str = "metric") -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.document = document
        self.hands = Hands(document, Units(system))
        self.hands.go.connect(self.chosen)
        self.heading = QLabel(objectName="heading", wordWrap=True)
        self.kind = QLabel(objectName="muted")
        self.note = QLabel(objectName="muted", wordWrap=True)
        self.area = QScrollArea(widgetResizable=True, objectName="form")
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setAccessibleName(texts.panels.INSPECTOR)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        top = QHBoxLayout()
        top.addWidget(self.heading, 1)
        top.addWidget(self.kind, 0, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight)
        top.setContentsMargins(0, 0, 8, 0)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 12, 4, 0)
        self.note.setContentsMargins(0, 0, 12, 0)
        layout.setSpacing(8)
        layout.addLayout(top)
        layout.addWidget(self.note)
        layout.addWidget(self.area, 1)
        self._theme = LIGHT
        self._opened: dict[str, bool] = {}
        self.form = Form(self.hands, self._theme)
        self.links: list[QPushButton] = []
        self._users: list[tuple[str, str]] = []
        self._uses = Uses()

    def show_element(self) -> None:
        """Show the selected element, the start, or the project as a whole."""
        self._build()
        if self.document.field:
            field = self.document.field
            QTimer.singleShot(0, self, lambda: self._reveal(field))

    def update_project(self, change: Change) -> None:
        """Show another version of the same element."""
        path = self.document.selection
        item = find(change.after, path)
        if item is None:
            return
        if self.form.is_true_for(path, item) and self._users == self._used_by():
            self.form.refresh()
            self._head()
        else:
            self._build()

    def show_problems(self) -> None:
        """Say below the fields what the checks have found."""
        path = self.document.selection
        inside = [
            problem
            for problem in self.document.problems
            if path == PROJECT or problem.path == path or problem.path.startswith(f"{path}/")
        ]
        self.form.show_problems(inside)

    def set_units(self, system: str) -> None:
        """Show numbers in other units."""
        self.hands.units = Units(system)
        self._build()

    def set_theme(self, theme: Theme) -> None:
        """Draw everything anew."""
        self._theme = theme
        self._build()

    def _head(self) -> None:
        document = self.document
        path, project = document.selection, document.project
        several = [one for one in document.chosen if one not in (PROJECT, START)]
        item = find(project, path)
        if len(several) > 1:
            self.heading.setText(texts.forms.SEVERAL.format(what=counted(several).capitalize()))
            self.note.setText(texts.forms.SEVERAL_HINT)
        else:
            self.heading.setText(spoken(project, path))
            said = [getattr(item, "note", ""), getattr(item, "source", "")]
            said[1] = texts.forms.SOURCE.format(source=said[1]) if said[1] else ""
            self.note.setText("\n".join(words for words in said if words))
        self.kind.setText(kind_word(path))
        self.note.setVisible(bool(self.note.text()))

    def _build(self) -> None:
        """Build the form anew, with what was open and how far one had scrolled."""
        path = self.document.selection
        item = find(self.document.project, path)
        same = path == self.form._path
        scroll = self.area.verticalScrollBar().value() if same else 0
        focused = self._focused() if same else ""
        self._head()
        self._opened |= self.form.opened
        form = Form(self.hands, self._theme)
        form.opened = dict(self._opened)
        if item is not None:
            whole = path == PROJECT
            skip = {"format", "schema_version", "initial", *LISTS} if whole else set()
            names = ("note", "source") if whole else NAMES
            form.show_part(path, item, skip, [n for n in names if n in type(item).model_fields])
        self.form = form
        self._list_users()
        form.column.addStretch(1)
        form.setContentsMargins(0, 0, 8, 16)
        old = self.area.takeWidget()
        if old is not None:
            # what is being clicked or typed into may be in there: it goes when that is over
            old.hide()
            old.deleteLater()
        if self.form is not form:
            # a field took its value over as it lost the keyboard, and the form was built on that
            form.deleteLater()
            return
        self.area.setWidget(form)
        self.show_problems()
        if same:
            self.area.verticalScrollBar().setValue(scroll)
            row = form.rows.get(focused)
            if row is not None:
                row.editor.setFocus()

    def _focused(self) -> str:
        """Give the path of the field that has the keyboard."""
        here = self.area.focusWidget()
        for path, row in self.form.rows.items():
            if here is not None and (here is row.editor or row.editor.isAncestorOf(here)):
                return path if here.hasFocus() else ""
        return ""

    def _used_by(self) -> list[tuple[str, str]]:
        path = self.document.selection
        if path in (PROJECT, START):
            return []
        return [
            (fact.link, fact.value) for fact in used_by(self.document.project, path, self._uses)
        ]

    def _list_users(self) -> None:
        """List the elements that refer to this one, as links."""
        path = self.document.selection
        self._users, self.links = self._used_by(), []
        if not self._users:
            return
        self.form.column.addSpacing(8)
        words = f"{texts.forms.USED_BY} {len(self._users)}"
        self.form.column.addWidget(QLabel(words, objectName="section"))
        facts: list[Fact] = used_by(self.document.project, path, self._uses)[:_MOST_USERS]
        for fact in facts:
            words = f"{fact.value}  ·  {fact.label.lower()}"
            short = self.fontMetrics().elidedText(words, Qt.TextElideMode.ElideMiddle, _LINK_PX)
            button = QPushButton(short, objectName="link")
            button.setToolTip(fact.help if short == words else f"{words}\n{fact.help}".strip())
            button.clicked.connect(lambda _=False, link=fact.link: self.chosen.emit(link))
            self.form.column.addWidget(button)
            self.links.append(button)

    def _reveal(self, field: str) -> None:
        row = self.form.reveal(field)
        if row is not None:
            self.area.ensureWidgetVisible(row.editor, 0, 40)
