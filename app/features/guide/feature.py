"""The guide, at what reports the thing that has the keyboard."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication, QWidget

from app.command import Command
from app.features.feature import Feature
from app.features.guide.pages import place_of, sections_with, title_of
from app.workbench import Workbench
from solver.base.words import tr
from solver.project import ProjectError

HOME = "guide"


class Guide(Feature):
    """Open the guide where it reports a panel, a dialog, a field."""

    name = "guide"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        bench.help_asked.connect(self._on_asked)
        bench.guide_sections = lambda words: (
            (section.title, title_of(page), f"{page}#{section.slug}")
            for page, section in sections_with(words)
        )
        bench.commands.add(
            Command(
                "help.here",
                tr("&Help on this"),
                tr("Open the guide where it speaks of what has the keyboard."),
                self.here,
                "F1",
            ),
            Command(
                "help.guide",
                tr("&Guide"),
                tr("Read what the program offers, page by page, without the internet."),
                self.open,
            ),
        )

    def here(self, widget: QWidget | None = None) -> None:
        """Open the guide where it reports a widget, or of what has the keyboard."""
        self.open(self.topic_for(widget))

    def open(self, topic: str = "", asked_in: QWidget | None = None) -> None:
        """Open the guide, at a topic or where it was left; a dialog may have asked for it."""
        from app.features.guide.window import GuideWindow

        guide = self.bench.window.findChild(GuideWindow) or GuideWindow(self.bench)
        guide.open(topic or guide.browser.topic or HOME, asked_in)

    def topic_for(self, widget: QWidget | None = None) -> str:
        """The topic of a widget, or of what has the keyboard: the nearest that is known."""
        here, panels = widget or QApplication.focusWidget(), self.bench.panels
        while here is not None and here is not self.bench.window:
            panel = panels.at(here)
            if panel is not None and panel.topic:
                return self._element(panel.asked()) or panel.topic
            here = here.parentWidget()
        return HOME if self.bench.has_project() else panels.find("welcome").topic

    def _element(self, path: str) -> str:
        if not path or not self.bench.has_project():
            return ""
        try:
            place = place_of(self.bench.document.project, path)
        except ProjectError:
            return ""
        return f"element:{place}" if place else ""

    def _on_asked(self, topic: str, asked_in: QWidget) -> None:
        if topic:
            self.open(topic, asked_in)
        else:
            self.here(asked_in)
