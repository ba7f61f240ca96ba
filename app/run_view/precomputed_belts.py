"""Lay webbing while nothing else is to do, so that a run plays as smoothly the first time as later."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from app.run_view.run_view import RunView
from app.scene.scene_view import SceneView

_REST_MS, _EACH_MS = 1000, 25
"""After this time without a change one begins, and takes a frame in each such time: a few milliseconds of work."""


class PrecomputedBelts(QObject):
    """Lay the frames of the run that is shown, one by one from the present instant on, until somebody wants something."""

    def __init__(self, run_view: RunView, view: SceneView) -> None:
        super().__init__(run_view)
        self._run_view, self._view = run_view, view
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._lay)
        run_view.run_shown.connect(self._wait)
        run_view.player.moved.connect(lambda _: self._wait())
        run_view.player.changed.connect(self._wait)

    def _wait(self) -> None:
        """Begin once there is rest."""
        self._timer.stop()
        if not self._run_view.player.is_playing:
            self._timer.start(_REST_MS)

    def _lay(self) -> None:
        run_view, replay, stage, screen = (
            self._run_view, self._run_view.replay, self._view.stage, self._view.picture
        )  # fmt: skip
        if replay is None or stage is None or screen is None or not run_view.is_on:
            return
        if run_view.runs.running() is not None or not screen.is_fine:
            # what goes on has the time, and the picture that is seen
            self._timer.start(_REST_MS)
        elif replay.lay_ahead(stage, run_view.player.time, run_view.player.pitch):
            self._timer.start(_EACH_MS)
