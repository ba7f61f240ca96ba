"""Wire the tools of the scene to one window: what is selected, what changes, what is shown."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject

from app.command import Command
from app.editing.naming import counted, named
from app.elements import element_label, find
from app.features.feature import Feature
from app.features.placing.carrying import Carrying
from app.features.placing.limbs import Limbs
from app.features.placing.move_tool import MoveTool
from app.features.placing.over_scene import EmptyScene, JointPanel
from app.features.placing.scene_tools import Boxing, Measuring, Notes, measure
from app.features.placing.strapping import Strapping
from app.guard import guard
from app.scene.corners import Cube, KeyBoard, ScaleBar
from app.widgets.asking import ask_for_number
from app.widgets.sheet import fit_beside
from app.workbench import Workbench
from solver.base.words import msgid, tr
from solver.editing.strapping import laid_again
from solver.model.route import RouteError
from solver.project import Project, ProjectError
from solver.project.checks.registry import OPEN_AT_START
from solver.project.inertia import largest_surface, volume, with_filled
from solver.project.segments import Segment

if TYPE_CHECKING:
    from app.features.placing.body_dialog import BodyDialog
    from app.features.placing.library_dialog import LibraryDialog
    from app.features.placing.mechanism_dialog import MechanismDialog
    from app.features.placing.settle_dialog import SettleDialog
_SYSTEMS = {"inch": "inch_pound"}
_NOTES = (
    (
        "names",
        "Shift+N",
        msgid("&Names"),
        msgid("Write the names of segments, planes and airbags over the scene."),
    ),
    (
        "centres",
        "Shift+M",
        msgid("Centres of &mass"),
        msgid("Mark the mass centre of every segment."),
    ),
    (
        "pairs",
        "Shift+K",
        msgid("Contact pa&irs"),
        msgid("Join what is selected with everything that it may touch."),
    ),
)


class Placing(Feature):
    """The tools of a window's scene and keep them at what is shown."""

    name = "placing"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        document, view = bench.document, bench.viewport
        self.move = MoveTool(document, view, bench.say)
        self.limbs = Limbs(document, view, bench.say, self._on_posed)
        self.measuring = Measuring(view, bench.say)
        self.strapping = Strapping(document, view, bench.say, self._on_left)
        self.boxing, self.cube = Boxing(document, view), Cube(view)
        plain_boxing = Boxing(document, view, plain=True)
        self.notes, self.scale_bar = Notes(document, view), ScaleBar(view)
        self.joint_panel = JointPanel(document, view)
        view.tools = [
            KeyBoard(view), self.notes, self.scale_bar, self.cube, self.measuring, self.strapping, self.boxing, self.limbs, self.move,
            plain_boxing,
        ]  # fmt: skip
        for signal in (document.opened, document.changed, document.selected):
            signal.connect(self.look)
        bench.run_view.switched.connect(self.look)
        bench.units_changed.connect(self.look)
        bench.theme_changed.connect(self.joint_panel.set_theme)
        self._add_tools()
        self._add_dialogs()
        self.empty = EmptyScene(view, bench.commands)
        bench.previewed.connect(self.empty.hide)
        document.opened.connect(self._show_empty)
        document.changed.connect(lambda _: self._show_empty())
        view.installEventFilter(self)

    def look(self, *_: object) -> None:
        """Look again at what is selected; a run that is shown cannot be moved."""
        units = self.bench.settings.units
        system = _SYSTEMS.get(units, units)
        for part in (self.move, self.measuring, self.strapping, self.scale_bar, self.joint_panel):
            part.system = system
        is_model = not self.bench.run_view.is_on and not self._carries()
        for tool in (self.move.holding, self.limbs, self.joint_panel):
            tool.is_on = is_model
        self.limbs.cancel()
        self.strapping.leave()
        self.move.look()
        self.joint_panel.look()

    def toggle_own_axes(self) -> None:
        """Lay the handles along the ground's axes, or along the element's own."""
        self.move.holding.own_axes = not self.move.holding.own_axes
        self.bench.viewport.update()

    def toggle_posing(self) -> None:
        """Take limbs by a mere drag, or only with Alt."""
        self.limbs.mode = not self.limbs.mode
        self.bench.viewport.update()
        if not self.limbs.mode:
            self.bench.say(tr("Posing ended."))

    def _is_noted(self, name: str) -> bool:
        return bool(getattr(self.notes, name))

    def toggle_note(self, name: str) -> None:
        """Show or hide names, centres of mass, or contact pairs."""
        setattr(self.notes, name, not getattr(self.notes, name))
        self.bench.viewport.update()

    def mirror(self) -> None:
        """Write the mirror image of what is selected on the other side."""
        from solver.editing.mirroring import CannotMirror, mirrored

        document = self.bench.document
        paths = self.bench.document.elements
        try:
            done = mirrored(document.project, paths)
        except CannotMirror as reason:
            self.bench.say(str(reason))
            return
        name = named(document.project, paths)
        document.replace(
            done.project, tr("Mirror {name}", name=name), select=done.paths[: len(paths)]
        )
        words = (
            msgid("Mirrored {name} onto the other side; new: {what}.")
            if done.made
            else msgid("Mirrored {name} onto the other side.")
        )
        self.bench.say(tr(words, name=name, what=counted(done.made)))

    def _on_posed(self, project: Project) -> None:
        """Let handles and sliders follow a limb that is held."""
        self.move.holding.find(project, self.bench.document.selection)
        self.joint_panel.look(project)

    def begin_strap(self) -> None:
        """Ask for the two anchors of a strap, or leave it."""
        self.bench.run_view.switch(False)
        self.strapping.toggle()
        self.move.holding.is_on = not self.strapping.is_on
        self.move.look()

    def _on_left(self) -> None:
        """Show the handles again, and that no anchors are asked for any more."""
        self.look()
        self.bench.commands.refresh()

    def lay_again(self) -> None:
        """Lay the straps of the selected harness again, as one step."""
        document = self.bench.document
        name = element_label(document.project, document.selection)
        try:
            done = laid_again(document.project, document.selection)
        except RouteError as reason:
            self.bench.say(str(reason))
            return
        document.replace(done, tr("Lay {name} again", name=name))
        lengths = measure(done, document.selection, self.move.system)
        self.bench.say(tr("{name} is laid again: {lengths}.", name=name, lengths=lengths))

    def insert_body(self) -> BodyDialog:
        """Ask for a person and show it while one chooses."""
        from app.features.placing.body_dialog import BodyDialog

        self.bench.run_view.switch(False)
        dialog = BodyDialog(self.bench, self.move.system)
        self.empty.hide()
        self.look()
        dialog.finished.connect(self._on_inserted)
        self._beside(dialog)
        return dialog

    def insert_part(self) -> LibraryDialog:
        """Offer the parts of the library and show each while one chooses."""
        from app.features.placing.library_dialog import LibraryDialog

        self.bench.run_view.switch(False)
        dialog = LibraryDialog(self.bench, self.move.system)
        dialog.previewed.connect(self.empty.hide)
        dialog.previewed.connect(self.look)
        dialog.finished.connect(self._on_inserted)
        self._beside(dialog)
        return dialog

    def _show_empty(self) -> None:
        self.empty.show_project(self.bench.document.project)

    def _on_inserted(self, _: int) -> None:
        """Show the scene as it is without the dialog, with its handles."""
        self._show_empty()
        self.look()
        self.bench.viewport.setFocus()

    def _carries(self) -> bool:
        """Whether a body is on its way into the scene: its handles are the only ones then."""
        return any(isinstance(tool, Carrying) for tool in self.bench.viewport.tools)

    def settle(self) -> SettleDialog | None:
        """Show how well the model starts, and let it settle."""
        from app.features.placing.settle_dialog import SettleDialog

        bench = self.bench
        errors = [one for one in bench.document.problems_now() if one.severity == "error"]
        if errors and all(one.code in OPEN_AT_START for one in errors):
            bench.say(
                tr("The loops start open: choose how they are closed, then settle the model.")
            )
            self.look_at_mechanism()
            return None
        if errors:
            bench.panels.open("problems")
            bench.say(tr("The model has errors; mend them first, then settle it."))
            return None
        bench.run_view.switch(False)
        dialog = SettleDialog(bench)
        self._beside(dialog)
        return dialog

    def look_at_mechanism(self) -> MechanismDialog:
        """Say what the model is as a mechanism, and close its loops where they start open."""
        from app.features.placing.mechanism_dialog import MechanismDialog

        self.bench.run_view.switch(False)
        dialog = MechanismDialog(self.bench)
        self._beside(dialog)
        return dialog

    def _beside(self, dialog: BodyDialog | LibraryDialog | MechanismDialog | SettleDialog) -> None:
        """Open a dialog over the inspector, so that the scene stays free."""
        dialog.setStyleSheet(self.bench.window.styleSheet())
        dialog.adjustSize()
        fit_beside(dialog)
        dialog.show()

    @guard
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the sliders in their corner."""
        if event.type() == QEvent.Type.Resize:
            self.joint_panel.place()
        return super().eventFilter(watched, event)

    def _add_tools(self) -> None:
        bench = self.bench

        def drawn() -> bool:
            return bench.has_project() and not bench.viewport.excuse

        def has_grips() -> bool:
            return bench.has_project() and bool(self.move.grips)

        bench.commands.add(
            Command(
                "place.move",
                tr("&Move"),
                tr(
                    "Move what is selected with the mouse; X, Y, Z keep to an axis, a number sets the way."
                ),
                partial(self.move.begin, "move"),
                "G",
                has_grips,
                in_scene=True,
            ),
            Command(
                "place.turn",
                tr("&Turn"),
                tr(
                    "Turn what is selected with the mouse; X, Y, Z choose the axis, a number sets the angle."
                ),
                partial(self.move.begin, "turn"),
                "R",
                has_grips,
                in_scene=True,
            ),
            Command(
                "place.next",
                tr("&Next point"),
                tr("Put the handles on the next point of the element: anchors, corners, surfaces."),
                self.move.next_grip,
                "N",
                has_grips,
                in_scene=True,
            ),
            Command(
                "place.own_axes",
                tr("Handles along &own axes"),
                tr("Lay the handles along the axes of the element instead of those of the ground."),
                self.toggle_own_axes,
                "Shift+G",
                bench.has_project,
                is_on=lambda: self.move.holding.own_axes,
                in_scene=True,
            ),
            Command(
                "place.strap",
                tr("Strap by two &clicks"),
                tr("Click two anchors; the strap is laid taut over the body between them."),
                self.begin_strap,
                "Shift+L",
                bench.has_project,
                is_on=lambda: self.strapping.is_on,
                in_scene=True,
            ),
            Command(
                "place.pose",
                tr("&Pose limbs by dragging"),
                tr(
                    "Take a limb in the scene and let it follow the mouse; Alt+drag does it at any time."
                ),
                self.toggle_posing,
                "Shift+P",
                bench.has_project,
                is_on=lambda: self.limbs.mode,
            ),
            *(
                Command(
                    f"view.{name}",
                    tr(title),
                    tr(tip),
                    partial(self.toggle_note, name),
                    key,
                    drawn,
                    is_on=partial(self._is_noted, name),
                    choice="shown",
                    in_scene=True,
                )
                for name, key, title, tip in _NOTES
            ),
            Command(
                "view.measure",
                tr("Meas&ure a distance"),
                tr(
                    "Click two points of what is seen; their distance is shown, along x, y and z too."
                ),
                self.measuring.toggle,
                "M",
                drawn,
                is_on=lambda: self.measuring.is_on,
                in_scene=True,
            ),
        )

    def _add_dialogs(self) -> None:
        bench = self.bench
        bench.commands.add(
            Command(
                "place.lay",
                tr("&Lay straps again"),
                tr(
                    "Lay the selected harness taut over the bodies that it touches, from anchor to anchor."
                ),
                self.lay_again,
                enabled=lambda: (
                    bench.has_project() and bench.document.selection.startswith("harnesses/")
                ),
            ),
            Command(
                "place.body",
                tr("Insert a &body…"),
                tr("A man, a woman or a child of any size, seated, driving, standing or lying."),
                self.insert_body,
                "Ctrl+B",
                bench.has_project,
                icon="body",
            ),
            Command(
                "place.library",
                tr("Part of the l&ibrary…"),
                tr(
                    "Ready seats, interiors, belts, airbags, pulses and laws, each with its source."
                ),
                self.insert_part,
                "Ctrl+I",
                bench.has_project,
                icon="library",
            ),
            Command(
                "place.settle",
                tr("&Settle…"),
                tr(
                    "Look at how the model starts, and let bodies come to rest on seat, floor and belts."
                ),
                self.settle,
                "Ctrl+E",
                bench.has_project,
            ),
            Command(
                "place.mechanism",
                tr("L&oops and freedoms…"),
                tr("See what the model is as a mechanism, and close loops that start open."),
                self.look_at_mechanism,
                enabled=bench.has_project,
            ),
            Command(
                "place.mirror",
                tr("M&irror left and right"),
                tr("Write the mirror image of what is selected onto its twin, or make one."),
                self.mirror,
                "Ctrl+Shift+D",
                bench.has_elements,
            ),
        )


_LEAST, _MOST, _TISSUE, _ROUND = 0.1, 1e5, 1000.0, 0.05
"""Densities (kg/m3) that may be typed, the one offered where there is no mass, and how it is rounded."""


class Filling(Feature):
    """Fill the selected segment's shape evenly."""

    name = "filling"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        bench.commands.add(
            Command(
                "place.fill",
                tr("Mass and inertia of the sha&pe…"),
                tr("Give the selected segment the mass and moments of its largest surface, evenly filled."),
                self.ask_for_density,
                enabled=lambda: self._chosen() is not None,
            )
        )  # fmt: skip

    def _chosen(self) -> Segment | None:
        document = self.bench.document
        item = find(document.project, document.selection)
        return item if isinstance(item, Segment) and item.surfaces else None

    def ask_for_density(self) -> None:
        """Ask for a density; the one offered leaves the mass as it is."""
        segment = self._chosen()
        surface = None if segment is None else largest_surface(segment)
        if segment is None or surface is None:
            return
        offered = segment.mass_kg / volume(surface) or _TISSUE
        words = tr("Density in kg/m³; the one offered keeps the mass:")
        if segment.mass_kg == 0.0:
            words = tr("Density in kg/m³:")

        def take(density: float) -> None:
            # what was offered is rounded in the box: then the mass stays to the last digit
            keeps = segment.mass_kg > 0.0 and abs(density - offered) <= _ROUND
            self.fill(segment.id, None if keeps else density)

        title = tr("Mass and inertia of the shape")
        ask_for_number(self.bench.window, title, words, offered, (_LEAST, _MOST), 1, take)

    def fill(self, id_: str, density: float | None) -> None:
        """Fill a segment, and say what it has now."""
        document, path = self.bench.document, f"segments/{id_}"
        try:
            project = with_filled(document.project, id_, density)
        except ProjectError as failure:
            # it was taken away while the question stood there
            self.bench.say(failure.problems[0].sentence)
            return
        name = element_label(document.project, path)
        document.replace(project, tr("Mass and inertia of {name}", name=name))
        made = find(project, path)
        surface = largest_surface(made) if isinstance(made, Segment) else None
        if not isinstance(made, Segment) or surface is None:
            return
        away = 1e3 * sum(number**2 for number in surface.centre_m) ** 0.5
        text = tr(
            "{name}: {mass:.3g} kg, moments of '{surface}' filled evenly.",
            name=name, mass=made.mass_kg, surface=surface.name or surface.id,
        )  # fmt: skip
        if away > 1.0:
            text += " " + tr("Its middle is {away:.0f} mm from the mass centre, which stays.", away=away)  # fmt: skip
        self.bench.say(text)
