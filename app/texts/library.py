"""The dialog that puts ready parts of the library into a model."""

from __future__ import annotations

TITLE = "Insert from the library"
SEARCH = "Search seats, belts, airbags, laws, pulses"
ENTRIES = "Entries of the library"
NOTHING = "Nothing in the library is called that."
CHOOSE = "Choose a seat, an interior, a belt, an airbag, a pulse or a law."
BASES: dict[str, str] = {
    "published": "Published",
    "derived": "Derived",
    "assumed": "Assumed",
}
BASIS_TIPS: dict[str, str] = {
    "published": "The figures stand in the source.",
    "derived": "Worked out from figures in the source.",
    "assumed": "A place to start from, never a figure to sign for: replace it by your own.",
}
MOVES_WITH = "Moves with"
MOVES = "Moves"
FOR = "For"
NOBODY = "nobody yet"
WHOLE = "the body"
FACES = "Faces"
HINT = (
    "The scene shows it before it is there. Drag it by its arrows or its ring, or type its place."
)
AT = "{place}   faces {facing}"
INSERT_TIP = "Add the part with its source, as one step that can be undone (Enter)"
INSERTED = "Insert {name} from the library"
INSERTED_NOW = "Inserted {name}: {what}."
NEEDS_SOMEONE = "It lies over an occupant: insert a body first, and seat it."
