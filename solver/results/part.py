"""Keep a run while it goes: a plain file of records that only grows.

The first record says what the run is and which streams of numbers it has; each of the others brings
further values of some of them.

What a record holds is whole or not there: a kill, a full disk or a flipped bit costs the record that
it hits, and what follows it.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import struct
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from solver.results.hdf5 import HDF5
from solver.results.layout import CHECKPOINT_GROUP, LAST_STATES, ChannelSpec, ResultsError
from solver.results.trajectory import Array

# A plain file that only grows, made of records with checksums.

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
        """Whether the file at our name is the one that we wrote."""
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
        """The next record; None at the end, and where it is not whole."""
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
        """Where the next record stands."""
        return self._file.tell()

    @property
    def length(self) -> int:
        """The bytes of the file."""
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


MAGIC = b"Manikin part 1\n"
MOST_WAITING = 8 * 2**20
"""Bytes that wait in memory at most before they are written."""
SOONEST, LATEST, PAUSE = 0.02, 0.5, 20.0
"""Seconds between two writes, at least and at most; between them `PAUSE` times what the last one took."""


@dataclass(frozen=True, slots=True)
class Stream:
    """Describe values that grow along time: where they stand in the results file, and what they are."""

    name: str
    unit: str
    dtype: str
    shape: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """The bytes of one value."""
        return int(np.dtype(self.dtype).itemsize * np.prod(self.shape, dtype=np.int64))


@dataclass(frozen=True, slots=True)
class Head:
    """What is known of a run when it begins."""

    key: str
    """Tells this run's files from those of every other."""
    target: str
    created_utc: str
    app_version: str
    processor: str
    """The level that the kernels were compiled for; empty in parts of older versions."""
    run: str
    project: str
    words: Mapping[str, tuple[str, ...]]
    """Datasets of texts, which are known from the beginning."""
    channels: tuple[ChannelSpec, ...]
    streams: tuple[Stream, ...]


class PartWriter:
    """Write a part; its lock tells others that the run goes on."""

    def __init__(self, path: Path, head: Head) -> None:
        self.path, self.head = path, head
        self.counts = [0] * len(head.streams)
        """Values of each stream that are written."""
        self._waiting: list[list[Array]] = [[] for _ in head.streams]
        self._bytes, self._spent, self._last = 0, 0.0, time.monotonic()
        self._records = Growing(path, MAGIC)
        try:
            self._records.hold()
            text = json.dumps(asdict(head), ensure_ascii=False).encode("utf-8", "surrogatepass")
            self._records.add(text)
        except BaseException:
            self.close()
            path.unlink(missing_ok=True)
            raise

    @property
    def size(self) -> int:
        """The bytes that are written."""
        return self._records.size

    def add(self, stream: int, values: Array) -> None:
        """Take values of a stream; they are written with the next record."""
        if len(values):
            self._waiting[stream].append(values)
            self._bytes += values.nbytes

    @property
    def due(self) -> bool:
        """Whether it is time to write what waits."""
        passed = time.monotonic() - self._last
        pause = min(LATEST, max(SOONEST, PAUSE * self._spent))
        return self._bytes > 0 and (self._bytes >= MOST_WAITING or passed >= pause)

    @property
    def waits(self) -> bool:
        """Whether anything is not yet written."""
        return self._bytes > 0

    def flush(self) -> None:
        """Write what waits as one record; raises OSError, and what was written before stays."""
        if not self._bytes:
            return
        start = time.monotonic()
        table, parts = [], []
        for number, (stream, waiting) in enumerate(
            zip(self.head.streams, self._waiting, strict=True)
        ):
            if waiting:
                values = np.concatenate(waiting) if len(waiting) > 1 else waiting[0]
                parts.append(np.ascontiguousarray(values, stream.dtype).tobytes())
                table.append((number, len(values), len(parts[-1])))
        self.drop()
        head = np.array([len(table), *(n for row in table for n in row)], "<u8").tobytes()
        self._records.add(head, *parts)
        for number, count, _ in table:
            self.counts[number] += count
        self._last = time.monotonic()
        self._spent = self._last - start

    def drop(self) -> None:
        """Forget what waits."""
        for waiting in self._waiting:
            waiting.clear()
        self._bytes = 0

    def is_ours(self) -> bool:
        """Whether the file at our name is the one that we wrote."""
        return self._records.is_ours()

    def close(self) -> None:
        """Let go of the file, and of its lock."""
        self._records.close()


class Part:
    """Read a part: `head`, and `blocks` of values as far as they are whole."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._records = Records(path, len(MAGIC))
        try:
            self._look()
        except BaseException:
            self.close()
            raise

    def _look(self) -> None:
        start = self._records.magic
        if start.startswith(HDF5):
            raise ResultsError(
                "'{path}' is HDF5: a finished results file needs no salvage, and a part of an older version is salvaged with that version.",
                path=self.path,
            )
        if start != MAGIC:
            raise ResultsError("'{path}' is not a part of a run.", path=self.path)
        content = self._records.next()
        if content is None:
            raise ResultsError(
                "'{path}' is damaged at its head: nothing can be saved.", path=self.path
            )
        try:
            self.head = _head(json.loads(content))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError):
            raise ResultsError("'{path}' is damaged at its head.", path=self.path) from None
        self._start = self._records.place
        self.counts = [0] * len(self.head.streams)
        self.digests = {
            number: hashlib.blake2b()
            for number, stream in enumerate(self.head.streams)
            if stream.name.startswith("channels/") and stream.name.endswith("/time")
        }
        """Of the times of each channel: the same for those that are sampled at the same instants."""
        self.is_whole = False
        """Whether nothing stands behind the last whole record."""
        self.last_time: float | None = None
        self.last_state: dict[str, Array] = {}
        """Columns of the record with the last state that was kept for a run that is broken off."""
        self.last_checkpoint = -1.0
        names = [stream.name for stream in self.head.streams]
        kept = {name.rpartition("/")[2]: n for n, name in enumerate(names) if name.startswith(f"{LAST_STATES}/")}  # fmt: skip
        checkpoint = names.index("checkpoints/time") if "checkpoints/time" in names else -1
        clock = names.index("time")
        for block in self.blocks():
            for number, values in block.items():
                self.counts[number] += len(values)
                if number in self.digests:
                    self.digests[number].update(values.data)
            if len(kept) == len(CHECKPOINT_GROUP.columns) and all(
                n in block for n in kept.values()
            ):
                self.last_state = {name: block[number] for name, number in kept.items()}
            if checkpoint in block:
                self.last_checkpoint = float(block[checkpoint][-1])
            if clock in block:
                self.last_time = float(block[clock][-1])
        self.is_whole = self._records.place == self._records.length

    def take(self) -> None:
        """Hold the part; raises `Taken` while its run goes on."""
        self._records.take()

    def blocks(self) -> Iterator[dict[int, Array]]:
        """Give the records in their order, each as values by the number of their stream."""
        self._records.go(self._start)
        while (content := self._records.next()) is not None:
            yield self._values(content)

    def close(self) -> None:
        """Let go of the file."""
        self._records.close()

    def _values(self, content: bytes) -> dict[int, Array]:
        try:
            entries = int.from_bytes(content[:8], "little")
            table = np.frombuffer(content, "<u8", 3 * entries, 8).reshape(-1, 3).tolist()
            place, found = 8 * (1 + 3 * entries), {}
            for number, count, size in table:
                stream = self.head.streams[number]
                values = np.frombuffer(content[place : place + size], stream.dtype)
                found[number] = values.reshape(count, *stream.shape)
                place += size
        except (ValueError, IndexError, OverflowError):
            raise ResultsError(
                "'{path}' is damaged: a record is not what it says.", path=self.path
            ) from None
        return found


def _head(data: dict[str, Any]) -> Head:
    texts = {
        name: str(data[name])
        for name in ("key", "target", "created_utc", "app_version", "run", "project")
    }
    texts["processor"] = str(data.get("processor", ""))
    words = {str(name): tuple(map(str, texts)) for name, texts in data["words"].items()}
    channels = tuple(ChannelSpec(**spec) for spec in data["channels"])
    streams = tuple(
        Stream(str(s["name"]), str(s["unit"]), _type(s["dtype"]), tuple(map(int, s["shape"])))
        for s in data["streams"]
    )
    times = [stream for stream in streams if stream.name == "time"]
    if len(times) != 1 or times[0].shape or np.dtype(times[0].dtype).kind != "f":
        raise ValueError("time")
    names = [*words, *(stream.name for stream in streams)]
    _check_names(texts["key"], names, channels)
    if not Path(texts["target"]).name or "\0" in texts["target"]:
        raise ValueError("target")
    if any(min(one.shape, default=1) < 1 or one.size > MOST_WAITING for one in streams):
        raise ValueError("shape")
    return Head(**texts, words=words, channels=channels, streams=streams)


def _check_names(key: str, names: Sequence[str], channels: Sequence[ChannelSpec]) -> None:
    """Raise ValueError where a name could not be one of a dataset, or of a file, or is there twice."""
    if not key.isalnum() or len(key) > 100 or len(set(names)) != len(names):
        raise ValueError("key")
    groups = {name[:at] for name in names for at, letter in enumerate(name) if letter == "/"}
    for name in names:
        if not name.isprintable() or {"", ".", ".."} & set(name.split("/")) or name in groups:
            raise ValueError(name)
    for one in channels:
        meaning = (one.name, one.unit, one.quantity, one.segment, one.axis)
        if not all(isinstance(word, str) for word in meaning) or not isinstance(one.cfc, int):
            raise TypeError(one.name)
        if f"channels/{one.name}" not in groups:
            raise ValueError(one.name)


def _type(name: str) -> str:
    if not isinstance(name, str) or np.dtype(name).kind not in "fiu":
        raise TypeError(name)
    return name


def is_running(path: Path) -> bool:
    """Whether the run that writes a part goes on."""
    try:
        with path.open("rb") as file:
            hold(file.fileno(), alone=True)
    except Taken:
        return True
    except OSError:
        return False
    return False
