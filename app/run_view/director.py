"""Set the scene's camera by itself: the side from which a run is seen best, and all of its people in the picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.run_view.course import Course, best_side, course_of
from app.scene.covering import Thing
from app.scene.viewport import Viewport
from solver.engine.maths.rotation import Array
from solver.scene.around.build import Around

if TYPE_CHECKING:
    from app.run_view.playback import Playback
    from app.run_view.replay import Replay


class Director:
    """Frame runs one after the other; a side is chosen with the first of a model, and kept."""

    def __init__(self, viewport: Viewport) -> None:
        self._viewport = viewport
        self._directed: object = None
        """Of which model the last run was for which a side was chosen."""
        self._followed: tuple[tuple[object, ...], Course] | None = None
        """What was followed last, and what came of it."""

    def forget(self) -> None:
        """Choose a side again with the next run."""
        self._directed = self._followed = None
        self._viewport.frame(None, None)

    def frame(self, playback: Playback, now: float, is_whole: bool) -> bool:
        """Show a run whose instant (s) is in the scene; tells whether there are people to be framed.

        Of a run that goes on not much has been seen yet: its side is chosen when it has ended.
        """
        course = self._course(playback.replay)
        if not course.has_people:
            self._viewport.frame(None, None)
            return False
        side, project = None, playback.replay.project
        model = (project.load_case, tuple(one.id for one in project.segments))
        if is_whole and self._directed != model and not self._viewport.is_own:
            self._directed, side = model, self._side(playback, course)
            playback.replay.show(self._viewport.stage, now)
        self._viewport.frame((course.all, course.ends), side)
        return True

    def _course(self, replay: Replay) -> Course:
        """Follow people through a run, once as long as there is no more of it."""
        of = (replay.motion, len(replay.motion.time), replay.rider, replay.turns_too)
        if self._followed is None or self._followed[0] != of:
            self._followed = of, course_of(replay)
        return self._followed[1]

    def _side(self, playback: Playback, course: Course) -> tuple[float, float]:
        stage = self._viewport.stage
        at: list[float] = []
        is_on_wheels = bool(playback.replay.project.tyres)

        def things(t: float, eye: Array) -> Sequence[Thing]:
            if at != [t]:
                at[:] = [t]
                playback.replay.show(stage, t)
            found: list[Thing] = stage.things(eye)
            # the skin of a car on wheels is let through wherever it covers somebody, and may turn to any side
            return [one for one in found if not (is_on_wheels and _is_skin(one))]

        camera = stage.camera.turned_to(stage.camera.up)
        places = course.all, course.ends
        return best_side(course, camera, lambda one: one.fit(places[0], 1.0), things)


def _is_skin(thing: Thing) -> bool:
    return isinstance(thing.key, Around) and thing.key.stuff == "paint"
