"""Datasets that grow along time, written in blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from solver.results.layout import ChannelSpec, Column
from solver.results.memory import Growing
from solver.results.trajectory import Array, value_shape

BLOCK_FRAMES = 256
BLOCK_SAMPLES = 4096
CHUNK_SAMPLES = 1024
"""Samples of a channel that stand together on the disk: what a short run does not fill is lost room."""


class Stream:
    """Collect values of one dataset and hand them on in blocks."""

    def __init__(self, dataset: Any, shape: tuple[int, ...], dtype: str, block: int) -> None:
        self.dataset, self._shape, self._dtype, self._block = dataset, shape, dtype, block
        self._waiting = Growing(shape, dtype, block)

    def extend(self, values: Array) -> None:
        """Take more values."""
        self._waiting.extend(values)

    @property
    def waits(self) -> bool:
        """Tell whether anything is not yet written."""
        return len(self._waiting.view()) > 0

    @property
    def full(self) -> bool:
        """Tell whether a block waits."""
        return len(self._waiting.view()) >= self._block

    def flush(self) -> None:
        """Write what waits."""
        values = self._waiting.view()
        if len(values):
            start = self.dataset.shape[0]
            self.dataset.resize(start + len(values), axis=0)
            self.dataset[start:] = values
            self.dataset.flush()
            self.drop()

    def drop(self) -> None:
        """Forget what waits."""
        self._waiting = Growing(self._shape, self._dtype, self._block)


def dataset(parent: Any, name: str, column: Column, shape: tuple[int, ...], block: int) -> Any:
    """Make an empty dataset that grows along time."""
    chunk = (block, *(max(1, n) for n in shape))
    made = parent.create_dataset(
        name, shape=(0, *shape), maxshape=(None, *shape), chunks=chunk, dtype=column.dtype
    )
    made.attrs["unit"] = column.unit
    return made


def new_stream(parent: Any, name: str, column: Column, rows: int | None) -> Stream:
    """Make a dataset of one value for each frame or step."""
    shape = value_shape(column, rows)
    made = dataset(parent, name, column, shape, BLOCK_FRAMES)
    return Stream(made, shape, column.dtype, BLOCK_FRAMES)


def channel_streams(file: Any, specs: Sequence[ChannelSpec]) -> dict[str, tuple[Stream, Stream]]:
    """Make the channels as NeXus data, so that common viewers plot them."""
    parent = file.create_group("channels")
    parent.attrs["NX_class"] = "NXentry"
    if specs:
        parent.attrs["default"] = specs[0].name
    out = {}
    for spec in specs:
        group = parent.create_group(spec.name)
        group.attrs.update({"NX_class": "NXdata", "signal": "value", "axes": ["time"]})
        for key in ("unit", "quantity", "segment", "axis"):
            group.attrs[key] = getattr(spec, key)
        group.attrs["cfc"] = spec.cfc
        time = dataset(group, "time", Column("s"), (), CHUNK_SAMPLES)
        value = dataset(group, "value", Column(spec.unit), (), CHUNK_SAMPLES)
        for made, unit in ((time, "s"), (value, spec.unit)):
            made.attrs["units"] = unit
        time.attrs["long_name"] = "time [s]"
        value.attrs["long_name"] = f"{spec.name} [{spec.unit or '1'}]"
        out[spec.name] = tuple(Stream(d, (), "f8", BLOCK_SAMPLES) for d in (time, value))
    return out  # type: ignore[return-value]
