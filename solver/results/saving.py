"""Write a run that is in memory into a results file."""

from __future__ import annotations

import shutil
from pathlib import Path

from solver.base.whole import replaced
from solver.results.layout import FRAME_GROUPS, ChannelSpec, ResultsError
from solver.results.reader import FileTrajectory
from solver.results.trajectory import Trajectory
from solver.results.writer import ResultsWriter


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
