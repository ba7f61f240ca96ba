"""What people may choose for themselves, as data: its usual value and what else it may be."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from PySide6.QtCore import Qt

from app.forms.units import SYSTEMS
from solver.base.units import UnitError, given_by, is_own

Value = str | int | bool


@dataclass(frozen=True, slots=True)
class Preference:
    """Hold one preference: a choice of words, a whole number in a range, or a switch."""

    name: str
    section: str
    usual: Value
    choices: tuple[str, ...] = ()
    least: int = 0
    most: int = 0

    def fits(self, value: object) -> bool:
        """Tell whether a value is one that it may have."""
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
    """Tell whether a value is an own system of units, told as a list."""
    try:
        return isinstance(value, str) and is_own(value) and bool(given_by(value))
    except UnitError:
        return False


PREFERENCES: tuple[Preference, ...] = (
    Preference("units", "numbers", "metric", SYSTEMS),
    Preference("scheme", "look", "system", ("system", "light", "dark")),
    Preference("safe_colours", "look", False),
    Preference("high_contrast", "look", False),
    Preference("text_size", "look", "usual", ("small", "usual", "large", "huge")),
    Preference("quality", "scene", "balanced", ("quick", "balanced", "fine")),
    *((Preference("by_processor", "scene", False),) if sys.platform == "linux" else ()),
    Preference("turn_with", "scene", "left", ("left", "middle", "right")),
    Preference("wheel_ahead", "scene", "nearer", ("nearer", "away")),
    Preference("keep_every_s", "files", 4, least=1, most=8),
    Preference("recent_files", "files", 10, least=0, most=30),
)
"""All preferences, in the order of the dialog; the words stand in `texts.preferences`.

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
