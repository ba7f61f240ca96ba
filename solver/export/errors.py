"""What can go wrong when a file for another program is written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class ExportError(Exception):
    """Say in one sentence why a file cannot be written."""


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn what the disk refuses into one sentence."""
    try:
        yield
    except OSError as failure:
        raise ExportError(f"'{path}' cannot be written: {failure.strerror or failure}.") from None
