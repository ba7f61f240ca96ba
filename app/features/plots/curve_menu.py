"""What can be done with one curve of a plot: filter it by itself, draw it filtered otherwise too, take it out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from app import texts
from app.curves.curves import CLASSES, Wanted
from solver.base.words import tr
from solver.project import Project
from solver.results.spoken import spoken_name

if TYPE_CHECKING:
    from app.curves.plot import Plot


def filters() -> list[tuple[str, int | None]]:
    """List the filter classes by their words."""
    named = [(tr(texts.words.CFC, cfc=c), c) for c in CLASSES[1:]]
    return [(tr("own filter"), None), (tr("unfiltered"), 0), *named]


def curve_menu(plot: Plot, wanted: Wanted, changed: Callable[[], None], parent: QWidget) -> QMenu:
    """Make the menu of one curve; `changed` is told when the plot is to be drawn anew."""

    def swap(other: Wanted | None) -> None:
        plot.wanted = [w for w in plot.wanted if w != other or w == wanted]
        at = plot.wanted.index(wanted)
        plot.wanted[at : at + 1] = [other] if other is not None else []
        changed()

    def join(other: Wanted) -> None:
        plot.wanted.insert(plot.wanted.index(wanted) + 1, other)
        changed()

    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    also = QMenu(tr("Draw it also"), menu)
    for words, cfc in filters():
        other = wanted.filtered(cfc)
        action = QAction(words, menu, checkable=True, checked=cfc == wanted.cfc)
        action.triggered.connect(lambda _=False, other=other: swap(other))
        menu.addAction(action)
        if other not in plot.wanted:
            also.addAction(words, partial(join, other))
    menu.addSeparator()
    menu.addMenu(also)
    menu.addAction(tr("Take it out"), lambda: swap(None))

    return menu


def offer_menu(
    project: Project, names: Sequence[str], draw: Callable[[str], object], parent: QWidget
) -> QMenu:
    """Make the menu of the quantities of what was dropped on a plot."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for name in names:
        menu.addAction(spoken_name(project, name), partial(draw, name))
    return menu
