"""Put widgets beside and below each other."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget


def stacked(*parts: QWidget, grows: int = 0) -> QWidget:
    """Put widgets below each other; one takes what is left over."""
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    for part in parts:
        column.addWidget(part, int(part is parts[grows]))
    return holder


def split(way: Qt.Orientation, parts: tuple[QWidget, ...], sizes: tuple[int, ...]) -> QSplitter:
    """Put panels side by side; the largest takes what is left over."""
    splitter = QSplitter(way, childrenCollapsible=False)
    splitter.setHandleWidth(1)
    for i, part in enumerate(parts):
        splitter.addWidget(part)
        splitter.setStretchFactor(i, int(sizes[i] == max(sizes)))
    splitter.setSizes(list(sizes))
    return splitter
