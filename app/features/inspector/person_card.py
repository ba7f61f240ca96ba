"""What can be done with a person that is selected as a whole."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from app.editing.persons import Person
from app.having import having
from solver.base.words import msgid, tr

_DEEDS = (
    ("place.replace", msgid("Replace by another body…"), msgid("Another size or kind; belts are laid anew, and it comes to rest")),
    ("run.sizes", msgid("Three sizes compared"), msgid("Run the same crash with the small woman, the mid-size man and the large man")),
    ("place.next_seat", msgid("Copy to the next seat"), msgid("Another one beside, with seat and belt")),
    ("place.settle", msgid("Settle…"), msgid("Let it come to rest on seat, floor and belts")),
    ("edit.rename", msgid("Rename"), msgid("Call it otherwise")),
    ("edit.delete", msgid("Delete"), msgid("Take it away with the belts over it")),
)  # fmt: skip


class PersonCard(QWidget):
    """Say who it is, and offer what can be done with it."""

    asked = Signal(str)
    """The id of a command."""

    def __init__(self) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 8)
        column.setSpacing(6)
        self.figures = having(QLabel(), wordWrap=True)
        column.addWidget(self.figures)
        self.buttons: dict[str, QPushButton] = {}
        for id_, words, tip in _DEEDS:
            button = having(QPushButton(tr(words)), toolTip=tr(tip))
            button.clicked.connect(lambda _=False, asked=id_: self.asked.emit(asked))
            self.buttons[id_] = button
            column.addWidget(button)
        self.hint = having(
            QLabel(
                tr(
                    "G moves it, R turns it; a click on a segment selects that alone, P the person again."
                )
            ),
            objectName="muted",
            wordWrap=True,
        )
        column.addWidget(self.hint)
        self.hide()

    def show_person(self, one: Person | None) -> None:
        """Show a person, or nothing where none is selected as a whole."""
        self.setVisible(one is not None)
        if one is None:
            return
        self.figures.setText(
            tr("{kg:.1f} kg in {number} segments", kg=one.mass_kg, number=len(one.segments))
        )
        for id_ in ("place.replace", "run.sizes", "place.next_seat"):
            self.buttons[id_].setVisible(one.is_ours)
