"""The page beside the scene that says what happened in the run that is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QCoreApplication, QEvent, QMargins, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QIcon, QImage, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.features.result.body_figure import BodyFigure
from app.features.result.told import (
    PersonTold,
    StepTold,
    Told,
    name_of_person,
    verdict_words,
)
from app.fonts import wide
from app.guard import guard
from app.look import LIGHT, Theme
from app.run_view.figure_words import limit_text
from app.with_properties import with_properties
from solver.base.words import plural, tr
from solver.injury import Figure
from solver.injury.figures import figure_name, shown, value_text

MOST, FEW = 5, 3
"""So many figures stand in the list, and so many notes are in sight."""
_PICTURE = (156, 117)
_LEAST, _PART = 60, 0.41
"""The least width of a line, and the part of the page that a picture takes where that is narrow."""


class Line(QLabel):
    """Text that wraps and is as high as it needs in its width, which an area that scrolls asks nobody for."""

    @guard
    def sizeHint(self) -> QSize:
        """As wide as there is room, and as high as that needs."""
        least = wide(_LEAST)
        return QSize(least, self.heightForWidth(max(least, self.width())))

    @guard
    def minimumSizeHint(self) -> QSize:
        """The same."""
        return self.sizeHint()

    @guard
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Ask for another height where the width is another."""
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.updateGeometry()


def line(words: str, name: str = "", tip: str = "") -> QLabel:
    """A line of text that wraps."""
    label = with_properties(Line(words), objectName=name, wordWrap=True, toolTip=tip)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
    return label


class Link(QPushButton):
    """A button that looks like a link; where it asks for no width, words that have no room end in dots."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.words = words
        self.setObjectName("link")
        self.setProperty("flush", True)

    def write(self, words: str) -> None:
        """Write as much of some words as there is room for."""
        self.words = words
        self._write()

    def take_room(self) -> None:
        """Ask for no width of its own."""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    @guard
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Write as much as there is room for."""
        super().resizeEvent(event)
        self._write()

    def _write(self) -> None:
        words = self.words
        if self.sizePolicy().horizontalPolicy() is QSizePolicy.Policy.Ignored:
            room = self.width() - wide(_EDGES)
            words = self.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, room)
        self.setText(words)


_EDGES = 10


def link(words: str, tip: str, do: Callable[[], object], name: str = "") -> Link:
    """Make a link that does something."""
    button = with_properties(Link(words), toolTip=tip)
    button.setAccessibleName(name or words)
    button.clicked.connect(lambda: do())
    return button


class Section(QWidget):
    """A heading, and what stands below it; it is built again with other contents."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.head = with_properties(QLabel(title), objectName="key")
        self.body = QWidget()
        self.column = QVBoxLayout(self.body)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(6)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self.head)
        layout.addWidget(self.body)

    def clear(self) -> None:
        """Take away what stands below the heading; it is not seen until it is shown with what comes in its place."""
        self.hide()
        while (item := self.column.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.setParent(None)
                widget.deleteLater()

    def show_filled(self, wanted: bool = True) -> None:
        """Show it, each line as high as it needs before anything is painted."""
        self.setVisible(wanted)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)

    def add(self, *widgets: QWidget) -> None:
        """Add something below."""
        for widget in widgets:
            self.column.addWidget(widget)

    def add_row(self, *widgets: QWidget) -> None:
        """Add widgets side by side, the first as wide as there is room."""
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        for number, widget in enumerate(widgets):
            row.addWidget(widget, 0 if number else 1)
        self.add(holder)


Ask = Callable[[Figure], object]


class FigureRow(QWidget):
    """One figure of the list: name, value, limit, whose it is, why it is so, and what decides it."""

    def __init__(self, figure: Figure, asks: tuple[Ask, Ask, Ask]) -> None:
        super().__init__()
        self.figure = figure
        show, why, decide = asks
        name = figure_name(figure, whose=False)
        title = link(name, tr("Show its curve"), lambda: show(figure))
        title.take_room()
        title.setProperty("asks", "curve")
        value = with_properties(QLabel(value_text(figure.value, figure.unit)), objectName="key")
        self.why = link(tr("Why?"), tr("Show what acts on this part when the figure is greatest"), lambda: why(figure), tr("Why is {figure} so?", figure=name))  # fmt: skip
        self.why.setProperty("asks", "why")
        self.decides = link(tr("What decides?"), tr("Move numbers with sliders, or else those that are assumed, and draw which of them moves the figure most"), lambda: decide(figure), tr("What decides {figure}?", figure=name))  # fmt: skip
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(0, 1)
        grid.addWidget(title, 0, 0)
        grid.addWidget(value, 0, 1)
        grid.addWidget(self.why, 0, 2)
        grid.addWidget(line(_of_limit(figure), "muted", _sources(figure)), 1, 0)
        grid.addWidget(self.decides, 1, 1, 1, 2, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)  # fmt: skip


def _of_limit(figure: Figure) -> str:
    limit = figure.strictest
    if limit is None:
        return figure.no_verdict
    value, unit = shown(limit.limit, figure.unit)
    star = "*" if limit.unchecked else ""
    size = f"{value:g}{star} {unit}".rstrip()
    words = tr("{part} of the limit {limit}; {source}", part=figure.share_text, limit=size, source=limit.source)  # fmt: skip
    return tr("Beyond its limit: {words}", words=words) if figure.verdict == "bad" else words


def _sources(figure: Figure) -> str:
    return "\n".join(limit_text(one, figure.unit) for one in figure.limits)


class StepRow(QWidget):
    """An instant of the story: its picture, which leads there, and what happened."""

    def __init__(self, step: StepTold, go: Callable[[StepTold], object], room: int) -> None:
        super().__init__()
        self.step = step
        self.picture = with_properties(QPushButton(), objectName="card")
        across = max(_LEAST, min(wide(_PICTURE[0]), round(_PART * room)))
        size = QSize(across, round(across * _PICTURE[1] / _PICTURE[0]))
        self.picture.setFixedSize(size.grownBy(QMargins(2, 2, 2, 2)))
        self.picture.setIconSize(size)
        self.picture.setProperty("about", step.about)
        when = f"{1e3 * step.time:.0f} ms"
        self.picture.setToolTip(tr("Show this instant in the scene, and select what it is about"))
        short = step.words.partition("; ")[0].rstrip(".") + "."
        self.picture.setAccessibleName(tr("At {when}: {words}", when=when, words=short))
        self.picture.clicked.connect(lambda: go(step))
        right = QVBoxLayout()
        right.setSpacing(2)
        right.addWidget(with_properties(QLabel(when), objectName="key"))
        right.addWidget(line(short, "", "\n".join((step.words, *step.more))))
        if step.more:
            more = plural("and {n} thing more about then", "and {n} things more about then", len(step.more))  # fmt: skip
            right.addWidget(line(more, "muted", "\n".join(step.more)))
        right.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        row.addWidget(self.picture, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(right, 1)

    def show_picture(self, image: QImage) -> None:
        """Show the picture of the instant."""
        size, smooth = self.picture.iconSize(), Qt.TransformationMode.SmoothTransformation
        fitted = image.scaled(size, Qt.AspectRatioMode.KeepAspectRatio, smooth)
        self.picture.setIcon(QIcon(QPixmap.fromImage(fitted)))


class ResultPage(QWidget):
    """What happened: verdict, five pictures, what is assumed, what to try next, notes."""

    run_asked = Signal()
    why_asked = Signal(object)
    decides_asked = Signal(object)
    figure_asked = Signal(object)
    step_asked = Signal(object)
    all_asked = Signal()
    report_asked = Signal()
    explained_asked = Signal()
    band_asked = Signal()
    try_asked = Signal(object)
    back_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.theme: Theme = LIGHT
        self.rows: list[StepRow] = []
        self.figures: list[FigureRow] = []
        self.tries: list[QPushButton] = []
        self._offered: object = None
        """What was offered last."""
        self._told = Told()
        self.empty = line("", "muted")
        self.run = with_properties(QPushButton(tr("▶  Run")), objectName="run")
        self.run.setToolTip(tr("Solve the model; this page then says what happened"))
        self.run.clicked.connect(self.run_asked)
        self.title = with_properties(QLabel(), objectName="heading", wordWrap=True)
        self.title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.report = with_properties(QPushButton(tr("Report…")), objectName="small")
        self.report.setToolTip(
            tr("Write verdict, pictures, tables and curves as one page, HTML or PDF")
        )
        self.report.clicked.connect(self.report_asked)
        self.who = with_properties(QComboBox(), toolTip=tr("Whose figures stand here"))
        self.who.setAccessibleName(tr("Whose figures"))
        self.who.currentIndexChanged.connect(lambda _: self._show_person())
        self.failed = line("", "error")
        self.outcome = Section(tr("What came of it"))
        self.body = BodyFigure()
        self.body.asked.connect(self.why_asked)
        self.verdict = Section(tr("Verdict"))
        self.story = Section(tr("What happened"))
        self.assumed = Section(tr("What is assumed"))
        self.next = Section(tr("What to try next"))
        self.notes = Section(tr("Notes of the run"))
        self.sections = (
            self.outcome,
            self.verdict,
            self.story,
            self.assumed,
            self.next,
            self.notes,
        )
        self.person = line("", "muted")
        self.said = line("")
        self.list = Section("")
        self.list.head.hide()
        for widget in (self.who, self.said, self.person, self.body, self.list):
            self.verdict.add(widget)
        self._lay_out()

    def _lay_out(self) -> None:
        page = with_properties(QWidget(), objectName="panel")
        page.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column = QVBoxLayout(page)
        column.setContentsMargins(12, 8, 12, 12)
        column.setSpacing(14)
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(self.report, 0, Qt.AlignmentFlag.AlignTop)
        column.addLayout(head)
        column.addWidget(self.empty)
        column.addWidget(self.run, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.failed)
        for section in self.sections:
            column.addWidget(section)
        column.addStretch(1)
        self.area = QScrollArea(widgetResizable=True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setWidget(page)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.area)

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self.theme = self.body.theme = theme
        self.body.update()

    # what it says

    def say_nothing(self, sentence: str, *, can_run: bool) -> None:
        """Say what would fill the page."""
        self.title.setText(tr("What happened"))
        self.empty.setText(sentence)
        self.empty.show()
        self.run.setVisible(can_run)
        for widget in (self.report, self.failed, *self.sections):
            widget.hide()
        self.rows, self.figures, self.tries, self._offered = [], [], [], None

    def show_verdict(self, title: str, found: Told) -> None:
        """Show at once how it ended; what else is told of the run follows."""
        self._told, self.rows, self.tries, self._offered = found, [], [], None
        self.title.setText(title)
        for widget in (self.empty, self.run, *self.sections):
            widget.hide()
        self.report.show()
        self.failed.setText(found.failed)
        self.failed.setVisible(bool(found.failed))
        self._list_people(found.people)

    def _list_people(self, people: Sequence[PersonTold]) -> None:
        before = self.who.currentData()
        self.who.blockSignals(True)
        self.who.clear()
        for one in people:
            self.who.addItem(name_of_person(one), one.name)
        self.who.setCurrentIndex(max(0, self.who.findData(before)))
        self.who.blockSignals(False)
        self.who.setVisible(len(people) > 1)
        self._show_person()
        self.verdict.show_filled(bool(people))

    def _show_person(self) -> None:
        self.figures = []
        self.list.clear()
        number = self.who.currentIndex()
        if not 0 <= number < len(self._told.people):
            return
        person = self._told.people[number]
        self.said.setText(verdict_words(person))
        self.person.setText(person.words)
        self.body.show_regions(person.regions)
        self.body.setVisible(bool(person.regions))
        asks = (self.figure_asked.emit, self.why_asked.emit, self.decides_asked.emit)
        for figure in person.worst[:MOST]:
            row = FigureRow(figure, asks)
            self.figures.append(row)
            self.list.add(row)
        if person.unjudged:
            words = plural("One reason why figures are not judged", "{n} reasons why figures are not judged", len(person.unjudged))  # fmt: skip
            self._add_folded(self.list, words, person.unjudged)
        self.list.add(link(tr("All figures"), tr("Go to the injury figures."), self.all_asked.emit))
        self.list.show_filled()

    def show_story(self, found: Told) -> None:
        """Show what happened, instant by instant; pictures follow."""
        self.story.clear()
        self.rows = [StepRow(step, self.step_asked.emit, self.width()) for step in found.steps]
        self.story.add(*self.rows)
        if found.energy:
            self.story.add(line(found.energy, "muted"))
        if found.steps:
            self.story.add(link(tr("Explain this run…"), tr("Write a report that tells all that happened, with pictures"), self.explained_asked.emit))  # fmt: skip
        self.story.show_filled(bool(self.rows or found.energy))

    def show_picture(self, number: int, image: QImage) -> None:
        """Show the picture of an instant."""
        if number < len(self.rows):
            self.rows[number].show_picture(image)

    def show_notes(self, found: Told) -> None:
        """Show what the run warns of, a line each, and fold the rest away."""
        self.notes.clear()
        for words in found.warnings[:FEW]:
            self.notes.add(line(f"⚠ {words}"))
        rest = [*found.warnings[FEW:], *found.notes]
        if rest:
            self._add_folded(self.notes, plural("{n} note", "{n} notes", len(rest)), rest)
        self.notes.show_filled(bool(found.warnings or found.notes))

    def _add_folded(self, section: Section, words: str, lines: Sequence[str]) -> None:
        """Add lines that a click unfolds."""
        below = line("\n".join(lines), "muted")
        below.hide()
        button = link(f"▸ {words}", tr("Show or hide these lines"), lambda: None, words)
        button.take_room()
        button.setCheckable(True)

        def turn(on: bool) -> None:
            below.setVisible(on)
            button.write(f"{'▾' if on else '▸'} {words}")

        button.toggled.connect(turn)
        section.add(button, below)

    def show_assumed(self, words: str, bands: Mapping[str, str], button: tuple[str, bool]) -> None:
        """Say what is assumed, and the bands of figures where they are known."""
        self.assumed.clear()
        self.assumed.add(line(words))
        for name, band in list(bands.items())[:MOST]:
            self.assumed.add(line(tr("{figure}: {band}", figure=name, band=band), "muted"))
        title, wanted = button
        if wanted:
            do = with_properties(QPushButton(title), objectName="small")
            do.setToolTip(tr("Run the model with its assumed numbers anywhere in their ranges: what that leaves open of each figure"))  # fmt: skip
            do.clicked.connect(self.band_asked)
            self.assumed.column.addWidget(do, 0, Qt.AlignmentFlag.AlignLeft)
        self.assumed.show_filled()

    def show_next(self, words: str, offers: Sequence[tuple[str, str, object]]) -> None:
        """Offer what to try next, each with its reason; or say why nothing is offered."""
        says = (words, tuple((what, reason, id(offer)) for what, reason, offer in offers))
        if says == self._offered:
            return
        self._offered = says
        self.next.clear()
        self.tries = []
        if words:
            self.next.add(line(words, "muted"))
        for what, reason, offer in offers:
            do = with_properties(QPushButton(tr("Try")), objectName="small")
            do.setToolTip(
                tr("Make this change, as one step that can be undone, and solve the model")
            )
            do.setAccessibleName(tr("Try: {what}", what=what))
            do.setProperty("asks", "try")
            do.clicked.connect(lambda _=False, offer=offer: self.try_asked.emit(offer))
            self.tries.append(do)
            self.next.add_row(line(what), do)
            self.next.add(line(reason, "muted"))
        self.next.show_filled()

    def show_outcome(self, title: str, lines: Sequence[str], *, can_go_back: bool) -> None:
        """Say what came of a change that was tried."""
        self.outcome.clear()
        if not lines:
            return
        self.outcome.add(with_properties(line(title), objectName="key"))
        self.outcome.add(*(line(one) for one in lines))
        if can_go_back:
            back = with_properties(QPushButton(tr("Take it back")), objectName="small")
            back.setToolTip(tr("Undo the change; the runs stay"))
            back.clicked.connect(self.back_asked)
            self.outcome.column.addWidget(back, 0, Qt.AlignmentFlag.AlignLeft)
        self.outcome.show_filled()

    def to_top(self) -> None:
        """Show the page from its beginning."""
        QTimer.singleShot(0, self, lambda: self.area.verticalScrollBar().setValue(0))
