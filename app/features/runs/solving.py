"""The commands that solve: run, go on, hold, cancel, live, save and compare."""

from __future__ import annotations

from collections.abc import Callable

from app.command import Command
from app.study.record import RunRecord
from app.workbench import Workbench
from solver.base.words import tr


def solving(
    bench: Workbench, save: Callable[[RunRecord | None], object], compare: Callable[[], object]
) -> tuple[Command, ...]:
    """Give the commands."""
    study, live = bench.study, bench.live

    def is_running() -> bool:
        return bench.has_project() and study.runs.running() is not None

    def may_go_on() -> bool:
        record = study.runs.current
        return bench.has_project() and record is not None and record.has_ended

    def plays() -> bool:
        return bench.has_project() and study.replay is not None

    def may_compare() -> bool:
        ended = [record for record in study.runs.records if record.has_ended]
        return bench.has_project() and len(ended) > 1

    return (
        Command(
            "run.run",
            tr("&Run"),
            tr("Solve the model; scene and curves follow while it works."),
            study.run,
            "F5",
            bench.has_project,
        ),
        Command(
            "run.hold",
            tr("&Hold or go on"),
            tr("Hold the solver where it is, or let it go on."),
            study.toggle_pause,
            "F6",
            is_running,
        ),
        Command(
            "run.cancel",
            tr("&Cancel"),
            tr("End the run now; what was solved so far is kept."),
            study.cancel,
            "Shift+F5",
            is_running,
        ),
        Command(
            "run.go_on",
            tr("&Go on from this run"),
            tr(
                "Solve on from where the run that is shown has come to: after it was cancelled, or "
                "once its duration is longer. All else must be as it was."
            ),
            study.go_on,
            enabled=may_go_on,
        ),
        Command(
            "run.live",
            tr("Run after every change, &live"),
            tr("Solve again by itself after every change, with the run of before beside it."),
            lambda: live.switch(not live.is_on),
            "Ctrl+L",
            bench.has_project,
            is_on=lambda: live.is_on,
        ),
        Command(
            "run.save",
            tr("Save r&esults…"),
            tr("Write the run into a results file, with its exact model."),
            lambda: save(study.runs.current),
            enabled=plays,
            choice="written",
        ),
        Command(
            "run.compare",
            tr("Compare r&uns"),
            tr("Set the chosen runs, or the last two, side by side: figures, peaks, models."),
            compare,
            "F9",
            may_compare,
        ),
    )
