"""In a made-up language no word of the window stays English: menus, panels, forms, dialogs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel
from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractListModel,
    QAbstractTableModel,
    QModelIndex,
    QObject,
    Qt,
)
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QDockWidget,
    QGroupBox,
    QLabel,
    QLineEdit,
    QMenu,
    QTabBar,
    QToolButton,
    QWidget,
)

from app.curves.csv_dialog import CsvDialog
from app.forms.units import Units
from solver.base.places import resources, samples
from solver.bodies.library import entries
from solver.injury.reference import reference
from solver.project import validated
from solver.project.functions import Function, Table
from solver.studies.bench.table import bench_tests, dummies
from tests.everything import everything, first_of_each_kind
from tests.window.solving import solved
from tests.window.waiting import turns

FORCES = Function(id="f", x_unit="s", y_unit="m/s2", form=Table(x=(0, 1), y=(0, 1)))

pytestmark = pytest.mark.window

PLAIN: dict[str, str] = {
    "Manikin": "the name of the program",
    "English": "a language, by its own name", "Deutsch": "a language, by its own name",
    "mm": "a unit", "ms": "a unit", "kg": "a unit", "kN": "a unit", "kW": "a unit", "km": "a unit", "Nm": "a unit",
    "ft": "a unit", "cm": "a unit", "in": "a unit", "Hz": "a unit", "kPa": "a unit", "rad": "a unit", "deg": "a unit", "Pa": "a unit", "Ns": "a unit", "th": "of numbers",
    "Export": "of a menu of pyqtgraph that is never shown",
    "Wk": "a weighting of ISO 2631-1", "Wd": "a weighting", "Wf": "a weighting", "Wc": "a weighting", "We": "a weighting",
    "Wj": "a weighting",
    "llvmpipe": "the name of a driver", "bits": "the name of a driver",
}  # fmt: skip
"""Words that stay as they are, with the reason."""


def visible(root: QWidget, *, shown: bool = False) -> Iterator[str]:
    """Give all that people or screen readers read of a window, also where it is hidden, but for tables if only those are asked for that are shown."""
    for widget in (root, *root.findChildren(QWidget)):
        if foreign(widget):
            continue
        yield widget.toolTip()
        yield widget.statusTip()
        yield widget.accessibleName()
        yield widget.accessibleDescription()
        yield widget.windowTitle()
        if isinstance(widget, QAbstractButton | QLabel):
            yield widget.text()
        if isinstance(widget, QGroupBox | QMenu):
            yield widget.title()
        if isinstance(widget, QLineEdit):
            yield widget.placeholderText()
        if isinstance(widget, QAbstractSpinBox):
            yield widget.text()
        if isinstance(widget, QTabBar):
            for n in range(widget.count()):
                yield widget.tabText(n)
                yield widget.tabToolTip(n)
        if isinstance(widget, QComboBox):
            yield from items(widget.model())
        is_read = not shown or widget.isVisibleTo(root)
        if isinstance(widget, QAbstractItemView) and widget.model() is not None and is_read:
            yield from items(widget.model())
    for action in root.findChildren(QAction):
        if not foreign(action):
            yield from (action.text(), action.toolTip(), action.statusTip())


def foreign(one: QObject | None) -> bool:
    """Tell what stands in no window of ours: menus of pyqtgraph that are never shown, arrows of Qt's tabs."""
    if isinstance(one, QToolButton) and isinstance(one.parent(), QTabBar):
        return True
    if isinstance(one, QAbstractButton) and isinstance(one.parent(), QDockWidget):
        return one.isHidden()  # docks with titles of our own have Qt's still
    while one is not None:
        if isinstance(one, QMenu) and one.title() in ("Plot Options", "View All", "Transforms"):
            return True
        if type(one).__name__ in ("ViewBoxMenu", "PlotItem") or "Ctrl" in one.objectName():
            return True
        one = one.parent()
    return False


ROLES = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.AccessibleTextRole,
)


def items(model: QAbstractItemModel, parent: QModelIndex | None = None) -> Iterator[str]:
    """Give the headings and entries of a list, a table or a tree."""
    top = parent or QModelIndex()
    is_list = isinstance(model, QAbstractListModel)
    is_flat = is_list or isinstance(model, QAbstractTableModel)
    columns = 1 if is_list else model.columnCount(top)
    if parent is None:
        for way in (Qt.Orientation.Horizontal, Qt.Orientation.Vertical):
            count = columns if way == Qt.Orientation.Horizontal else min(model.rowCount(), 60)
            for n in range(count):
                for role in ROLES:
                    yield str(model.headerData(n, way, role) or "")
    for row in range(min(model.rowCount(top), 60)):
        for column in range(columns):
            index = model.index(row, column, top)
            for role in ROLES:
                found = index.data(role)
                if isinstance(found, str):
                    yield found
            if column == 0 and not is_flat and model.hasChildren(index):
                yield from items(model, index)


KEYS = r"\b(?:Ctrl|Shift|Alt|Esc|Del|Space|Home|End|Left|Right|Up|Down|Tab|Return|Enter)\b(?=\+|\)|,|</b>)|(?<=\+)(?:Left|Right|Up|Down|Del|Tab|Space)|<b>[\w+, ]*</b>"
"""Keys, as Qt writes them."""
TAGS = r"<[^>]*>|&\w+;|[\w*]+\.(?:\w+)|\b\w*_\w*\b|'[^']*'|‘[^’]*’"


BEGIN = 3
"""Letters by which data are looked up: nothing shorter is among them."""


class Kinematics:
    """Gather what stays English, with where it was seen."""

    def __init__(self, data: frozenset[str]) -> None:
        self.data: dict[str, list[str]] = {}
        for one in sorted(data, key=len, reverse=True):
            self.data.setdefault(one[:BEGIN], []).append(one)
        self.read_before: set[str] = set()
        self.left: dict[str, str] = {}

    def look(self, where: str, root: QWidget, *, shown: bool = False) -> None:
        for text in visible(root, shown=shown):
            self.read(where, text)

    def read(self, where: str, text: str) -> None:
        if text in self.read_before:
            return
        self.read_before.add(text)
        plain = text.replace("&nbsp;", " ").replace("\u2060", "").replace("&", "")
        shown = re.sub(KEYS, " ", plain)
        shown = re.sub(TAGS, " ", self.without_data(shown))
        if left := [w for w in words(shown) if w not in PLAIN and not w.isupper()]:
            self.left[text] = f"{where}: {text!r} ({', '.join(left)})"

    def without_data(self, text: str) -> str:
        """Put a space in place of what is data: the longest that stands there, in whole words."""
        begins, kept, at = [m.start() for m in re.finditer(r"(?<!\w)", text)], [], 0
        for begin in begins:
            if begin < at:
                continue
            for one in self.data.get(text[begin : begin + BEGIN], ()):
                end = begin + len(one)
                if text.startswith(one, begin) and not re.match(r"\w", text[end : end + 1]):
                    kept += [text[at:begin], " "]
                    at = end
                    break
        return "".join([*kept, text[at:]])


@cache
def data_of_files() -> frozenset[str]:
    """Give names, titles and notes of the files that are shown: they are data, not words of ours."""
    found = set(texts_in(everything()))
    for file in samples().glob("*.json"):
        found |= set(texts_in(json.loads(file.read_text(encoding="utf-8"))))
    for one in entries():
        found |= set(texts_in(one))
    found |= set(texts_in(json.loads((resources() / "bodies" / "poses.json").read_text("utf-8"))))
    found |= set(texts_in(reference()))  # dummies and sources
    for name in dummies():
        found |= set(texts_in(bench_tests(name)))
    # what tells elements of one name apart is of their ids
    found |= {end for text in found for end in re.findall(r"(?<=_)[a-z]+-\d+$", text)}
    found |= {text[:1].upper() + text[1:] for text in found}  # as names are said at a beginning
    sentences = {one for text in found for one in re.split(r"(?<=\.) ", text)}
    return frozenset(text for text in found | sentences if len(text.strip()) > 2)


def texts_in(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        for value in data.values():
            yield from texts_in(value)
    elif isinstance(data, list | tuple):
        for value in data:
            yield from texts_in(value)
    elif isinstance(data, BaseModel):
        yield from texts_in(data.model_dump())
    elif hasattr(data, "__dict__"):
        yield from texts_in(vars(data))
    elif hasattr(data, "__slots__"):
        yield from (text for name in data.__slots__ for text in texts_in(getattr(data, name)))


def words(text: str) -> list[str]:
    return re.findall(r"(?<![^\W\d_])[A-Za-z]{2,}(?![^\W\d_])", text.replace("&", ""))


def test_the_window_is_translated(made_up: Path, window: Any, qtbot: Any) -> None:
    bench = window.bench
    seen = Kinematics(data_of_files())
    seen.look("welcome", window.panels["welcome"])
    for id_, command in window.menus.commands.items():
        for text in (command.title, command.tip):
            seen.read(id_, text)
    bench.document.adopt(validated(everything()))
    for path, _ in first_of_each_kind(bench.document.project):
        bench.document.select(path)
        for section in list(window.panels["inspector"].form.sections.values()):
            section.open()
        seen.look(path, window.panels["inspector"].form)
        if window.panels["editor"].fits(bench.document.selection):
            seen.look(f"editor of {path}", window.panels["editor"], shown=True)
    seen.look("window", window)
    for id_ in (
        "edit.preferences",
        "help.keys",
        "place.body",
        "place.library",
        "place.settle",
        "run.certify",
    ):
        window.menus.run(id_)
        for dialog in window.findChildren(QWidget):
            if dialog.isWindow() and dialog.isVisible():
                seen.look(id_, dialog)
                dialog.close()
    bench.document.history.setClean()
    bench.document.recovered = False
    assert not seen.left, "\n".join(seen.left.values())


def test_what_is_said_of_a_run_is_translated(made_up: Path, window: Any, qtbot: Any) -> None:
    """The panels below the scene, what is compared, the dialogs of tables and of movies."""
    seen = Kinematics(data_of_files())
    solved(window, qtbot)
    window.bench.document.edit("segments/head/mass_kg", 3.0, "m")
    window.bench.run_view.run()
    qtbot.waitUntil(lambda: window.bench.run_view.runs.running() is None, timeout=240_000)
    for panel in window.panels.all("below"):
        window.panels.open(panel.name)
        turns()
        seen.look(panel.name, panel.widget)
    for name in ("timeline", "run_control"):
        seen.look(name, window.panels[name])
    seen.look("status", window.statusBar())
    table = CsvDialog("T [ms],A [g]\n0,0\n10,20\n", FORCES, Units(), "", window)
    seen.look("table", table)
    table.deleteLater()
    film = window.features["movie"].film()
    seen.look("movie", film)
    film.close()
    assert not seen.left, "\n".join(seen.left.values())
