"""What people may choose for themselves, as data: its usual value and what else it may be."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from PySide6.QtCore import Qt

from app.forms.units import SYSTEMS
from solver.base.units import UnitError, given_by, is_own
from solver.base.words import msgid

Value = str | int | bool


@dataclass(frozen=True, slots=True)
class Preference:
    """One preference: a choice of words, a whole number in a range, or a switch."""

    name: str
    section: str
    usual: Value
    choices: tuple[str, ...] = ()
    least: int = 0
    most: int = 0

    def fits(self, value: object) -> bool:
        """Whether a value is one that it may have."""
        if self.choices:
            return value in self.choices or (self.name == "units" and is_units(value))
        if isinstance(self.usual, bool):
            return isinstance(value, bool)
        return isinstance(value, int) and self.least <= value <= self.most

    def read(self, text: str) -> Value:
        """Read a value as it was written; what does not fit is as if it had not been set."""
        value: object = text
        if isinstance(self.usual, bool):
            value = {"true": True, "false": False}.get(text)
        elif isinstance(self.usual, int):
            value = int(text) if text.lstrip("-").isdecimal() else None
        return value if self.fits(value) else self.usual  # type: ignore[return-value]

    def written(self, value: Value) -> str:
        """Write a value."""
        return str(value).lower() if isinstance(value, bool) else str(value)


def is_units(value: object) -> bool:
    """Whether a value is an own system of units, told as a list."""
    try:
        return isinstance(value, str) and is_own(value) and bool(given_by(value))
    except UnitError:
        return False


PREFERENCES: tuple[Preference, ...] = (
    Preference("units", "numbers", "metric", SYSTEMS),
    Preference("language", "look", "system", ("system", "en", "de")),
    Preference("scheme", "look", "system", ("system", "light", "dark")),
    Preference("safe_colours", "look", False),
    Preference("high_contrast", "look", False),
    Preference("text_size", "look", "usual", ("small", "usual", "large", "huge")),
    Preference("quality", "scene", "balanced", ("quick", "balanced", "fine")),
    *((Preference("by_processor", "scene", False),) if sys.platform == "linux" else ()),
    Preference("sees_past", "scene", True),
    Preference("turn_with", "scene", "left", ("left", "middle", "right")),
    Preference("wheel_ahead", "scene", "nearer", ("nearer", "away")),
    Preference("keep_every_s", "files", 4, least=1, most=8),
    Preference("recent_files", "files", 10, least=0, most=30),
)
"""All preferences, in the order of the dialog; the words follow.

Graphics by the processor can be asked for where Mesa draws, which is on Linux. Unsaved work is kept so
often that a crash loses less than ten seconds, whatever is chosen.
"""

BY_NAME = {one.name: one for one in PREFERENCES}
TEXT_SIZES_PX = {"small": 12, "usual": 13, "large": 15, "huge": 18}
SCHEMES = {
    "system": Qt.ColorScheme.Unknown,
    "light": Qt.ColorScheme.Light,
    "dark": Qt.ColorScheme.Dark,
}
BUTTONS = {
    "left": Qt.MouseButton.LeftButton,
    "middle": Qt.MouseButton.MiddleButton,
    "right": Qt.MouseButton.RightButton,
}

LABELS: dict[str, str] = {
    "units": msgid("Units"),
    "language": msgid("Language"),
    "scheme": msgid("Colours"),
    "safe_colours": msgid("Colours for any colour vision"),
    "high_contrast": msgid("High contrast"),
    "text_size": msgid("Size of text"),
    "quality": msgid("Quality of the picture"),
    "by_processor": msgid("Draw without the graphics card"),
    "sees_past": msgid("See past what covers people"),
    "turn_with": msgid("Turn the scene with"),
    "wheel_ahead": msgid("Wheel, turned ahead"),
    "keep_every_s": msgid("Keep unsaved work every"),
    "recent_files": msgid("Recent files remembered"),
}

TIPS: dict[str, str] = {
    "units": msgid("Units in which numbers are shown and typed; the file keeps SI."),
    "language": msgid("Of menus, panels and messages, from the next start on."),
    "scheme": msgid("Light or dark, or whichever the system has."),
    "safe_colours": msgid(
        "Errors, warnings, limits and axes take colours that everyone can tell apart."
    ),
    "high_contrast": msgid(
        "Black on white, or white on black, with plain edges; also where the system asks for it."
    ),
    "text_size": msgid("The size of all words and numbers of the window."),
    "quality": (
        msgid(
            "Quick keeps up on slow machines, with rough edges; fine always draws every pixel, with "
            "the smoothest edges."
        )
    ),
    "by_processor": msgid("Helps where a driver draws nothing, or draws wrongly. It is slower."),
    "sees_past": msgid(
        "In a run, an airbag, a pillar or a seat that stands before head, chest or hands is half seen through."
    ),
    "turn_with": msgid(
        "With the middle or right button, dragging with the left one selects by a box."
    ),
    "wheel_ahead": msgid("Whether one comes nearer or goes away."),
    "keep_every_s": msgid(
        "After a crash the program offers what it kept; so much can be lost at most."
    ),
    "recent_files": msgid(
        "How many are listed on the welcome page and in the File menu; none for 0."
    ),
}

CHOICES: dict[str, dict[str, str]] = {
    "units": {"metric": msgid("Metric"), "si": "SI", "inch_pound": msgid("Inch–pound")},
    "language": {"system": msgid("As the system"), "en": "English", "de": "Deutsch"},
    "scheme": {"system": msgid("As the system"), "light": msgid("Light"), "dark": msgid("Dark")},
    "text_size": {
        "small": msgid("Small"),
        "usual": msgid("Usual"),
        "large": msgid("Large"),
        "huge": msgid("Very large"),
    },
    "quality": {"quick": msgid("Quick"), "balanced": msgid("Balanced"), "fine": msgid("Fine")},
    "turn_with": {
        "left": msgid("the left button"),
        "middle": msgid("the middle button"),
        "right": msgid("the right button"),
    },
    "wheel_ahead": {"nearer": msgid("comes nearer"), "away": msgid("goes away")},
}
