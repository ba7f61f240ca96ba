"""Movies, filmstrips and pictures of a run from what is wanted of them: for the command line and the library alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from app import texts
from app.features.movie.film import SHUTTER, Film, Pair, Shot, Subject, instants
from app.features.movie.writing import SIZE, MovieError, StillWriter, Writer, strip, write_strip
from app.run_view.cameras import CameraError, Cameras, keyed_for
from app.run_view.overlays import Overlays
from app.scene.lens import View
from app.scene.still import Backdrop, Blur, Fineness, Still
from solver.base.words import tr
from solver.project.segments import GROUND
from solver.results.trajectory import Trajectory

USUAL = (1280, 720)
USUAL_VIEW: View = "side"


@dataclass(frozen=True, slots=True)
class Wanted:
    """Say how a run is drawn; empty names are none, and times (s) the whole run."""

    size: tuple[int, int] | None = None
    """Pixels; a usual size where nothing is said."""
    view: View = USUAL_VIEW
    ride: str = ""
    """Segment with which the camera goes."""
    forces: bool = False
    patches: bool = False
    loads: bool = False
    ghost: bool = False
    trail: tuple[str, ...] = ()
    reach: tuple[str, ...] = ()
    fineness: Fineness = "fine"
    backdrop: Backdrop = "scene"
    blur: Blur = "none"
    focus: str = ""
    title: str = ""
    beside: Subject | None = None
    """Another run with its name and its project: drawn faintly over this one, or beside it."""
    side_by_side: bool = False
    cameras: Path | None = None
    """A project whose keyed cameras it is seen through, or a file of such."""
    motion_blur: bool = False
    """Whether what moves blurs in each picture of a movie, as before a shutter that is open half of the time."""


def write_film(
    run: Subject,
    file: Path,
    wanted: Wanted,
    *,
    start_s: float | None = None,
    end_s: float | None = None,
    speed: float = 0.02,
    rate: float = 30.0,
    tell: Callable[[int, int], object] | None = None,
) -> int:
    """Write a movie, or a folder of pictures where the name has no ending; gives the count of pictures.

    Raises MovieError, and CannotDraw where this machine cannot draw.
    """
    _refuse_clear(wanted)
    shot = _shot(run, wanted, USUAL)
    if wanted.motion_blur:
        shot = replace(shot, shutter_s=SHUTTER * speed / rate)
    times = instants(*_span(run[2], start_s, end_s), speed, rate)
    writer = Writer(file, shot.size, rate)
    try:
        with _film(run, wanted, shot) as film:
            for n, picture in enumerate(film.pictures(times)):
                writer.add(picture)
                if tell is not None:
                    tell(n + 1, len(times))
    except BaseException:
        writer.abandon()
        raise
    writer.finish()
    return len(times)


def write_filmstrip(
    run: Subject,
    file: Path,
    count: int,
    wanted: Wanted,
    *,
    start_s: float | None = None,
    end_s: float | None = None,
) -> None:
    """Write so many instants side by side in one picture; raises as `write_film` does."""
    _refuse_clear(wanted)
    shot = _shot(run, wanted, SIZE)
    start, end = _span(run[2], start_s, end_s)
    with _film(run, wanted, shot) as film:
        write_strip(strip(film, start, end, count), file)


def write_picture(run: Subject, file: Path, at_s: float, wanted: Wanted) -> None:
    """Write one instant (s) as a picture; raises as `write_film` does."""
    shot = _shot(run, wanted, USUAL)
    last = float(run[2].time[-1])
    if not 0.0 <= at_s <= last + 1e-9:
        raise MovieError(tr("The instant must lie within 0 and {last:g} ms.", last=1e3 * last))
    if wanted.backdrop == "clear" and wanted.title:
        raise MovieError(
            tr("No words can stand on a picture that is seen through: leave the title away.")
        )
    if wanted.backdrop == "clear" and wanted.side_by_side:
        raise MovieError(tr("Pictures side by side cannot be seen through."))
    writer = StillWriter(file, shot.still)
    with _film(run, wanted, replace(shot, framed_at=at_s)) as film:
        writer.add(film.picture(at_s))


def _refuse_clear(wanted: Wanted) -> None:
    if wanted.backdrop == "clear":
        raise MovieError(tr("Only a picture of one instant can be seen through."))


def _span(run: Trajectory, start_s: float | None, end_s: float | None) -> tuple[float, float]:
    last = float(run.time[-1])
    start = float(run.time[0]) if start_s is None else start_s
    end = last if end_s is None else end_s
    if not 0.0 <= start < end <= last + 1e-9:
        raise MovieError(
            tr(
                "The span must lie within 0 and {last:g} ms, the end after the start.",
                last=1e3 * last,
            )
        )
    return start, end


def _shot(run: Subject, wanted: Wanted, usual: tuple[int, int]) -> Shot:
    results = run[2]
    if not len(results.time):
        raise MovieError(tr("The results hold no instants; there is nothing to film."))
    if wanted.focus and wanted.blur == "none":
        raise MovieError(
            tr("With a focus say how much is out of it: a blur that is gentle or strong.")
        )
    for name in (*filter(None, (wanted.ride, wanted.focus)), *wanted.trail):
        if name not in results.segment_ids:
            names = ", ".join(results.segment_ids)
            raise MovieError(tr(texts.words.NO_SEGMENT, name=name, names=names))
    joints = results.table("joints").ids
    for name in wanted.reach:
        if name not in joints:
            raise MovieError(
                tr(
                    "There is no joint '{name}'; there are: {names}.",
                    name=name,
                    names=", ".join(joints) or tr("none"),
                )
            )
    focus = f"segments/{wanted.focus}" if wanted.focus else ""
    return Shot(
        wanted.size or usual,
        wanted.view,
        wanted.ride or GROUND,
        title=wanted.title,
        overlays=Overlays(
            forces=wanted.forces,
            patches=wanted.patches,
            loads=wanted.loads,
            start=wanted.ghost,
            reach=bool(wanted.reach),
        ),
        trails=wanted.trail,
        joints=wanted.reach,
        still=Still(wanted.fineness, wanted.backdrop, wanted.blur, focus),
        cameras=_keyed(wanted),
    )


def _keyed(wanted: Wanted) -> Cameras:
    if wanted.cameras is None:
        return Cameras()
    if wanted.ride or wanted.view != USUAL_VIEW:
        raise MovieError(tr("Keyed cameras say themselves from where one looks: leave view and ride away."))  # fmt: skip
    try:
        return keyed_for(wanted.cameras)
    except CameraError as failure:
        raise MovieError(str(failure)) from None


def _film(run: Subject, wanted: Wanted, shot: Shot) -> Film | Pair:
    """Set up what draws: one run, or another with it, faintly or side by side."""
    _, project, results = run
    if wanted.beside is None:
        if wanted.side_by_side:
            raise MovieError(tr("Name the other run, which stands beside this one."))
        return Film(project, results, shot)
    if wanted.side_by_side:
        return Pair(wanted.beside, run, shot)
    return Film(project, results, shot, beside=wanted.beside[1:])
