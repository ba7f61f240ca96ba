"""Where Tab goes: through the parts of the window as one reads them, in each from above and from the left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QWidget

_LINE_PX = 6
"""What begins within so many pixels stands in one line."""


def neighbour(window: QWidget, parts: Sequence[QWidget], ahead: bool) -> QWidget | None:
    """What Tab, or Shift+Tab, goes to from what has the keyboard; None for nowhere."""
    order = tab_order(parts)
    here = window.focusWidget()
    if not order:
        return None
    if here not in order:
        return order[0] if ahead else order[-1]
    return order[(order.index(here) + (1 if ahead else -1)) % len(order)]


def tab_order(parts: Sequence[QWidget]) -> list[QWidget]:
    """List all in some parts that takes the keyboard by Tab.

    Qt goes by when things were built, and forms and lists are built again and again.
    """
    return [widget for part in parts if part.isVisible() for widget in _inside(part)]


def bring_into_view(widget: QWidget) -> None:
    """Scroll what lies around a widget so that it is seen."""
    here = widget.parentWidget()
    while here is not None:
        if isinstance(here, QScrollArea):
            here.ensureWidgetVisible(widget)
        here = here.parentWidget()


def _inside(widget: QWidget) -> Iterator[QWidget]:
    """A widget and all in it that take the keyboard, line by line."""
    policy = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
    if policy and widget.isEnabled() and not widget.focusProxy():
        yield widget
    inside = [
        child
        for child in widget.children()
        if isinstance(child, QWidget) and child.isVisible() and not child.isWindow()
    ]
    for child in sorted(inside, key=lambda one: (one.y() // _LINE_PX, one.x())):
        yield from _inside(child)
