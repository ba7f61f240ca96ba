"""Runs compared: figures, fields that differ, peaks."""

from __future__ import annotations

from app.features.compare.panel import ComparePanel
from app.features.feature import Feature
from app.panel import Panel
from app.workbench import Workbench
from solver.base.words import tr


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
        panel.report_asked.connect(lambda: bench.report_asked.emit(study.compared))
        panel.film_asked.connect(lambda: bench.commands.run("run.film"))
        panel.said.connect(bench.say)
        study.compared_changed.connect(self._on_compared)
        bench.document.opened.connect(self._give_way)
        bench.theme_changed.connect(panel.set_theme)
        bench.units_changed.connect(panel.set_units)

    def _give_way(self) -> None:
        """Leave the room to others where another project has nothing to compare yet."""
        front = self.bench.panels.front()
        if front is not None and front.name == self.name:
            self.bench.panels.open("problems")

    def _on_compared(self) -> None:
        if self.bench.study.compared:
            self.bench.panels.open("compare")
