"""Preferences: what may be chosen, and what each choice does."""

from __future__ import annotations

LABELS: dict[str, str] = {
    "units": "Units",
    "scheme": "Colours",
    "safe_colours": "Colours for any colour vision",
    "text_size": "Size of text",
    "quality": "Quality of the picture",
    "by_processor": "Draw without the graphics card",
    "turn_with": "Turn the scene with",
    "wheel_ahead": "Wheel, turned ahead",
    "keep_every_s": "Keep unsaved work every",
    "recent_files": "Recent files remembered",
}

TIPS: dict[str, str] = {
    "units": "Units in which numbers are shown and typed; the file keeps SI.",
    "scheme": "Light or dark, or whichever the system has.",
    "safe_colours": "Errors, warnings, limits and axes take colours that everyone can tell apart.",
    "text_size": "The size of all words and numbers of the window.",
    "quality": (
        "Quick keeps up on slow machines, with rough edges; fine always draws every pixel, with "
        "the smoothest edges."
    ),
    "by_processor": "Helps where a driver draws nothing, or draws wrongly. It is slower.",
    "turn_with": "With the middle or right button, dragging with the left one selects by a box.",
    "wheel_ahead": "Whether one comes nearer or goes away.",
    "keep_every_s": "After a crash the program offers what it kept; so much can be lost at most.",
    "recent_files": "How many are listed on the welcome page and in the File menu; none for 0.",
}

CHOICES: dict[str, dict[str, str]] = {
    "units": {"metric": "Metric", "si": "SI", "inch_pound": "Inch–pound"},
    "scheme": {"system": "As the system", "light": "Light", "dark": "Dark"},
    "text_size": {"small": "Small", "usual": "Usual", "large": "Large", "huge": "Very large"},
    "quality": {"quick": "Quick", "balanced": "Balanced", "fine": "Fine"},
    "turn_with": {
        "left": "the left button",
        "middle": "the middle button",
        "right": "the right button",
    },
    "wheel_ahead": {"nearer": "comes nearer", "away": "goes away"},
}
