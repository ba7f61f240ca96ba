"""What a study varies and what it asks: two lists into which numbers, figures and quantities are dragged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QDragEnterEvent, QDragMoveEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QBoxLayout,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMenu,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from app.editing.shape import raised, word_label
from app.forms.places import unit_of_field, words
from app.forms.units import Units
from app.forms.words import response_text
from app.guard import guard
from app.look import LIGHT, Theme
from app.widgets.carrying import FIELD, FIGURE, QUANTITY, names_in
from app.widgets.own_keys import OwnKeys
from app.widgets.splits import stacked
from app.with_properties import with_properties
from solver.base.words import tr
from solver.injury.assess import response_unit
from solver.project import Project
from solver.project.studies import Study
from solver.project.study_parts import (
    Lognormal,
    Normal,
    Response,
    StudyParameter,
    ends_of,
)

_GOALS = ("minimise", "maximise", "none")
_GOAL, _LIMIT = 1, 2
"""Columns of goals and limits."""


class Entries(OwnKeys, QTreeWidget):
    """List entries; things are dropped on it, Del takes one away."""

    dropped = Signal(str, list)
    removed = Signal(int)
    opened = Signal(int)
    aimed = Signal(int, str)
    limit_opens = Signal(int, object)

    def __init__(
        self, name: str, kinds: Sequence[str], heads: Sequence[str], *, aims: bool = False
    ) -> None:
        """List entries under heads; with `aims`, the second column holds goals and the third limits, which are chosen there."""
        super().__init__()
        self._aims = aims
        self._kinds = tuple(kinds)
        with_properties(self, rootIsDecorated=False, uniformRowHeights=True)
        self.setAccessibleName(name)
        self.setHeaderLabels(list(heads))
        self.setAcceptDrops(True)
        self.setDropIndicatorShown(False)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DropOnly)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in range(1, len(heads)):
            self.header().setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        self.itemClicked.connect(self._on_clicked)
        self.itemActivated.connect(lambda item, _: self.opened.emit(self.indexOfTopLevelItem(item)))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._offer)

    def _on_clicked(self, item: QTreeWidgetItem, column: int) -> None:
        """Offer goals where one was clicked, else open the entry."""
        place = self.indexOfTopLevelItem(item)
        if not (self._aims and column in (_GOAL, _LIMIT)):
            self.opened.emit(place)
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if column == _GOAL:
            self._offer_goals(menu, place)
        else:
            self.limit_opens.emit(place, menu)
        menu.popup(self.viewport().mapToGlobal(self.visualItemRect(item).bottomLeft()) + QPoint(self.columnViewportPosition(column), 0))  # fmt: skip

    def _offer_goals(self, menu: QMenu, place: int) -> None:
        for goal in _GOALS:
            menu.addAction(raised(word_label(goal)), partial(self.aimed.emit, place, goal))

    def is_own(self, event: QKeyEvent) -> bool:
        """Claim Del while an entry is selected."""
        return event.key() == Qt.Key.Key_Delete and self.currentItem() is not None

    @guard
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take the selected entry away on Del."""
        item = self.currentItem()
        if event.key() == Qt.Key.Key_Delete and item is not None:
            self.removed.emit(self.indexOfTopLevelItem(item))
            return
        super().keyPressEvent(event)

    def _kind(self, event: QDropEvent) -> str:
        return next((kind for kind in self._kinds if event.mimeData().hasFormat(kind)), "")

    @guard
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take what belongs here."""
        if self._kind(event):
            event.acceptProposedAction()

    @guard
    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Take what belongs here."""
        if self._kind(event):
            event.acceptProposedAction()

    @guard
    def dropEvent(self, event: QDropEvent) -> None:
        """Tell what was dropped."""
        kind = self._kind(event)
        if kind:
            event.acceptProposedAction()
            self.dropped.emit(kind, names_in(event.mimeData(), kind))

    def _offer(self, at: QPoint) -> None:
        item = self.itemAt(at)
        if item is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        place = self.indexOfTopLevelItem(item)
        menu.addAction(tr("Show in the inspector"), lambda: self.opened.emit(place))
        if self._aims:
            self._offer_goals(menu, place)
            self.limit_opens.emit(place, menu.addMenu(tr("Limit")))
        menu.addAction(tr("Take out of the study"), lambda: self.removed.emit(place))
        menu.popup(self.viewport().mapToGlobal(at))


class Setup(QWidget):
    """Show the two lists of a study."""

    field_dropped = Signal(list)
    asked = Signal(str, list)
    """Figures or quantities shall be responses."""
    removed = Signal(str, int)
    opened = Signal(str, int)
    aimed = Signal(int, str)
    """A response shall have a goal."""
    pins_asked = Signal()
    numbers_asked = Signal(tuple)
    """Parameters that were offered shall be varied."""
    limited = Signal(int, object)
    """A response shall be no more than that (SI); None: it has no limit."""
    limit_opens = Signal(int, object)
    """The limits of a response are to be offered in a menu."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.units, self._theme = Units("metric"), LIGHT
        self.parameters = Entries(tr("What is varied"), (FIELD,), (tr("What is varied"), tr("From"), tr("To")))  # fmt: skip
        self.responses = Entries(tr("What is asked"), (FIGURE, QUANTITY), (tr("What is asked"), tr("Goal"), tr("Limit")), aims=True)  # fmt: skip
        self.pins = with_properties(QToolButton(), objectName="quiet")
        self.pins.setText(tr("From sliders"))
        self.pins.setToolTip(tr("Vary every number that is pinned as a slider in What-if, between the ends of its slider"))  # fmt: skip
        self.pins.clicked.connect(self.pins_asked)
        self.vary = _adding(tr("Vary what is usually chosen of belts and bags, or what is assumed"))
        self.numbers = self.vary.menu()
        self.add = _adding(tr("Ask for an injury figure, or for the peak of an output"))
        self.menu = self.add.menu()
        self._lists = column = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        column.setContentsMargins(4, 0, 0, 4)
        column.setSpacing(2)
        for entries, words_, buttons in (
            (self.parameters, tr("Drag numbers of the inspector here."), (self.pins, self.vary)),
            (self.responses, tr("Drag injury figures or quantities here."), (self.add,)),
        ):
            row = QHBoxLayout()
            row.setContentsMargins(4, 2, 0, 0)
            hint = with_properties(QLabel(words_), objectName="muted", wordWrap=True)
            row.addWidget(hint, 1)
            for button in buttons:
                row.addWidget(button)
            box = QWidget()
            box.setLayout(row)
            column.addWidget(stacked(box, entries, grows=1), 1)
        self.parameters.dropped.connect(lambda _, names: self.field_dropped.emit(names))
        self.responses.dropped.connect(lambda kind, names: self.asked.emit(kind, names))
        self.responses.aimed.connect(self.aimed)
        self.responses.limit_opens.connect(self.limit_opens)
        for name, entries in (("parameters", self.parameters), ("responses", self.responses)):
            entries.removed.connect(partial(self.removed.emit, name))
            entries.opened.connect(partial(self.opened.emit, name))

    def offer_numbers(self, project: Project) -> None:
        """Offer what is chosen of belts and bags, and what else is assumed, each with its range."""
        from app.features.studies.offered import design_numbers, offered_words, other_assumed

        self.numbers.clear()
        design, assumed = design_numbers(project), other_assumed(project)
        for title, all_, found in (
            ("", tr("All of belts and bags"), design),
            (tr("Assumed numbers"), tr("All assumed numbers"), assumed),
        ):
            if not found:
                continue
            menu = self.numbers.addMenu(title) if title else self.numbers
            menu.addAction(all_, partial(self.numbers_asked.emit, found))
            for one in found:
                text = offered_words(project, one, self.units).replace("&", "&&")
                menu.addAction(text, partial(self.numbers_asked.emit, (one,)))
        if not self.numbers.actions():
            words_ = tr("This model has neither belts nor bags, and nothing that is assumed")
            self.numbers.addAction(words_).setEnabled(False)

    def offer_limits(self, menu: QMenu, place: int, limits: Sequence[tuple[str, float]]) -> None:
        """Offer limits of a response, each with whose it is, none, and to type one."""
        for words_, value in limits:
            menu.addAction(words_, partial(self.limited.emit, place, value))
        menu.addAction(tr("None"), partial(self.limited.emit, place, None))
        menu.addAction(tr("Another…"), partial(self.opened.emit, "responses", place))

    def set_beside(self, on: bool) -> None:
        """Put both lists beside each other, as where there is little height, or below each other."""
        way = QBoxLayout.Direction
        self._lists.setDirection(way.LeftToRight if on else way.TopToBottom)

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self._theme = theme

    def offer(
        self, figures: Sequence[tuple[str, str]], quantities: Sequence[tuple[str, str]]
    ) -> None:
        """Offer what can be asked for without a drag: how it is known, and its words."""
        self.menu.clear()
        for kind, names, title in (
            (FIGURE, figures, tr("Injury figures")), (QUANTITY, quantities, tr("Outputs")),
        ):  # fmt: skip
            if names:
                self.menu.addSection(title)
            for name, said_so in names:
                entry = said_so.replace("&", "&&")
                self.menu.addAction(entry, partial(self.asked.emit, kind, [name]))
        if not self.menu.actions():
            words = tr("This model has neither injury figures nor outputs")
            self.menu.addAction(words).setEnabled(False)

    def show_study(self, project: Project, study: Study, known: Mapping[str, str]) -> None:
        """List what a study varies and asks; `known` are SI units of its answers, where only a run tells them."""
        self.parameters.clear()
        for one in study.parameters:
            self._add_parameter(project, one)
        self.responses.clear()
        for asked in study.responses:
            self._add_response(project, asked, response_unit(project, asked) or known.get(asked.id))

    def _add_parameter(self, project: Project, one: StudyParameter) -> None:
        unit = unit_of_field(project, one.path)
        ends = _ends(one)
        written = (
            [f"× {x:.4g}" for x in ends] if one.is_factor
            else [self.units.with_unit(self.units.short(x, unit), unit) for x in ends]
        )  # fmt: skip
        name = words(project, one.path)
        item = QTreeWidgetItem(self.parameters, [name, *written])
        item.setToolTip(0, f"{name}\n{one.path}\n{tr('In formulas:')} {one.id}")

    def _add_response(self, project: Project, one: Response, si_unit: str | None) -> None:
        goal = "–" if one.goal == "none" else word_label(one.goal)
        name = response_text(project, one)

        def written(value: float) -> str:
            if si_unit is not None:
                return self.units.with_unit(self.units.short(value, si_unit), si_unit)
            return f"{value:g}"

        ends = (("≥", one.at_least), ("≤", one.at_most))
        limits = [f"{sign} {written(value)}" for sign, value in ends if value is not None]
        item = QTreeWidgetItem(self.responses, [name, goal, ", ".join(limits) or "–"])
        item.setToolTip(
            _GOAL, tr("A click chooses whether it is to be the smallest or the largest")
        )
        item.setToolTip(0, f"{name}\n{tr('In formulas:')} {one.id}")
        in_si = tr("Limits are in SI units, as in the file.") if si_unit is None else ""
        item.setToolTip(_LIMIT, in_si or tr("A click chooses a limit"))
        item.setForeground(1, QBrush(QColor(self._theme.muted)))


def _adding(tip: str) -> QToolButton:
    """A button whose menu has what can be added."""
    made = with_properties(QToolButton(), objectName="quiet", text=tr("Add"), toolTip=tip)
    made.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    made.setMenu(QMenu(made))
    return made


def _ends(one: StudyParameter) -> tuple[float, float]:
    """Give between what a parameter mostly lies: its ends, or two deviations to both sides."""
    spread = one.spread
    found = ends_of(spread)
    if found is not None:
        return found
    match spread:
        case Normal():
            return spread.mean - 2.0 * spread.deviation, spread.mean + 2.0 * spread.deviation
        case Lognormal():
            from math import exp

            part = exp(2.0 * spread.log_deviation)
            return spread.median / part, spread.median * part
        case _:
            return spread.low, spread.high
