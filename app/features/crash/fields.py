"""The fields of a new crash, from the load case down to the pulse: what is asked for as a Crash."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from PySide6.QtCore import QSignalBlocker, Signal

from app import texts
from app.forms.choices import Choice
from app.forms.numbers import Number
from app.widgets.sheet import Fields, in_row
from solver.bodies import Body, adult_dimensions, human, library_body, poses
from solver.equilibrium.crash import CASES, Crash, first, seat_for, title_of
from solver.words import msgid, tr

_MADE: dict[str, str] = {
    "man": msgid("Man with a flexible spine"),
    "woman": msgid("Woman with a flexible spine"),
}
_PRINTED: dict[str, str] = {"male-50": msgid("50th-percentile man, as printed")}
_NONE = msgid("None")
_FIELD_EM = 23.0


class CrashFields(Fields):
    """Offer what each load case offers, and read a crash from what people choose."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__(field_em=_FIELD_EM, hint_em=_FIELD_EM)
        (
            self.case,
            self.seat,
            self.around,
            self.who,
            self.posture,
            self.belt,
            self.bag,
            self.pulse,
        ) = (Choice() for _ in range(8))
        for key, one in CASES.items():
            self.case.addItem(tr(one.title), key)
        for key in texts.elements.DUMMIES:
            self.who.addItem(tr(texts.elements.DUMMIES[key]), key)
        for key, words in (_MADE | _PRINTED).items():
            self.who.addItem(tr(words), key)
        self.percentile = Number(1.0, 99.0, 1.0, 0, tr("th percentile"))
        self.percentile.setValue(50.0)
        self.track = Number(-300.0, 300.0, 10.0, 0, " mm")
        self.height = Number(-150.0, 150.0, 5.0, 0, " mm")
        self.tilt = Number(-10.0, 20.0, 1.0, 0, "°")
        self.speed = Number(1.0, 120.0, 5.0, 0, " km/h")
        self.fall = Number(0.1, 10.0, 0.1, 2, " m")
        self.duration = Number(10.0, 5000.0, 10.0, 0, " ms")
        self.place = in_row(self.track, self.height, self.tilt, alike=True)
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
            (tr("Person"), self.who),
            (tr("Size"), self.percentile),
            (tr("Posture"), self.posture),
            (tr("Belt"), self.belt),
            (tr("Airbag"), self.bag),
            (tr("Pulse"), self.pulse),
            (tr("Speed"), self.speed),
            (tr("Height of fall"), self.fall),
            (tr("Lasts"), self.duration),
        ):
            self.add(label, widget)

    def show_crash(self, crash: Crash, who: str = "", percentile: float = 50.0) -> None:
        """Fill all fields with a crash, and offer what its case offers."""
        case = CASES[crash.case]
        with QSignalBlocker(self.case):
            self.case.setCurrentIndex(self.case.findData(crash.case))
        optional = crash.case not in ("fall", "pedestrian")
        for box, offered, value, may_lack in (
            (self.seat, case.seats, crash.seat, False),
            (self.around, case.surroundings, crash.surroundings, optional),
            (self.belt, case.belts, crash.belt, True),
            (self.bag, case.bags, crash.bag, True),
            (self.pulse, case.pulses, crash.pulse, False),
        ):
            self._fill(box, [(title_of(one), one) for one in offered] + ([(tr(_NONE), "")] if may_lack else []), value)  # fmt: skip
            self.setRowVisible(box, bool(offered))
        known = poses()
        self._fill(
            self.posture,
            [(known[one].title.capitalize(), one) for one in case.postures],
            crash.posture,
        )
        if who:
            with QSignalBlocker(self.who):
                self.who.setCurrentIndex(self.who.findData(who))
        self._set(self.percentile, percentile)
        self._set(self.speed, crash.speed_km_per_h or 0.0)
        self._set(self.fall, crash.height_of_fall_m)
        self._set(self.duration, 1e3 * crash.duration_s)
        self._set(self.tilt, math.degrees(crash.tilt_rad))
        self._own_place = crash.track_m is not None or crash.height_m is not None
        self.setRowVisible(self.place, bool(case.seats))
        self.setRowVisible(self.speed, crash.speed_km_per_h is not None)
        self.setRowVisible(self.fall, crash.case == "fall")
        self.show_rows(crash)

    def show_rows(self, crash: Crash) -> None:
        """Show the place of the seat, and only what concerns the person."""
        track, height = seat_for(crash)
        if not self._own_place:
            self._set(self.track, 1e3 * track)
            self._set(self.height, 1e3 * height)
        self.setRowVisible(self.percentile, self.who.currentData() in _MADE)

    def follow(self) -> None:
        """Tell from now on of what people choose."""
        self.case.currentIndexChanged.connect(self._on_case)
        for box in (
            self.seat,
            self.around,
            self.who,
            self.posture,
            self.belt,
            self.bag,
            self.pulse,
        ):
            box.currentIndexChanged.connect(lambda _: self.changed.emit())
        for field in (self.percentile, self.tilt, self.speed, self.fall, self.duration):
            field.valueChanged.connect(lambda _: self.changed.emit())
        for field in (self.track, self.height):
            field.valueChanged.connect(self._on_moved)

    def read(self) -> Crash:
        """Give the crash that the fields say."""
        begin = first(self.case.currentData())
        crash = replace(
            begin,
            who=self._body(),
            posture=self.posture.currentData(),
            seat=self.seat.currentData() or "",
            surroundings=self.around.currentData() or "",
            belt=self.belt.currentData() or "",
            bag=self.bag.currentData() or "",
            pulse=self.pulse.currentData() or "",
            tilt_rad=math.radians(self.tilt.value()),
            duration_s=1e-3 * self.duration.value(),
            height_of_fall_m=self.fall.value(),
        )
        if begin.speed_km_per_h is not None:
            crash = replace(crash, speed_km_per_h=self.speed.value())
        if self._own_place:
            crash = replace(
                crash, track_m=1e-3 * self.track.value(), height_m=1e-3 * self.height.value()
            )
        return crash

    def _body(self) -> str | Body:
        return body_of(str(self.who.currentData()), self.percentile.value())

    def _on_case(self) -> None:
        """Begin with what another load case begins with; the person stays."""
        who, percentile = str(self.who.currentData()), self.percentile.value()
        self.show_crash(replace(first(self.case.currentData()), who=self._body()), who, percentile)
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


def body_of(who: str, percentile: float) -> str | Body:
    """Give who is chosen: one of the library by name, or one that is made."""
    if who not in _MADE:
        return who
    sex: Literal["female", "male"] = "female" if who == "woman" else "male"
    return human(adult_dimensions(sex, percentile=percentile))


def said(crash: Crash) -> str:
    """Say who it is."""
    body = library_body(crash.who) if isinstance(crash.who, str) else crash.who
    return tr("{title}: {kg:.1f} kg", title=body.title, kg=body.mass_kg)
