"""The curves of a bench test below each other, with what is asked of them as bands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QStackedLayout, QVBoxLayout, QWidget

from app.curves.chart import Chart
from app.fonts import wide
from app.having import having
from app.look import LINES, Theme
from solver.base.units import pretty
from solver.base.words import tr
from solver.studies.bench.sayings import conditions
from solver.studies.bench.table import TITLES, BenchTest

if TYPE_CHECKING:
    from solver.studies.bench.running import Result

_MOST = 3
_BAND = 75
_AXIS_PX = 40


class TestCurves(QWidget):
    """Show one test: what is done, and once it was run its curves."""

    __test__ = False

    def __init__(self) -> None:
        super().__init__()
        self.about = having(QLabel(), wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.open = having(QLabel(), objectName="muted", wordWrap=True)
        self.charts = [Chart("") for _ in range(_MOST)]
        self.titles = [having(QLabel(), objectName="muted") for _ in range(_MOST)]
        self.legend = having(
            QLabel(tr("Bands are what is asked: a peak lies in a wide one, a curve passes through a narrow one.")),
            objectName="muted", wordWrap=True,
        )  # fmt: skip
        self.hint = having(QLabel(tr("Run the test to see its curves.")), objectName="muted")
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
        from solver.report.bench.left_open import in_short

        told = [f"{tr(TITLES[test.kind])}, {test.paragraph}.", conditions(test)]
        self.open.setText(in_short(dummy, test.kind))
        if result is not None and result.passages:
            told.append(tr("Passed through: {what}.", what=result.passages[0]))
        self.about.setText(" ".join(filter(None, told)))
        self._stack.setCurrentIndex(int(result is not None))
        if result is None:
            return
        from solver.report.bench.panels import panels

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
