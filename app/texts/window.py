"""The window itself: welcome, outline, problems, status line, palette and keys."""

from __future__ import annotations

PROGRAM = "Manikin"
TITLE = "{file}[*] — Manikin"
"""Of the window; the star stands for unsaved work."""

# the welcome
SLOGAN = "Model people, vehicles and restraints in a crash."
OPEN = "Open…"
NEW = "New: {what}"
TOUR = "New here? Be shown around: the first five minutes"
TOUR_TIP = "A card leads through a first run, step by step; it never stands in the way"
OR_DROP = "or drop a project file here"
SAMPLES = "Samples"

# a file that cannot be opened
CANNOT_OPEN = "{file} cannot be opened"
OPEN_ANOTHER = "Open another file…"
BACK = "Back"

# a scene with nothing in it
EMPTY_SCENE = "Nothing is here yet"
EMPTY_SCENE_MORE = (
    "Begin with a person, a seat or a floor. Insert has everything that can be added."
)

CLOSE_NOTICE = "Close"
CANCEL = "Cancel"
CANCEL_TIP = "Leave everything as it is (Esc)"
FAILED = "Something went wrong inside the program. Your model is as it was. ({what})"
COPY_DETAILS = "Copy details"
DETAILS_COPIED = "The details are on the clipboard; please send them to us."
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
HINT_WELCOME = (
    "Choose a sample to look at, or begin with an empty project. Ctrl+K finds any command."
)
HINT_NOTHING = "Click something to see its numbers; Insert adds elements; Ctrl+K finds any command."
HINT_ONE = "{name}, {kind}. F2 renames, Ctrl+D duplicates, Del deletes."
HINT_MANY = "{what} selected."
RECENT_FILES = "Recent files"
OUTLINE_SEARCH = "Search the model"
OUTLINE_ADD = "Add an element"
MEND_TIP = "Mend it; it can be undone."
BARE_TITLE = "Manikin[*]"

# front_door
NO_COMMAND = "'{word}' is no command, and the window takes one project."
SEE_HELP = "See 'manikin --help'."
NO_COMMAND_OR_FILE = "There is no command and no file '{word}'. {hint}"
NO_DISPLAY = (
    "There is no display to open a window on. Without one there are the commands {commands}."
)
BACK_TIP = "Go back to what was shown before"
