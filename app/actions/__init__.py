"""What can be done, as data: menus, shortcuts and tests come from these lists."""

from app.actions.action import Action
from app.actions.file import FILE
from app.actions.run import RUN
from app.actions.view import VIEW

ACTIONS: tuple[Action, ...] = (*FILE, *VIEW, *RUN)

__all__ = ["ACTIONS", "Action"]
