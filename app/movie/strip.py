"""Write a filmstrip: some instants of a run side by side in one picture."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from app import texts
from app.export.whole import replaced
from app.movie.film import Film, Picture
from app.movie.writing import MovieError

FEWEST, MOST = 2, 24
GAP_PX = 4
SIZE = (420, 480)
"""Pixels of each picture unless told otherwise."""


def strip(film: Film, start: float, end: float, count: int) -> Picture:
    """Draw instants at equal distances from `start` to `end` (s), both among them, left to right."""
    if not FEWEST <= count <= MOST:
        raise MovieError(texts.outputs.STRIP_RANGE.format(fewest=FEWEST, most=MOST, count=count))
    pictures = [film.picture(float(t)) for t in np.linspace(start, end, count)]
    gap = np.full((pictures[0].shape[0], GAP_PX, 3), 255, np.uint8)
    parts = [part for one in pictures for part in (one, gap)]
    return np.concatenate(parts[:-1], axis=1)


def write_strip(picture: Picture, file: Path) -> None:
    """Write the picture, as PNG or JPEG by its ending."""
    from PIL import Image

    if file.suffix.lower() not in (".png", ".jpg"):
        raise MovieError(texts.outputs.STRIP_KIND.format(name=file.name))
    try:
        with replaced(file) as part:
            Image.fromarray(picture).save(part)
    except OSError as failure:
        raise MovieError(
            texts.outputs.CANNOT_WRITE.format(file=file, why=failure.strerror or failure)
        ) from None
