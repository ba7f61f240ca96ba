"""The command `movie`: the front door hands it to the command line, which knows no 3D view."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from app import texts
from app.features.movie.making import Wanted, write_film, write_filmstrip, write_picture
from app.features.movie.writing import MovieError
from app.picture import CannotDraw
from solver.base.words import msgid, tr
from solver.cli.common import CommandError, new_folder, opened_results, writable
from solver.project import ProjectError, parse

if TYPE_CHECKING:
    from app.features.movie.film import Subject

_WROTE_PICTURES = msgid("wrote {file}: {count} pictures")


def write_movie(arguments: argparse.Namespace) -> int:
    """Write a movie of a results file."""
    inputs = [one for one in (arguments.results, arguments.beside) if one]
    if arguments.output.suffix:
        writable(arguments.output, texts.words.MOVIE, *inputs)
    else:
        new_folder(arguments.output, texts.words.MOVIE)
    _refuse(arguments)
    try:
        count = _written(arguments)
    except (MovieError, CannotDraw) as failure:
        raise CommandError(str(failure)) from None
    except (ProjectError, UnicodeDecodeError):
        raise CommandError(texts.words.NO_MODEL_INSIDE) from None
    print(tr(_WROTE_PICTURES, file=arguments.output, count=count))
    return 0


def _refuse(arguments: argparse.Namespace) -> None:
    """Refuse what does not go together, by the names of the options."""
    if arguments.still is not None and arguments.strip is not None:
        raise CommandError("A picture is a still or a filmstrip: give --still or --strip.")
    if arguments.still is None and arguments.backdrop == "clear":
        raise CommandError("Only a still can be seen through: name its instant with --still MS.")
    if arguments.focus and arguments.blur == "none":
        raise CommandError("With --focus say how much is out of it: --blur gentle or strong.")
    if arguments.motion_blur and (arguments.still is not None or arguments.strip is not None):
        raise CommandError("Only a movie blurs by motion: leave --motion-blur away.")
    if arguments.side_by_side and not arguments.beside:
        raise CommandError("Name the other run with --beside OTHER.h5.")


def _written(arguments: argparse.Namespace) -> int:
    """Write what is asked for; give the count of pictures."""
    run, wanted = _subject(arguments.results), _wanted(arguments)
    start, end = (None if t is None else 1e-3 * t for t in (arguments.start, arguments.end))
    if arguments.still is not None:
        write_picture(run, arguments.output, 1e-3 * arguments.still, wanted)
        return 1
    if arguments.strip is not None:
        write_filmstrip(run, arguments.output, arguments.strip, wanted, start_s=start, end_s=end)
        return int(arguments.strip)
    return write_film(
        run, arguments.output, wanted,
        start_s=start, end_s=end, speed=arguments.speed, rate=arguments.rate, tell=_tell,
    )  # fmt: skip


def _subject(path: str) -> Subject:
    results = opened_results(path)
    return Path(path).stem, parse(results.project_json.decode()).project, results


def _wanted(arguments: argparse.Namespace) -> Wanted:
    return Wanted(
        size=arguments.size,
        view=arguments.view,
        ride=arguments.ride or "",
        forces=arguments.forces,
        patches=arguments.patches,
        loads=arguments.loads,
        ghost=arguments.ghost,
        trail=tuple(arguments.trail),
        reach=tuple(arguments.reach),
        fineness=arguments.quality,
        backdrop=arguments.backdrop,
        blur=arguments.blur,
        focus=arguments.focus or "",
        title=arguments.title,
        beside=None if arguments.beside is None else _subject(arguments.beside),
        side_by_side=arguments.side_by_side,
        motion_blur=arguments.motion_blur,
        cameras=arguments.cameras,
    )


def _tell(done: int, all_: int) -> None:
    if sys.stderr.isatty():
        words = tr("{done} of {whole} pictures", done=done, whole=all_)
        print(f"\r{words}", end="\n" if done == all_ else "", file=sys.stderr)
