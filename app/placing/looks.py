"""What people do with the view: hide, isolate, see through, cut open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app import texts
from app.elements import PROJECT, START, spoken

if TYPE_CHECKING:
    from app.scene.showing import Showing
    from app.window import MainWindow

_STEP_M = 0.01


class Looks:
    """Change what the scene shows; the document is not touched."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window

    @property
    def showing(self) -> Showing:
        """Give what is hidden, faint and cut."""
        showing: Showing = self._window.viewport.stage.showing
        return showing

    def hide(self) -> None:
        """Hide what is selected."""
        chosen = self._chosen()
        if not chosen:
            self._window.say(texts.scene.WHAT_TO_HIDE)
            return
        self.showing.hidden |= set(chosen)
        self._again(texts.scene.HIDDEN.format(names=self._names(chosen)))

    def isolate(self) -> None:
        """Hide everything but what is selected."""
        chosen = self._chosen()
        if not chosen:
            self._window.say(texts.scene.WHAT_TO_LEAVE)
            return
        everything = set(self._window.viewport.stage.middles()) | self.showing.hidden
        self.showing.hidden = everything - set(chosen)
        self._again(texts.scene.ALONE.format(names=self._names(chosen)))

    def show_all(self) -> None:
        """Show everything that was hidden."""
        self.showing.hidden.clear()
        self._again(texts.scene.ALL_SHOWN)

    def see_through(self) -> None:
        """See through what is selected, or through all bodies; or no longer."""
        showing, chosen = self.showing, set(self._chosen())
        if not chosen:
            showing.faint_bodies = not showing.faint_bodies
            words = texts.scene.ALL_FAINT if showing.faint_bodies else texts.scene.ALL_SOLID
        elif chosen <= showing.faint:
            showing.faint -= chosen
            words = texts.scene.SOLID_AGAIN
        else:
            showing.faint |= chosen
            words = texts.scene.FAINT.format(names=self._names(sorted(chosen)))
        self._again(words)

    def fill_bags(self) -> None:
        """See the model's airbags full, or folded again."""
        showing = self.showing
        showing.full_bags = not showing.full_bags
        self._again(texts.scene.BAGS_FULL if showing.full_bags else texts.scene.BAGS_FOLDED)

    def cut(self) -> None:
        """Cut the scene across x, then y, then z, then not at all."""
        showing, view = self.showing, self._window.viewport
        showing.axis = showing.axis + 1 if showing.axis < 2 else -1
        if showing.axis >= 0:
            showing.towards = view.lens.camera.axes()[2]
            showing.at_m = float(view.stage.middle(self._window.document.selection)[showing.axis])
            axis = "xyz"[showing.axis]
            self._again(texts.scene.CUT_AT.format(axis=axis, mm=1e3 * showing.at_m))
        else:
            self._again(texts.scene.NOT_CUT)

    def move_cut(self, steps: int) -> None:
        """Move the section along its axis."""
        showing = self.showing
        if showing.axis >= 0:
            showing.at_m += steps * _STEP_M
            axis = "xyz"[showing.axis]
            self._again(texts.scene.CUT_NOW_AT.format(axis=axis, mm=1e3 * showing.at_m))

    def _again(self, sentence: str) -> None:
        for other in self._window.views.all[1:]:
            other.stage.show_again()
            other.refresh()
        view = self._window.viewport
        view.stage.show_again()
        view.refresh()
        self._window.say(sentence)

    def _chosen(self) -> list[str]:
        return [p for p in self._window.document.chosen if p not in (PROJECT, START)]

    def _names(self, paths: list[str]) -> str:
        if len(paths) > 3:
            return texts.scene.ELEMENTS.format(count=len(paths))
        return ", ".join(spoken(self._window.document.project, path) for path in paths)
