"""Place datasets and attributes by HDF5's own calls: a run has hundreds, and h5py's way to them takes four times as long."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import h5py
import numpy as np
from h5py import h5a, h5d, h5g, h5p, h5s, h5t

from solver.results.trajectory import Array

CHUNK = 2**18
"""Bytes of a dataset that stand together on the disk, and are checked together."""

_WORD = h5py.string_dtype()
_WORD_IN_FILE, _WORD_HERE = h5t.py_create(_WORD, logical=True), h5t.py_create(_WORD)
_SINGLE = h5s.create_simple(())
_THROUGH = h5p.create(h5p.LINK_CREATE)
_THROUGH.set_create_intermediate_group(True)
_THROUGH.set_char_encoding(h5t.CSET_UTF8)
_GROUP = h5p.create(h5p.GROUP_CREATE)
_GROUP.set_attr_phase_change(32, 0)  # beyond eight they would stand in a table of 1.4 kB more


class Attributes:
    """Give what was just made its attributes: texts, lists of texts, whole numbers."""

    def __init__(self, place: Any) -> None:
        self._place = place

    def __setitem__(self, name: str, value: str | list[str] | int) -> None:
        if isinstance(value, int):
            data = np.asarray(value)
            kind = here = h5t.py_create(data.dtype)
        else:
            data = np.array(value, _WORD)
            kind, here = _WORD_IN_FILE, _WORD_HERE
        space = h5s.create_simple(data.shape) if data.shape else _SINGLE
        h5a.create(self._place, name.encode(), kind, space).write(data, mtype=here)

    def update(self, values: Mapping[str, str | list[str] | int]) -> None:
        """Give it several."""
        for name, value in values.items():
            self[name] = value


def group(file: Any, name: str) -> Attributes:
    """Make a group, and those on the way to it."""
    return Attributes(h5g.create(file.id, name.encode(), _THROUGH, _GROUP))


def same(file: Any, name: str, other: str) -> None:
    """Let a second name stand for a dataset."""
    file.id.links.create_hard(name.encode(), file.id, other.encode(), _THROUGH)


class Dataset:
    """Make a dataset with a checksum for each piece of it; it grows by `add` until it is full."""

    def __init__(self, file: Any, name: str, unit: str, kind: Any, shape: tuple[int, ...]) -> None:
        each = int(np.dtype(kind).itemsize * np.prod(shape[1:], dtype=np.int64))
        how = h5p.create(h5p.DATASET_CREATE)
        how.set_obj_track_times(False)
        if shape[0] and each:
            how.set_chunk((max(1, min(shape[0], CHUNK // each)), *shape[1:]))
            how.set_fletcher32()
        self._kind, self._shape, self._done = np.dtype(kind), shape, 0
        self._id = h5d.create(
            file.id,
            name.encode(),
            h5t.py_create(self._kind, logical=True),
            h5s.create_simple(shape),
            how,
            _THROUGH,
        )
        self.attrs = Attributes(self._id)
        self.attrs["unit"] = unit

    def add(self, values: Array) -> None:
        """Write what comes next."""
        data = np.ascontiguousarray(values, self._kind)
        if not data.size:
            return
        place = h5s.create_simple(self._shape)
        place.select_hyperslab((self._done, *(0 for _ in self._shape[1:])), data.shape)
        self._id.write(h5s.create_simple(data.shape), place, data)
        self._done += len(data)
