"""Eight cadavers on a sled at 40 km/h, and the generator's man of their mass in their place."""

from validation.gold_standard.page import ASKED, PICTURE, TITLE, picture, section, verdicts
from validation.gold_standard.reading import PATHS, Found, found, measured, solved
from validation.gold_standard.rig import PAD_M, SITS_N, SUNK_M, man, pad, scene

__all__ = ["ASKED", "PAD_M", "PATHS", "PICTURE", "SITS_N", "SUNK_M", "TITLE", "Found", "found", "man", "measured", "pad", "picture", "scene", "section", "solved", "verdicts"]  # fmt: skip
