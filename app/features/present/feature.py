"""Present a run: the scene fills the screen, the run plays slowly, and what happens is written in large letters."""

from __future__ import annotations

from PySide6.QtCore import Qt

from app.command import Command
from app.features.feature import Feature
from app.features.present.caption import Caption
from app.workbench import Workbench
from solver.base.words import tr

_ALONE = "view.scene_alone"


class Present(Feature):
    """Begin and end it; the window is afterwards as it was."""

    name = "present"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self.caption = Caption(bench.study, bench.viewport)
        bench.viewport.tools.append(self.caption)
        self._was_full = self._was_alone = False
        bench.document.opened.connect(self.leave)
        bench.study.run_shown.connect(self._look)
        bench.study.switched.connect(lambda on: None if on else self.leave())
        bench.commands.add(
            Command(
                "view.present",
                tr("&Present the run"),
                tr(
                    "Let the scene fill the screen, and play the run slowly with what happens in large letters; Esc ends it."
                ),
                self.toggle,
                "Shift+F11",
                lambda: bench.has_project() and bench.study.replay is not None,
                is_on=lambda: self.caption.is_on,
            )
        )

    def toggle(self) -> None:
        """Begin, or end."""
        if self.caption.is_on:
            self.leave()
        else:
            self.begin()

    def begin(self) -> None:
        """Fill the screen and play from the start."""
        bench, window = self.bench, self.bench.viewport.window()
        bench.study.switch(True)
        self.caption.is_on = True
        self._look()
        self._was_full, self._was_alone = window.isFullScreen(), self._is_alone()
        if not self._was_alone:
            bench.commands.run(_ALONE)
        window.showFullScreen()
        bench.study.player.pause()
        bench.study.player.go(0.0)
        bench.study.player.play()
        bench.commands.refresh()

    def leave(self) -> None:
        """Bring the window back as it was; the run stays at its instant."""
        if not self.caption.is_on:
            return
        bench, window = self.bench, self.bench.viewport.window()
        self.caption.is_on = False
        bench.study.player.pause()
        if self._is_alone() and not self._was_alone:
            bench.commands.run(_ALONE)
        if not self._was_full:
            window.setWindowState(window.windowState() & ~Qt.WindowState.WindowFullScreen)
        bench.viewport.update()
        bench.commands.refresh()

    def escape(self) -> bool:
        """End it by Esc."""
        was_on = self.caption.is_on
        self.leave()
        return was_on

    def _is_alone(self) -> bool:
        is_on = self.bench.commands.find(_ALONE).is_on
        return is_on is not None and is_on()

    def _look(self) -> None:
        if self.caption.is_on:
            self.caption.marks = self.bench.study.marks()
