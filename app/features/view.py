"""From where the scene is seen, and what of it is visible."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QTimer

from app.command import Command
from app.elements import element_label
from app.features.feature import Feature
from app.panel import Panel
from app.scene.lens import View
from app.scene.visibility import Visibility
from app.workbench import Workbench
from solver.base.words import msgid, tr
from solver.scene.instant import LOOKS, Looks

_VIEWS: tuple[tuple[View, str, str, str], ...] = (
    ("iso", "0", msgid("&Oblique"), msgid("from ahead, above and the right-hand side")),
    ("front", "1", msgid("&Front"), msgid("from straight ahead")),
    ("side", "2", msgid("&Side"), msgid("from the right-hand side")),
    ("top", "3", msgid("&Top"), msgid("from above")),
    ("back", "Ctrl+1", msgid("&Back"), msgid("from behind")),
    ("left", "Ctrl+2", msgid("&Left side"), msgid("from the left-hand side")),
    ("bottom", "Ctrl+3", msgid("Belo&w"), msgid("from below")),
)
_TURN_PX = 30.0
"""A key turns as far as a drag over so many pixels: 15 degrees."""
_TURNS = (
    ("left", 1.0, 0.0, msgid("To the &left"), msgid("Turn the scene by 15 degrees to the left.")),
    (
        "right",
        -1.0,
        0.0,
        msgid("To the &right"),
        msgid("Turn the scene by 15 degrees to the right."),
    ),
    (
        "up",
        0.0,
        1.0,
        msgid("&Upwards"),
        msgid("Turn the scene by 15 degrees, to see it more from above."),
    ),
    (
        "down",
        0.0,
        -1.0,
        msgid("&Downwards"),
        msgid("Turn the scene by 15 degrees, to see it more from below."),
    ),
)
_NEARER = 1.25
_REST_MS, _TOLD = 300, 3
"""After so long a rest screen readers are told what is seen, and so many of the selected elements."""


class SceneView(Feature):
    """Bring the scene, and what people do with the view of it."""

    name = "view"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self.visibility = VisibilityCommands(bench)
        self.is_parallel, self.shows_joints = False, True
        bench.panels.add(
            Panel(
                "scene",
                bench.views,
                "scene",
                go_to=(tr("&Scene"), tr("Go to the scene with the keyboard.")),
                topic="guide#the-scene",
                asked=lambda: bench.document.selection,
                stops=bench.viewport,
            )
        )
        bench.viewport.clicked.connect(bench.choose)
        self._rests = QTimer(bench.viewport, singleShot=True, interval=_REST_MS)
        self._rests.timeout.connect(self._tell_readers)
        view, document = bench.run_view, bench.document
        for signal in (document.selected, document.opened, view.shown, view.switched, view.player.changed):  # fmt: skip
            signal.connect(lambda *_: self._rests.start())
        self._add_camera()
        self._add_visibility()
        bench.viewport.surroundings = bench.settings.sight("around")

    def set_parallel(self, parallel: bool) -> None:
        """Choose between parallel projection and perspective."""
        self.is_parallel = parallel
        for view in self.bench.views.all:
            view.set_parallel(parallel)

    def show_joints(self, visible: bool) -> None:
        """Show or hide the joints' markers."""
        self.shows_joints = visible
        for view in self.bench.views.all:
            view.show_joints(visible)

    def _tell_readers(self) -> None:
        """Tell screen readers what the scene shows; while a run plays it is told when it stands."""
        from solver.editing.persons import people

        bench, view = self.bench, self.bench.run_view
        if view.player.is_playing:
            return
        project, chosen = bench.document.project, bench.document.elements
        told = [tr(project.title) or bench.document.name]
        if view.is_on and view.runs.current is not None:
            told.append(tr("{run} at {ms:.1f} ms", run=view.runs.current.name, ms=1e3 * view.player.time))  # fmt: skip
        told += [f"{one.name} ({one.mass_kg:.3g} kg)" for one in people(project)]
        if chosen:
            names = ", ".join(element_label(project, one) for one in chosen[:_TOLD])
            told.append(tr("selected: {what}", what=names))
        bench.viewport.setAccessibleDescription("; ".join(told))

    def _look(self, side: View) -> None:
        self.bench.views.in_hand.look(side)

    def _turn(self, right_px: float, down_px: float) -> None:
        self.bench.views.in_hand.turn_by(right_px, down_px)

    def _add_camera(self) -> None:
        bench, views = self.bench, self.bench.views
        bench.commands.add(
            *(
                Command(
                    f"view.{name}",
                    tr(title),
                    tr("Look at everything {where}.", where=tr(where)),
                    partial(self._look, name),
                    key,
                    bench.has_project,
                    choice="look",
                )
                for name, key, title, where in _VIEWS
            ),
            *(
                Command(
                    f"view.turn_{name}",
                    tr(title),
                    tr(tip),
                    partial(self._turn, _TURN_PX * right, _TURN_PX * down),
                    f"Shift+{name.capitalize()}",
                    bench.has_project,
                    choice="turn",
                    in_scene=True,
                )
                for name, right, down, title, tip in _TURNS
            ),
            Command(
                "view.fit",
                tr("Show &everything"),
                tr("Come so near that everything is just seen, without turning."),
                lambda: views.in_hand.fit(),
                "Home",
                bench.has_project,
            ),
            Command(
                "view.selected",
                tr("Show sele&cted"),
                tr("Come so near that the selected element fills the scene."),
                lambda: views.in_hand.fit(bench.document.selection),
                "F",
                bench.has_project,
            ),
            Command(
                "view.nearer",
                tr("Come nea&rer"),
                tr("Come a quarter nearer to the middle of the scene."),
                lambda: views.in_hand.come_nearer(_NEARER),
                "+",
                bench.has_project,
                also=("=",),
                in_scene=True,
            ),
            Command(
                "view.farther",
                tr("Go farther a&way"),
                tr("Go away from the middle of the scene."),
                lambda: views.in_hand.come_nearer(1.0 / _NEARER),
                "-",
                bench.has_project,
                in_scene=True,
            ),
            Command(
                "view.parallel",
                tr("&Parallel projection"),
                tr("Parallel lines stay parallel, as in a drawing, instead of meeting far away."),
                lambda: self.set_parallel(not self.is_parallel),
                "5",
                bench.has_project,
                is_on=lambda: self.is_parallel,
            ),
            Command(
                "view.people",
                tr("Look of peop&le"),
                tr(
                    "See people with their skin, then with it half seen through, then as the shapes that are solved."
                ),
                self.visibility.dress,
                "V",
                lambda: bench.has_project() and not bench.viewport.excuse,
                in_scene=True,
            ),
            Command(
                "view.joints",
                tr("&Joints"),
                tr(
                    "Show a marker at every joint; of people with a skin, at those that are selected."
                ),
                lambda: self.show_joints(not self.shows_joints),
                "Shift+J",
                bench.has_project,
                is_on=lambda: self.shows_joints,
                choice="shown",
            ),
        )

    def _add_visibility(self) -> None:
        bench, looks = self.bench, self.visibility

        def drawn() -> bool:
            return bench.has_project() and not bench.viewport.excuse

        def picked() -> bool:
            return drawn() and bool(bench.document.elements)

        bench.commands.add(
            Command(
                "view.bags",
                tr("&Airbags full"),
                tr("See airbags of the model as they are when full; a selected one always is."),
                looks.fill_bags,
                "Shift+A",
                drawn,
                is_on=lambda: drawn() and bench.viewport.looks().full_bags,
                choice="shown",
                in_scene=True,
            ),
            Command(
                "view.around",
                tr("S&urroundings"),
                tr(
                    "Draw what usually stands around: pillars and doors of a car, seats beside, rails; nothing touches it."
                ),
                looks.surround,
                "Shift+V",
                drawn,
                is_on=lambda: drawn() and bench.viewport.looks().surroundings,
                choice="shown",
                in_scene=True,
            ),
            Command(
                "view.hide",
                tr("&Hide selected"),
                tr("Hide what is selected in the scene; the model is not changed."),
                looks.hide,
                "H",
                picked,
                in_scene=True,
            ),
            Command(
                "view.isolate",
                tr("Show &only selected"),
                tr("Hide everything else."),
                looks.isolate,
                "Shift+H",
                picked,
                in_scene=True,
            ),
            Command(
                "view.unhide",
                tr("Sho&w all that is hidden"),
                tr("Show everything again."),
                looks.show_all,
                "Alt+H",
                drawn,
                in_scene=True,
            ),
            Command(
                "view.see_through",
                tr("See throu&gh"),
                tr(
                    "See through what is selected, or through all bodies; once more makes them solid."
                ),
                looks.see_through,
                "T",
                drawn,
                in_scene=True,
            ),
            Command(
                "view.cut",
                tr("C&ut open"),
                tr(
                    "Cut the scene across x, then y, then z, then not at all; [ and ] move the cut."
                ),
                looks.cut,
                "Shift+X",
                drawn,
                choice="section",
                in_scene=True,
            ),
            Command(
                "view.cut_back",
                tr("Move the cut bac&k"),
                tr("Move the cut a step back along its axis."),
                partial(looks.move_cut, -1),
                "[",
                drawn,
                choice="section",
                in_scene=True,
            ),
            Command(
                "view.cut_on",
                tr("Move the cut o&n"),
                tr("Move the cut a step on along its axis."),
                partial(looks.move_cut, 1),
                "]",
                drawn,
                choice="section",
                in_scene=True,
            ),
        )


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
        """What is hidden, faint and cut."""
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
            text = tr("Only what the model has is drawn.")
        elif not bench.viewport.stage.around:
            text = tr("No plane of this model says what stands around people.")
        elif visibility.people == "shapes":
            text = tr("What stands around people is drawn once shapes are not; V changes that.")
        else:
            text = tr("What stands around people is drawn; nothing touches it.")
        self._again(text)

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
        return ", ".join(element_label(self._bench.document.project, path) for path in paths)
