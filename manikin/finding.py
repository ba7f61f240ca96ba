"""Find projects, runs and studies in folders by words and figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from manikin.model import Model, load
from manikin.results import Run, open_run

if TYPE_CHECKING:
    from solver.studies import StudyResult


@dataclass(frozen=True, slots=True)
class Found:
    """A file that was found: its `path`, whether it is a project, a run or a study, and its numbers by name, each with the lowest and the highest.

    `model` is the same for all that is of one model; `name` is that of the run or study.
    """

    path: Path
    kind: str
    title: str
    name: str
    status: str
    model: str
    numbers: Mapping[str, tuple[float, float]]

    def open(self) -> Model | Run | StudyResult:
        """Open it: a model, a run or a study."""
        if self.kind == "project":
            return load(self.path)
        if self.kind == "run":
            return open_run(self.path)
        from solver.studies import open_study

        return open_study(self.path)

    def __repr__(self) -> str:
        return f"<Found {self.kind} '{self.path.name}': {self.title}>"


def find(query: str = "", folders: Iterable[Path | str] = ()) -> list[Found]:
    """Find projects, runs and studies by words and figures: `"HIC15 < 400 and belt"` (docs/finding.md).

    Folders are looked into from then on, and all that were named before; the index lies in the user's cache. Raises QueryError where the line
    cannot be understood.

    >>> mk.find("HIC15 <")
    Traceback (most recent call last):
    manikin.QueryError: Behind 'HIC15 <' a number is to stand, not ''.
    """
    from solver.store import Store, parsed

    asked = parsed(query)
    with Store() as store:
        store.look(map(Path, folders))
        return [
            Found(one.path, one.kind, one.title, one.name, one.status, one.model, one.numbers)
            for one in store.find(asked)
        ]
