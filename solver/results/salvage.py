"""Turn a part file left by a crash into a results file."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import h5py

from solver.results.layout import EVENT_GROUP, FRAME_GROUPS, ResultsError
from solver.results.reader import open_file
from solver.results.writer import complete, finishing_path
from solver.whole import publish


def salvage(part: Path | str, target: Path | str | None = None) -> Path:
    """Save what a killed run had written; the part is removed once the new file is in place.

    Frames that not every quantity has are left out, so that all quantities are equally long.
    """
    source = Path(part)
    goal = Path(target) if target is not None else final_path(source)
    if goal.exists():
        raise ResultsError(f"'{goal}' is there already; salvage to another name.")
    making = goal.with_name(f".{goal.name}.salvage.tmp")
    old = open_file(source, unfinished=True)
    try:
        if str(old.attrs["status"]) != "running":
            raise ResultsError(f"'{source}' is a finished results file; it needs no salvage.")
        with h5py.File(making, "w", libver="latest") as new:
            frames = _copy(old, new)
            sentence = f"Salvaged after a crash: {frames} whole frames were found."
            complete(new, "failed", sentence, (), ())
        publish(making, goal)
    except ResultsError:
        raise
    except (OSError, RuntimeError, KeyError, ValueError) as failure:
        raise ResultsError(f"'{source}' cannot be salvaged: {failure}.") from None
    finally:
        old.close()
        with contextlib.suppress(OSError):
            making.unlink()
    source.unlink()
    finishing_path(goal).unlink(missing_ok=True)
    return goal


def final_path(part: Path) -> Path:
    """Give the name that a part file would have got."""
    stem = part.stem.removesuffix(".part")
    name = f"{stem}{part.suffix}" if stem != part.stem else f"{part.stem}.salvaged{part.suffix}"
    return part.with_name(name)


def _copy(old: Any, new: Any) -> int:
    """Copy all groups, cut to what is whole; give the number of frames."""
    new.attrs.update(dict(old.attrs.items()))
    old.copy("project", new)
    groups = [name for name in FRAME_GROUPS if name in old]
    frame_data = ["time", *(f"{g}/{c}" for g in groups for c in FRAME_GROUPS[g].columns)]
    frames = min(old[name].shape[0] for name in frame_data)
    has_events = ["events"] if "events" in old else []
    for name in ("integrator", *has_events, "channels", *groups):
        made = new.require_group(name)
        made.attrs.update(dict(old[name].attrs.items()))
        for texts in ("ids", "names", "kinds"):
            if name != "channels" and texts in old[name]:
                old.copy(f"{name}/{texts}", made)
    for name in frame_data:
        _cut(old, new, name, frames)
    rows = [[f"integrator/{name}" for name in old["integrator"]]]
    rows += [[f"{group}/{name}" for name in EVENT_GROUP.columns] for group in has_events]
    for names in (*rows, *_channel_pairs(old, new)):
        length = min(old[name].shape[0] for name in names)
        for name in names:
            _cut(old, new, name, length)
    return int(frames)


def _channel_pairs(old: Any, new: Any) -> Iterator[list[str]]:
    for name in old["channels"]:
        place = f"channels/{name}"
        new.require_group(place).attrs.update(dict(old[place].attrs.items()))
        yield [f"{place}/time", f"{place}/value"]


def _cut(old: Any, new: Any, name: str, length: int) -> None:
    source = old[name]
    made = new.create_dataset(name, data=source[:length])
    made.attrs.update(dict(source.attrs.items()))
