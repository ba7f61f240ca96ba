"""What people hand on of a run besides movies: filmstrips and moving scenes for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QProgressDialog, QPushButton

from app import texts
from app.forms.numbers import Whole
from app.jobs.task import Task
from app.jobs.writing import write_behind
from app.movie.film import Film, Shot
from app.movie.filming import Filming
from app.movie.strip import FEWEST, MOST, SIZE, StripWriter, strip_times
from app.movie.writing import MovieError
from app.picture import CannotDraw
from app.sheet import ask
from app.study.record import RunRecord

if TYPE_CHECKING:
    from app.window import MainWindow

_USUAL, _PATIENCE_MS = 6, 400
"""Pictures of a strip; what is done sooner needs no word of progress."""


class OutputDesk:
    """Ask where to, write, and tell of the end."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window

    def ask_for_strip(self) -> None:
        """Write some instants of the current run side by side, seen as they are now."""
        if self._finished() is None:
            return
        count = Whole(FEWEST, MOST, _USUAL)
        title, words = texts.outputs.STRIP_TITLE, texts.outputs.STRIP_COUNT
        do = QPushButton(texts.outputs.WRITE, toolTip=texts.outputs.STRIP_TIP)
        if not ask(self._window, title, "strip", words, count, do):
            return
        name, _ = QFileDialog.getSaveFileName(
            self._window, texts.outputs.STRIP_TITLE, "strip.png", texts.outputs.PICTURE_FILES
        )
        if name:
            self.strip(Path(name), count.value())

    def strip(self, file: Path, count: int) -> Filming | None:
        """Write a filmstrip of the current run; the status line tells of its end."""
        window, record, showing = self._window, self._finished(), self._window.study.showing
        if record is None or showing is None or record.trajectory is None:
            return None
        shot = Shot(
            SIZE,
            rides_on=showing.replay.rider,
            theme=window.theme(),
            sights=showing.sights,
            trails=showing.trails,
            framed_for=window.viewport.width() / max(1, window.viewport.height()),
        )
        camera = window.viewport.camera()
        try:
            times = strip_times(0.0, window.study.player.end, count)
            writer = StripWriter(file)
            film = Film(record.project, record.trajectory, shot, camera, showing.beside_run)
        except (MovieError, CannotDraw) as failure:
            window.notice.say(str(failure))
            return None
        filming = Filming(film, times, writer, window)
        shown = QProgressDialog(
            texts.outputs.DRAWING.format(file=file.name), texts.outputs.CANCEL, 0, count, window
        )
        shown.setWindowTitle(texts.outputs.STRIP_TITLE)
        shown.setMinimumDuration(_PATIENCE_MS)
        shown.canceled.connect(filming.cancel)
        filming.progressed.connect(shown.setValue)
        filming.failed.connect(window.notice.say)
        filming.written.connect(lambda path: window.say(texts.files.WRITTEN.format(file=path.name)))
        for over in (filming.written, filming.failed, shown.canceled):
            over.connect(shown.deleteLater)
        filming.start()
        return filming

    def ask_for_scene(self) -> None:
        """Write the moving scene of the current run for viewers and for ParaView."""
        if self._finished() is None:
            return
        name, _ = QFileDialog.getSaveFileName(
            self._window, texts.outputs.SCENE_TITLE, "run.glb", texts.outputs.SCENE_FILES
        )
        if name:
            self.scene(Path(name))

    def scene(self, file: Path) -> Task | None:
        """Write the moving scene in the background; the status line tells of its end."""
        window, record, replay = self._window, self._finished(), self._window.study.replay
        if record is None or replay is None or record.trajectory is None:
            return None
        run, rider = record.trajectory, replay.rider

        def write() -> None:
            from app.export.command import save_scene

            save_scene(record.project, run, file, rider)

        return write_behind(window, file, write)

    def _finished(self) -> RunRecord | None:
        study = self._window.study
        record = study.runs.current
        if study.showing is None or record is None or record.is_running:
            self._window.say(texts.study.NOTHING_TO_FILM)
            return None
        return record
