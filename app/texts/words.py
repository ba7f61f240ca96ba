"""Words that files of several subjects share: curves, editors, files, forms, panels, runs, the window."""

from __future__ import annotations

from solver.base.words import msgid

REPORT = msgid("Report…")
COMPARED = msgid("{others} against {first}")
SAME = msgid("same")

RENAMED = msgid("Rename {old} to {new}")
ADDED = msgid("Add {name}")

MOVED = msgid("Move a point of {name}")

CSV_TITLE = msgid("Read points from a file")

LIBRARY = msgid("From library")
INSERTED = msgid("Insert {name} from the library")

MATRIX = msgid("Who may touch what")

NO_UNIT = msgid("no unit")

RESULTS_FILES = msgid("Results (*.h5);;All files (*)")
NEW_NAME = msgid("Untitled")
WRITTEN = msgid("Wrote {file}.")

NONE = msgid("none")
YES = msgid("yes")
NO = msgid("no")
GO_TO = msgid("Show this element")
NAMES_AND_NOTES = msgid("Name and notes")
MIXED = "—"

PIN = msgid("Pin as slider")
VARY = msgid("Vary in a study")
AXES = ("x", "y", "z")
ANGLES = (msgid("the first angle"), msgid("the second angle"), msgid("the third angle"))

NO_MODEL_INSIDE = msgid("The model inside the results cannot be read.")
NO_SEGMENT = msgid("There is no segment '{name}'; there are {names}.")

MOVIE, SCENE = "movie", "scene"
WRITE = msgid("Write…")
CANCEL = msgid("Cancel")

CANNOT_WRITE = msgid("'{file}' cannot be written: {why}.")

RUN_MODEL = msgid("Model")
RUN_FIRST = (msgid("Run"), msgid("Status"))
RUN_LAST = (
    msgid("Simulated"),
    msgid("Took"),
    msgid("Steps"),
    msgid("Energy error"),
    RUN_MODEL,
    msgid("When"),
    msgid("Note"),
)
"""Columns before and behind those of the main figures."""

MORE, LESS = msgid("more"), msgid("less")
"""Links that unfold and fold a long note."""
INSTANT = msgid("{ms:.1f} ms")
CFC = msgid("CFC {cfc}")
REAL_TIME = msgid("real time")

NO_RUN_YET = msgid("No run of this model yet. F5 solves it.")

LIMIT_SOURCE = msgid("Limit {limit:g} {unit}: {source}")
LIMIT_SEEN = {
    "text": msgid("(compared with the text)"),
    "second hand": msgid("(seen at second hand)"),
    "": msgid("(assumed: from memory, compared with no text)"),
}
FROM_MEMORY = msgid("* Assumed: this limit or risk is from memory and was compared with no text.")

PAGES: dict[str, str] = {
    "head": msgid("Head"),
    "turn": msgid("Head turn"),
    "discs": msgid("Discs"),
    "chest": msgid("Chest"),
    "pelvis": msgid("Pelvis"),
    "person": msgid("Person"),
    "people": msgid("People"),
    "motion": msgid("Motion"),
    "belts": msgid("Belts"),
    "airbag": msgid("Airbag"),
    "contacts": msgid("Contacts"),
    "energy": msgid("Energy"),
}

DRAW = msgid("Draw")

TIME_MS = msgid("time (ms)")

NOTHING_TO_FILM = msgid("There is no finished run yet: press F5 first.")
BAG_FIRES, BAG_FULL = msgid("{name} fires"), msgid("{name} is full")
BAG, BELT = msgid("Bag"), msgid("Belt")
"""The only one of a model, where there is no room for its name."""
FAILED = msgid("{name} failed. {why}")

HAS_ERRORS = msgid("The model has errors; mend them first, then run it.")
HAS_NO_RUN = msgid("The model has no run: add one, which says how long to solve.")

PROGRAM = "Manikin"

MORE_KEYS: list[tuple[str, list[tuple[str, str]]]] = [
    (
        msgid("In the scene"),
        [
            (msgid("Drag"), msgid("Turn")),
            (msgid("Right drag"), msgid("Move")),
            (msgid("Shift+Drag"), msgid("Select by a box; with Ctrl, too")),
            (msgid("Alt+Drag a limb"), msgid("Pose it, as far as its joint goes")),
            (msgid("Wheel"), msgid("Come nearer, go away")),
            (msgid("Click"), msgid("Select")),
            (msgid("Ctrl+Click"), msgid("Select one more")),
            (msgid("Double-click"), msgid("Come close")),
            (
                msgid("Drag an arrow, a ring, a dot"),
                msgid("Move or turn what is selected; with Ctrl in steps"),
            ),
            ("G, R", msgid("Move, turn with the mouse; then X, Y, Z for an axis, or a number")),
            (msgid("Tab, N"), msgid("The next point of the element: anchors, corners, surfaces")),
        ],
    ),
    (
        msgid("In a curve"),
        [
            (
                msgid("Drag a point"),
                msgid("Move it, to round numbers; with Alt freely, with Shift one way only"),
            ),
            (msgid("Double-click"), msgid("Add a point")),
            ("Del", msgid("Remove the point")),
            (msgid("Left, Right"), msgid("Go to the next point; with Alt move it")),
        ],
    ),
    (
        msgid("In a field"),
        [
            (msgid("Enter"), msgid("Take the value over")),
            (msgid("Esc"), msgid("Leave it as it was")),
            (msgid("Up, Down"), msgid("A step more or less; with Shift ten, with Ctrl a tenth")),
            (msgid("3*25.4 mm"), msgid("Sums and any unit are understood")),
        ],
    ),
]
