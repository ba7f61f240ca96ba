"""Ask how a movie should be, write it picture by picture, and let people cancel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtWidgets import (
    QLabel,
    QWidget,
)

from app import texts
from app.features.movie.film import Film, Shot, instants
from app.features.movie.film_dialog import FilmDialog
from app.features.movie.filming import Filming, Films
from app.features.movie.pair import Pair
from app.features.movie.writing import MovieError, Writer
from app.forms.choices import Choice
from app.forms.numbers import Number
from app.look import Theme
from app.picture import CannotDraw
from app.scene.still import Still
from app.scene.visibility import Visibility
from app.study.playback import Playback
from app.study.player import SPEEDS
from app.study.record import RunRecord
from solver.base.words import msgid, tr

_MOVIE_TITLE = msgid("Write a movie")
_OVERLAID = msgid("faintly in the same scene")

_SIZES = ((1280, 720), (1920, 1080), (960, 540), (720, 720), (2560, 1440), (3840, 2160))
_RATE = 30.0


class MovieDialog(FilmDialog):
    """Film a run from where the scene is seen now."""

    def __init__(
        self,
        record: RunRecord,
        others: Sequence[RunRecord],
        ghost: RunRecord | None,
        camera: Any,
        playback: Playback,
        aspect: float,
        theme: Theme,
        visibility: Visibility | None,
        parent: QWidget,
        ask_name: Callable[..., str],
    ) -> None:
        kinds = tr("Movie (*.mp4);;Animated picture (*.gif)")
        super().__init__(
            parent,
            tr(_MOVIE_TITLE),
            record.project.title,
            _SIZES,
            lambda parent: ask_name("movie", tr(_MOVIE_TITLE), "run.mp4", kinds, parent),
            (
                tr("Choose a file; then every picture is drawn and written (Enter)"),
                tr(
                    "Close; a movie that is being written is given up and leaves nothing behind (Esc)"
                ),
            ),
        )
        assert record.trajectory is not None
        self.record, self._playback, self._theme = record, playback, theme
        self._camera, self._aspect, self._visibility = camera, aspect, visibility
        end = 1e3 * float(record.trajectory.time[-1])
        self.start, self.end = _time(0.0, end), _time(end, end)
        self.speed = Choice()
        for speed in SPEEDS:
            self.speed.addItem(tr(texts.words.REAL_TIME) if speed == 1.0 else f"× {speed:g}", speed)
        self.speed.setCurrentIndex(SPEEDS.index(0.02))
        self.quality.setCurrentIndex(1)
        self.other = Choice()
        self.other.setToolTip(tr("Film a second run with this one, at the same instants"))
        self.other.addItem(tr("none"), None)
        for one in others:
            self.other.addItem(one.name, one)
        self.other.setCurrentIndex(1 + others.index(ghost) if ghost in others else 0)
        self.way = Choice()
        self.way.addItems([tr(_OVERLAID), tr("side by side")])
        self.other.activated.connect(lambda _: self._offer_ways())
        self.length = QLabel()
        for label, field in (
            (tr("From"), self.start),
            (tr("To"), self.end),
            (tr("Speed"), self.speed),
            (tr("Picture size"), self.size_),
            (tr("Quality"), self.quality),
            (tr("Another run"), self.other),
            (tr("Shown"), self.way),
            (tr("Words in the corner"), self.title),
        ):
            self.form.add(label, field)
        self.form.add_hint(self.length)
        self._lay_out()
        self._offer_ways()
        for signal in (self.start.valueChanged, self.end.valueChanged, self.speed.activated):
            signal.connect(lambda _: self._tell_length())
        self._tell_length()

    def write(self, file: Path) -> None:
        """Begin to write; the window stays alive, and `written` tells of the end."""
        size = self.size_.currentData()
        shown = self._playback
        shot = Shot(
            size,
            rides_on=shown.replay.rider,
            turns_too=shown.replay.turns_too,
            theme=self._theme,
            title=self.title.text().strip(),
            overlays=shown.overlays,
            trails=shown.trails,
            joints=shown.joints,
            framed_for=self._aspect,
            still=Still(self.quality.currentData()),
            visibility=self._visibility,
        )
        self.complaint.hide()
        try:
            writer = Writer(file, size, _RATE)
        except MovieError as failure:
            self._complain(str(failure))
            return
        try:
            film = self._film(shot)
        except CannotDraw as failure:
            writer.abandon()
            self._complain(str(failure))
            return
        times = [float(t) for t in self._instants()]
        filming = Filming(film, times, writer, self)
        filming.progressed.connect(self.progress.setValue)
        self._begin(filming, len(times))

    def _film(self, shot: Shot) -> Films:
        """Set up what draws: one run, or two in one scene or side by side."""
        assert self.record.trajectory is not None
        run, camera, other = self.record.trajectory, self._camera, self.other.currentData()
        if other is None or other.trajectory is None:
            return Film(self.record.project, run, shot, camera)
        if self.way.currentText() == tr(_OVERLAID):
            beside = (other.project, other.trajectory)
            return Film(self.record.project, run, shot, camera, beside)
        left = (other.name, other.project, other.trajectory)
        return Pair(left, (self.record.name, self.record.project, run), shot, camera)

    def _offer_ways(self) -> None:
        is_alone = self.other.currentData() is None
        self.form.setRowVisible(self.way, not is_alone)

    def _instants(self) -> np.ndarray[Any, Any]:
        start, end = 1e-3 * self.start.value(), 1e-3 * self.end.value()
        return instants(start, max(end, start + 1e-6), float(self.speed.currentData()), _RATE)

    def _tell_length(self) -> None:
        count = len(self._instants())
        words = tr("{count} pictures, {seconds:.1f} s to watch", count=count, seconds=count / _RATE)
        self.form.tell(self.length, words)
        self.write_button.setEnabled(self.end.value() > self.start.value())


def _time(value: float, end: float) -> Number:
    box = Number(0.0, end, 5.0, 1, " ms")
    box.setValue(value)
    return box
