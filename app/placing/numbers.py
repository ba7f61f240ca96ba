"""Number fields of dialogs: shown in the chosen units, read in SI."""

from __future__ import annotations

from PySide6.QtWidgets import QDoubleSpinBox, QWidget

from solver.units import convert, display_unit, pretty

_FAR_M = 100.0
_DIGITS = {"mm": 0, "m": 3, "in": 2}


class LengthBox(QDoubleSpinBox):
    """Hold a length along an axis, without buttons, so that three of them fit beside each other."""

    def __init__(self, system: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._unit = display_unit("m", system)
        far = convert(_FAR_M, "m", self._unit)
        self.setDecimals(_DIGITS.get(self._unit, 2))
        self.setRange(-far, far)
        self.setSuffix(f" {pretty(self._unit)}")
        self.setButtonSymbols(QDoubleSpinBox.ButtonSymbols.NoButtons)

    @property
    def metres(self) -> float:
        """Give what is typed, in metres."""
        return round(float(convert(self.value(), self._unit, "m")), 6) + 0.0

    def show_metres(self, value: float) -> None:
        """Show a length without telling of a change."""
        was = self.blockSignals(True)
        self.setValue(convert(value, "m", self._unit))
        self.blockSignals(was)
