"""Rest: the static equilibrium of occupants on seat, floor and belts, and how well a model starts."""

from solver.equilibrium.reach import Reach
from solver.equilibrium.refusal import SettleError
from solver.equilibrium.reseated import reseated
from solver.equilibrium.settling import Settlement, fit, settle
from solver.equilibrium.startup import Health, health
from solver.equilibrium.stopping import Cancelled

__all__ = [
    "Cancelled",
    "Health",
    "Reach",
    "SettleError",
    "Settlement",
    "fit",
    "health",
    "reseated",
    "settle",
]
