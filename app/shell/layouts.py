"""How panels are arranged, as data: what each mood shows, first sizes, and the state that is kept."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field

from PySide6.QtCore import QByteArray, QMargins, QRect
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMainWindow, QWidget

_VERSION = 2
"""Another one wherever the docks of old cannot be put as they were."""

_WIDTHS = {"left": (0.12, 236, 0.1875), "right": (0.18, 384, 0.3)}
"""What is usual (px), between two parts of the window's width."""
_FORM_PX, _FORM_MOST = 320, 0.4
"""What fields in fields need so that nothing of them is cut; in a small window it may take so much of the width."""


@dataclass(slots=True)
class Arrangement:
    """What a mood shows, which of it is in front, and how large it is (px); 0: as large as it is."""

    shown: list[str]
    front: list[str]
    below: int = 0
    sizes: dict[str, list[int]] = field(default_factory=dict)
    """Width and height of the panels that are seen."""


@dataclass(slots=True)
class Kept:
    """What is kept beside Qt's own state: the size of the page, the height below, the mood, and all moods."""

    width: int
    height: int
    below: int
    mood: str
    names: list[str]
    moods: dict[str, Arrangement]


def first_widths(whole: int) -> dict[str, int]:
    """How wide what is beside the scene is at first, in a window so wide (px)."""
    found = {
        place: round(sorted((least * whole, px, most * whole))[1])
        for place, (least, px, most) in _WIDTHS.items()
    }
    return found | {"right": max(found["right"], min(_FORM_PX, round(_FORM_MOST * whole)))}


def saved_layout(page: QMainWindow, kept: Kept) -> QByteArray:
    """Write down where all docks are, and what else is kept of them."""
    state = bytes(page.saveState(_VERSION).data())
    all_of_it = json.dumps(asdict(kept)).encode() + b"\n" + state
    return QByteArray(f"{zlib.crc32(all_of_it)} ".encode() + all_of_it)


def restore(page: QMainWindow, names: Iterable[str], data: QByteArray) -> Kept | None:
    """Put all docks where they were, and give what else was kept.

    None, and nothing done, for what is torn or of other docks.
    """
    check, _, all_of_it = bytes(data.data()).partition(b" ")
    if check != str(zlib.crc32(all_of_it)).encode():
        return None
    head, _, state = all_of_it.partition(b"\n")
    try:
        read = json.loads(head)
        moods = {name: Arrangement(**one) for name, one in read.pop("moods").items()}
        kept = Kept(moods=moods, **read)
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
    if kept.names != list(names):
        return None
    before = page.size()
    page.resize(kept.width, kept.height)
    if page.restoreState(QByteArray(state), _VERSION):
        return kept
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
