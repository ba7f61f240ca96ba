"""The Place menu: move, turn, pose, settle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.actions.action import Action, with_elements, with_project

if TYPE_CHECKING:
    from app.window import MainWindow


def _has_grips(window: MainWindow) -> bool:
    return with_project(window) and bool(window.placing.hands.grips)


def _with_harness(window: MainWindow) -> bool:
    return with_project(window) and window.document.selection.startswith("harnesses/")


PLACE: tuple[Action, ...] = (
    Action(
        "place.move",
        lambda w: w.placing.hands.begin("move"),
        "G",
        _has_grips,
        in_scene=True,
    ),
    Action(
        "place.turn",
        lambda w: w.placing.hands.begin("turn"),
        "R",
        _has_grips,
        in_scene=True,
    ),
    Action(
        "place.next",
        lambda w: w.placing.hands.next_grip(),
        "N",
        _has_grips,
        in_scene=True,
    ),
    Action(
        "place.own_axes",
        lambda w: w.placing.toggle_own_axes(),
        "Shift+G",
        with_project,
        is_on=lambda w: w.placing.hands.holding.own_axes,
        in_scene=True,
    ),
    Action(
        "place.strap",
        lambda w: w.placing.begin_strap(),
        "Shift+L",
        with_project,
        is_on=lambda w: w.placing.strapping.is_on,
        line_before=True,
        in_scene=True,
    ),
    Action(
        "place.lay",
        lambda w: w.placing.lay_anew(),
        enabled=_with_harness,
    ),
    Action(
        "place.body",
        lambda w: w.placing.insert_body(),
        "Ctrl+B",
        with_project,
        icon="body",
    ),
    Action(
        "place.library",
        lambda w: w.placing.insert_part(),
        "Ctrl+I",
        with_project,
        icon="library",
    ),
    Action(
        "place.settle",
        lambda w: w.placing.settle(),
        "Ctrl+E",
        with_project,
    ),
    Action(
        "place.pose",
        lambda w: w.placing.toggle_posing(),
        "Shift+P",
        with_project,
        is_on=lambda w: w.placing.limbs.mode,
    ),
    Action(
        "place.mirror",
        lambda w: w.placing.mirror(),
        "Ctrl+Shift+D",
        with_elements,
    ),
)
