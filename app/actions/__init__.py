"""What can be done, as data: menus, shortcuts, palette and tests come from these lists."""

from app.actions.action import Action
from app.actions.edit import EDIT
from app.actions.file import FILE
from app.actions.frame import FRAME
from app.actions.help import HELP
from app.actions.insert import INSERT
from app.actions.place import PLACE
from app.actions.run import RUN
from app.actions.show import SHOW
from app.actions.sights import SIGHTS
from app.actions.view import DRESS, VIEW

ACTIONS: tuple[Action, ...] = (
    *FILE, *EDIT, *INSERT, *PLACE, *VIEW, *SHOW, *SIGHTS, *FRAME, *DRESS, *RUN, *HELP,
)  # fmt: skip

_BY_ID = {action.id: action for action in ACTIONS}


def tip_of(id_: str) -> str:
    """Say what an action does, and by which key; for buttons that do the same."""
    return _BY_ID[id_].full_tip


__all__ = ["ACTIONS", "Action", "tip_of"]
