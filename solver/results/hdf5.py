"""The one gate by which every HDF5 file is opened that stands on a disk: looked through before anybody reads it.

A file may come from anywhere. HDF5 itself would follow its links into other files of this machine, hand out the
bytes of any file as "external storage", and make room for all values that a dataset promises. Behind this gate
a file holds plain datasets with values of its own, and no more of them than it has bytes for.
"""

from __future__ import annotations

import contextlib
import errno
import io
import json
import math
import os
import stat
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from solver.base.words import Sentence, msgid
from solver.results.layout import ResultsError

HDF5 = b"\x89HDF\r\n\x1a\n"
"""How HDF5 files begin."""

BUSY = msgid("'{path}' is being written by another program.")

_DENSEST = 1100
"""Bytes of values that one stored byte can stand for: zlib, the densest of HDF5's own, reaches 1032."""

_PACKED, _TIMES = 2**28, 20
"""Bytes that all packed datasets of a file may have together, or so many times the file's own."""


def opened(path: Path, kind: str) -> Any:
    """Open an HDF5 file for reading; raises ResultsError, in one sentence, where it is not to be read.

    `kind` is what it should be, in words: "results file", "study file".
    """
    import h5py

    start = beginning(path, kind, len(HDF5))
    if start != HDF5:
        raise ResultsError(
            "'{path}' is not a {kind}: it is not HDF5.", path=path, kind=Sentence(kind)
        )
    try:
        file = h5py.File(path, "r")
    except (OSError, RuntimeError) as failure:
        raise ResultsError(_why_not(str(failure)), path=path) from None
    try:
        _look(file, path)
    except ResultsError:
        file.close()
        raise
    except Exception:  # noqa: BLE001 (a file from elsewhere can make h5py raise anything)
        file.close()
        raise ResultsError("'{path}' is damaged and cannot be opened.", path=path) from None
    return file


def beginning(path: Path, kind: str, count: int) -> bytes:
    """The first bytes of an ordinary file; raises ResultsError where it is none, or cannot be read."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        raise ResultsError("There is no file '{path}'.", path=path) from None
    except (OSError, ValueError):
        raise ResultsError("'{path}' cannot be opened.", path=path) from None
    if stat.S_ISDIR(mode):
        raise ResultsError("'{path}' is a folder, not a {kind}.", path=path, kind=Sentence(kind))
    if not stat.S_ISREG(mode):
        raise ResultsError(
            "'{path}' is not a {kind}: it is no ordinary file.", path=path, kind=Sentence(kind)
        )
    try:
        with path.open("rb") as file:
            return file.read(count)
    except OSError as failure:
        raise ResultsError(_why_not(str(failure)), path=path) from None


def _why_not(failure: str) -> str:
    if "truncated" in failure:
        return msgid("'{path}' is damaged: it is cut off.")
    if "flag" in failure or "lock" in failure:
        return BUSY
    if "Permission" in failure:
        return msgid("'{path}' cannot be read: this is not allowed.")
    return msgid("'{path}' is damaged and cannot be opened.")


def _look(file: Any, path: Path) -> None:
    """Look at every link and every dataset; raises ResultsError at the first that must not be read."""
    from h5py import h5d, h5l, h5o

    size = path.stat().st_size
    packed = plain = 0

    # what is given ends the walk; HDF5 lets no exception through
    def at_link(name: bytes, info: Any) -> Exception | None:
        if info.type == h5l.TYPE_HARD:
            return None
        return ResultsError(
            "'{path}' is damaged: '{name}' leads into another file, or to another name.",
            path=path,
            name=name.decode(errors="replace"),
        )

    def at_object(name: bytes, info: Any) -> Exception | None:
        nonlocal packed, plain
        if info.type != h5o.TYPE_DATASET:
            return None
        text = name.decode(errors="replace")
        try:
            asked, stored, is_packed = _weighed(h5d.open(file.id, name), path, text)
        except Exception as failure:  # noqa: BLE001 (a file from elsewhere can make h5py raise anything)
            return failure
        packed += asked if is_packed else 0
        plain += 0 if is_packed else asked
        most = min(_DENSEST * size, max(_PACKED, _TIMES * size))
        return _lacks(path, text) if max(stored, plain) > size or packed > most else None

    failure = file.id.links.visit(at_link, info=True) or h5o.visit(file.id, at_object, info=True)
    if failure is not None:
        raise failure


def _weighed(here: Any, path: Path, name: str) -> tuple[int, int, bool]:
    """The bytes that reading a dataset asks for, those that it stores, and whether it is packed."""
    from h5py import h5d, h5s, h5z

    how = here.get_create_plist()
    layout = how.get_layout()
    if layout == h5d.VIRTUAL or how.get_external_count():
        raise ResultsError(
            "'{path}' is damaged: '{name}' leads into another file.", path=path, name=name
        )
    filters = {how.get_filter(i)[0] for i in range(how.get_nfilters())}
    if filters - {h5z.FILTER_DEFLATE, h5z.FILTER_SHUFFLE, h5z.FILTER_FLETCHER32}:
        raise ResultsError(
            "'{path}' cannot be read: '{name}' is packed in a way that is not known here.",
            path=path,
            name=name,
        )
    is_packed = h5z.FILTER_DEFLATE in filters
    space = here.get_space()
    if space.get_simple_extent_type() == h5s.NULL:
        raise _lacks(path, name)
    each, count = here.get_type().get_size(), space.get_simple_extent_npoints()
    asked, stored = each * count, here.get_storage_size()
    if is_packed and count:
        asked = max(asked, each * math.prod(how.get_chunk()))
    if asked > (_DENSEST if is_packed else 1) * stored:
        raise _lacks(path, name)
    return asked, stored, is_packed


def _lacks(path: Path, name: str) -> ResultsError:
    return ResultsError(
        "'{path}' is damaged: '{name}' has not all of its values.", path=path, name=name
    )


def words(data: Any) -> list[bytes]:
    """The texts of a dataset; each may stand somewhere else in the file, all together not more than it has."""
    import h5py

    if h5py.check_string_dtype(data.dtype) is None:
        raise ValueError("no text")
    if data.dtype.kind != "O":
        return list(data[()].reshape(-1).tolist())
    left, out = data.file.id.get_filesize(), list[bytes]()
    for place in np.ndindex(data.shape):
        one = data[place]
        left -= len(one)
        if left < 0:
            raise ValueError("too much text")
        out.append(bytes(one))
    return out


def attribute(attrs: Any, name: str) -> Any:
    """An attribute that holds one value; raises KeyError, or ValueError where it holds another number of them."""
    if attrs.get_id(name).shape != ():
        raise ValueError(name)
    return attrs[name]


# Write HDF5 so that a full disk is an ordinary error.
#
# HDF5 cannot go on after a write has failed: closing the file fails too, and the process dies when it ends. So HDF5
# writes through a file of ours, which keeps the first failure to itself; it is raised once HDF5 has closed what it
# believes to be whole, and the file is never given its name. What HDF5 reads meanwhile is what it wrote: its own tables
# stay in memory from the failure on.

FORMAT = ("v110", "v110")
"""All that HDF5 keeps for itself has checksums in this format; programs since 2016 read it."""

TABLE = 65536
"""No table of HDF5's own is longer than this, in bytes; the rest are results, never read again."""


@contextlib.contextmanager
def written(path: Path, libver: Any = FORMAT) -> Iterator[Any]:
    """An HDF5 file to fill; raises OSError at the end where the disk did not take it all."""
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
    """A file that never fails; the first failure is kept, and what follows it is not written."""

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
        """The place of the next byte."""
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
        """The file this size."""
        wanted = self._place if size is None else size
        try:
            if self._failure is None:
                os.ftruncate(self._handle, wanted)
        except OSError as failure:
            self._failure = failure
        return wanted


_BINARY = getattr(os, "O_BINARY", 0)


# Seal attributes with a checksum: HDF5 has one for all that it keeps, but not for texts in attributes.

SEAL = "checksum"
"""Attribute that holds the checksum of others beside it."""
OF_FILE = (
    "app_version", "created_utc", "message", "processor", "project_sha256", "run", "status",
)  # fmt: skip
OF_CHANNEL = ("axis", "cfc", "quantity", "segment", "unit")
"""Attributes that are sealed."""


def seal(attrs: Any, values: Mapping[str, Any], names: Sequence[str]) -> None:
    """Write attributes, and a checksum of those that are named."""
    attrs.update(values)
    attrs[SEAL] = _sum({name: values[name] for name in names if name in values})


def sealed(attrs: Any, names: Sequence[str]) -> dict[str, Any]:
    """Read attributes; raises ValueError where they are not what was written.

    Files of older versions have no seal, and may lack some.
    """
    found = {name: attribute(attrs, name) for name in names if name in attrs}
    if SEAL in attrs and int(attribute(attrs, SEAL)) != _sum(found):
        raise ValueError("changed")
    return found


def _sum(values: Mapping[str, Any]) -> int:
    plain = {name: np.asarray(value).tolist() for name, value in values.items()}
    return zlib.crc32(json.dumps(plain, sort_keys=True, default=repr).encode("utf-8", "replace"))
