"""The row above an editor: what is edited, its buttons, and what is said about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QToolButton, QWidget

from app.editing.examples import Offer
from app.fonts import Shortened
from app.jobs.task import Trying
from app.with_properties import with_properties
from solver.base.words import tr
from solver.bodies.library import fragment

if TYPE_CHECKING:
    from solver.model.functions import PulsePath

_HINT_PX = 120


class Bar(QWidget):
    """The heading, widgets in a row, and a sentence at the end."""

    def __init__(self, *widgets: QWidget) -> None:
        super().__init__()
        self.heading = with_properties(QLabel(""), objectName="key")
        self.hint = Shortened(_HINT_PX)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 4, 8, 2)
        row.setSpacing(8)
        for widget in (self.heading, *widgets):
            row.addWidget(widget)
        row.addWidget(self.hint, 1)

    def say(self, sentence: str) -> None:
        """Say something at the end of the row."""
        self.hint.say(sentence)


def button(text: str, tip: str, do: Callable[[], Any]) -> QToolButton:
    """Make a button that does something."""
    made = with_properties(QToolButton(), text=text, toolTip=tip)
    made.clicked.connect(lambda: do())
    return made


_MANY = 25
"""More offers than so many stand in a menu for each heading."""


class LibraryButton(QToolButton):
    """Offer what the library has; what it is and where from stands in tips. It is looked up in a thread, as reading the library takes a while.

    The one at which mouse or keys are is `seen`, so that it can be drawn beside one's own; none once the menu closes.
    """

    looked_at = Signal()
    filled = Signal()

    def __init__(
        self,
        text: str,
        find: Callable[[Any], list[Offer]],
        take: Callable[[Offer], Any],
        about: Callable[[], Any] = lambda: None,
    ) -> None:
        super().__init__()
        with_properties(self, text=text)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._find, self._take, self._about = find, take, about
        self._of: tuple[Any, ...] = ()
        self._trying = Trying(self, self._open)
        self.seen: Offer | None = None
        menu = QMenu(self, toolTipsVisible=True)
        menu.aboutToShow.connect(self._open)
        menu.aboutToHide.connect(partial(self._look_at, None))
        self.setMenu(menu)

    def _look_at(self, offer: Offer | None) -> None:
        self.seen = offer
        self.looked_at.emit()

    def _open(self) -> None:
        """Look for what fits what is edited now, unless it stands in the menu already."""
        about, find = self._about(), self._find
        if self._of and self._of[0] is about:
            return
        if self._trying.is_busy:
            self._trying.ask_again()
            return
        self.menu().clear()
        self.menu().addAction(tr("Looking…")).setEnabled(False)
        self._trying.do(
            partial(find, about), partial(self._fill, about), partial(self._fill, about, [])
        )

    def _fill(self, about: Any, offers: Sequence[Offer], _: object = None) -> None:
        """List what was found for something, under headings."""
        self._of = (about,)
        menu, headings = self.menu(), dict[str, QMenu]()
        menu.clear()
        if not offers:
            menu.addAction(tr("There is nothing that fits.")).setEnabled(False)
        last = ""
        for one in offers:
            into = menu
            if len(offers) > _MANY and one.heading:
                if one.heading not in headings:
                    headings[one.heading] = menu.addMenu(one.heading)
                    headings[one.heading].setToolTipsVisible(True)
                into = headings[one.heading]
            elif one.heading != last:
                menu.addSection(one.heading)
                last = one.heading
            action = into.addAction(one.title)
            action.setToolTip(one.tip)
            action.hovered.connect(partial(self._look_at, one))
            action.triggered.connect(partial(self._on_taken, one))
        self.filled.emit()

    def _on_taken(self, offer: Offer, _: bool = False) -> None:
        self._take(offer)


def pulse_of_library(offer: Offer | None, end: float) -> PulsePath | None:
    """Follow the first component of a pulse of the library; None without one."""
    if offer is None:
        return None
    from solver.model.functions import pulse_path

    project = fragment(offer.key)
    return pulse_path(project, project.motions[0].components[0], end)
