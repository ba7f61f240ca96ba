"""The panel of studies: cards where there is none, else what one varies and asks, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from app.features.studies.going import Stand, StudyTable
from app.features.studies.making import COUNTED, KINDS, Kind, kind_of
from app.features.studies.setup import Setup
from app.fonts import Shortened, em, wide
from app.forms.choices import Whole
from app.guard import guard
from app.look import LIGHT, Theme
from app.widgets.splits import split
from app.with_properties import with_properties
from solver.base.words import tr
from solver.project import Project
from solver.project.studies import MOST_RUNS, Study

if TYPE_CHECKING:
    from app.features.studies.results import Results
_CARDS, _STUDY = 0, 1
_WIDE, _LOW = (380, 900), (640, 640)
"""Widths of what a study is made of and of what came of it; the same in a low panel (px of usual letters)."""
_LOW_EM, _BESIDE_PX = 26.0, 900
"""A panel lower than so many heights of the text has both lists beside each other, if it is as wide as that."""


class StudiesPanel(QWidget):
    """Show one study at a time."""

    kind_asked = Signal(object)
    chosen = Signal(str)
    run_asked = Signal()
    cancel_asked = Signal()
    take_asked = Signal(int)
    see_asked = Signal(int)
    pair_asked = Signal(list)
    several_asked = Signal(list)
    count_asked = Signal(int)
    """The study shall have so many runs."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.run, self.goes = -1, False
        self.cards, self.setup = Cards(), Setup()
        self._theme, self._system = LIGHT, "metric"
        self.box = with_properties(QComboBox(), minimumWidth=wide(170))
        self.box.setAccessibleName(tr("Study"))
        self.box.setToolTip(tr("The study that is shown"))
        self.box.currentIndexChanged.connect(self._on_chosen)
        self.new = QPushButton(tr("New…"))
        self.new.setToolTip(tr("Begin another study"))
        self.new.clicked.connect(lambda: self.show_cards())
        self.go = with_properties(QPushButton(tr("Run the study")), objectName="main")
        self.go.clicked.connect(lambda: (self.cancel_asked if self.goes else self.run_asked).emit())
        self.count = Whole(1, MOST_RUNS, 1, tr(" runs"))
        self.count.setAccessibleName(tr("Runs of the study"))
        self.count.setToolTip(tr("How many runs it has, of an optimum or a fit at most"))
        self.count.setKeyboardTracking(False)
        self.count.valueChanged.connect(self.count_asked)
        self.bar = with_properties(QProgressBar(), textVisible=False, maximumWidth=wide(140))
        self.bar.setAccessibleName(tr("How far the study is"))
        self.words = Shortened(60)
        self.see = QPushButton(tr("See this run"))
        self.see.setToolTip(tr("Solve the chosen run again, whole, and show it in the scene"))
        self.see.clicked.connect(lambda: self.see_asked.emit(self.run))
        self.take = QPushButton(tr("Take this design"))
        self.take.setToolTip(tr("Set the numbers of the chosen run in the model, as one step that can be undone"))  # fmt: skip
        self.take.clicked.connect(lambda: self.take_asked.emit(self.run))
        top = QHBoxLayout()
        top.setContentsMargins(8, 4, 8, 2)
        for widget in (self.box, self.new, self.count, self.go, self.bar):
            top.addWidget(widget)
        top.addWidget(self.words, 1)
        for button in (self.see, self.take):
            top.addWidget(button)
        area = with_properties(QScrollArea(), widgetResizable=True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(self.cards)
        self.hint = with_properties(QLabel(), objectName="muted", wordWrap=True)
        self.hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        shown = QWidget()
        self._right = QStackedLayout(shown)
        self._right.addWidget(self.hint)
        self._whole = split(Qt.Orientation.Horizontal, (self.setup, shown), _WIDE)
        self._is_low = False
        holder = QWidget()
        self._stack = QStackedLayout(holder)
        self._stack.addWidget(area)
        self._stack.addWidget(self._whole)
        self._top = QWidget()
        self._top.setLayout(top)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._top)
        layout.addWidget(holder, 1)
        self.cards.asked.connect(self.kind_asked)
        self.show_stand(None)
        self.choose(-1)

    @cached_property
    def results(self) -> Results:
        """The views of what came of a study: many charts, which are made when the first study has come back."""
        from app.features.studies.results import Results

        made = Results()
        made.set_theme(self._theme)
        made.set_units(self._system)
        made.run_chosen.connect(self.choose)
        made.run_asked.connect(self._on_run_asked)
        made.pair_asked.connect(self.pair_asked)
        made.several_asked.connect(self.several_asked)
        self._right.addWidget(made)
        return made

    @property
    def _has_results(self) -> bool:
        return "results" in self.__dict__

    def show_cards(self) -> None:
        """Offer all kinds of studies."""
        self._stack.setCurrentIndex(_CARDS)

    def list_studies(self, project: Project, current: str) -> None:
        """List the studies of a project, and show one."""
        self.box.blockSignals(True)
        self.box.clear()
        for study in project.studies:
            self.box.addItem(study.name or study.id, study.id)
            self.box.setItemData(self.box.count() - 1, kind_of(study.kind).title, Qt.ItemDataRole.ToolTipRole)  # fmt: skip
        self.box.setCurrentIndex(self.box.findData(current))
        self.box.blockSignals(False)
        self._top.setVisible(bool(project.studies))
        if not project.studies:
            self.show_cards()

    def show_study(self, project: Project, study: Study, known: Mapping[str, str]) -> None:
        """Show what a study varies and asks; `known` are SI units of its answers, where only a run tells them."""
        self.setup.show_study(project, study, known)
        counted = COUNTED.get(study.kind)
        self.count.setVisible(counted is not None)
        if counted is not None:
            self.count.blockSignals(True)
            self.count.setValue(getattr(study, counted))
            self.count.blockSignals(False)
        self._stack.setCurrentIndex(_STUDY)

    def show_seen(self, seen: StudyTable | None, hint: str = "") -> None:
        """Show what has come back; a hint where nothing has."""
        self.hint.setText(hint)
        self._right.setCurrentWidget(self.hint if seen is None else self.results)
        if seen is not None:
            self.results.show_seen(seen)
        self.choose(self.run if seen is not None and self.run < len(seen.inputs) else -1)

    def show_stand(self, stand: Stand | None, words: str = "") -> None:
        """Say how far the study is that goes on; None: none does."""
        self.goes = stand is not None
        self.go.setText(tr("Cancel") if self.goes else tr("Run the study"))
        self.go.setToolTip(
            tr("Stop the study; what has come back stays") if self.goes
            else tr("Solve all its runs in the background, on all cores")
        )  # fmt: skip
        self.bar.setVisible(self.goes)
        if stand is not None:
            self.bar.setRange(0, stand.of)
            self.bar.setValue(stand.done)
        self.words.say(words)

    def choose(self, run: int) -> None:
        """Mark a run, which can be seen and taken."""
        self.run = run
        for button in (self.see, self.take):
            button.setEnabled(run >= 0)
        if self._has_results:
            self.results.choose(run)

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self.cards.set_theme(theme)
        self.setup.set_theme(theme)
        self._theme = theme
        if self._has_results:
            self.results.set_theme(theme)

    def set_units(self, system: str) -> None:
        """Write numbers of results in other units."""
        self._system = system
        if self._has_results:
            self.results.set_units(system)

    @guard
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay as many cards beside each other as fit."""
        super().resizeEvent(event)
        self.cards.lay(self.width())
        is_low = self.height() < _LOW_EM * em() and self.width() > wide(_BESIDE_PX)
        if is_low != self._is_low:
            # one row of each list would be seen below the other
            self._is_low = is_low
            self.setup.set_beside(is_low)
            self._whole.setSizes([wide(size) for size in (_LOW if is_low else _WIDE)])

    def _on_chosen(self, _: int) -> None:
        id_ = self.box.currentData()
        if id_ is not None:
            self.chosen.emit(id_)

    def _on_run_asked(self, run: int) -> None:
        self.choose(run)
        self.see_asked.emit(run)


_CARDS_WIDE, _HIGH = 250, 92
_PICTURE = 84


def _dots(p: QPainter, box: QRectF, places: list[tuple[float, float]], size: float = 2.4) -> None:
    for x, y in places:
        p.drawEllipse(QPointF(box.left() + x * box.width(), box.bottom() - y * box.height()), size, size)  # fmt: skip


def _line(p: QPainter, box: QRectF, places: list[tuple[float, float]]) -> None:
    p.drawPolyline(QPolygonF([QPointF(box.left() + x * box.width(), box.bottom() - y * box.height()) for x, y in places]))  # fmt: skip


def _bell(p: QPainter, box: QRectF) -> None:
    x = np.linspace(0.0, 1.0, 40)
    _line(p, box, [(float(u), float(0.9 * np.exp(-((u - 0.5) ** 2) / 0.03))) for u in x])
    _line(p, box, [(0.72, 0.0), (0.72, 1.0)])


def _signs(p: QPainter, box: QRectF) -> None:
    for n, (x, y) in enumerate(
        [(0.2, 0.75), (0.5, 0.75), (0.8, 0.75), (0.2, 0.25), (0.5, 0.25), (0.8, 0.25)]
    ):
        at = QRectF(box.left() + x * box.width() - 12, box.bottom() - y * box.height() - 10, 24, 20)  # fmt: skip
        p.drawText(at, Qt.AlignmentFlag.AlignCenter, ("++", "0", "−", "+", "−−", "0")[n])


def _grid(p: QPainter, box: QRectF) -> None:
    _dots(p, box, [(x, y) for x in (0.1, 0.37, 0.63, 0.9) for y in (0.15, 0.5, 0.85)])


def _walks(p: QPainter, box: QRectF) -> None:
    _line(p, box, [(0.1, 0.2), (0.4, 0.2), (0.4, 0.6), (0.8, 0.6), (0.8, 0.9)])
    _line(p, box, [(0.2, 0.9), (0.2, 0.45), (0.65, 0.45), (0.65, 0.1)])
    _dots(p, box, [(0.1, 0.2), (0.4, 0.2), (0.4, 0.6), (0.8, 0.6), (0.8, 0.9)])


def _shares(p: QPainter, box: QRectF) -> None:
    side = min(box.width(), box.height())
    pie = QRectF(box.center().x() - side / 2, box.center().y() - side / 2, side, side)
    p.drawEllipse(pie)
    for part in (0.0, 0.55, 0.8):
        a = 2.0 * np.pi * part
        p.drawLine(pie.center(), QPointF(pie.center().x() + side / 2 * np.cos(a), pie.center().y() - side / 2 * np.sin(a)))  # fmt: skip


def _front(p: QPainter, box: QRectF) -> None:
    _line(p, box, [(0.1, 0.95), (0.16, 0.55), (0.32, 0.3), (0.6, 0.16), (0.95, 0.1)])
    _dots(p, box, [(0.3, 0.7), (0.5, 0.5), (0.45, 0.8), (0.7, 0.4), (0.8, 0.65)], 1.8)
    _dots(p, box, [(0.32, 0.3)], 4.0)


def _fit(p: QPainter, box: QRectF) -> None:
    x = np.linspace(0.0, 1.0, 30)
    _line(p, box, [(float(u), float(0.1 + 0.8 * np.sin(np.pi * u) ** 2)) for u in x])
    _dots(p, box, [(float(u), float(0.1 + 0.8 * np.sin(np.pi * u) ** 2 + 0.06 * np.sin(40 * u))) for u in x[::4]])  # fmt: skip


def _coupler(p: QPainter, box: QRectF) -> None:
    u = np.linspace(0.0, 2.0 * np.pi, 40)
    _line(
        p,
        box,
        [
            (float(0.62 + 0.3 * np.cos(a)), float(0.62 + 0.28 * np.sin(a) + 0.07 * np.cos(2.0 * a)))
            for a in u
        ],
    )
    _line(p, box, [(0.1, 0.1), (0.2, 0.45), (0.92, 0.69)])
    _dots(p, box, [(0.1, 0.1), (0.2, 0.45), (0.92, 0.69)], 3.0)


PICTURES: dict[str, Callable[[QPainter, QRectF], None]] = {
    "sample": _bell, "local": _signs, "grid": _grid, "morris": _walks, "sobol": _shares, "optimum": _front, "fit": _fit,
    "synthesis": _coupler,
}  # fmt: skip


class Card(QPushButton):
    """Show one kind; a click begins a study."""

    def __init__(self, kind: Kind) -> None:
        super().__init__()
        self.kind, self.theme = kind, LIGHT
        self.setAccessibleName(kind.title)
        self.setAccessibleDescription(kind.question)
        self.setToolTip(kind.question)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    @guard
    def sizeHint(self) -> QSize:
        """Ask for room for the picture and four lines."""
        letters = self.fontMetrics()
        return QSize(_PICTURE + 30 * letters.averageCharWidth(), max(_HIGH, 7 * letters.height()))

    @guard
    def minimumSizeHint(self) -> QSize:
        """Be no smaller than that."""
        return self.sizeHint()

    @guard
    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint frame, picture and words."""
        super().paintEvent(event)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(self.theme.accent), 1.8))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            PICTURES[self.kind.name](painter, QRectF(14, 16, _PICTURE - 28, self.height() - 32))
            words = QRectF(_PICTURE, 9, self.width() - _PICTURE - 10, self.height() - 14)
            font = painter.font()
            font.setBold(True)
            painter.setFont(font)
            painter.setPen(QColor(self.theme.text))
            painter.drawText(words, Qt.AlignmentFlag.AlignTop, self.kind.title)
            font.setBold(False)
            painter.setFont(font)
            painter.setPen(QColor(self.theme.muted))
            below = words.adjusted(0, 1.3 * painter.fontMetrics().height(), 0, 0)
            painter.drawText(below, Qt.TextFlag.TextWordWrap, self.kind.question)


class Cards(QWidget):
    """Offer all kinds, as many beside each other as fit."""

    asked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = with_properties(
            QLabel(tr("A study runs the model many times. What do you want to know?")), objectName="muted"
        )  # fmt: skip
        self.cards = [Card(kind) for kind in KINDS]
        self._grid = QGridLayout()
        self._grid.setSpacing(8)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 8, 12, 8)
        layout.addWidget(self.words)
        layout.addLayout(self._grid)
        layout.addStretch(1)
        for card in self.cards:
            card.clicked.connect(lambda _=False, kind=card.kind: self.asked.emit(kind))
        self._across = 0
        self.lay(1280)

    def lay(self, width: int) -> None:
        """Lay out as many cards beside each other as fit."""
        across = max(1, min(4, (width - 24) // (self.cards[0].sizeHint().width() + 8)))
        if across == self._across:
            return
        self._across = across
        for n, card in enumerate(self.cards):
            self._grid.addWidget(card, n // across, n % across)

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        for card in self.cards:
            card.theme = theme
            card.update()
