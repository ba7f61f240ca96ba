"""Save a project so that a kill at any moment leaves the old or the new file, whole."""

from __future__ import annotations

import json
from pathlib import Path

from solver.base.whole import write_whole
from solver.base.words import Sentence
from solver.project.canonical import to_json
from solver.project.document import SCHEMA_VERSION, Project
from solver.project.problems import ProjectError, error


def save_project(project: Project, path: Path | str, *, keep: bool = False) -> Path | None:
    """Write the project; a file of an older version in its place, or with `keep` any, is kept as a backup, whose path is given.

    Raises ProjectError where the place cannot be written; the old file is then untouched.
    """
    file = Path(path)
    if file.is_dir():
        raise ProjectError(
            [
                error(
                    "save-failed",
                    "",
                    Sentence("'{file}' is a folder.", file=file),
                    "Give a file name.",
                )
            ]
        )
    try:
        backup = _back_up(file, keep)
        write_whole(file, to_json(project))
    except OSError as failure:
        reason = failure.strerror or "no reason given"
        sentence = Sentence("'{file}' cannot be written: {reason}.", file=file, reason=reason)
        hint = "Nothing was changed; save under another name."
        raise ProjectError([error("save-failed", "", sentence, hint)]) from None
    return backup


def _back_up(file: Path, keep: bool) -> Path | None:
    """Copy a file of an older schema version to NAME.v1.json, NAME.v1-2.json and so on; any other to NAME.before.json."""
    version = _version_on_disk(file)
    is_older = version is not None and version < SCHEMA_VERSION
    if not is_older and not (keep and file.is_file()):
        return None
    first = f"v{version}" if is_older else "before"
    content = file.read_bytes()
    number = 1
    while True:
        mark = first if number == 1 else f"{first}-{number}"
        backup = file.with_name(f"{file.stem}.{mark}{file.suffix}")
        if not backup.exists():
            write_whole(backup, content)
            return backup
        if backup.read_bytes() == content:
            return backup
        number += 1


def _version_on_disk(file: Path) -> int | None:
    try:
        data = json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    version = data.get("schema_version") if isinstance(data, dict) else None
    return version if isinstance(version, int) else None
