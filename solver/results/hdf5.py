"""Write HDF5 so that a full disk is an ordinary error.

HDF5 cannot go on after a write has failed: closing the file fails too, and the process dies when it
ends. So HDF5 writes through a file of ours, which keeps the first failure to itself; it is raised
once HDF5 has closed what it believes to be whole, and the file is never given its name. What HDF5
reads meanwhile is what it wrote: its own tables stay in memory from the failure on.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from solver.base.words import Sentence

FORMAT = ("v110", "v110")
"""All that HDF5 keeps for itself has checksums in this format; programs since 2016 read it."""

TABLE = 65536
"""No table of HDF5's own is longer than this, in bytes; the rest are results, never read again."""


@contextlib.contextmanager
def written(path: Path, libver: Any = FORMAT) -> Iterator[Any]:
    """Give an HDF5 file to fill; raises OSError at the end where the disk did not take it all."""
    import h5py

    kept = _Kept(path)
    try:
        try:
            with h5py.File(kept, "w", libver=libver) as file:
                yield file
        except Exception:
            kept.raise_failure()
            raise
        kept.raise_failure()
    finally:
        kept.close()


def cannot_write(path: Path, failure: OSError) -> Sentence:
    """Say why a file cannot be written."""
    full = failure.errno in (errno.ENOSPC, errno.EDQUOT)
    reason = Sentence("the disk is full" if full else failure.strerror or str(failure))
    return Sentence("'{path}' cannot be written: {reason}.", path=path, reason=reason)


class _Kept(io.RawIOBase):
    """Be a file that never fails; the first failure is kept, and what follows it is not written."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC | _BINARY, 0o666)
        self._place = 0
        self._failure: OSError | None = None
        self._unwritten: list[tuple[int, bytes]] = []

    def raise_failure(self) -> None:
        """Raise what the disk said, if it said anything."""
        if self._failure is not None:
            raise self._failure

    def close(self) -> None:
        """Let go of the file."""
        if not self.closed:
            os.close(self._handle)
        super().close()

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def writable(self) -> bool:
        """Say that it can be written."""
        return True

    def seekable(self) -> bool:
        """Say that it can be read and written anywhere."""
        return True

    def tell(self) -> int:
        """Give the place of the next byte."""
        return self._place

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Go to a place."""
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._place}.get(whence)
        self._place = offset + (os.fstat(self._handle).st_size if start is None else start)
        return self._place

    def readinto(self, buffer: Any) -> int:
        """Read at the present place; nothing was written where the bytes are zero."""
        data = memoryview(buffer).cast("B")
        os.lseek(self._handle, self._place, os.SEEK_SET)
        found = os.read(self._handle, len(data))
        data[:] = found.ljust(len(data), b"\0")
        for place, block in self._unwritten:
            start = max(place, self._place)
            length = min(place + len(block), self._place + len(data)) - start
            if length > 0:
                data[start - self._place :][:length] = block[start - place :][:length]
        self._place += len(data)
        return len(data)

    def write(self, buffer: Any) -> int:
        """Write at the present place, all of it, unless a write has failed before."""
        data = memoryview(buffer).cast("B")
        try:
            if self._failure is None:
                os.lseek(self._handle, self._place, os.SEEK_SET)
                done = 0
                while done < len(data):
                    done += os.write(self._handle, data[done:])
        except OSError as failure:
            self._failure = failure
        if self._failure is not None and len(data) <= TABLE:
            self._unwritten.append((self._place, bytes(data)))
        self._place += len(data)
        return len(data)

    def truncate(self, size: int | None = None) -> int:
        """Give the file this size."""
        wanted = self._place if size is None else size
        try:
            if self._failure is None:
                os.ftruncate(self._handle, wanted)
        except OSError as failure:
            self._failure = failure
        return wanted


_BINARY = getattr(os, "O_BINARY", 0)
