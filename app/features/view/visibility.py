"""What people do with the view: hide, isolate, see through, cut open."""

from __future__ import annotations

from app.elements import spoken
from app.scene.visibility import Visibility
from app.workbench import Workbench
from solver.base.words import msgid, tr
from solver.scene.instant import LOOKS, Looks

_STEP_M = 0.01
_LOOKS: dict[Looks, str] = {
    "skin": msgid("People have their skin; contacts are with the shapes below it."),
    "both": msgid("People's skin is half seen through, with the shapes that are solved below it."),
    "shapes": msgid("People are the shapes that are solved."),
}


class VisibilityCommands:
    """Change what the scene shows; the document is not touched."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench

    @property
    def visibility(self) -> Visibility:
        """Give what is hidden, faint and cut."""
        visibility: Visibility = self._bench.viewport.stage.visibility
        return visibility

    def hide(self) -> None:
        """Hide what is selected."""
        chosen = self._bench.document.elements
        if not chosen:
            self._bench.say(tr("Select what shall be hidden."))
            return
        self.visibility.hidden |= set(chosen)
        self._again(tr("Hidden: {names}. Alt+H shows everything again.", names=self._names(chosen)))

    def isolate(self) -> None:
        """Hide everything but what is selected."""
        chosen = self._bench.document.elements
        if not chosen:
            self._bench.say(tr("Select what shall stay alone."))
            return
        everything = set(self._bench.viewport.stage.middles()) | self.visibility.hidden
        self.visibility.hidden = everything - set(chosen)
        self._again(
            tr("Only {names} is shown. Alt+H shows everything again.", names=self._names(chosen))
        )

    def show_all(self) -> None:
        """Show everything that was hidden."""
        self.visibility.hidden.clear()
        self._again(tr("Everything is shown."))

    def see_through(self) -> None:
        """See through what is selected, or through all bodies; or no longer."""
        visibility, chosen = self.visibility, set(self._bench.document.elements)
        if not chosen:
            visibility.faint_bodies = not visibility.faint_bodies
            words = (
                tr("All bodies are see-through.")
                if visibility.faint_bodies
                else tr("Bodies are solid.")
            )
        elif chosen <= visibility.faint:
            visibility.faint -= chosen
            words = tr("Solid again.")
        else:
            visibility.faint |= chosen
            words = tr("{names} is see-through.", names=self._names(sorted(chosen)))
        self._again(words)

    def dress(self) -> None:
        """See people with their skin, then with it half seen through, then as the shapes that are solved."""
        visibility = self.visibility
        visibility.people = LOOKS[(LOOKS.index(visibility.people) + 1) % len(LOOKS)]
        self._again(tr(_LOOKS[visibility.people]))

    def fill_bags(self) -> None:
        """See the model's airbags full, or folded again."""
        visibility = self.visibility
        visibility.full_bags = not visibility.full_bags
        self._again(
            tr("Airbags of the model are shown full.")
            if visibility.full_bags
            else tr("Airbags of the model are shown folded, with their way out.")
        )

    def surround(self) -> None:
        """See what a picture adds around people, or only what the model has."""
        visibility, bench = self.visibility, self._bench
        visibility.surroundings = on = not visibility.surroundings
        bench.settings.keep_sight("around", on)
        bench.sights_changed.emit()
        bench.commands.refresh()
        if not on:
            said = tr("Only what the model has is drawn.")
        elif not bench.viewport.stage.around:
            said = tr("No plane of this model says what stands around people.")
        elif visibility.people == "shapes":
            said = tr("What stands around people is drawn once shapes are not; V changes that.")
        else:
            said = tr("What stands around people is drawn; nothing touches it.")
        self._again(said)

    def cut(self) -> None:
        """Cut the scene across x, then y, then z, then not at all."""
        visibility, view = self.visibility, self._bench.viewport
        visibility.axis = visibility.axis + 1 if visibility.axis < 2 else -1
        if visibility.axis >= 0:
            assert view.lens is not None
            visibility.towards = view.lens.camera.axes()[2]
            visibility.at_m = float(
                view.stage.middle(self._bench.document.selection)[visibility.axis]
            )
            axis = "xyz"[visibility.axis]
            self._again(
                tr(
                    "Cut at {axis} = {mm:.0f} mm; [ and ] move the cut.",
                    axis=axis,
                    mm=1e3 * visibility.at_m,
                )
            )
        else:
            self._again(tr("Nothing is cut."))

    def move_cut(self, steps: int) -> None:
        """Move the section along its axis."""
        visibility = self.visibility
        if visibility.axis >= 0:
            visibility.at_m += steps * _STEP_M
            axis = "xyz"[visibility.axis]
            self._again(tr("Cut at {axis} = {mm:.0f} mm.", axis=axis, mm=1e3 * visibility.at_m))

    def _again(self, sentence: str) -> None:
        for other in self._bench.views.all[1:]:
            other.stage.show_again()
            other.refresh()
        view = self._bench.viewport
        view.stage.show_again()
        view.refresh()
        self._bench.say(sentence)

    def _names(self, paths: list[str]) -> str:
        if len(paths) > 3:
            return tr("{count} elements", count=len(paths))
        return ", ".join(spoken(self._bench.document.project, path) for path in paths)
