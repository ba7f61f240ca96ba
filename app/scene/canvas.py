"""What draws off the screen, lent to one stage after the other: to begin with graphics takes a fifth of a second."""

from __future__ import annotations

from typing import Any

from app.scene.graphics import off_screen_window

_FIRST_PX = 64
"""Width and height of the first picture, in which nobody sees anything."""


class Canvas:
    """A window off the screen, and the stage that is drawn in it just now."""

    def __init__(self) -> None:
        self.window = off_screen_window()
        self._stage: Any = None
        self._begun = 0

    def let_in(self, stage: Any) -> None:
        """Let a stage be drawn from now on, in place of another."""
        if stage is not self._stage:
            self.let_out(self._stage)
            stage.add_to(self.window)
            self._stage = stage

    def let_out(self, stage: Any) -> None:
        """Give back what is held for a stage, if it is there."""
        if stage is not None and stage is self._stage:
            stage.leave(self.window)
            self._stage = None

    def begin(self) -> bool:
        """Do a part of what the first picture does before it is drawn; tells whether there was one left."""
        self._begun += 1
        if self._begun == 1:
            self.window.SetSize(_FIRST_PX, _FIRST_PX)
            self.window.Initialize()
        elif self._begun == 2:
            self.window.Render()
        return self._begun <= 2

    def renew(self) -> None:
        """Draw in another window, as after another driver was asked for."""
        self.let_out(self._stage)
        self.window.Finalize()
        self.window = off_screen_window()

    def close(self) -> None:
        """End the window here: left to be found as rubbish, it would end at any time and after what it stands on."""
        if self.window is not None:
            self.let_out(self._stage)
            self.window.Finalize()
            self.window = None
