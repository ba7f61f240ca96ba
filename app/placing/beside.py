"""Put a dialog over the inspector, so that the scene stays free, and all of it on the screen."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog

_EDGE_PX, _BELOW_PX = 12, 60
"""From the window's right edge, and below its top where there is room."""


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
