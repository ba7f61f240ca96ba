"""Lead through the steps: each goes on by itself once it is done; nothing is ever blocked."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QTimer

from app.command import Command
from app.features.feature import Feature
from app.features.tour.card import Card, Halo
from app.features.tour.steps import STEPS, Step
from app.look import Theme
from app.panel import Panel
from app.workbench import Workbench
from solver.base.words import tr

_LOOK_MS, _PRAISE_MS = 120, 900


class Tour(Feature):
    """Keep the card at the present step, and look now and then whether that is done."""

    name = "tour"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self.halo, self.card = Halo(bench.window), Card(bench.window)
        bench.panels.add(Panel("tour", self.card, "floating"))
        bench.theme_changed.connect(self.set_theme)
        bench.commands.add(
            Command(
                "help.tour",
                tr("First five &minutes"),
                tr(
                    "Be shown around: open, run, read, change, hand on; a card leads, step by step."
                ),
                self.begin,
            )
        )
        self.card.next.clicked.connect(lambda: self._go(1))
        self.card.back.clicked.connect(lambda: self._go(-1))
        self.card.leave.clicked.connect(self.leave)
        self._number, self._noted = 0, None
        self._waits = False
        """Whether the step was not done when it was reached, so that doing it goes on."""
        self._look = QTimer(self, interval=_LOOK_MS)
        self._look.timeout.connect(self._on_look)
        self._praise = QTimer(self, singleShot=True, interval=_PRAISE_MS)
        self._praise.timeout.connect(lambda: self._go(1))

    @property
    def is_on(self) -> bool:
        """Tell whether one is being shown around."""
        return self._look.isActive()

    @property
    def step(self) -> Step:
        """Give the present step."""
        return STEPS[self._number]

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self.halo.set_theme(theme)

    def begin(self) -> None:
        """Begin with the first step that is not done yet."""
        self._number = -1
        self._look.start()
        self._go(1)

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
        number = self._number + by
        while by > 0 and number < len(STEPS) - 1 and self._is_old(STEPS[number]):
            number += 1
        if number >= len(STEPS):
            self.leave()
            return
        self._number = max(0, number)
        self._noted = self.step.note(self.bench)
        self._waits = not self._is_done()
        self.card.say(self.step.id, self._number + 1, len(STEPS))
        self._place()
        self.card.show()
        self.card.raise_()

    def _is_old(self, step: Step) -> bool:
        """Tell whether a step that one comes to is done already, with nothing to explain."""
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
        target = self.step.target(self.bench)
        whole = self.bench.window.rect()
        target = target.intersected(whole) if target is not None else None
        self.halo.surround(target)
        self.card.stand_by(target)
