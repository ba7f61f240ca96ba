"""Number fields of dialogs: shown in the chosen units, read in SI."""

from __future__ import annotations

from app.forms.numbers import Number
from solver.units import convert, display_unit, pretty

_FAR_M = 100.0
_DIGITS = {"mm": 0, "m": 3, "in": 2}


class LengthBox(Number):
    """Hold a length along an axis."""

    def __init__(self, system: str) -> None:
        self._unit = display_unit("m", system)
        far = convert(_FAR_M, "m", self._unit)
        digits = _DIGITS.get(self._unit, 2)
        super().__init__(-far, far, 1.0, digits, f" {pretty(self._unit)}")

    @property
    def metres(self) -> float:
        """Give what is typed, in metres."""
        return round(float(convert(self.value(), self._unit, "m")), 6) + 0.0

    def show_metres(self, value: float) -> None:
        """Show a length without telling of a change."""
        was = self.blockSignals(True)
        self.setValue(convert(value, "m", self._unit))
        self.blockSignals(was)
