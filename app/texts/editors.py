"""The editors in the drawer: functions, laws, pulses, contacts, contours, outputs."""

from __future__ import annotations

# steps of the history
MOVED = "Move a point of {name}"
ADDED_POINT = "Add a point to {name}"
REMOVED_POINT = "Remove points of {name}"
TYPED = "Change points of {name}"
PASTED_POINTS = "Paste points into {name}"
IMPORTED = "Read points of {name} from a file"
TABULATED = "Make a table of {name}"
JOINED = "Join the points of {name} in another way"

# functions
KIND = "Kind of function"
KIND_TIP = "How the value follows from the argument"
BETWEEN = "Between points"
BETWEEN_TIP = "How the points are joined; a position over time needs a spline"
PASTE = "Paste"
PASTE_TIP = "Put two columns from a spreadsheet in place of all points (Ctrl+V in the table)"
COPY = "Copy"
COPY_TIP = "Copy the points for a spreadsheet (Ctrl+C in the table)"
CSV = "From CSV…"
CSV_TIP = "Read the points from a file of numbers, with a choice of columns and units"
TABULATE = "Make a table"
TABULATE_TIP = "Put points in place of the formula, to drag and type them"
COPY_IN = "Copy the points in"
LINKED = "The points stand in {file}; copy them in to change them here."
NO_POINTS = "A formula has no points to add to: make a table of it first."
COPIED_POINTS = "Copied {n} points."
COLUMN_TOO_LONG = "{n} numbers do not fit into the {rows} rows from there. Paste two columns."
OTHER_UNIT = "The heading '{heading}' names a unit of another quantity: here stands what is counted in {unit}."
READ_AS = "Read {how}; taken as {units}."
TOO_LARGE = "{file} is larger than 64 MB."
NOT_TEXT = "{file} is not UTF-8 text. Save it as CSV UTF-8."
NOT_READ = "{file} cannot be read: {why}."

# reading files
CSV_TITLE = "Read points from a file"
CSV_FILES = "Tables of numbers (*.csv *.txt *.tsv *.dat);;All files (*)"
ARGUMENTS = "Arguments"
VALUES = "Values"
SKIP = "Heading rows"
KEEP_FILE = "Keep reading from the file, whenever the project is opened"
KEEP_FILE_NOT = "The file does not lie in the project's folder, or its numbers have decimal commas."
TAKE = "Take the points"
COLUMN = "column {n}"

# the panel
NOTHING = (
    "Select a function, a law, a motion, a joint with a contour, a contact, an output or a run to "
    "edit it here."
)

# laws
LOADING = "in"
UNLOADING = "out"
RELOADING = "in again"
PREPARING = "Preparing the solver…"
LAW_UNSOUND = "The law names a function that is missing or has no points; see Problems."
STRAIN = "strain"
DEFLECTION = "deflection"
TENSION = "tension"
FORCE = "force"
UP_TO = "Up to"
UP_TO_TIP = "How deep the law is led; drag the point on the curve as well"
AT_SPEED = "at"
AT_SPEED_TIP = "Rate at which it begins, as of a mass on a spring: still where it is deepest"
ABOVE_ZERO = "A number above zero is needed."
LAW_FACTS = (
    "In to {depth}: peak {peak}, {put_in} put in, {lost} of it absorbed ({part} %) on the way out."
)
LAW_STAYS = "At {stays} the force is gone."
EACH_METRE = "Energies are for each metre of webbing."
LIBRARY = "From library"
LAW_LIBRARY_TIP = "Add a law with its source from the library"
INSERTED = "Insert {name} from the library"

# pulses
COMPONENT = "Component"
PULSE_KIND = "Shape of the pulse"
PULSE_KIND_TIP = "Another shape keeps start, length and speed change"
SPEED_CHANGE = "Speed change"
SPEED_CHANGE_TIP = "Typing another one scales the pulse; its length stays"
PULSE_LIBRARY_TIP = "Put a pulse of the library, with its source, in place of this motion"
POINTS_OF = "Points of {name}"
PULSE_UNSOUND = "The motion names a function that is missing or has no points; see Problems."
SHAPED = "Shape the pulse of {name}"
QUANTITIES = {
    "acceleration": ("acceleration", "angular acceleration"),
    "velocity": ("speed", "angular velocity"),
    "position": ("distance", "angle"),
}
PULSE_FACTS = (
    "Peak {peak} at {at}. Speed change {change}: from {first} to {last}. Gone by {end}: {way}."
)

# contacts
MATRIX = "Who may touch what"
AGAINST = "Against"
AGAINST_PLANES = "surfaces on planes"
AGAINST_SURFACES = "surfaces on surfaces"
WITH_LAW = "Law of new contacts"
WITH_LAW_TIP = "A click on a cell lets the pair touch by this law; another click forbids it"
FILTER = "Filter by name"
NOT_ALLOWED = "may not touch. Click to allow it."
NO_PLANES = "There are no planes yet: Insert › Plane adds one."
NO_SURFACES = "There are no surfaces yet: Insert › Segment adds one with a surface."
NOTHING_FOUND = "Nothing has such a name."
ALLOWED = "Allow {n} contacts"
ALLOWED_ONE = "Allow a contact"
ALLOWED_NOW = "{n} contacts added; {others} had been there and follow the chosen law now."
MANY_CELLS = "{n} pairs: Space lets them touch, Del forbids it, a right click shows more."
SHOW_CONTACT = "Show the contact {name}"
ALLOW_BODY = "Let all of {body} touch {other}"
FORBID_BODY = "Let nothing of {body} touch {other}"
ALLOW_ALL = "Let these {n} pairs touch"
FORBID_ALL = "Let none of these {n} pairs touch"
NO_GROUP = "the ungrouped"

# contours
CONTOUR = "Stop contour"
CONTOUR_TIP = "Measured contours of human joints; another one may be dragged"
MAKE_POINTS = "Make points"
MAKE_POINTS_TIP = "Put a curve with points in place of this contour, to drag them"
AZIMUTH = "azimuth"
STOP_ANGLE = "stop angle"
OWN_CONTOUR = "own: {kind}"
CONTOUR_CHOSEN = "Choose the contour of {name}"
CONTOUR_SHAPED = "Shape the contour of {name}"
CONTOUR_OF = "Contour of {name}"
POINTS_MADE = "Make points of the contour of {name}"
CONTOUR_NOW = "Bent by {angle}° towards {azimuth}°: {left}° left before the stop."
CONTOUR_BEYOND = "Bent by {angle}° towards {azimuth}°: {left}° beyond where the stop begins."
CONTOUR_UNSOUND = "The contour names a function that is missing or has no points; see Problems."
NO_CONTOUR_POINTS = "Make points of this contour first; then they can be added and dragged."

# outputs
OUTPUTS = "What a run writes"
OUTPUT_OF = "What to write about"
OUTPUT_QUANTITY = "Quantity"
OUTPUT_FILTER = "Filter class of SAE J211"
OUTPUT_SEEN_FROM = "Segment from which the motion is seen"
OUTPUT_HEADS = ["Output", "Of", "Quantity", "Filter"]
UNFILTERED = "unfiltered"
FROM_GROUND = "seen from ground"
FROM = "seen from {name}"
ADD_OUTPUT = "Add"
ADD_OUTPUT_TIP = "Write this in every run from now on"
OUTPUT_ADDED = "Add the output {name}"
OUTPUT_THERE = "'{name}' writes this already."
NO_SOURCE = "There is nothing to write about yet: add a segment first."
RUN_PLAN = "{name}: {duration}, {frames} frames, {samples} samples of each output."
OUTPUT_QUANTITIES: dict[str, str] = {
    "felt": "Acceleration, as a sensor feels it",
    "acceleration": "Acceleration",
    "velocity": "Velocity",
    "position": "Position",
    "angles": "Angles",
    "angular_velocity": "Angular velocity",
    "angular_acceleration": "Angular acceleration",
    "torque": "Torque",
    "force": "Reaction force",
    "loads": "Loads and states",
    "body": "Mass centre, momenta, energy",
}
JOINT_QUANTITIES: dict[str, str] = {
    "angle": "joint angles",
    "torque": "joint torque",
    "force": "reaction force",
}
TURN_QUANTITIES: dict[str, str] = {
    "angle": "angles",
    "velocity": "angular velocity",
    "acceleration": "angular acceleration",
}
POINT_QUANTITIES: dict[str, str] = {
    "position": "position",
    "velocity": "velocity",
    "acceleration": "acceleration",
}
AS_FELT = "{what}, as felt"
WHAT_SEEN_FROM = "{what} seen from {name}"
SEGMENTS = "{count} segments"
OF_BODY = "mass centre, momenta, energy"
LOADS_OF = "loads of the {kind}"
BY_CRITERION = "by criterion"
ALL_TOGETHER = "All segments together"

# reading tables
ROWS = "{rows} rows"
APART_BY = "columns apart by {what}"
HEADINGS = "{rows} heading rows left out"
ONE_HEADING = "{rows} heading row left out"
SEPARATORS: dict[str, str] = {"\t": "tabs", ";": "semicolons", ",": "commas", " ": "blanks"}
NO_UNIT = "no unit"

# contact_cells
ITSELF = "A surface does not touch itself."
SAME_SEGMENT = "Surfaces of one segment never move against each other."
OWN_PLANE = "The plane is fixed to this segment."

# course
BEYOND_ENDS = "Below {x_first} it stays {below}; beyond {x_last} it stays {after}."
SAME_EVERYWHERE = "The same value everywhere."

# csv_dialog
CANCEL = "Cancel"
UNIT_OF = "{label}, unit"

# pasting
NO_ROW = "'{shown}' is no row of numbers."
NOTHING_TO_READ = "There is nothing to read."
TOO_MANY_ROWS = "A table has at most {most} rows; there are {rows}."
NO_NUMBERS = "There are no numbers."
NO_NUMBER = "'{cell}' in row {row} is no number."
DECIMAL_COMMAS = "decimal commas"
ROW_SHORT = "Row {number} has {columns} columns; those above have {width}."

# table
POINTS = "Points"
TAKE_TIP = "Put these points in place of those of the function (Enter)"
CANCEL_TIP = "Leave the function as it is (Esc)"
KEEP_FILE_TIP = "The project then names the file, and reads it whenever it is opened"
