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
            self._window.say("Select what shall be hidden.")
            return
        self.showing.hidden |= set(chosen)
        self._again(f"Hidden: {self._names(chosen)}. Alt+H shows everything again.")

    def isolate(self) -> None:
        """Hide everything but what is selected."""
        chosen = self._chosen()
        if not chosen:
            self._window.say("Select what shall stay alone.")
            return
        everything = set(self._window.viewport.stage.middles()) | self.showing.hidden
        self.showing.hidden = everything - set(chosen)
        self._again(f"Only {self._names(chosen)} is shown. Alt+H shows everything again.")

    def show_all(self) -> None:
        """Show everything that was hidden."""
        self.showing.hidden.clear()
        self._again("Everything is shown.")

    def see_through(self) -> None:
        """See through what is selected, or through all bodies; or no longer."""
        showing, chosen = self.showing, set(self._chosen())
        if not chosen:
            showing.faint_bodies = not showing.faint_bodies
            words = "All bodies are see-through." if showing.faint_bodies else "Bodies are solid."
        elif chosen <= showing.faint:
            showing.faint -= chosen
            words = "Solid again."
        else:
            showing.faint |= chosen
            words = f"{self._names(sorted(chosen))} is see-through."
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
            where = f"{'xyz'[showing.axis]} = {1e3 * showing.at_m:.0f} mm"
            self._again(f"Cut at {where}; [ and ] move the cut.")
        else:
            self._again("Nothing is cut.")

    def move_cut(self, steps: int) -> None:
        """Move the section along its axis."""
        showing = self.showing
        if showing.axis >= 0:
            showing.at_m += steps * _STEP_M
            self._again(f"Cut at {'xyz'[showing.axis]} = {1e3 * showing.at_m:.0f} mm.")

    def _again(self, sentence: str) -> None:
        view = self._window.viewport
        view.stage.show_again()
        view.refresh()
        self._window.say(sentence)

    def _chosen(self) -> list[str]:
        return [p for p in self._window.document.chosen if p not in (PROJECT, START)]

    def _names(self, paths: list[str]) -> str:
        if len(paths) > 3:
            return f"{len(paths)} elements"
        return ", ".join(spoken(self._window.document.project, path) for path in paths)
