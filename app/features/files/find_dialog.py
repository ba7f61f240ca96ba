"""Find projects, runs and studies of folders by a line; a click opens what is found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFileDialog,
    QLabel,
    QLineEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
)

from app.fonts import em
from app.jobs.task import Task
from app.widgets.sheet import Sheet
from app.with_properties import with_properties
from app.workbench import Workbench
from solver.base.words import Refusal, msgid, tr
from solver.store import Entry, Looked, Store, parsed
from solver.store.query import compared

_COLUMNS = (msgid("What"), msgid("Title"), msgid("Figures"), msgid("File"))
_KINDS = {"project": msgid("Project"), "run": msgid("Run"), "study": msgid("Study")}
_WIDTH_EM, _WIDE_EM, _TABLE_PX = 60.0, (6.0, 20.0, 15.0, 12.0), 240
_PATH = Qt.ItemDataRole.UserRole

Answer = tuple[tuple[Entry, ...], Looked, tuple[Path, ...]]


class FindDialog(Sheet):
    """Ask the store; `chosen` gives the file of a row that is opened."""

    chosen = Signal(Path)

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench.window, tr("Find models, runs and studies"), "finding", width_em=_WIDTH_EM)  # fmt: skip
        self._bench = bench
        self._task: Task | None = None
        self._is_over = False
        self.line = with_properties(
            QLineEdit(), clearButtonEnabled=True, placeholderText=tr("HIC15 < 400 and belt")
        )
        self.line.setAccessibleName(tr("What is looked for"))
        self.line.setToolTip(tr("Words, and figures with <, >, =, with and, or, not between them; F1 says more"))  # fmt: skip
        self.said = with_properties(QLabel(), objectName="muted", wordWrap=True)
        self.table = with_properties(QTreeWidget(), columnCount=4, rootIsDecorated=False)
        self.table.setHeaderLabels([tr(words) for words in _COLUMNS])
        self.table.setAccessibleName(tr("What was found"))
        self.table.setMinimumHeight(_TABLE_PX)
        for column, wide in enumerate(_WIDE_EM):
            self.table.setColumnWidth(column, round(wide * em()))
        self.find_button = with_properties(
            QPushButton(tr("Find")), objectName="primary", default=True,
            toolTip=tr("Look into the folders, and list what the line asks for"),
        )  # fmt: skip
        self.open_button = with_properties(QPushButton(tr("Open")), enabled=False, toolTip=tr("Open what is selected"))  # fmt: skip
        self.folder_button = with_properties(
            QPushButton(tr("Look into a folder…")),
            toolTip=tr("Look into one more folder, and those below it, from now on"),
        )
        close = with_properties(QPushButton(tr("Close")), toolTip=tr("Leave this (Esc)"))
        self.find_button.clicked.connect(lambda: self.look_up())
        self.open_button.clicked.connect(self.open_current)
        self.folder_button.clicked.connect(self.add_folder)
        close.clicked.connect(self.reject)
        self.table.itemActivated.connect(lambda *_: self.open_current())
        self.table.itemSelectionChanged.connect(
            lambda: self.open_button.setEnabled(bool(self.table.selectedItems()))
        )
        self.form.add(tr("Find"), self.line)
        self.column.addLayout(self.form)
        self.column.addWidget(self.table, 1)
        self.column.addWidget(self.said)
        self.add_buttons(close, self.open_button, self.find_button, left=self.folder_button)
        self.finished.connect(self._on_finished)
        self.line.setFocus()
        self.look_up()

    @property
    def is_busy(self) -> bool:
        """Whether folders are being looked into."""
        return self._task is not None

    def look_up(self, *folders: Path) -> None:
        """Look into the folders, and list what the line asks for."""
        if self.is_busy:
            return
        line = self.line.text()
        try:
            parsed(line)
        except Refusal as failure:
            self.said.setText(str(failure))
            return
        self.said.setText(tr("Looking into the folders…"))
        self._work(lambda: _asked(line, folders, lambda: self._is_over))

    def add_folder(self) -> None:
        """Choose one more folder."""
        name = QFileDialog.getExistingDirectory(self, tr("Look into a folder"))
        if name:
            self.look_up(Path(name))

    def open_current(self) -> None:
        """Open the file of the row that is selected."""
        item = self.table.currentItem()
        if item is not None:
            self.chosen.emit(Path(item.data(0, _PATH)))
            self.accept()

    def _work(self, work: Callable[[], Answer]) -> None:
        self._task = Task(work, self._bench)
        self._task.done.connect(self._on_found)
        self._task.failed.connect(self._on_failed)
        self._task.start()
        self.find_button.setEnabled(False)

    def _on_failed(self, failure: Exception) -> None:
        self._task = None
        if not self._is_over:
            self.find_button.setEnabled(True)
            self.said.setText(str(failure))

    def _on_found(self, answer: Answer) -> None:
        self._task = None
        if self._is_over:
            return
        self.find_button.setEnabled(True)
        found, looked, folders = answer
        names = compared(parsed(self.line.text()))
        self.table.clear()
        for one in found:
            told = [
                f"{name} {low:.4g}" if low == high else f"{name} {low:.4g} … {high:.4g}"
                for name, (low, high) in one.chosen(names)
            ]
            about = ", ".join([*filter(None, [one.name, one.status]), *told])
            item = QTreeWidgetItem([tr(_KINDS[one.kind]), one.title, about, one.path.name])
            item.setData(0, _PATH, str(one.path))
            for column in range(4):
                item.setToolTip(column, str(one.path) if column == 3 else item.text(column))
            self.table.addTopLevelItem(item)
        words = [tr("{count} found in {folders} folders.", count=len(found), folders=len(folders))]
        if not folders:
            words = [tr("No folder has been looked into yet: choose one.")]
        if looked.dropped:
            words.append(tr("{count} files are gone and are dropped.", count=len(looked.dropped)))
        if looked.unread:
            path, why = looked.unread[0]
            words.append(tr("{count} cannot be read: '{file}': {why}", count=len(looked.unread), file=path.name, why=why))  # fmt: skip
        self.said.setText(" ".join(words))

    def _on_finished(self, _: int) -> None:
        self._is_over = True


def _asked(line: str, folders: tuple[Path, ...], cancel: Callable[[], bool]) -> Answer:
    with Store() as store:
        looked = store.look(folders, cancel=cancel)
        return store.find(line), looked, store.folders
