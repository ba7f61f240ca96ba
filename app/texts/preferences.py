"""Preferences: what may be chosen, and what each choice does."""

from __future__ import annotations

from solver.base.words import msgid

LABELS: dict[str, str] = {
    "units": msgid("Units"),
    "scheme": msgid("Colours"),
    "safe_colours": msgid("Colours for any colour vision"),
    "high_contrast": msgid("High contrast"),
    "text_size": msgid("Size of text"),
    "quality": msgid("Quality of the picture"),
    "by_processor": msgid("Draw without the graphics card"),
    "turn_with": msgid("Turn the scene with"),
    "wheel_ahead": msgid("Wheel, turned ahead"),
    "keep_every_s": msgid("Keep unsaved work every"),
    "recent_files": msgid("Recent files remembered"),
}

TIPS: dict[str, str] = {
    "units": msgid("Units in which numbers are shown and typed; the file keeps SI."),
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
