"""Draw instants of a run into pictures, as the window shows them, with time and numbers over them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.features.movie.lettering import Picture, lettered
from app.look import LIGHT, Theme
from app.picture import CannotDraw
from app.scene.camera import View
from app.scene.lens import Lens
from app.scene.still import FINE, Still, Taking
from app.scene.visibility import Visibility
from app.study.overlays import NO_OVERLAYS, Overlays
from app.study.playback import Playback
from solver.project import Project
from solver.project.segments import GROUND
from solver.results.trajectory import Trajectory

_WAIT_S = 0.01
"""How long a window is held up at a time while something is made in a thread."""


@dataclass(frozen=True, slots=True)
class Shot:
    """Say what is filmed: size in pixels, the side it is seen from, what the camera rides on."""

    size: tuple[int, int] = (1280, 720)
    view: View = "side"
    rides_on: str = GROUND
    turns_too: bool | None = None
    """Whether the camera turns with what it rides on; None: unless that turns over as prescribed."""
    theme: Theme = LIGHT
    title: str = ""
    shows_time: bool = True
    overlays: Overlays = NO_OVERLAYS
    trails: tuple[str, ...] = ()
    joints: tuple[str, ...] = ()
    """Of which it is seen what they may do, where `overlays` say so."""
    framed_for: float = 0.0
    """Width by height of where the camera was set up: a narrower picture steps back to see as much."""
    still: Still = FINE
    """How fine each picture is, before what it stands, and what is in focus."""
    framed_at: float | None = None
    """Instant (s) at which everything is in the picture, where no camera is given; None: the start."""
    visibility: Visibility | None = None
    """What is hidden, seen through or cut; None where people have said nothing."""


def instants(start: float, end: float, speed: float, rate: float) -> NDArray[np.float64]:
    """Give the instants (s) of a movie at `rate` pictures a second in which time runs at `speed`."""
    count = max(1, round((end - start) * rate / speed))
    return start + (end - start) * np.arange(count + 1) / count


class Film:
    """Hold a stage off the screen; close it, or use it in a `with`. Without a run it shows the start."""

    def __init__(
        self,
        project: Project,
        run: Trajectory | None,
        shot: Shot,
        camera: Any = None,
        beside: tuple[Project, Trajectory] | None = None,
    ) -> None:
        from app.scene.graphics import why_not

        reason = why_not()
        if reason:
            raise CannotDraw(reason)
        self.shot = shot
        self._playback: Any = None
        if run is not None:
            self._playback = Playback(project, run, shot.overlays)
            self._playback.trails, self._playback.joints = shot.trails, shot.joints
            if beside is not None:
                self._playback.set_beside(*beside)
            self._playback.ride(shot.rides_on, shot.turns_too)
        self._stage: Any = None
        self._exposure: Any = None
        self._taking: Taking | None = None
        self._steps = self._set_up(project, camera)

    def _set_up(self, project: Project, camera: Any) -> Iterator[None]:
        """Set up what draws, in steps that a window has time for."""
        from app.scene.exposure import Exposure
        from app.scene.stage import Stage
        from app.scene.tailor import make_ready

        self._stage = Stage(self.shot.theme)
        self._exposure = Exposure(self._stage)
        with ThreadPoolExecutor(1) as beside:
            made = beside.submit(make_ready, project)
            while wait([made], _WAIT_S).not_done:
                yield
        made.result()
        yield
        self._stage.show(project)
        if self._playback is None and self.shot.overlays.reach:
            self._stage.overlays.reaches.show(self.shot.joints, self.shot.overlays.system)
        if self.shot.visibility is not None:
            self._stage.visibility = self.shot.visibility
            self._stage.show_again()
        width, height = self.shot.size
        if camera is None:
            if self._playback is not None and self.shot.framed_at is not None:
                self._playback.show(self._stage, self.shot.framed_at)
            self._stage.look(self.shot.view, width / height)
            if self._playback is not None and self.shot.framed_at is None:
                self._stage.hold(self._playback.replay.ways(), width / height)
        else:
            self._frame(camera, width / height)
        yield

    def scale_alike(self, other: Film) -> None:
        """Let colours of loads mean the same in another film that is seen beside this one."""
        self._playback.scaled_with, other._playback.scaled_with = (
            (other._playback,),
            (self._playback,),
        )

    def __enter__(self) -> Film:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the graphics memory back."""
        if self._exposure is not None:
            self._exposure.close()

    def _frame(self, camera: Any, aspect: float) -> None:
        """Look through a camera, from so far away that all is seen which it saw where it was set up."""
        self._stage.camera = copy(camera)
        if 0.0 < aspect < self.shot.framed_for:
            away = []
            for one in (self.shot.framed_for, aspect):
                self._stage.fit(one)
                away.append(self._stage.camera.distance)
            self._stage.camera = copy(camera)
            self._stage.camera.zoom(away[0] / away[1])

    def picture(self, t: float) -> Picture:
        """Draw one instant (s): rows from the top, red, green, blue, and opacity where nothing lies behind."""
        found = self.part(t)
        while found is None:
            found = self.part(t)
        return found

    def part(self, t: float) -> Picture | None:
        """Draw a part of an instant (s), so that a window stays alive; the last gives it whole."""
        if next(self._steps, self) is None:
            return None
        if self._taking is None:
            if self._playback is not None:
                self._playback.show(self._stage, t)
            self._taking = Taking(self._stage, self._exposure, self.shot.still, self.shot.size)
        rows = self._taking.step()
        if rows is None:
            return None
        self._taking = None
        return self._finished(rows, t)

    def pictures(self, times: Sequence[float] | NDArray[np.float64]) -> Iterator[Picture]:
        """Draw one instant after the other."""
        for t in times:
            yield self.picture(float(t))

    def _finished(self, rows: Picture, t: float) -> Picture:
        """Turn what was drawn upright, and write words into it; none where nothing lies behind them."""
        if self.shot.still.backdrop == "clear":
            return np.ascontiguousarray(rows[::-1])
        picture = np.ascontiguousarray(rows[::-1, :, :3])
        words = [w for w in (self.shot.title, _time(t) if self.shot.shows_time else "") if w]
        width, height = self.shot.size
        lens = Lens(self._stage.camera, float(width), float(height))
        return lettered(picture, "\n".join(words), self._stage.overlays.key, lens, self.shot.theme)


def _time(t: float) -> str:
    return f"{1e3 * t:.1f} ms"
