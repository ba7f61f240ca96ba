"""What people do with runs in one window: film, picture, save, take the model back, ride along."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QApplication, QFileDialog

from app import texts
from app.elements import spoken
from app.jobs.task import Task
from app.jobs.writing import write_behind
from app.movie.dialog import MovieDialog
from app.studio import with_versions
from app.study.record import RunRecord
from app.study.showing import SEEN, Sights
from solver import __version__
from solver.project.segments import GROUND
from solver.results import save_run
from solver.whole import replaced

if TYPE_CHECKING:
    from app.window import MainWindow


class StudyDesk:
    """Turn what people ask for about runs into files, pictures and views."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        settings = window.studio.settings
        seen = {name: settings.sight(name) for name in SEEN}
        window.study.set_sights(Sights(**seen, system=settings.units))

    def toggle_sight(self, name: str) -> None:
        """Show something beside runs, or no longer: 'forces', 'loads' or 'start'."""
        study = self._window.study
        on = not getattr(study.sights, name)
        study.set_sights(replace(study.sights, **{name: on}))
        self._window.studio.settings.keep_sight(name, on)

    def show_units(self) -> None:
        """Write loads in the units that are shown now."""
        study = self._window.study
        study.set_sights(replace(study.sights, system=self._window.studio.settings.units))

    def toggle_trail(self) -> None:
        """Draw the way of the selected segment, or no longer."""
        window = self._window
        name = window.document.selection.partition("/")[2]
        on = window.study.toggle_trail(name)
        window.study.switch(True)
        said = spoken(window.document.project, f"segments/{name}")
        window.say((texts.study.TRAIL_ON if on else texts.study.TRAIL_OFF).format(name=said))

    def compare(self) -> None:
        """Set the chosen runs beside each other; with none chosen, the last two."""
        window = self._window
        chosen = window.runs.to_compare()
        if len(chosen) > 1:
            window.study.compare(chosen)
        else:
            window.compare.compare_last()

    def film(self) -> MovieDialog | None:
        """Offer to write a movie of the current run, seen from where one looks now."""
        window, study = self._window, self._window.study
        record = study.runs.current
        if study.showing is None or record is None or record.is_running:
            window.say(texts.study.NOTHING_TO_FILM)
            return None
        study.player.pause()
        others = [one for one in study.runs.records if one is not record and one.has_ended]
        dialog = MovieDialog(
            record,
            others,
            study.ghost,
            window.viewport.camera(),
            study.showing,
            window.viewport.width() / max(1, window.viewport.height()),
            window.theme(),
            window,
        )
        dialog.written.connect(lambda path: window.say(texts.files.WRITTEN.format(file=path.name)))
        dialog.open()
        return dialog

    def copy_picture(self) -> None:
        """Put the scene on the clipboard as a picture."""
        QApplication.clipboard().setPixmap(self._picture())
        self._window.say(texts.outputs.PICTURE_COPIED)

    def ask_for_picture(self) -> None:
        """Save the scene as a picture."""
        name, _ = QFileDialog.getSaveFileName(
            self._window, texts.outputs.PICTURE_TITLE, "scene.png", texts.outputs.PICTURE_FILES
        )
        if name:
            self.save_picture(Path(name))

    def save_picture(self, file: Path) -> None:
        """Save the scene as a picture, whole or not at all."""
        words = texts.files.WRITTEN
        try:
            with replaced(file) as part:
                if not self._picture().save(str(part)):
                    raise OSError
        except OSError:
            words = texts.files.NOT_WRITTEN
        self._window.say(words.format(file=file.name))

    def ask_for_report(self, records: Sequence[RunRecord] = ()) -> None:
        """Write a report of one run or two; without a choice of the current one and its ghost."""
        window, study = self._window, self._window.study
        current = study.runs.current
        if not records and current is not None:
            beside = [study.ghost] if study.ghost not in (None, current) else []
            records = [r for r in (*beside, current) if r is not None]
        records = [record for record in records if record.has_ended]
        if not records:
            window.say(texts.study.NOTHING_TO_FILM)
            return
        if len(records) > 2:
            window.say(texts.comparing.REPORT_TWO.format(count=len(records)))
            return
        name, _ = QFileDialog.getSaveFileName(
            window, texts.outputs.REPORT_TITLE, "report.html", texts.outputs.REPORT_FILES
        )
        if name:
            self.report(records, Path(name))

    def report(self, records: Sequence[RunRecord], file: Path) -> Task:
        """Write a report of one run or two in the background; the status line tells of its end."""
        units = self._window.studio.settings.units

        def write() -> None:
            from solver.report import report

            runs = [record.trajectory for record in records]
            report(*runs, labels=[r.name for r in records], units=units).save(file)

        return write_behind(self._window, file, write)

    def ask_to_save(self, record: RunRecord) -> None:
        """Save the results of a run."""
        if record.trajectory is None or record.is_running:
            self._window.say(texts.study.STILL_RUNNING)
            return
        name, _ = QFileDialog.getSaveFileName(
            self._window,
            texts.study.RESULTS_SAVE_TITLE,
            f"{record.name}.h5",
            texts.files.RESULTS_FILES,
        )
        if name:
            self.save(record, Path(name))

    def save(self, record: RunRecord, file: Path) -> Task:
        """Save the results of a run into a file, in the background."""
        run = record.trajectory
        assert run is not None
        return write_behind(self._window, file, lambda: save_run(run, file, __version__))

    def delete(self, records: Sequence[RunRecord]) -> None:
        """Delete runs, and offer to bring them back."""
        if not records:
            return
        window = self._window
        own = [record for record in records if record.file is None]
        put_back = window.keeping.delete(records)
        words = texts.study.DELETED if own else texts.study.TAKEN_OFF
        names = ", ".join(record.name for record in records)
        window.notice.say(words.format(names=names), (texts.study.PUT_BACK, put_back))

    def restore(self, record: RunRecord) -> None:
        """Make the model what it was in a run, as one step that can be undone."""
        self._window.document.replace(record.project, texts.study.RESTORED.format(name=record.name))

    def tell_failed(self, record: RunRecord) -> None:
        """Say why a run has failed, for as long as it takes to read it."""
        window, solving = self._window, record.solving
        details = "" if solving is None else solving.details
        sentence = texts.study.FAILED.format(name=record.name, why=record.message)
        if details:
            window.studio.explain(window, sentence, with_versions(details))
        else:
            window.notice.say(sentence)

    def tell_obstacle(self) -> None:
        """Say what stands in the way of a run, where it cannot be overlooked, with a way out."""
        window = self._window
        obstacle = window.study.obstacle()
        if obstacle == texts.study.HAS_NO_RUN:
            window.notice.say(
                obstacle, (texts.study.ADD_RUN, lambda: window.menus.run("insert.runs"))
            )
            return
        window.drawer.open("problems")
        window.notice.say(obstacle, (texts.study.SHOW_ERROR, window.panels.go_to_problem))

    def forget_obstacle(self) -> None:
        """Take back what stood in the way of a run, once it no longer does."""
        if not self._window.study.obstacle():
            self._window.notice.unsay(texts.study.HAS_NO_RUN, texts.study.HAS_ERRORS)

    def ride(self) -> None:
        """Let the camera go with the selected segment; with nothing selected, stand on the ground."""
        study, selection = self._window.study, self._window.document.selection
        if study.replay is None:
            return
        kind, _, name = selection.partition("/")
        names = study.replay.motion.names
        rider = name if kind == "segments" and name in names else GROUND
        study.switch(True)
        study.ride(GROUND if study.replay.rider == rider else rider)
        where = study.replay.rider
        called = spoken(self._window.document.project, f"segments/{where}")
        self._window.say(
            texts.study.RIDES.format(name=called) if where != GROUND else texts.study.STANDS
        )

    def _picture(self) -> QPixmap:
        views = self._window.views
        for view in views.all:
            view.settle()
        return views.grab()
