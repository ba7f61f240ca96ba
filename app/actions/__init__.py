"""What can be done, as data: menus, shortcuts and tests come from these lists."""

from app.actions.action import Action
from app.actions.file import FILE
from app.actions.view import VIEW

ACTIONS: tuple[Action, ...] = (*FILE, *VIEW)

__all__ = ["ACTIONS", "Action"]
