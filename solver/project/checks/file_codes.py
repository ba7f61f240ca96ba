"""List the codes of the first pass: they are found while a file is read, changed or saved."""

from __future__ import annotations

from solver.project.checks.registry import FILE, declare

declare(
    FILE,
    "error",
    {
        "file-missing": "There is no such file.",
        "file-unreadable": "The file cannot be opened or read.",
        "file-is-folder": "The path names a folder.",
        "file-too-large": "The file is larger than a project can be.",
        "file-not-text": "The file is not UTF-8 text.",
        "file-not-json": "The file is not JSON, or is cut off.",
        "file-too-deep": "The file is nested too deeply.",
        "format-unknown": "The file is not a Manikin project.",
        "format-version": "The schema version is not a whole number from 1 on.",
        "format-newer": "The file was written by a newer program.",
        "field-missing": "A field that is needed is missing.",
        "field-unknown": "A field is not known here.",
        "field-type": "A value has the wrong type.",
        "field-range": "A value is out of its range, or a list has the wrong length.",
        "field-choice": "A word is none of those allowed.",
        "field-twice": "A field stands twice in one object.",
        "number-not-finite": "A number is infinite or not a number.",
        "kind-missing": "The kind of an element is missing.",
        "kind-unknown": "There is no such kind of element.",
        "many-problems": "There are more problems than are listed.",
        "curve-twice": "A table has points and a CSV file.",
        "curve-no-folder": "A CSV curve needs a project that is saved in a folder.",
        "curve-file": "A CSV file is missing, unreadable, or holds something else than numbers.",
        "curve-outside": "A CSV file lies outside the project's folder.",
        "set-path": "A path to a value leads nowhere.",
        "save-failed": "The project cannot be written.",
    },
)
declare(FILE, "note", {"format-older": "The file has an older schema version."})
