"""What can be done, as data: menus, shortcuts, palette and tests come from these lists."""

from app.actions.action import Action
from app.actions.edit import EDIT
from app.actions.file import FILE
from app.actions.help import HELP
from app.actions.insert import INSERT
from app.actions.place import PLACE
from app.actions.run import RUN
from app.actions.show import SHOW
from app.actions.sights import SIGHTS
from app.actions.view import VIEW

ACTIONS: tuple[Action, ...] = (
    *FILE, *EDIT, *INSERT, *PLACE, *VIEW, *SHOW, *SIGHTS, *RUN, *HELP,
)  # fmt: skip

__all__ = ["ACTIONS", "Action"]
