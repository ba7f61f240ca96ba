"""Ask how a picture should be, take it step by step, and let people cancel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QCheckBox, QLabel, QWidget

from app.features.movie.film import Film, Shot
from app.features.movie.film_dialog import FilmDialog, Offers
from app.features.movie.filming import Filming
from app.features.movie.strip import StillWriter
from app.features.movie.writing import MovieError
from app.forms.choices import Choice
from app.picture import CannotDraw
from app.scene.still import Still
from app.scene.visibility import Visibility
from app.study.overlays import Overlays
from app.study.playback import Playback
from solver.base.words import msgid, tr
from solver.project import Project

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
class Seen:
    """Hold what the window shows: the model or a run of it, at an instant (s), from where, and what is hidden."""

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

    def __init__(self, seen: Seen, parent: QWidget, ask_name: Callable[..., str]) -> None:
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
        """Give what is chosen."""
        return Still(
            self.quality.currentData(),
            self.backdrop.currentData(),
            self.blur.currentData(),
            self.focus.currentData() or "",
        )

    def write(self, file: Path) -> None:
        """Begin to take it; the window stays alive, and `written` tells of the end."""
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
    """Give a shot of a run as it is played in the window."""
    return replace(
        shot,
        rides_on=playback.replay.rider,
        turns_too=playback.replay.turns_too,
        overlays=playback.overlays,
        trails=playback.trails,
        joints=playback.joints,
    )
