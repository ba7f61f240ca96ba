"""Make what takes longest of a scene in a thread, skins above all, so that the window never waits for it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from app.jobs.task import Task
from solver.project import Project

REST_MS = 80
"""A body that changes is measured once it has been the same for so long."""


def make_ready(project: Project, goes_on: Callable[[], bool] = lambda: True) -> Project:
    """Make skins and shapes, which are kept for whoever draws them; ends early where `goes_on` says so."""
    import scipy.spatial  # noqa: F401 (webbing is laid on clothes with its help)
    import vtkmodules.vtkRenderingOpenGL2  # noqa: F401 (to load it takes as long as a picture)

    import app.scene.exposure
    import app.scene.stage  # noqa: F401
    from solver.scene.around.who import surroundings
    from solver.scene.people.coarse import coarse
    from solver.scene.people.skin import skin_of
    from solver.scene.people.tears import tears_of
    from solver.scene.people.who import people
    from solver.scene.placing import pose_at_start
    from solver.scene.shapes import shapes

    pose = pose_at_start(project)
    for make in (shapes, surroundings):
        if goes_on():
            make(project, pose)
    for person in people(project):
        if goes_on():
            skin = skin_of(person.figure)
            tears_of(skin)
            coarse(skin)
    return project


class Tailor(QObject):
    """Make one project ready at a time; the one that was asked for last counts, whatever was under way."""

    made = Signal()
    """What was asked for is there."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._wanted: Project | None = None
        self._task: Task | None = None
        self._rest = QTimer(self, singleShot=True)
        self._rest.timeout.connect(self._begin)

    @property
    def is_busy(self) -> bool:
        """Tell whether something is still to be made."""
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
        project = self._wanted
        if project is None or self._task is not None:
            # what is under way ends soon, and the rest follows then
            return
        work = partial(make_ready, project, lambda: self._wanted is project)
        self._task = Task(work, self, is_short=True)
        self._task.done.connect(lambda _: self._on_end(project))
        self._task.failed.connect(partial(self._on_end, project))
        self._task.start()

    def _on_end(self, project: Project, failure: Exception | None = None) -> None:
        self._task = None
        if self._wanted is project:
            self._wanted = None
            self.made.emit()
            if failure is not None:
                raise failure
        elif self._wanted is not None and not self._rest.isActive():
            self._begin()
