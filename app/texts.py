"""What the window says, in one place; labels and help of fields stand in the schema.

Titles of actions stand in the lists of `app/actions`.
"""

from __future__ import annotations

# steps of the history
CHANGED = "Change {field} of {name}"
RENAMED = "Rename {old} to {new}"
DELETED = "Delete {name}"
ADDED = "Add {name}"
DUPLICATED = "Duplicate {name}"
PASTED = "Paste {name}"
CUT = "Cut {name}"
MENDED = "{words}: {name}"

# the status line
DELETED_NOW = "Deleted {name}"
WENT_TOO = "; without it these cannot be and went too: {what}"
MENDED_TOO = "; these do without it now: {what}"
CLOSE_NOTICE = "Close"
SAVED = "Saved {file}."
SAVED_COPY = "Saved a copy as {file}; you go on working on {here}."
BACKED_UP = "The older file was kept as {file}."
NOTHING_TO_PASTE = "There is nothing to paste: copy elements first."
COPIED = "Copied {name}. Paste it here, in another window, or in another project."
CAME_ALONG = "{what} came along because they need it."
MADE_WITH = "Added {name}, and for it {what}."
ADDED_NOW = "Added {name}."
UNDONE = "Undone: {text}."
REDONE = "Done again: {text}."

# files
PROJECT_FILES = "Projects (*.json);;All files (*)"
OPEN_TITLE = "Open a project"
RESULTS_FILES = "Results (*.h5);;All files (*)"
RESULTS_TITLE = "Open results"
SAVE_TITLE = "Save the project"
COPY_TITLE = "Save a copy"
UNSAVED_TITLE = "Unsaved work"
UNSAVED = "{name} has changes that are not saved. Save them before closing?"
NEW_NAME = "Untitled"
LEFT_BEHIND = (
    "The program ended without saving {name} ({when}). Nothing is lost: shall it be opened?"
)
RECOVER = "Open it"
DISCARD = "Discard it"
NOT_RECOVERED = "What was left could not be read: {why}"

# when something fails
FAILED = "Something went wrong inside the program. Your model is as it was. ({what})"
COPY_DETAILS = "Copy details"
DETAILS_COPIED = "The details are on the clipboard; please send them to us."

# the outline
OUTLINE_SEARCH = "Search the model"
OUTLINE_ADD = "Add an element"

# palette and keys
PALETTE = "Type a command or the name of an element"
KEYS = "Keyboard shortcuts"
MORE_KEYS: list[tuple[str, list[tuple[str, str]]]] = [
    (
        "In the scene",
        [
            ("Drag", "Turn"),
            ("Right drag", "Move"),
            ("Shift+Drag", "Select by a box; with Ctrl, too"),
            ("Alt+Drag a limb", "Pose it, as far as its joint goes"),
            ("Wheel", "Come nearer, go away"),
            ("Click", "Select"),
            ("Ctrl+Click", "Select one more"),
            ("Double-click", "Come close"),
            ("Drag an arrow, a ring, a dot", "Move or turn what is selected; with Ctrl in steps"),
            ("G, R", "Move, turn with the mouse; then X, Y, Z for an axis, or a number"),
            ("Tab, N", "The next point of the element: anchors, corners, surfaces"),
        ],
    ),
    (
        "In a curve",
        [
            ("Drag a point", "Move it, to round numbers; with Alt freely, with Shift one way only"),
            ("Double-click", "Add a point"),
            ("Del", "Remove the point"),
            ("Left, Right", "Go to the next point; with Alt move it"),
        ],
    ),
    (
        "In a field",
        [
            ("Enter", "Take the value over"),
            ("Esc", "Leave it as it was"),
            ("Up, Down", "A step more or less; with Shift ten, with Ctrl a tenth"),
            ("3*25.4 mm", "Sums and any unit are understood"),
        ],
    ),
]

# the status line when nothing is selected or pointed at
HINT_NOTHING = "Click something to see its numbers; Insert adds elements; Ctrl+K finds any command."
HINT_ONE = "{kind} '{id}'. F2 renames, Ctrl+D duplicates, Del deletes."
HINT_MANY = "{what} selected."
UNITS_TIP = "Units in which numbers are shown and typed; the file keeps SI."

# the welcome
RECENT_FILES = "Recent files"

# runs
NOTHING_TO_FILM = "There is no finished run to film: press F5 first."
WRITTEN = "Wrote {file}."
NOT_WRITTEN = "{file} could not be written. Choose another name or folder."
PICTURE_COPIED = "The picture of the scene is on the clipboard."
PICTURE_TITLE = "Save the picture"
PICTURE_FILES = "Pictures (*.png *.jpg)"
RESULTS_SAVE_TITLE = "Save the results"
STILL_RUNNING = "The run goes on; save it once it has ended."
RESTORED = "Take the model back from {name}"
RIDES = "The camera goes with {name}."
TRAIL_ON = "The way of {name} is drawn."
TRAIL_OFF = "The way of {name} is no longer drawn."
STANDS = "The camera stands on the ground."
REPORT_TITLE = "Write a report"
REPORT_FILES = "Report (*.html);;Report as PDF (*.pdf)"
WRITING = "Writing {file} …"
STRIP_TITLE = "Write a filmstrip"
STRIP_COUNT = "How many instants, side by side?"
SCENE_TITLE = "Write the moving scene"
SCENE_FILES = "glTF, for viewers and slides (*.glb);;VTKHDF, for ParaView (*.vtkhdf)"
TEST_TITLE = "Curve of a test"
CORRIDOR_TITLE = "Corridor: choose the lower limits; the column behind holds the upper ones"
NO_UPPER = "Behind the chosen column there is none with the upper limits."
TABLE_FILES = "Tables of numbers (*.csv *.txt *.tsv *.dat);;All files (*)"
MME_FILES = "ISO-MME tests (*.mme *.chn *.0* *.1* *.2* *.3*);;All files (*)"
WHICH_CHANNEL = "Which channel?"
NOT_TEXT = "{file} is no text: save the table as CSV in UTF-8."
TEMPLATE_TITLE = "Keep this page of plots"
TEMPLATE_NAME = "Name of the template"
NOTHING_PLOTTED = "There is nothing to keep: drag quantities into the plots first."
NOT_KEPT = "The page could not be kept: {why}."
PLOT_TITLE = "Save the curves"
PLOT_FILES = "Drawing (*.svg);;PDF (*.pdf);;Picture (*.png);;Numbers (*.csv);;Workbook (*.xlsx)"

# forms
NONE = "none"
YES = "yes"
NO = "no"
NOT_WHOLE = "A whole number is needed."
NO_NUMBERS = "numbers, separated by commas"
GO_TO = "Show this element"
BY_NUMBER = "A number"
BY_FUNCTION = "A function"
ADD_ENTRY = "Add {what}"
REMOVE_ENTRY = "Remove"
MOVE_UP = "Move up"
MOVE_DOWN = "Move down"
COPY_ENTRY = "Duplicate"
USED_BY = "Used by"
NAMES_AND_NOTES = "Name and notes"
SEARCH_HERE = "type to search"
SEVERAL = "{what}"
SEVERAL_HINT = "A value set here is set in all of them."
UNKNOWN_REFERENCE = "{id} (missing)"
CHANGED_KIND = "Change kind of {name} to {kind}"
ADDED_ENTRY = "Add {what} to {name}"
REMOVED_ENTRY = "Remove {what} from {name}"
MOVED_ENTRY = "Move {what} in {name}"
NONE_LEFT = "All are in the list already."

# problems
MEND_TIP = "Mend it; it can be undone."
