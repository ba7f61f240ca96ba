"""The rows of what-if: sliders, and the figures of the run before beside those of the present one."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QObject, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QFontMetrics, QShowEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QSlider,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.comparing.runs import Cell, Line, as_far_as, in_brief
from app.features.whatif.answers import About, Answers
from app.fonts import wide
from app.forms.lines import NumberLine
from app.forms.places import Pin, is_whole, number_at, step, unit_of_field, words
from app.forms.units import Units
from app.forms.wheel import CalmWheel
from app.guard import guard
from app.icons import icon
from app.jobs.task import Task
from app.look import LIGHT, Theme
from app.rate_limit import RateLimit
from app.run_view.live import Live
from app.run_view.record import RunRecord
from app.run_view.run_view import RunView
from app.with_properties import with_properties
from solver.base.words import msgid, tr
from solver.injury import Assessment, assess
from solver.injury.figures import short_figure, shown, written
from solver.project import Project

_SHOW_FIELD = msgid("Show this field in the inspector")
_GONE = msgid("not in the model")

_WORDS_PX, _END_PX, _VALUE_PX = 260, 84, 96


class Slider(CalmWheel, QSlider):
    """Slide by mouse and arrow keys; the wheel turns it only once it has the keyboard."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setMinimumWidth(160)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)


class PinRow(QObject):
    """Show one pinned field in a line of a grid."""

    moved = Signal(float)
    """Another value (SI) while the slider is drawn."""
    released = Signal()
    typed = Signal(float)
    ends_typed = Signal(float, float)
    unpin_asked = Signal()
    shown_asked = Signal()

    def __init__(
        self, pin: Pin, units: Units, theme: Theme, grid: QGridLayout, at: int, panel: QObject
    ) -> None:
        # without a panel nothing would end the row, and with it who listens to it
        super().__init__(panel)
        self.pin, self._units, self._unit = pin, units, ""
        self._step = 1.0
        self._project: Project | None = None
        self.name = with_properties(QPushButton(), objectName="link", toolTip=tr(_SHOW_FIELD))
        self.name.setFixedWidth(_WORDS_PX)
        self.name.clicked.connect(self.shown_asked)
        self.slider = Slider()
        self.slider.valueChanged.connect(lambda at: self.moved.emit(self._at(at)))
        self.slider.sliderReleased.connect(self.released)
        self.value, self.low, self.high = (
            NumberLine(commit, units, "") for commit in (self._type, self._set_low, self._set_high)
        )
        for line, width in ((self.value, _VALUE_PX), (self.low, _END_PX), (self.high, _END_PX)):
            line.setFixedWidth(width)
        self.reset = with_properties(
            QToolButton(), objectName="quiet", icon=icon("undo", theme.muted)
        )
        self.reset.clicked.connect(lambda: self.typed.emit(self.pin.first))
        self.unpin = with_properties(
            QToolButton(), objectName="quiet", icon=icon("cross", theme.muted)
        )
        self.unpin.setToolTip(tr("Unpin"))
        self.unpin.clicked.connect(self.unpin_asked)
        self.words = with_properties(QLabel(), objectName="error", wordWrap=True)
        self.words.hide()
        widgets = (self.name, self.low, self.slider, self.high, self.value, self.reset, self.unpin)
        for column, widget in enumerate(widgets):
            grid.addWidget(widget, 2 * at, column)
        grid.addWidget(self.words, 2 * at + 1, 2, 1, 3)
        self.value.refused.connect(self.refuse)
        self.value.accepted.connect(lambda: self.refuse(""))
        for end in (self.low, self.high):
            end.refused.connect(self.refuse)

    def show_pin(self, project: Project, pin: Pin, units: Units) -> None:
        """Show where the field stands now."""
        self.pin, self._units = pin, units
        value = number_at(project, pin.path)
        self.is_there = value is not None
        for widget in (self.slider, self.value, self.low, self.high, self.reset):
            widget.setEnabled(self.is_there)
        if value is None:
            self.refuse(tr(_GONE))
            return
        if self.words.text() == tr(_GONE):
            self.refuse("")
        whole = is_whole(project, pin.path)
        self._unit = unit_of_field(project, pin.path)
        self._step = step(pin, self._unit, units, whole)
        text = words(project, pin.path)
        self._name(text)
        for line in (self.value, self.low, self.high):
            line.units, line.si_unit, line.whole = units, self._unit, whole
        self.value.show_value(int(value) if whole else value)
        self.low.show_value(int(pin.low) if whole else pin.low)
        self.high.show_value(int(pin.high) if whole else pin.high)
        with QSignalBlocker(self.slider):
            self.slider.setRange(
                math.ceil(pin.low / self._step - 1e-9), math.floor(pin.high / self._step + 1e-9)
            )
            self.slider.setPageStep(max(1, (self.slider.maximum() - self.slider.minimum()) // 10))
            if not self.slider.isSliderDown():
                self.slider.setValue(round(value / self._step))
        back = units.with_unit(units.short(pin.first, self._unit), self._unit)
        self.reset.setToolTip(tr("Back to {value}", value=back))
        self.reset.setEnabled(value != pin.first)
        for widget, title in (
            (self.slider, msgid("Slider of {field}")), (self.value, msgid("Value of {field}")),
            (self.low, msgid("Lower end of {field}")), (self.high, msgid("Upper end of {field}")),
        ):  # fmt: skip
            widget.setAccessibleName(tr(title, field=text))

    def refuse(self, sentence: str) -> None:
        """Say why a value cannot be."""
        self.words.setText(sentence)
        self.words.setVisible(bool(sentence))

    def widgets(self) -> list[Any]:
        """All that stands in the grid."""
        return [
            self.name, self.low, self.slider, self.high, self.value, self.reset, self.unpin, self.words,
        ]  # fmt: skip

    def _name(self, said: str) -> None:
        metrics = QFontMetrics(self.name.font())
        mode = Qt.TextElideMode.ElideMiddle
        self.name.setText(metrics.elidedText(said, mode, _WORDS_PX - 20))
        self.name.setToolTip(f"{said}\n{tr(_SHOW_FIELD)}")

    def _at(self, place: int) -> float:
        """Give the value (SI) at a place of the slider; its ends are exact."""
        if place <= self.slider.minimum():
            return self.pin.low
        if place >= self.slider.maximum():
            return self.pin.high
        shown = self._units.shown(self._step, self._unit) * place
        return self._units.from_shown(float(f"{shown:.10g}"), self._unit)

    def _type(self, value: Any, _: bool) -> bool:
        self.typed.emit(float(value))
        return not self.words.isVisible()

    def _set_low(self, value: Any, _: bool) -> bool:
        self.ends_typed.emit(float(value), self.pin.high)
        return True

    def _set_high(self, value: Any, _: bool) -> bool:
        self.ends_typed.emit(self.pin.low, float(value))
        return True


_WIDTHS = (140, 124, 84, 76)


class Figures(QWidget):
    """Follow the study: what its ghost gave, what its current run gives, or one that is coming so far."""

    def __init__(self, run_view: RunView, live: Live, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.run_view, self.live, self._theme, self.system = run_view, live, LIGHT, "metric"
        self.state = with_properties(QLabel(), objectName="muted", wordWrap=True)
        self.tree = with_properties(QTreeWidget(), rootIsDecorated=False, uniformRowHeights=True)
        self.tree.setAccessibleName(tr("Figures before and now"))
        self.tree.setHeaderLabels([tr("Figure"), tr("Before"), tr("Now"), tr("Change")])
        self.tree.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        for column, width in enumerate(_WIDTHS):
            self.tree.setColumnWidth(column, wide(width))
        # 'not judged' stands behind some: it is never cut
        self.tree.header().setSectionResizeMode(2, QHeaderView.ResizeMode.ResizeToContents)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 4)
        layout.setSpacing(4)
        layout.addWidget(self.state)
        layout.addWidget(self.tree, 1)
        self.lines: list[Line] = []
        run_view.run_shown.connect(self._look)
        run_view.runs.ended.connect(lambda _: self._look())
        run_view.document.changed.connect(lambda _: self._look())
        run_view.grown.connect(self._look)
        live.switched.connect(lambda _: self._look())
        self.measuring = Measuring(self)
        self.measuring.found.connect(self._look)
        self._shown: object = None
        self.answers, self.drawn = Answers(), ""
        """What models gave, and the field that was set last."""
        self._about: tuple[object, dict[str, About]] = (None, {})
        run_view.document.opened.connect(self.answers.clear)

    def set_theme(self, theme: Theme) -> None:
        """Colour the words again."""
        self._theme, self._shown = theme, None
        self._look()

    def set_units(self, system: str) -> None:
        """Write the figures in other units."""
        self.system, self._shown = system, None
        self._look()

    @guard
    def showEvent(self, event: QShowEvent) -> None:
        """Write what came while nobody looked."""
        super().showEvent(event)
        self._look()

    def _look(self) -> None:
        if not self.isVisible():
            return
        coming = self.run_view.coming
        names = [line.figure.name for line in self.lines if line.figure is not None]
        self.measuring.follow(coming if coming is not None and coming.is_running else None, names)
        so_far = self.measuring.so_far
        self._say_state()
        current, ghost = self.run_view.runs.current, self.run_view.ghost
        before = ghost if ghost is not None and ghost.has_ended else None
        about = self._known(current, before)
        if ghost is current and so_far is None and not about:
            before = None
        is_old = (
            current is not None and self.run_view.is_outdated(current) and not self.live.is_pending
        )
        key = (
            before,
            current,
            current is not None and current.has_ended,
            so_far,
            is_old,
            self._about[0] if about else None,
        )
        if key == self._shown:
            return
        self._shown = key
        beside = (before, current) if so_far is None and not about else (before,)
        records = [r for r in beside if r is not None and r.has_ended]
        self.lines = in_brief(records, self.system) if records else []
        if about:
            self.lines = [replace(one, cells=(*one.cells, _cell(one, about))) for one in self.lines]
        elif so_far is not None:
            self.lines = as_far_as(so_far.found, self.lines)
        was = "" if before is None else tr("Before: {name}", name=before.name)
        now = tr("About") if about else tr("Now") if so_far is None else tr("So far")
        if is_old and so_far is None and not about and current is not None:
            now = current.name
        for column, title in ((1, was or tr("Before")), (2, now)):
            self.tree.headerItem().setText(column, title)
            self.tree.headerItem().setToolTip(
                column, tr(_ABOUT) if about and column == 2 else title
            )
        self.tree.clear()
        for line in self.lines:
            self._add(line, before is not None, is_last=so_far is None and not about)

    def _known(self, current: RunRecord | None, before: RunRecord | None) -> dict[str, About]:
        """Keep the answers that are there; while another is on its way, what they say of it, where there is a run to compare with."""
        project = self.run_view.document.project
        for one in (before, current):
            if (
                one is not None
                and one.status == "completed"
                and one.is_assessed
                and self.live.is_on
            ):
                found = one.assess()
                self.answers.add(
                    one.project, {f.name: f.value for f in found.figures} if found else {}
                )
        if not self.live.is_pending or before is None:
            return {}
        key = (project, self.drawn, current)
        if self._about[0] != key:
            self._about = key, self.answers.about(project, self.drawn)
        return self._about[1]

    def _add(self, line: Line, has_before: bool, is_last: bool) -> None:
        before = line.cells[0].words if has_before else ""
        now = line.cells[-1]
        current = self.run_view.runs.current
        project = None if current is None else current.project
        short = line.title if line.figure is None else short_figure(line.figure.name, project)
        item = QTreeWidgetItem(self.tree, [short, before, now.words, now.change])
        for column, text in enumerate((line.title, before, now.words, now.change)):
            item.setToolTip(column, text)
        font = item.font(2)
        font.setBold(is_last)
        font.setItalic(not is_last)
        item.setFont(2, font)
        item.setForeground(1, QBrush(QColor(self._theme.muted)))
        if now.share is not None and now.share > 1.0:
            item.setForeground(2, QBrush(QColor(self._theme.error)))

    def _say_state(self) -> None:
        current = self.run_view.runs.current
        running = self.run_view.runs.running()
        if running is not None and running.solving is not None:
            done, so_far = running.solving.fraction, self.measuring.so_far
            words = (
                tr("Solving … {percent:.0f} %", percent=100.0 * done)
                if done > 0.0
                else tr("Solving …")
            )
            if self._about[1] and self.live.is_pending:
                words = tr("{solving}: about, from the answers on both sides.", solving=words)
            elif so_far is not None:
                words = tr(
                    "{solving}: figures of its first {ms:.0f} ms, not the last word.",
                    solving=words,
                    ms=1e3 * so_far.until_s,
                )
        elif current is not None and self.run_view.is_outdated(current):
            words = tr("These figures are of another model: {name}. The first drag solves this one, as it is and as it becomes.", name=current.name)  # fmt: skip
        elif current is None or not self.live.is_on:
            words = tr("The first drag solves the model; what was there before stays beside it.")
        else:
            words = tr("These are the figures of the model as it is.")
        self.state.setText(words)


_ABOUT = msgid("What lies between the answers on both sides, and how far off such a value has been")


def _cell(line: Line, about: Mapping[str, About]) -> Cell:
    """A figure before it is solved, with how far off it may be."""
    one = None if line.figure is None else about.get(line.figure.name)
    if one is None or line.figure is None:
        return Cell("…")
    (value, unit), (off, _) = (shown(x, line.figure.unit) for x in (one.value, one.off))
    return Cell(f"{written(value)} ± {written(off, 2)} {unit}".rstrip())


_AGAIN_MS = 300.0


@dataclass(frozen=True, eq=False, slots=True)
class SoFar:
    """What the first part of a run gives, and how long that is (s)."""

    until_s: float
    found: Assessment


class Measuring(QObject):
    """Look at one run after the other; what comes too late is left."""

    found = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.so_far: SoFar | None = None
        self._record: RunRecord | None = None
        self._is_busy = False
        self._pace = RateLimit(_AGAIN_MS)

    def follow(self, record: RunRecord | None, names: Collection[str] = ()) -> None:
        """Look at this run from now on, as far as it is, for the figures of these names, or for all; none: at no run."""
        if record is not self._record:
            self._record, self.so_far = record, None
        seen = None if record is None or self._is_busy else record.seen
        if record is None or seen is None or not len(seen.time) or not self._pace.is_due():
            return
        self._is_busy, project, until_s = True, record.project, float(seen.time[-1])
        only = set(names) or None
        task = Task(lambda: SoFar(until_s, assess(seen, project, only=only)), self)
        task.done.connect(lambda so_far: self._on_done(record, so_far))
        task.failed.connect(lambda _: self._on_done(record, None))
        task.start()

    def _on_done(self, record: RunRecord, so_far: SoFar | None) -> None:
        self._is_busy = False
        # the first instants may give nothing yet
        if record is self._record and so_far is not None:
            self.so_far = so_far
            self.found.emit()
