"""Make a results file of what a part holds: datasets with checksums, in pieces that are read at once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from solver.results.layout import (
    FORMAT,
    SCHEMA_VERSION,
    ChannelSpec,
    InjuryValue,
)
from solver.results.part import Head, Part
from solver.results.sealing import OF_CHANNEL, OF_FILE, seal
from solver.results.trajectory import Array
from solver.words import Note, Sentence

CHUNK = 2**18
"""Bytes of a dataset that stand together on the disk, and are checked together."""
GATHERED = 32 * 2**20
"""Bytes that are read from the part before they are written."""


def fill(file: Any, part: Part) -> None:
    """Write the head and all values of a part."""
    head = part.head
    _write_head(file, head)
    made = {}
    for number, stream in enumerate(head.streams):
        made[number] = _dataset(
            file, stream.name, stream.unit, stream.dtype, (part.counts[number], *stream.shape)
        )
    for name, words in head.words.items():
        texts(file, name, words)
    _write_channels(file, head.channels)
    waiting: dict[int, list[Array]] = {number: [] for number in made}
    done, size = dict.fromkeys(made, 0), 0

    def write() -> None:
        for number, blocks in waiting.items():
            if blocks:
                values = np.concatenate(blocks) if len(blocks) > 1 else blocks[0]
                made[number][done[number] : done[number] + len(values)] = values
                done[number] += len(values)
                blocks.clear()

    for block in part.blocks():
        for number, values in block.items():
            waiting[number].append(values)
            size += values.nbytes
        if size >= GATHERED:
            write()
            size = 0
    write()


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
        made = _dataset(file, f"injury/{name}", unit, "f8", numbers.shape)
        if len(numbers):
            made[:] = numbers
    texts(file, "log", [one.english() if isinstance(one, Sentence) else one for one in log])
    if log:
        texts(file, "notes", [_as_json(one) for one in log])


def _as_json(note: Note) -> str:
    """Write a sentence with its values; what is no sentence stands in the log alone."""
    return json.dumps(note.as_data(), ensure_ascii=False) if isinstance(note, Sentence) else ""


def texts(file: Any, name: str, words: Sequence[str]) -> None:
    """Write words with a checksum, each in the room of the longest."""
    import h5py

    coded = [word.encode("utf-8", "replace") for word in words]
    kind = h5py.string_dtype("utf-8", max(1, *map(len, coded), 1))
    made = _dataset(file, name, "", kind, (len(words),))
    if len(words):
        made[:] = np.array(coded, kind)


def _write_head(file: Any, head: Head) -> None:
    import h5py

    text = head.project.encode("utf-8")
    file.attrs["format"] = FORMAT
    file.attrs["schema_version"] = SCHEMA_VERSION
    file.attrs["app_version"] = head.app_version
    file.attrs["run"] = head.run
    file.attrs["created_utc"] = head.created_utc
    file.attrs["status"] = "running"
    file.attrs["message"] = ""
    file.attrs["project_sha256"] = hashlib.sha256(text).hexdigest()
    file.attrs["NX_class"] = "NXroot"
    file.attrs["default"] = "channels"
    kind = h5py.string_dtype("utf-8", max(1, len(text)))
    project = file.create_dataset("project", data=np.array(text, kind), dtype=kind)
    project.attrs["unit"] = ""
    groups = [stream.name.rpartition("/")[0] for stream in head.streams]
    groups = [group for group in groups if group and "/" not in group]
    for group in dict.fromkeys([*groups, "channels"]):
        file.create_group(group).attrs["NX_class"] = "NXcollection"


def _write_channels(file: Any, specs: Sequence[ChannelSpec]) -> None:
    """Make the channels NeXus data, so that common viewers plot them."""
    parent = file["channels"]
    parent.attrs["NX_class"] = "NXentry"
    if specs:
        parent.attrs["default"] = specs[0].name
    for spec in specs:
        group = parent[spec.name]
        group.attrs.update({"NX_class": "NXdata", "signal": "value", "axes": ["time"]})
        seal(group.attrs, {key: getattr(spec, key) for key in OF_CHANNEL}, OF_CHANNEL)
        time, value = group["time"], group["value"]
        for made, unit in ((time, "s"), (value, spec.unit)):
            made.attrs["units"] = unit
        time.attrs["long_name"] = "time [s]"
        value.attrs["long_name"] = f"{spec.name} [{spec.unit or '1'}]"


def _dataset(file: Any, name: str, unit: str, kind: Any, shape: tuple[int, ...]) -> Any:
    """Make a dataset with a checksum for each piece of it."""
    each = int(np.dtype(kind).itemsize * np.prod(shape[1:], dtype=np.int64))
    checked: dict[str, Any] = {}
    if shape[0] and each:
        rows = max(1, min(shape[0], CHUNK // each))
        checked = {"chunks": (rows, *shape[1:]), "fletcher32": True}
    made = file.create_dataset(name, shape, kind, track_times=False, **checked)
    made.attrs["unit"] = unit
    return made
