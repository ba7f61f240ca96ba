"""How included files stand on the disk: changed since they were taken, gone, or leading back to the project itself."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal

from solver.base.words import Sentence, msgid
from solver.project.document import Project
from solver.project.includes import Include
from solver.project.problems import Problem, ProjectError, error
from solver.project.reading import LARGEST_FILE, digest_of

Standing = Literal["same", "changed", "gone", "unseen"]

MOST_FILES = 1000
"""So many files are looked through for one that leads back."""

SHORT: dict[Standing, str] = {
    "same": msgid("as it was taken"),
    "changed": msgid("changed since"),
    "gone": msgid("no longer there"),
    "unseen": msgid("not looked at"),
}


def standing(link: Include) -> Standing:
    """How the file of a link stands beside what was taken of it; it is read, and nothing else."""
    if not Path(link.file).is_absolute() or link.file.startswith(("//", "\\\\")):
        return "unseen"
    try:
        found = Path(link.file).stat()
        if not stat.S_ISREG(found.st_mode) or found.st_size > LARGEST_FILE:
            return "gone"
        digest = _digest(link.file, found.st_mtime_ns, found.st_size, found.st_ino)
    except (OSError, ValueError):
        return "gone"
    return "same" if digest == link.sha256 else "changed"


@lru_cache(maxsize=64)
def _digest(file: str, *_when: int) -> str:
    return digest_of(Path(file).read_bytes())


def look_at(project: Project) -> list[Problem]:
    """Tell of the included files that are no longer as they were taken: notes, for the project has all that it needs."""
    return [found for link in project.includes if (found := _look(link)) is not None]


def _look(link: Include) -> Problem | None:
    state, path, words = standing(link), f"includes/{link.id}", {"file": link.file, "id": link.id}
    if state == "changed":
        sentence = Sentence("'{file}' has changed since it was included as '{id}'.", **words)
        hint = Sentence("Update it, or let go of the file: its elements stay.")
        return Problem("note", "include-changed", path, sentence, hint)
    if state == "gone":
        sentence = Sentence("'{file}', which was included as '{id}', is no longer there.", **words)
        hint = Sentence("Its elements stay as they were taken: put the file back, or let go of it.")
        return Problem("note", "include-gone", path, sentence, hint)
    if state == "unseen":
        sentence = Sentence("Whether '{file}' has changed since it was included as '{id}' is not known.", **words)  # fmt: skip
        hint = Sentence("A file on another machine is looked at by an update alone; a project in no folder knows no place.")  # fmt: skip
        return Problem("note", "include-unseen", path, sentence, hint)
    return None


def refuse_circle(home: Path, links: Sequence[Include]) -> None:
    """Raise ProjectError where a project file would include itself, directly or by way of what its files include."""
    seen = set[str]()
    waiting: list[tuple[str, tuple[str, ...]]] = [(one.file, ()) for one in links]
    while waiting and len(seen) < MOST_FILES:
        file, way = waiting.pop(0)
        if _is_same(file, home):
            by_way = f" ({' > '.join(Path(one).name for one in way)})" if way else ""
            sentence = Sentence("'{home}' would include itself{way}.", home=home.name, way=by_way)
            raise ProjectError([error("include-itself", "includes", sentence, "Let go of that file, or save under another name.")])  # fmt: skip
        name = os.path.realpath(file)
        if name not in seen:
            seen.add(name)
            waiting += [(one, (*way, file)) for one in _files_in(file)]


def _files_in(file: str) -> Iterator[str]:
    """The files that a project file includes; none where it cannot be read."""
    try:
        place = Path(file)
        found = place.stat()
        if not stat.S_ISREG(found.st_mode) or found.st_size > LARGEST_FILE:
            return
        links = json.loads(place.read_bytes()).get("includes", [])
        yield from [str(place.parent / one["file"]) for one in links]
    except (OSError, ValueError, RecursionError, AttributeError, TypeError, LookupError):
        return


def _is_same(file: str, home: Path) -> bool:
    try:
        return os.path.realpath(file) == os.path.realpath(home)
    except (OSError, ValueError):
        return False
