"""The table of what acts on the selected segment, beside its sources stacked over time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QSplitter,
    QStackedLayout,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app import texts
from app.elements import element_label
from app.fonts import Shortened, wide
from app.forms.units import digits
from app.look import ACTING_TONES, LIGHT, Theme
from app.with_properties import with_properties
from solver.analysis.acting import Account
from solver.analysis.acting.messages import (
    WAYS,
    WORDS,
    Row,
    Way,
    cancel,
    direction,
    rows,
    shares_text,
)
from solver.base.units import convert, display_unit, pretty
from solver.base.words import msgid, tr
from solver.editing.persons import chosen_person
from solver.engine.maths.rotation import Array
from solver.injury import Figure
from solver.injury.figures import figure_text, judged_text
from solver.project import Project

if TYPE_CHECKING:
    from app.curves.chart import Chart

_EMPTY = msgid(
    "Solve a run and select a segment, or some: what acts on it at the instant shown stands here, source by source. "
    "Together it gives mass times acceleration."
)
_WAYS = {
    "along": msgid("Along its acceleration"),
    "slide": msgid("Along the way it is pressed in"),
    "x": msgid("Along x of ground"),
    "y": msgid("Along y of ground"),
    "z": msgid("Along z of ground"),
}
_REST = msgid(
    "What results do not tell, such as the force that moves a segment as prescribed: mass times acceleration less all the others."
)
_G = 9.80665
_NAMED = 3
"""So many segments are named; of more it is told how many there are."""
_ELEMENT = Qt.ItemDataRole.UserRole
_NOTHING_N = 1.0
"""What moves a part with less has no shares."""
_CANCEL = msgid(
    "Forces nearly cancel each other: as shares of what is left they would mean nothing."
)


class ActingPanel(QWidget):
    """Show one account at one instant; a click on a row selects, a click on the curves goes there."""

    chosen = Signal(str)
    time_asked = Signal(float)
    way_changed = Signal()
    parts_changed = Signal()
    """What a body's part consists of shall be taken together, or no longer."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.system, self._theme = "metric", LIGHT
        self.account: Account | None = None
        self._project, self._at = Project.empty(), 0.0
        self.words = Shortened(120)
        self.ways = QComboBox()
        self.ways.setAccessibleName(tr("Direction in which forces are counted"))
        self.ways.setToolTip(tr("Direction in which forces are counted"))
        for way in WAYS:
            if way != "slide":
                self.ways.addItem(tr(_WAYS[way]), way)
        self.ways.currentIndexChanged.connect(lambda _: self._on_way())
        self.together = QCheckBox(tr("With its own parts"))
        self.together.setToolTip(
            tr("Take a chest together with its sternum and shoulders, a thigh with its knee")
        )
        self.together.toggled.connect(lambda _: self.parts_changed.emit())
        self.tree = with_properties(QTreeWidget(), uniformRowHeights=True, indentation=14)
        self.tree.setAccessibleName(tr("What acts on the selected segment"))
        self.tree.setColumnCount(4)
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.tree.itemClicked.connect(lambda item, _: self._on_row(item))
        self.tree.itemActivated.connect(lambda item, _: self._on_row(item))
        self._split = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        self._split.addWidget(self.tree)
        top = QHBoxLayout()
        top.setContentsMargins(8, 4, 8, 2)
        top.setSpacing(12)
        top.addWidget(self.words, 1)
        top.addWidget(self.together)
        top.addWidget(self.ways)
        self.why = Shortened(120)
        self.why.setAccessibleName(tr("What makes it"))
        self._figure: tuple[str, float] | None = None
        """What is asked of an injury figure, and at which instant (s)."""
        full = QWidget()
        column = QVBoxLayout(full)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(top)
        below = QHBoxLayout()
        below.setContentsMargins(8, 0, 8, 2)
        below.addWidget(self.why)
        column.addLayout(below)
        column.addWidget(self._split, 1)
        self.empty = with_properties(QLabel(tr(_EMPTY)), objectName="muted", wordWrap=True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(full)

    @cached_property
    def chart(self) -> Chart:
        """The curves of all sources, which are made when there is something to draw."""
        from app.curves.chart import Chart

        made = Chart(tr("Sources over time, stacked"))
        made.scene().sigMouseClicked.connect(self._on_click)
        self._split.addWidget(made)
        self._split.setSizes([wide(430), wide(560)])
        return made

    @cached_property
    def _instant(self) -> Any:
        from pyqtgraph import InfiniteLine

        return InfiniteLine(angle=90)

    @property
    def way(self) -> Way:
        """The direction asked for."""
        way: Way = self.ways.currentData()
        return way

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self._theme = theme
        self._draw()

    def set_units(self, system: str) -> None:
        """Change the units of what is shown."""
        self.system = system
        self._draw()

    def show_account(self, project: Project, account: Account | None) -> None:
        """Show what acts on another segment, or in another run."""
        self._project, self.account, self._figure = project, account, None
        slides, at = account is not None and account.slide is not None, self.ways.findData("slide")
        if slides and at < 0:
            self.ways.insertItem(1, tr(_WAYS["slide"]), "slide")
        elif at >= 0 and not slides:
            if self.ways.currentIndex() == at:
                self.ways.setCurrentIndex(0)
            self.ways.removeItem(at)
        self._stack.setCurrentIndex(0 if account is None else 1)
        self._draw()

    def rows_at(self, t: float) -> dict[str, list[Row]]:
        """What acts at an instant (s)."""
        if self.account is None or not len(self.account.time):
            return {}
        return rows(self._project, self.account, self._frame(t), self.way)

    def place_at(self, t: float) -> Array:
        """The mass centre at an instant (s), ground axes (m)."""
        assert self.account is not None
        place: Array = self.account.place[self._frame(t)]
        return place

    def show_instant(self, t: float) -> None:
        """Write the table for an instant (s)."""
        account = self.account
        if account is None or not len(account.time):
            return
        self._at = t
        self._instant.setValue(1e3 * t)
        frame = self._frame(t)
        unit = display_unit("N", self.system)
        titles = ("", tr("Part ({unit})", unit=pretty(unit)), "%", tr("Force ({unit})", unit=pretty(unit)))  # fmt: skip
        self.tree.setHeaderLabels(list(titles))
        total = account.mass_kg * float(account.acceleration[frame] @ direction(account, self.way)[frame])  # fmt: skip
        tops = [self.tree.topLevelItem(n) for n in range(self.tree.topLevelItemCount())]
        closed = {top.data(0, _ELEMENT) for top in tops if top is not None and not top.isExpanded()}
        self.tree.clear()
        there = self.rows_at(t)
        slides = self.way == "slide"
        cancels = not slides and abs(total) > _NOTHING_N and cancel((row.part for found in there.values() for row in found), total)  # fmt: skip
        whole = 0.0 if cancels or slides else total
        for source, found in there.items():
            force = np.sum([row.force for row in found], axis=0)
            part = sum(row.part for row in found)
            item = self._item(tr(WORDS[source]), part, whole, float(np.linalg.norm(force)))
            item.setData(0, _ELEMENT, source)
            item.setForeground(0, QBrush(QColor(ACTING_TONES[source])))
            if source == "rest":
                item.setToolTip(0, tr(_REST))
            self.tree.addTopLevelItem(item)
            for row in found if source not in ("weight", "rest") else ():
                child = self._item(row.name, row.part, whole, row.size)
                child.setData(0, _ELEMENT, row.element)
                item.addChild(child)
            item.setExpanded(source not in closed and len(found) < 5)
        last = self._item(tr("Mass × acceleration"), total, whole, account.mass_kg * float(np.linalg.norm(account.acceleration[frame])))  # fmt: skip
        for column in range(4):
            font = last.font(column)
            font.setBold(True)
            last.setFont(column, font)
        self.tree.addTopLevelItem(last)
        header = self.tree.headerItem()
        if header is not None:
            header.setToolTip(2, tr(_CANCEL) if cancels else "")
        size = float(np.linalg.norm(account.acceleration[frame]))
        words = msgid("{name}: {mass} kg × {g} g at {ms:.1f} ms")
        if cancels:
            words = msgid("{name}: {mass} kg × {g} g at {ms:.1f} ms; forces nearly cancel each other, so shares would mean nothing")  # fmt: skip
        self.words.say(
            tr(
                words,
                name=_together(self._project, account.segments),
                mass=digits(account.mass_kg, 3),
                g=digits(size / _G, 3),
                ms=1e3 * float(account.time[frame]),
            )
        )
        self._say_shares(frame)

    def say_why(self, figure: Figure) -> None:
        """Begin the sentence with the figure that was asked of, as long as its instant is shown."""
        assert self.account is not None
        words = f"{figure_text(figure)}, {judged_text(figure)}"
        self._figure = words, self._at
        self._say_shares(self._frame(self._at))

    def _say_shares(self, frame: int) -> None:
        assert self.account is not None
        shares = shares_text(self._project, self.account, frame, self.system)
        words = tr("What makes it: {shares}", shares=shares) if shares else ""
        if self._figure is not None and abs(self._figure[1] - self._at) < 1e-9 and words:
            words = f"{self._figure[0]}. {words}"
        self.why.say(words)

    def _item(self, name: str, part: float, total: float, size: float) -> QTreeWidgetItem:
        unit = display_unit("N", self.system)
        share = f"{round(100.0 * part / total)}" if abs(total) > _NOTHING_N else "–"
        shown = (f"{convert(value, 'N', unit):.4g}" for value in (part, size))
        written, whole = shown
        item = QTreeWidgetItem([name, written, share, whole])
        item.setToolTip(0, name)
        for column in range(1, 4):
            item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight)
        return item

    def _draw(self) -> None:
        """Stack the sources: what pushes that way above zero, what pushes back below."""
        account = self.account
        if account is None or not len(account.time):
            return
        unit = display_unit("N", self.system)
        scale = convert(1.0, "N", unit)
        self.chart.begin(self._theme, tr(texts.words.TIME_MS), pretty(unit))
        towards = direction(account, self.way)
        ms = 1e3 * account.time
        above = below = np.zeros(len(ms))
        for source, values in account.by_source(towards).items():
            up, down = np.maximum(values, 0.0) * scale, np.minimum(values, 0.0) * scale
            tone = ACTING_TONES[source]
            for start, more in ((above, up), (below, down)):
                if np.any(more):
                    self.chart.band(ms, start, start + more, tone, 170)
            above, below = above + up, below + down
        whole = scale * account.mass_kg * (account.acceleration * towards).sum(axis=1)
        self.chart.line(ms, whole, self._theme.text)
        self._instant.setPen(self._theme.accent)
        self.chart.addItem(self._instant, ignoreBounds=True)

    def _frame(self, t: float) -> int:
        assert self.account is not None
        return int(np.abs(self.account.time - t).argmin())

    def _on_way(self) -> None:
        self._draw()
        self.way_changed.emit()

    def _on_row(self, item: QTreeWidgetItem) -> None:
        element = item.data(0, _ELEMENT)
        if element and "/" in element:
            self.chosen.emit(element)

    def _on_click(self, event: Any) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.account is not None:
            place: QPointF = self.chart.getPlotItem().vb.mapSceneToView(event.scenePos())
            self.time_asked.emit(1e-3 * place.x())


def _together(project: Project, segments: Sequence[str]) -> str:
    """Name segments: by whom they are all of, else the first few."""
    paths = [f"segments/{one}" for one in segments]
    whole = chosen_person(project, paths)
    if whole is not None:
        return whole.name
    names = [element_label(project, path) for path in paths]
    if len(names) > _NAMED + 1:
        more = len(names) - _NAMED
        return tr("{names} and {n} more", names=", ".join(names[:_NAMED]), n=more)
    return ", ".join(names)
