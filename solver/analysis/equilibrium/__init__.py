"""Rest: the static equilibrium of occupants on seat, floor and belts, and how well a model starts."""

from solver.analysis.equilibrium.reach import Reach
from solver.analysis.equilibrium.refusal import SettleError
from solver.analysis.equilibrium.settling import Settlement, fit, settle
from solver.analysis.equilibrium.startup import Health, health
from solver.analysis.equilibrium.stopping import Cancelled

__all__ = [
    "Cancelled",
    "Health",
    "Reach",
    "SettleError",
    "Settlement",
    "fit",
    "health",
    "settle",
]
