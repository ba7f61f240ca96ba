"""The bench of a dummy: its tests with verdicts and figures, the curves of one, what to do with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QBrush, QColor, QFont
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QProgressBar,
    QPushButton,
    QStackedLayout,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.curves.chart import Chart
from app.features.certify.testing import Testing
from app.fonts import Shortened, em, wide
from app.forms.choices import Choice
from app.look import LINES, Theme
from app.widgets.sheet import Sheet
from app.widgets.splits import split
from app.with_properties import with_properties
from app.workbench import Workbench
from solver.base.units import pretty
from solver.base.words import msgid, tr
from solver.bodies.dummies import called
from solver.studies.bench.labels import conditions, corridor, figure_label, margin, value
from solver.studies.bench.table import TITLES, BenchTest, bench_tests, dummies

if TYPE_CHECKING:
    from solver.studies.bench.running import Result
_WIDE_EM, _HIGH_EM = 92.0, 50.0
_EDGE_PX, _TOP_PX = 24, 72
_LEFT = 58
"""Width of the list (%)."""
_COLUMNS = {1: (14.0, 0.3), 2: (8.5, 0.2), 3: (5.0, 0.13)}
"""Widths of columns in heights of the text, and at most in parts of the list."""
_HEADS = (msgid("Test, figure"), msgid("Asked"), msgid("Found"), msgid("Margin"))
_NAME, _ASKED, _FOUND, _MARGIN = range(4)
_MARGIN_TIP = msgid(
    "How far a figure is from the nearer end of its corridor, in parts of half of it; of a limit, in parts of the limit"
)


class CertifyDialog(Sheet):
    """Show the bench; it runs tests, and asks for scenes and certificates by signals."""

    scene_asked = Signal(str, int)
    """The scene of a test of a dummy shall be opened as a model."""
    fits_asked = Signal(str)
    """A dummy shall be opened with the studies that its numbers were fitted by."""
    save_asked = Signal(str)
    """A dummy's certificate shall be saved."""

    def __init__(self, bench: Workbench, testing: Testing) -> None:
        super().__init__(bench.window, tr("Certify a dummy"), "guide#dummies")
        self._bench, self.testing = bench, testing
        self.dummy = Choice()
        for name in dummies():
            self.dummy.addItem(tr(called(name)), name)
        self.dummy.setToolTip(tr("Dummy whose tests are run; the open project stays as it is"))
        self.tree = with_properties(QTreeWidget(), columnCount=len(_HEADS), uniformRowHeights=True)
        self.tree.setAccessibleName(tr("Tests of the dummy, with their figures"))
        self.tree.setHeaderLabels([tr(words) for words in _HEADS])
        self.tree.headerItem().setToolTip(_MARGIN, tr(_MARGIN_TIP))
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(_NAME, QHeaderView.ResizeMode.Stretch)
        self.curves = TestCurves()
        self.words = Shortened(60)
        self.bar = with_properties(QProgressBar(), textVisible=False, maximumWidth=wide(140))
        self.stop = _button(tr("Stop"), tr("Give up the test that runs and those that wait; what has come stays"))  # fmt: skip
        self.run_one = _button(tr("Run this test"), tr("Run the selected test in the background"))
        self.scene = _button(tr("Open this scene"), tr("Open the selected test as a model that is not saved yet: dummy, fixture and outputs"))  # fmt: skip
        self.fits = _button(tr("Open its fits"), tr("Open the dummy as a model that is not saved yet, with the studies that its numbers were fitted by"))  # fmt: skip
        self.save = _button(tr("Save certificate…"), tr("Write verdicts, figures and curves of the tests that were run, as HTML or PDF"))  # fmt: skip
        self.run_all = _button(tr("Run all"), tr("Run all tests of the dummy in the background"))
        with_properties(self.run_all, objectName="primary", default=True)
        self._lay_out()
        self._connect()
        self._list()
        self._fit()

    def _lay_out(self) -> None:
        self.form.add(tr("Dummy"), self.dummy)
        left = QWidget()
        column, row = QVBoxLayout(left), QHBoxLayout()
        column.setContentsMargins(0, 0, 8, 0)
        column.addWidget(self.tree, 1)
        column.addLayout(row)
        for button in (self.run_one, self.scene, self.fits):
            row.addWidget(button)
        row.addStretch()
        going = QHBoxLayout()
        going.setSpacing(8)
        for widget in (self.words, self.bar, self.stop):
            going.addWidget(widget, int(widget is self.words))
        close = _button(tr("Close"), tr("Close the bench; tests that run are given up (Esc)"))
        close.clicked.connect(self.reject)
        self.column.addLayout(self.form)
        self.parts = split(Qt.Orientation.Horizontal, (left, self.curves), (_LEFT, 100 - _LEFT))
        self.column.addWidget(self.parts, 1)
        self.column.addLayout(going)
        self.add_buttons(close, self.save, self.run_all)

    def _connect(self) -> None:
        self.dummy.currentIndexChanged.connect(lambda _: self._list())
        self.tree.currentItemChanged.connect(lambda *_: self._show())
        self.run_all.clicked.connect(lambda: self.testing.start(self.name, range(len(self.tests))))
        self.run_one.clicked.connect(lambda: self.testing.start(self.name, [self.chosen]))
        self.stop.clicked.connect(self.testing.stop)
        self.scene.clicked.connect(lambda: self.scene_asked.emit(self.name, self.chosen))
        self.fits.clicked.connect(lambda: self.fits_asked.emit(self.name))
        self.save.clicked.connect(lambda: self.save_asked.emit(self.name))
        self.testing.progressed.connect(self._refresh)
        self._bench.theme_changed.connect(self.set_theme)
        self.finished.connect(lambda _: self.testing.stop())

    def set_theme(self, _: object) -> None:
        """Draw in the colours of another theme."""
        self._refresh()

    @property
    def is_busy(self) -> bool:
        """Whether a test runs."""
        return self.testing.now is not None

    @property
    def name(self) -> str:
        """The dummy that is shown, by its name in the library."""
        return str(self.dummy.currentData())

    @property
    def tests(self) -> tuple[BenchTest, ...]:
        """Give its tests."""
        return bench_tests(self.name)

    @property
    def chosen(self) -> int:
        """The number of the test that is selected, or whose figure is."""
        item = self.tree.currentItem()
        if item is None:
            return 0
        return self.tree.indexOfTopLevelItem(item.parent() or item)

    def say(self, sentence: str) -> None:
        """Say something beside the progress."""
        self.words.say(sentence)

    def _list(self) -> None:
        """List the tests of another dummy, each with what is asked."""
        self.tree.blockSignals(True)
        self.tree.clear()
        bold = QFont(self.tree.font())
        bold.setWeight(QFont.Weight.DemiBold)
        for test in self.tests:
            row = QTreeWidgetItem(self.tree, [tr(TITLES[test.kind]), test.paragraph])
            row.setFont(_NAME, bold)
            for asked in test.asked:
                QTreeWidgetItem(row, [figure_label(asked), corridor(asked)])
        self.tree.setCurrentIndex(self.tree.model().index(0, 0))
        self.tree.blockSignals(False)
        self._refresh()

    def _refresh(self) -> None:
        """Show how far it is, verdicts and figures."""
        going = self.testing
        for n in range(len(self.tests)):
            self._fill(n, going.results.get((self.name, n)))
        busy = self.is_busy
        self.bar.setVisible(busy)
        self.bar.setRange(0, max(1, going.of))
        self.bar.setValue(going.done)
        self.stop.setEnabled(busy)
        for widget in (self.dummy, self.run_all, self.run_one):
            widget.setEnabled(not busy)
        self.save.setEnabled(not busy and bool(going.of_dummy(self.name)))
        self.words.say(self._told())
        self._show()

    def _told(self) -> str:
        going = self.testing
        if going.now is not None:
            test = bench_tests(going.now[0])[going.now[1]]
            return tr("{test}: runs, {done} of {count} done …", test=tr(TITLES[test.kind]), done=going.done, count=going.of)  # fmt: skip
        found = going.of_dummy(self.name)
        if not found:
            return tr("No test was run yet.")
        passed, left = sum(one.passed for one in found), len(self.tests) - len(found)
        words = tr("{passed} of {count} tests are passed.", passed=passed, count=len(found))
        return f"{words} {tr('{count} were not run.', count=left)}" if left else words

    def _fill(self, n: int, result: Result | None) -> None:
        row = self.tree.topLevelItem(n)
        assert row is not None
        children = (row.child(k) for k in range(row.childCount()))
        figures = [one for one in children if one is not None]
        theme = self._bench.theme
        if result is None:
            runs = self.testing.now == (self.name, n)
            _put(row, tr("runs …") if runs else tr("not run"), "", theme.muted)
            for figure in figures:
                _put(figure, "", "", theme.muted)
        else:
            words = tr("passed") if result.passed else tr("not passed")
            least = min(result.verdicts, key=lambda v: -1.0 if v.margin is None else v.margin)
            _put(row, words, margin(least), _tone(theme, result.passed))
            for figure, verdict in zip(figures, result.verdicts, strict=True):
                _put(figure, value(verdict), margin(verdict), _tone(theme, verdict.passed))
        for item in (row, *figures):
            for column in range(len(_HEADS)):
                item.setToolTip(column, item.text(column))

    def _show(self) -> None:
        """Show the selected test's curves."""
        n = self.chosen
        self.curves.show_test(
            self.name, self.tests[n], self.testing.results.get((self.name, n)), self._bench.theme
        )

    def _fit(self) -> None:
        """Take the room that there is, and no more than helps."""
        room = self.screen().availableGeometry()
        self.resize(
            min(round(_WIDE_EM * em()), room.width() - _EDGE_PX),
            min(round(_HIGH_EM * em()), room.height() - _TOP_PX),
        )
        left = _LEFT * self.width() // 100
        self.parts.setSizes([left, self.width() - left])
        for column, (ems, part) in _COLUMNS.items():
            self.tree.setColumnWidth(column, round(min(ems * em(), part * left)))


def _button(words: str, tip: str) -> QPushButton:
    return with_properties(QPushButton(words), toolTip=tip, autoDefault=False)


def _tone(theme: Theme, good: bool) -> str:
    return theme.good if good else theme.error


def _put(item: QTreeWidgetItem, found: str, room: str, tone: str) -> None:
    item.setText(_FOUND, found)
    item.setText(_MARGIN, room)
    item.setForeground(_FOUND, QBrush(QColor(tone)))
    item.setTextAlignment(_MARGIN, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


_MOST = 3
_BAND = 75
_AXIS_PX = 40


class TestCurves(QWidget):
    """Show one test: what is done, and once it was run its curves."""

    __test__ = False

    def __init__(self) -> None:
        super().__init__()
        self.about = with_properties(QLabel(), wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.open = with_properties(QLabel(), objectName="muted", wordWrap=True)
        self.charts = [Chart("") for _ in range(_MOST)]
        self.titles = [with_properties(QLabel(), objectName="muted") for _ in range(_MOST)]
        self.legend = with_properties(
            QLabel(tr("Bands are what is asked: a peak lies in a wide one, a curve passes through a narrow one.")),
            objectName="muted", wordWrap=True,
        )  # fmt: skip
        self.hint = with_properties(
            QLabel(tr("Run the test to see its curves.")), objectName="muted"
        )
        self.hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        drawn = QWidget()
        column = QVBoxLayout(drawn)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        for title, chart in zip(self.titles, self.charts, strict=True):
            column.addWidget(title)
            column.addWidget(chart, 1)
        column.addWidget(self.legend)
        holder = QWidget()
        self._stack = QStackedLayout(holder)
        self._stack.addWidget(self.hint)
        self._stack.addWidget(drawn)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 0, 0, 0)
        layout.addWidget(self.about)
        layout.addWidget(holder, 1)
        layout.addWidget(self.open)

    def show_test(self, dummy: str, test: BenchTest, result: Result | None, theme: Theme) -> None:
        """Show a test of a dummy, with its curves where it was run."""
        from solver.report.bench import in_short

        lines = [f"{tr(TITLES[test.kind])}, {test.paragraph}.", conditions(test)]
        self.open.setText(in_short(dummy, test.kind))
        if result is not None and result.passages:
            lines.append(tr("Passed through: {what}.", what=result.passages[0]))
        self.about.setText(" ".join(filter(None, lines)))
        self._stack.setCurrentIndex(int(result is not None))
        if result is None:
            return
        from solver.report.bench import panels

        found = list(panels(result))
        for n, (title, chart) in enumerate(zip(self.titles, self.charts, strict=True)):
            for widget in (title, chart):
                widget.setVisible(n < len(found))
            if n >= len(found):
                continue
            panel, (curve,) = found[n], found[n].curves
            title.setText(tr("{what} [{unit}] over {across}", what=curve.label, unit=pretty(curve.unit), across=panel.x_label))  # fmt: skip
            chart.setAccessibleName(panel.title)
            chart.begin(theme, "", "")
            chart.getPlotItem().getAxis("left").setWidth(wide(_AXIS_PX))
            for band in panel.bands:
                chart.band(band.x, band.low, band.high, theme.good, _BAND)
            chart.line(curve.x, curve.y, LINES[0])
            chart.getPlotItem().enableAutoRange()
        self.legend.setVisible(any(panel.bands for panel in found))
