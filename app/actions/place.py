"""The Place menu: move, turn, pose, settle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.actions.action import Action, with_elements, with_project

if TYPE_CHECKING:
    from app.window import MainWindow


def _has_grips(window: MainWindow) -> bool:
    return with_project(window) and bool(window.placing.hands.grips)


PLACE: tuple[Action, ...] = (
    Action(
        "place.move",
        "&Place",
        "&Move",
        lambda w: w.placing.hands.begin("move"),
        "G",
        _has_grips,
        in_scene=True,
        tip="Move what is selected with the mouse; X, Y, Z keep to an axis, a number sets the way.",
    ),
    Action(
        "place.turn",
        "&Place",
        "&Turn",
        lambda w: w.placing.hands.begin("turn"),
        "R",
        _has_grips,
        in_scene=True,
        tip="Turn what is selected with the mouse; X, Y, Z choose the axis, a number sets the angle.",
    ),
    Action(
        "place.next",
        "&Place",
        "&Next point",
        lambda w: w.placing.hands.next_grip(),
        "N",
        _has_grips,
        in_scene=True,
        tip="Put the handles on the next point of the element: anchors, corners, surfaces.",
    ),
    Action(
        "place.own_axes",
        "&Place",
        "Handles along &own axes",
        lambda w: w.placing.toggle_own_axes(),
        "Shift+G",
        with_project,
        is_on=lambda w: w.placing.hands.own_axes,
        in_scene=True,
        tip="Lay the handles along the axes of the element instead of those of the ground.",
    ),
    Action(
        "place.body",
        "&Place",
        "Insert a &body…",
        lambda w: w.placing.insert_body(),
        "Ctrl+B",
        with_project,
        line_before=True,
        tip="A man, a woman or a child of any size, seated, driving, standing or lying.",
    ),
    Action(
        "place.settle",
        "&Place",
        "&Settle…",
        lambda w: w.placing.settle(),
        "Ctrl+E",
        with_project,
        tip="Look at how the model starts, and let bodies come to rest on seat, floor and belts.",
    ),
    Action(
        "place.pose",
        "&Place",
        "&Pose limbs by dragging",
        lambda w: w.placing.toggle_posing(),
        "Shift+P",
        with_project,
        is_on=lambda w: w.placing.limbs.mode,
        tip="Take a limb in the scene and let it follow the mouse; Alt+drag does it at any time.",
    ),
    Action(
        "place.mirror",
        "&Place",
        "M&irror left and right",
        lambda w: w.placing.mirror(),
        "Ctrl+Shift+D",
        with_elements,
        tip="Write the mirror image of what is selected onto its twin, or make one.",
    ),
)
