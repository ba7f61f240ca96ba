"""Lead through the steps of a tour: each goes on by itself once it is done; nothing is ever blocked."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import QPoint, QRect, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMenu, QPushButton, QVBoxLayout, QWidget

from app.command import Command
from app.features.feature import Feature
from app.features.tour.cases import CASE_WORDS, CASES, dialog_of
from app.features.tour.steps import STEPS, WORDS, Step, Way, scroll_to
from app.guard import guard
from app.look import LIGHT, Theme
from app.panel import Panel
from app.with_properties import with_properties
from app.workbench import Workbench
from solver.base.places import NotShipped, samples
from solver.base.words import msgid, tr

_LOOK_MS, _PRAISE_MS, _RESTS = 120, 900, 5


class Tour(Feature):
    """Keep the card at the present step, and look now and then whether that is done."""

    name = "tour"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self._ring = self.halo = Halo(bench.window)
        self.card = Card(bench.window)
        bench.panels.add(Panel("tour", self.card, "floating"))
        bench.theme_changed.connect(self.set_theme)
        bench.commands.add(
            Command("help.tours", tr("&Tours"), "", lambda: None, fill=self._list),
            Command("help.tour", tr(FIRST.title), tr(FIRST.tip), self.begin),
            *(
                Command(
                    f"help.tour_{case}",
                    tr("{what}: a tour", what=tr(way.title)),
                    tr(way.tip),
                    partial(self.begin, case),
                    choice="tours",
                )
                for case, way in CASES.items()
            ),
        )
        self.menu = QMenu(bench.window)
        self.menu.aboutToShow.connect(lambda: self._list(self.menu))
        by_case = bench.panels.find("welcome").parts["tours"]
        assert isinstance(by_case, QPushButton)
        by_case.clicked.connect(
            lambda: self.menu.popup(by_case.mapToGlobal(by_case.rect().bottomLeft()))
        )
        self.card.next.clicked.connect(lambda: self._go(1))
        self.card.back.clicked.connect(lambda: self._go(-1))
        self.card.leave.clicked.connect(self.leave)
        self._way, self._number, self._noted = FIRST, 0, None
        self._scrolls = 0
        """How many more looks what the step is about shall be in sight; what else comes to its page may push it out."""
        self._waits = False
        """Whether the step was not done when it was reached, so that doing it goes on."""
        self._look = QTimer(self, interval=_LOOK_MS)
        self._look.timeout.connect(self._on_look)
        self._praise = QTimer(self, singleShot=True, interval=_PRAISE_MS)
        self._praise.timeout.connect(lambda: self._go(1))

    @property
    def is_on(self) -> bool:
        """Whether one is being shown around."""
        return self._look.isActive()

    @property
    def step(self) -> Step:
        """The present step."""
        return self._way.steps[self._number]

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self.halo.set_theme(theme)

    def begin(self, case: str = "") -> None:
        """Begin with the first step that is not done yet; a load case's sample is opened, unless it is open.

        Unsaved work stays in its window.
        """
        bench, self._way = self.bench, CASES.get(case, FIRST)
        if self._way.sample:
            try:
                file = samples() / f"{self._way.sample}.json"
            except NotShipped as failure:
                bench.say(str(failure))
                return
            if bench.document.path != file:
                if bench.document.has_unsaved_work:
                    bench.another().commands.run(f"help.tour_{case}")
                    return
                bench.file_asked.emit(file)
        self._number = -1
        self._look.start()
        self._go(1)

    def _list(self, menu: QMenu) -> None:
        """Fill the menu of tours: the first five minutes, then one for each load case."""
        menu.clear()
        for id_, title, tip in (
            ("help.tour", FIRST.title, FIRST.tip),
            *((f"help.tour_{case}", way.title, way.tip) for case, way in CASES.items()),
        ):
            entry = menu.addAction(tr(title))
            entry.setStatusTip(tr(tip))
            entry.setToolTip(tr(tip))
            entry.triggered.connect(lambda _=False, id_=id_: self.bench.commands.run(id_))

    def escape(self) -> bool:
        """Leave it by Esc."""
        was_on = self.is_on
        self.leave()
        return was_on

    def end(self) -> None:
        """Leave it with the window."""
        self.leave()

    def leave(self) -> None:
        """End it, wherever it is."""
        self._look.stop()
        self._praise.stop()
        self.card.hide()
        self.halo.hide()
        self._noted = None

    def _go(self, by: int) -> None:
        """Go to the next step, leaving out what is done already, or to the one before."""
        self._praise.stop()
        steps, number = self._way.steps, self._number + by
        while by > 0 and number < len(steps) - 1 and self._is_old(steps[number]):
            number += 1
        if number >= len(steps):
            self.leave()
            return
        self._number = max(0, number)
        self._noted = self.step.note(self.bench)
        self._waits, self._scrolls = not self._is_done(), _RESTS
        self.card.say(self.step.id, self._number + 1, len(steps))
        self._place()
        self.card.show()
        self.card.raise_()

    def _is_old(self, step: Step) -> bool:
        """Whether a step that one comes to is done already, with nothing to explain."""
        return not step.explains and step.is_done(self.bench, step.note(self.bench))

    def _is_done(self) -> bool:
        noted: Any = self._noted
        return self.step.is_done(self.bench, noted)

    def _on_look(self) -> None:
        """Keep beside what is spoken of; go on when the step is done."""
        self._place()
        done = self._is_done()
        if not done:
            self._waits = True
        elif self.step.explains:
            self.card.praise()
        elif self._waits and not self._praise.isActive():
            self.card.praise()
            self._praise.start()

    def _place(self) -> None:
        inside = self.step.inside(self.bench) if self._scrolls else None
        if inside is not None:
            self._scrolls = self._scrolls - 1 if scroll_to(inside) else _RESTS
        target, window = self.step.target(self.bench), self.bench.window
        dialog = dialog_of(self.bench)
        if dialog is None or target is None:
            target = target.intersected(window.rect()) if target is not None else None
            self.halo.surround(target)
            self.card.stand_by(target)
            return
        # the ring lies in the dialog, and goes with it; the card stands beside
        if self.halo.parentWidget() is not dialog:
            self.halo.hide()
            self.halo = Halo(dialog)
            self.halo.set_theme(self.bench.theme)
            dialog.finished.connect(lambda _: self._take_ring())
        corner = window.mapFromGlobal(dialog.mapToGlobal(QPoint()))
        self.halo.surround(target.translated(-corner))
        self.halo.raise_()
        self.card.stand_by(QRect(corner, dialog.size()))

    def _take_ring(self) -> None:
        """Have the ring in the window again."""
        self.halo = self._ring


FIRST = Way(
    msgid("First five &minutes"),
    msgid("Be shown around: open, run, read, change, hand on; a card leads, step by step."),
    STEPS,
)


_NEXT = msgid("Next")
_NEXT_TIP = msgid("Go on to the next step; nothing has to be done first")
_WAITS = msgid("Go on when you like, or do it: the card follows.")

_WIDE_PX, _GAP_PX, _EDGE_PX = 340, 14, 12
_HALO_PX = 5


class Card(QFrame):
    """Say what to do; buttons go on, back and away. It takes no keyboard until one goes to it."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        with_properties(self, objectName="floating")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(tr("Tour"))
        self.setFixedWidth(_WIDE_PX)
        self.count = with_properties(QLabel(), objectName="muted")
        self.title = with_properties(QLabel(), objectName="heading", wordWrap=True)
        self.words = QLabel(wordWrap=True)
        self.state = with_properties(QLabel(tr(_WAITS)), objectName="muted", wordWrap=True)
        self.leave = _button(tr("Leave"), tr("Close this card (Esc); Help opens it again"))
        self.back = _button(tr("Back"), tr("Go back to the step before"))
        self.next = _button(tr(_NEXT), tr(_NEXT_TIP))
        self.next.setObjectName("primary")
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.leave)
        row.addStretch(1)
        row.addWidget(self.back)
        row.addWidget(self.next)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        for part in (self.count, self.title, self.words, self.state):
            column.addWidget(part)
        column.addLayout(row)
        self.hide()

    def say(self, id_: str, number: int, count: int) -> None:
        """Show the words of a step."""
        title, words = map(tr, (WORDS | CASE_WORDS)[id_])
        self.count.setText(tr("{number} of {count}", number=number, count=count))
        self.title.setText(title)
        self.words.setText(words)
        self.setAccessibleDescription(f"{title}. {words}")
        is_last = number == count
        self.state.setText("" if is_last else tr(_WAITS))
        self.state.setVisible(not is_last)
        self.back.setEnabled(number > 1)
        self.leave.setVisible(not is_last)
        self.next.setText(tr("Finish") if is_last else tr(_NEXT))
        self.next.setToolTip(
            tr("Close this card; Help opens it again") if is_last else tr(_NEXT_TIP)
        )
        self.adjustSize()

    def praise(self) -> None:
        """Say that the step is done."""
        self.state.setText(tr("✓ Done"))

    def stand_by(self, target: QRect | None) -> None:
        """Stand beside a place without covering it; in the corner where there is none."""
        inside = _around(self).adjusted(_EDGE_PX, _EDGE_PX, -_EDGE_PX, -_EDGE_PX)
        place = QRect(QPoint(), self.sizeHint().expandedTo(self.minimumSizeHint()))
        place.setWidth(_WIDE_PX)
        place.moveBottomRight(inside.bottomRight() - QPoint(0, 24))
        if target is not None:
            near = (_within(one, inside) for one in _places_around(place, target))
            place = next((one for one in near if not one.intersects(target)), place)
        if self.geometry() != place:
            self.setGeometry(place)


class Halo(QWidget):
    """Draw a ring around a place; the mouse goes through it."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.theme = LIGHT
        self.hide()

    def surround(self, target: QRect | None) -> None:
        """Lie around a place, or nowhere."""
        if target is None:
            self.hide()
            return
        wide = target.adjusted(-_HALO_PX, -_HALO_PX, _HALO_PX, _HALO_PX)
        place = wide.intersected(_around(self))
        if self.geometry() != place:
            self.setGeometry(place)
        self.show()

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self.theme = theme
        self.update()

    @guard
    def paintEvent(self, _: QPaintEvent) -> None:
        """Draw the ring."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(self.theme.accent), 2.5))
            ring = QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5)
            round_ = min(8.0, 0.5 * min(ring.width(), ring.height()))
            if abs(ring.width() - ring.height()) < 2.0:
                round_ = 0.5 * ring.width()
            painter.drawRoundedRect(ring, round_, round_)


def _around(widget: QWidget) -> QRect:
    parent = widget.parentWidget()
    return parent.rect() if parent is not None else widget.rect()


def _places_around(card: QRect, target: QRect) -> list[QRect]:
    """The places below, right, left and above a target; beside it first where it is a point."""
    low, high = QRect(card), QRect(card)
    low.moveTopLeft(QPoint(target.center().x() - card.width() // 2, target.bottom() + _GAP_PX))
    high.moveTopLeft(
        QPoint(target.center().x() - card.width() // 2, target.top() - _GAP_PX - card.height())
    )
    right, left = QRect(card), QRect(card)
    right.moveTopLeft(QPoint(target.right() + _GAP_PX, target.top()))
    left.moveTopLeft(QPoint(target.left() - _GAP_PX - card.width(), target.top()))
    below, above = _slid(low, target), _slid(high, target)
    aside = [one for side in (right, left) for one in _lifted(side, target)]
    if target.width() == target.height():
        # a point of the scene: below it is what one works at
        return [*aside, *below, *above]
    return [*below, *aside, *above]


def _within(card: QRect, inside: QRect) -> QRect:
    """The place nearest to one that lies inside the window."""
    left = min(max(card.left(), inside.left()), inside.right() - card.width() + 1)
    top = min(max(card.top(), inside.top()), inside.bottom() - card.height() + 1)
    return QRect(left, top, card.width(), card.height())


def _slid(card: QRect, target: QRect) -> list[QRect]:
    """A place above or below a target in the middle, and at both of its ends."""
    by_left, by_right = QRect(card), QRect(card)
    by_left.moveLeft(target.left())
    by_right.moveRight(target.right())
    return [card, by_left, by_right]


def _lifted(card: QRect, target: QRect) -> list[QRect]:
    """Give a place beside a target at its top, and at its bottom."""
    up = QRect(card)
    up.moveBottom(target.bottom())
    return [card, up]


def _button(words: str, tip: str) -> QPushButton:
    button = with_properties(QPushButton(words), toolTip=tip, autoDefault=False)
    button.setAccessibleName(words)
    button.setAccessibleDescription(tip)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button
