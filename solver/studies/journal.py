"""What a study has so far: a plain file of records that only grows, under the study's own name while it runs.

The first record holds the head; each of the others rows that are asked for, or what was found of some.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from solver.results.records import Growing, Records
from solver.studies.rows import Array, Layout, Rows, columns_of

MAGIC = b"Manikin study 2\n"
_ASKED = ("inputs", "phase", "test")
_FOUND = ("outputs", "status", "seconds", "curves", "residuals")
"""Columns of rows that are asked for, and of what is found of them."""


_MOST, _TIMES = 2**28, 1000
"""Bytes that rows which are waited for may take in memory, or so many times the file's own."""


class Journal:
    """Write what a study has; raises OSError where the disk takes no more, and what it took stays."""

    def __init__(self, path: Path) -> None:
        """Go on with a file that was begun."""
        self._records = Growing(path)

    @staticmethod
    def begin(path: Path, head: dict[str, Any], rows: Rows) -> None:
        """Make a new file with the rows that there are."""
        records = Growing(path, MAGIC)
        try:
            records.add(json.dumps(head).encode())
            records.add(*_asked(rows, 0))
            records.add(*_found(rows, np.flatnonzero(rows.status > 0).tolist()))
        finally:
            records.close()

    def asked(self, rows: Rows, begin: int) -> None:
        """Keep the rows from `begin` on as such that are asked for."""
        self._records.add(*_asked(rows, begin))

    def found(self, rows: Rows, number: int) -> None:
        """Keep what was found of a row."""
        self._records.add(*_found(rows, [number]))

    def is_ours(self) -> bool:
        """Tell whether the file at our name is the one that we wrote."""
        return self._records.is_ours()

    def close(self) -> None:
        """Let go of the file."""
        self._records.close()


def _asked(rows: Rows, begin: int) -> Iterable[bytes]:
    return _packed({"asked": len(rows) - begin}, _ASKED, rows, slice(begin, None))


def _found(rows: Rows, numbers: Sequence[int]) -> Iterable[bytes]:
    told = {"found": [*numbers], "messages": [rows.messages[i] for i in numbers]}
    return _packed(told, _FOUND, rows, numbers)


def _packed(told: dict[str, Any], names: Sequence[str], rows: Rows, at: Any) -> Iterable[bytes]:
    text = json.dumps(told).encode()
    parts = (np.ascontiguousarray(getattr(rows, name)[at]).tobytes() for name in names)
    return len(text).to_bytes(8, "little"), text, *parts


def head_of(path: Path) -> dict[str, Any] | None:
    """Read the head; None where the file is no journal, ValueError where it is damaged."""
    records = Records(path, len(MAGIC))
    try:
        return _head(records) if records.magic == MAGIC else None
    finally:
        records.close()


def _head(records: Records) -> dict[str, Any]:
    content = records.next()
    if content is None:
        raise ValueError("its head is damaged")
    head = json.loads(content)
    if not isinstance(head, dict):
        raise TypeError("its head is damaged")
    return head


def rows_of(path: Path, layout: Layout) -> Rows:
    """Read all rows as far as they are whole; raises ValueError where a record is not what it says."""
    rows, records = Rows(layout), Records(path, len(MAGIC))
    most = max(_MOST, _TIMES * records.length)
    try:
        _head(records)
        while (content := records.next()) is not None:
            _take(rows, content, most)
    finally:
        records.close()
    return rows


def _take(rows: Rows, content: bytes, most: int) -> None:
    size = 8 + int.from_bytes(content[:8], "little")
    told = json.loads(content[8:size])
    if "asked" in told:
        asked = _values(content[size:], _ASKED, int(told["asked"]), rows.layout)
        each = sum(np.dtype(kind).itemsize * math.prod(shape) for shape, kind in columns_of(rows.layout).values())  # fmt: skip
        if each * (len(rows) + len(asked[0])) > most:
            raise ValueError("it promises more than any study asks for")
        rows.extend(*asked)
        return
    numbers = np.array(told["found"], np.int64).reshape(-1)
    messages = [str(one) for one in told["messages"]]
    if len(messages) != len(numbers) or np.any((numbers < 0) | (numbers >= len(rows))):
        raise ValueError("a record is not what it says")
    values = _values(content[size:], _FOUND, len(numbers), rows.layout)
    for name, value in zip(_FOUND, values, strict=True):
        getattr(rows, name)[numbers] = value
    for number, message in zip(numbers.tolist(), messages, strict=True):
        rows.messages[number] = message


def _values(data: bytes, names: Sequence[str], count: int, layout: Layout) -> list[Array]:
    out, at, columns = list[Array](), 0, columns_of(layout)
    for name in names:
        shape, kind = columns[name]
        size = count * np.dtype(kind).itemsize * int(np.prod(shape))
        out.append(np.frombuffer(data[at : at + size], kind).reshape(count, *shape))
        at += size
    if at != len(data):
        raise ValueError("a record is not what it says")
    return out
