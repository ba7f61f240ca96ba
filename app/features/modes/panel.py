"""The list of modes: of the start, at rest, or of the instant that is shown; a click lets the scene swing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QSlider,
    QStackedLayout,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.fonts import Shortened, wide
from app.having import having
from solver.base.words import msgid, tr
from solver.project import Project
from solver.project.names import in_full

if TYPE_CHECKING:
    from solver.analysis.linear import Linear, Mode

_MOST_MM = 200
_KINDS = {
    "rigid": msgid("rigid"), "neutral": msgid("neutral"), "oscillation": msgid("oscillation"), "decay": msgid("decay"),
    "growth": msgid("growth"),
}  # fmt: skip


class ModesPanel(QWidget):
    """Show the modes of one instant."""

    find_asked = Signal(str)
    """Modes shall be found: of the `start`, at `rest`, or `now`."""
    mode_chosen = Signal(int)
    stop_asked = Signal()
    size_changed = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.where = QComboBox()
        self.where.setAccessibleName(tr("Instant about which modes are found"))
        self.where.setToolTip(tr("Instant about which modes are found"))
        for words, data in (
            (tr("At the start"), "start"), (tr("Settled, at rest"), "rest"), (tr("At the instant shown"), "now"),
        ):  # fmt: skip
            self.where.addItem(words, data)
        self.go = having(QPushButton(tr("Find modes")), objectName="main")
        self.go.setToolTip(tr("Linearise the model there: frequencies, damping and shapes of small motions"))  # fmt: skip
        self.go.clicked.connect(lambda: self.find_asked.emit(self.where.currentData()))
        self.words = Shortened(60)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(5, _MOST_MM)
        self.slider.setValue(50)
        self.slider.setFixedWidth(wide(140))
        self.slider.setAccessibleName(tr("Size of the motion that is shown"))
        self.slider.setToolTip(tr("Size of the motion that is shown"))
        self.slider.valueChanged.connect(lambda mm: self.size_changed.emit(1e-3 * mm))
        self.stop = QPushButton(tr("Stop"))
        self.stop.setToolTip(tr("Show the model at rest again"))
        self.stop.clicked.connect(self.stop_asked)
        top = QHBoxLayout()
        top.setContentsMargins(8, 4, 8, 2)
        top.setSpacing(8)
        for widget in (self.where, self.go):
            top.addWidget(widget)
        top.addWidget(self.words, 1)
        top.addWidget(having(QLabel(tr("Size")), objectName="muted"))
        top.addWidget(self.slider)
        top.addWidget(self.stop)
        self.tree = having(QTreeWidget(), rootIsDecorated=False, uniformRowHeights=True)
        self.tree.setAccessibleName(tr("Modes"))
        self.tree.setHeaderLabels([
            tr("Mode"), tr("Kind"), tr("Frequency (Hz)"), tr("Damping (%)"), tr("What moves most"), tr("Mass moved x, y, z (%)"),
        ])  # fmt: skip
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.tree.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.tree.currentItemChanged.connect(lambda item, _: self._on_chosen(item))
        self.hint = having(
            QLabel(tr("How the model moves when it moves a little: frequencies and damping of its modes stand here, and a click lets the scene swing in one.")),
            objectName="muted", wordWrap=True,
        )  # fmt: skip
        self.hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        holder = QWidget()
        self._stack = QStackedLayout(holder)
        self._stack.addWidget(self.hint)
        self._stack.addWidget(self.tree)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(top)
        layout.addWidget(holder, 1)
        self.swings(False)

    def show_linear(self, project: Project, linear: Linear | None) -> None:
        """List modes; none where there are none to show."""
        self.tree.clear()
        self._stack.setCurrentIndex(int(linear is not None))
        if linear is None:
            return
        names = {s.id: in_full(project, "segments", s) for s in project.segments}
        for n, mode in enumerate(linear.modes):
            QTreeWidgetItem(self.tree, [str(n + 1), *_cells(linear, mode, names)])

    def swings(self, on: bool) -> None:
        """Say whether the scene swings now."""
        self.stop.setEnabled(on)
        if not on:
            self.tree.blockSignals(True)
            self.tree.setCurrentIndex(QModelIndex())
            self.tree.blockSignals(False)

    def say(self, words: str, busy: bool = False) -> None:
        """Say how far it is, or what there is to note."""
        self.words.say(words)
        self.go.setEnabled(not busy)

    def _on_chosen(self, item: QTreeWidgetItem | None) -> None:
        if item is not None:
            self.mode_chosen.emit(self.tree.indexOfTopLevelItem(item))


def _cells(linear: Linear, mode: Mode, names: dict[str, str]) -> list[str]:
    """Write a mode: kind, frequency, damping, the two segments with most energy, effective mass."""
    swings = mode.kind == "oscillation"
    most = [n for n in np.argsort(-mode.energy)[:2] if mode.energy[n] > 0.05]
    moved = ", ".join(f"{names.get(linear.segments[n], linear.segments[n])} {100.0 * mode.energy[n]:.0f} %" for n in most)  # fmt: skip
    return [
        tr(_KINDS[mode.kind]),
        f"{mode.frequency_hz:.4g}" if mode.kind != "rigid" else "0",
        f"{100.0 * mode.damping:.3g}" if swings or mode.kind == "growth" else "",
        moved,
        ", ".join(f"{100.0 * part:.0f}" for part in mode.effective),
    ]
