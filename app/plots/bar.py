"""The bar above the plots: page, filter, what lies across, other runs, tests, saving."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QMenu,
    QToolButton,
    QWidget,
)

from app import texts
from app.forms.choices import Choice
from app.letters import Shortened
from app.plots.curve_menu import filters


class PlotBar(QWidget):
    """Say by signals what people want; `across_opens` asks to fill the menu of what lies across."""

    page_chosen = Signal(str)
    filter_chosen = Signal(object)
    others_toggled = Signal()
    more_asked = Signal()
    less_asked = Signal()
    test_asked = Signal(str)
    tests_unwanted = Signal()
    save_asked = Signal()
    template_asked = Signal()
    forget_asked = Signal()
    across_opens = Signal()
    save_opens = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.page = Choice()
        self.page.setToolTip(texts.plots.PAGE_TIP)
        self.page.setAccessibleName(texts.plots.PAGE)
        self.page.activated.connect(lambda _: self.page_chosen.emit(self.page.currentText()))
        self.filter = Choice()
        self.filter.setToolTip(texts.plots.FILTER_TIP)
        self.filter.setAccessibleName(texts.plots.FILTER)
        self.filter.setPlaceholderText(texts.plots.SEVERAL_FILTERS)
        for text, value in filters():
            self.filter.addItem(text, value)
        self.filter.activated.connect(lambda _: self.filter_chosen.emit(self.filter.currentData()))
        for box in (self.page, self.filter):
            box.setSizeAdjustPolicy(Choice.SizeAdjustPolicy.AdjustToContents)
        self.others = QCheckBox(texts.plots.OTHER_RUNS)
        self.others.setToolTip(texts.plots.OTHER_RUNS_TIP)
        self.others.toggled.connect(lambda _: self.others_toggled.emit())
        self.across = _menu_button("", texts.plots.ACROSS_TIP)
        self.across.menu().aboutToShow.connect(self.across_opens)
        self.tests = _menu_button(texts.plots.TEST, texts.plots.TEST_TIP)
        for text, kind in (
            (texts.plots.TEST_CURVE, "csv"),
            (texts.plots.TEST_CORRIDOR, "corridor"),
            (texts.plots.TEST_CHANNEL, "mme"),
        ):
            self.tests.menu().addAction(text, lambda kind=kind: self.test_asked.emit(kind))
        self.tests.menu().addAction(texts.plots.REMOVE_TESTS, self.tests_unwanted.emit)
        more = QToolButton(text=texts.plots.ADD_PLOT, toolTip=texts.plots.ADD_PLOT_TIP)
        more.clicked.connect(lambda: self.more_asked.emit())
        less = QToolButton(text=texts.plots.CLEAR, toolTip=texts.plots.CLEAR_TIP)
        less.clicked.connect(lambda: self.less_asked.emit())
        save = _menu_button(texts.plots.SAVE, texts.plots.SAVE_TIP)
        save.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        save.clicked.connect(lambda: self.save_asked.emit())
        save.menu().addAction(texts.plots.KEEP_PAGE, self.template_asked.emit)
        self.forget = save.menu().addAction(texts.plots.FORGET_PAGE, self.forget_asked.emit)
        save.menu().aboutToShow.connect(self.save_opens)
        self.hint = Shortened()
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 6, 8, 2)
        row.setSpacing(6)
        for widget in (
            self.page, self.filter, self.across, self.others, self.tests, more, less, save,
        ):  # fmt: skip
            row.addWidget(widget)
        row.addWidget(self.hint, 1)

    def say(self, sentence: str) -> None:
        """Say something at the right; the whole of it in its tip."""
        self.hint.say(sentence)

    def show_filter(self, classes: set[int | None]) -> None:
        """Show the filter class that all curves of the active plot have, if they have one."""
        if len(classes) == 1:
            self.filter.setCurrentIndex(max(0, self.filter.findData(next(iter(classes)))))
        elif classes:
            self.filter.setCurrentIndex(-1)


def _menu_button(text: str, tip: str) -> QToolButton:
    button = QToolButton(text=text, toolTip=tip)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    button.setMenu(QMenu(button))
    return button
