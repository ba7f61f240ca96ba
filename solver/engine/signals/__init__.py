"""Signals: filters, rates and integrals, levels kept for a time, spectra, peaks, ride, vibration."""

from solver.engine.signals.errors import SignalError
from solver.engine.signals.filters import CLASSES, cfc, coefficients, low_pass, resampled
from solver.engine.signals.oscillating import (
    Amplitudes,
    Oscillation,
    Peaks,
    amplitudes,
    oscillation,
    peaks,
)
from solver.engine.signals.rating import Rating, rating
from solver.engine.signals.riding import PLACES, Ride, TotalRide, ride, running_rms, total_ride
from solver.engine.signals.series import differentiated, integrated, period, series
from solver.engine.signals.shocks import ShockSpectrum, shock_spectrum
from solver.engine.signals.spectra import Spectrum, Transfer, Window, over, psd, transfer
from solver.engine.signals.weightings import WEIGHTINGS, weighted
from solver.engine.signals.windows import Kept, clip_in_one, clip_summed, longest_spell, time_above

__all__ = [
    "CLASSES",
    "PLACES",
    "WEIGHTINGS",
    "Amplitudes",
    "Kept",
    "Oscillation",
    "Peaks",
    "Rating",
    "Ride",
    "ShockSpectrum",
    "SignalError",
    "Spectrum",
    "TotalRide",
    "Transfer",
    "Window",
    "amplitudes",
    "cfc",
    "clip_in_one",
    "clip_summed",
    "coefficients",
    "differentiated",
    "integrated",
    "longest_spell",
    "low_pass",
    "oscillation",
    "over",
    "peaks",
    "period",
    "psd",
    "rating",
    "resampled",
    "ride",
    "running_rms",
    "series",
    "shock_spectrum",
    "time_above",
    "total_ride",
    "transfer",
    "weighted",
]
