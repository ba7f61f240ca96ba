"""Which files a model of MuJoCo names, looked through before MuJoCo opens any of them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from solver.exchange.trees.xml import LARGEST, BeyondFolder, Element, TreeError, parsed

MOST_FILES, LARGEST_FILE = 500, 200 * 10**6
MOST_PLACES = 50_000
"""Places at which files may lie, for all names of a model together."""
MOST_COPIES = 10_000
"""Bodies that a file may ask for by <replicate>, <composite> or <flexcomp>."""
MOST_ATTACHED = 10**6
"""Elements of other models that a file may ask for by <attach>."""
ASSETS = {"mesh", "skin", "flexcomp", "hfield"}
MODELS = {"include", "model"}
"""Elements that name another model."""


@dataclass
class _Looked:
    """What is known of a model's files: where names may count from, and what lies there."""

    folders: dict[Path, None]
    """Of the model and of all that it includes or attaches: names count from any of them."""
    within: Path
    seen: dict[Path, None]

    def places(self, one: Element, name: str, below: list[str]) -> Iterator[Path]:
        """Give the files that a name may mean; refuse any beyond the folder."""
        places = {
            folder / at / name: Path(at, name).is_absolute()
            for folder in self.folders
            for at in below
        }
        for place, is_whole in places.items():
            straight = Path(os.path.normpath(place))
            is_far = is_whole and not any(
                _is_in(straight, one) for one in (self.within.absolute(), self.within.resolve())
            )
            # what is far away is not even looked at: it may lie on another machine
            if not is_far and not os.path.lexists(place):
                continue
            named = straight if is_far else place.resolve()
            if not _is_in(named, self.within.resolve()):
                both = _both(named, self.within.resolve())
                raise BeyondFolder(both, line=one.line, name=str(named), within=str(self.within))
            if not named.is_file():
                raise TreeError("Line {line}: '{name}' is no ordinary file.", line=one.line, name=name)  # fmt: skip
            yield named

    def is_new(self, one: Element, name: str, file: Path) -> bool:
        """Whether a file is named for the first time; too large a one, or one of too many, is refused."""
        if file in self.seen:
            return False
        self.seen[file] = None
        if len(self.seen) > MOST_FILES or file.stat().st_size > LARGEST_FILE:
            raise TreeError("Line {line}: '{name}' is too large, or one of too many.", line=one.line, name=name)  # fmt: skip
        return True


def look_through(top: Element, file: Path | None, within: Path | None) -> None:
    """Refuse a model that names files beyond a folder, or asks for more than can be meant.

    Where a name counts from is the business of MuJoCo, and of <compiler>s in any of the files: no place
    that it could mean may lie beyond the folder.
    """
    folder = file.parent if file is not None else Path()
    looked = _Looked({folder: None}, within or folder, {})
    documents, waiting = list[tuple[Element, float]](), [(top, 1.0, False)]
    named, below, attached = list[tuple[Element, str]](), {"": None}, 0
    while waiting:
        here, times, is_attached = waiting.pop()
        documents.append((here, times))
        for one, copies in _walk(here, times):
            attached += is_attached
            if copies > MOST_COPIES:
                raise one.wrong("count", "it asks for more bodies than can be taken")
            if one.tag == "compiler":
                below |= {v: None for k, v in one.given.items() if k in ("assetdir", "meshdir")}
            name = one.given.get("file", "")
            if one.tag == "model" and not name:
                # MuJoCo stumbles here, and hangs at the next model
                raise one.wrong("file", "it is missing")
            if not name or one.tag not in MODELS | ASSETS:
                continue
            if file is None or within is None:
                raise TreeError("Line {line}: other files are not opened here; read the model from its own file.", line=one.line)  # fmt: skip
            if one.tag in ASSETS:
                named.append((one, name))
                continue
            for found in list(looked.places(one, name, [""])):
                if looked.is_new(one, name, found):
                    looked.folders[found.parent] = None
                    waiting.append((parsed(_bytes(found)), copies, is_attached or one.tag == "model"))  # fmt: skip
    if len(named) * len(below) * len(looked.folders) > MOST_PLACES:
        raise TreeError("The model names too many files in too many folders.")
    for one, name in named:
        for found in looked.places(one, name, list(below)):
            looked.is_new(one, name, found)
    _count_attached(documents, attached)


def _count_attached(documents: list[tuple[Element, float]], attached: int) -> None:
    asked = 0.0
    for here, times in documents:
        for one, copies in _walk(here, times):
            asked += copies * attached if one.tag == "attach" else 0.0
            if asked > MOST_ATTACHED:
                raise TreeError("Line {line}: <attach> asks for more bodies than can be taken.", line=one.line)  # fmt: skip


def _is_in(place: Path, folder: Path) -> bool:
    return place.is_relative_to(folder)


def _both(place: Path, folder: Path) -> str:
    """The folder that holds a place and a folder; on another drive that of the place alone."""
    try:
        return os.path.commonpath((place, folder))
    except ValueError:
        return str(place.parent)


def _bytes(file: Path) -> bytes:
    with file.open("rb") as opened:
        return opened.read(LARGEST + 1)


def _walk(top: Element, times: float = 1.0) -> Iterator[tuple[Element, float]]:
    """All elements, and how often each is meant."""
    waiting = [(top, times)]
    while waiting:
        here, copies = waiting.pop()
        if here.tag in ("replicate", "composite", "flexcomp"):
            text = " ".join(here.given.get(name, "") for name in ("count", "cellcount"))
            for number in text.split():
                copies *= _times(number)
        yield here, copies
        waiting += [(child, copies) for child in here.children]


def _times(number: str) -> float:
    try:
        return max(float(number), 1.0)
    except ValueError:
        return 1.0
