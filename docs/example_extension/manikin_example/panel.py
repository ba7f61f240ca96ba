"""A panel that shows the kinetic energy of the run at the instant that is seen."""

from __future__ import annotations

import numpy as np
from PySide6.QtWidgets import QLabel

from manikin.extensions import Panel, Shown


def make(window: Shown) -> QLabel:
    """A line of text that follows the run."""
    label = QLabel()

    def show() -> None:
        run = window.run
        if run is None:
            label.setText(f"{window.model.project.title}: no run yet")
            return
        energy = run.energy["kinetic"]
        now = float(np.interp(window.time, run.time, energy))
        label.setText(f"{1e3 * window.time:.0f} ms: {now:.3g} J")

    window.on_change(show)
    show()
    return label


PANEL = Panel(make=make, tip="Kinetic energy of the whole model")
