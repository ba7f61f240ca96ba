"""The library's entries by category, found by any word that they say of themselves, with small pictures."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon, QImage, QPixmap
from PySide6.QtWidgets import QLabel, QLineEdit, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from app.editing.from_library import has_place
from app.guard import guard
from app.icons import icon
from app.jobs.task import Task
from app.look import Theme
from app.widgets.carrying import PART, carry
from app.widgets.items import children_of
from app.with_properties import with_properties
from solver.base.words import msgid, tr
from solver.bodies import Place, insert_body, library_body, pose
from solver.bodies.dummies import of_size
from solver.bodies.library import CATEGORIES, Entry, entries, entry, fragment, insert
from solver.engine.maths.profile import value
from solver.engine.maths.rotation import Array
from solver.project import Project
from solver.project.forms import samples
from solver.project.histories import shape
from solver.project.motions import ConstantHistory, History
from solver.scene.instant import Instants, Surface
from solver.scene.raster import Camera, Picture, cut_out

_SEARCH = msgid("Search seats, belts, airbags, laws, pulses")

_ID = Qt.ItemDataRole.UserRole
_WORDS = Qt.ItemDataRole.UserRole + 1
_ICONS = {
    "seats": "planes",
    "interiors": "planes",
    "belts": "harnesses",
    "airbags": "airbags",
    "pulses": "motions",
}
_LEAST_PX, _USUAL_PX = 64, 320


class _Parts(QTreeWidget):
    """Let the mouse take an entry along, to where it is to stand."""

    @guard
    def startDrag(self, _: Qt.DropAction) -> None:
        """Carry the entry; headings stay."""
        item = self.currentItem()
        id_ = "" if item is None else str(item.data(0, _ID) or "")
        if id_:
            carry(self, [id_], PART)

    @guard
    def sizeHint(self) -> QSize:
        """Ask for room for several pictures."""
        return QSize(super().sizeHint().width(), _USUAL_PX)


class LibraryTree(QWidget):
    """Let people find an entry; what stands in the scene comes first."""

    chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.search = QLineEdit(placeholderText=tr(_SEARCH), clearButtonEnabled=True)
        self.search.setAccessibleName(tr(_SEARCH))
        self.search.textChanged.connect(self._filter)
        self.tree = with_properties(_Parts(), headerHidden=True, indentation=14)
        self.tree.setIconSize(QSize(*SIZE))
        self.tree.setDragEnabled(True)
        self.tree.setAccessibleName(tr("Entries of the library"))
        self.tree.setMinimumHeight(_LEAST_PX)
        self.tree.currentItemChanged.connect(self._on_current)
        self.nothing = with_properties(
            QLabel(tr("Nothing in the library is called that.")), objectName="muted", visible=False
        )
        self._items: dict[str, QTreeWidgetItem] = {}
        found = sorted(CATEGORIES, key=lambda name: not any(map(has_place, entries(name))))
        for category in found:
            group = QTreeWidgetItem(self.tree, [tr(CATEGORIES[category])])
            group.setFlags(Qt.ItemFlag.ItemIsEnabled)
            group.setExpanded(category in ("seats", "belts"))
            for one in entries(category):
                item = QTreeWidgetItem(group, [tr(one.name)])
                item.setIcon(0, icon(_ICONS.get(category, "contact_laws"), theme.muted))
                item.setToolTip(0, tr("{name}: drag it into the scene", name=tr(one.name)))
                item.setData(0, _ID, one.id)
                here = (tr(one.name), tr(one.note), tr(CATEGORIES[category]))
                told = (one.name, one.id, one.note, one.source, one.basis, *here)
                item.setData(0, _WORDS, " ".join(told).casefold())
                self._items[one.id] = item
        self._open = [group for group in self._groups() if group.isExpanded()]
        self._waiting = list(self._items)
        self._task: Task | None = None
        self._draw_next()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self.search)
        layout.addWidget(self.nothing)
        layout.addWidget(self.tree)

    def choose(self, id_: str) -> None:
        """Show an entry as the chosen one."""
        item = self._items[id_]
        self.tree.setCurrentItem(item)
        self.tree.scrollToItem(item)

    def current(self) -> str:
        """The chosen entry; empty for a heading."""
        item = self.tree.currentItem()
        return "" if item is None else str(item.data(0, _ID) or "")

    def visible(self) -> list[str]:
        """List the entries that the search leaves."""
        return [id_ for id_, item in self._items.items() if not item.isHidden()]

    def _draw_next(self) -> None:
        """Draw one picture after the other in a thread; once drawn they are known to all windows."""
        if not self._waiting:
            return
        id_ = self._waiting[0]
        self._task = Task(lambda: thumbnail(id_), self)
        self._task.done.connect(lambda picture: self._on_drawn(id_, picture))
        # a part that cannot be drawn keeps its sign
        self._task.failed.connect(lambda _: self._on_drawn(id_, None))
        self._task.start()

    def _on_drawn(self, id_: str, picture: Picture | None) -> None:
        self._waiting.remove(id_)
        if picture is not None:
            height, width = picture.shape[:2]
            image = QImage(picture.tobytes(), width, height, QImage.Format.Format_RGBA8888).copy()
            image.setDevicePixelRatio(width / SIZE[0])
            self._items[id_].setIcon(0, QIcon(QPixmap.fromImage(image)))
        self._draw_next()

    def _groups(self) -> list[QTreeWidgetItem]:
        tops = (self.tree.topLevelItem(i) for i in range(self.tree.topLevelItemCount()))
        return [item for item in tops if item is not None]

    def _filter(self, text: str) -> None:
        """Hide what does not say every word; the first that is left is chosen."""
        words = text.casefold().split()
        for item in self._items.values():
            item.setHidden(not all(word in item.data(0, _WORDS) for word in words))
        for group in self._groups():
            left = [child for child in children_of(group) if not child.isHidden()]
            group.setHidden(not left)
            group.setExpanded(bool(words) or group in self._open)
        left_over = self.visible()
        self.nothing.setVisible(not left_over)
        if words and left_over and self.current() not in left_over:
            self.choose(left_over[0])

    def _on_current(self, item: QTreeWidgetItem | None) -> None:
        if item is not None and item.data(0, _ID):
            self.chosen.emit(str(item.data(0, _ID)))


SIZE = (64, 48)
"""Width and height (pixels of a screen of usual density); pictures are drawn twice as fine."""
_FINE = 2
_PALE = 0.6
"""How far the clothes of a man are on their way to white, so that a dark belt is seen on them."""
_LINE = np.array((0.13, 0.45, 0.71))
_BACK = np.array((0.62, 0.55, -0.56))
"""Towards the eye: from ahead, from the right, from above."""
_POINTS = 160


@cache
def thumbnail(id_: str) -> Picture:
    """Draw an entry: rows from the top, red, green, blue and how opaque."""
    one = entry(id_)
    width, height = _FINE * SIZE[0], _FINE * SIZE[1]
    if one.origin:
        return _thing(one, width, height)
    return _curve(*_course(one), width, height)


def _thing(one: Entry, width: int, height: int) -> Picture:
    """Draw what stands somewhere; a belt lies over a man in pale clothes."""
    project = Project()
    if one.straps:
        man = pose(library_body(of_size("mid-size", "printed")), "seated")
        project = insert_body(project, man, "man", Place(anchor="hips"), own_contacts=False)
        project = insert(project, one.id, "belt", on="man")
    else:
        project = insert(project, one.id, "part")
    seen = Instants(project, None, around=False).at()
    if not any(len(part.faces) for part in seen):
        # a road without end is only a height: its plane is shown
        seen = Instants(project, None, "shapes").at()
    seen = [replace(part, front=None) for part in seen if len(part.faces)]
    seen = [part if part.element else replace(part, colours=_pale(part.colours)) for part in seen]
    return cut_out(seen, _camera(seen, width / height), height)[:, :width]


def _pale(colours: Array) -> Array:
    return np.asarray(_PALE + (1.0 - _PALE) * colours)


def _camera(seen: list[Surface], wide: float) -> Camera:
    """Look from ahead, above and the right at all that is there."""
    back = _BACK / np.linalg.norm(_BACK)
    up = np.array((0.0, 0.0, -1.0))
    up = up - (up @ back) * back
    up /= np.linalg.norm(up)
    right = np.cross(up, back)
    flat = np.vstack([one.points for one in seen]) @ np.stack([right, up], axis=1)
    middle, half = 0.5 * (flat.min(0) + flat.max(0)), 0.54 * np.ptp(flat, axis=0)
    half = np.array((max(half[0], wide * half[1]), max(half[1], half[0] / wide)))
    first, last = middle - half, middle + half
    return Camera(right, up, (float(first[0]), float(first[1])), (float(last[0]), float(last[1])))


def _course(one: Entry) -> tuple[Array, Array]:
    """The curve that an entry is: of a pulse by time, of a law its force."""
    piece = fragment(one.id)
    for motion in piece.motions:
        pulse = motion.components[0].pulse
        if isinstance(pulse, History):
            form = next(f.form for f in piece.functions if f.id == pulse.function)
            return samples(form)
        found = shape(pulse, {})
        end = 1.0 if isinstance(pulse, ConstantHistory) else pulse.start_s + pulse.duration_s
        t = np.linspace(0.0, 1.05 * float(end), _POINTS)
        return t, np.array([value(found, float(s))[0] for s in t])
    for law in piece.contact_laws:
        base = getattr(law, "base", None)
        for function in piece.functions:
            if function.id == base:
                return samples(function.form)
    return np.array((0.0, 1.0)), np.array((0.0, 1.0))


def _curve(x: Array, y: Array, width: int, height: int) -> Picture:
    """Draw a curve as wide as the picture over a line for zero."""
    x, y = np.asarray(x, float), np.asarray(y, float)
    edge = 4.0 * _FINE
    low, high = min(0.0, float(y.min())), max(0.0, float(y.max()))
    across = np.linspace(float(x.min()), float(x.max()), round(width - 2.0 * edge))
    scale = (height - 2.0 * edge) / max(high - low, 1e-30)
    heights = edge + (high - np.interp(across, x, y)) * scale
    rows = np.arange(height)[:, None] + 0.5
    # as thick across a steep rise as along a flat one
    steep = np.hypot(1.0, np.gradient(heights))
    ink = np.clip(1.3 * _FINE - np.abs(rows - heights) / steep + 0.5, 0.0, 1.0)
    out = np.zeros((height, width, 4))
    first = round(edge)
    line = round(edge + high * scale)
    out[line - 1 : line + 1, first : first + len(across)] = (0.6, 0.6, 0.6, 0.8)
    part = out[:, first : first + len(across)]
    part[..., :3] += ink[..., None] * (_LINE - part[..., :3])
    part[..., 3] = np.maximum(part[..., 3], ink)
    return np.ascontiguousarray(np.round(255.0 * out).astype(np.uint8))
