"""What a fit has found: values, how sure they are, what its tests cannot tell apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app.features.studies.going import Seen
from app.features.studies.tables import fill_table, plain_table
from app.features.studies.view import Columns, View
from app.having import having
from solver.base.words import tr


class Fitted(View):
    """Show the numbers of a fit, with sentences above them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.apart = having(QLabel(), objectName="remark", wordWrap=True)
        self.words = having(QLabel(), objectName="muted", wordWrap=True)
        for label in (self.apart, self.words):
            label.setContentsMargins(8, 4, 8, 2)
        self.table = plain_table(tr("What was fitted"))
        self.curves = plain_table(tr("How well the curves agree"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.apart)
        layout.addWidget(self.words)
        layout.addWidget(self.table, 3)
        layout.addWidget(self.curves, 2)

    @staticmethod
    def suits(seen: Seen) -> bool:
        """Tell whether something was fitted."""
        return seen.result is not None and "fit" in seen.result.answers

    def draw(self) -> None:
        """Write sentences and tables."""
        seen = self.seen
        if seen is None or seen.result is None:
            return
        from solver.studies.apart import left_over, not_told_apart

        part, columns = seen.result.answers["fit"], Columns(seen, self.units)
        apart = [str(not_told_apart(one)) for one in part.get("not_told_apart", ())]
        self.apart.setText("\n".join(apart))
        self.apart.setVisible(bool(apart))
        self.words.setText(" ".join(_told(part)))
        heads = [tr("Parameter"), tr("Value"), tr("Standard error"), tr("Test"), ""]
        rows = [_row(name, one, part, columns) for name, one in part["unknowns"].items()]
        fill_table(self.table, heads, rows)
        heads = [tr("Test"), tr("Curve"), tr("Left over")]
        rows = [[t["test"], t["quantity"], str(left_over(t))] for t in part["targets"]]
        fill_table(self.curves, heads, rows)


def _told(part: Mapping[str, Any]) -> Iterator[str]:
    if part["misfit"] is not None:
        yield tr("What is left of all targets is {misfit:.3g} of their peaks and half corridors.", misfit=part["misfit"])  # fmt: skip
    if part["ended"] == "most_runs":
        yield tr("It ended at the most runs that it may have; the fit may not be the best.")


def _row(name: str, one: Mapping[str, Any], part: Mapping[str, Any], columns: Columns) -> list[str]:
    n = list(columns.seen.layout.parameters).index(one["parameter"])
    wide = part.get("deviations", {}).get(name)
    unsure = tr("not determined")
    if wide is not None:
        unsure = f"{float(columns.in_units(wide, n) - columns.in_units(0.0, n)):.2g}"
    end = tr("at the end of its range") if one["at_end"] else ""
    return [columns.title(n), columns.written(one["value"], n), unsure, one["test"] or tr("all"), end]  # fmt: skip
