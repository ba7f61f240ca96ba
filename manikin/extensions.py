"""What another package may add to the program: a criterion of injury, an importer, an exporter, a panel of the window.

A package makes one of these and names it in its `pyproject.toml`, as `docs/extending.md` shows. The program finds
what installed packages name, and loads it when it is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from manikin.model import Model
from manikin.results import Run
from solver.exchange.added import AddedExporter
from solver.exchange.added import AddedImporter as Importer
from solver.injury.added import AddedCriterion as Criterion
from solver.injury.scores import Measure, Signal
from solver.project import Project

__all__ = ["Criterion", "Exporter", "Importer", "Measure", "Panel", "Shown", "Signal"]


def Exporter(
    *,
    title: str,
    endings: tuple[str, ...],
    write: Callable[[Model, Path], Iterable[str] | None],
) -> AddedExporter:
    """Write models for another program; `write` gives lines that say what the file cannot say, or nothing."""

    def write_project(project: Project, file: Path) -> Iterable[str] | None:
        return write(Model(project), file)

    return AddedExporter(title=title, endings=endings, write=write_project)


class Shown(Protocol):
    """What a panel may know and do of the window that it is in."""

    @property
    def model(self) -> Model:
        """The model that is open."""

    @property
    def run(self) -> Run | None:
        """The run that is shown; none where there is none."""

    @property
    def time(self) -> float:
        """The instant that is shown of it (s)."""

    @property
    def selected(self) -> str:
        """The path of the element that is selected."""

    def change(self, model: Model, words: str) -> None:
        """Make another model the open one, as one step of the history that is called by these words."""

    def on_change(self, call: Callable[[], object]) -> None:
        """Let something be called whenever model, run, instant or selection are others."""


@dataclass(frozen=True, kw_only=True)
class Panel:
    """A panel of the window, shown in a tab below the scene under the name of its entry point.

    `make` is called when it is first seen, and gives a widget of PySide6.
    """

    make: Callable[[Shown], Any]
    tip: str = ""
