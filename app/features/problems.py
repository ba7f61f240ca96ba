"""The list of what the checks have found, with quick fixes, and the ways to it and out of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QAction, QBrush, QColor
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app import texts
from app.command import Command
from app.elements import place, with_names
from app.features.feature import Feature
from app.fonts import wide
from app.guard import guard
from app.icons import severity_icon
from app.jobs.task import Task
from app.look import LIGHT, Theme
from app.panel import Panel
from app.widgets.items import rows_of
from app.with_properties import with_properties
from app.workbench import Workbench
from solver.base.words import msgid, plural, tr
from solver.project import LISTS, Problem, Project, ProjectError
from solver.project.problems import Severity

if TYPE_CHECKING:
    from app.editing.quick_fixes import QuickFix
_SOON_CHECKED = 200
"""Elements that are checked within a twentieth of a second."""


class ProblemList(Feature):
    """Keep the list at what the checks say; an empty one leaves its room to the scene."""

    name = "problems"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self._document = bench.document
        self._is_new = False
        """Whether the checks have yet to speak of a project that has been opened."""
        self._add_commands()
        panel = self.panel = Problems()
        bench.panels.add(
            Panel(
                "problems",
                panel,
                "below",
                tr("Problems"),
                tr("What the checks have found, with a way there and a mend where there is one"),
                go_to=(tr("&Problems"), tr("Go to what the checks have found.")),
                topic="guide#when-something-is-wrong",
                asked=panel.current_path,
                moods=("build",),
            )
        )
        panel.chosen.connect(bench.document.select)
        panel.mend_asked.connect(self.mend)
        bench.document.opened.connect(self._on_opened)
        bench.document.changed.connect(lambda _: self._on_changed())
        bench.document.checked.connect(self.refresh)
        bench.document.checked.connect(self._forget_obstacle)
        bench.run_view.refused.connect(self.tell_obstacle)
        bench.theme_changed.connect(panel.set_theme)

    def refresh(self) -> None:
        """Show what the checks have found."""
        document = self._document
        self.panel.show_problems(document.project, document.problems, document.mends)
        self.bench.panels.count("problems", self._count())
        if self._is_new:
            self._fold()
            self._is_new = False

    def go_on(self) -> None:
        """Go to the next problem: its field is opened and gets the keyboard."""
        self.panel.go_on()
        # what is gone to may have an editor; the list of problems stays in sight
        self.bench.panels.open("problems")

    def tell_obstacle(self) -> None:
        """Say what stands in the way of a run, where it cannot be overlooked, with a way out."""
        bench = self.bench
        obstacle = bench.run_view.obstacle()
        if obstacle == tr(texts.words.HAS_NO_RUN):
            add = (tr("Add a run of 200 ms"), lambda: bench.commands.run("insert.runs"))
            bench.notice.say(obstacle, add)
            return
        bench.panels.open("problems")
        bench.notice.say(obstacle, (tr("Show the first"), self.go_on))

    def mend(self, problem: Problem, chosen: QuickFix | None = None) -> None:
        """Mend a problem; what takes long is worked out beside the window, for the model as it is now."""
        found = chosen or self._document.mends.get(problem)
        if found is None or not found.takes_long:
            self._document.mend(problem, found)
            return
        mend, project = found, self._document.project
        self.bench.say(tr("{words}…", words=mend.words))
        task = Task(lambda: mend.make(project), self.bench)

        def done(made: Project) -> None:
            if self._document.project is project:
                self._document.take_mended(problem, mend, made)

        def failed(failure: Exception) -> None:
            first = failure.problems[0].sentence if isinstance(failure, ProjectError) else failure
            self.bench.notice.say(str(first))

        task.done.connect(done)
        task.failed.connect(failed)
        task.start()

    def _forget_obstacle(self) -> None:
        """Take back what stood in the way of a run, once it no longer does."""
        if not self.bench.run_view.obstacle():
            self.bench.notice.unsay(tr(texts.words.HAS_NO_RUN), tr(texts.words.HAS_ERRORS))

    def _on_opened(self) -> None:
        project = self._document.project
        if sum(len(getattr(project, name)) for name in LISTS) <= _SOON_CHECKED:
            # what the checks find later would move the scene under the hand
            self._document.problems_now()
        self.refresh()
        self._is_new = True
        self._fold()

    def _on_changed(self) -> None:
        self._is_new = False

    def _count(self) -> int:
        """Count what stands in the way of a run, or is doubtful."""
        return sum(problem.severity != "note" for problem in self._document.problems)

    def _fold(self) -> None:
        """Give the scene the room of a list of problems that is empty."""
        front = self.bench.panels.front()
        if front is not None and front.name == "problems":
            self.bench.panels.fold(not self._count())

    def _add_commands(self) -> None:
        bench = self.bench
        bench.commands.add(
            Command(
                "edit.problem",
                tr("Go to the next pro&blem"),
                tr("Go to the field of the next error or warning."),
                self.go_on,
                "F4",
                lambda: bench.has_project() and self._count() > 0,
            ),
            Command(
                "edit.mend",
                tr("&Mend it"),
                tr("Do what Problems offers for the problem one has gone to; it can be undone."),
                lambda: self.panel.mend(),
                "Shift+F4",
                lambda: bench.has_project() and bool(bench.document.mends),
            ),
        )


_SEVERITY_WORDS: dict[str, str] = {
    "error": msgid("Error"),
    "warning": msgid("Warning"),
    "note": msgid("Note"),
}
_PATH = Qt.ItemDataRole.UserRole
_SEVERITY = Qt.ItemDataRole.UserRole + 1
_ORDER: tuple[Severity, ...] = ("error", "warning", "note")
_PROBLEM = Qt.ItemDataRole.UserRole + 2
_SENTENCE, _MEND = 2, 3
_PADDING_PX, _LEAST_PX = 8, 28


class _Wrapped(QStyledItemDelegate):
    """Rows the height that their sentences need at the present width."""

    @guard
    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """Measure the words as they will be broken."""
        size, tree = super().sizeHint(option, index), self.parent()
        assert isinstance(tree, QTreeWidget)
        room = QRect(0, 0, tree.columnWidth(index.column()) - _PADDING_PX, 1000)
        words = str(index.data())
        needed = tree.fontMetrics().boundingRect(room, Qt.TextFlag.TextWordWrap, words)
        return QSize(size.width(), max(_LEAST_PX, needed.height() + _PADDING_PX))


class Problems(QWidget):
    """Show severity, place, sentence and mend of every problem."""

    chosen = Signal(str)
    mend_asked = Signal(object, object)
    """A problem, and which of its mends; None for the one that is offered first."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.summary = with_properties(QLabel(), objectName="section")
        self.fold = with_properties(QPushButton(), objectName="link", flat=True)
        self.fold.setToolTip(tr("Notes say what is usual; they stand in nobody's way"))
        self.fold.clicked.connect(self._on_fold)
        self._shows_notes, self._notes = False, 0
        self._at: Problem | None = None
        """The problem one has gone to; the list's own current row follows the keyboard."""
        self.tree = with_properties(
            QTreeWidget(), headerHidden=True, rootIsDecorated=False, columnCount=4, wordWrap=True
        )
        self.tree.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.tree.setItemDelegate(_Wrapped(self.tree))
        self.tree.setAccessibleName(tr("Problems"))
        header = self.tree.header()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setStretchLastSection(False)
        header.setSectionResizeMode(_SENTENCE, QHeaderView.ResizeMode.Stretch)
        for column, width in ((0, 96), (1, 250), (_MEND, 190)):
            self.tree.setColumnWidth(column, wide(width))
        header.sectionResized.connect(lambda *_: self.tree.scheduleDelayedItemsLayout())
        self.tree.currentItemChanged.connect(self._on_moved)
        self.tree.itemClicked.connect(lambda item, _: self._on_click(item))
        self.tree.itemActivated.connect(lambda item, _: self._on_click(item))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 6, 12, 0)
        layout.setSpacing(4)
        row = QHBoxLayout()
        row.addWidget(self.summary)
        row.addSpacing(16)
        row.addWidget(self.fold)
        row.addStretch()
        layout.addLayout(row)
        layout.addWidget(self.tree, 1)
        layout.addStretch()
        self._theme = LIGHT

    def show_problems(
        self,
        project: Project,
        problems: Sequence[Problem],
        mends: Mapping[Problem, QuickFix] | None = None,
    ) -> None:
        """List problems, the gravest first, with a button where one click can mend."""
        self.tree.blockSignals(True)
        self.tree.clear()
        self.summary.setText(summary(problems))
        self._offer_fold(sum(problem.severity == "note" for problem in problems))
        rows: list[tuple[QTreeWidgetItem, Problem]] = []
        for problem in sorted(problems, key=lambda p: _ORDER.index(p.severity)):
            where = place(project, problem.path)
            kind = tr(_SEVERITY_WORDS[problem.severity])
            sentence = with_names(project, f"{problem.sentence} {problem.hint}".rstrip())
            words = [kind, where, sentence]
            item = QTreeWidgetItem(words)
            item.setData(0, _PATH, problem.path)
            item.setData(0, _PROBLEM, problem)
            item.setData(0, _SEVERITY, problem.severity)
            for column, text in enumerate(words):
                item.setToolTip(column, text)
            rows.append((item, problem))
        # all at once: the tree measures its rows again with every word that changes in one of them
        self.tree.addTopLevelItems([item for item, _ in rows])
        for item, problem in rows:
            if mends is not None and problem in mends:
                button = with_properties(
                    QPushButton(with_names(project, mends[problem].words)), objectName="mend"
                )
                button.setToolTip(tr("Mend it; it can be undone."))
                button.clicked.connect(lambda _=False, p=problem: self.mend_asked.emit(p, None))
                second = mends[problem].second
                if second is not None:
                    self._offer_second(button, problem, with_names(project, second.words), second)
                self.tree.setItemWidget(item, _MEND, button)
        self.tree.setColumnHidden(_MEND, not any(problem in (mends or {}) for problem in problems))
        self.tree.setCurrentIndex(QModelIndex())
        self.tree.blockSignals(False)
        self._hide_notes()
        self._paint()

    def _offer_second(
        self, button: QPushButton, problem: Problem, words: str, second: QuickFix
    ) -> None:
        """Keep another way to mend it in the button's own menu, and say that there is one."""
        action = QAction(tr("{words} instead: this changes a dimension", words=words), button)
        action.triggered.connect(lambda: self.mend_asked.emit(problem, second))
        button.addAction(action)
        button.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        button.setToolTip(
            tr("Mend it; it can be undone. Right-click: {words}.", words=action.text())
        )

    def _offer_fold(self, notes: int) -> None:
        self._notes = notes
        words = msgid("Hide {what}") if self._shows_notes else msgid("Show {what}")
        self.fold.setText(tr(words, what=_counted("note", notes)))
        self.fold.setVisible(notes > 0)

    def _on_fold(self) -> None:
        self._shows_notes = not self._shows_notes
        self._offer_fold(self._notes)
        self._hide_notes()

    def _hide_notes(self) -> None:
        """Fold the notes away: they ask for nothing, and errors among them would be overlooked."""
        rows = self._rows()
        for item in rows:
            item.setHidden(item.data(0, _SEVERITY) == "note" and not self._shows_notes)
        self.tree.setVisible(any(not item.isHidden() for item in rows))

    def go_on(self) -> None:
        """Go to the next problem that is listed, from the last to the first."""
        rows = [row for row in self._rows() if not row.isHidden()]
        if not rows:
            return
        at = [row.data(0, _PROBLEM) for row in rows]
        row = rows[(at.index(self._at) + 1) % len(rows) if self._at in at else 0]
        self.tree.scrollToItem(row)
        self.tree.blockSignals(True)
        self.tree.setCurrentItem(row)
        self.tree.blockSignals(False)
        self._on_click(row)

    def mend(self) -> None:
        """Do what is offered for the problem one has gone to, or else for the first that has a mend."""
        able = [row for row in self._rows() if self.tree.itemWidget(row, _MEND) is not None]
        if able:
            row = next((row for row in able if row.data(0, _PROBLEM) == self._at), able[0])
            self.mend_asked.emit(row.data(0, _PROBLEM), None)

    def _rows(self) -> list[QTreeWidgetItem]:
        return rows_of(self.tree)

    def current_path(self) -> str:
        """The path that the current problem is about; empty for none."""
        item = self.tree.currentItem()
        return "" if item is None else str(item.data(0, _PATH))

    def set_theme(self, theme: Theme) -> None:
        """Colour the marks again."""
        self._theme = theme
        self._paint()

    def _paint(self) -> None:
        t = self._theme
        colours = {"error": t.error, "warning": t.warning, "note": t.note}
        for item in self._rows():
            severity = item.data(0, _SEVERITY)
            item.setIcon(0, severity_icon(severity, colours[severity]))
            item.setForeground(0, QBrush(QColor(colours[severity])))
            item.setForeground(1, QBrush(QColor(t.muted)))

    def _on_moved(self, item: QTreeWidgetItem | None, before: QTreeWidgetItem | None) -> None:
        """Follow the arrow keys; a list that merely gets the keyboard leads nowhere yet."""
        if before is not None:
            self._on_click(item)

    def _on_click(self, item: QTreeWidgetItem | None) -> None:
        if item is not None:
            self._at = item.data(0, _PROBLEM)
            self.chosen.emit(str(item.data(0, _PATH)))


def summary(problems: Sequence[Problem]) -> str:
    """Count errors and warnings: 'Problems: 1 error, 2 warnings'; notes stand in no one's way."""
    counts = []
    for severity in _ORDER[:-1]:
        count = sum(p.severity == severity for p in problems)
        if count:
            counts.append(_counted(severity, count))
    if not counts:
        return tr("Nothing stands in the way of a run.")
    return tr("Problems: {counts}", counts=", ".join(counts))


def _counted(severity: Severity, n: int) -> str:
    if severity == "error":
        return plural("{n} error", "{n} errors", n)
    if severity == "warning":
        return plural("{n} warning", "{n} warnings", n)
    return plural("{n} note", "{n} notes", n)
