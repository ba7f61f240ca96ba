"""The Run menu: solve, watch, step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.actions.action import Action, with_project

if TYPE_CHECKING:
    from app.window import MainWindow


def _runs(window: MainWindow) -> bool:
    return with_project(window) and window.study.runs.running() is not None


def _has_two(window: MainWindow) -> bool:
    return with_project(window) and sum(r.has_ended for r in window.study.runs.records) > 1


def _plays(window: MainWindow) -> bool:
    return with_project(window) and window.study.replay is not None


RUN: tuple[Action, ...] = (
    Action("run.run", lambda w: w.study.run(), "F5", with_project),
    Action("run.hold", lambda w: w.study.toggle_pause(), "F6", _runs),
    Action("run.cancel", lambda w: w.study.cancel(), "Shift+F5", _runs),
    Action(
        "run.live",
        lambda w: w.live.switch(not w.live.is_on),
        "Ctrl+L",
        with_project,
        is_on=lambda w: w.live.is_on,
    ),
    Action(
        "run.open",
        lambda w: w.files.ask_for_results(),
        "Ctrl+Shift+R",
        line_before=True,
    ),
    Action(
        "run.model",
        lambda w: w.study.switch(False),
        "F7",
        _plays,
        line_before=True,
    ),
    Action("run.study", lambda w: w.study.switch(True), "F8", _plays),
    Action(
        "run.play",
        lambda w: w.study.toggle_play(),
        "Space",
        _plays,
        line_before=True,
        in_scene=True,
    ),
    Action("run.shuttle_back", lambda w: w.study.shuttle(-1), "J", _plays, in_scene=True),
    Action("run.shuttle_hold", lambda w: w.study.shuttle(0), "K", _plays, in_scene=True),
    Action("run.shuttle", lambda w: w.study.shuttle(1), "L", _plays, in_scene=True),
    Action(
        "run.back",
        lambda w: w.study.step(-1),
        "Left",
        _plays,
        in_scene=True,
    ),
    Action(
        "run.ahead",
        lambda w: w.study.step(1),
        "Right",
        _plays,
        in_scene=True,
    ),
    Action(
        "run.start",
        lambda w: w.study.go(0.0),
        "Ctrl+Left",
        _plays,
        in_scene=True,
    ),
    Action(
        "run.end",
        lambda w: w.study.go(1e9),
        "Ctrl+Right",
        _plays,
        in_scene=True,
    ),
    Action(
        "run.ride",
        lambda w: w.desk.ride(),
        "Shift+C",
        _plays,
        line_before=True,
    ),
    Action("run.film", lambda w: w.desk.film(), "Ctrl+M", _plays),
    Action(
        "run.strip",
        lambda w: w.outputs.ask_for_strip(),
        "Ctrl+Shift+M",
        _plays,
    ),
    Action(
        "run.scene",
        lambda w: w.outputs.ask_for_scene(),
        enabled=_plays,
    ),
    Action(
        "run.copy_picture",
        lambda w: w.desk.copy_picture(),
        "Ctrl+Shift+C",
        with_project,
    ),
    Action(
        "run.picture",
        lambda w: w.desk.ask_for_picture(),
        enabled=with_project,
    ),
    Action(
        "run.save",
        lambda w: w.desk.ask_to_save(w.study.runs.current),
        enabled=_plays,
    ),
    Action(
        "run.report",
        lambda w: w.desk.ask_for_report(),
        "Ctrl+R",
        _plays,
    ),
    Action("run.pin", lambda w: w.panels.pin_field(), "Ctrl+P", with_project, line_before=True),
    Action(
        "run.compare",
        lambda w: w.desk.compare(),
        "F9",
        _has_two,
    ),
)
