"""The scene and what hands do in it: moving, posing, measuring, hiding, bodies, settling."""

from __future__ import annotations

COORDINATES = {
    "angle": "Angle",
    "first": "First angle",
    "second": "Second angle",
    "precession": "Precession",
    "nutation": "Nutation",
    "spin": "Spin",
    "yaw": "Yaw",
    "pitch": "Pitch",
    "roll": "Roll",
    "slide": "Slide",
}
"""Of joints, by their names in the table of joints."""

LENGTH = "length {length}"


POSED = "Pose {name}"


INSERT = "Insert"
CANCEL = "Cancel"


HANDLES: dict[str, str] = {
    "axis": "Drag the arrow to move along {axis}; Ctrl keeps to round steps.",
    "plane": "Drag the square to move across {axis}; Ctrl keeps to round steps.",
    "free": "Drag to move with the view; Ctrl keeps to round steps.",
    "turn": "Drag the ring to turn about {axis}; Ctrl keeps to 5°.",
}
"""What a handle under the mouse does."""


CANCEL_TIP = "Leave the model as it was (Esc)"
PLACE_ALONG = "Place along {axis}"
