"""The scene and what hands do in it: moving, posing, measuring, hiding, bodies, settling."""

from __future__ import annotations

from solver.base.words import msgid

COORDINATES = {
    "angle": msgid("Angle"),
    "first": msgid("First angle"),
    "second": msgid("Second angle"),
    "precession": msgid("Precession"),
    "nutation": msgid("Nutation"),
    "spin": msgid("Spin"),
    "yaw": msgid("Yaw"),
    "pitch": msgid("Pitch"),
    "roll": msgid("Roll"),
    "slide": msgid("Slide"),
    "x": msgid("Along x"),
    "y": msgid("Along y"),
    "z": msgid("Along z"),
    "turn_x": msgid("Turn about x"),
    "turn_y": msgid("Turn about y"),
    "turn_z": msgid("Turn about z"),
    "at_parent": msgid("Turn at the parent"),
    "length": msgid("Length"),
    "at_child": msgid("Turn at the child"),
    "flexure": msgid("Flexure"),
    "torsion": msgid("Torsion"),
}
"""Of joints, by their names in the table of joints; flexure and torsion of those that turn as a ball."""

LENGTH = msgid("length {length}")


POSED = msgid("Pose {name}")


INSERT = msgid("Insert")
CANCEL = msgid("Cancel")


HANDLES: dict[str, str] = {
    "axis": msgid("Drag the arrow to move along {axis}; Ctrl keeps to round steps."),
    "plane": msgid("Drag the square to move across {axis}; Ctrl keeps to round steps."),
    "free": msgid("Drag to move with the view; Ctrl keeps to round steps."),
    "turn": msgid("Drag the ring to turn about {axis}; Ctrl keeps to 5°."),
}
"""What a handle under the mouse does."""


CANCEL_TIP = msgid("Leave the model as it was (Esc)")
PLACE_ALONG = msgid("Place along {axis}")
