"""Make a results file of what a part holds: datasets with checksums, in pieces that are read at once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

import h5py
import numpy as np
from h5py import h5a, h5d, h5g, h5p, h5s, h5t

from solver.base.words import Note, Sentence
from solver.results.hdf5 import OF_CHANNEL, OF_FILE, seal
from solver.results.layout import (
    EVENT_GROUP,
    FORMAT,
    LAST_STATES,
    SCHEMA_VERSION,
    ChannelSpec,
    InjuryValue,
)
from solver.results.part import Head, Part
from solver.results.trajectory import Array

GATHERED = 32 * 2**20
"""Bytes that are read from the part before they are written."""


def fill(file: Any, part: Part, *, goes_on: bool) -> None:
    """Write the head and all values of a part; where the run may go on, the last state is one of its checkpoints."""
    head = part.head
    more = _last_state(part) if goes_on else {}
    _write_head(file, head)
    _write_groups(file, head)
    made: dict[int, Dataset] = {}
    by_name: dict[str, Dataset] = {}
    of_times: dict[bytes, str] = {}
    for number, stream in enumerate(head.streams):
        if stream.name.startswith(f"{LAST_STATES}/"):
            continue
        if number in part.digests:
            of_these = of_times.setdefault(part.digests[number].digest(), stream.name)
            if of_these != stream.name:
                same(file, stream.name, of_these)
                continue
        shape = (part.counts[number] + len(more.get(stream.name, ())), *stream.shape)
        made[number] = Dataset(file, stream.name, stream.unit, stream.dtype, shape)
        by_name[stream.name] = made[number]
    for name, words in head.words.items():
        texts(file, name, words)
    _name_axes(head.channels, by_name)
    waiting: dict[int, list[Array]] = {number: [] for number in made}
    size = 0

    def write() -> None:
        for number, blocks in waiting.items():
            if blocks:
                made[number].add(np.concatenate(blocks) if len(blocks) > 1 else blocks[0])
                blocks.clear()

    for block in part.blocks():
        for number, values in block.items():
            if number in made:
                waiting[number].append(values)
                size += values.nbytes
        if size >= GATHERED:
            write()
            size = 0
    write()
    for name, values in more.items():
        by_name[name].add(values)
    _in_order(file)


def _in_order(file: Any) -> None:
    """Put events in the order of their times: of some it is known only later since when it is so."""
    time = file["events/time"][()]
    if np.any(np.diff(time) < 0.0):
        order = np.argsort(time, kind="stable")
        for name in EVENT_GROUP.columns:
            rows = file[f"events/{name}"]
            rows[...] = rows[()][order]


def _last_state(part: Part) -> dict[str, Array]:
    """The last state that was kept, by the names of checkpoints; nothing where one of these is as late."""
    kept = part.last_state
    if not kept or float(kept["time"][-1]) <= part.last_checkpoint:
        return {}
    length = int(kept["length"][-1])
    if not 0 < length <= len(kept["bytes"]):
        return {}
    return {
        "checkpoints/time": kept["time"][-1:],
        "checkpoints/length": kept["length"][-1:],
        "checkpoints/bytes": kept["bytes"][-length:],
    }


def complete(
    file: Any, status: str, message: str, injury: Sequence[InjuryValue], log: Sequence[Note]
) -> None:
    """Write what is known only at the end: status, injury figures, log; and seal the head."""
    ended = dict(file.attrs) | {"status": status, "message": message}
    seal(file.attrs, ended, OF_FILE)
    group = file.require_group("injury")
    group.attrs["NX_class"] = "NXcollection"
    for name in ("name", "unit", "channel"):
        texts(file, f"injury/{name}", [str(getattr(value, name)) for value in injury])
    for name, unit in (("value", ""), ("t1", "s"), ("t2", "s"), ("filter", "")):
        numbers = np.array([getattr(value, name) for value in injury], "f8")
        Dataset(file, f"injury/{name}", unit, "f8", numbers.shape).add(numbers)
    texts(file, "log", [one.english() if isinstance(one, Sentence) else one for one in log])
    if log:
        texts(file, "notes", [_as_json(one) for one in log])


def _as_json(note: Note) -> str:
    """Write a sentence with its values; what is no sentence stands in the log alone."""
    return json.dumps(note.as_data(), ensure_ascii=False) if isinstance(note, Sentence) else ""


def texts(file: Any, name: str, words: Sequence[str]) -> None:
    """Write words with a checksum, each in the room of the longest."""
    coded = [word.encode("utf-8", "replace") for word in words]
    kind = h5py.string_dtype("utf-8", max(1, *map(len, coded), 1))
    Dataset(file, name, "", kind, (len(words),)).add(np.array(coded, kind))


def _write_head(file: Any, head: Head) -> None:
    file.attrs["format"] = FORMAT
    file.attrs["schema_version"] = SCHEMA_VERSION
    file.attrs["app_version"] = head.app_version
    file.attrs["processor"] = head.processor
    file.attrs["run"] = head.run
    file.attrs["created_utc"] = head.created_utc
    file.attrs["status"] = "running"
    file.attrs["message"] = ""
    file.attrs["NX_class"] = "NXroot"
    file.attrs["default"] = "channels"
    write_project(file, head.project)


def write_project(file: Any, project: str) -> None:
    """Write the exact project, and its hash into the head."""
    text = project.encode("utf-8")
    file.attrs["project_sha256"] = hashlib.sha256(text).hexdigest()
    kind = h5py.string_dtype("utf-8", max(1, len(text)))
    made = file.create_dataset("project", data=np.array(text, kind), dtype=kind)
    made.attrs["unit"] = ""


def _write_groups(file: Any, head: Head) -> None:
    """Make the groups; the channels are NeXus data, so that common viewers plot them."""
    groups = [stream.name.rpartition("/")[0] for stream in head.streams]
    left_out = ("", LAST_STATES)
    for name in dict.fromkeys(name for name in groups if name not in left_out and "/" not in name):
        group(file, name)["NX_class"] = "NXcollection"
    parent = group(file, "channels")
    parent["NX_class"] = "NXentry"
    if head.channels:
        parent["default"] = head.channels[0].name
    for spec in head.channels:
        attrs = group(file, f"channels/{spec.name}")
        attrs.update({"NX_class": "NXdata", "signal": "value", "axes": ["time"]})
        seal(attrs, {key: getattr(spec, key) for key in OF_CHANNEL}, OF_CHANNEL)


def _name_axes(specs: Sequence[ChannelSpec], made: Mapping[str, Dataset]) -> None:
    """Name the axes of the channels' plots; times that another channel has, too, are named there."""
    for spec in specs:
        label = f"{spec.name} [{spec.unit or '1'}]"
        for name, unit, words in (("time", "s", "time [s]"), ("value", spec.unit, label)):
            if (dataset := made.get(f"channels/{spec.name}/{name}")) is not None:
                dataset.attrs["units"] = unit
                dataset.attrs["long_name"] = words


# Place datasets and attributes by HDF5's own calls: a run has hundreds, and h5py's way to them takes four times as
# long.

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
