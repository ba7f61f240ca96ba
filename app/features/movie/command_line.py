"""The command `movie`: the front door hands it to the command line, which knows no 3D view."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from app import texts
from app.features.movie.film import Film, Pair, Shot, instants
from app.features.movie.writing import SIZE, MovieError, StillWriter, Writer, strip, write_strip
from app.picture import CannotDraw
from app.run_view.overlays import Overlays
from app.scene.still import Still
from solver.base.words import msgid, tr
from solver.cli.common import CommandError, new_folder, opened_results, writable
from solver.project import Project, ProjectError, parse
from solver.project.segments import GROUND

if TYPE_CHECKING:
    from solver.results import FileTrajectory

_WROTE_PICTURES = msgid("wrote {file}: {count} pictures")


def write_movie(arguments: argparse.Namespace) -> int:
    """Write a movie of a results file."""
    inputs = [one for one in (arguments.results, arguments.beside) if one]
    if arguments.output.suffix:
        writable(arguments.output, texts.words.MOVIE, *inputs)
    else:
        new_folder(arguments.output, texts.words.MOVIE)
    results = opened_results(arguments.results)
    shot, start, end = _shot(arguments, results)
    if arguments.still is not None:
        return _write_still(arguments, results, shot)
    if shot.still.backdrop == "clear":
        raise CommandError("Only a still can be seen through: name its instant with --still MS.")
    if arguments.strip is not None:
        return _write_strip(arguments, results, shot, (start, end))
    times = instants(start, end, arguments.speed, arguments.rate)
    try:
        project = parse(results.project_json.decode()).project
        writer = Writer(arguments.output, shot.size, arguments.rate)
        try:
            with _film(arguments, project, results, shot) as film:
                for n, picture in enumerate(film.pictures(times)):
                    writer.add(picture)
                    _tell(n + 1, len(times))
        except BaseException:
            writer.abandon()
            raise
        writer.finish()
    except (MovieError, CannotDraw) as failure:
        raise CommandError(str(failure)) from None
    except (ProjectError, UnicodeDecodeError):
        raise CommandError(texts.words.NO_MODEL_INSIDE) from None
    print(tr(_WROTE_PICTURES, file=arguments.output, count=len(times)))
    return 0


def _write_still(arguments: argparse.Namespace, results: FileTrajectory, shot: Shot) -> int:
    t = 1e-3 * arguments.still
    if not 0.0 <= t <= float(results.time[-1]) + 1e-9:
        last = 1e3 * float(results.time[-1])
        raise CommandError(tr("The instant must lie within 0 and {last:g} ms.", last=last))
    if arguments.strip is not None:
        raise CommandError("A picture is a still or a filmstrip: give --still or --strip.")
    if shot.still.backdrop == "clear" and shot.title:
        raise CommandError(
            "No words can stand on a picture that is seen through: leave --title away."
        )
    if shot.still.backdrop == "clear" and arguments.side_by_side:
        raise CommandError("Pictures side by side cannot be seen through.")
    try:
        project = parse(results.project_json.decode()).project
        writer = StillWriter(arguments.output, shot.still)
        with _film(arguments, project, results, replace(shot, framed_at=t)) as film:
            writer.add(film.picture(t))
    except (MovieError, CannotDraw) as failure:
        raise CommandError(str(failure)) from None
    except (ProjectError, UnicodeDecodeError):
        raise CommandError(texts.words.NO_MODEL_INSIDE) from None
    print(tr(_WROTE_PICTURES, file=arguments.output, count=1))
    return 0


def _still(arguments: argparse.Namespace) -> Still:
    """Read how fine a picture is, before what it stands, and what is in focus."""
    focus = "" if arguments.focus is None else f"segments/{arguments.focus}"
    if focus and arguments.blur == "none":
        raise CommandError("With --focus say how much is out of it: --blur gentle or strong.")
    return Still(arguments.quality, arguments.backdrop, arguments.blur, focus)


def _write_strip(
    arguments: argparse.Namespace, results: FileTrajectory, shot: Shot, span: tuple[float, float]
) -> int:
    try:
        project = parse(results.project_json.decode()).project
        with _film(arguments, project, results, shot) as film:
            write_strip(strip(film, *span, arguments.strip), arguments.output)
    except (MovieError, CannotDraw) as failure:
        raise CommandError(str(failure)) from None
    except (ProjectError, UnicodeDecodeError):
        raise CommandError(texts.words.NO_MODEL_INSIDE) from None
    print(tr(_WROTE_PICTURES, file=arguments.output, count=arguments.strip))
    return 0


def _shot(arguments: argparse.Namespace, results: FileTrajectory) -> tuple[Shot, float, float]:
    if not len(results.time):
        raise CommandError("The results hold no instants; there is nothing to film.")
    last = float(results.time[-1])
    start = 1e-3 * arguments.start if arguments.start is not None else float(results.time[0])
    end = 1e-3 * arguments.end if arguments.end is not None else last
    if not 0.0 <= start < end <= last + 1e-9:
        raise CommandError(
            tr(
                "The span must lie within 0 and {last:g} ms, the end after the start.",
                last=1e3 * last,
            )
        )
    named = [name for name in (arguments.ride, arguments.focus) if name]
    for name in (*named, *arguments.trail):
        if name not in results.segment_ids:
            names = ", ".join(results.segment_ids)
            raise CommandError(tr(texts.words.NO_SEGMENT, name=name, names=names))
    joints = results.table("joints").ids
    for name in arguments.reach:
        if name not in joints:
            raise CommandError(
                tr(
                    "There is no joint '{name}'; there are: {names}.",
                    name=name,
                    names=", ".join(joints) or tr("none"),
                )
            )
    usual = (1280, 720) if arguments.strip is None else SIZE
    shot = Shot(
        arguments.size or usual,
        arguments.view,
        arguments.ride or GROUND,
        title=arguments.title,
        overlays=Overlays(
            forces=arguments.forces,
            patches=arguments.patches,
            loads=arguments.loads,
            start=arguments.ghost,
            reach=bool(arguments.reach),
        ),
        trails=tuple(arguments.trail),
        joints=tuple(arguments.reach),
        still=_still(arguments),
    )
    return shot, start, end


def _film(
    arguments: argparse.Namespace, project: Project, results: FileTrajectory, shot: Shot
) -> Film | Pair:
    """Set up what draws: one run, or another with it, faintly or side by side."""
    if arguments.beside is None:
        if arguments.side_by_side:
            raise CommandError("Name the other run with --beside OTHER.h5.")
        return Film(project, results, shot)
    other = opened_results(arguments.beside)
    model = parse(other.project_json.decode()).project
    if not arguments.side_by_side:
        return Film(project, results, shot, beside=(model, other))
    names = (Path(one).stem for one in (arguments.beside, arguments.results))
    first, second = names
    return Pair((first, model, other), (second, project, results), shot)


def _tell(done: int, all_: int) -> None:
    if sys.stderr.isatty():
        words = tr("{done} of {whole} pictures", done=done, whole=all_)
        print(f"\r{words}", end="\n" if done == all_ else "", file=sys.stderr)
