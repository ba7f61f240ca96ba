"""Give a file its name only once it is whole."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replaced(file: Path) -> Iterator[Path]:
    """Write beside a file, and put what was written in its place; a failure leaves nothing behind."""
    part = file.with_name(f".{file.stem}-{uuid.uuid4().hex[:8]}{file.suffix}")
    try:
        yield part
        part.replace(file)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
