"""The window in which the guide is read: topics and search at the left, the page at the right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QDesktopServices,
    QImage,
    QKeySequence,
    QResizeEvent,
    QShortcut,
    QTextBlockFormat,
    QTextCursor,
    QTextDocument,
    QTextFrameFormat,
    QTextTable,
)
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QSplitter,
    QTextBrowser,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app import texts
from app.editing.shape import fields_of
from app.features.guide import pages
from app.forms.field_curves import PICTURES
from app.forms.field_pictures import SIZE
from app.forms.picture_painter import drawn
from app.guard import guard
from app.icons import icon
from app.look import LIGHT, Theme
from app.with_properties import with_properties
from app.workbench import Workbench
from solver.base.places import NotShipped, docs
from solver.base.words import msgid, tr

_SEARCH = msgid("Search the guide")
_NOTHING_FOUND = msgid("Nothing of this is in the guide. Try another word, or fewer of them.")
_HIT = "{section}  ·  {page}"

_TOPIC = Qt.ItemDataRole.UserRole
_SIZE, _LEFT_PX = (1060, 760), 270
_MOST = 60


class GuideWindow(QWidget):
    """The topics and a page; it stays beside the window that opened it."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench.window, Qt.WindowType.Window)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setWindowTitle(tr("Guide"))
        self._bench = bench
        self.search = QLineEdit(placeholderText=tr(_SEARCH), clearButtonEnabled=True)
        self.search.setAccessibleName(tr(_SEARCH))
        self.search.textChanged.connect(self._list)
        self.search.returnPressed.connect(self._take_first)
        self.topics = with_properties(
            QTreeWidget(), headerHidden=True, indentation=14, uniformRowHeights=True
        )
        self.topics.setAccessibleName(tr("Topics"))
        self.topics.currentItemChanged.connect(lambda item, _: self._on_chosen(item))
        self.browser = Browser()
        self.back = self._button("back", tr("Back to the page before (Alt+Left)"), -1, "Alt+Left")
        self.ahead = self._button("goto", tr("On to the page after (Alt+Right)"), 1, "Alt+Right")
        self.browser.topic_shown.connect(self._on_shown)
        above = QHBoxLayout()
        above.setSpacing(4)
        above.addWidget(self.search, 1)
        above.addWidget(self.back)
        above.addWidget(self.ahead)
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(8, 8, 8, 0)
        column.setSpacing(8)
        column.addLayout(above)
        column.addWidget(self.topics, 1)
        halves = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        halves.addWidget(left)
        halves.addWidget(self.browser)
        halves.setSizes([_LEFT_PX, _SIZE[0] - _LEFT_PX])
        halves.setStretchFactor(1, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(halves)
        room = bench.window.screen().availableGeometry()
        self.resize(min(_SIZE[0], room.width() - 40), min(_SIZE[1], room.height() - 60))
        bench.theme_changed.connect(lambda _: self._dress())
        bench.units_changed.connect(lambda _: self._dress())
        self._items: dict[str, QTreeWidgetItem] = {}
        self._list("")
        self._dress()

    def open(self, topic: str, asked_in: QWidget | None = None) -> None:
        """Show a topic, in front; asked for in a dialog, it can be read while that is open."""
        self._belong_to(
            asked_in if asked_in is not None and asked_in.isModal() else self._bench.window
        )
        self.show()
        self.browser.open(topic)
        self.raise_()
        self.activateWindow()
        self.browser.setFocus()

    def _belong_to(self, owner: QWidget) -> None:
        """Stand above another window: what belongs to a modal dialog is not held up by it."""
        self.winId()
        handle, above = self.windowHandle(), owner.window().windowHandle()
        if handle.transientParent() is not above:
            self.hide()
            handle.setTransientParent(above)

    def _button(self, sign: str, tip: str, by: int, key: str) -> QToolButton:
        button = with_properties(QToolButton(), objectName="quiet", toolTip=tip, enabled=False)
        button.setAccessibleName(tip)
        QShortcut(QKeySequence(key), self).activated.connect(lambda: self.browser.go(by))
        button.setProperty("sign", sign)
        button.clicked.connect(lambda: self.browser.go(by))
        return button

    def _list(self, words: str) -> None:
        """List all topics, or where the typed words stand."""
        self.topics.blockSignals(True)
        self.topics.clear()
        self._items = {}
        if words.strip():
            self._list_found(words)
        else:
            self._list_all()
        self.topics.blockSignals(False)
        self._mark(self.browser.topic)

    def _list_found(self, words: str) -> None:
        wanted = words.casefold().split()
        for model in pages.by_name().values():
            title = pages.title(model)
            if all(word in title.casefold() for word in wanted):
                self._item(self.topics.invisibleRootItem(), title, f"element:{model.__name__}")
        for page, section in list(pages.sections_with(words))[:_MOST]:
            title = pages.title_of(page)
            hit = _HIT.format(section=section.title, page=title)
            shown = title if section.level == 1 else hit
            topic = page if section.level == 1 else f"{page}#{section.slug}"
            self._item(self.topics.invisibleRootItem(), shown, topic)
        if not self._items:
            item = QTreeWidgetItem(self.topics, [tr(_NOTHING_FOUND)])
            item.setFlags(Qt.ItemFlag.NoItemFlags)
            item.setToolTip(0, tr(_NOTHING_FOUND))

    def _list_all(self) -> None:
        root = self.topics.invisibleRootItem()
        for page in pages.PAGES:
            if not pages.sections(page):
                continue
            parent = self._item(root, pages.title_of(page), page)
            for section in pages.listed_sections(page):
                self._item(parent, section.title, f"{page}#{section.slug}")
            if page == pages.PAGES[0]:
                parent.setExpanded(True)
                self._list_elements(root)

    def _list_elements(self, root: QTreeWidgetItem) -> None:
        heading = QTreeWidgetItem(root, [tr("Elements and their fields")])
        heading.setFlags(Qt.ItemFlag.ItemIsEnabled)
        for list_name, models in pages.topics():
            first = f"element:{models[0].__name__}"
            if len(models) == 1:
                self._item(heading, pages.title(models[0]), first)
                continue
            parent = QTreeWidgetItem(heading, [tr(texts.elements.MANY[list_name]).capitalize()])
            parent.setFlags(Qt.ItemFlag.ItemIsEnabled)
            for model in models:
                self._item(parent, pages.title(model), f"element:{model.__name__}")

    def _item(self, parent: QTreeWidgetItem, words: str, topic: str) -> QTreeWidgetItem:
        item = QTreeWidgetItem(parent, [words])
        item.setData(0, _TOPIC, topic)
        item.setToolTip(0, words)
        self._items.setdefault(topic, item)
        return item

    def _on_chosen(self, item: QTreeWidgetItem | None) -> None:
        topic = None if item is None else item.data(0, _TOPIC)
        if topic:
            self.browser.open(topic)

    def _take_first(self) -> None:
        if self._items:
            self.browser.open(next(iter(self._items)))
            self.browser.setFocus()

    def _on_shown(self, topic: str) -> None:
        for button, can in zip((self.back, self.ahead), self.browser.can_go, strict=True):
            button.setEnabled(can)
        self._mark(topic)

    def _mark(self, topic: str) -> None:
        """Show in the list where one is; a field counts as its element."""
        whole = topic.partition("#")[0]
        item = self._items.get(topic) or self._items.get(whole)
        self.topics.blockSignals(True)
        if item is None:
            self.topics.clearSelection()
        else:
            self.topics.setCurrentItem(item)
            self.topics.scrollToItem(item)
        self.topics.blockSignals(False)

    def _dress(self) -> None:
        theme = self._bench.theme
        for button in (self.back, self.ahead):
            button.setIcon(icon(button.property("sign"), theme.muted))
        self.browser.set_look(theme, self._bench.settings.units)


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
        """Whether one can go back, and on."""
        return self._at > 0, self._at < len(self._way) - 1

    def set_look(self, theme: Theme, system: str) -> None:
        """Show the same page in other colours and units."""
        self.theme, self.system = theme, system
        self._lay_again()

    @guard
    def loadResource(self, kind: int, url: QUrl | str) -> Any:
        """Fit pictures to the width."""
        if kind != _IMAGE:
            return super().loadResource(kind, url)
        address = url if isinstance(url, str) else url.toString()
        if address.startswith(pages.DRAWN):
            return self._drawn(*address.removeprefix(pages.DRAWN).split("/")[:2])
        image = QImage(self.document().baseUrl().resolved(QUrl(url)).toLocalFile())
        room = self._room()
        if not image.isNull() and image.width() > room:
            return image.scaledToWidth(room, Qt.TransformationMode.SmoothTransformation)
        return image

    def _drawn(self, model: str, field: str) -> QImage:
        """Draw the fields of a model as large as there is room."""
        labels = {one.name: one.label for one in fields_of(pages.by_name()[model])}
        scale = min(1.4, self._room() / SIZE[0])
        return drawn(PICTURES[model](), labels, field, (self.theme, scale))

    @guard
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the pictures again."""
        super().resizeEvent(event)
        if self.topic and self._room() != self._laid_px:
            self._lay_again()

    def _room(self) -> int:
        return max(100, round(self.viewport().width() - 2 * _MARGIN - 4))

    def _keep_place(self) -> None:
        if self._at >= 0:
            self._way[self._at] = (self.topic, self.verticalScrollBar().value())

    def _lay_again(self) -> None:
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
            model = pages.by_name().get(page.removeprefix(_ELEMENT))
            here = pages.page(model, self.theme, self.system, anchor) if model else ""
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
        block, headings = self.document().begin(), []
        while block.isValid():
            if block.blockFormat().headingLevel():
                headings.append(block)
            block = block.next()
        names = pages.slugs(block.text() for block in headings)
        for block, name in zip(headings, names, strict=True):
            if name == slug:
                top = self.document().documentLayout().blockBoundingRect(block).top()
                self.verticalScrollBar().setValue(round(top - _MARGIN / 2))
                return


def _folder() -> str:
    try:
        return docs().as_posix()
    except NotShipped:
        return ""
