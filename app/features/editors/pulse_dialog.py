"""A measured pulse for a vehicle or sled: a file, one of its channels, and what of it counts, seen before it is taken."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QLabel, QPushButton

from app.curves.canvas import Canvas
from app.elements import name_of
from app.forms.choices import Choice, Number
from app.forms.units import Units
from app.jobs.task import Task
from app.look import Theme
from app.widgets.sheet import Fields, Sheet, fit_beside, in_row
from app.with_properties import with_properties
from app.workbench import Workbench
from solver.base.units import pretty
from solver.base.words import Refusal, msgid, tr
from solver.bodies.library.pulses import Measured, led_by, pulse_of
from solver.exchange.measured.codes import read_code
from solver.exchange.measured.files import MeasuredTest
from solver.exchange.measured.pulses import accelerations, in_si, over_at
from solver.exchange.measured.reading import read_test
from solver.project import Project

_WIDTH_EM, _FIELD_EM, _CANVAS_PX = 44.0, 26.0, 190
FILES = msgid("Measured tests and tables (*.mme *.chn *.zip *.ev5 *.EV5 *.uds *.UDS *.csv *.txt *.tsv *.dat *.mot *.sto *.0* *.1* *.2* *.3*);;All files (*)")  # fmt: skip
_MOST_POINTS = 4000
"""Of a channel so many samples are drawn at most."""
_G, _LONG_S = 9.80665, 3600.0


def moved_first(project: Project, selection: str) -> list[str]:
    """The segments that a pulse can move: the chosen one, what moves as prescribed, what is called a vehicle or sled, the others."""
    ids = [one.id for one in project.segments]
    chosen = selection.split("/")[1] if selection.startswith("segments/") else ""
    motion = next((one for one in project.motions if selection == f"motions/{one.id}"), None)
    led = [one.segment for one in project.motions]
    named = [one for one in ids if any(word in one.lower() for word in ("vehicle", "sled", "car"))]
    wished = [chosen, motion.segment if motion else "", *led, *named, *ids]
    return [one for one in dict.fromkeys(wished) if one in ids]


class MeasuredPulseDialog(Sheet):
    """Show a channel, and what it does to what it moves; `taken` once it is its motion, as one step."""

    taken = Signal()

    def __init__(self, bench: Workbench, test: MeasuredTest, file: Path) -> None:
        super().__init__(bench.window, tr("Measured pulse"), "guide#editors", form=Fields(_FIELD_EM, _FIELD_EM), width_em=_WIDTH_EM)  # fmt: skip
        self._bench, self._file = bench, file
        self._units = Units(bench.settings.units)
        self.found: Measured | None = None
        self.channels = accelerations(test.channels)
        self.segment, self.channel, self.unit = Choice(), Choice(), Choice()
        project = bench.document.project
        by_id = {one.id: one for one in project.segments}
        for id_ in moved_first(project, bench.document.selection):
            self.segment.addItem(name_of(by_id[id_]), id_)
        for k, one in enumerate(self.channels):
            code = read_code(one.code)
            self.channel.addItem(code.words() if code else one.name, k)
        for unit in ("g", "m/s2"):
            self.unit.addItem(pretty(unit), unit)
        self.axis = Choice()
        for axis in "xyz":
            self.axis.addItem(axis, axis)
        self.turned = QCheckBox(tr("turned round"))
        self.turned.setToolTip(tr("Multiply by −1, where the laboratory's axis points the other way"))  # fmt: skip
        self.filter = Choice()
        for words, class_ in (("CFC 60", 60), ("CFC 180", 180), (tr("as measured"), None)):
            self.filter.addItem(words, class_)
        self.zero = QCheckBox(tr("take off the mean before"))
        self.zero.setToolTip(tr("Offset of the sensor: the mean before this time is taken off the whole"))  # fmt: skip
        self.zero_ms, self.begin, self.end = (Number(-1e3 * _LONG_S, 1e3 * _LONG_S, 1.0, 1, " ms") for _ in range(3))  # fmt: skip
        for box, words in ((self.zero_ms, tr("Until when the mean is taken")), (self.begin, tr("Begin")), (self.end, tr("End"))):  # fmt: skip
            box.setAccessibleName(words)
            box.setToolTip(words)
        self.begin.setToolTip(tr("What lies before is left out; here the run begins"))
        self.end.setToolTip(tr("What lies behind is left out; the pulse is zero from there"))
        self.canvas = Canvas()
        self.canvas.setMinimumHeight(_CANVAS_PX)
        self.said = QLabel(wordWrap=True)
        self.take = with_properties(
            QPushButton(tr("Take the pulse")),
            objectName="primary",
            default=True,
            toolTip=tr("Let the chosen part move by this pulse (Enter); it can be undone"),
        )
        self.take.clicked.connect(self._take)
        self._lay_out(test)
        bench.document.opened.connect(self.reject)
        self._choose()
        fit_beside(self)

    def _lay_out(self, test: MeasuredTest) -> None:
        form = self.form
        form.add(tr("Moves"), self.segment)
        form.add(tr("Channel"), self.channel)
        form.add(tr("Unit"), self.unit)
        form.add(tr("Along"), in_row(self.axis, self.turned))
        form.add(tr("Filter"), self.filter)
        form.add(tr("Offset"), in_row(self.zero, self.zero_ms))
        form.add(tr("From, to"), in_row(self.begin, self.end))
        for box, words in ((self.axis, tr("Axis")), (self.unit, tr("Unit"))):
            box.setAccessibleName(words)
        cancel = with_properties(QPushButton(tr("Cancel")), toolTip=tr("Leave everything as it is (Esc)"))  # fmt: skip
        cancel.clicked.connect(self.reject)
        told = " · ".join((self._file.name, test.kind))
        self.column.addWidget(with_properties(QLabel(told), objectName="muted"))
        self.column.addLayout(form)
        self.column.addWidget(self.canvas, 1)
        self.column.addWidget(self.said)
        self.add_buttons(cancel, self.take)
        self.channel.activated.connect(self._choose)
        for choice in (self.segment, self.unit, self.axis, self.filter):
            choice.activated.connect(self._look)
        for check in (self.turned, self.zero):
            check.toggled.connect(self._look)
        for number in (self.zero_ms, self.begin, self.end):
            number.valueChanged.connect(self._look)

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self.canvas.set_theme(theme)

    def _choose(self, *_: object) -> None:
        """Begin with what the channel says: its axis, its unit, time zero, where it is over."""
        if not self.channels:
            self.said.setText(tr("The file has no acceleration: a pulse needs a channel in g or m/s²."))  # fmt: skip
            self.take.setEnabled(False)
            return
        one = self.channels[self.channel.currentData()]
        is_told = one.unit == "m/s2"
        self.unit.setEnabled(not is_told)
        if not is_told:
            # no vehicle goes at more than 150 g, and no crash is softer than 1 m/s2
            self.unit.setCurrentIndex(int(np.abs(one.value).max() > 150.0))
        self.axis.setCurrentIndex(max(self.axis.findData(one.axis), 0))
        first, last = 1e3 * float(one.time[0]), 1e3 * float(one.time[-1])
        begin = min(max(first, 0.0), last)
        for box, value in ((self.zero_ms, begin), (self.begin, begin), (self.end, last)):
            box.blockSignals(True)
            box.setValue(value)
            box.blockSignals(False)
        self.zero.blockSignals(True)
        self.zero.setChecked(False)
        self.zero.setEnabled(first < begin or first < 0.0)
        self.zero.blockSignals(False)
        self._look()
        if self.found is not None:
            found = self.found
            self.end.setValue(1e3 * over_at(found.time + 1e-3 * begin, found.filtered))

    def _look(self, *_: object) -> None:
        """Draw what would be taken, and say what it does."""
        self.found = None
        self.zero_ms.setEnabled(self.zero.isChecked())
        try:
            if self.channels:
                self.found = self._made()
        except Refusal as failure:
            self.said.setText(str(failure))
        self.take.setEnabled(self.found is not None and self.segment.count() > 0)
        if self.found is not None:
            self._draw(self.found)

    def _made(self) -> Measured:
        one = self.channels[self.channel.currentData()]
        sign = -1.0 if self.turned.isChecked() else 1.0
        return pulse_of(
            one.time,
            sign * in_si(one, self.unit.currentData()),
            self._file.name,
            name=one.name,
            filter_=self.filter.currentData(),
            begin_s=1e-3 * self.begin.value() - 1e-9,
            end_s=1e-3 * self.end.value() + 1e-9,
            zero_until_s=1e-3 * self.zero_ms.value() if self.zero.isChecked() else None,
            closed=True,
        )

    def _draw(self, found: Measured) -> None:
        units = self._units
        step = max(1, len(found.time) // _MOST_POINTS)
        time = units.shown_all(found.time[::step], "s")
        self.canvas.units = (units.name("s"), units.name("m/s2"))
        self.canvas.name_axes("time", tr("acceleration"), *self.canvas.units)
        self.canvas.show_lines([
            (time, units.shown_all(found.raw[::step], "m/s2"), 1, "beside"),
            (time, units.shown_all(found.filtered[::step], "m/s2"), 0, "solid"),
        ])  # fmt: skip
        self.canvas.fit()
        facts = found.facts()
        self.said.setText(
            tr(
                "Peak {peak:.1f} g at {at:.1f} ms; speed change {change:+.2f} m/s ({km_h:+.1f} km/h) along {axis} in {long:.0f} ms. {note}.",
                peak=facts.peak / _G,
                at=1e3 * facts.peak_s,
                change=facts.speed_change,
                km_h=3.6 * facts.speed_change,
                axis=self.axis.currentData(),
                long=1e3 * facts.duration_s,
                note=found.note,
            )
        )

    def _take(self) -> None:
        if self.found is None:
            return
        document, segment = self._bench.document, self.segment.currentData()
        try:
            made = led_by(document.project, self.found, segment, self.axis.currentData())
        except Refusal as failure:
            self.said.setText(str(failure))
            return
        motion = next(one for one in made.motions if one.segment == segment)
        text = tr("Move {name} by a measured pulse", name=self.segment.currentText())
        document.replace(made, text, select=[f"motions/{motion.id}"])
        self.taken.emit()
        self.accept()


def ask_for_pulse(bench: Workbench) -> Task | None:
    """Ask for a file, and show the pulse in it once it is read."""
    name = bench.ask_file("test", tr("Measured pulse"), tr(FILES))  # fmt: skip
    return read_pulse_file(bench, Path(name)) if name else None


def read_pulse_file(bench: Workbench, file: Path) -> Task:
    """Read a file in the background, and show the pulse in it."""

    def offer(test: MeasuredTest) -> None:
        dialog = MeasuredPulseDialog(bench, test, file)
        dialog.set_theme(bench.theme)
        dialog.open()

    def refused(failure: Exception) -> None:
        if isinstance(failure, Refusal):
            bench.notice.say(str(failure))
        else:
            bench.tell_failed(failure)

    task = Task(lambda: read_test(file), bench)
    task.done.connect(offer)
    task.failed.connect(refused)
    task.start()
    return task
