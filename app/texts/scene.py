"""The scene and what hands do in it: moving, posing, measuring, hiding, bodies, settling."""

from __future__ import annotations

SCENE = "Scene"
SECOND_SCENE = "Scene of the other run"

# two runs side by side
CLOSE_VIEW = "Close this view (Esc)"
NO_OTHER_RUN = "There is no other run that has ended: run the model once more, or open results."
SIDE_BY_SIDE = "{name} is seen beside the current run, at the same instants; Esc closes it."
ENDED_AT = "ended at {ms:.4g} ms"

SIDES: dict[str, str] = {
    "front": "Front",
    "back": "Back",
    "side": "Right",
    "left": "Left",
    "top": "Top",
    "bottom": "Below",
}
"""Written on the cube of views."""

# coordinates of joints
ANGLE = "Angle"
FIRST_ANGLE = "First angle"
SECOND_ANGLE = "Second angle"
PRECESSION = "Precession"
NUTATION = "Nutation"
SPIN = "Spin"
YAW = "Yaw"
PITCH = "Pitch"
ROLL = "Roll"
SLIDE = "Slide"
COORDINATE_OF = "{coordinate} of {joint}"

# moving and turning
TAKE_IT = "{grip}: drag it, or press G to move, R to turn."
NOTHING_TO_TAKE = "Select something that has a place first: a segment, a plane, a belt."
CANNOT_MOVE = "{grip} cannot be moved."
CANNOT_TURN = "{grip} cannot be turned."
MOVED = "Move {name}"
TURNED = "Turn {name}"
GRIP_OF = "{grip} of {name}"
LENGTH = "length {length}"
LONGER = "{length}, {by} longer"
SHORTER = "{length}, {by} shorter"

# straps
LAP_BELT = "Lap belt"
SHOULDER_BELT = "Shoulder belt"
STRAP = "Strap"
STRAP_FROM = "Click the first anchor: on a plane or the vehicle, on another anchor, or beside the body; Esc leaves."
STRAP_TO = "Click the second anchor; Enter takes the mirror image of the first, ↑ and ↓ turn the strap, Esc leaves."
STRAP_ENDED = "No strap was laid."
STRAP_ADDED = "Add {name}"
STRAP_ADDED_NOW = "Added {name}: {length} over {over}. Drag its anchors by their dots."
FIRST_ANCHOR = "First anchor on {name}"
SECOND_ANCHOR = "Second anchor on {name}   {what}"
NOBODY = "There is no body that a strap could be laid over: insert one first."
LAID_ANEW_TEXT = "Lay {name} anew"
LAID_ANEW_NOW = "{name} is laid anew: {lengths}."

# posing
POSED = "Pose {name}"
POSING = "Drag a limb to pose it; Shift+P ends posing."
POSING_ENDED = "Posing ended."
LOCKED = "{name} is held by a locked joint."

# hiding and cutting
ELEMENTS = "{count} elements"
CUT_AT = "Cut at {axis} = {mm:.0f} mm; [ and ] move the cut."
CUT_NOW_AT = "Cut at {axis} = {mm:.0f} mm."

# mirroring
MIRRORED = "Mirror {name}"
MIRRORED_NOW = "Mirrored {name} onto the other side."
MIRRORED_WITH = "Mirrored {name} onto the other side; new: {what}."

# inserting bodies
WHO: dict[str, str] = {
    "man": "Man",
    "woman": "Woman",
    "child": "Child",
    "male-50": "50th-percentile man, as printed",
    "male-95": "95th-percentile man, as printed",
}
BODY_KG = "{title}: {kg:.1f} kg"
BODY_KG_TALL = "{title}: {kg:.1f} kg, {tall:.2f} m tall"

# settling
VERDICTS: dict[str, str] = {
    "balanced": "The model starts at rest.",
    "accepted": "The model starts nearly at rest, as is common practice.",
    "unbalanced": "The model does not start at rest: it will fall, or be thrown, as the run begins.",
}
MOVES = "{name} moves {mm:.0f} mm."
HEALTH: dict[str, str] = {
    "segments": "Acceleration of mass centres",
    "contacts": "Pressed in by contacts",
    "belts": "Tension of belts",
    "stops": "Beyond the stops of joints",
}
LESS_THAN = "< {finest:g} {unit}"
MOVES_ALONG = "with {what} joined to it"
HEALTH_COLUMNS = ("At the start", "Before", "After")

# body_dialog
BODY_TITLE = "Insert a body"
BODY_HINT = "Drag the body, its arrows or its ring in the scene, or type its place here."
BODY_AT = "{place}   faces {facing}"
HIPS_AT = "Middle of the hips at"
LOWEST_AT = "Lowest point at"
BY_PERCENTILE = "Percentile"
BY_SIZE = "Height and weight"
TH_PERCENTILE = "th percentile"
OWN_HANDS = "Hands of their own"
SENSORS = "Sensors in head, chest and pelvis"
RESTS = "Rests on seat, back and floor"
RESTS_TIP = "Lets trunk, legs and feet press on the planes that move with it; the laws come from the library."
INSERT = "Insert"
CANCEL = "Cancel"
PERSON = "Person"
SIZE_BY = "Size by"
SIZE = "Size"
HEIGHT = "Height"
WEIGHT = "Weight"
AGE = "Age"
POSE = "Pose"
PLACE = "Place"
FACES = "Faces"
SITS_ON = "Sits on, moves with"
BODY_INSERTED = "Insert body: {who}"
BODY_INSERTED_NOW = "Inserted the body. Settle finds how it rests on its seat."

# hands
HOW_TO_MOVE = "X, Y, Z keep to an axis; type a number; Enter or click takes it, Esc leaves it."
AS_IT_WAS = "Left as it was."

# looks
HIDDEN = "Hidden: {names}. Alt+H shows everything again."
ALONE = "Only {names} is shown. Alt+H shows everything again."
ALL_SHOWN = "Everything is shown."
WHAT_TO_HIDE = "Select what shall be hidden."
WHAT_TO_LEAVE = "Select what shall stay alone."
ALL_FAINT = "All bodies are see-through."
ALL_SOLID = "Bodies are solid."
SOLID_AGAIN = "Solid again."
FAINT = "{names} is see-through."
NOT_CUT = "Nothing is cut."

# measuring
HOW_TO_DRAG = "Ctrl keeps to round steps; let go to take it, Ctrl+Z takes it back."
HANDLES: dict[str, str] = {
    "axis": "Drag the arrow to move along {axis}; Ctrl keeps to round steps.",
    "plane": "Drag the square to move across {axis}; Ctrl keeps to round steps.",
    "free": "Drag to move with the view; Ctrl keeps to round steps.",
    "turn": "Drag the ring to turn about {axis}; Ctrl keeps to 5°.",
}
"""What a handle under the mouse does."""
TAKE_DOT = "Drag this point, or click it to give it the handles."
OWN_AXIS = "own {axis}"
POSING_NOW = "The limb follows as far as its joint goes; let go to keep the pose."
BOXING = "Everything whose middle lies in the box is selected; Ctrl adds to what is."
CARRYING = "Drag the body, its arrows or its ring; Ctrl keeps to round steps."
MEASURING = "Click two points of what is seen; Esc ends measuring."
MEASURED = "{words}. Click again to measure anew; Esc ends measuring."

# operation
ABOUT_VIEW = "about the view"

# person
NO_SEGMENT = "There is no segment '{segment}' to place the body on."

# settle_dialog
NOT_WORKED_OUT = "The start cannot be worked out: {kind}: {failure}"
SETTLE_TITLE = "Settle: start at rest"
LOOKING = "Looking at the start…"
HEALTH_TITLE = "Health of the start, before and after"
KEEP_PLANE = "Keep bodies in their plane (not sideways, no roll or yaw)"
LOCK_JOINTS = "Lock joints so that the posture is held until the crash"
LAID_ANEW = "are laid anew, with their slack"
KEEP_LENGTH = "keep the length of their webbing"
BELTS = "Belts"
SETTLE = "Settle"
TAKE_OVER = "Take it over"
CLOSE = "Close"
SETTLING = "Settling… the window can be used meanwhile."
SETTLED = "Settle the start"
SETTLED_NOW = "The model starts settled."

# graphics
NO_GRAPHICS = "The 3D picture needs the system libraries {libraries}. On Debian or Ubuntu: apt install {packages}."

HAS_ERRORS = "The model has errors; mend them first, then settle it."
YEARS = "years"

# what is drawn
BAGS_FULL = "Airbags of the model are shown full."
BAGS_FOLDED = "Airbags of the model are shown folded, with their way out."

FORCES = {"contacts": "Contacts", "webbing": "Belts", "airbags": "Airbags"}
"""Words of the key beside the arrows of each kind."""
ARROWS = "10 cm: 1 kN"
"""How large arrows are; four times the force makes one twice as long."""
BELT_LOAD = "Belt load ({unit})"
BAG_PRESSURE = "Bag pressure ({unit})"
PRESSURE_AT = "{name}  {pressure}"

# tips of the dialogs
SETTLE_TIP = "Let the bodies come to rest; the scene shows it before it is taken over"
TAKE_OVER_TIP = "Let the model start so from now on, as one step that can be undone"
CLOSE_TIP = "Leave the model as it was (Esc)"
BELTS_TIP = "Whether straps follow the body that has moved, or keep the webbing that they have"
KEEP_PLANE_TIP = "Bodies move up, down, ahead and back, and pitch"
LOCK_JOINTS_TIP = "The posture is kept by locked joints until the crash opens them"
INSERT_TIP = "Add the body as one step that can be undone (Enter)"
CANCEL_TIP = "Leave the model as it was (Esc)"
PLACE_ALONG = "Place along {axis}"
OWN_HANDS_TIP = "Hands as segments with wrists, instead of one piece with the forearms"
SENSORS_TIP = "Outputs from which the injury figures are computed"
