"""The inspector: fields, lists, references, and what several elements have in common."""

from __future__ import annotations

NONE = "none"
YES = "yes"
NO = "no"
NOT_WHOLE = "A whole number is needed."
NO_NUMBERS = "numbers, separated by commas"
GO_TO = "Show this element"
BY_NUMBER = "A number"
BY_FUNCTION = "A function"
ADD = "Add"
ADD_ENTRY = "Add {what}"
REMOVE_ENTRY = "Remove"
MOVE_UP = "Move up"
MOVE_DOWN = "Move down"
COPY_ENTRY = "Duplicate"
USED_BY = "Used by"
NAMES_AND_NOTES = "Name and notes"
SEARCH_HERE = "type to search"
SEVERAL = "{what}"
SEVERAL_HINT = "A dash stands for values that differ; a value set here is set in all {what}."
SEVERAL_KINDS_HINT = (
    "These are the fields of {name}; a dash stands for values that differ, and a value set here is "
    "set in all {what}."
)
ONE_OF_KIND_HINT = "These are the fields of {name}, and a value set here is set in it alone."
MIXED = "—"
ID_OF_ONE = "An id belongs to one element alone: select it by itself to change its id."
SOME_FIELD = "value"
UNKNOWN_REFERENCE = "{id} (missing)"
CHANGED_KIND = "Change kind of {name} to {kind}"
ADDED_ENTRY = "Add {what} to {name}"
REMOVED_ENTRY = "Remove {what} from {name}"
MOVED_ENTRY = "Move {what} in {name}"
NONE_LEFT = "All are in the list already."
SOURCE = "Source: {source}"
MAKE_NEW = "＋ Make a new one"
RANGE = "Range: {limits}."
RANGE_IN = "{limits} (in {unit})"
NAMED_AS = "Named there as: {roles}."
NUMBERS = "{count} numbers"
NUMBERS_IN = "{count} numbers in {unit}"

SPOKEN: dict[str, str] = {
    "lines": "straight lines",
    "spline_at_rest": "spline, level at its ends",
    "four_points": "cubics through four points",
    "points": "three corners",
    "frame": "frame and size",
    "dopri": "Dormand–Prince 5(4)",
    "vei": "vector exponential",
    "rk4": "Runge–Kutta 4",
    "zyx": "z y x: yaw, pitch, roll",
    "zxz": "z x z: precession, nutation, spin",
    "pin_y": "pin about y",
    "pin_z": "pin about z",
    "hunt_crossley": "Hunt and Crossley",
    "lankarani_nikravesh": "Lankarani and Nikravesh",
    "kelvin_voigt": "spring and dashpot",
    "3ms": "3 ms",
}
"""Words of the schema as people say them, where that is not the word itself."""

SINGULAR: dict[str, str] = {
    "Surfaces": "surface",
    "Bends": "bend",
    "Straps": "strap",
    "Points": "point",
    "Vents": "vent",
    "Components": "component",
    "Targets": "target",
    "Shields": "shield",
    "Touches": "surface",
    "Reaction panels": "panel",
    "Roots": "root",
    "Attitudes": "attitude",
    "Joints": "joint",
    "Segments": "segment",
    "Convergence tests": "test",
}
"""One entry of a list, by the label of the list."""
PIN = "Pin as slider"
PIN_ONE = "Pin {part} as slider"
AXES = ("x", "y", "z")
ANGLES = ("the first angle", "the second angle", "the third angle")
OPEN_PART = "Open or close this part"
