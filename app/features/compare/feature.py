"""Runs compared: figures, fields that differ, peaks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtWidgets import QFileDialog

from app.features.compare.panel import ComparePanel
from app.features.feature import Feature
from app.panel import Panel
from app.study.record import RunRecord
from app.workbench import Workbench
from solver.words import tr

_PAIR = 2


class Compare(Feature):
    """Set runs side by side in a table; a click leads to the curve, the window or the field."""

    name = "compare"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        study = bench.study
        panel = self.panel = ComparePanel(study, bench.tip_of("run.compare"))
        bench.panels.add(
            Panel(
                "compare",
                panel,
                "below",
                tr("Compare"),
                tr("Two or more runs side by side: figures, fields that differ, peaks"),
                go_to=(tr("&Comparison"), tr("Go to the comparison of runs.")),
                topic="guide#comparing-runs",
            )
        )
        panel.figure_asked.connect(bench.figure_asked)
        panel.quantity_asked.connect(bench.quantity_asked)
        panel.field_asked.connect(bench.document.select)
        panel.report_asked.connect(self.ask_for_report)
        panel.film_asked.connect(lambda: bench.commands.run("run.film"))
        panel.said.connect(bench.say)
        study.compared_changed.connect(self._on_compared)
        bench.theme_changed.connect(panel.set_theme)
        bench.units_changed.connect(panel.set_units)

    def ask_for_report(self) -> None:
        """Write a report of the runs that are compared: of two as of a pair, of more on a page of their own."""
        records = self.bench.study.compared
        if len(records) <= _PAIR:
            self.bench.report_asked.emit(records)
            return
        name, _ = QFileDialog.getSaveFileName(
            self.bench.window,
            tr("Write a report"),
            "report.html",
            tr("Report (*.html);;Report as PDF (*.pdf)"),
        )
        if name:
            self._write(records, Path(name))

    def _write(self, records: Sequence[RunRecord], file: Path) -> None:
        units, standards = self.bench.settings.units, self.bench.study.judges.standards

        def write() -> None:
            from solver.report import report

            runs = [record.trajectory for record in records if record.trajectory is not None]
            made = report(*runs, labels=[r.name for r in records], units=units, standards=standards)
            made.save(file)

        self.bench.write(file, write)

    def _on_compared(self) -> None:
        if self.bench.study.compared:
            self.bench.panels.open("compare")
