"""Let ffmpeg make an MP4 of pictures, and believe it only if it says that all went well."""

from __future__ import annotations

import contextlib
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from app.features.movie.lettering import Picture

QUALITY = 10
"""Constant rate factor of H.264: 0 is without loss, 51 worst."""


class Encoder:
    """Take pictures of one size; raises OSError where they cannot be written."""

    def __init__(self, file: Path, size: tuple[int, int], rate: float) -> None:
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
