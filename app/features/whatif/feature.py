"""What-if: sliders for numbers of the model; a drag solves it again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QGridLayout,
    QLabel,
    QScrollArea,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from app.command import Command
from app.document import Document
from app.editing.shape import lowered
from app.features.feature import Feature
from app.features.whatif.rows import Figures, PinRow
from app.forms.lines import NumberLine
from app.forms.places import Pin, bounds, is_whole, number_at, pin, words
from app.forms.units import Units
from app.history import Change
from app.home import home
from app.look import LIGHT, Theme
from app.panel import Panel
from app.run_view.live import Live
from app.run_view.run_view import RunView
from app.widgets.splits import split
from app.with_properties import with_properties
from app.workbench import Workbench
from solver.base.atomic import write_atomic
from solver.base.words import tr
from solver.project import ProjectError
from solver.project.changes import with_value


class WhatIf(Feature):
    """Give fields sliders."""

    name = "whatif"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        bench.commands.add(
            Command(
                "run.pin",
                tr("Pin the field as a &slider"),
                tr(
                    "Give the number that is being edited a slider, and solve again as it is drawn."
                ),
                self.pin_field,
                "Ctrl+P",
                bench.has_project,
            )
        )
        panel = self.panel = WhatIfPanel(bench.run_view, bench.live)
        bench.panels.add(
            Panel(
                "whatif",
                panel,
                "below",
                tr("What-if"),
                tr("Sliders for numbers of the model; a drag solves it again"),
                go_to=(tr("&What-if"), tr("Go to the sliders.")),
                topic="guide#what-if",
                moods=("run",),
            )
        )
        bench.pinned = lambda: panel.pins
        panel.said.connect(bench.say)
        panel.field_asked.connect(bench.document.select)
        bench.pin_asked.connect(self.pin)
        bench.theme_changed.connect(panel.set_theme)
        bench.units_changed.connect(panel.set_units)

    def pin_field(self) -> None:
        """The number that has the keyboard a slider, or else the field pointed at last."""
        line = QApplication.focusWidget() or self.bench.window.focusWidget()
        if isinstance(line, NumberLine) and line.can_be_pinned() and line.pin is not None:
            line.pin()
        else:
            self.pin(self.bench.document.field)

    def pin(self, path: str) -> None:
        """Give a field a slider, and bring the sliders to the front."""
        if self.panel.pin(path) or any(one.path == path for one in self.panel.pins):
            self.bench.panels.open("whatif")


class WhatIfPanel(QWidget):
    """The sliders of the open project, and the figures before and now."""

    said = Signal(str)
    field_asked = Signal(str)

    def __init__(self, run_view: RunView, live: Live, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.document: Document = run_view.document
        self.live, self.units, self._theme = live, Units("metric"), LIGHT
        self.pins: list[Pin] = []
        self.rows: list[PinRow] = []
        self.store = PinStore()
        self._path = self.document.path
        self.figures = Figures(run_view, live)
        empty = with_properties(
            QLabel(
                tr(
                    "Pin any number of the model as a slider: right-click its field in the inspector, or press Ctrl+P in it. A drag then solves the model again while you look."
                )
            ),
            objectName="muted",
            wordWrap=True,
        )
        empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        empty.setContentsMargins(32, 8, 32, 8)
        self._list = QWidget()
        self._grid = QGridLayout(self._list)
        self._grid.setContentsMargins(8, 8, 8, 8)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(2, 1)
        page = with_properties(QWidget(), objectName="panel")
        page.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._list)
        column.addStretch(1)
        area = QScrollArea(widgetResizable=True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(page)
        whole = split(Qt.Orientation.Horizontal, (area, self.figures), (860, 480))
        holder = QWidget()
        self._stack = QStackedLayout(holder)
        self._stack.addWidget(empty)
        self._stack.addWidget(whole)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(holder)
        document = self.document
        document.opened.connect(self._on_opened)
        document.changed.connect(self._on_changed)
        document.named.connect(self._on_named)

    def pin(self, path: str) -> bool:
        """Give a field a slider; False where it has one, or is no number."""
        found = pin(self.document.project, path, self.units)
        if found is None:
            self.said.emit(
                tr("Put the cursor into a number of the inspector first; it can then be pinned.")
            )
            return False
        field = words(self.document.project, path)
        if any(one.path == path for one in self.pins):
            self.said.emit(tr("{field} has a slider already.", field=field))
            return False
        self._set([*self.pins, found])
        self.said.emit(tr("{field} is pinned as a slider.", field=field))
        return True

    def unpin(self, path: str) -> None:
        """Take a slider away; the value stays."""
        self._set([one for one in self.pins if one.path != path])

    def set_value(self, path: str, value: float, *, drawn: bool = False) -> str:
        """Set a field as one step of the history, or as a part of one while drawn; gives why not."""
        document = self.document
        self.live.switch(True)
        whole = is_whole(document.project, path)
        try:
            project = with_value(document.project, path, round(value) if whole else value)
        except ProjectError as failure:
            first = failure.problems[0]
            return f"{first.sentence} {first.hint}".rstrip()
        field = lowered(words(document.project, path))
        self.live.is_drawn, self.figures.drawn = True, path
        try:
            key = f"slider/{path}" if drawn else None
            document.replace(project, tr("Change {field}", field=field), key)
        finally:
            self.live.is_drawn = False
        return ""

    def set_ends(self, path: str, low: float, high: float) -> str:
        """Let a slider go from one value to another; gives why not."""
        least, most = bounds(self.document.project, path)
        if not least <= low < high <= most:
            return tr(
                "The lower end must lie below the upper one, and both within what the field takes."
            )
        self._set([replace(p, low=low, high=high) if p.path == path else p for p in self.pins])
        return ""

    def set_units(self, system: str) -> None:
        """Show numbers in other units."""
        self.units = Units(system)
        self.figures.set_units(system)
        self._show()

    def set_theme(self, theme: Theme) -> None:
        """Draw everything again."""
        self._theme = theme
        self.figures.set_theme(theme)
        self._build()

    def _set(self, pins: list[Pin]) -> None:
        same = [one.path for one in pins] == [one.path for one in self.pins]
        self.pins = pins
        if same:
            self._show()
        else:
            self._build()
        self._keep()

    def _build(self) -> None:
        """Lay out one row for each slider."""
        for row in self.rows:
            for widget in row.widgets():
                self._grid.removeWidget(widget)
                widget.hide()
                widget.deleteLater()
            row.deleteLater()
        self.rows = []
        for n, one in enumerate(self.pins):
            row = PinRow(one, self.units, self._theme, self._grid, n, self)
            row.moved.connect(lambda value, row=row: self._on_moved(row, value))
            row.typed.connect(lambda value, row=row: self._on_typed(row, value))
            row.released.connect(self.document.end_gesture)
            row.ends_typed.connect(lambda low, high, row=row: self._on_ends(row, low, high))
            row.unpin_asked.connect(lambda row=row: self.unpin(row.pin.path))
            row.shown_asked.connect(lambda row=row: self.field_asked.emit(row.pin.path))
            self.rows.append(row)
        self._show()
        self._stack.setCurrentIndex(1 if self.pins else 0)

    def _show(self) -> None:
        for row, one in zip(self.rows, self.pins, strict=True):
            row.show_pin(self.document.project, one, self.units)

    def _on_moved(self, row: PinRow, value: float) -> None:
        row.refuse(self.set_value(row.pin.path, value, drawn=True))

    def _on_typed(self, row: PinRow, value: float) -> None:
        refusal = self.set_value(row.pin.path, value)
        row.refuse(refusal)
        one = row.pin
        if not refusal and not one.low <= value <= one.high:
            self.set_ends(one.path, min(one.low, value), max(one.high, value))

    def _on_ends(self, row: PinRow, low: float, high: float) -> None:
        row.refuse(self.set_ends(row.pin.path, low, high))
        self._show()

    def _on_opened(self) -> None:
        self._path = self.document.path
        kept = self.store.of(self._path) if self._path is not None else []
        project = self.document.project
        self.pins = [
            replace(one, first=value)
            for one in kept
            if (value := number_at(project, one.path)) is not None
        ]
        self._build()

    def _on_changed(self, change: Change) -> None:
        renamed = _renamed(change)
        if renamed:
            self.pins = [replace(one, path=_followed(one.path, renamed)) for one in self.pins]
            self._keep()
        if self.pins:
            self._show()

    def _on_named(self) -> None:
        if self.document.path != self._path:
            self._path = self.document.path
            self._keep()

    def _keep(self) -> None:
        if self._path is None:
            return
        try:
            self.store.keep(self._path, self.pins)
        except OSError as failure:
            self.said.emit(
                tr("The sliders could not be remembered: {why}", why=failure.strerror or failure)
            )


def _renamed(change: Change) -> dict[str, str]:
    """Give the elements that stand where they stood under another id."""
    out = {}
    for path in change.added:
        name, _, new = path.partition("/")
        before, after = (getattr(one, name) for one in (change.before, change.after))
        ids = [item.id for item in after]
        old = before[ids.index(new)].id if len(before) == len(after) else new
        if old != new and old not in ids:
            out[f"{name}/{old}"] = path
    return out


def _followed(path: str, renamed: dict[str, str]) -> str:
    for old, new in renamed.items():
        if path.startswith(f"{old}/"):
            return f"{new}{path.removeprefix(old)}"
    return path


_MOST = 100
"""Of so many projects the sliders are remembered; those of the one used longest ago go first."""


class PinStore:
    """Read and write one small file; what is damaged in it counts as not kept."""

    def __init__(self, folder: Path | None = None) -> None:
        self._file = (folder or home()) / "sliders.json"

    def of(self, project: Path) -> list[Pin]:
        """The sliders of a project."""
        found = self._all().get(str(project.resolve()))
        pins = found if isinstance(found, list) else []
        return [pin for one in pins if (pin := _pin(one)) is not None]

    def keep(self, project: Path, pins: Sequence[Pin]) -> None:
        """Keep the sliders of a project; OSError where that cannot be."""
        data, key = self._all(), str(project.resolve())
        data.pop(key, None)
        if pins:
            data[key] = [[pin.path, pin.low, pin.high, pin.first] for pin in pins]
        kept = dict(list(data.items())[-_MOST:])
        write_atomic(self._file, json.dumps(kept, indent=1, ensure_ascii=False))

    def _all(self) -> dict[str, Any]:
        try:
            data = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return data if isinstance(data, dict) else {}


def _pin(value: Any) -> Pin | None:
    match value:
        case [str(path), float() | int() as low, float() | int() as high, float() | int() as first]:
            return Pin(path, float(low), float(high), float(first)) if low < high else None
    return None
