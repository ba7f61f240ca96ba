"""Signals: filters of the crash standards, sampling, rates and integrals, levels kept for a time."""

from solver.signals.errors import SignalError
from solver.signals.filters import CLASSES, cfc, coefficients, low_pass, resampled
from solver.signals.rating import Rating, rating
from solver.signals.series import differentiated, integrated, period, series
from solver.signals.windows import Kept, clip_in_one, clip_summed, longest_spell, time_above

__all__ = [
    "CLASSES",
    "Kept",
    "Rating",
    "SignalError",
    "cfc",
    "clip_in_one",
    "clip_summed",
    "coefficients",
    "differentiated",
    "integrated",
    "longest_spell",
    "low_pass",
    "period",
    "rating",
    "resampled",
    "series",
    "time_above",
]
