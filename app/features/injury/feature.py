"""Injury figures of the current run."""

from __future__ import annotations

from app.command import Command
from app.features.feature import Feature
from app.features.injury.panel import InjuryPanel
from app.panel import Panel
from app.workbench import Workbench
from solver.base.words import tr


class Injury(Feature):
    """Show the figures; a click on one leads to its curve."""

    name = "injury"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        panel = self.panel = InjuryPanel(bench.study)
        bench.panels.add(
            Panel(
                "injury",
                panel,
                "below",
                tr("Injury"),
                tr("Injury figures of the current run, with limits and risks"),
                go_to=(tr("In&jury figures"), tr("Go to the injury figures.")),
                topic="guide#injury-figures",
                stops=panel.tree,
                parts={"figures": panel.tree},
            )
        )
        panel.window_asked.connect(bench.figure_asked)
        panel.window_asked.connect(lambda _: bench.panels.open("plots"))
        panel.why_asked.connect(bench.why_asked)
        bench.commands.add(
            Command(
                "run.why",
                tr("Wh&y is this figure so?"),
                tr(
                    "Show what acts on the part of an injury figure when it is greatest: which belt, bag or contact makes it."
                ),
                panel.ask_why,
                "Shift+Y",
                lambda: bench.has_project() and bench.study.replay is not None,
            )
        )
        bench.theme_changed.connect(panel.set_theme)
