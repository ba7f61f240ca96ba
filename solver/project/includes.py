"""Other projects that were put into this one: from which file, and as what each of their elements was taken."""

from __future__ import annotations

import os
from pathlib import Path

from solver.project.fields import REQUIRED, Id, Part, Text, choice, leading
from solver.project.geometry import Frame


class Include(Part):
    """Remember a project that was put into this one; no run depends on it, for its elements stand in the lists."""

    id: Id = choice(REQUIRED, "Id", "Its name here; with _ behind it stands before the ids of its elements.")  # fmt: skip
    file: Text = choice(
        REQUIRED, "File", "Project file that was put in, from the folder of this one where that can be.", min_length=1
    )  # fmt: skip
    sha256: Text = choice(REQUIRED, "SHA-256", "Of the file's content as it was taken.")
    on: Text = leading(
        "", "Carrier", "Segment that carries it in place of the ground: segments/vehicle; none for the ground."
    )  # fmt: skip
    frame: Frame = choice(Frame(), "Place", "Where its ground axes were put, in the axes of what carries it.")  # fmt: skip
    taken: tuple[Text, ...] = choice(
        (), "Taken", "Its elements and starts as they were taken: a path, and the first 16 digits of a SHA-256 of the element."
    )  # fmt: skip

    @property
    def carrier(self) -> str:
        """The id of the segment that carries it; empty for the ground."""
        return self.on.rpartition("/")[2]


def found_from(links: tuple[Include, ...], folder: Path) -> tuple[Include, ...]:
    """Links with the whole path of each file, as a project holds them that was read from a folder."""
    return tuple(_leading_to(one, str(folder.absolute() / one.file)) for one in links)


def told_from(links: tuple[Include, ...], folder: Path) -> tuple[Include, ...]:
    """Links with the path of each file from a folder, as they stand in a project file there."""
    return tuple(_leading_to(one, _from(folder, one.file)) for one in links)


def _from(folder: Path, file: str) -> str:
    if not Path(file).is_absolute():
        return file
    try:
        return os.path.relpath(file, folder.absolute())
    except ValueError:
        # on another drive
        return file


def _leading_to(link: Include, file: str) -> Include:
    named = Path(os.path.normpath(file)).as_posix()
    return link if named == link.file else link.model_copy(update={"file": named})
