"""Pictures of some instants of a run, drawn off the screen in parts, so that the window stays alive."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtGui import QImage

from app.jobs.task import Task
from app.look import Theme
from app.run_view.record import RunRecord, vehicle
from app.scene.canvas import Canvas
from app.scene.lens import View
from app.scene.visibility import Visibility
from solver.engine.maths.rotation import Array
from solver.injury import occupants

if TYPE_CHECKING:
    from app.run_view.playback import Playback

SIZE = (320, 240)


class InstantPictures:
    """Draw one instant after the other, a part in each turn; give each picture once it is done."""

    def __init__(self) -> None:
        self._canvas: Canvas | None = None
        self._exposure: object | None = None
        self._parts: Iterator[tuple[int, QImage] | None] = iter(())

    def begin(
        self,
        record: RunRecord,
        times: Sequence[float],
        theme: Theme,
        visibility: Visibility | None,
    ) -> None:
        """Draw these instants (s) of a run from now on, in place of others."""
        self._leave()
        self._parts = self._draw(record, times, theme, visibility)

    def part(self) -> tuple[bool, tuple[int, QImage] | None]:
        """Do a part; tells whether more is to come, and gives the number and picture of an instant that is done."""
        done = object()
        found = next(self._parts, done)
        if found is done:
            self._leave()
            return False, None
        return True, found  # type: ignore[return-value]

    def close(self) -> None:
        """Give the graphics memory back."""
        self._parts = iter(())
        self._leave()
        if self._canvas is not None:
            self._canvas.close()
            self._canvas = None

    def _leave(self) -> None:
        exposure, self._exposure = self._exposure, None
        if exposure is not None:
            exposure.close()  # type: ignore[attr-defined]

    def _draw(
        self,
        record: RunRecord,
        times: Sequence[float],
        theme: Theme,
        visibility: Visibility | None,
    ) -> Iterator[tuple[int, QImage] | None]:
        from app.scene.exposure import SHIFTS, Exposure
        from app.scene.graphics import why_not
        from app.scene.ready import make_ready
        from app.scene.stage import Stage

        run = record.trajectory
        if why_not() or run is None or not times:
            return
        if self._canvas is None:
            self._canvas = Canvas()
        while self._canvas.begin():
            yield None
        made = list[object]()
        task = Task(lambda: made.append(make_ready(record.project)))
        # what cannot be made is left out of the picture
        task.failed.connect(made.append)
        task.start()
        while not made:
            yield None
        stage = Stage(theme)
        from app.run_view.playback import Playback

        playback = Playback(record.project, run)
        yield None
        exposure = self._exposure = Exposure(stage, self._canvas)
        stage.show(record.project)
        if visibility is not None:
            stage.visibility = visibility
            stage.show_again()
        yield None
        width, height = SIZE
        playback.ride(vehicle(record.project))
        people = _people(record, playback, times)
        stage.look(_side(people), width / height)
        if people.size:
            stage.camera.fit(people.reshape(-1, 3), width / height)
        else:
            stage.hold(playback.replay.ways(), width / height)
        yield None
        for number, at in enumerate(times):
            playback.show(stage, at)
            exposure.lay(width, height)
            yield None
            rows = None
            for _ in SHIFTS:
                rows = exposure.add(width, height)
                if rows is None:
                    yield None
            assert rows is not None
            yield number, _image(rows)


_AROUND_M = 0.16
"""How far skins reach from the middles of segments, about."""


def _people(record: RunRecord, playback: Playback, times: Sequence[float]) -> Array:
    """Where all parts of people are at these instants as the camera sees them, with room around (times, parts, 3)."""
    from solver.analysis.acting import with_own_parts

    names = [
        name
        for body in occupants(record.project)
        for one in body.segments.values()
        for name in with_own_parts(record.project, one)
    ]
    seen = []
    for at in times:
        pose = playback.replay.motion.pose(at)
        carried = playback.replay.carried(at, pose)
        places = np.array([carried.of(pose[one].p_W) for one in names if one in pose]).reshape(
            -1, 3
        )
        seen.append(np.vstack([places - _AROUND_M, places + _AROUND_M]))
    return np.array(seen)


def _side(people: Array) -> View:
    """The side from which most of the motion is seen: from ahead where it goes to the side."""
    if not people.size:
        return "side"
    gone = np.abs(people - people[0]).reshape(-1, 3).max(axis=0)
    return "front" if gone[1] > gone[0] else "side"


def _image(rows: np.ndarray) -> QImage:
    picture = np.ascontiguousarray(rows[::-1])
    picture[..., 3] = 255
    height, width = picture.shape[:2]
    made = QImage(picture.data, width, height, 4 * width, QImage.Format.Format_RGBA8888)
    return made.copy()
