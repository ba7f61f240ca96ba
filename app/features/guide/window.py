"""The window in which the guide is read: topics and search at the left, the page at the right."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QSplitter,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app import texts
from app.features.guide import pages, reference
from app.features.guide.browser import Browser
from app.having import having
from app.icons import icon
from app.workbench import Workbench
from solver.base.words import msgid, tr

_SEARCH = msgid("Search the guide")
_NOTHING_FOUND = msgid("Nothing of this is in the guide. Try another word, or fewer of them.")
_HIT = "{section}  ·  {page}"

_TOPIC = Qt.ItemDataRole.UserRole
_SIZE, _LEFT_PX = (1060, 760), 270
_MOST = 60


class GuideWindow(QWidget):
    """Hold the topics and a page; it stays beside the window that opened it."""

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
        self.topics = having(
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
        button = having(QToolButton(), objectName="quiet", toolTip=tip, enabled=False)
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
        for model in reference.by_name().values():
            title = reference.title(model)
            if all(word in title.casefold() for word in wanted):
                self._item(self.topics.invisibleRootItem(), title, f"element:{model.__name__}")
        for page, section in list(pages.found(words))[:_MOST]:
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
        for list_name, models in reference.topics():
            first = f"element:{models[0].__name__}"
            if len(models) == 1:
                self._item(heading, reference.title(models[0]), first)
                continue
            parent = QTreeWidgetItem(heading, [tr(texts.elements.MANY[list_name]).capitalize()])
            parent.setFlags(Qt.ItemFlag.ItemIsEnabled)
            for model in models:
                self._item(parent, reference.title(model), f"element:{model.__name__}")

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
