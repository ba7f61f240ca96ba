"""Where Tab goes: through the parts of the window as one reads them, within each as it was built."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QWidget

if TYPE_CHECKING:
    from app.window import MainWindow


def neighbour(window: MainWindow, ahead: bool) -> QWidget | None:
    """Give what Tab, or Shift+Tab, goes to from what has the keyboard; None for nowhere."""
    order = tab_order(window)
    here = window.focusWidget()
    if not order:
        return None
    if here not in order:
        return order[0] if ahead else order[-1]
    return order[(order.index(here) + (1 if ahead else -1)) % len(order)]


def tab_order(window: MainWindow) -> list[QWidget]:
    """List all that takes the keyboard by Tab.

    Forms and lists are built again and again, and Qt puts what is new at the end: so the order is
    that of the parts, whatever was built when.
    """
    parts = (
        window.notice, window.pages.currentWidget(), window.outline, window.views, window.timeline,
        window.inspector, window.drawer, window.run_control, window.tour.card,
    )  # fmt: skip
    places = {part: number for number, part in enumerate(parts)}
    found: list[tuple[int, QWidget]] = []
    here = window.nextInFocusChain()
    while here is not window:
        if _takes_tab(here):
            found.append((_place(here, places, window), here))
        here = here.nextInFocusChain()
    found.sort(key=lambda pair: pair[0])
    return [widget for _, widget in found]


def bring_into_view(widget: QWidget) -> None:
    """Scroll what lies around a widget so that it is seen."""
    here = widget.parentWidget()
    while here is not None:
        if isinstance(here, QScrollArea):
            here.ensureWidgetVisible(widget)
        here = here.parentWidget()


def _takes_tab(widget: QWidget) -> bool:
    policy = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
    return bool(policy and widget.isVisible() and widget.isEnabled() and not widget.focusProxy())


def _place(widget: QWidget, places: dict[QWidget, int], window: QWidget) -> int:
    """Give the number of the innermost part that a widget is in; what is in none comes last."""
    here: QWidget | None = widget
    while here is not None and here is not window:
        if here in places:
            return places[here]
        here = here.parentWidget()
    return len(places)
