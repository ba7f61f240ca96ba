"""The form of what is selected."""

from __future__ import annotations

from app.features.feature import Feature
from app.features.inspector.panel import Inspector
from app.panel import Panel
from app.widgets.carrying import Handle
from app.workbench import Workbench
from solver.words import tr


class Fields(Feature):
    """Keep the inspector at what is selected, and let people pin and carry from it."""

    name = "fields"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        document = bench.document
        panel = self.panel = Inspector(document, bench.settings.units)
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
        panel.chosen.connect(document.select)
        panel.person.asked.connect(bench.commands.run)
        panel.asked.connect(bench.commands.run)
        panel.commands.pin.connect(bench.pin_asked)
        panel.commands.vary.connect(bench.vary_asked)
        Handle(panel.heading, lambda: document.chosen)
        document.changed.connect(panel.update_project)
        document.selected.connect(lambda _: panel.show_element())
        document.checked.connect(panel.show_problems)
        bench.theme_changed.connect(panel.set_theme)
        bench.units_changed.connect(panel.set_units)
