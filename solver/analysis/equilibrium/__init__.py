"""Rest: loops that are closed, the static equilibrium of occupants on seat, floor and belts, and how well a model starts."""

from solver.analysis.equilibrium.assembly import AssemblyError, Closure, closed, closures
from solver.analysis.equilibrium.diagnosis import Health, health
from solver.analysis.equilibrium.freedoms import Reach
from solver.analysis.equilibrium.settling import Settlement, fit, settle
from solver.analysis.equilibrium.statics import Cancelled, SettleError

__all__ = [
    "AssemblyError",
    "Cancelled",
    "Closure",
    "Health",
    "Reach",
    "SettleError",
    "Settlement",
    "closed",
    "closures",
    "fit",
    "health",
    "settle",
]
