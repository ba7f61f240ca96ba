"""Show and change the numbers of the selected element; the form comes from the schema."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app import texts
from app.document import Document
from app.editing.naming import counted
from app.elements import PROJECT, START, element_label, find, kind_word
from app.features.inspector.cards import PersonCard, PlaceCard, StartCard
from app.forms.choices import Choice
from app.forms.form import NAMES, Form
from app.forms.form_commands import FormCommands
from app.forms.units import Fact, Units, Uses, used_by
from app.guard import guard
from app.history import Change
from app.look import LIGHT, Theme
from app.widgets.sheet import HelpButton, ask_for_help
from app.with_properties import with_properties
from solver.base.words import msgid, tr
from solver.editing.persons import chosen_person
from solver.project import LISTS, Project
from solver.project.segments import Segment

_SEVERAL = "{what}"

_FORMS = 12
"""How many forms of other kinds are kept."""


_LEAST_PX = 260


class Inspector(QWidget):
    """Say what the selected element is, let people change it, and lead to its neighbours."""

    chosen = Signal(str)
    asked = Signal(str)
    """The id of a command."""

    def __init__(
        self, document: Document, system: str = "metric", readings: QWidget | None = None
    ) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.document = document
        self.commands = FormCommands(document, Units(system))
        self.commands.go.connect(self.chosen)
        self.heading = with_properties(QLabel(), objectName="heading", wordWrap=True)
        # one long word must not make the form wider than its place
        self.heading.setMinimumWidth(1)
        self.kind = with_properties(QLabel(), objectName="muted")
        self.note = Note()
        self.area = with_properties(QScrollArea(), widgetResizable=True, objectName="form")
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setAccessibleName(tr("Inspector"))
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        top = QHBoxLayout()
        top.addWidget(self.heading, 1)
        top.addWidget(self.kind, 0, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight)
        ask = HelpButton()
        ask.clicked.connect(lambda: ask_for_help(self))
        top.setSpacing(4)
        top.addWidget(ask, 0, Qt.AlignmentFlag.AlignTop)
        top.setContentsMargins(0, 0, 8, 0)
        self.setMinimumWidth(_LEAST_PX)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 12, 4, 0)
        self.note.setContentsMargins(0, 0, 12, 0)
        layout.setSpacing(8)
        layout.addLayout(top)
        layout.addWidget(self.note)
        self.frames = with_properties(QWidget(), visible=False)
        row = QHBoxLayout(self.frames)
        row.setContentsMargins(0, 0, 8, 0)
        self.frame = Choice()
        self.frame.setToolTip(
            tr("Frame in which places are shown and typed; the file keeps them in segments.")
        )
        self.frame.setAccessibleName(tr("Places in"))
        self.frame.activated.connect(lambda _: self.show_in(self.frame.currentData()))
        row.addWidget(with_properties(QLabel(tr("Places in")), objectName="muted"))
        row.addWidget(self.frame, 1)
        layout.addWidget(self.frames)
        layout.addWidget(self.area, 1)
        self._theme = LIGHT
        self._opened: dict[str, bool] = {}
        self.form = Form(self.commands, self._theme, self._opened)
        self._kept: list[Form] = []
        """Forms of other kinds, the latest last: a form is turned to other elements of its kind."""
        self._users = Users()
        self._users.chosen.connect(self.chosen)
        self._late = QTimer(self, singleShot=True, interval=0)
        self._late.timeout.connect(self._list_users)
        self.person = PersonCard()
        self.start = StartCard(document, self.commands)
        self.where = PlaceCard(document, self.commands)
        self.fill = with_properties(
            QPushButton(tr("Mass and inertia of its shape…")),
            toolTip=tr(
                "Mass and moments of its largest surface, evenly filled; asks for the density"
            ),
        )
        self.fill.clicked.connect(lambda: self.asked.emit("place.fill"))
        self.pulse = with_properties(
            QPushButton(tr("Measured pulse…")),
            toolTip=tr("Move this vehicle or sled by a measured acceleration, from a file"),
        )
        self.pulse.clicked.connect(lambda: self.asked.emit("insert.pulse_file"))
        self._uses = Uses()
        page = QWidget()
        self._column = QVBoxLayout(page)
        self._column.setContentsMargins(0, 0, 8, 16)
        self._column.setSpacing(2)
        for part in filter(
            None,
            (
                self.person,
                readings,
                self.start,
                self.where,
                self.pulse,
                self.form,
                self.fill,
                self._users,
            ),
        ):
            self._column.addWidget(part)
        self._place = self._column.indexOf(self.form)
        self._column.addStretch(1)
        self.area.setWidget(page)

    def show_element(self) -> None:
        """Show the selected element, the start, or the project as a whole."""
        self._show()
        if self.document.field:
            field = self.document.field
            QTimer.singleShot(0, self, lambda: self._reveal(field))

    def update_project(self, change: Change) -> None:
        """Show another version of the same element."""
        if find(change.after, self.document.selection) is not None:
            self._show()

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
        self.commands.units = Units(system)
        self._rebuild()

    def show_in(self, frame: str) -> None:
        """Show places in an own frame; with none in the axes of their segments."""
        self.commands.frame = frame
        self._show()

    def _offer_frames(self) -> None:
        """Offer the own frames, where the project has some."""
        project, several = self.document.project, len(self.document.chosen) > 1
        self.frames.setVisible(bool(project.frames))
        offered = [("", tr("the segment's own axes"))]
        offered += [(one.id, element_label(project, f"frames/{one.id}")) for one in project.frames]
        self.frame.clear()
        for id_, words in offered:
            self.frame.addItem(words, id_)
        self.frame.show_data(self.commands.seen_in)
        self.frame.setEnabled(not several)

    def set_theme(self, theme: Theme) -> None:
        """Draw everything again."""
        self._theme = theme
        self._rebuild()

    def _head(self) -> None:
        document = self.document
        path, project = document.selection, document.project
        several = [one for one in document.chosen if one not in (PROJECT, START)]
        item = find(project, path)
        person = chosen_person(project, several)
        self.person.show_person(person)
        if person is not None:
            self.heading.setText(person.name)
            self.note.tell("")
            self.kind.setText(tr("person"))
            return
        if len(several) > 1:
            self.heading.setText(_SEVERAL.format(what=counted(several).capitalize()))
            self.note.tell(self._several_hint(path, several))
        else:
            self.heading.setText(element_label(project, path))
            lines = [getattr(item, "note", ""), getattr(item, "source", "")]
            lines[1] = tr("Source: {source}", source=lines[1]) if lines[1] else ""
            self.note.tell("\n".join(words for words in lines if words))
        self.kind.setText(kind_word(path))

    def _several_hint(self, path: str, several: list[str]) -> str:
        """Say whose fields are shown, and where a value goes."""
        same = [one for one in several if one.split("/")[0] == path.split("/")[0]]
        name, what = element_label(self.document.project, path), counted(same)
        if len(same) == 1:
            return tr(
                "These are the fields of {name}, and a value set here is set in it alone.",
                name=name,
            )
        whole = len(same) == len(several)
        words = (
            msgid("A dash stands for values that differ; a value set here is set in all {what}.")
            if whole
            else msgid(
                "These are the fields of {name}; a dash stands for values that differ, and a value set here is "
                "set in all {what}."
            )
        )
        return tr(words, name=name, what=what)

    def _show(self) -> None:
        """Show the element: in the form as it is, in one that is turned to it, or in a new one."""
        if self.document.selection != self.form.path:
            self._leave()
        path = self.document.selection
        item = find(self.document.project, path)
        same = path == self.form.path
        self._head()
        self._offer_frames()
        if item is not None and self.form.is_true_for(path, item):
            self.form.refresh()
        else:
            scroll = self.area.verticalScrollBar().value() if same else 0
            focused = self.focused() if same else ""
            self._change_form(path, item)
            self.area.verticalScrollBar().setValue(scroll)
            row = self.form.rows.get(focused)
            if row is not None:
                row.editor.setFocus()
        self.form.setVisible(not self.person.isVisibleTo(self))
        self.fill.setVisible(
            isinstance(item, Segment) and bool(item.surfaces) and self.form.isVisibleTo(self)
        )
        self.pulse.setVisible(
            isinstance(item, Segment)
            and self.form.isVisibleTo(self)
            and _can_be_led(self.document.project, item.id)
        )
        alone = path not in (PROJECT, START) and not self.commands.twins(path)
        shown = path if alone and len(self.document.chosen) == 1 else ""
        self.start.show_start(shown, self._theme)
        self.where.show_place(shown)
        self._late.start()
        self.show_problems()

    @property
    def users(self) -> Users:
        """Give the links to what uses the element: they are listed a turn later, or as soon as anybody asks."""
        if self._late.isActive():
            self._list_users()
        return self._users

    def _list_users(self) -> None:
        self._late.stop()
        path = self.document.selection
        alone = path not in (PROJECT, START) and not self.commands.twins(path)
        self._users.show_facts(used_by(self.document.project, path, self._uses) if alone else [])

    def _change_form(self, path: str, item: Any) -> None:
        """Show a form that fits an element instead of the present one."""
        forms = (self.form, *reversed(self._kept))
        form = next((one for one in forms if item is not None and one.fits(path, item)), None)
        if form is None:
            form = Form(self.commands, self._theme, self._opened)
            if item is not None:
                whole = path == PROJECT
                skip = (
                    {"format", "schema_version", "initial", "includes", *LISTS} if whole else set()
                )
                names = ("note", "source") if whole else NAMES
                form.show_part(path, item, skip, [n for n in names if n in type(item).model_fields])
        else:
            form.turn_to(path)
        if form is not self.form:
            self._kept = [one for one in (*self._kept, self.form) if one is not form]
            before, self.form = self.form, form
            self._column.insertWidget(self._place, form)
            form.show()
            # what is being clicked or typed into may be in there: it stays as it is
            before.hide()
            for old in self._kept[:-_FORMS]:
                old.deleteLater()
            self._kept = self._kept[-_FORMS:]

    def _rebuild(self) -> None:
        """Forget all forms: they were built for other units, or in other colours."""
        scroll, before = self.area.verticalScrollBar().value(), self.form
        self.form = Form(self.commands, self._theme, self._opened)
        for old in (before, *self._kept):
            old.hide()
            old.deleteLater()
        self._kept = []
        self._column.insertWidget(self._place, self.form)
        if self.document.has_project:
            self._show()
            self.area.verticalScrollBar().setValue(scroll)

    def _leave(self) -> None:
        """Take over what is being typed: it belongs to the element that it was typed for."""
        here = self.area.focusWidget()
        if here is not None and here.hasFocus() and self.form.isAncestorOf(here):
            here.clearFocus()

    def focused(self) -> str:
        """The path of the field that has the keyboard."""
        here = self.area.focusWidget()
        for path, row in self.form.rows.items():
            if here is not None and (here is row.editor or row.editor.isAncestorOf(here)):
                return path if here.hasFocus() else ""
        return ""

    def _reveal(self, field: str) -> None:
        row = self.form.reveal(field)
        if row is not None:
            self.area.ensureWidgetVisible(row.editor, 0, 40)
        else:
            # what has just been opened is laid out a turn later
            QTimer.singleShot(0, self, lambda: self._bring_up(field))

    def _bring_up(self, field: str) -> None:
        """Scroll until a part of the form begins at the top."""
        section, page = self.form.sections.get(field), self.area.widget()
        if section is not None and page is not None:
            top = section.mapTo(page, QPoint()).y()
            self.area.verticalScrollBar().setValue(top)


_SHORT = 150
"""Notes up to so many letters are shown whole."""


class Note(QLabel):
    """Show a note in a few lines, with a link to the rest; nothing where there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        with_properties(self, objectName="muted", wordWrap=True)
        self.setTextFormat(Qt.TextFormat.RichText)
        flags = Qt.TextInteractionFlag
        self.setTextInteractionFlags(flags.LinksAccessibleByMouse | flags.LinksAccessibleByKeyboard)
        self.linkActivated.connect(self._toggle)
        self._words, self._is_whole = "", False

    def tell(self, words: str) -> None:
        """Show another note, folded if it is long."""
        if words != self._words:
            self._words, self._is_whole = words, False
        self._show()

    def _toggle(self, _: str) -> None:
        self._is_whole = not self._is_whole
        self._show()

    def _show(self) -> None:
        self.setVisible(bool(self._words))
        if len(self._words) <= _SHORT:
            self.setText(_lines(self._words))
            return
        first = self._words[:_SHORT].rsplit(" ", 1)[0]
        words, offer = (
            (self._words, tr(texts.words.LESS))
            if self._is_whole
            else (f"{first} …", tr(texts.words.MORE))
        )
        self.setText(f'{_lines(words)} <a href="#">{offer}</a>')


def _lines(words: str) -> str:
    return html.escape(words).replace("\n", "<br>")


_LINK_PX, _BESIDE_PX = 300, 20
_MOST = 24


class Users(QWidget):
    """Show one link for each user; the same buttons serve every element."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 8, 0, 0)
        self._column.setSpacing(2)
        self._title = with_properties(QLabel(), objectName="section")
        self._column.addWidget(self._title)
        self._buttons: list[QPushButton] = []
        self._links: list[str] = []
        self._facts: Sequence[Fact] = ()
        self.hide()

    @property
    def links(self) -> list[QPushButton]:
        """The links that are seen."""
        return self._buttons[: len(self._links)]

    def show_facts(self, facts: Sequence[Fact]) -> None:
        """List users; nothing is seen where there are none."""
        shown = facts[:_MOST]
        self._links = [fact.link for fact in shown]
        self._title.setText(f"{tr('Used by')} {len(facts)}")
        while len(self._buttons) < len(shown):
            self._add()
        self._facts = shown
        self._shorten()
        for i, button in enumerate(self._buttons):
            button.setVisible(i < len(shown))
        self.setVisible(bool(shown))

    @guard
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cut names to the width that there is."""
        super().resizeEvent(event)
        self._shorten()

    def _shorten(self) -> None:
        """Write the links as long as there is room; all of a name stands in its tip."""
        room = min(_LINK_PX, max(self.width() - _BESIDE_PX, _BESIDE_PX))
        for button, fact in zip(self._buttons, self._facts, strict=False):
            words = f"{fact.value}  ·  {fact.label.lower()}"
            short = self.fontMetrics().elidedText(words, Qt.TextElideMode.ElideMiddle, room)
            button.setText(short)
            parts = [words if short != words else "", fact.help, tr(texts.words.GO_TO)]
            button.setToolTip("\n".join(filter(None, parts)))

    def _add(self) -> None:
        number = len(self._buttons)
        button = with_properties(QPushButton(), objectName="link")
        # it asks for no width: what is too long is cut
        button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        button.clicked.connect(lambda: self.chosen.emit(self._links[number]))
        self._buttons.append(button)
        self._column.addWidget(button)


def _can_be_led(project: Project, segment: str) -> bool:
    """Whether a segment moves as prescribed, or is attached to nothing: a vehicle or a sled."""
    led = any(one.segment == segment for one in project.motions)
    return led or not any(segment in (one.parent, one.child) for one in project.joints)
