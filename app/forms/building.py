"""What those who build a form's rows and those who build its sections know of it and of each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

from PySide6.QtWidgets import QGridLayout, QWidget

from app.editing.shape import Shape
from app.forms.form_commands import FormCommands
from app.forms.place import Place
from app.forms.references import SurfaceEdit
from app.forms.section import Row, Section
from app.look import Theme
from solver.project.fields import Part


class RowBuilder(Protocol):
    """Build rows into the grids of a form."""

    def add(self, grid: QGridLayout, at: Place, shapes: Iterable[Shape], level: int) -> None:
        """Add fields of the part at a place."""

    def absent(self, grid: QGridLayout, at: Place, shape: Shape, fit: Callable[[], object]) -> None:
        """Add a row for an optional part that is not there."""

    def commit(self, at: Place) -> Callable[[Any, bool], bool]:
        """Give what takes a value over, and says at its row why not."""

    def surface(
        self, commit: Callable[[Any, bool], bool], optional: bool = False, holds: bool = False
    ) -> SurfaceEdit:
        """Make an editor that names a surface."""


class SectionBuilder(Protocol):
    """Build sections into the grids of a form."""

    def family(self, at: Place) -> tuple[type[Part], ...]:
        """Give the models among which the kind of an entry chooses."""

    def part(self, grid: QGridLayout, at: Place, holder: Part, shape: Shape, level: int) -> None:
        """Add a section for a part inside a part."""

    def entries(self, grid: QGridLayout, at: Place, shape: Shape, level: int) -> None:
        """Add a section for a list."""


class Building(Protocol):
    """A form that is being built."""

    commands: FormCommands
    theme: Theme
    rows: dict[str, Row]
    sections: dict[str, Section]
    opened: dict[str, bool]

    @property
    def fields(self) -> RowBuilder:
        """Give what builds its rows."""

    @property
    def parts(self) -> SectionBuilder:
        """Give what builds its sections."""

    def part_at(self, at: Place) -> Any:
        """Give the present value at a place."""

    def bind(self, at: Place, editor: Any) -> None:
        """Let an editor show the value at a place, now and after every change."""

    def follow(self, write: Callable[[], None]) -> None:
        """Call something now, and whenever the form turns to another element."""

    def unit_of(self, at: Place, own: str) -> str:
        """Give the unit of a field: its own, or that which other fields lend it."""

    def add_row(self, grid: QGridLayout, at: Place, label: str, tip: str, editor: QWidget) -> Row:
        """Add a row with its label and editor."""

    def row_of(self, at: Place) -> Row | None:
        """Give the row of a place, or of what it is in."""

    def add_section(self, at: Place, section: Section, usual: Callable[[], bool]) -> None:
        """Keep a section, open or closed as people left it."""
