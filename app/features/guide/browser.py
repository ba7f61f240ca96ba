"""Show pages of the guide and of the reference; follow links, remember the way, fit pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QDesktopServices,
    QImage,
    QResizeEvent,
    QTextBlockFormat,
    QTextCursor,
    QTextDocument,
    QTextFrameFormat,
    QTextTable,
)
from PySide6.QtWidgets import QTextBrowser, QWidget

from app.features.guide import pages, reference
from app.guard import guard
from app.look import LIGHT, Theme
from solver.base.places import NotShipped, docs
from solver.base.words import msgid, tr

_MISSING = msgid(
    "This page of the guide is missing from the installation. Install Manikin again to have it."
)

_MARGIN, _CELL, _LINE = 28.0, 6.0, 125.0
_ABOVE, _BELOW = {1: 0.0, 2: 22.0, 3: 14.0}, 7.0
_ELEMENT, _IMAGE_SIGN = "element:", "\ufffc"
_IMAGE = QTextDocument.ResourceType.ImageResource.value


class Browser(QTextBrowser):
    """Open topics: 'guide', 'guide#as-you-like-it', 'element:PinJoint', 'element:PinJoint#friction'."""

    topic_shown = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Page of the guide"))
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setOpenLinks(False)
        self.anchorClicked.connect(self._follow)
        self.theme, self.system = LIGHT, "metric"
        self.topic = ""
        self._way: list[tuple[str, int]] = []
        """Topics that were open, with how far one had scrolled; those after `_at` were gone back from."""
        self._at = -1
        self._laid_px = 0

    def open(self, topic: str) -> None:
        """Show a topic, and remember it."""
        self._keep_place()
        if topic != self.topic:
            self._way = [*self._way[: self._at + 1], (topic, 0)]
            self._at = len(self._way) - 1
        self._show(topic)

    def go(self, by: int) -> None:
        """Go back (-1) or on along the way that one came."""
        if 0 <= self._at + by < len(self._way):
            self._keep_place()
            self._at += by
            topic, place = self._way[self._at]
            self._show(topic)
            self.verticalScrollBar().setValue(place)

    @property
    def can_go(self) -> tuple[bool, bool]:
        """Tell whether one can go back, and on."""
        return self._at > 0, self._at < len(self._way) - 1

    def set_look(self, theme: Theme, system: str) -> None:
        """Show the same page in other colours and units."""
        self.theme, self.system = theme, system
        self._lay_anew()

    @guard
    def loadResource(self, kind: int, url: QUrl | str) -> Any:
        """Fit pictures to the width."""
        if kind != _IMAGE:
            return super().loadResource(kind, url)
        image = QImage(self.document().baseUrl().resolved(QUrl(url)).toLocalFile())
        room = self._room()
        if not image.isNull() and image.width() > room:
            return image.scaledToWidth(room, Qt.TransformationMode.SmoothTransformation)
        return image

    @guard
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the pictures again."""
        super().resizeEvent(event)
        if self.topic and self._room() != self._laid_px:
            self._lay_anew()

    def _room(self) -> int:
        return max(100, round(self.viewport().width() - 2 * _MARGIN - 4))

    def _keep_place(self) -> None:
        if self._at >= 0:
            self._way[self._at] = (self.topic, self.verticalScrollBar().value())

    def _lay_anew(self) -> None:
        at = self.verticalScrollBar().value()
        if self.topic:
            self._write(self.topic)
        self.verticalScrollBar().setValue(at)

    def _follow(self, url: QUrl) -> None:
        """Open a link: within the page, to another page, or out into the world."""
        address = url.toString()
        if address.startswith("#"):
            self.open(f"{self.topic.partition('#')[0]}{address}")
        elif address.startswith(_ELEMENT):
            self.open(address)
        elif url.scheme() in ("http", "https"):
            QDesktopServices.openUrl(url)
        else:
            page, _, anchor = address.partition("#")
            self.open(f"{Path(page).stem}#{anchor}" if anchor else Path(page).stem)

    def _show(self, topic: str) -> None:
        if topic.partition("#")[0] != self.topic.partition("#")[0] or topic.startswith(_ELEMENT):
            self._write(topic)
            self.verticalScrollBar().setValue(0)
        self.topic = topic
        anchor = topic.partition("#")[2]
        if topic.startswith(_ELEMENT):
            self.scrollToAnchor(anchor)
        elif anchor:
            self._go_to(anchor)
        self.topic_shown.emit(topic)

    def _write(self, topic: str) -> None:
        """Put a page into the document."""
        self._laid_px = self._room()
        page, _, anchor = topic.partition("#")
        document = self.document()
        if topic.startswith(_ELEMENT):
            model = reference.by_name().get(page.removeprefix(_ELEMENT))
            here = reference.page(model, self.theme, self.system, anchor) if model else ""
            self.setHtml(here or tr(_MISSING))
        else:
            document.setBaseUrl(QUrl.fromLocalFile(f"{_folder()}/"))
            self.setMarkdown(pages.text_of(page) or tr(_MISSING))
        document.setDocumentMargin(_MARGIN)
        cursor = QTextCursor(document)
        cursor.beginEditBlock()
        self._space_lines(cursor)
        self._space_tables(bordered=not topic.startswith(_ELEMENT))
        cursor.endEditBlock()

    def _space_lines(self, cursor: QTextCursor) -> None:
        """Give headings and paragraphs air."""
        block = self.document().begin()
        while block.isValid():
            cursor.setPosition(block.position())
            form = block.blockFormat()
            level = form.headingLevel()
            form.setTopMargin(_ABOVE.get(level, 0.0))
            form.setBottomMargin(0.0 if cursor.currentTable() else _BELOW)
            line = 100.0 if _IMAGE_SIGN in block.text() else _LINE
            form.setLineHeight(line, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
            cursor.setBlockFormat(form)
            block = block.next()

    def _space_tables(self, bordered: bool) -> None:
        for frame in self.document().rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                form = frame.format()
                form.setCellPadding(_CELL)
                form.setCellSpacing(0.0)
                form.setBorderCollapse(True)
                form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
                form.setBorder(1.0 if bordered else 0.0)
                form.setBorderBrush(QColor(self.theme.line))
                frame.setFormat(form)

    def _go_to(self, slug: str) -> None:
        """Bring a heading to the top."""
        block = self.document().begin()
        while block.isValid():
            if block.blockFormat().headingLevel() and pages.slug(block.text()) == slug:
                layout = self.document().documentLayout()
                top = layout.blockBoundingRect(block).top()
                self.verticalScrollBar().setValue(round(top - _MARGIN / 2))
                return
            block = block.next()


def _folder() -> str:
    try:
        return docs().as_posix()
    except NotShipped:
        return ""
