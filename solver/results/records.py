"""A plain file that only grows, made of records with checksums.

What a record holds is whole or not there: a kill, a full disk or a flipped bit costs the record that
it hits, and what follows it.
"""

from __future__ import annotations

import contextlib
import errno
import os
import struct
import zlib
from pathlib import Path

_FRAME = struct.Struct("<QI")
"""Before each record: its length in bytes, and its CRC-32."""

_BINARY = getattr(os, "O_BINARY", 0)


class Growing:
    """Write records; raises OSError where the disk takes one no more, and those before it stay."""

    def __init__(self, path: Path, magic: bytes = b"") -> None:
        """Begin a new file with its magic; without one go on with a file that stands there."""
        self.path = path
        new = os.O_CREAT | os.O_EXCL if magic else 0
        self._handle = os.open(path, os.O_RDWR | new | _BINARY, 0o666)
        self.size = os.lseek(self._handle, 0, os.SEEK_END)
        """Bytes that are written."""
        if magic:
            try:
                self._write(magic)
            except BaseException:
                self.close()
                path.unlink(missing_ok=True)
                raise

    def hold(self) -> None:
        """Let others see that somebody writes; raises `Taken` where another wants to be alone."""
        hold(self._handle, alone=False)

    def add(self, *parts: bytes) -> None:
        """Write one record."""
        content = b"".join(parts)
        self._write(_FRAME.pack(len(content), zlib.crc32(content)) + content)

    def is_ours(self) -> bool:
        """Tell whether the file at our name is the one that we wrote."""
        try:
            there = self.path.stat()
        except OSError:
            return False
        ours = os.fstat(self._handle)
        return os.path.samestat(there, ours) and ours.st_size == self.size

    def close(self) -> None:
        """Let go of the file, and of its lock."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def _write(self, data: bytes) -> None:
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[os.write(self._handle, rest) :]
        except OSError:
            with contextlib.suppress(OSError):
                os.ftruncate(self._handle, self.size)
                os.lseek(self._handle, self.size, os.SEEK_SET)
            raise
        self.size += len(data)


class Records:
    """Read records, from the first that is wanted to the last that is whole."""

    def __init__(self, path: Path, longest: int) -> None:
        """Open a file; `longest` bytes are read of its magic at most."""
        self._file = path.open("rb")
        self.magic = self._file.read(longest)

    def next(self) -> bytes | None:
        """Give the next record; None at the end, and where it is not whole."""
        start = self._file.tell()
        left = self.length - start - _FRAME.size
        frame = self._file.read(_FRAME.size)
        if len(frame) == _FRAME.size:
            length, checksum = _FRAME.unpack(frame)
            if length <= left:
                content = self._file.read(length)
                if zlib.crc32(content) == checksum:
                    return content
        self._file.seek(start)
        return None

    @property
    def place(self) -> int:
        """Give where the next record stands."""
        return self._file.tell()

    @property
    def length(self) -> int:
        """Give the bytes of the file."""
        return os.fstat(self._file.fileno()).st_size

    def go(self, place: int) -> None:
        """Go on reading from there."""
        self._file.seek(place)

    def take(self) -> None:
        """Hold the file; raises `Taken` while somebody writes it."""
        hold(self._file.fileno(), alone=True)

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()


# Say whose a file is while a run goes: the system forgets it when the process ends, however it ends.

if os.name == "nt":
    import msvcrt
else:
    import fcntl

_TAKEN = (errno.EACCES, errno.EAGAIN, errno.EWOULDBLOCK, errno.EDEADLK)
_FAR = 2**40
"""Where Windows locks: beyond all that is read and written."""


class Taken(Exception):
    """Say that somebody else has the file."""


def hold(handle: int, *, alone: bool) -> None:
    """Lock an open file until it is closed; raises `Taken` where another has it.

    `alone` wants nobody else, otherwise those who do not want to be alone share it. On disks that
    know no locks nothing happens.
    """
    try:
        if os.name == "nt":
            os.lseek(handle, _FAR, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
            os.lseek(handle, 0, os.SEEK_SET)
        else:
            fcntl.flock(handle, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except OSError as failure:
        if failure.errno in _TAKEN:
            raise Taken from None


class Claim:
    """Keep a name for one run, by a small hidden file beside it; raises `Taken`, or OSError."""

    def __init__(self, target: Path) -> None:
        self._file = target.with_name(f".{target.name[-100:]}.lock")
        while True:
            self._handle = os.open(self._file, os.O_RDWR | os.O_CREAT, 0o666)
            try:
                hold(self._handle, alone=True)
            except Taken:
                os.close(self._handle)
                raise
            if self._stands():
                return
            # its owner has just taken it away
            os.close(self._handle)

    def _stands(self) -> bool:
        try:
            there = self._file.stat()
        except OSError:
            return False
        return os.path.samestat(there, os.fstat(self._handle))

    def release(self) -> None:
        """Let others have the name."""
        if self._handle < 0:
            return
        handle, self._handle = self._handle, -1
        if os.name == "nt":
            os.close(handle)
        with contextlib.suppress(OSError):
            self._file.unlink(missing_ok=True)
        if os.name != "nt":
            os.close(handle)
