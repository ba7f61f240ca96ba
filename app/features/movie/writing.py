"""Write pictures as MP4, GIF, a folder of PNG or a filmstrip; what is half done never has the final name."""

from __future__ import annotations

import contextlib
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from app import texts
from app.features.movie.film import Film, Pair, Picture
from app.scene.still import Still
from solver.base.atomic import discard, ordinary, publish, replaced, temporary_name
from solver.base.extras import needed
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
        self._part = temporary_name(target)
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
        """Add one picture; anyone who adds the first one waits until the encoder has started."""
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


QUALITY = 10
"""Constant rate factor of H.264: 0 is without loss, 51 worst."""


class Encoder:
    """Take pictures of one size; raises OSError where they cannot be written."""

    def __init__(self, file: Path, size: tuple[int, int], rate: float) -> None:
        with needed("pictures", MovieError):
            import imageio_ffmpeg

        command = [
            imageio_ffmpeg.get_ffmpeg_exe(), "-y", "-loglevel", "error",
            "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{size[0]}x{size[1]}", "-r", f"{rate:.6f}",
            "-i", "-", "-an", "-vcodec", "libx264", "-pix_fmt", "yuv420p", "-crf", str(QUALITY),
            "-f", "mp4", str(file),
        ]  # fmt: skip
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the encoder)
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=self._said,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )

    def add(self, picture: Picture) -> None:
        """Encode one picture."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(np.ascontiguousarray(picture).data)
        except OSError:
            raise OSError(self._why()) from None

    def finish(self) -> None:
        """Write the rest, and see how it ended."""
        why = self._why()
        if self._process.returncode != 0:
            raise OSError(why)

    def abandon(self) -> None:
        """Stop at once."""
        self._process.kill()
        self._end()

    def _why(self) -> str:
        """End the encoder and give what it said last."""
        if self._said.closed:
            return ""
        self._end(close=False)
        self._said.seek(0)
        lines = self._said.read().decode("utf-8", "replace").strip().splitlines()
        self._said.close()
        full = [line for line in lines if "No space left" in line]
        return full[-1] if full else lines[-1] if lines else f"code {self._process.returncode}"

    def _end(self, *, close: bool = True) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        self._process.wait()
        if close:
            self._said.close()


FEWEST, MOST = 2, 24
GAP_PX = 4
SIZE = (420, 480)
"""Pixels of each picture unless told otherwise."""


def strip(film: Film | Pair, start: float, end: float, count: int) -> Picture:
    """Draw instants at equal distances from `start` to `end` (s), both among them, left to right."""
    return joined([film.picture(t) for t in strip_times(start, end, count)])


def strip_times(start: float, end: float, count: int) -> list[float]:
    """The instants (s) of a filmstrip."""
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
        """The file."""
        return self._file

    def abandon(self) -> None:
        """Leave nothing: what is half written never has the name."""


def _is_picture(file: Path) -> None:
    if file.suffix.lower() not in (".png", ".jpg"):
        raise MovieError(
            tr("'{name}' is no picture: its name ends in .png or .jpg.", name=file.name)
        )
