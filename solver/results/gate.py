"""The one gate by which every HDF5 file is opened that stands on a disk: looked through before anybody reads it.

A file may come from anywhere. HDF5 itself would follow its links into other files of this machine, hand out the
bytes of any file as "external storage", and make room for all values that a dataset promises. Behind this gate
a file holds plain datasets with values of its own, and no more of them than it has bytes for.
"""

from __future__ import annotations

import math
import stat
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
    """Give the first bytes of an ordinary file; raises ResultsError where it is none, or cannot be read."""
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
        said = name.decode(errors="replace")
        try:
            asked, stored, is_packed = _weighed(h5d.open(file.id, name), path, said)
        except Exception as failure:  # noqa: BLE001 (a file from elsewhere can make h5py raise anything)
            return failure
        packed += asked if is_packed else 0
        plain += 0 if is_packed else asked
        most = min(_DENSEST * size, max(_PACKED, _TIMES * size))
        return _lacks(path, said) if max(stored, plain) > size or packed > most else None

    failure = file.id.links.visit(at_link, info=True) or h5o.visit(file.id, at_object, info=True)
    if failure is not None:
        raise failure


def _weighed(here: Any, path: Path, name: str) -> tuple[int, int, bool]:
    """Give the bytes that reading a dataset asks for, those that it stores, and whether it is packed."""
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
    """Give the texts of a dataset; each may stand somewhere else in the file, all together not more than it has."""
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
    """Give an attribute that holds one value; raises KeyError, or ValueError where it holds another number of them."""
    if attrs.get_id(name).shape != ():
        raise ValueError(name)
    return attrs[name]
