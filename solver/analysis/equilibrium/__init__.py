"""Rest: the static equilibrium of occupants on seat, floor and belts, and how well a model starts."""

from solver.analysis.equilibrium.diagnosis import Health, health
from solver.analysis.equilibrium.freedoms import Reach
from solver.analysis.equilibrium.settling import Settlement, fit, settle
from solver.analysis.equilibrium.statics import Cancelled, SettleError

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
