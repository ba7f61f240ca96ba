"""Pictures, movies and filmstrips of what the scene shows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QApplication, QProgressDialog, QPushButton

from app import texts
from app.command import Command
from app.elements import element_label
from app.features.feature import Feature
from app.forms.choices import Whole
from app.picture import CannotDraw
from app.run_view.record import RunRecord
from app.widgets.sheet import ask
from app.with_properties import with_properties
from app.workbench import Workbench
from solver.base.atomic import replaced
from solver.base.words import msgid, tr

if TYPE_CHECKING:
    from app.features.movie.dialogs import MovieDialog, StillDialog
    from app.features.movie.filming import Filming

_PICTURE_FILES = msgid("Pictures (*.png *.jpg *.jpeg)")
_STRIP_TITLE = msgid("Write a filmstrip")

_USUAL, _PATIENCE_MS = 6, 400
"""Pictures of a strip; what is done sooner needs no word of progress."""


class Movie(Feature):
    """Ask where to, write, and report the end."""

    name = "movie"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)

        def plays() -> bool:
            return bench.has_project() and bench.run_view.replay is not None

        bench.commands.add(
            Command(
                "run.film",
                tr("&Write a movie…"),
                tr("Write an MP4, a GIF or pictures of the run, seen from here."),
                self.film,
                "Ctrl+M",
                plays,
                choice="written",
            ),
            Command(
                "run.strip",
                tr("Write a &filmstrip…"),
                tr("Put instants of the run side by side in one picture."),
                self.ask_for_strip,
                "Ctrl+Shift+M",
                plays,
                choice="written",
            ),
            Command(
                "run.copy_picture",
                tr("Copy the p&icture"),
                tr("Put the picture of the scene on the clipboard."),
                self.copy_picture,
                "Ctrl+Shift+C",
                bench.has_project,
                choice="written",
            ),
            Command(
                "run.picture",
                tr("&Save the picture…"),
                tr("Write the picture of the scene into a file."),
                self.ask_for_picture,
                enabled=bench.has_project,
                choice="written",
            ),
            Command(
                "run.still",
                tr("&Take a picture…"),
                tr(
                    "Take a picture for print from here: up to 8K, smooth, without a ground, out of focus near and far."
                ),
                self.take_still,
                enabled=bench.has_project,
                choice="written",
            ),
        )

    def film(self) -> MovieDialog | None:
        """Offer to write a movie of the current run, seen from where one looks now."""
        from app.features.movie.dialogs import MovieDialog

        bench, run_view = self.bench, self.bench.run_view
        record = run_view.runs.current
        if run_view.playback is None or record is None or record.is_running:
            bench.say(tr(texts.words.NOTHING_TO_FILM))
            return None
        run_view.player.pause()
        others = [one for one in run_view.runs.records if one is not record and one.has_ended]
        dialog = MovieDialog(
            record,
            others,
            run_view.ghost,
            bench.viewport.camera(),
            run_view.playback,
            bench.viewport.width() / max(1, bench.viewport.height()),
            bench.theme,
            bench.viewport.visibility(),
            bench.window,
            bench.ask_name,
        )
        dialog.written.connect(bench.tell_written)
        dialog.open()
        return dialog

    def ask_for_strip(self) -> None:
        """Write some instants of the current run side by side, seen as they are now."""
        from app.features.movie.writing import FEWEST, MOST

        if self._finished() is None:
            return
        count = Whole(FEWEST, MOST, _USUAL)
        title, words = tr(_STRIP_TITLE), tr("Instants, side by side")
        do = with_properties(
            QPushButton(tr(texts.words.WRITE)),
            toolTip=tr("Choose a file, and write the instants into it"),
        )
        if not ask(self.bench.window, title, "guide#pictures-movies-and-reports", words, count, do):
            return
        name = self.bench.ask_name("strip", tr(_STRIP_TITLE), "strip.png", tr(_PICTURE_FILES))
        if name:
            self.strip(Path(name), count.value())

    def strip(self, file: Path, count: int) -> Filming | None:
        """Write a filmstrip of the current run; the status line reports its end."""
        from app.features.movie.film import Film, Shot
        from app.features.movie.filming import Filming
        from app.features.movie.writing import SIZE, MovieError, StripWriter, strip_times

        bench, record, playback = self.bench, self._finished(), self.bench.run_view.playback
        if record is None or playback is None or record.trajectory is None:
            return None
        shot = Shot(
            SIZE,
            rides_on=playback.replay.rider,
            turns_too=playback.replay.turns_too,
            theme=bench.theme,
            overlays=playback.overlays,
            trails=playback.trails,
            joints=playback.joints,
            cameras=playback.cameras,
            framed_for=bench.viewport.width() / max(1, bench.viewport.height()),
            visibility=bench.viewport.visibility(),
        )
        camera = bench.viewport.camera()
        try:
            times = strip_times(0.0, bench.run_view.player.end, count)
            writer = StripWriter(file)
            film = Film(record.project, record.trajectory, shot, camera, playback.beside_run)
        except (MovieError, CannotDraw) as failure:
            bench.notice.say(str(failure))
            return None
        filming = Filming(film, times, writer, self)
        shown = QProgressDialog(
            tr("Drawing {file}", file=file.name),
            tr(texts.words.CANCEL),
            0,
            count,
            bench.window,
        )
        shown.setWindowTitle(tr(_STRIP_TITLE))
        shown.setMinimumDuration(_PATIENCE_MS)
        shown.canceled.connect(filming.cancel)
        filming.progressed.connect(shown.setValue)
        filming.failed.connect(bench.notice.say)
        filming.written.connect(bench.tell_written)
        for over in (filming.written, filming.failed, shown.canceled):
            over.connect(shown.deleteLater)
        filming.start()
        return filming

    def copy_picture(self) -> None:
        """Put the scene on the clipboard as a picture."""
        QApplication.clipboard().setPixmap(self._picture())
        self.bench.say(tr("The picture of the scene is on the clipboard."))

    def take_still(self) -> StillDialog | None:
        """Offer to take a picture of what the scene shows, as large and fine as wanted."""
        from app.features.movie.dialogs import ShownScene, StillDialog

        bench, run_view = self.bench, self.bench.run_view
        record, stage = run_view.runs.current, bench.viewport.stage
        if stage is None:
            return None
        run_view.player.pause()
        playback = run_view.playback if run_view.is_on else None
        run = None if playback is None or record is None else record.trajectory
        project = bench.document.project if run is None or record is None else record.project
        chosen = bench.document.selection
        selected = chosen if stage.place_of(chosen) is not None else ""
        seen = ShownScene(
            project,
            None if run is None else playback,
            run,
            run_view.player.time,
            bench.viewport.camera(),
            bench.viewport.width() / max(1, bench.viewport.height()),
            bench.theme,
            stage.visibility.kept(),
            selected,
            element_label(project, selected) if selected else "",
            run_view.overlays,
            stage.overlays.reaches.joints,
        )
        dialog = StillDialog(seen, bench.window, bench.ask_name)
        dialog.written.connect(bench.tell_written)
        dialog.open()
        return dialog

    def ask_for_picture(self) -> None:
        """Save the scene as a picture."""
        name = self.bench.ask_name(
            "picture", tr("Save the picture"), "scene.png", tr(_PICTURE_FILES)
        )
        if name:
            self.save_picture(Path(name))

    def save_picture(self, file: Path) -> None:
        """Save the scene as a picture, whole or not at all."""
        try:
            with replaced(file) as part:
                if not self._picture().save(str(part)):
                    raise OSError
        except OSError:
            words = tr(
                "{file} could not be written. Choose another name or folder.", file=file.name
            )
            self.bench.say(words)
        else:
            self.bench.tell_written(file)

    def _finished(self) -> RunRecord | None:
        run_view = self.bench.run_view
        record = run_view.runs.current
        if run_view.playback is None or record is None or record.is_running:
            self.bench.say(tr(texts.words.NOTHING_TO_FILM))
            return None
        return record

    def _picture(self) -> QPixmap:
        views = self.bench.views
        for view in views.all:
            view.settle()
        return views.grab()
