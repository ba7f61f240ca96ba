"""The Run menu: solve, watch, step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.actions.action import Action, with_project

if TYPE_CHECKING:
    from app.window import MainWindow


def _runs(window: MainWindow) -> bool:
    return with_project(window) and window.study.runs.running() is not None


def _plays(window: MainWindow) -> bool:
    return with_project(window) and window.study.replay is not None


RUN: tuple[Action, ...] = (
    Action("run.run", "&Run", "&Run", lambda w: w.study.run(), "F5", with_project),
    Action("run.hold", "&Run", "&Hold or go on", lambda w: w.study.toggle_pause(), "F6", _runs),
    Action("run.cancel", "&Run", "&Cancel", lambda w: w.study.cancel(), "Shift+F5", _runs),
    Action(
        "run.live",
        "&Run",
        "Run after every change, &live",
        lambda w: w.live.switch(not w.live.is_on),
        "Ctrl+L",
        with_project,
        is_on=lambda w: w.live.is_on,
    ),
    Action(
        "run.open",
        "&Run",
        "Open &results…",
        lambda w: w.files.ask_for_results(),
        "Ctrl+Shift+R",
        line_before=True,
    ),
    Action(
        "run.model",
        "&Run",
        "Look at the &model",
        lambda w: w.study.switch(False),
        "F7",
        _plays,
        line_before=True,
    ),
    Action("run.study", "&Run", "Look at the r&un", lambda w: w.study.switch(True), "F8", _plays),
    Action(
        "run.play",
        "&Run",
        "&Play or hold",
        lambda w: w.study.toggle_play(),
        "Space",
        _plays,
        line_before=True,
        in_scene=True,
    ),
    Action(
        "run.back",
        "&Run",
        "One frame &back",
        lambda w: w.study.step(-1),
        "Left",
        _plays,
        in_scene=True,
    ),
    Action(
        "run.ahead",
        "&Run",
        "One frame &on",
        lambda w: w.study.step(1),
        "Right",
        _plays,
        in_scene=True,
    ),
    Action(
        "run.start",
        "&Run",
        "To the &start",
        lambda w: w.study.go(0.0),
        "Ctrl+Left",
        _plays,
        in_scene=True,
    ),
    Action(
        "run.end",
        "&Run",
        "To the &end",
        lambda w: w.study.go(1e9),
        "Ctrl+Right",
        _plays,
        in_scene=True,
    ),
    Action(
        "run.ride",
        "&Run",
        "Camera &goes with the selected segment",
        lambda w: w.desk.ride(),
        "Shift+C",
        _plays,
        line_before=True,
    ),
    Action("run.film", "&Run", "&Write a movie…", lambda w: w.desk.film(), "Ctrl+M", _plays),
    Action(
        "run.strip",
        "&Run",
        "Write a &filmstrip…",
        lambda w: w.outputs.ask_for_strip(),
        "Ctrl+Shift+M",
        _plays,
        tip="Instants of the run side by side in one picture",
    ),
    Action(
        "run.scene",
        "&Run",
        "Write the moving sc&ene…",
        lambda w: w.outputs.ask_for_scene(),
        enabled=_plays,
        tip="glTF for viewers and slides, VTKHDF for ParaView",
    ),
    Action(
        "run.copy_picture",
        "&Run",
        "Copy the p&icture",
        lambda w: w.desk.copy_picture(),
        "Ctrl+Shift+C",
        with_project,
    ),
    Action(
        "run.picture",
        "&Run",
        "&Save the picture…",
        lambda w: w.desk.ask_for_picture(),
        enabled=with_project,
    ),
    Action(
        "run.save",
        "&Run",
        "Save r&esults…",
        lambda w: w.desk.ask_to_save(w.study.runs.current),
        enabled=_plays,
    ),
    Action(
        "run.report",
        "&Run",
        "Write a repor&t…",
        lambda w: w.desk.ask_for_report(),
        "Ctrl+R",
        _plays,
    ),
)
