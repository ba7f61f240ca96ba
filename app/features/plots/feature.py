"""What people do with plots in one window: save them, draw tests and limits in them, keep a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtWidgets import QLineEdit, QPushButton

from app.command import Command
from app.curves.curves import Corridor, Measured
from app.curves.points import NotATable, Points
from app.features.feature import Feature
from app.features.plots.panel import PlotsPanel
from app.features.plots.writing import NUMBERS, write_drawing, write_numbers
from app.forms.units import Units
from app.jobs.task import Task
from app.panel import Panel
from app.run_view.record import RunRecord
from app.widgets.sheet import ask
from app.with_properties import with_properties
from app.workbench import Workbench
from solver.base.words import Refusal, msgid, tr
from solver.project.functions import Function, Table

if TYPE_CHECKING:
    from app.curves.csv_dialog import CsvDialog
    from app.features.plots.tests_dialog import TestsDialog
    from solver.exchange.measured.files import MeasuredTest

_READS = msgid("The run of this project is still being read: save again once its curves are seen.")
_TEST_TITLE = msgid("Curve of a test")


class Plots(Feature):
    """Bring the panel of plots; ask for files and names, and give it what is in them."""

    name = "plots"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        panel = self.panel = PlotsPanel(bench.run_view)
        bench.panels.add(
            Panel(
                "plots",
                panel,
                "below",
                tr("Plots"),
                tr("Curves of the current run, tied to the timeline"),
                go_to=(tr("P&lots"), tr("Go to the curves.")),
                topic="guide#curves",
                moods=("understand",),
            )
        )
        panel.save_asked.connect(self.ask_for_plot)
        panel.test_asked.connect(self.ask_for_test)
        bench.printed_asked.connect(self.read_measured)
        panel.template_asked.connect(self.ask_for_template)
        self._add_commands()
        bench.figure_asked.connect(panel.show_figure)
        bench.quantity_asked.connect(self.plot)
        bench.pages_asked.connect(self._show_pages)
        bench.theme_changed.connect(panel.set_theme)
        bench.units_changed.connect(panel.set_units)

    def _add_commands(self) -> None:
        """Let keys and the palette do what the menu above the plots offers."""
        panel, bench = self.panel, self.bench
        looks, sheets = panel.looks, panel.sheets
        for name, key, title, tip, do, is_on in (
            (
                "events", "", msgid("What &happened, in plots"),
                msgid("Draw what happened when as lines with names in all plots over time."),
                looks.toggle_events, lambda: looks.events,
            ),
            (
                "second", "Ctrl+Shift+I", msgid("&Second cursor in plots"),
                msgid("Put a second cursor where the first one is: plots then tell how much time has passed and what has changed since."),
                looks.toggle_second, lambda: looks.second is not None,
            ),
            (
                "split", "", msgid("&Each curve in a plot of its own"),
                msgid("Give each curve of the active plot a plot of its own, over the same time."),
                looks.split_active, None,
            ),
            (
                "formula", "", msgid("&Calculate a curve…"),
                msgid("Make a curve of others by a formula: a sum, a rate, an integral, a resultant, another filter."),
                panel.calculate, None,
            ),
            (
                "page", "Ctrl+Shift+T", msgid("&Another page of plots"),
                msgid("Add an empty page of plots beside those that there are, as a tab."),
                sheets.add, None,
            ),
            (
                "next", "Ctrl+Shift+Y", msgid("&Next page of plots"),
                msgid("Show the next page of plots; behind the last comes the first."),
                lambda: sheets.go(1), None,
            ),
            (
                "person", "", msgid("Tests beside the next &person"),
                msgid("Hold the tests of the library beside the next person of the run, where there are several."),
                panel.pages.choose_next, None,
            ),
        ):  # fmt: skip
            bench.commands.add(
                Command(
                    f"view.plots_{name}",
                    tr(title),
                    tr(tip),
                    partial(self._do, do),
                    key,
                    bench.has_project,
                    is_on=is_on,
                    choice="plots",
                )
            )

    def _do(self, do: Callable[[], object]) -> None:
        """Do something with the plots where they are seen."""
        self.bench.panels.open("plots")
        do()

    def plot(self, quantity: str) -> None:
        """Draw a quantity, and bring the plots to the front."""
        self.panel.add(quantity)
        self.bench.panels.open("plots")

    def _show_pages(self, runs: Sequence[RunRecord]) -> None:
        """Show the same page for each of several runs, as tabs."""
        self.bench.panels.open("plots")
        self.panel.show_pages_of(runs)

    def ask_for_plot(self) -> None:
        """Save what the plots show: as a picture of the page, as slides of all pages, or as numbers."""
        runs = self.bench.run_view.runs
        if runs.reads and runs.current is None:
            self.bench.say(tr(_READS))
            return
        name = self.bench.ask_name(
            "curves",
            tr("Save the curves"),
            "curves.svg",
            tr(
                "Drawing (*.svg);;PDF (*.pdf);;Picture (*.png);;PowerPoint, all pages (*.pptx);;Numbers (*.csv);;Workbook (*.xlsx)"
            ),
        )
        if name:
            self.save_plot(Path(name))

    def save_plot(self, file: Path) -> Task:
        """Write all curves that are shown into a file, by its ending, in the background."""
        plots = self.panel
        if file.suffix.lower() in NUMBERS:
            shown = plots.shown()
            return self.bench.write(
                file, lambda: write_numbers(shown, file, self.bench.settings.units)
            )
        pages, system = plots.drawings(), plots.system
        return self.bench.write(file, lambda: write_drawing(pages, file, system))

    def ask_for_test(self, kind: str) -> None:
        """Draw a test in the active plot: a table ('csv'), limits ('corridor'), channels of a test's files ('measured') or of its folder ('folder')."""
        if kind == "folder":
            name = self.bench.ask_folder("test", tr(_TEST_TITLE))
        elif kind == "measured":
            files = tr("Measured tests (*.mme *.chn *.zip *.ev5 *.EV5 *.uds *.UDS *.c3d *.mot *.sto *.aou *.tp *.tth *.t[2-9][0-9] *.0* *.1* *.2* *.3*);;All files (*)")  # fmt: skip
            name = self.bench.ask_file("test", tr(_TEST_TITLE), files)
        else:
            tables = tr("Tables of numbers (*.csv *.txt *.tsv *.dat);;All files (*)")
            name = self.bench.ask_file("test", tr(_TEST_TITLE), tables)
        if not name:
            return
        if kind in ("measured", "folder"):
            self.read_measured(Path(name))
        else:
            self.read_table(Path(name), kind == "corridor")

    def read_measured(self, file: Path) -> Task:
        """Read a test in the background, and ask which of its channels are to be drawn."""
        from solver.exchange.measured.reading import read_test

        task = Task(lambda: read_test(file), self.bench)
        task.done.connect(self._offer)
        task.failed.connect(self._refused)
        self.bench.say(tr("Reading {file} …", file=file.name))
        task.start()
        return task

    def _refused(self, failure: Exception) -> None:
        if not isinstance(failure, Refusal):
            self.bench.tell_failed(failure)
            return
        self.bench.notice.say(str(failure))

    def _offer(self, test: MeasuredTest) -> TestsDialog | None:
        """Ask which channels of a test are wanted; where it has one alone, draw it."""
        from app.features.plots.tests_dialog import TestsDialog
        from app.features.plots.tests_drawn import draw_channels, own_quantities

        own = own_quantities(self.panel, [one.code for one in test.channels])
        self.bench.panels.open("plots")
        self.bench.say(tr("{count} channels were read.", count=len(test.channels)))
        if len(test.channels) == 1:
            draw_channels(self.panel, test.channels, own)
            for note in test.notes:
                self.bench.notice.say(str(note))
            return None
        dialog = TestsDialog(self.bench.window, test, own)
        dialog.taken.connect(
            lambda chosen, beside: draw_channels(
                self.panel,
                [test.channels[k] for k in chosen],
                [own[k] if beside else "" for k in chosen],
            )
        )
        dialog.open()
        return dialog

    def read_table(self, file: Path, is_corridor: bool = False) -> CsvDialog | None:
        """Ask for columns and units of a table, and draw what is chosen.

        Of a corridor the lower limits are chosen; the upper ones stand in the column behind.
        """
        bench, unit = self.bench, self.panel.si_unit()
        shape = Function(
            id="test", name=file.stem, x_unit="s", y_unit=unit, form=Table(x=(0, 1), y=(0, 1))
        )
        from app.curves.csv_dialog import open_csv

        try:
            dialog = open_csv(file, shape, Units(self.panel.system), bench.window)
        except NotATable as refusal:
            bench.notice.say(str(refusal))
            return None
        dialog.set_theme(bench.theme)
        dialog.link.hide()
        if is_corridor:
            dialog.setWindowTitle(
                tr("Corridor: choose the lower limits; the column behind holds the upper ones")
            )
        add = self._add_corridor if is_corridor else self._add_measured
        dialog.taken.connect(lambda points, _: add(file.stem, unit, points, dialog))
        dialog.open()
        return dialog

    def _add_measured(self, name: str, unit: str, points: Points, _: CsvDialog) -> None:
        time, value = (np.asarray(side, float) for side in points)
        self.panel.add_measured(Measured(name, unit, time, value))

    def _add_corridor(self, name: str, unit: str, points: Points, dialog: CsvDialog) -> None:
        column = dialog.columns[1].currentData() + 1
        if column >= len(dialog.found.columns):
            self.bench.notice.say(
                tr("Behind the chosen column there is none with the upper limits.")
            )
            return
        dialog.columns[1].setCurrentIndex(column)
        upper = dialog.points()
        time, low, high = (np.asarray(side, float) for side in (*points, upper[1]))
        self.panel.add_corridor(
            Corridor(name, unit, time, np.minimum(low, high), np.maximum(low, high))
        )

    def ask_for_template(self) -> None:
        """Keep the page of plots under a name."""
        bench = self.bench
        if not self.panel.specs():
            bench.say(tr("There is nothing to keep: drag quantities into the plots first."))
            return
        title = QLineEdit()
        do = with_properties(
            QPushButton(tr("Keep")), toolTip=tr("Keep the page, to be found in the list of pages")
        )
        words = tr("Name")
        taken = ask(bench.window, tr("Keep this page of plots"), "guide#curves", words, title, do)
        if taken and title.text().strip():
            try:
                self.panel.keep_page(title.text().strip())
            except OSError as failure:
                bench.notice.say(tr("The page could not be kept: {why}.", why=failure.strerror))
