"""Wire the tools of the scene to one window: what is selected, what changes, what is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject

from app import texts
from app.editing.laying import laid_anew
from app.editing.naming import counted, named
from app.elements import spoken
from app.placing.beside import fit_beside
from app.placing.boxing import Boxing
from app.placing.carrying import Carrying
from app.placing.cube import Cube
from app.placing.hands import Hands
from app.placing.joint_panel import JointPanel
from app.placing.limbs import Limbs
from app.placing.looks import Looks
from app.placing.measures import measure
from app.placing.measuring import Measuring
from app.placing.notes import Notes
from app.placing.scale_bar import ScaleBar
from app.placing.strapping import Strapping
from app.scene.key_board import KeyBoard
from app.told import told
from solver.model.route import RouteError
from solver.project import Project

if TYPE_CHECKING:
    from app.placing.body_dialog import BodyDialog
    from app.placing.library_dialog import LibraryDialog
    from app.placing.settle_dialog import SettleDialog
    from app.window import MainWindow

_SYSTEMS = {"inch": "inch_pound"}


class PlacingDesk(QObject):
    """Hold the tools of a window's scene and keep them at what is shown."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        document, view = window.document, window.viewport
        self.hands = Hands(document, view, window.say)
        self.limbs = Limbs(document, view, window.say, self._on_posed)
        self.measuring = Measuring(view, window.say)
        self.strapping = Strapping(document, view, window.say, self._on_left)
        self.boxing, self.cube = Boxing(document, view), Cube(view)
        plain_boxing = Boxing(document, view, plain=True)
        self.notes, self.scale_bar = Notes(document, view), ScaleBar(view)
        self.looks = Looks(window)
        self.joint_panel = JointPanel(document, view)
        view.tools = [
            KeyBoard(view), self.notes, self.scale_bar, self.cube, self.measuring, self.strapping, self.boxing, self.limbs, self.hands,
            plain_boxing,
        ]  # fmt: skip
        for signal in (document.opened, document.changed, document.selected):
            signal.connect(self.look)
        window.study.switched.connect(self.look)
        view.installEventFilter(self)

    def look(self, *_: object) -> None:
        """Look again at what is selected; a run that is shown cannot be moved."""
        units = self._window.studio.settings.units
        system = _SYSTEMS.get(units, units)
        for part in (self.hands, self.measuring, self.strapping, self.scale_bar, self.joint_panel):
            part.system = system
        is_model = not self._window.study.is_on and not self._carries()
        for tool in (self.hands.holding, self.limbs, self.notes, self.joint_panel):
            tool.is_on = is_model
        self.limbs.cancel()
        self.strapping.leave()
        self.hands.look()
        self.joint_panel.look()

    def toggle_own_axes(self) -> None:
        """Lay the handles along the ground's axes, or along the element's own."""
        self.hands.holding.own_axes = not self.hands.holding.own_axes
        self._window.viewport.update()

    def toggle_posing(self) -> None:
        """Take limbs by a mere drag, or only with Alt."""
        self.limbs.mode = not self.limbs.mode
        self._window.viewport.update()
        if not self.limbs.mode:
            self._window.say(texts.scene.POSING_ENDED)

    def toggle_note(self, name: str) -> None:
        """Show or hide names, centres of mass, or contact pairs."""
        setattr(self.notes, name, not getattr(self.notes, name))
        self._window.viewport.update()

    def mirror(self) -> None:
        """Write the mirror image of what is selected on the other side."""
        from app.editing.mirroring import CannotMirror, mirrored

        document = self._window.document
        paths = self._window.editing.elements()
        try:
            done = mirrored(document.project, paths)
        except CannotMirror as reason:
            self._window.say(str(reason))
            return
        name = named(document.project, paths)
        document.replace(
            done.project, texts.scene.MIRRORED.format(name=name), select=done.paths[: len(paths)]
        )
        words = texts.scene.MIRRORED_WITH if done.made else texts.scene.MIRRORED_NOW
        self._window.say(words.format(name=name, what=counted(done.made)))

    def _on_posed(self, project: Project) -> None:
        """Let handles and sliders follow a limb that is held."""
        self.hands.holding.find(project, self._window.document.selection)
        self.joint_panel.look(project)

    def begin_strap(self) -> None:
        """Ask for the two anchors of a strap, or leave it."""
        self._window.study.switch(False)
        self.strapping.toggle()
        self.hands.holding.is_on = not self.strapping.is_on
        self.hands.look()

    def _on_left(self) -> None:
        """Show the handles again, and that no anchors are asked for any more."""
        self.look()
        self._window.menus.refresh()

    def lay_anew(self) -> None:
        """Lay the straps of the selected harness anew, as one step."""
        document = self._window.document
        name = spoken(document.project, document.selection)
        try:
            done = laid_anew(document.project, document.selection)
        except RouteError as reason:
            self._window.say(str(reason))
            return
        document.replace(done, texts.scene.LAID_ANEW_TEXT.format(name=name))
        lengths = measure(done, document.selection, self.hands.system)
        self._window.say(texts.scene.LAID_ANEW_NOW.format(name=name, lengths=lengths))

    def insert_body(self) -> BodyDialog:
        """Ask for a person and show it while one chooses."""
        from app.placing.body_dialog import BodyDialog

        self._window.study.switch(False)
        dialog = BodyDialog(self._window, self.hands.system)
        self.look()
        self._beside(dialog)
        return dialog

    def insert_part(self) -> LibraryDialog:
        """Offer the parts of the library and show each while one chooses."""
        from app.placing.library_dialog import LibraryDialog

        self._window.study.switch(False)
        dialog = LibraryDialog(self._window, self.hands.system)
        self._beside(dialog)
        return dialog

    def _carries(self) -> bool:
        """Tell whether a body is on its way into the scene: its handles are the only ones then."""
        return any(isinstance(tool, Carrying) for tool in self._window.viewport.tools)

    def settle(self) -> SettleDialog | None:
        """Show how well the model starts, and let it settle."""
        from app.placing.settle_dialog import SettleDialog

        window = self._window
        if any(problem.severity == "error" for problem in window.document.problems_now()):
            window.drawer.open("problems")
            window.say(texts.scene.HAS_ERRORS)
            return None
        window.study.switch(False)
        dialog = SettleDialog(window)
        self._beside(dialog)
        return dialog

    def _beside(self, dialog: BodyDialog | LibraryDialog | SettleDialog) -> None:
        """Open a dialog over the inspector, so that the scene stays free."""
        dialog.setStyleSheet(self._window.styleSheet())
        dialog.adjustSize()
        fit_beside(dialog)
        dialog.show()

    @told
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the sliders in their corner."""
        if event.type() == QEvent.Type.Resize:
            self.joint_panel.place()
        return super().eventFilter(watched, event)
