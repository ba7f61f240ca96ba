"""Look whether a results file has the shapes of the layout, so that anyone who shows it may rely on them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from solver.results.layout import (
    CHECKPOINT_GROUP,
    EVENT_GROUP,
    FRAME_GROUPS,
    STEP_GROUP,
    Column,
    ResultsError,
)

_WORDS = Column("1", dtype="S80")
"""What happened, in files of version 1."""

_KINDS = {"f": "fiu", "i": "iub", "u": "u", "S": "SO"}
"""Which kinds of numbers may stand for those of the layout."""


def own(file: Any, name: str, path: Path) -> Any:
    """A dataset; ResultsError if there is none. What it may hold has been looked at by the gate."""
    import h5py

    try:
        found = file[name]
    except (KeyError, OSError):
        found = None
    if not isinstance(found, h5py.Dataset):
        raise ResultsError("'{path}' is damaged: '{name}' is missing.", path=path, name=name)
    return found


def check(file: Any, path: Path) -> None:
    """Raise ResultsError with one sentence where something is missing or has another shape."""
    found = _Sound(file, path)
    time = found.dataset("time", Column("s"), None)
    frames = time.shape[0]
    instants(time[()], path, "time", apart=True)
    for group, spec in FRAME_GROUPS.items():
        if group not in file:
            continue
        rows = found.ids(f"{group}/ids") if spec.has_ids else None
        for name, column in spec.columns.items():
            shape = column.shape if rows is None else (rows, *column.shape)
            found.dataset(f"{group}/{name}", column, frames, shape)
    steps = 0
    if "integrator" in file:
        steps = found.dataset("integrator/time", STEP_GROUP.columns["time"], None).shape[0]
        for name, column in STEP_GROUP.columns.items():
            found.dataset(f"integrator/{name}", column, steps)
    if int(file.attrs["schema_version"]) > 1:
        found.events()
    elif "integrator/event" in file:
        found.dataset("integrator/event", _WORDS, steps)
    if "checkpoints" in file:
        times = found.dataset("checkpoints/time", Column("s"), None)
        instants(times[()], path, "checkpoints/time")
        count = times.shape[0]
        sizes = found.dataset("checkpoints/length", CHECKPOINT_GROUP.columns["length"], count)[()]
        total = int(np.sum(sizes)) if np.all(sizes >= 0) else -1
        found.dataset("checkpoints/bytes", CHECKPOINT_GROUP.columns["bytes"], total)
    for name in file["channels"]:
        place = f"channels/{name}"
        samples = found.dataset(f"{place}/time", Column("s"), None).shape[0]
        found.dataset(f"{place}/value", Column(""), samples)


def instants(time: Any, path: Path, name: str, *, apart: bool = False) -> None:
    """Raise ResultsError where times are no numbers, or run backwards; or stand, where they are to be `apart`."""
    if not np.isfinite(time).all():
        raise ResultsError(
            "'{path}' is damaged: '{name}' holds a time that is not a number.", path=path, name=name
        )
    if np.any(np.diff(time) < 0.0):
        raise ResultsError(
            "'{path}' is damaged: the times in '{name}' run backwards.", path=path, name=name
        )
    if apart and np.any(np.diff(time) <= 0.0):
        raise ResultsError(
            "'{path}' is damaged: '{name}' holds the same time twice.", path=path, name=name
        )


class _Sound:
    def __init__(self, file: Any, path: Path) -> None:
        self._file, self._path = file, path

    def dataset(
        self, name: str, column: Column, count: int | None, shape: tuple[int, ...] | None = None
    ) -> Any:
        """A dataset of `count` entries, of any number where that is None."""
        found = own(self._file, name, self._path)
        wanted = column.shape if shape is None else shape
        size = found.shape[:1] if count is None else (count,)
        if found.shape != (*size, *wanted) or not found.shape:
            raise ResultsError(
                "'{path}' is damaged: '{name}' has the shape {written}, not {written_2}.",
                path=self._path,
                name=name,
                written=_written(found.shape),
                written_2=_written((*(size or ("T",)), *wanted)),
            )
        if found.dtype.kind not in _KINDS[np.dtype(column.dtype).kind]:
            raise ResultsError(
                "'{path}' is damaged: '{name}' holds no {what}.",
                path=self._path,
                name=name,
                what=_what(column),
            )
        return found

    def events(self) -> None:
        """Look at the events, and whether the numbers in them stand for anything."""
        texts = {name: self.ids(f"events/{name}") for name in ("names", "kinds")}
        count = self.dataset("events/time", Column("s"), None).shape[0]
        data = {
            name: self.dataset(f"events/{name}", column, count)
            for name, column in EVENT_GROUP.columns.items()
            if name != "more" or "events/more" in self._file
        }
        instants(data["time"][()], self._path, "events/time")
        for name, least, most in (("kind", 0, texts["kinds"]), ("element", -1, texts["names"])):
            numbers = data[name][()]
            if np.any((numbers < least) | (numbers >= most)):
                raise ResultsError(
                    "'{path}' is damaged: 'events/{name}' has a number that stands for nothing.",
                    path=self._path,
                    name=name,
                )

    def ids(self, name: str) -> int:
        """Count the elements of a group."""
        found = own(self._file, name, self._path)
        if found.ndim != 1:
            raise ResultsError(
                "'{path}' is damaged: '{name}' is no list.", path=self._path, name=name
            )
        if found.dtype.kind not in _KINDS["S"]:
            raise ResultsError(
                "'{path}' is damaged: '{name}' holds no text.", path=self._path, name=name
            )
        return int(found.shape[0])


def _written(shape: tuple[Any, ...]) -> str:
    return " × ".join(map(str, shape)) if shape else "of one value"


def _what(column: Column) -> str:
    return "text" if np.dtype(column.dtype).kind == "S" else "numbers"
