"""Which surfaces may touch which planes and surfaces, as the matrix shows it, and which contacts are missing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import QWidget

from app.editing.naming import free_id
from app.elements import name_of
from app.guard import guard
from app.jobs.task import Trying
from app.look import LIGHT, LINES
from app.run_view.record import RunRecord
from solver.base.words import tr
from solver.bodies.library.inserting import Missed, Suggestion, suggested
from solver.editing.bench import Bench
from solver.project import Project
from solver.project.contact import Contact, PlaneContact, StrapLaw, SurfaceContact
from solver.project.geometry import SurfaceRef
from solver.project.segments import GROUND
from solver.results import ResultsError
from solver.running.outputs.penetration import passages

Side = str | SurfaceRef
"""A plane by its id, or a surface."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A row or a column: what it stands for, its name, and where it belongs."""

    side: Side
    name: str
    group: str


@dataclass(frozen=True, slots=True)
class Cell:
    """Name a pair: a surface, and a plane or another surface."""

    surface: SurfaceRef
    other: Side


def surfaces(project: Project) -> list[Heading]:
    """List the surfaces of all segments; those of a segment with several have their own names."""
    out = []
    for segment in project.segments:
        for surface in segment.surfaces:
            name = name_of(segment)
            if len(segment.surfaces) > 1:
                name += f" › {name_of(surface)}"
            ref = SurfaceRef(segment=segment.id, surface=surface.id)
            out.append(Heading(ref, name, segment.group))
    return out


def planes(project: Project) -> list[Heading]:
    """List the planes."""
    return [Heading(plane.id, name_of(plane), plane.group) for plane in project.planes]


def contacts_by_pair(project: Project) -> dict[tuple[Side, Side], list[Contact]]:
    """Find the contacts of each pair; those of two surfaces stand under both orders."""
    out: dict[tuple[Side, Side], list[Contact]] = {}
    for one in project.contacts:
        if isinstance(one, PlaneContact):
            out.setdefault((one.surface, one.plane), []).append(one)
        else:
            out.setdefault((one.first, one.second), []).append(one)
            if one.first != one.second:
                out.setdefault((one.second, one.first), []).append(one)
    return out


def why_not(project: Project, cell: Cell) -> str:
    """Say why a pair cannot touch; empty where it can."""
    if cell.surface == cell.other:
        return tr("A surface does not touch itself.")
    if isinstance(cell.other, SurfaceRef) and cell.other.segment == cell.surface.segment:
        return tr("Surfaces of one segment never move against each other.")
    if isinstance(cell.other, str):
        plane = next((p for p in project.planes if p.id == cell.other), None)
        if plane is not None and plane.segment == cell.surface.segment != GROUND:
            return tr("The plane is fixed to this segment.")
    return ""


def allowed(project: Project, cells: Sequence[Cell], law: str = "") -> Project:
    """Let pairs touch by a law, the first that fits where none is named; those that do take the law."""
    bench = Bench(project)
    law = law or bench.law(webbing=False)
    project = bench.project
    known = contacts_by_pair(project)
    taken = {one.id for one in project.contacts}
    new: list[Contact] = []
    changed: set[str] = set()
    for cell in cells:
        there = known.get((cell.surface, cell.other), [])
        changed |= {one.id for one in there}
        if there or why_not(project, cell):
            continue
        made = _contact(cell, law, taken)
        taken.add(made.id)
        new.append(made)
    old = [
        one.model_copy(update={"law": law}) if one.id in changed and one.law != law else one
        for one in project.contacts
    ]
    return project.model_copy(update={"contacts": (*old, *new)})


def refused(project: Project, cells: Sequence[Cell]) -> list[str]:
    """The paths of the contacts that have to go so that pairs no longer touch."""
    known = contacts_by_pair(project)
    found = (one.id for cell in cells for one in known.get((cell.surface, cell.other), []))
    return [f"contacts/{id_}" for id_ in dict.fromkeys(found)]


def of_body(project: Project, surface: SurfaceRef, others: Iterable[Heading]) -> list[SurfaceRef]:
    """Give the surfaces of the same group as one: all of a body."""
    group = next((s.group for s in project.segments if s.id == surface.segment), "")
    return [h.side for h in others if h.group == group and isinstance(h.side, SurfaceRef)]


def _contact(cell: Cell, law: str, taken: set[str]) -> Contact:
    one, other = cell.surface, cell.other
    if isinstance(other, str):
        id_ = free_id(f"{one.segment}_{other}", taken)
        return PlaneContact(id=id_, kind="plane", plane=other, surface=one, law=law)
    id_ = free_id(f"{one.segment}_{other.segment}", taken)
    return SurfaceContact(id=id_, kind="surfaces", first=one, second=other, law=law)


_NOWHERE = QModelIndex()
Index = QModelIndex | QPersistentModelIndex
_BRIGHT = 0.45
"""Lightness from which a colour has dark digits on it."""


class MatrixModel(QAbstractTableModel):
    """Rows of surfaces, columns of planes or surfaces, and the law of each pair."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = LIGHT
        self.project: Project = Project.empty()
        self.rows: list[Heading] = []
        self.columns: list[Heading] = []
        self.found: dict[Any, Any] = {}
        self._wanted: dict[Any, Suggestion] = {}
        self.laws: list[str] = []
        self.law_names: dict[str, str] = {}
        self.missing: Sequence[Suggestion] = ()

    def show_missing(self, missing: Sequence[Suggestion]) -> None:
        """Mark pairs whose contact is missing."""
        self.missing = missing
        self._wanted = {one.pair: one for one in missing}
        if self.rows and self.columns:
            self.dataChanged.emit(
                self.index(0, 0), self.index(len(self.rows) - 1, len(self.columns) - 1)
            )

    def suggestion(self, index: Index) -> Suggestion | None:
        """The contact that a cell lacks; none where it has one, or needs none."""
        cell = self.cell(index)
        ends = (cell.surface, cell.other)
        return self._wanted.get(frozenset((*ends, "") if not isinstance(cell.other, str) else ends))

    def show_project(self, project: Project, against: str, words_: str) -> None:
        """Show the pairs whose names hold some words."""
        wanted = words_.casefold()
        rows = surfaces(project)
        columns = planes(project) if against == "planes" else list(rows)
        pairs = contacts_by_pair(project)
        if wanted:
            of_rows = [h for h in rows if wanted in f"{h.name} {h.group}".casefold()]
            of_columns = [h for h in columns if wanted in f"{h.name} {h.group}".casefold()]
            # a name of a column alone shows that column with all surfaces
            rows, columns = of_rows or rows, of_columns if not of_rows else columns
        keep = rows == self.rows and columns == self.columns
        if not keep:
            self.beginResetModel()
        self.project, self.found = project, pairs
        self.rows, self.columns = rows, columns
        self.laws = [law.id for law in project.contact_laws if not isinstance(law, StrapLaw)]
        self.law_names = {law.id: name_of(law) for law in project.contact_laws}
        if keep:
            corner = self.index(len(rows) - 1, len(columns) - 1)
            self.dataChanged.emit(self.index(0, 0), corner)
        else:
            self.endResetModel()

    @guard
    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """Count the surfaces."""
        return 0 if parent.isValid() else len(self.rows)

    @guard
    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """Count the planes or surfaces."""
        return 0 if parent.isValid() else len(self.columns)

    @guard
    def headerData(self, section: int, way: Qt.Orientation, role: int = 0) -> Any:
        """Name rows and columns."""
        heads = self.columns if way == Qt.Orientation.Horizontal else self.rows
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return heads[section].name
        return None

    def cell(self, index: Index) -> Cell:
        """The pair of a cell."""
        row, column = self.rows[index.row()], self.columns[index.column()]
        assert isinstance(row.side, SurfaceRef)
        return Cell(row.side, column.side)

    def contacts(self, index: Index) -> list[Any]:
        """The contacts of a cell."""
        cell = self.cell(index)
        return list(self.found.get((cell.surface, cell.other), ()))

    @guard
    def data(self, index: Index, role: int = 0) -> Any:
        """Write the number of the law in its colour; the tip says it in words."""
        there = self.contacts(index)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignCenter)
        if role == Qt.ItemDataRole.BackgroundRole:
            if there:
                return self.colour(there[0].law)
            if self.suggestion(index) is not None:
                return QBrush(QColor(self.theme.accent), Qt.BrushStyle.Dense6Pattern)
            if why_not(self.project, self.cell(index)):
                return QColor(self.theme.line)
        if role == Qt.ItemDataRole.ForegroundRole and there:
            # what reads better on the law's colour
            bright = self.colour(there[0].law).lightnessF() > _BRIGHT
            return QColor("#1a1a1a" if bright else "#ffffff")
        if role == Qt.ItemDataRole.DisplayRole and not there:
            return "+" if self.suggestion(index) is not None else None
        if role == Qt.ItemDataRole.DisplayRole:
            return str(self.number(there[0].law)) + ("+" if len(there) > 1 else "")
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            pair = f"{self.rows[index.row()].name} – {self.columns[index.column()].name}"
            lacking = None if there else self.suggestion(index)
            if lacking is not None:
                return tr(
                    "{pair}: a contact is missing, as {why}. Click to add it, by {law}.",
                    pair=pair,
                    why=lacking.why,
                    law=self.law_names.get(lacking.contact.law, lacking.contact.law),
                )
            if not there:
                reason = why_not(self.project, self.cell(index))
                return f"{pair}: {reason or tr('may not touch. Click to allow it.')}"
            named = ", ".join(self.law_names.get(one.law, one.law) for one in there)
            return f"{pair}: {named}"
        return None

    def number(self, law: str) -> int:
        """The number of a law among those of surfaces, from 1."""
        return self.laws.index(law) + 1 if law in self.laws else 0

    def colour(self, law: str) -> QColor:
        """A law's colour."""
        return QColor(LINES[(self.number(law) - 1) % len(LINES)])


class Missing(QObject):
    """Look for the present version of a model; what was found for an older one is left out."""

    changed = Signal()

    def __init__(self, parent: QObject, show: Callable[[Sequence[Suggestion]], object]) -> None:
        super().__init__(parent)
        self._show = show
        self.found: Sequence[Suggestion] = ()
        """What was found last."""
        self._trying = Trying(self, self._begin)
        self._wanted: tuple[Project, RunRecord | None] | None = None
        self._known: tuple[Project, RunRecord | None] | None = None
        self._run: RunRecord | None = None
        self._missed: tuple[Missed, ...] = ()

    @property
    def is_busy(self) -> bool:
        """Whether it still looks."""
        return self._trying.is_busy

    def look(self, project: Project, record: RunRecord | None) -> None:
        """Look for what is missing in a model, beside the run that is shown."""
        record = record if record is not None and record.has_ended else None
        known = self._known
        if known is not None and known[0] is project and known[1] is record:
            return
        self._wanted = project, record
        if self._trying.is_busy:
            self._trying.ask_again()
        else:
            self._begin()

    def _begin(self) -> None:
        asked = self._wanted
        if asked is None:
            return
        project, record = asked

        def work() -> tuple[Suggestion, ...]:
            if record is not self._run:
                self._run, self._missed = record, _missed(record)
            return suggested(project, self._missed)

        def found(suggestions: tuple[Suggestion, ...]) -> None:
            if asked == self._wanted:
                self._known, self.found = asked, suggestions
                self._show(suggestions)
                self.changed.emit()

        self._trying.do(work, found, lambda _: None)


def _missed(record: RunRecord | None) -> tuple[Missed, ...]:
    """Say what passed through what in a run though no contact was allowed."""
    if record is None or record.trajectory is None:
        return ()
    if record.solving is not None:
        found = record.solving.passages
    else:
        try:
            found = passages(record.project, record.trajectory)
        except ResultsError:
            return ()
    return tuple((one.what, one.into, one.sentence()) for one in found if not one.contact)
