"""Spectra, ride and ratings of curves."""

from __future__ import annotations

import math

import numpy as np

import manikin as mk

time = np.arange(0.0, 20.0, 1e-3)
sine = np.sin(2.0 * np.pi * 5.0 * time)
curve = mk.Curve("seat", time, sine, "m/s2")
spectrum = curve.psd(0.5)
assert abs(spectrum.peak[0] - 5.0) < 0.5
assert abs(spectrum.rms() - math.sqrt(0.5)) < 0.01
ride = curve.ride("Wk")
assert 0.5 < ride.rms < 0.9
shock = curve.between(0.0, 2.0).srs([2.0, 5.0, 10.0])
print(shock.maximax, curve.amplitudes(20).crest)
total = mk.total_ride("seat", curve, curve, curve)
second = curve.between(0.0, 0.999)
assert second.rated(second).whole > 0.99
print(total.total)
