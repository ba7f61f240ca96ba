"""A run as it is seen: movies, pictures, and the moving scene as a page or for other 3D programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from manikin.changing import Recorded
from solver.base.extras import needed
from solver.base.words import Refusal

if TYPE_CHECKING:
    from app.features.movie.film import Subject
    from app.features.movie.making import Wanted

View = Literal["iso", "front", "side", "top", "back", "left", "bottom"]
Fineness = Literal["draft", "fine", "print"]
Backdrop = Literal["scene", "white", "clear"]
Blur = Literal["none", "gentle", "strong"]


class DrawError(Refusal):
    """Say in a sentence why nothing can be drawn: what is asked, this machine, or what is not installed."""

    __module__ = "manikin"


@contextmanager
def drawing() -> Iterator[None]:
    """Load what draws; what it refuses, or what is not installed, becomes a DrawError."""
    with needed("pictures", DrawError):
        from app.features.movie.writing import MovieError
        from app.picture import CannotDraw

        try:
            yield
        except (MovieError, CannotDraw) as failure:
            raise DrawError("{failure}", failure=failure) from None


class Filmed(Recorded):
    """Movies and pictures of a run; all but `present` need `manikin[pictures]`."""

    def film(
        self,
        path: Path | str,
        *,
        view: View = "side",
        ride: str | None = None,
        cameras: Path | str | None = None,
        size: tuple[int, int] = (1280, 720),
        speed: float = 0.02,
        rate_hz: float = 30.0,
        motion_blur: bool = False,
        start_s: float | None = None,
        end_s: float | None = None,
        forces: bool = False,
        patches: bool = False,
        loads: bool = False,
        ghost: bool = False,
        trail: Sequence[str] = (),
        reach: Sequence[str] = (),
        beside: Filmed | None = None,
        side_by_side: bool = False,
        quality: Fineness = "fine",
        blur: Blur = "none",
        focus: str | None = None,
        backdrop: Backdrop = "scene",
        title: str = "",
        progress: Callable[[float], object] | None = None,
    ) -> Path:
        """Write a movie: `.mp4`, `.gif`, or a folder of pictures where the name has no ending.

        It is seen from a `view`, rides with a segment, or goes by the `cameras` that the window has keyed for a project's file; `speed` 1 is real time, at `rate_hz` pictures a second; with `motion_blur`
        what moves blurs in each, as before a shutter that is open half of the time. Besides are seen
        `forces` at contacts, `patches` where surfaces touch, `loads` of webbing and bags by colour, the start pose as a
        `ghost`, the `trail` of segments, how far joints `reach`. Another run is drawn faintly with it (`beside`), or `side_by_side`.
        Raises DrawError.

        >>> run = mk.run(mk.sample("double_pendulum"), until=0.1)
        >>> run.film("pendulum.avi")
        Traceback (most recent call last):
        manikin.DrawError: 'pendulum.avi' is no movie: use .mp4 or .gif, or a name without ending for PNG pictures.
        """
        _above_zero(speed=speed, rate_hz=rate_hz)
        with drawing():
            from app.features.movie.making import write_film

            wanted = _wanted(
                size, view, ride, cameras, forces, patches, loads, ghost, trail, reach, beside, side_by_side,
                quality, backdrop, blur, focus, title,
            )  # fmt: skip
            tell = None if progress is None else lambda done, of: progress(done / of)
            write_film(
                _subject(self), Path(path), replace(wanted, motion_blur=motion_blur),
                start_s=start_s, end_s=end_s, speed=speed, rate=rate_hz, tell=tell,
            )  # fmt: skip
        return Path(path)

    def filmstrip(
        self,
        path: Path | str,
        count: int = 5,
        *,
        view: View = "side",
        ride: str | None = None,
        cameras: Path | str | None = None,
        size: tuple[int, int] = (420, 480),
        start_s: float | None = None,
        end_s: float | None = None,
        forces: bool = False,
        patches: bool = False,
        loads: bool = False,
        ghost: bool = False,
        trail: Sequence[str] = (),
        reach: Sequence[str] = (),
        beside: Filmed | None = None,
        side_by_side: bool = False,
        quality: Fineness = "fine",
        backdrop: Backdrop = "scene",
        title: str = "",
    ) -> Path:
        """Write so many instants side by side in one picture (.png, .jpg), each of a `size`; choices are those of `film`."""
        with drawing():
            from app.features.movie.making import write_filmstrip

            wanted = _wanted(
                size, view, ride, cameras, forces, patches, loads, ghost, trail, reach, beside, side_by_side,
                quality, backdrop, "none", None, title,
            )  # fmt: skip
            write_filmstrip(_subject(self), Path(path), count, wanted, start_s=start_s, end_s=end_s)
        return Path(path)

    def picture(
        self,
        path: Path | str,
        at_s: float | None = None,
        *,
        view: View = "side",
        ride: str | None = None,
        cameras: Path | str | None = None,
        size: tuple[int, int] = (1280, 720),
        forces: bool = False,
        patches: bool = False,
        loads: bool = False,
        ghost: bool = False,
        trail: Sequence[str] = (),
        reach: Sequence[str] = (),
        beside: Filmed | None = None,
        side_by_side: bool = False,
        quality: Fineness = "fine",
        backdrop: Backdrop = "scene",
        blur: Blur = "none",
        focus: str | None = None,
        title: str = "",
    ) -> Path:
        """Write one instant as a picture (.png, .jpg), the last if none is named; choices are those of `film`.

        Behind everything are ground and sky, or `white`, or nothing: with a `clear` backdrop the picture is seen through there.
        """
        with drawing():
            from app.features.movie.making import write_picture

            wanted = _wanted(
                size, view, ride, cameras, forces, patches, loads, ghost, trail, reach, beside, side_by_side,
                quality, backdrop, blur, focus, title,
            )  # fmt: skip
            time = self.trajectory.time
            at = (float(time[-1]) if len(time) else 0.0) if at_s is None else at_s
            write_picture(_subject(self), Path(path), at, wanted)
        return Path(path)

    def present(
        self,
        path: Path | str,
        *,
        ride: str | None = None,
        cameras: Path | str | None = None,
        speed: float = 0.05,
        units: str = "metric",
        label: str = "",
        standards: Sequence[str] = (),
    ) -> Path:
        """Write the moving scene: `.html`, a page with curves and figures that plays in any browser, `.glb` or `.gltf` for viewers and slides, `.vtkhdf` for ParaView.

        It is seen as from the segment `ride`, a page and glTF also through the `cameras` that the window has keyed for a project's file; `speed` 1 is real time. Of a page `units` and `standards` are those of its curves and figures.
        """
        from app.features.export.saving import SceneError, save_scene

        _above_zero(speed=speed)
        _, project, run = _subject(self)
        if ride is not None and ride not in run.segment_ids:
            raise DrawError("There is no segment '{name}'; there are: {names}.", name=ride, names=", ".join(run.segment_ids))  # fmt: skip
        if cameras is not None and ride is not None:
            raise DrawError("Keyed cameras say what they go with: leave ride away.")
        try:
            save_scene(
                project, run, Path(path), ride or "ground", speed, units=units, label=label,
                standards=standards, cameras=None if cameras is None else Path(cameras),
            )  # fmt: skip
        except SceneError as failure:
            raise DrawError("{failure}", failure=failure) from None
        return Path(path)


def _subject(run: Filmed) -> Subject:
    project = run.recorded_project
    return project.title, project, run.trajectory


def _wanted(
    size: tuple[int, int],
    view: View,
    ride: str | None,
    cameras: Path | str | None,
    forces: bool,
    patches: bool,
    loads: bool,
    ghost: bool,
    trail: Sequence[str],
    reach: Sequence[str],
    beside: Filmed | None,
    side_by_side: bool,
    quality: Fineness,
    backdrop: Backdrop,
    blur: Blur,
    focus: str | None,
    title: str,
) -> Wanted:
    from app.features.movie.making import Wanted

    for given, kinds in ((view, View), (quality, Fineness), (backdrop, Backdrop), (blur, Blur)):
        choices: tuple[Any, ...] = get_args(kinds)
        if given not in choices:
            raise DrawError(
                "'{given}' is none of {choices}.", given=given, choices=", ".join(choices)
            )
    _above_zero(width=size[0], height=size[1])
    return Wanted(
        size, view, ride or "", forces, patches, loads, ghost, tuple(trail), tuple(reach),
        quality, backdrop, blur, focus or "", title,
        None if beside is None else _subject(beside), side_by_side,
        None if cameras is None else Path(cameras),
    )  # fmt: skip


def _above_zero(**given: float) -> None:
    for name, value in given.items():
        if not 0.0 < value < float("inf"):
            raise DrawError("'{name}' must be above 0, not {value:g}.", name=name, value=value)
