"""Keep how panels are arranged from one start to the next, and drop what does not fit."""

from __future__ import annotations

import zlib
from collections.abc import Iterable

from PySide6.QtCore import QByteArray, QMargins, QRect
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMainWindow, QWidget

_VERSION = 1
"""Another one wherever the docks of old cannot be put as they were."""

_WIDTHS = {"left": (0.12, 236, 0.2), "right": (0.18, 384, 0.3)}
"""What is usual (px), between two parts of the window's width."""


def first_widths(whole: int) -> dict[str, int]:
    """Give how wide what is beside the scene is at first, in a window so wide (px)."""
    return {
        place: round(sorted((least * whole, px, most * whole))[1])
        for place, (least, px, most) in _WIDTHS.items()
    }


def kept(page: QMainWindow, names: Iterable[str], below: int) -> QByteArray:
    """Write down where all docks are, in a page of this size with docks of these names.

    What is below the scene has this height (px): Qt tells it only of a page that is shown.
    """
    state = bytes(page.saveState(_VERSION).data())
    head = f"{page.width()} {page.height()} {below} {' '.join(names)}\n"
    all_of_it = head.encode() + state
    return QByteArray(f"{zlib.crc32(all_of_it)} ".encode() + all_of_it)


def restore(page: QMainWindow, names: Iterable[str], data: QByteArray) -> int | None:
    """Put all docks where they were, and give the height of what is below the scene.

    None, and nothing done, for what is torn or of other docks.
    """
    check, _, all_of_it = bytes(data.data()).partition(b" ")
    if check != str(zlib.crc32(all_of_it)).encode():
        return None
    head, _, state = all_of_it.partition(b"\n")
    width, height, below, *known = head.decode().split(" ")
    if known != list(names):
        return None
    before = page.size()
    page.resize(int(width), int(height))
    if page.restoreState(QByteArray(state), _VERSION):
        return int(below)
    page.resize(before)
    return None


def bring_on_screen(window: QWidget, title_px: int = 0) -> None:
    """Move a window of its own so that all of it, or its title, is on a screen that is there.

    A window that was never shown has no title yet; `title_px` is the room that the desktop takes for one.
    """
    place = window.geometry().adjusted(0, 0, 0, title_px)
    areas = [screen.availableGeometry() for screen in QGuiApplication.screens()]
    seen = [area.intersected(place) for area in areas]
    if not areas or any(one.contains(place) for one in areas):
        return
    most = max(range(len(areas)), key=lambda n: seen[n].width() * seen[n].height())
    inside = _inside(place, areas[most])
    window.move(inside.topLeft())
    window.resize(inside.size().shrunkBy(QMargins(0, 0, 0, title_px)))


def _inside(place: QRect, area: QRect) -> QRect:
    """Shift a rectangle into an area, and make it smaller where it must."""
    size = place.size().boundedTo(area.size())
    x = min(max(place.x(), area.x()), area.right() + 1 - size.width())
    y = min(max(place.y(), area.y()), area.bottom() + 1 - size.height())
    return QRect(x, y, size.width(), size.height())
