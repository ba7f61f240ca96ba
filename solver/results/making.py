"""Make a results file of what a part holds: datasets with checksums, in pieces that are read at once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

import h5py
import numpy as np

from solver.base.words import Note, Sentence
from solver.results.layout import (
    FORMAT,
    LAST_STATES,
    SCHEMA_VERSION,
    ChannelSpec,
    InjuryValue,
)
from solver.results.part import Head, Part
from solver.results.placing import Dataset, group, same
from solver.results.sealing import OF_CHANNEL, OF_FILE, seal
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


def _last_state(part: Part) -> dict[str, Array]:
    """Give the last state that was kept, by the names of checkpoints; nothing where one of these is as late."""
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
