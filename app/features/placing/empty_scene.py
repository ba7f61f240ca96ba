"""What stands in a scene with nothing in it: what could be there, and buttons that put it there."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.guard import guard
from app.having import having
from app.workbench import Commands
from solver.base.words import tr
from solver.project import Project

_LOW_PX = 240
"""In a lower scene there is no room for the second sentence."""


class EmptyScene(QWidget):
    """Offer a body, a plane and a segment in the middle of the scene, until there is something."""

    def __init__(self, view: QWidget, commands: Commands) -> None:
        super().__init__(view)
        self._view = view
        words = having(QLabel(tr("Nothing is here yet")), objectName="heading")
        self._more = more = having(
            QLabel(
                tr(
                    "Begin with a person, a seat or a floor. Insert has everything that can be added."
                )
            ),
            objectName="muted",
            wordWrap=True,
        )
        row = QHBoxLayout()
        row.setSpacing(8)
        self.buttons: dict[str, QPushButton] = {}
        for id_ in ("place.body", "place.library", "insert.planes", "insert.segments"):
            command = commands.find(id_)
            button = having(QPushButton(command.plain), toolTip=command.full_tip)
            button.clicked.connect(lambda _=False, id_=id_: self._begin(commands, id_))
            row.addWidget(button)
            self.buttons[id_] = button
        self.buttons["place.body"].setObjectName("primary")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.setSpacing(12)
        for label in (words, more):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            layout.addWidget(label)
        layout.addLayout(row)
        view.installEventFilter(self)
        self.hide()

    def show_project(self, project: Project) -> None:
        """Stand there as long as nothing of the project can be seen."""
        is_empty = not project.planes and not any(s.surfaces for s in project.segments)
        self.setVisible(is_empty)
        self._place()

    def _begin(self, commands: Commands, id_: str) -> None:
        # a button that is hidden would hand the keyboard to whatever comes next
        self._view.setFocus()
        commands.run(id_)

    def _place(self) -> None:
        self._more.setVisible(self._view.height() >= _LOW_PX)
        self.adjustSize()
        self.move(
            (self._view.width() - self.width()) // 2, (self._view.height() - self.height()) // 2
        )

    @guard
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep to the middle."""
        if event.type() == QEvent.Type.Resize and not self.isHidden():
            self._place()
        return super().eventFilter(watched, event)
