"""The window itself: welcome, outline, problems, status line, palette and keys."""

from __future__ import annotations

from solver.words import msgid

PROGRAM = "Manikin"


MORE_KEYS: list[tuple[str, list[tuple[str, str]]]] = [
    (
        msgid("In the scene"),
        [
            (msgid("Drag"), msgid("Turn")),
            (msgid("Right drag"), msgid("Move")),
            (msgid("Shift+Drag"), msgid("Select by a box; with Ctrl, too")),
            (msgid("Alt+Drag a limb"), msgid("Pose it, as far as its joint goes")),
            (msgid("Wheel"), msgid("Come nearer, go away")),
            (msgid("Click"), msgid("Select")),
            (msgid("Ctrl+Click"), msgid("Select one more")),
            (msgid("Double-click"), msgid("Come close")),
            (
                msgid("Drag an arrow, a ring, a dot"),
                msgid("Move or turn what is selected; with Ctrl in steps"),
            ),
            ("G, R", msgid("Move, turn with the mouse; then X, Y, Z for an axis, or a number")),
            (msgid("Tab, N"), msgid("The next point of the element: anchors, corners, surfaces")),
        ],
    ),
    (
        msgid("In a curve"),
        [
            (
                msgid("Drag a point"),
                msgid("Move it, to round numbers; with Alt freely, with Shift one way only"),
            ),
            (msgid("Double-click"), msgid("Add a point")),
            ("Del", msgid("Remove the point")),
            (msgid("Left, Right"), msgid("Go to the next point; with Alt move it")),
        ],
    ),
    (
        msgid("In a field"),
        [
            (msgid("Enter"), msgid("Take the value over")),
            (msgid("Esc"), msgid("Leave it as it was")),
            (msgid("Up, Down"), msgid("A step more or less; with Shift ten, with Ctrl a tenth")),
            (msgid("3*25.4 mm"), msgid("Sums and any unit are understood")),
        ],
    ),
]
