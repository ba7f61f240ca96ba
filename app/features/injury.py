"""The injury figures of the current run: value, limit, risk, window; beside those of another run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING
from weakref import WeakSet

from PySide6.QtCore import QMimeData, QPoint, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMenu,
    QPushButton,
    QSizePolicy,
    QStackedLayout,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app import texts
from app.command import Command
from app.comparing.runs import figure_order
from app.features.feature import Feature
from app.fonts import wide
from app.guard import guard
from app.jobs.task import Task
from app.look import LIGHT, Theme
from app.panel import Panel
from app.run_view.figure_words import limit_text
from app.run_view.record import RunRecord
from app.run_view.run_view import RunView
from app.widgets.carrying import FIGURE, packed
from app.widgets.items import rows_of
from app.widgets.share import OPEN, SHARE, Share
from app.with_properties import with_properties
from app.workbench import Workbench
from solver.base.words import msgid, tr
from solver.injury import Assessment, Figure, Limit, reference
from solver.injury.figures import (
    change_text,
    channels_text,
    figure_segment,
    figure_text,
    shown,
    value_text,
    written,
)

if TYPE_CHECKING:
    from solver.project import Project
    from solver.studies import FigureBand


class Injury(Feature):
    """Show the figures; a click on one leads to its curve."""

    name = "injury"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        panel = self.panel = InjuryPanel(bench.run_view)
        bench.panels.add(
            Panel(
                "injury",
                panel,
                "below",
                tr("Injury"),
                tr("Injury figures of the current run, with limits and risks"),
                go_to=(tr("In&jury figures"), tr("Go to the injury figures.")),
                topic="guide#injury-figures",
                moods=("understand",),
                stops=panel.tree,
                parts={"figures": panel.tree},
            )
        )
        panel.window_asked.connect(bench.figure_asked)
        panel.window_asked.connect(lambda _: bench.panels.open("plots"))
        panel.why_asked.connect(bench.why_asked)
        panel.decides_asked.connect(bench.decides_asked)
        panel.goal_asked.connect(bench.goal_asked)
        bench.commands.add(
            Command(
                "run.why",
                tr("Wh&y is this figure so?"),
                tr(
                    "Show what acts on the part of an injury figure when it is greatest: which belt, bag or contact makes it."
                ),
                panel.ask_why,
                "Shift+Y",
                lambda: bench.has_project() and bench.run_view.replay is not None,
            )
        )
        bench.theme_changed.connect(panel.set_theme)
        panel.band.clicked.connect(lambda: bench.run_band())
        panel.bands = lambda project: bench.band_figures(project)
        bench.band_changed.connect(panel.show_band)


_INJURY_COLUMNS = (
    msgid("Figure"),
    msgid("Value"),
    msgid("Before"),
    msgid("Limit"),
    msgid("Of the limit"),
    msgid("Limited by"),
    msgid("Risk"),
    msgid("Window"),
    msgid("Filter"),
    msgid("From"),
    "",
    msgid("Decided by"),
)
_WIDTHS = (332, 90, 132, 84, 152, 196, 170, 124, 108, 180, 56, 400)
_LEAST_PX, _ROOMY_PX, _EDGES_PX = 84, 280, 24
"""The least height of the table, that of a panel with room for notes, and what is free beside what is said."""
_NAME = Qt.ItemDataRole.UserRole + 1
_VALUE, _BEFORE, _BAR, _WHY, _DECIDED = 1, 2, 4, 10, 11
_BANDED = 200
"""Width of the values where each has its band behind it."""


class _Tree(QTreeWidget):
    """Let people drag figures into a study."""

    @guard
    def mimeData(self, items: Sequence[QTreeWidgetItem]) -> QMimeData:
        """Pack the names of figures."""
        return packed(FIGURE, [name for item in items if (name := item.data(0, _NAME))])


class InjuryPanel(QWidget):
    """List the figures; a click shows the window on the timeline and in the plots."""

    window_asked = Signal(object)
    why_asked = Signal(object)
    decides_asked = Signal(object)
    goal_asked = Signal(object, bool)

    def __init__(self, run_view: RunView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.run_view, self.theme = run_view, LIGHT
        self.tree = with_properties(_Tree(), rootIsDecorated=False, uniformRowHeights=True)
        self.tree.setDragEnabled(True)
        # it scrolls by itself: what asks for more than there is would have a second bar beside its own
        self.tree.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self.tree.setMinimumHeight(_LEAST_PX)
        self.tree.setHeaderLabels([tr(words) for words in _INJURY_COLUMNS])
        self.tree.setAccessibleName(tr("Injury figures"))
        self.tree.header().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        for column, width in enumerate(_WIDTHS):
            self.tree.setColumnWidth(column, wide(width))
        self.tree.setItemDelegateForColumn(_BAR, Share(self, lambda: self.theme, self.colour))
        # beside the value, where it is seen in a small window too
        self.tree.header().moveSection(_WHY, _BEFORE)
        self.tree.header().moveSection(_DECIDED, _BEFORE)
        self.tree.header().setStretchLastSection(False)
        self.tree.itemClicked.connect(self._on_cell)
        self.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.tree.customContextMenuRequested.connect(self._offer)
        self.tree.itemActivated.connect(lambda item, _: self._on_click(item))
        self.hint = with_properties(QLabel(), objectName="muted", wordWrap=True)
        self.hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.notes = with_properties(QLabel(), objectName="muted", wordWrap=True)
        self.whom = QLabel()
        self.whom.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._said: list[str] = []
        self.standard = with_properties(QComboBox(), minimumWidth=wide(190))
        self.standard.setAccessibleName(tr("Limits of"))
        self.standard.setToolTip(
            tr("Whose limits are shown: all that fit body and push, or one standard's")
        )
        self.standard.addItem(tr("Limits: all that fit"), "")
        for one in reference().standards.values():
            self.standard.addItem(one.name, one.id)
        self.standard.currentIndexChanged.connect(lambda _: self._on_standard())
        holder, listed = QWidget(), QWidget()
        self._stack = QStackedLayout(holder)
        inner = QVBoxLayout(listed)
        inner.setContentsMargins(0, 0, 0, 4)
        top = QHBoxLayout()
        top.addWidget(self.standard, 0, Qt.AlignmentFlag.AlignTop)
        self.bands: Callable[[Project], Mapping[str, FigureBand]] = lambda _: {}
        self.band = QPushButton(tr("Band"))
        top.addWidget(self.band, 0, Qt.AlignmentFlag.AlignTop)
        top.addWidget(self.whom, 1)
        inner.addLayout(top)
        inner.addWidget(self.tree, 1)
        inner.addWidget(self.notes)
        self._stack.addWidget(self.hint)
        self._stack.addWidget(listed)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4, 0, 4, 0)
        layout.addWidget(holder)
        self._shown: tuple[RunRecord, RunRecord | None, bool] | None = None
        self._figures: dict[int, Figure] = {}
        self._task: Task | None = None
        self._tried: WeakSet[RunRecord] = WeakSet()
        """Of what was asked for once; a damaged file gives no figures."""
        run_view.run_shown.connect(self._on_run)
        run_view.runs.ended.connect(lambda _: self._on_run())
        run_view.document.changed.connect(lambda _: self._on_run())
        self._on_run()

    @guard
    def show_band(self, words: str) -> None:
        """Say how far the band is; without words it has ended, and stands behind the figures."""
        self.band.setText(words or tr("Band"))
        if not words:
            self._shown = None
            self._on_run()

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self.theme = theme
        self._shown = None
        self._on_run()

    @guard
    def _on_standard(self) -> None:
        chosen = self.standard.currentData()
        self.run_view.judges.choose((chosen,) if chosen else ())
        self._shown = None
        self._on_run()

    def colour(self, share: float) -> str:
        """Give the colour of a figure by its part of the limit."""
        t = self.theme
        return t.error if share > 1.0 else t.warning if share > 0.8 else t.good

    def _before(self, record: RunRecord) -> RunRecord | None:
        """Give the run to compare with: the ghost, or the one before."""
        if self.run_view.ghost is not None and self.run_view.ghost is not record:
            return self.run_view.ghost
        records = self.run_view.runs.records
        place = records.index(record) if record in records else 0
        earlier = [r for r in records[:place] if r.status == "completed"]
        return earlier[-1] if earlier else None

    @guard
    def showEvent(self, event: QShowEvent) -> None:
        """Compute what was not while nobody looked."""
        super().showEvent(event)
        self._on_run()

    @guard
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the room to the figures where there is little."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Shorten what is said above the figures to its lines; what has no room stands in the tip."""
        beside = self.standard.sizeHint().expandedTo(self.standard.minimumSize()).width()
        beside += self.band.sizeHint().width() + _EDGES_PX
        room, metrics = self.width() - beside, self.whom.fontMetrics()
        right, lines = Qt.TextElideMode.ElideRight, self._said
        if self.isVisible():
            lines = [metrics.elidedText(one, right, room) for one in lines]
        self.whom.setText("\n".join(lines))
        self.notes.setVisible(bool(self.notes.text()) and self.height() > _ROOMY_PX)

    def _on_run(self, *, at_once: bool = False) -> None:
        record = self.run_view.runs.current
        if record is not None and not self.isVisible() and not at_once:
            self._shown = None
            return
        before = self._before(record) if record is not None else None
        if not at_once and self._asks_for(record, before):
            return
        found = record.assess() if record is not None else None
        if record is None or found is None:
            self._shown = None
            if record is not None and record.status in ("waiting", "running"):
                self._say(tr("The injury figures of this run stand here once it has ended."))
            else:
                self._say(tr("Press F5 to run the model; its injury figures stand here."))
            return
        is_old = self.run_view.is_outdated(record)
        if self._shown is None or self._shown[:2] != (record, before):
            self._shown = (record, before, is_old)
            self._list(found, before.assess() if before is not None else None, before)
        elif self._shown[2] != is_old:
            self._shown = (record, before, is_old)
            for item in rows_of(self.tree):
                self._colour(item, is_old)

    def _asks_for(self, *records: RunRecord | None) -> bool:
        """Work out in a thread what nobody knows yet of runs, and list it then; tells whether that is to come."""
        wanted = [one for one in records if one is not None and one.has_ended and not one.is_assessed and one not in self._tried]  # fmt: skip
        self._tried.update(wanted)
        if wanted:
            task = self._task = Task(lambda: [one.assess() for one in wanted], self)
            task.done.connect(lambda _: self._on_assessed(task))
            task.start()
        return self._task is not None

    def _on_assessed(self, task: Task) -> None:
        if task is self._task:
            self._task = None
            self._on_run()

    def _say(self, sentence: str) -> None:
        self.hint.setText(sentence)
        self._stack.setCurrentIndex(0)

    def _list(self, found: Assessment, other: Assessment | None, before: RunRecord | None) -> None:
        found = found.under(self.run_view.judges.standards)
        self.tree.clear()
        self._figures = {}
        if not found.figures:
            why = (
                str(found.missing[0][1])
                if found.missing
                else (
                    tr(
                        "No segment of this model is known as a part of a body, and it asks for no figure."
                    )
                )
            )
            self._say(why)
            return
        old = {figure.name: figure for figure in other.figures} if other is not None else {}
        self.tree.setHeaderLabels(
            [
                before.name if before is not None and column == _BEFORE else words
                for column, words in enumerate(map(tr, _INJURY_COLUMNS))
            ]
        )
        self.tree.setColumnHidden(_BEFORE, other is None)
        project = self._shown[0].project if self._shown else None
        bands = self.bands(project) if project else {}
        if self.tree.isColumnHidden(_DECIDED) == bool(bands):
            self.tree.setColumnHidden(_DECIDED, not bands)
            self.tree.setColumnWidth(_VALUE, wide(_BANDED if bands else _WIDTHS[_VALUE]))
        ranged = bool(project and project.assumed)
        self.band.setEnabled(ranged)
        self.band.setToolTip(
            tr("Run the model with its assumed numbers anywhere in their ranges: what that leaves open of each figure")
            if ranged
            else tr("No number of this model is marked as assumed with its range")
        )  # fmt: skip
        # of a chosen standard its own figures come first
        chosen = bool(found.standards)
        for figure in sorted(
            found.figures, key=lambda one: (chosen and not one.limits, figure_order(one))
        ):
            self._add(figure, old.get(figure.name), bands.get(figure.name))
        notes = [str(note).removeprefix(tr("note: ")) for note in found.notes]
        if found.unchecked:
            notes.append(tr(texts.words.FROM_MEMORY))
        self._said = [*_ended_early(self._shown[0] if self._shown else None), *map(str, found.said)]
        self.notes.setText("  ".join(notes))
        self.whom.setToolTip("\n".join([*self._said, *notes]))
        self._stack.setCurrentIndex(1)
        self._fit()

    def _add(self, figure: Figure, old: Figure | None, band: FigureBand | None) -> None:
        assert self._shown is not None
        record, _, is_old = self._shown
        limit = figure.strictest
        words = (
            figure_text(figure),
            value_text(figure.value, figure.unit) + (f" ({band.text})" if band else ""),
            _change(figure, old),
            _limit(limit, figure.unit) if limit else tr("no verdict") if figure.no_verdict else "",
            "",
            limit.source if limit else figure.no_verdict,
            ", ".join(risk.said for risk in figure.risks),
            tr("{first:.1f} to {last:.1f} ms", first=1e3 * figure.t1, last=1e3 * figure.t2) if figure.t2 > figure.t1
            else tr(texts.words.INSTANT, ms=1e3 * figure.t1),
            _filters(figure),
            channels_text(record.project, figure.channels),
            tr("Why?") if figure_segment(record.project, figure) else "",
            band.decided_beside(figure.value) if band else "",
        )  # fmt: skip
        item = QTreeWidgetItem(self.tree, list(words))
        item.setData(_BAR, SHARE, figure.share)
        item.setData(_BAR, OPEN, figure.share_text if figure.verdict in ("", "open") else "")
        item.setData(0, _NAME, figure.name)
        font = item.font(1)
        font.setBold(True)
        item.setFont(1, font)
        self._colour(item, is_old)
        sources = [limit_text(one, figure.unit) for one in figure.limits]
        sources += [
            tr("Risk {level}: {source}", level=risk.level, source=risk.source)
            for risk in figure.risks
        ]
        tip = "\n".join(
            filter(None, (words[0], str(figure.note), *sources, words[6], *figure.channels))
        )
        for column in range(len(_INJURY_COLUMNS)):
            item.setToolTip(column, tip)
        item.setForeground(_WHY, QBrush(QColor(self.theme.accent)))
        item.setToolTip(_WHY, tr("Show what acts on this part when the figure is greatest"))
        self._figures[id(item)] = figure

    def _colour(self, item: QTreeWidgetItem, is_old: bool) -> None:
        """Tell figures beyond their limit from others, and those of an older model from those of the present one."""
        muted, error = QBrush(QColor(self.theme.muted)), QBrush(QColor(self.theme.error))
        for column in (2, 5, 6, 7, 8, 9):
            item.setForeground(column, muted)
        for column in (0, 1, 3):
            item.setForeground(column, muted if is_old else QBrush())
        if (item.data(_BAR, SHARE) or 0.0) > 1.0 and not is_old:
            item.setForeground(1, error)

    @guard
    def _on_cell(self, item: QTreeWidgetItem, column: int) -> None:
        if column == _WHY and item.text(_WHY):
            self.ask_why(item)
        else:
            self._on_click(item)

    @guard
    def _offer(self, place: QPoint) -> None:
        item = self.tree.itemAt(place)
        if item is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("Show its curve"), lambda: self._on_click(item))
        why = menu.addAction(tr("Why is it so?"), lambda: self.ask_why(item))
        why.setEnabled(bool(item.text(_WHY)))
        figure = self._figures.get(id(item))
        if figure is not None:
            menu.addAction(tr("What decides it?"), lambda: self.decides_asked.emit(figure))
            menu.addSeparator()
            menu.addAction(
                tr("Make it small, as a goal"), lambda: self.goal_asked.emit(figure, False)
            )
            keep = menu.addAction(
                tr("Keep it below its limit"), lambda: self.goal_asked.emit(figure, True)
            )
            keep.setEnabled(figure.strictest is not None)
        menu.popup(self.tree.viewport().mapToGlobal(place))

    def ask_why(self, item: QTreeWidgetItem | None = None) -> None:
        """Ask what makes a figure so large: of a row, or the current one, or the first."""
        self._on_run(at_once=True)
        item = item or self.tree.currentItem() or self.tree.topLevelItem(0)
        figure = self._figures.get(id(item))
        if figure is not None:
            self.why_asked.emit(figure)

    def _on_click(self, item: QTreeWidgetItem) -> None:
        figure = self._figures.get(id(item))
        if figure is not None:
            self.run_view.go(figure.t1)
            self.window_asked.emit(figure)


def _ended_early(record: RunRecord | None) -> list[str]:
    """Say that a run ended before its time: what it would have found is not known."""
    found = None if record is None else record.trajectory
    if record is None or found is None or record.status not in ("cancelled", "failed"):
        return []
    words = tr(
        "{name} is {status}, at {ms:.0f} ms: figures are of what it found until then.",
        name=record.name, status=tr(record.status), ms=1e3 * float(found.time[-1]),
    )  # fmt: skip
    return [words]


def _filters(figure: Figure) -> str:
    """Name the filter classes of the channels: 'CFC 1000, 600'."""
    classes = [str(cfc) if cfc else tr(texts.words.NONE) for cfc in dict.fromkeys(figure.filters)]
    if classes == [tr(texts.words.NONE)]:
        return classes[0]
    return tr(texts.words.CFC, cfc=", ".join(classes))


def _limit(limit: Limit, unit: str) -> str:
    """Write a limit, with a star where it is assumed."""
    value, words = shown(limit.limit, unit)
    return f"{value:g}{'*' if limit.unchecked else ''} {words}".rstrip()


def _change(figure: Figure, old: Figure | None) -> str:
    """Write the figure of the other run, and by how much this one differs."""
    if old is None:
        return ""
    text = written(shown(old.value, old.unit)[0])
    if old.value:
        text += f"  ({change_text((figure.value - old.value) / abs(old.value))})"
    return text
