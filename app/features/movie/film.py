"""Draw instants of a run, or of two side by side, into pictures, as the window shows them, with time and numbers over them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.look import LIGHT, Theme
from app.picture import CannotDraw
from app.run_view.cameras import Cameras
from app.run_view.course import course_of
from app.run_view.overlays import NO_OVERLAYS, Overlays
from app.run_view.playback import Playback
from app.scene.key import (
    NOBODY,
    Area,
    Key,
    Ramp,
    Surroundings,
    Tag,
    Words,
    line_to,
    sheet,
    tag_boxes,
    tone_at,
)
from app.scene.lens import Lens, View
from app.scene.still import FINE, SAMPLES, Still, Taking
from app.scene.visibility import Visibility
from solver.project import Project
from solver.project.segments import GROUND
from solver.results.trajectory import Trajectory
from solver.scene.tones import mixed

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
    cameras: Cameras = field(default_factory=Cameras)
    """Keyed cameras that it is filmed through; none: from one place."""
    shutter_s: float = 0.0
    """How long the shutter is open (s of the run): what moves meanwhile blurs, about the instant in the middle."""
    visibility: Visibility | None = None
    """What is hidden, seen through or cut; None where people have said nothing."""


SHUTTER = 0.5
"""Part of the time between two pictures of a movie in which the shutter is open, as in a film camera (180 degrees)."""


def instants(start: float, end: float, speed: float, rate: float) -> NDArray[np.float64]:
    """The instants (s) of a movie at `rate` pictures a second in which time runs at `speed`."""
    count = max(1, round((end - start) * rate / speed))
    return start + (end - start) * np.arange(count + 1) / count


class Film:
    """A stage off the screen; close it, or use it in a `with`. Without a run it shows the start."""

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
            self._playback.cameras = shot.cameras
            if beside is not None:
                self._playback.set_beside(*beside)
            self._playback.ride(shot.rides_on, shot.turns_too)
        self._stage: Any = None
        self._exposure: Any = None
        self._taking: Taking | None = None
        self._course: NDArray[np.float64] | None = None
        self._steps = self._set_up(project, camera)

    def _set_up(self, project: Project, camera: Any) -> Iterator[None]:
        """Set up what draws, in steps that a window has time for."""
        from app.scene.exposure import Exposure
        from app.scene.ready import make_ready
        from app.scene.stage import Stage

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
            still, blurs = self.shot.still, self.shot.shutter_s > 0.0
            if blurs and still.samples < SAMPLES["fine"]:
                still = replace(still, fineness="fine")
            self._taking = Taking(self._stage, self._exposure, still, self.shot.size)
        blurs = self.shot.shutter_s > 0.0 and self._playback is not None
        if blurs:
            self._playback.show(self._stage, self._within(t, self._taking.part))
        rows = self._taking.step()
        if rows is None:
            return None
        self._taking = None
        if blurs:
            # words are of the instant in the middle
            self._playback.show(self._stage, t)
        return self._finished(rows, t)

    def _within(self, t: float, part: float) -> float:
        """An instant (s) while the shutter is open about another: a part from 0 to 1, no farther than the run goes."""
        time = self._playback.replay.motion.time
        at = t + self.shot.shutter_s * (part - 0.5)
        return min(max(at, float(time[0])), max(t, float(time[-1])))

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
        return lettered(picture, "\n".join(words), self._stage.overlays.key, lens, self.shot.theme, self._around(lens))  # fmt: skip

    def _around(self, lens: Lens) -> Surroundings:
        """Where people are, over the run and now."""
        if self._playback is None:
            return NOBODY
        if self._course is None:
            self._course = course_of(self._playback.replay).all
        return Surroundings(lens.pixels(self._course), lens.pixels(self._stage.people_now()))


def _time(t: float) -> str:
    return f"{1e3 * t:.1f} ms"


GAP_PX = 4

Subject = tuple[str, Project, Trajectory]
"""What a run is called, its model, and its instants."""


class Pair:
    """Two films of half the width; each bears the name of its run."""

    def __init__(self, left: Subject, right: Subject, shot: Shot, camera: Any = None) -> None:
        width, height = shot.size
        halves = ((width - GAP_PX) // 2, width - GAP_PX - (width - GAP_PX) // 2)
        self.shot = shot
        self._films: list[Film] = []
        for (name, project, run), half in zip((left, right), halves, strict=True):
            words = "\n".join(filter(None, (shot.title, name)))
            one = replace(shot, size=(half, height), title=words)
            self._films.append(Film(project, run, one, camera))
        self._films[0].scale_alike(self._films[1])
        self._drawn: list[Picture] = []

    def __enter__(self) -> Pair:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the graphics memory back."""
        for film in self._films:
            film.close()

    def part(self, t: float) -> Picture | None:
        """Draw a part of one half of an instant (s); the last of both halves gives the whole."""
        half = self._films[len(self._drawn)].part(t)
        if half is None:
            return None
        self._drawn.append(half)
        if len(self._drawn) < len(self._films):
            return None
        gap = np.full((self.shot.size[1], GAP_PX, 3), 255, np.uint8)
        left, right = self._drawn
        self._drawn = []
        return np.concatenate([left, gap, right], axis=1)

    def picture(self, t: float) -> Picture:
        """Draw one instant (s) of both."""
        found = self.part(t)
        while found is None:
            found = self.part(t)
        return found

    def pictures(self, times: Sequence[float] | NDArray[np.float64]) -> Iterator[Picture]:
        """Draw one instant after the other."""
        for t in times:
            yield self.picture(float(t))


Picture = NDArray[np.uint8]

_FULL_HEIGHT = 720.0
"""Height of a picture in which the key is as large as in the window."""
_VEIL = 214


def lettered(
    picture: Picture, corner: str, key: Key, lens: Lens, theme: Theme, around: Surroundings = NOBODY
) -> Picture:
    """Give a picture with words in its upper left corner, the key below and words at places."""
    if not corner and key == Key():
        return picture
    from PIL import Image, ImageDraw

    image = Image.fromarray(picture)
    draw = ImageDraw.Draw(image, "RGBA")
    height = picture.shape[0]
    if corner:
        edge = height // 36
        font = _font(max(12, height // 32))
        room = picture.shape[1] - 2 * edge
        words = "\n".join(_shortened(line, font, room) for line in corner.splitlines())
        draw.text((edge, edge), words, fill=theme.text, font=font)
    scale = max(0.6, height / _FULL_HEIGHT)
    _tags(draw, key, lens, scale, (theme, around))
    _sheet(draw, key, height, scale, theme)
    return np.asarray(image)


def _shortened(line: str, font: Any, width: float) -> str:
    """Cut a line off where it would leave the picture."""
    if font.getlength(line) <= width:
        return line
    while line and font.getlength(f"{line}…") > width:
        line = line[:-1]
    return f"{line.rstrip()}…"


def _tags(draw: Any, key: Key, lens: Lens, scale: float, seen: tuple[Theme, Surroundings]) -> None:
    theme, around = seen
    font, across, above = _font(round(13 * scale)), 6.4 * scale, 4.0 * scale

    def size(tag: Tag) -> tuple[float, float]:
        left, top, right, bottom = draw.textbbox((0.0, 0.0), tag.words, font)
        return right - left + 2.0 * across, bottom - top + 2.0 * above

    placed = tag_boxes(key.tags, lens, size, scale, around)
    for tag, tag_box in placed:
        leader = line_to(tag, tag_box, lens)
        if leader is not None:
            draw.line(leader, fill=theme.muted, width=max(1, round(1.2 * scale)))
    for tag, (left, top, width, height) in placed:
        box = (left, top, left + width, top + height)
        draw.rounded_rectangle(box, 4.0 * scale, fill=_veil(theme))
        middle = (left + 0.5 * width, top + 0.5 * height)
        draw.text(middle, tag.words, fill=theme.text, font=font, anchor="mm")


def _sheet(draw: Any, key: Key, height: int, scale: float, theme: Theme) -> None:
    made = sheet(key)
    if not made.parts:
        return
    left, top = 16.0 * scale, height - scale * (made.height + 16.0)
    corner = (left + scale * made.width, top + scale * made.height)
    draw.rounded_rectangle((left, top, *corner), 6.0 * scale, fill=_veil(theme))
    font = _font(round(13 * scale))
    for part in made.parts:
        if isinstance(part, Words):
            place = (left + scale * part.x, top + scale * (part.y + 9.0))
            anchor = "rm" if part.from_right else "lm"
            draw.text(place, part.text, fill=theme.muted if part.muted else theme.text, font=font, anchor=anchor)  # fmt: skip
        elif isinstance(part, Area):
            draw.polygon([(left + scale * x, top + scale * y) for x, y in part.corners], part.tone)
        else:
            _ramp(draw, part, left, top, scale)


def _ramp(draw: Any, ramp: Ramp, left: float, top: float, scale: float) -> None:
    start, above = round(left + scale * ramp.x), top + scale * ramp.y
    width = round(scale * ramp.width)
    for k in range(width):
        colour = tuple(round(255.0 * part) for part in tone_at(ramp.tones, k / (width - 1)))
        draw.line((start + k, above, start + k, above + scale * ramp.height), colour)


def _veil(theme: Theme) -> tuple[int, int, int, int]:
    red, green, blue = (round(255.0 * part) for part in mixed(theme.raised, theme.raised, 0.0))
    return red, green, blue, _VEIL


@cache
def _font(pixels: int) -> Any:
    """The font that comes with matplotlib, which itself is not needed: the same on every machine."""
    from PIL import ImageFont

    found = find_spec("matplotlib")
    assert found is not None
    assert found.submodule_search_locations is not None
    folder = Path(next(iter(found.submodule_search_locations)))
    return ImageFont.truetype(str(folder / "mpl-data/fonts/ttf/DejaVuSans.ttf"), pixels)
