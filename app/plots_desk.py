"""What people do with plots in one window: save them, draw tests and limits in them, keep a page."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtWidgets import QFileDialog, QLineEdit, QPushButton

from app import texts
from app.editors.pasting import NotATable
from app.editors.points import Points
from app.forms.choices import Choice
from app.forms.units import Units
from app.jobs.task import Task
from app.jobs.writing import write_behind
from app.plots.measured import Corridor, Measured, from_mme
from app.plots.writing import NUMBERS, write_drawing, write_numbers
from app.sheet import ask
from solver.project.functions import Function, Table
from solver.results import ResultsError
from solver.results.mme_reading import described, mme_channels

if TYPE_CHECKING:
    from app.editors.csv_dialog import CsvDialog
    from app.window import MainWindow


class PlotsDesk:
    """Ask for files and names, and give the panel of plots what is in them."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window

    def ask_for_plot(self) -> None:
        """Save what the plots show: as a picture, or as numbers."""
        name, _ = QFileDialog.getSaveFileName(
            self._window, texts.plots.PLOT_TITLE, "curves.svg", texts.plots.PLOT_FILES
        )
        if name:
            self.save_plot(Path(name))

    def save_plot(self, file: Path) -> Task:
        """Write all curves that are shown into a file, by its ending, in the background."""
        plots = self._window.plots
        if file.suffix.lower() in NUMBERS:
            shown = plots.shown()
            return write_behind(self._window, file, lambda: write_numbers(shown, file))
        drawing, system = plots.drawing(), plots.system
        return write_behind(self._window, file, lambda: write_drawing(drawing, file, system))

    def ask_for_test(self, kind: str) -> None:
        """Draw a test in the active plot: a table ('csv'), limits ('corridor') or a channel ('mme')."""
        files = texts.plots.MME_FILES if kind == "mme" else texts.plots.TABLE_FILES
        name, _ = QFileDialog.getOpenFileName(self._window, texts.plots.TEST_TITLE, "", files)
        if name and kind != "mme":
            self.read_table(Path(name), kind == "corridor")
        elif name:
            self.read_mme(Path(name))

    def read_table(self, file: Path, is_corridor: bool = False) -> CsvDialog | None:
        """Ask for columns and units of a table, and draw what is chosen.

        Of a corridor the lower limits are chosen; the upper ones stand in the column behind.
        """
        window, unit = self._window, self._window.plots.si_unit()
        shape = Function(
            id="test", name=file.stem, x_unit="s", y_unit=unit, form=Table(x=(0, 1), y=(0, 1))
        )
        from app.editors.csv_dialog import open_csv

        try:
            dialog = open_csv(file, shape, Units(window.plots.system), window)
        except NotATable as refusal:
            window.notice.say(str(refusal))
            return None
        dialog.set_theme(window.theme())
        dialog.link.hide()
        if is_corridor:
            dialog.setWindowTitle(texts.plots.CORRIDOR_TITLE)
        add = self._add_corridor if is_corridor else self._add_measured
        dialog.taken.connect(lambda points, _: add(file.stem, unit, points, dialog))
        dialog.open()
        return dialog

    def _add_measured(self, name: str, unit: str, points: Points, _: CsvDialog) -> None:
        time, value = (np.asarray(side, float) for side in points)
        self._window.plots.add_measured(Measured(name, unit, time, value))

    def _add_corridor(self, name: str, unit: str, points: Points, dialog: CsvDialog) -> None:
        column = dialog.columns[1].currentData() + 1
        if column >= len(dialog.found.columns):
            self._window.notice.say(texts.plots.NO_UPPER)
            return
        dialog.columns[1].setCurrentIndex(column)
        upper = dialog.points()
        time, low, high = (np.asarray(side, float) for side in (*points, upper[1]))
        self._window.plots.add_corridor(
            Corridor(name, unit, time, np.minimum(low, high), np.maximum(low, high))
        )

    def read_mme(self, file: Path) -> None:
        """Draw a channel of an ISO-MME test; of a header or index, the channel is asked for."""
        window = self._window
        try:
            if not re.fullmatch(r"\.\d{3,4}", file.suffix):
                files = mme_channels(file)
                which = Choice()
                which.addItems([described(one) for one in files])
                do = QPushButton(texts.plots.DRAW, toolTip=texts.plots.DRAW_TIP)
                words = texts.plots.WHICH_CHANNEL
                if not ask(window, texts.plots.TEST_TITLE, "channel", words, which, do, 30.0):
                    return
                file = files[which.currentIndex()]
            window.plots.add_measured(from_mme(file))
        except ResultsError as failure:
            window.notice.say(str(failure))

    def ask_for_template(self) -> None:
        """Keep the page of plots under a name."""
        window = self._window
        if not window.plots.specs():
            window.say(texts.plots.NOTHING_PLOTTED)
            return
        title = QLineEdit()
        do = QPushButton(texts.plots.KEEP, toolTip=texts.plots.KEEP_TIP)
        words = texts.plots.TEMPLATE_NAME
        taken = ask(window, texts.plots.TEMPLATE_TITLE, "template", words, title, do)
        if taken and title.text().strip():
            try:
                window.plots.keep_page(title.text().strip())
            except OSError as failure:
                window.notice.say(texts.plots.NOT_KEPT.format(why=failure.strerror))
