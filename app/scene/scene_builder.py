"""Make what takes longest of a scene in a thread, skins above all, so that the window never waits for it."""

from __future__ import annotations

from threading import Thread

from PySide6.QtCore import QObject, QTimer, Signal

from app.scene.ready import make_ready
from solver.project import Project

REST_MS = 80
"""A body that changes is measured once it has been the same for so long."""
_LOOK_MS = 10


class SceneBuilder(QObject):
    """Make one project ready at a time; the one that was asked for last counts, whatever was under way."""

    made = Signal()
    """What was asked for is there."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._wanted: Project | None = None
        self._at: Project | None = None
        """What is wanted, and what is under way."""
        self._thread: Thread | None = None
        self._failure: Exception | None = None
        self._rest = QTimer(self, singleShot=True)
        self._rest.timeout.connect(self._begin)
        self._look = QTimer(self, interval=_LOOK_MS)
        self._look.timeout.connect(self._on_look)

    @property
    def is_busy(self) -> bool:
        """Whether something is still to be made."""
        return self._wanted is not None

    def ask(self, project: Project, after_ms: int = 0) -> None:
        """Begin, once nothing else is asked for during so many milliseconds."""
        self._wanted = project
        self._rest.start(after_ms)

    def drop(self) -> None:
        """Make nothing of what was asked for."""
        self._wanted = None
        self._rest.stop()

    def _begin(self) -> None:
        if self._wanted is not None and self._thread is None:
            # no daemon: the end of the program waits for what is under way, which ends soon
            self._at = self._wanted
            self._thread = Thread(target=self._make, args=(self._at,), name="tailor")
            self._thread.start()
            self._look.start()

    def _make(self, project: Project) -> None:
        try:
            make_ready(project, lambda: self._wanted is project)
        except Exception as failure:  # noqa: BLE001  (told in the window's thread)
            self._failure = failure

    def _on_look(self) -> None:
        if self._thread is None or self._thread.is_alive():
            return
        self._look.stop()
        failure, self._thread, self._failure = self._failure, None, None
        if self._wanted is self._at:
            self.drop()
            self.made.emit()
            if failure is not None:
                raise failure
        elif not self._rest.isActive():
            self._begin()
