"""What can go wrong when a file for another program is written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from solver.base.whole import replaced
from solver.base.words import Refusal


class ExportError(Refusal):
    """Say in one sentence why a file cannot be written."""


@contextmanager
def writing(path: Path) -> Iterator[Path]:
    """Write a file or folder whole or not at all; what the disk refuses becomes one sentence."""
    try:
        with replaced(path) as part:
            yield part
    except OSError as failure:
        raise ExportError(
            "'{path}' cannot be written: {strerror}.",
            path=path,
            strerror=(failure.strerror or failure),
        ) from None
