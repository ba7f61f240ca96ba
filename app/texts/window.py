"""The window itself: welcome, outline, problems, status line, palette and keys."""

from __future__ import annotations

PROGRAM = "Manikin"


MORE_KEYS: list[tuple[str, list[tuple[str, str]]]] = [
    (
        "In the scene",
        [
            ("Drag", "Turn"),
            ("Right drag", "Move"),
            ("Shift+Drag", "Select by a box; with Ctrl, too"),
            ("Alt+Drag a limb", "Pose it, as far as its joint goes"),
            ("Wheel", "Come nearer, go away"),
            ("Click", "Select"),
            ("Ctrl+Click", "Select one more"),
            ("Double-click", "Come close"),
            ("Drag an arrow, a ring, a dot", "Move or turn what is selected; with Ctrl in steps"),
            ("G, R", "Move, turn with the mouse; then X, Y, Z for an axis, or a number"),
            ("Tab, N", "The next point of the element: anchors, corners, surfaces"),
        ],
    ),
    (
        "In a curve",
        [
            ("Drag a point", "Move it, to round numbers; with Alt freely, with Shift one way only"),
            ("Double-click", "Add a point"),
            ("Del", "Remove the point"),
            ("Left, Right", "Go to the next point; with Alt move it"),
        ],
    ),
    (
        "In a field",
        [
            ("Enter", "Take the value over"),
            ("Esc", "Leave it as it was"),
            ("Up, Down", "A step more or less; with Shift ten, with Ctrl a tenth"),
            ("3*25.4 mm", "Sums and any unit are understood"),
        ],
    ),
]
