"""The form of what is selected."""

from __future__ import annotations

from PySide6.QtCore import Qt

from app.command import Command
from app.curves.curves import Curve, Wanted, curve, numbers
from app.curves.offers import Reading, readings
from app.features.feature import Feature
from app.features.inspector.panel import Inspector
from app.features.inspector.readings import Readings
from app.panel import Panel
from app.run_view.record import RunRecord
from app.run_view.run_view import RunView
from app.widgets.carrying import Handle
from app.workbench import Workbench
from solver.base.units import pretty
from solver.base.words import tr
from solver.results import ResultsError


class Fields(Feature):
    """Keep the inspector at what is selected, and let people pin and carry from it."""

    name = "fields"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        document = bench.document
        self.readings = Readings(bench.run_view, bench.settings.units)
        panel = self.panel = Inspector(document, bench.settings.units, self.readings)
        bench.panels.add(
            Panel(
                "inspector",
                panel,
                "right",
                tr("Fields"),
                go_to=(tr("&Fields"), tr("Go to the fields of what is selected.")),
                topic="guide#building-a-model",
                asked=lambda: panel.focused() or document.selection,
                stops=panel.area,
            )
        )
        self.hover = Hover(bench.run_view, bench.settings.units)
        bench.viewport.tells = self.hover.told
        bench.units_changed.connect(self.hover.set_units)
        panel.chosen.connect(document.select)
        panel.person.asked.connect(bench.commands.run)
        panel.asked.connect(bench.commands.run)
        panel.commands.pin.connect(bench.pin_asked)
        panel.commands.vary.connect(bench.vary_asked)
        Handle(panel.heading, lambda: document.chosen)
        document.changed.connect(panel.update_project)
        document.selected.connect(lambda _: self._on_selected())
        bench.viewport.clicked.connect(self._on_clicked)
        document.checked.connect(panel.show_problems)
        bench.theme_changed.connect(panel.set_theme)
        bench.units_changed.connect(panel.set_units)
        bench.theme_changed.connect(self.readings.set_theme)
        bench.units_changed.connect(self.readings.set_units)
        self.readings.asked.connect(self._draw)
        # they stand above the fields, which would be seen to jump
        self.readings.awaited.connect(lambda on: panel.area.setUpdatesEnabled(not on))
        bench.commands.add(
            Command(
                "run.results",
                tr("&Results of what is selected"),
                tr(
                    "Go to the values of the selected element at this instant; Enter draws one in the plots."
                ),
                self.go_to_results,
                "Shift+R",
                bench.has_project,
                in_scene=True,
            )
        )

    def go_to_results(self) -> None:
        """Send the keyboard to the results of the selected element, or say why there are none."""
        bench = self.bench
        bench.run_view.switch(True)
        bench.panels.open("inspector")
        if not bench.run_view.is_on:
            bench.say(tr("There are no results yet: run the model first."))
        elif not self.readings.rows:
            bench.say(tr("Select a part of the model of which results tell something."))
        else:
            self.readings.rows[0].setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.panel.area.ensureWidgetVisible(self.readings.rows[0])

    def _on_clicked(self, element: str) -> None:
        """Show the fields and values of what was clicked in the scene, where another panel lies before them."""
        panels = self.bench.panels
        if element and panels.is_shown("inspector") and not panels.is_front("inspector"):
            panels.open("inspector")

    def _on_selected(self) -> None:
        several = len(self.bench.document.chosen) > 1
        self.readings.show_soon("" if several else self.bench.document.selection)
        self.panel.show_element()

    def _draw(self, names: list[str]) -> None:
        for name in names:
            self.bench.quantity_asked.emit(name)


_FIRST = {"segments": "acceleration", "airbags": "pressure"}
"""Of these lists another value than the first of the inspector's says most."""
_APART = "  ·  "


class Hover:
    """Fetch the row that says most of an element, once while the mouse stays and the run is the same."""

    def __init__(self, run_view: RunView, system: str) -> None:
        self._run_view, self._system = run_view, system
        self._of: tuple[RunRecord, str] | None = None
        self._row: tuple[Reading, list[Curve]] | None = None

    def set_units(self, system: str) -> None:
        """Say values in other units."""
        self._system, self._of = system, None

    def told(self, element: str) -> str:
        """Write it: '  ·  force 2.31 kN'; nothing in the model, or while a run goes on."""
        record = self._run_view.runs.current
        if not self._run_view.is_on or record is None or not record.has_ended:
            return ""
        if self._of != (record, element):
            self._of, self._row = (record, element), self._fetched(record, element)
        if self._row is None:
            return ""
        reading, curves = self._row
        values = numbers(curves, self._run_view.player.time)
        return f"{_APART}{reading.words} {values} {pretty(curves[0].unit)}".rstrip()

    def _fetched(self, record: RunRecord, element: str) -> tuple[Reading, list[Curve]] | None:
        quantities = self._run_view.catalogue.of(record)
        if quantities is None:
            return None
        rows = readings(record.project, quantities.infos, element)
        wanted = _FIRST.get(element.partition("/")[0], "")
        rows.sort(key=lambda row: wanted not in row.names[0].split("/"))
        if not rows:
            return None
        try:
            found = [curve(record.project, quantities, Wanted(n), self._system) for n in rows[0].names]  # fmt: skip
        except ResultsError:
            # a file that lost a table says so where its curves are asked for
            return None
        return rows[0], found
