"""Write a filmstrip: some instants of a run side by side in one picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from app import texts
from app.features.movie.film import Film
from app.features.movie.lettering import Picture
from app.features.movie.pair import Pair
from app.features.movie.writing import MovieError
from app.scene.still import Still
from solver.base.whole import replaced
from solver.base.words import tr

FEWEST, MOST = 2, 24
GAP_PX = 4
SIZE = (420, 480)
"""Pixels of each picture unless told otherwise."""


def strip(film: Film | Pair, start: float, end: float, count: int) -> Picture:
    """Draw instants at equal distances from `start` to `end` (s), both among them, left to right."""
    return joined([film.picture(t) for t in strip_times(start, end, count)])


def strip_times(start: float, end: float, count: int) -> list[float]:
    """Give the instants (s) of a filmstrip."""
    if not FEWEST <= count <= MOST:
        raise MovieError(
            tr(
                "A filmstrip has {fewest} to {most} pictures; {count} were asked for.",
                fewest=FEWEST,
                most=MOST,
                count=count,
            )
        )
    return [float(t) for t in np.linspace(start, end, count)]


def joined(pictures: Sequence[Picture]) -> Picture:
    """Put pictures side by side with a gap between them."""
    gap = np.full((pictures[0].shape[0], GAP_PX, 3), 255, np.uint8)
    parts = [part for one in pictures for part in (one, gap)]
    return np.concatenate(parts[:-1], axis=1)


def write_strip(picture: Picture, file: Path) -> None:
    """Write the picture, as PNG or JPEG by its ending."""
    from PIL import Image

    _is_picture(file)
    try:
        with replaced(file) as part:
            Image.fromarray(picture).save(part)
    except OSError as failure:
        raise MovieError(
            tr(texts.words.CANNOT_WRITE, file=file, why=failure.strerror or failure)
        ) from None


class StripWriter:
    """Take the pictures of a filmstrip one by one, and write them as one."""

    def __init__(self, file: Path) -> None:
        _is_picture(file)
        self._file = file
        self._pictures: list[Picture] = []

    def add(self, picture: Picture) -> None:
        """Take one picture."""
        self._pictures.append(picture)

    def finish(self) -> Path:
        """Write them side by side."""
        write_strip(joined(self._pictures), self._file)
        return self._file

    def abandon(self) -> None:
        """Forget them; nothing has been written yet."""
        self._pictures.clear()


class StillWriter:
    """Take one picture, and write it whole or not at all."""

    def __init__(self, file: Path, still: Still) -> None:
        _is_picture(file)
        if still.backdrop == "clear" and file.suffix.lower() != ".png":
            raise MovieError(tr("A picture that is seen through ends in .png; others cannot be."))
        self._file = file

    def add(self, picture: Picture) -> None:
        """Write it."""
        write_strip(picture, self._file)

    def finish(self) -> Path:
        """Give the file."""
        return self._file

    def abandon(self) -> None:
        """Leave nothing: what is half written never has the name."""


def _is_picture(file: Path) -> None:
    if file.suffix.lower() not in (".png", ".jpg"):
        raise MovieError(
            tr("'{name}' is no picture: its name ends in .png or .jpg.", name=file.name)
        )
