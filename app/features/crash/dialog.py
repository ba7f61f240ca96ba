"""Ask for a crash, and show in the scene what would come of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from PySide6.QtCore import QSignalBlocker, QTimer, Signal
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QPushButton

from app import texts
from app.forms.choices import Choice, Number
from app.forms.figures import FigureFields
from app.jobs.compiling import Compiling
from app.jobs.task import Trying
from app.widgets.sheet import Fields, Sheet, Tall, in_row, keep_in_sight
from app.with_properties import with_properties
from app.workbench import Workbench
from solver.analysis.crash.build import (
    BOUNDS,
    CASES,
    Crash,
    crash,
    first,
    oddities,
    seat_for,
    title_of,
)
from solver.base.words import capital, msgid, tr
from solver.bodies import Body, BodyError, poses
from solver.bodies.made_to_measure import body_named
from solver.editing.persons import WHO, Figure, body_text
from solver.project import Project, ProjectError

_REST_MS, _WIDTH_EM = 120, 40.0


class CrashDialog(Sheet):
    """Choose from the load case down; each choice is seen at once, and none is final."""

    def __init__(self, bench: Workbench, known: Chosen | None) -> None:
        self.fields = CrashFields(bench.settings.units)
        super().__init__(
            bench.window, tr("New crash"), "guide#a-new-crash", form=self.fields, width_em=_WIDTH_EM
        )
        self.setObjectName("new_crash")
        self._bench = bench
        begin = next(iter(CASES))
        known = known or Chosen(first(begin), _made_for(begin))
        self.wants_run = False
        self.trying = Trying(bench, self._preview)
        self.problem = ""
        self.shown: Project | None = None
        """What the scene shows: nobody in it has come to rest yet."""
        self.made: Project | None = None
        self._seen: Crash | None = None
        """What was chosen of what the scene shows."""
        self.figures = with_properties(QLabel(tr("Building …")), objectName="muted", wordWrap=True)
        self._compiling = Compiling(self.figures)
        self.note = with_properties(QLabel(), objectName="muted", wordWrap=True)
        close = with_properties(
            QPushButton(tr(texts.scene.CANCEL)), toolTip=tr(texts.scene.CANCEL_TIP)
        )
        close.clicked.connect(self.reject)
        self.plain = with_properties(
            QPushButton(tr("Create")),
            toolTip=tr("Let the body come to rest and take the model, as one step"),
        )
        self.create_and_run = with_properties(
            QPushButton(tr("Create and run")), objectName="primary", default=True,
            toolTip=tr("The same, and solve it at once (Enter)"),
        )  # fmt: skip
        self.plain.clicked.connect(lambda: self.take(run=False))
        self.create_and_run.clicked.connect(lambda: self.take(run=True))
        self.column.addWidget(Tall(self.fields), 1)
        self.column.addWidget(self.figures)
        self.column.addWidget(self.note)
        self.add_buttons(close, self.plain, self.create_and_run)
        self.fields.show_crash(known.crash, known.figure)
        self.choices = self.fields.read()
        self.fields.follow()
        self.fields.changed.connect(self._read)
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self._preview)
        self.finished.connect(self._on_finished)
        bench.document.opened.connect(self.reject)
        # what is chosen comes into the scene at once: nothing else need be offered there
        bench.previewed.emit()
        self._preview()

    def take(self, *, run: bool) -> None:
        """Build it with the body at rest, in a thread, and end with it."""
        if self.trying.is_over:
            return
        self.wants_run = run
        if self.trying.is_busy or self._rest.isActive():
            # the preview of what was chosen last is on its way
            QTimer.singleShot(_REST_MS, self, lambda: self.take(run=run))
            return
        choices = self.choices
        self._enable(False)
        self.figures.setText(tr("Coming to rest …"))
        self.trying.do(
            self._compiling.told_of(lambda: crash(choices, cancel=lambda: self.trying.is_over)),
            self._on_made,
            self._on_refused,
        )

    def _read(self) -> None:
        self.choices = self.fields.read()
        self.fields.show_rows(self.choices)
        self._announce()
        self._rest.start()

    def _announce(self) -> None:
        """Say what is being made; the scene pales where it is something else, and not the same a little further on."""
        what = tr("Preparing: {what} …", what=tr(CASES[self.choices.case].title))
        self.figures.setText(what)
        new, seen = self.choices, self._seen
        is_other = seen is None or any(
            getattr(new, name) != getattr(seen, name) for name in ("case", "who", "seat")
        )
        self._bench.viewport.announce(what if is_other else "")

    def _preview(self) -> None:
        """Build it without rest, in a thread, and show it."""
        if self.trying.is_busy:
            self.trying.ask_again()
            return
        choices = self.choices
        self.note.setText(tr(CASES[choices.case].note))

        def work() -> tuple[Project, str, Crash]:
            project = crash(choices, rest=False)
            who = body_named(choices.who)
            odd = oddities(project, choices, is_at_rest=False)
            return project, "\n".join([body_text(who), *map(str, odd)]), choices

        self.trying.do(work, self._on_shown, self._on_refused)

    def _on_shown(self, found: tuple[Project, str, Crash]) -> None:
        if self.trying.is_over:
            return
        if QApplication.activePopupWidget() is not None:
            # a click into an open list would be lost while the scene is built
            QTimer.singleShot(_REST_MS, self, lambda: self._on_shown(found))
            return
        self.shown, words, self._seen = found
        self.problem = ""
        if self._seen == self.choices:
            self.figures.setText(words)
            self._bench.viewport.announce("")
        self._enable(True)
        self._bench.previewed.emit()
        self._bench.viewport.preview_project(self.shown)
        keep_in_sight(
            self._bench.viewport, self, [f"segments/{one.id}" for one in self.shown.segments]
        )

    def _on_refused(self, failure: Exception) -> None:
        self.problem = (
            failure.problems[0].sentence if isinstance(failure, ProjectError) else str(failure)
        )
        self.figures.setText(self.problem)
        self._bench.viewport.announce("")
        self._enable(False)

    def _enable(self, on: bool) -> None:
        self.plain.setEnabled(on)
        self.create_and_run.setEnabled(on)

    def _on_made(self, project: Project) -> None:
        self.made = project
        self.accept()

    def _on_finished(self, result: int) -> None:
        self._rest.stop()
        self.trying.is_over = True
        self._bench.viewport.announce("")
        if result != QDialog.DialogCode.Accepted:
            self._bench.viewport.update_project(self._bench.document.project)
        self._bench.viewport.setFocus()


_NONE = msgid("None")
_FIELD_EM = 23.0


class CrashFields(Fields):
    """Offer what each load case offers, and read a crash from what people choose."""

    changed = Signal()

    def __init__(self, system: str) -> None:
        super().__init__(field_em=_FIELD_EM, hint_em=_FIELD_EM)
        self.figure = FigureFields(system)
        self.who = self.figure.who
        (
            self.case,
            self.seat,
            self.around,
            self.posture,
            self.belt,
            self.bag,
            self.curtain,
            self.pulse,
        ) = (Choice() for _ in range(8))
        for name in ("case", "seat", "belt", "bag", "who"):
            getattr(self, name).setObjectName(f"new_crash.{name}")
        for key, one in CASES.items():
            self.case.addItem(tr(one.title), key)
        self.track = _number("track_m", 1e3, 10.0, 0, " mm")
        self.height = _number("height_m", 1e3, 5.0, 0, " mm")
        self.tilt = _number("tilt_rad", math.degrees(1.0), 1.0, 0, "°")
        self.speed = _number("speed_km_per_h", 1.0, 5.0, 0, " km/h")
        self.fall = _number("height_of_fall_m", 1.0, 0.1, 2, " m")
        self.duration = _number("duration_s", 1e3, 10.0, 0, " ms")
        self.place = in_row(self.track, self.height, self.tilt, alike=True)
        self._figure = Figure()
        self._case = ""
        self._own_place = False
        """Whether hands have moved the seat: then it no longer follows the legs."""
        for name, field in (
            (tr("How far ahead the seat is"), self.track),
            (tr("How far up the seat is"), self.height),
            (tr("How far the seat leans back more"), self.tilt),
        ):
            field.setAccessibleName(name)
            field.setToolTip(name)
        for label, widget in (
            (tr("Load case"), self.case),
            (tr("Seat"), self.seat),
            (tr("Ahead, up, leaning"), self.place),
            (tr("Around"), self.around),
        ):
            self.add(label, widget)
        self.figure.add_to(self)
        for label, widget in (
            (tr("Posture"), self.posture),
            (tr("Belt"), self.belt),
            (tr("Airbag"), self.bag),
            (tr("Curtain"), self.curtain),
            (tr("Pulse"), self.pulse),
            (tr("Speed"), self.speed),
            (tr("Height of fall"), self.fall),
            (tr("Lasts"), self.duration),
        ):
            self.add(label, widget)

    def show_crash(self, crash: Crash, figure: Figure) -> None:
        """Fill all fields with a crash, and offer what its case offers."""
        case = CASES[crash.case]
        self._case = crash.case
        with QSignalBlocker(self.case):
            self.case.setCurrentIndex(self.case.findData(crash.case))
        for box, offered, value, may_lack in (
            (self.seat, case.seats, crash.seat, False),
            (self.around, case.surroundings, crash.surroundings, case.may_stand_free),
            (self.belt, case.belts, crash.belt, True),
            (self.bag, case.bags, crash.bag, True),
            (self.curtain, case.curtains, crash.curtain, True),
            (self.pulse, case.pulses, crash.pulse, False),
        ):
            self._fill(box, [(tr(title_of(one)), one) for one in offered] + ([(tr(_NONE), "")] if may_lack else []), value)  # fmt: skip
            self.setRowVisible(box, bool(offered))
        known = poses()
        self._fill(
            self.posture,
            [(capital(tr(known[one].title)), one) for one in case.postures],
            crash.posture,
        )
        self.setRowVisible(self.posture, len(case.postures) > 1)
        self._figure = figure
        self.figure.show(figure)
        self._set(self.speed, crash.speed_km_per_h or 0.0)
        self._set(self.fall, crash.height_of_fall_m or 0.0)
        self._set(self.duration, 1e3 * crash.duration_s)
        self._set(self.tilt, math.degrees(crash.tilt_rad))
        self._own_place = crash.track_m is not None or crash.height_m is not None
        self.setRowVisible(self.place, bool(case.seats))
        self.setRowVisible(self.speed, "speed_km_per_h" in case.choices)
        self.setRowVisible(self.fall, "height_of_fall_m" in case.choices)
        self.show_rows(crash)

    def show_rows(self, crash: Crash) -> None:
        """Show the place of the seat, and only what concerns the person."""
        track, height = seat_for(crash)
        if not self._own_place:
            self._set(self.track, 1e3 * track)
            self._set(self.height, 1e3 * height)
        self.figure.show_rows(self, self._figure)

    def follow(self) -> None:
        """Tell from now on of what people choose."""
        self.case.currentIndexChanged.connect(self._on_case)
        self.figure.follow(self._on_figure)
        for box in (
            self.seat,
            self.around,
            self.posture,
            self.belt,
            self.bag,
            self.curtain,
            self.pulse,
        ):
            box.currentIndexChanged.connect(lambda _: self.changed.emit())
        for field in (self.tilt, self.speed, self.fall, self.duration):
            field.valueChanged.connect(lambda _: self.changed.emit())
        for field in (self.track, self.height):
            field.valueChanged.connect(self._on_moved)

    def read(self) -> Crash:
        """The crash that the fields say."""
        begin = first(self.case.currentData())
        given = {
            "posture": self.posture.currentData(),
            "seat": self.seat.currentData(),
            "surroundings": self.around.currentData(),
            "belt": self.belt.currentData(),
            "bag": self.bag.currentData(),
            "curtain": self.curtain.currentData(),
            "pulse": self.pulse.currentData(),
            "tilt_rad": _bounded("tilt_rad", math.radians(self.tilt.value())),
            "speed_km_per_h": self.speed.value(),
            "duration_s": 1e-3 * self.duration.value(),
            "height_of_fall_m": self.fall.value(),
        }
        if self._own_place:
            given |= {"track_m": 1e-3 * self.track.value(), "height_m": 1e-3 * self.height.value()}
        wanted = CASES[begin.case].choices
        return replace(
            begin,
            who=self._body(),
            **{name: value for name, value in given.items() if name in wanted},
        )

    @property
    def chosen(self) -> Figure:
        """Who is chosen, and how large."""
        return self._figure

    def _body(self) -> str | Body:
        breaks = CASES[self.case.currentData()].bones_break
        return who_of(replace(self._figure, breaking_bones=breaks))

    def _on_figure(self) -> None:
        self._figure = self.figure.read(self._figure)
        self.changed.emit()

    def _on_case(self) -> None:
        """Begin with what another load case begins with; the person stays, unless he is whom the last one began with."""
        begin, was = first(self.case.currentData()), _made_for(self._case)
        self.show_crash(begin, _made_for(begin.case) if self._figure == was else self._figure)
        self.changed.emit()

    def _on_moved(self) -> None:
        self._own_place = True
        self.changed.emit()

    def _fill(self, box: Choice, offers: Sequence[tuple[str, str]], value: str) -> None:
        with QSignalBlocker(box):
            box.clear()
            for words, key in offers:
                box.addItem(words, key)
            box.setCurrentIndex(max(0, box.findData(value)))

    @staticmethod
    def _set(field: Number, value: float) -> None:
        with QSignalBlocker(field):
            field.setValue(value)


def _made_for(case: str) -> Figure:
    """Give whom a load case begins with."""
    return Figure(CASES[case].body)


def _number(name: str, factor: float, step: float, digits: int, unit: str) -> Number:
    """Take a number of a crash within its bounds, in the unit that it is shown in."""
    low, high = BOUNDS[name]
    return Number(factor * low, factor * high, step, digits, unit)


def _bounded(name: str, value: float) -> float:
    """Give a value that its bound's unit has rounded beyond it, back at the bound."""
    low, high = BOUNDS[name]
    return min(max(value, low), high)


def who_of(figure: Figure) -> str | Body:
    """Who is chosen: one of the library by name, or one that is made."""
    return figure.body() if figure.is_generated else figure.who


@dataclass(frozen=True, slots=True)
class Chosen:
    """The choices of a crash, and who was chosen as the fields name it."""

    crash: Crash
    figure: Figure

    def as_data(self) -> dict[str, Any]:
        """Write it as plain data."""
        plain = asdict(replace(self.crash, who=""))
        return plain | {"figure": asdict(self.figure)}

    @classmethod
    def read(cls, data: dict[str, Any]) -> Chosen | None:
        """Read plain data; none where it is damaged or of a load case that is no more.

        What changes nothing in this load case is left: earlier versions wrote it all the same.
        """
        try:
            # earlier versions knew a name and a percentile, beside what concerns the crash
            figure = Figure(**data.get("figure") or {n: data[n] for n in ("who", "percentile")})
            if figure.who not in WHO:
                return None
            begin = first(data["case"])
            own = {name: data[name] for name in CASES[begin.case].choices - {"who"} if name in data}
            return cls(replace(begin, **own), figure)
        except (TypeError, ValueError, KeyError, AttributeError, BodyError):
            return None
