"""Say whose a file is while a run goes: the system forgets it when the process ends, however it ends."""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path

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
