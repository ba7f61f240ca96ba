"""Make a curve of curves by a formula: sums, differences, rates, integrals, resultants, filters."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QWidget,
)

from app.guard import guard
from app.widgets.sheet import Fields, Sheet
from app.with_properties import with_properties
from solver.base.units import display_unit, pretty
from solver.base.words import Refusal, msgid, tr
from solver.project import Project
from solver.results.formulas import FUNCTIONS, read_formula
from solver.results.names import quantity_label
from solver.results.quantities import Quantities

_NAME = Qt.ItemDataRole.UserRole
_FIELD_EM, _WIDTH_EM, _LIST_PX = 34.0, 46.0, 120
_HINT = msgid(
    "Quantities stand in braces, numbers with a unit in quotes: '9.81 m/s2'. "
    "Signs: + - * / ^ and brackets. Functions: {functions}."
)


class FormulaDialog(Sheet):
    """Ask for a formula; a click on a quantity puts it where the cursor is."""

    def __init__(
        self,
        parent: QWidget,
        project: Project,
        quantities: Quantities,
        offered: Sequence[str],
        draw: Callable[[str], object],
        system: str,
        text: str = "",
    ) -> None:
        super().__init__(
            parent,
            tr("Calculate a curve"),
            "guide#curves",
            form=Fields(_FIELD_EM),
            width_em=_WIDTH_EM,
        )
        self._quantities, self._draw, self._system = quantities, draw, system
        self.title = QLineEdit(placeholderText=tr("what it is called; may be left out"))
        self.formula = QLineEdit(text)
        self.said = QLabel()
        self.list = with_properties(QListWidget(), minimumHeight=_LIST_PX)
        self.list.setToolTip(tr("A click, or Enter, puts a quantity where the cursor is"))
        for name in offered:
            item = QListWidgetItem(quantity_label(project, name))
            item.setData(_NAME, name)
            self.list.addItem(item)
        self.list.itemClicked.connect(self._insert)
        self.list.itemActivated.connect(self._insert)
        self.form.add(tr("Name"), self.title, "")
        self.form.add(tr("Formula"), self.formula, tr(_HINT, functions=", ".join(FUNCTIONS)))
        self.form.add(tr("Quantities"), self.list, "")
        self.form.add_hint(self.said)
        self.column.addLayout(self.form)
        cancel = with_properties(QPushButton(tr("Cancel")), toolTip=tr("Draw nothing (Esc)"))
        cancel.clicked.connect(self.reject)
        self.do = with_properties(
            QPushButton(tr("Draw")),
            objectName="primary",
            default=True,
            toolTip=tr("Draw the curve in the plot (Enter)"),
        )
        self.do.clicked.connect(self.accept)
        self.add_buttons(cancel, self.do)
        for line in (self.title, self.formula):
            line.textChanged.connect(self._look)
        self.formula.setFocus()
        self._look()

    @guard
    def setVisible(self, visible: bool) -> None:
        """Let one write on behind what is there: Qt marks all of it for a dialog that opens."""
        super().setVisible(visible)
        self.formula.end(False)

    @property
    def name(self) -> str:
        """The quantity that the formula is."""
        return f"{self.title.text().strip()} = {self.formula.text().strip()}".strip()

    @guard
    def accept(self) -> None:
        """Draw it."""
        self._draw(self.name)
        super().accept()

    def _insert(self, item: QListWidgetItem) -> None:
        self.formula.insert(f"{{{item.data(_NAME)}}}")
        self.formula.setFocus()

    def _look(self) -> None:
        """Say what the formula gives, or what is wrong with it."""
        words = ""
        if self.formula.text().strip():
            try:
                read_formula(self.name)
                unit = pretty(display_unit(self._quantities(self.name).unit, self._system))
                words = tr("It gives a curve in {unit}.", unit=unit or "1")
            except Refusal as refusal:
                words = str(refusal)
                self.do.setEnabled(False)
            else:
                self.do.setEnabled(True)
        else:
            self.do.setEnabled(False)
        self.form.tell(self.said, words)
