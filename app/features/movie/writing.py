"""Write pictures as MP4, GIF or a folder of PNG; what is half done never has the final name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from app import texts
from app.features.movie.encoder import Encoder
from app.features.movie.lettering import Picture
from solver.base.whole import beside, discard, ordinary, publish
from solver.base.words import tr

KINDS = (".mp4", ".gif", "")
"""Endings of movies; none for a folder of PNG pictures."""


class MovieError(Exception):
    """Say in one sentence why a movie cannot be written."""


class Writer:
    """Take pictures one by one; `finish` gives the file its name, `abandon` leaves nothing behind."""

    def __init__(self, path: Path, size: tuple[int, int], rate: float) -> None:
        if path.suffix.lower() not in KINDS:
            raise MovieError(
                tr(
                    "'{name}' is no movie: use .mp4 or .gif, or a name without ending for PNG pictures.",
                    name=path.name,
                )
            )
        try:
            target = ordinary(path)
        except OSError as failure:
            raise MovieError(
                tr(texts.words.CANNOT_WRITE, file=path, why=failure.strerror)
            ) from None
        if path.suffix == "" and path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise MovieError(tr("'{path}' exists already and is not an empty folder.", path=path))
        self.path, self._rate, self._size = path, rate, size
        self._part = beside(target)
        self._count = 0
        self._encoder: Encoder | None = None
        self._images: list[Any] = []
        if not path.parent.is_dir():
            raise MovieError(tr("There is no folder '{folder}' for the movie.", folder=path.parent))
        if path.suffix.lower() == ".mp4" and any(n % 2 for n in size):
            raise MovieError(tr("An MP4 needs an even width and height."))
        try:
            if path.suffix == "":
                self._part.mkdir()
        except OSError as failure:
            raise MovieError(
                tr(texts.words.CANNOT_WRITE, file=path, why=failure.strerror)
            ) from None

    def add(self, picture: Picture) -> None:
        """Add one picture; whoever adds the first one waits until the encoder has started."""
        from PIL import Image

        try:
            if self.path.suffix.lower() == ".mp4" and self._encoder is None:
                self._encoder = Encoder(self._part, self._size, self._rate)
            if self._encoder is not None:
                self._encoder.add(picture)
            elif self.path.suffix:
                image = Image.fromarray(picture)
                self._images.append(image.quantize(128, dither=Image.Dither.NONE))
            else:
                Image.fromarray(picture).save(self._part / f"{self._count:05d}.png")
        except OSError as failure:
            self.abandon()
            raise MovieError(tr(texts.words.CANNOT_WRITE, file=self.path, why=failure)) from None
        self._count += 1

    def finish(self) -> Path:
        """End the movie and give it its name."""
        try:
            if self._encoder is not None:
                self._encoder.finish()
            elif self.path.suffix:
                first, *others = self._images
                first.save(
                    self._part, save_all=True, append_images=others, loop=0,
                    duration=max(20, round(1000 / self._rate)),
                )  # fmt: skip
            publish(self._part, ordinary(self.path))
        except OSError as failure:
            self.abandon()
            raise MovieError(tr(texts.words.CANNOT_WRITE, file=self.path, why=failure)) from None
        return self.path

    def abandon(self) -> None:
        """Stop, and take away what was begun."""
        if self._encoder is not None:
            self._encoder.abandon()
        discard(self._part)
