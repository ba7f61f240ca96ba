"""The form of what is selected."""

from __future__ import annotations

from PySide6.QtCore import Qt

from app.command import Command
from app.features.feature import Feature
from app.features.inspector.hover import Hover
from app.features.inspector.panel import Inspector
from app.features.inspector.readings import Readings
from app.panel import Panel
from app.widgets.carrying import Handle
from app.workbench import Workbench
from solver.base.words import tr


class Fields(Feature):
    """Keep the inspector at what is selected, and let people pin and carry from it."""

    name = "fields"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        document = bench.document
        self.readings = Readings(bench.study, bench.settings.units)
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
        self.hover = Hover(bench.study, bench.settings.units)
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
        bench.study.switch(True)
        bench.panels.open("inspector")
        if not bench.study.is_on:
            bench.say(tr("There are no results yet: run the model first."))
        elif not self.readings.rows:
            bench.say(tr("Select a part of the model of which results tell something."))
        else:
            self.readings.rows[0].setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.panel.area.ensureWidgetVisible(self.readings.rows[0])

    def _on_selected(self) -> None:
        several = len(self.bench.document.chosen) > 1
        self.readings.show_soon("" if several else self.bench.document.selection)
        self.panel.show_element()

    def _draw(self, names: list[str]) -> None:
        for name in names:
            self.bench.quantity_asked.emit(name)
