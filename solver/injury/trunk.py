"""Criteria of the neck, of the load that it puts on the head, along the head's axes.

With x forward, y right, z down this is the sign of SAE J211: tension, flexion and shear that pushes
the head forward are positive.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from solver.base.words import Sentence, joined, msgid
from solver.engine.signals import SignalError, differentiated, integrated, resampled
from solver.injury.measure import Array, G, Measure, peak, response_index

_NIJ = {
    ("tension", "flexion"): msgid("tension-flexion {value:.3g}"),
    ("tension", "extension"): msgid("tension-extension {value:.3g}"),
    ("compression", "flexion"): msgid("compression-flexion {value:.3g}"),
    ("compression", "extension"): msgid("compression-extension {value:.3g}"),
}
NKM = {"shear": 845.0, "flexion": 88.1, "extension": 47.5}
"""Intercepts (N, N m; Schmitt 2001)."""

LNL = {"moment": 15.0, "shear": 250.0, "tension": 900.0}
"""Intercepts of the lower neck load index (N m, N; Heitplatz 2003, of the dummy RID)."""

NIC_LENGTH = 0.2
"""Length of the neck in NIC (m; Bostroem 1996)."""


def occipital(force: Array, moment: Array, lever: float) -> Array:
    """Give the moment about y at the occipital condyles, the load being taken `lever` (m) above."""
    out: Array = moment[1] - lever * force[0]
    return out


def nij(
    time: Array, force: Array, moment: Array, lever: float, limits: Mapping[str, float]
) -> Measure:
    """Give the largest of the four: tension or compression with flexion or extension (FMVSS 208, S6.6)."""
    turning = occipital(force, moment, lever)
    best = Measure(-1.0, 0.0, 0.0)
    said = []
    for along, pull in (("tension", force[2]), ("compression", -force[2])):
        for about, bend in (("flexion", turning), ("extension", -turning)):
            # a mode counts only while both its loads act
            both = (pull >= 0.0) & (bend >= 0.0)
            value = np.where(both, pull / limits[along] + bend / limits[about], 0.0)
            one = peak(time, value)
            said.append(Sentence(_NIJ[along, about], value=one.value))
            if one.value > best.value:
                best = one
    return best._replace(note=joined(", ", said))


def nkm(time: Array, force: Array, moment: Array, lever: float) -> Measure:
    """Give the largest of shear forward or rearward with flexion or extension (Schmitt 2001)."""
    turning = occipital(force, moment, lever)
    bend = np.where(turning > 0.0, turning / NKM["flexion"], -turning / NKM["extension"])
    value = np.abs(force[0]) / NKM["shear"] + bend
    one = peak(time, value)
    k = int(np.argmax(value))
    way = Sentence("forward" if force[0, k] > 0.0 else "rearward")
    turn = Sentence("flexion" if turning[k] > 0.0 else "extension")
    return one._replace(note=joined(", ", (way, turn)))


def nic(time: Array, lower: Array, upper: Array) -> Measure:
    """Give the largest 0.2 a + v^2, a and v of T1 relative to the head along x (Bostroem 1996).

    The accelerations (T) are along the axes of chest and head; v is the integral of a from rest.
    """
    a = lower - upper
    v = integrated(time, a)
    return peak(time, NIC_LENGTH * a + v**2)


def lower_load(time: Array, force: Array, moment: Array) -> Measure:
    """Give the largest lower neck load index (Heitplatz 2003), loads (3, T) at the neck's lower end.

    hypot(Mx, My) / 15 N m + hypot(Fx, Fy) / 250 N + |Fz| / 900 N.
    """
    bending, shear = (np.hypot(load[0], load[1]) for load in (moment, force))
    value = bending / LNL["moment"] + shear / LNL["shear"] + np.abs(force[2]) / LNL["tension"]
    return peak(time, value)


# Criteria of chest and spine.

DRI = {"z": (52.9, 0.224), "x": (62.8, 0.2), "y": (58.0, 0.09)}
"""Natural frequency (rad/s) and damping ratio along each axis (Stech and Payne 1969; MIL-S-9479B)."""

BRINKLEY = {
    "x": ((62.8, 0.2), (60.8, 0.04)),
    "y": ((58.0, 0.09), (58.0, 0.09)),
    "z": ((52.9, 0.224), (47.1, 0.24)),
}
"""Natural frequency (rad/s) and damping ratio for pushes along and against each axis, z up (Brinkley 1990,
*from memory*)."""

BRINKLEY_LIMITS = {
    "low": {"x": (35.0, 28.0), "y": (14.0, 14.0), "z": (15.2, 13.4)},
    "moderate": {"x": (40.0, 35.0), "y": (17.0, 17.0), "z": (18.0, 16.5)},
    "high": {"x": (46.0, 46.0), "y": (22.0, 22.0), "z": (22.8, 20.4)},
}
"""Dynamic responses (1) along and against each axis for three levels of risk (*from memory*)."""

CTI_G, CTI_MM = 85.0, 102.0
"""Intercepts of the combined thoracic index."""

FIR_RATE, FIR_PASS, FIR_STOP, FIR_GAIN = 1600.0, 100.0, 189.0, 50.0
"""Rate (Hz), end of the pass band, begin of the stop band, attenuation there (dB): 49 CFR 572, SID."""


def viscous(time: Array, deflection: Array, scale: float, depth: float) -> Measure:
    """Give the largest s V C: rate of deflection (m/s) times deflection over depth (ECE R94, annex 4)."""
    return peak(time, scale * differentiated(time, deflection) * deflection / depth)


def combined(clip_g: Measure, deflection: Measure) -> Measure:
    """Give the combined thoracic index A/85 + D/102 of 3 ms acceleration (g) and deflection (m)."""
    value = clip_g.value / CTI_G + 1e3 * deflection.value / CTI_MM
    times = (clip_g.t1, clip_g.t2, deflection.t1)
    note = Sentence(
        "{clip:.4g} g, {deflection:.4g} mm", clip=clip_g.value, deflection=1e3 * deflection.value
    )
    return Measure(value, min(times), max(times), note)


def fir100() -> Array:
    """Give the symmetrical taps at 1600 Hz that keep the pass and stop bands of 49 CFR 572.

    The regulation names bands and ripple, not taps; these come from the window of Kaiser.
    """
    from scipy.signal import firwin, kaiserord

    # more than asked, so that the ripple at the edge of the pass band is inside 0.0225 dB
    count, beta = kaiserord(FIR_GAIN + 6.0, (FIR_STOP - FIR_PASS) / (FIR_RATE / 2.0))
    taps: Array = firwin(
        count | 1, (FIR_PASS + FIR_STOP) / 2.0, window=("kaiser", beta), fs=FIR_RATE
    )
    return taps


def rib_filtered(time: Array, value: Array) -> tuple[Array, Array]:
    """Give a signal at 1600 Hz through FIR100, without delay, from its own 1600 Hz grid on."""
    t, y = resampled(time, value, FIR_RATE)
    taps = fir100()
    half = len(taps) // 2
    if len(y) < 2:
        raise SignalError("A signal of less than 1.25 ms is too short for the filter FIR100.")
    padded = np.concatenate([np.full(half, y[0]), y, np.full(half, y[-1])])
    return t, np.convolve(padded, taps, "valid")


def thoracic_trauma(time: Array, rib: Array, spine: Array) -> Measure:
    """Give half the sum of the largest lateral accelerations of rib and lower spine (g)."""
    t, a = rib_filtered(time, rib / G)
    s = rib_filtered(time, spine / G)[1]
    i, j = int(np.argmax(np.abs(a))), int(np.argmax(np.abs(s)))
    value = 0.5 * (abs(a[i]) + abs(s[j]))
    note = Sentence("rib {rib:.4g} g, spine {spine:.4g} g", rib=abs(a[i]), spine=abs(s[j]))
    return Measure(float(value), float(min(t[i], t[j])), float(max(t[i], t[j])), note)


def dynamic_response(time: Array, acceleration: Array, axis: str) -> Measure:
    """Give the dynamic response index of an acceleration (m/s2), along z of what presses the spine."""
    omega, ratio = DRI[axis]
    index = response_index(time, acceleration, omega, ratio) / G
    return peak(time, index if axis == "z" else np.abs(index))


def multiaxial(time: Array, acceleration: Array, level: str) -> Measure:
    """Give the largest sqrt(sum((DR / limit)^2)) of a seat's acceleration (3, T), x forward, z down.

    Each way along each axis has a spring of its own, which counts while it is pressed that way (Brinkley 1990).
    """
    total = np.zeros(len(time))
    for row, sign, axis in zip(acceleration, (1.0, 1.0, -1.0), "xyz", strict=True):
        along, against = (
            response_index(time, sign * row, *spring) / G for spring in BRINKLEY[axis]
        )
        most, least = BRINKLEY_LIMITS[level][axis]
        total += np.maximum(np.maximum(along / most, -against / least), 0.0) ** 2
    return peak(time, np.sqrt(total))
