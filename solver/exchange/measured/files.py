"""The files of a test by name, in a folder or in an archive: nothing is unpacked onto the disk."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

import numpy as np

from solver.base.atomic import read_most
from solver.base.words import Note, Sentence
from solver.results.layout import ResultsError
from solver.results.trajectory import Array, Channel

LARGEST = 64 * 2**20
"""Bytes of one file of a test."""
LARGEST_TEST = 2**30
"""Bytes of an archive's files together."""
MOST = 20_000
"""Files of a folder or an archive."""
NUMBERED = re.compile(r"\.\d{3,4}")
"""How files of channels end."""


@dataclass(frozen=True, slots=True)
class MeasuredTest:
    """Curves of a test in SI, what its head says, and what there is to say of the reading."""

    kind: str
    channels: tuple[Channel, ...]
    about: tuple[tuple[str, str], ...] = ()
    notes: tuple[Note, ...] = ()


@dataclass(slots=True)
class Files:
    """Read the files of a test by their names within it, with slashes."""

    where: str
    names: tuple[str, ...]
    _read: Callable[[str], bytes]
    _kept: dict[str, bytes] = field(default_factory=dict)

    def bytes_of(self, name: str) -> bytes:
        """Read a file."""
        raw = self._read(name)
        if len(raw) > LARGEST:
            raise ResultsError("'{file}' is larger than 64 MB: cut it to the time that matters.", file=name)  # fmt: skip
        return raw

    def text_of(self, name: str) -> str:
        """Read a file of text, in UTF-8 or else in Latin letters."""
        raw = self.bytes_of(name)
        try:
            return raw.decode("utf-8-sig")
        except UnicodeDecodeError:
            return raw.decode("latin-1")

    def ending(self, *ends: str) -> list[str]:
        """List the files that end so, whatever the case of letters."""
        return [name for name in self.names if name.lower().endswith(ends)]

    def numbered(self) -> list[str]:
        """List the files of channels, by number."""
        found = [n for n in self.names if NUMBERED.fullmatch(PurePosixPath(n).suffix)]
        return sorted(found, key=lambda n: (str(PurePosixPath(n).parent), int(PurePosixPath(n).suffix[1:]), n))  # fmt: skip


def opened(path: Path) -> Files:
    """The files of a test, from its folder, from any of its files, or from an archive. Raises ResultsError."""
    try:
        if path.suffix.lower() == ".zip":
            return _archive(path)
        folder = path if path.is_dir() else path.parent
        if not path.is_dir() and folder.name.lower() == "channel":
            folder = folder.parent
        names = []
        for one in (folder, *(sub for sub in folder.iterdir() if sub.is_dir() and sub.name.lower() == "channel")):  # fmt: skip
            names += [
                str(PurePosixPath(f.relative_to(folder))) for f in one.iterdir() if f.is_file()
            ]
            if len(names) > MOST:
                raise ResultsError("'{path}' holds more than {most} files: give the file of the test's head.", path=path, most=MOST)  # fmt: skip
        return Files(str(path), tuple(sorted(names)), lambda name: _bytes(folder / name))
    except OSError as failure:
        raise ResultsError("'{file}' cannot be read: {strerror}.", file=path, strerror=failure.strerror or "no reason given") from None  # fmt: skip


def _bytes(file: Path) -> bytes:
    try:
        return read_most(file, LARGEST)
    except OSError as failure:
        raise ResultsError("'{file}' cannot be read: {strerror}.", file=file, strerror=failure.strerror or "no reason given") from None  # fmt: skip


def alone(file: Path) -> Files:
    """One file by itself."""
    return Files(str(file), (file.name,), lambda _: _bytes(file))


def _archive(path: Path) -> Files:
    """The files of an archive; what it would unfold to is added up before any of it is read."""
    try:
        with zipfile.ZipFile(path) as found:
            listed = [one for one in found.infolist() if not one.is_dir()]
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        raise ResultsError("'{file}' is no archive that can be read: unpack it, and give the folder.", file=path.name) from None  # fmt: skip
    if len(listed) > MOST or sum(one.file_size for one in listed) > LARGEST_TEST:
        raise ResultsError("'{file}' unfolds to more than 1 GB or {most} files: unpack it, and give the test's folder.", file=path.name, most=MOST)  # fmt: skip

    def read(name: str) -> bytes:
        try:
            with zipfile.ZipFile(path) as again, again.open(name) as one:
                return one.read(LARGEST + 1)
        except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, NotImplementedError, RuntimeError, OSError) as failure:  # fmt: skip
            raise ResultsError("'{name}' of '{file}' cannot be read: {failure}. Unpack the archive, and give the folder.", name=name, file=path.name, failure=str(failure)) from None  # fmt: skip

    return Files(str(path), tuple(sorted(one.filename for one in listed)), read)


# What is common to channels of all kinds.

PLATEAU = 5
"""Samples in a row that are the largest of all: the channel may have been at its end (assumed; noise of a digitiser makes two or three)."""


def whole(name: str, time: Array, value: Array) -> tuple[Array, Array, list[Note]]:
    """Bridge missing values by straight lines, cut them at both ends, and say so. Raises ResultsError where fewer than two are left."""
    notes: list[Note] = []
    there = np.isfinite(value)
    if there.sum() < 2:
        raise ResultsError("'{name}' holds fewer than two samples.", name=name)
    if not there.all():
        at = np.flatnonzero(there)
        gone, first = len(value) - len(at), float(time[np.argmin(there)])
        kept = slice(at[0], at[-1] + 1)
        value = np.interp(time[kept], time[at], value[at])
        time = time[kept]
        notes.append(Sentence("'{name}': {gone} samples have no value, the first at {first:.4g} ms; they are bridged by straight lines, or cut at the ends.", name=name, gone=gone, first=1e3 * first))  # fmt: skip
    return time, value, notes


def saturated(name: str, time: Array, value: Array, most: float = 0.0) -> list[Note]:
    """Say where a channel lies beyond what it can bear (`most`, 0: not known), or stays at its largest value."""
    size = np.abs(value)
    top = float(size.max())
    if most > 0.0 and top > most:
        at = float(time[int(np.argmax(size > most))])
        return [Sentence("'{name}' goes beyond the range of its channel at {at:.4g} ms: it may be cut off.", name=name, at=1e3 * at)]  # fmt: skip
    if top > 0.0 and top > 10.0 * float(np.median(size)):
        ends = np.diff(np.concatenate([[0], (size == top).astype(int), [0]]))
        begin, end = np.flatnonzero(ends == 1), np.flatnonzero(ends == -1)
        n = int(np.argmax(end - begin))
        if end[n] - begin[n] >= PLATEAU:
            return [Sentence("'{name}' stays at its largest value from {first:.4g} to {last:.4g} ms: it may be cut off.", name=name, first=1e3 * float(time[begin[n]]), last=1e3 * float(time[end[n] - 1]))]  # fmt: skip
    return []
