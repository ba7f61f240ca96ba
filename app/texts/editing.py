"""Changes of the model: steps of the history, what cannot be done, mends, and points to take hold of."""

from __future__ import annotations

# steps of the history
CHANGED = "Change {field} of {name}"
RENAMED = "Rename {old} to {new}"
DELETED = "Delete {name}"
ADDED = "Add {name}"
DUPLICATED = "Duplicate {name}"
PASTED = "Paste {name}"
MENDED = "{words}: {name}"
PUT_UNDER = "Put {name} under {group}"
PUT_OUT = "Put {name} out of their group"
ATTACHED = "Attach {name} to {target}"

# what was done
DELETED_NOW = "Deleted {name}"
WENT_TOO = "; without it these cannot be and went too: {what}"
MENDED_TOO = "; these do without it now: {what}"
NOTHING_TO_PASTE = "There is nothing to paste: copy elements first."
COPIED = "Copied {name}. Paste it here, in another window, or in another project."
CAME_ALONG = "{what} came along because they need it."
MADE_WITH = "Added {name}, and for it {what}."
THERE_ALREADY = "{name} is in the model already."
ADDED_NOW = "Added {name}."
UNDONE = "Undone: {text}."
REDONE = "Done again: {text}."

# what cannot be done
DROP_WHERE = "Drop on a segment to carry something, or on a heading to group it."
HANGS_ON_NONE = "'{name}' hangs on no joint: add a joint first."
ON_ITSELF = "That would hang it on itself."
NOT_CARRIED = "A {kind} is not carried by a segment."
NO_ELEMENTS = "The clipboard holds no elements of a model."
COPY_FIRST = "Copy some first."
WHAT_TO_MIRROR = "Select what shall be mirrored: a limb, a plane, a belt."
NO_IMAGE = "'{name}' has no place, and so no mirror image."
NO_PANEL = "The panel of this airbag is not found."
POINT_NOT_TURNED = "A point cannot be turned."
TREE_BROKEN = "The tree of joints is broken: mend what Problems says of it first."

# names of mirrored elements
SIDES: dict[str, str] = {"left": "right", "right": "left", "Left": "Right", "Right": "Left"}
MIRRORED = "{name}, mirrored"

# what can be taken hold of
SURFACE = "Surface {name}"
CORNER = "Corner {number}"
DEPLOYMENT_POINT = "Deployment point"
FIXED_POINT = "Fixed point"
POINT = "Point"
KINDS_OF_POINTS: dict[str, str] = {
    "anchor": "Anchor",
    "ring": "Ring",
    "junction": "Junction",
    "surface": "Point",
}
ONE_OF_POINTS = "{kind} {number}"

# one-click mends
USE = "Use '{name}'"
RENAME_SECOND = "Rename the second"
MAKE_MUTUAL = "Make it mutual"
NAME_NO_TWIN = "Name no twin"
REMOVE_START = "Remove this start"
START_AT_ZERO = "Start at zero"
DELETE_IT = "Delete it"
REMOVE_ENTRY = "Remove this entry"
TAKE_OFF = "Take it off"
SET_BACK = "Set it back"
RAISE_FRICTION = "Raise static friction"
ADD_RUN = "Add a run"
ADD_SEGMENT = "Add a segment"
SORT_POINTS = "Sort the points"
LEAVE_REST = "Leave out the rest"
LOWER_TO_LIMIT = "Lower it to the limit"
MOVE_ONTO = "Move it onto the ellipsoid"
BRING_TOGETHER = "Bring the points together"
HOLD_DISTANCE = "Hold the distance at the start"
HOLD_TOGETHER = "Hold the points together"
NAME_ONCE = "Name each once"
AS_NUMBER = "Take it as a number"
STORE_FRAMES = "Store a hundred frames"
SHORTEN_STEP = "Shorten the step"
