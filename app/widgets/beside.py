"""Put a dialog over the inspector: the scene stays free, and what the dialog is about in sight."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtWidgets import QDialog

from app.scene.viewport import Viewport

_EDGE_PX, _BELOW_PX = 12, 60
"""From the window's right edge, and below its top where there is room."""
_RIM_PX = 32
"""What is nearer than this to the rim of the scene counts as out of sight."""
_MOST_COVERED = 0.7
"""Where a dialog covers more of the scene's width, all of it is used as if there were none."""


def keep_in_sight(view: Viewport, dialog: QDialog, paths: Iterable[str]) -> None:
    """Show everything again, in the room that a dialog leaves, where elements would not be seen beside it."""
    free = view.width()
    if dialog.isVisible():
        free = min(free, view.mapFromGlobal(dialog.frameGeometry().topLeft()).x())
    rect = view.rect().adjusted(_RIM_PX, _RIM_PX, free - view.width() - _RIM_PX, -_RIM_PX)
    seen = [view.pixel_of(path) for path in paths]
    if seen and not all(at is not None and rect.contains(at.toPoint()) for at in seen):
        view.fit()
        covered = view.width() - free
        if view.stage is not None and 0 < covered < _MOST_COVERED * view.width():
            view.stage.fit(free / max(1, view.height()))
            view.stage.camera.pan(-0.5 * covered, 0.0, view.height())
            view.turned.emit()
            view.refresh()


def fit_beside(dialog: QDialog) -> None:
    """Give a dialog the height of what is in it, or that of the screen, beside its window."""
    layout, window = dialog.layout(), dialog.parentWidget()
    if layout is None or window is None:
        return
    screen = dialog.screen().availableGeometry()
    wanted = layout.totalHeightForWidth(dialog.width())
    wanted = max(wanted, layout.totalSizeHint().height())
    height = min(wanted, screen.height() - 2 * _EDGE_PX)
    dialog.resize(dialog.width(), height)
    corner = window.frameGeometry().topRight()
    top = min(corner.y() + _BELOW_PX, screen.bottom() - height - _EDGE_PX)
    dialog.move(corner.x() - dialog.width() - _EDGE_PX, max(screen.top(), top))
