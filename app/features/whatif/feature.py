"""What-if: sliders for numbers of the model; a drag solves it again."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from app.command import Command
from app.features.feature import Feature
from app.features.whatif.panel import WhatIfPanel
from app.forms.lines import NumberLine
from app.panel import Panel
from app.workbench import Workbench
from solver.base.words import tr


class WhatIf(Feature):
    """Give fields sliders."""

    name = "whatif"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        bench.commands.add(
            Command(
                "run.pin",
                tr("Pin the field as a &slider"),
                tr(
                    "Give the number that is being edited a slider, and solve again as it is drawn."
                ),
                self.pin_field,
                "Ctrl+P",
                bench.has_project,
            )
        )
        panel = self.panel = WhatIfPanel(bench.study, bench.live)
        bench.panels.add(
            Panel(
                "whatif",
                panel,
                "below",
                tr("What-if"),
                tr("Sliders for numbers of the model; a drag solves it again"),
                go_to=(tr("&What-if"), tr("Go to the sliders.")),
                topic="guide#what-if",
            )
        )
        bench.pinned = lambda: panel.pins
        panel.said.connect(bench.say)
        panel.field_asked.connect(bench.document.select)
        bench.pin_asked.connect(self.pin)
        bench.theme_changed.connect(panel.set_theme)
        bench.units_changed.connect(panel.set_units)

    def pin_field(self) -> None:
        """Give the number that has the keyboard a slider, or else the field pointed at last."""
        line = QApplication.focusWidget() or self.bench.window.focusWidget()
        if isinstance(line, NumberLine) and line.can_be_pinned() and line.pin is not None:
            line.pin()
        else:
            self.pin(self.bench.document.field)

    def pin(self, path: str) -> None:
        """Give a field a slider, and bring the sliders to the front."""
        if self.panel.pin(path) or any(one.path == path for one in self.panel.pins):
            self.bench.panels.open("whatif")
