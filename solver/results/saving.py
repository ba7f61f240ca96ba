"""Write a run that is in memory into a results file."""

from __future__ import annotations

import contextlib
import shutil
import stat
from pathlib import Path

from solver.base.atomic import discard, ordinary, publish, replaced
from solver.base.words import tr
from solver.results.hdf5 import written
from solver.results.layout import FRAME_GROUPS, ChannelSpec, ResultsError
from solver.results.part import Claim, Part, Taken
from solver.results.reader import FileTrajectory
from solver.results.trajectory import Trajectory
from solver.results.writer import ResultsWriter, finishing_path


def save_run(run: Trajectory, path: Path, app_version: str) -> Path:
    """Write a run that has ended; one that stands in a file already is copied."""
    if run.status == "running":
        raise ResultsError("The run goes on; save it once it has ended.")
    if isinstance(run, FileTrajectory):
        return _copied(run.path, path)
    tables = {group: run.table(group) for group in FRAME_GROUPS}
    ids = {
        group: table.ids
        for group, table in tables.items()
        if table.ids or not FRAME_GROUPS[group].has_ids
    }
    channels = [run.channel(name) for name in run.channel_names]
    specs = [ChannelSpec(c.name, c.unit, c.quantity, c.segment, c.axis, c.cfc) for c in channels]
    events = run.events()
    names = tuple(dict.fromkeys(name for event in events for name in event.elements))
    id_ = str(getattr(run, "run_id", ""))
    writer = ResultsWriter(
        path, ids, specs, run.project_json, app_version, id_, names, keeps_part=False
    )
    try:
        writer.frames(run.time, {group: tables[group].columns for group in ids})
        for channel in channels:
            writer.samples(channel.name, channel.time, channel.value)
        writer.steps(run.steps().columns)
        writer.events(events)
        for time, data in run.checkpoints():
            writer.checkpoint(time, data)
        for line in run.notes:
            writer.log(line)
        writer.finish(run.status, run.message, list(run.injury.values()))
    finally:
        writer.abandon()
    return path


def _copied(source: Path, path: Path) -> Path:
    if path.exists() and path.samefile(source):
        return path
    try:
        with replaced(path) as part:
            shutil.copyfile(source, part)
    except OSError as failure:
        raise ResultsError(
            "'{path}' cannot be written: {strerror}.", path=path, strerror=failure.strerror
        ) from None
    return path


# Make a results file of the part that a killed run has left.


def salvage(part: Path | str, target: Path | str | None = None) -> Path:
    """Save what a killed run had written, as a run that failed; the part stays as it is.

    A record that is damaged ends what is saved. Refused while the run goes on, and where no frame
    was written.
    """
    source = Path(part)
    found = _opened(source)
    try:
        goal = (
            Path(target) if target is not None else source.with_name(Path(found.head.target).name)
        )
        if goal.exists():
            raise ResultsError("'{goal}' is there already; salvage to another name.", goal=goal)
        _save(found, goal)
    finally:
        found.close()
    return goal


def _opened(source: Path) -> Part:
    """Open a part whose run has ended."""
    try:
        mode = source.stat().st_mode
        if stat.S_ISDIR(mode):
            raise ResultsError("'{source}' is a folder, not a part of a run.", source=source)
        if not stat.S_ISREG(mode):
            raise ResultsError("'{source}' is no ordinary file.", source=source)
        found = Part(source)
    except FileNotFoundError:
        raise ResultsError("There is no file '{source}'.", source=source) from None
    except (OSError, ValueError) as failure:
        raise ResultsError(
            "'{source}' cannot be read: {failure}.", source=source, failure=failure
        ) from None
    try:
        found.take()
        if found.last_time is None:
            raise ResultsError(
                "'{source}' holds no frame: there is nothing to save.", source=source
            )
    except Taken:
        found.close()
        raise ResultsError(
            "'{source}' is still being written: its run goes on. Salvage it once that has ended.",
            source=source,
        ) from None
    except ResultsError:
        found.close()
        raise
    return found


def _save(found: Part, goal: Path) -> None:
    from solver.results.making import complete, fill  # with them h5py

    making = finishing_path(goal, found.head.key)
    frames = found.counts[[stream.name for stream in found.head.streams].index("time")]
    words = tr(
        "Salvaged after a crash: {frames} frames were found, up to t = {last_time:.6g} ms.",
        frames=frames,
        last_time=1e3 * (found.last_time or 0.0),
    )
    if not found.is_whole:
        words += " What stands behind them in the part is damaged or was not written to its end."
    try:
        claim = Claim(ordinary(goal))
        try:
            with written(making) as file:
                fill(file, found, goes_on=True)
                complete(file, "failed", words, (), ())
            publish(making, goal)
        finally:
            discard(making)
            claim.release()
    except Taken:
        raise ResultsError(
            "'{goal}' is being written by a run; salvage to another name.", goal=goal
        ) from None
    except (OSError, RuntimeError, KeyError, ValueError, TypeError, OverflowError) as failure:
        raise ResultsError(
            "'{path}' cannot be salvaged: {failure}.", path=found.path, failure=failure
        ) from None
    with contextlib.suppress(OSError):
        name = Path(found.head.target).name
        discard(finishing_path(found.path.with_name(name), found.head.key))
