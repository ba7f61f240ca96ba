"""Editors of curves, laws, pulses, contacts, contours and outputs."""

from __future__ import annotations

from functools import partial

from app.command import Command
from app.features.editors.panel import EditorPanel
from app.features.feature import Feature
from app.panel import Panel
from app.workbench import Workbench
from solver.base.words import msgid, tr

_TABLES = {
    "contacts": (
        msgid("Who may touch what…"),
        msgid("A matrix of surfaces, planes and laws."),
    ),
    "outputs": (msgid("What a run writes…"), msgid("A table of outputs.")),
}


class Editors(Feature):
    """Bring the editor that fits the selection to the front."""

    name = "editors"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        bench.commands.add(
            *(
                Command(
                    f"edit.{name}",
                    tr(title),
                    tr(tip),
                    partial(self.open, name),
                    enabled=bench.has_project,
                )
                for name, (title, tip) in _TABLES.items()
            )
        )
        panel = self.panel = EditorPanel(bench.document, _TABLES, bench.settings.units)
        bench.panels.add(
            Panel(
                "editor",
                panel,
                "below",
                tr("Editor"),
                tr("Curves, laws, pulses, contacts, contours and outputs, drawn and as tables"),
                go_to=(tr("&Editor"), tr("Go to the editor of what is selected.")),
                topic="guide#editors",
                asked=lambda: bench.document.selection,
                builds=True,
            )
        )
        panel.follow(bench.study)
        bench.document.changed.connect(panel.update_project)
        bench.document.selected.connect(self._on_selected)
        bench.theme_changed.connect(panel.set_theme)
        bench.units_changed.connect(panel.set_units)

    def open(self, name: str) -> None:
        """Show the editor of a list of the document, whatever is selected."""
        self.bench.panels.open("editor")
        self.panel.open(name)
        self.bench.panels.give_half(self.panel.is_matrix)

    def _on_selected(self, path: str) -> None:
        panels = self.bench.panels
        self.panel.show_element()
        if self.panel.fits(path) and not panels.has_keyboard("problems"):
            panels.open("editor")
        if not self.panel.is_matrix:
            panels.give_half(False)
