"""Ask how a movie or a picture should be, write it picture by picture, and let people cancel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QLabel, QLineEdit, QProgressBar, QPushButton, QWidget

from app import texts
from app.features.movie.film import SHUTTER, Film, Pair, Shot, instants
from app.features.movie.filming import Filming, Films
from app.features.movie.writing import MovieError, StillWriter, Writer
from app.forms.choices import Choice, Number
from app.guard import guard
from app.look import Theme
from app.picture import CannotDraw
from app.run_view.overlays import Overlays
from app.run_view.playback import Playback
from app.run_view.player import SPEEDS
from app.run_view.record import RunRecord
from app.scene.still import Still
from app.scene.visibility import Visibility
from app.widgets.sheet import Sheet
from app.with_properties import with_properties
from solver.base.words import msgid, tr
from solver.project import Project

_CLOSE = msgid("Close")

Offers = tuple[tuple[str, str], ...]
_QUALITIES: Offers = (
    ("print", msgid("Print: smooth")),
    ("fine", msgid("Fine, as in the window")),
    ("draft", msgid("Draft: quick and rough")),
)


class FilmDialog(Sheet):
    """Ask for a file, film into it step by step while the window stays alive, and let people cancel."""

    written = Signal(Path)

    def __init__(
        self,
        parent: QWidget,
        title: str,
        words: str,
        sizes: Sequence[tuple[int, int]],
        ask_file: Callable[[QWidget], str],
        tips: tuple[str, str],
    ) -> None:
        super().__init__(parent, title, "guide#pictures-movies-and-reports")
        self._ask_file = ask_file
        self.size_, self.quality = Choice(), Choice()
        for width, height in sizes:
            self.size_.addItem(f"{width} × {height}", (width, height))
        for value, name in _QUALITIES:
            self.quality.addItem(tr(name), value)
        self.title = QLineEdit(words)
        self.title.setCursorPosition(0)
        self.progress = QProgressBar()
        self.progress.hide()
        self.complaint = with_properties(QLabel(), objectName="error", wordWrap=True)
        self.complaint.hide()
        self.write_button = with_properties(
            QPushButton(tr(texts.words.WRITE)), objectName="primary", default=True, toolTip=tips[0]
        )
        self.cancel_button = with_properties(QPushButton(tr(_CLOSE)), toolTip=tips[1])
        self.write_button.clicked.connect(self._ask)
        self.cancel_button.clicked.connect(self.reject)
        self._filming: Filming | None = None

    def _lay_out(self) -> None:
        """Put progress and buttons below the fields, once these are there: so the keyboard comes to them."""
        self.column.addLayout(self.form)
        self.column.addWidget(self.complaint)
        self.column.addWidget(self.progress)
        self.add_buttons(self.cancel_button, self.write_button)

    def write(self, file: Path) -> None:
        """Begin to film; the window stays alive, and `written` reports the end."""
        raise NotImplementedError

    def _begin(self, filming: Filming, count: int) -> None:
        """Film so many pictures, of which it tells; none where it does not."""
        self._filming = filming
        filming.written.connect(self._on_written)
        filming.failed.connect(self._complain)
        self.progress.setRange(0, count)
        self.progress.setValue(0)
        self.progress.show()
        self.write_button.setEnabled(False)
        self.cancel_button.setText(tr(texts.words.CANCEL))
        filming.start()

    @guard
    def reject(self) -> None:
        """Cancel what is being written, and close."""
        if self._filming is not None:
            self._filming.cancel()
        super().reject()

    def _ask(self) -> None:
        name = self._ask_file(self)
        if name:
            self.write(Path(name))

    def _on_written(self, file: Path) -> None:
        self._filming = None
        self.written.emit(file)
        self.accept()

    def _complain(self, why: str) -> None:
        self._filming = None
        self.progress.hide()
        self.write_button.setEnabled(True)
        self.cancel_button.setText(tr(_CLOSE))
        self.complaint.setText(why)
        self.complaint.show()


_MOVIE_TITLE = msgid("Write a movie")
_OVERLAID = msgid("faintly in the same scene")

_SIZES = ((1280, 720), (1920, 1080), (960, 540), (720, 720), (2560, 1440), (3840, 2160))
_RATES = (30.0, 24.0, 25.0, 60.0)


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
        self.rate = Choice()
        for rate in _RATES:
            self.rate.addItem(f"{rate:g}", rate)
        self.blurs = QCheckBox(tr("What moves blurs"))
        self.blurs.setToolTip(tr("Each picture is the mean of several while a shutter is open, half of the time"))  # fmt: skip
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
            (tr("Pictures a second"), self.rate),
            (tr("Picture size"), self.size_),
            (tr("Quality"), self.quality),
            (tr("Motion blur"), self.blurs),
            (tr("Another run"), self.other),
            (tr("Shown"), self.way),
            (tr("Words in the corner"), self.title),
        ):
            self.form.add(label, field)
        self.form.add_hint(self.length)
        self._lay_out()
        self._offer_ways()
        for signal in (
            self.start.valueChanged,
            self.end.valueChanged,
            self.speed.activated,
            self.rate.activated,
        ):
            signal.connect(lambda _: self._tell_length())
        self._tell_length()

    def write(self, file: Path) -> None:
        """Begin to write; the window stays alive, and `written` reports the end."""
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
            cameras=shown.cameras,
            framed_for=self._aspect,
            still=Still(self.quality.currentData()),
            shutter_s=self.shutter_s(),
            visibility=self._visibility,
        )
        self.complaint.hide()
        try:
            writer = Writer(file, size, self.rate.currentData())
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

    def shutter_s(self) -> float:
        """How long the shutter is open (s of the run); 0 where nothing blurs."""
        speed, rate = float(self.speed.currentData()), float(self.rate.currentData())
        return SHUTTER * speed / rate if self.blurs.isChecked() else 0.0

    def _offer_ways(self) -> None:
        is_alone = self.other.currentData() is None
        self.form.setRowVisible(self.way, not is_alone)

    def _instants(self) -> np.ndarray[Any, Any]:
        start, end = 1e-3 * self.start.value(), 1e-3 * self.end.value()
        speed, rate = float(self.speed.currentData()), float(self.rate.currentData())
        return instants(start, max(end, start + 1e-6), speed, rate)

    def _tell_length(self) -> None:
        count = len(self._instants())
        words = tr(
            "{count} pictures, {seconds:.1f} s to watch",
            count=count,
            seconds=count / float(self.rate.currentData()),
        )
        self.form.tell(self.length, words)
        self.write_button.setEnabled(self.end.value() > self.start.value())


def _time(value: float, end: float) -> Number:
    box = Number(0.0, end, 5.0, 1, " ms")
    box.setValue(value)
    return box


_TITLE = msgid("Take a picture")
_FILES = msgid("Pictures (*.png *.jpg *.jpeg)")

SIZES = ((3840, 2160), (1920, 1080), (2560, 1440), (7680, 4320), (2160, 2160))
_BACKDROPS: Offers = (
    ("scene", msgid("Ground and sky")),
    ("white", msgid("White")),
    ("clear", msgid("None: it is seen through there (PNG)")),
)
_BLURS: Offers = (
    ("none", msgid("All is in focus")),
    ("gentle", msgid("A little out of focus near and far")),
    ("strong", msgid("Much out of focus near and far")),
)


@dataclass(frozen=True, slots=True)
class ShownScene:
    """What the window shows: the model or a run of it, at an instant (s), from where, and what is hidden."""

    project: Project
    playback: Playback | None
    run: Any
    time: float
    camera: Any
    aspect: float
    theme: Any
    visibility: Visibility
    selected: str
    selected_name: str
    overlays: Overlays
    joints: tuple[str, ...]
    """What is seen beside it, and the joints of which it is seen what they may do."""


class StillDialog(FilmDialog):
    """Take one picture of what the scene shows."""

    def __init__(self, seen: ShownScene, parent: QWidget, ask_name: Callable[..., str]) -> None:
        super().__init__(
            parent,
            tr(_TITLE),
            seen.project.title,
            SIZES,
            lambda parent: ask_name("picture", tr(_TITLE), "picture.png", tr(_FILES), parent),
            (
                tr("Choose a file; then the picture is taken and written (Enter)"),
                tr("Close; a picture that is being taken is given up and leaves nothing (Esc)"),
            ),
        )
        self._seen = seen
        self.backdrop, self.blur, self.focus = (Choice() for _ in range(3))
        for choice, offers in ((self.backdrop, _BACKDROPS), (self.blur, _BLURS)):
            for value, words in offers:
                choice.addItem(tr(words), value)
        self.focus.addItem(tr("the middle of the picture"), "")
        if seen.selected:
            self.focus.addItem(seen.selected_name, seen.selected)
            self.focus.setCurrentIndex(1)
        self.shows_time = QCheckBox(tr("The instant below them"))
        self.shows_time.setToolTip(tr("Write the time of the run below the words in the corner"))
        self.shows_time.setChecked(seen.run is not None)
        self.note = QLabel()
        for label, field in (
            (tr("Picture size"), self.size_),
            (tr("Quality"), self.quality),
            (tr("Behind it"), self.backdrop),
            (tr("Depth of field"), self.blur),
            (tr("In focus"), self.focus),
            (tr("Words in the corner"), self.title),
            ("", self.shows_time),
        ):
            self.form.add(label, field)
        self.form.add_hint(self.note)
        self._lay_out()
        self.backdrop.activated.connect(lambda _: self._fit())
        self.blur.activated.connect(lambda _: self._fit())
        self._fit()

    def still(self) -> Still:
        """What is chosen."""
        return Still(
            self.quality.currentData(),
            self.backdrop.currentData(),
            self.blur.currentData(),
            self.focus.currentData() or "",
        )

    def write(self, file: Path) -> None:
        """Begin to take it; the window stays alive, and `written` reports the end."""
        seen, still = self._seen, self.still()
        playback = seen.playback
        is_clear = still.backdrop == "clear"
        shot = Shot(
            self.size_.currentData(),
            theme=seen.theme,
            title="" if is_clear else self.title.text().strip(),
            shows_time=self.shows_time.isChecked() and seen.run is not None,
            framed_for=seen.aspect,
            still=still,
            visibility=seen.visibility,
            overlays=seen.overlays,
            joints=seen.joints,
        )
        self.complaint.hide()
        try:
            writer = StillWriter(file, still)
            film = Film(
                seen.project,
                seen.run,
                shot if playback is None else _like(shot, playback),
                seen.camera,
                None if playback is None else playback.beside_run,
            )
        except (MovieError, CannotDraw) as failure:
            self._complain(str(failure))
            return
        self._begin(Filming(film, [seen.time], writer, self), 0)

    def _fit(self) -> None:
        """Show only what matters for what is chosen."""
        is_clear, is_blurred = (
            self.backdrop.currentData() == "clear",
            self.blur.currentData() != "none",
        )
        self.form.setRowVisible(self.focus, is_blurred)
        self.form.setRowVisible(self.title, not is_clear)
        self.form.setRowVisible(self.shows_time, not is_clear and self._seen.run is not None)
        words = tr("No words stand where it is seen through.") if is_clear else ""
        self.form.tell(self.note, words)


def _like(shot: Shot, playback: Playback) -> Shot:
    """A shot of a run as it is played in the window."""
    return replace(
        shot,
        rides_on=playback.replay.rider,
        turns_too=playback.replay.turns_too,
        overlays=playback.overlays,
        trails=playback.trails,
        joints=playback.joints,
    )
