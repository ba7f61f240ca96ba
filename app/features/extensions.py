"""Panels of other packages: each has its tab, and is loaded when it is first seen."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app.features.feature import Feature
from app.guard import guard
from app.panel import Panel
from app.with_properties import with_properties
from app.workbench import Workbench
from solver.base.extensions import PANELS, Extension, ExtensionError, extensions, raised_text
from solver.base.words import tr

if TYPE_CHECKING:
    from manikin.model import Model
    from manikin.results import Run


class Extensions(Feature):
    """Bring the panels that installed packages add."""

    name = "extensions"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self.panels: list[AddedPanel] = []
        names = set[str]()
        for one in extensions(PANELS):
            name = "added_" + re.sub(r"\W+", "_", one.name.lower())
            if name in names:
                # what comes first is shown; `manikin extensions` tells of the other
                continue
            names.add(name)
            panel = AddedPanel(one, Window(bench))
            self.panels.append(panel)
            bench.panels.add(
                Panel(
                    name,
                    panel,
                    "below",
                    one.name,
                    tr("{panel}, of the package {package}", panel=one.name, package=one.package),
                    go_to=(one.name, tr("Go to a panel of {package}.", package=one.package)),
                    topic="extending#a-package-that-adds-to-the-program",
                    moods=("run",),
                )
            )


class AddedPanel(QWidget):
    """The place of a panel of another package, with the panel in it once it has been seen."""

    def __init__(self, extension: Extension, window: Window) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._extension, self._window = extension, window
        self.inside: QWidget | None = None
        QVBoxLayout(self).setContentsMargins(0, 0, 0, 0)

    @guard
    def showEvent(self, event: QShowEvent) -> None:
        """Load the panel."""
        super().showEvent(event)
        if self.inside is None:
            try:
                self.inside = self._made()
            except ExtensionError as failure:
                self.inside = with_properties(QLabel(str(failure)), wordWrap=True, margin=12)
            layout = self.layout()
            assert layout is not None
            layout.addWidget(self.inside)

    def _made(self) -> QWidget:
        from manikin.extensions import Panel as Added

        added = self._extension.load(Added)
        try:
            made = added.make(self._window)
        except (Exception, SystemExit) as raised:
            raise self._extension.failed(raised) from raised
        if not isinstance(made, QWidget):
            raise self._extension.error("it made a {found}, no widget", found=type(made).__name__)
        if added.tip:
            made.setToolTip(added.tip)
        return made


class Window(QObject):
    """What a panel of another package knows and does of its window; `manikin.extensions.Shown` describes it."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self._bench = bench

    @property
    def model(self) -> Model:
        """The model that is open."""
        from manikin.model import Model

        return Model(self._bench.document.project)

    @property
    def run(self) -> Run | None:
        """The run that is shown."""
        from manikin.model import Model
        from manikin.results import Run

        record = self._bench.run_view.runs.current
        found = None if record is None else record.seen
        return None if record is None or found is None else Run(found, Model(record.project))

    @property
    def time(self) -> float:
        """The instant that is shown of it (s)."""
        return self._bench.run_view.player.time

    @property
    def selected(self) -> str:
        """The path of the element that is selected."""
        return self._bench.document.selection

    def change(self, model: Model, words: str) -> None:
        """Make another model the open one, as one step of the history."""
        self._bench.document.replace(model.project, words)

    def on_change(self, call: Callable[[], object]) -> None:
        """Let something be called whenever model, run, instant or selection are others; what it raises is told in a notice."""

        def called(*_: object) -> None:
            try:
                call()
            except Exception as raised:  # noqa: BLE001 (code of others does anything)
                self._bench.notice.say(
                    tr("A panel of another package failed: {why}.", why=raised_text(raised))
                )

        document, view = self._bench.document, self._bench.run_view
        for signal in (document.opened, document.changed, document.selected):
            signal.connect(called)
        for signal in (view.run_shown, view.shown):
            signal.connect(called)
