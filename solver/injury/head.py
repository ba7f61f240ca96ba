"""Criteria of head, neck, chest and legs.

HIC is the largest (t2 - t1) m^2.5 over all windows, m the mean acceleration in g (FMVSS 208, S6.2;
CVS-IV section 1). With V the integral of the acceleration it is (V2 - V1)^2.5 / (t2 - t1)^1.5, and the
window that gives the largest value is one of three kinds:

- it is as long as it may be: then V(t + w) - V(t) is largest, which is looked for between all samples;
- it begins or ends with the signal: one end is free, and there a = 0.6 m;
- both ends are free: there a(t1) = a(t2) = 0.6 m, with a rising at t1 and falling at t2.

Inside a pair of straight pieces the last two are quadratic equations in the acceleration at the ends.
Pairs of pieces are halved from the whole signal down, and left alone as soon as no window in them can
be better than one already found; so every window is accounted for, and few pairs are looked at.

With x forward, y right, z down this is the sign of SAE J211: tension, flexion and shear that pushes
the head forward are positive.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from solver.base.words import Sentence, joined, msgid
from solver.engine.signals import SignalError, differentiated, integrated, resampled, series
from solver.injury.scores import Array, G, Measure, coupled, peak, response_index

# Head injury criterion and severity index, exact for samples joined by straight lines.

SLACK = 1.0 + 1e-12
"""A pair that promises less than this over the best is left alone: it is rounding."""


@dataclass
class _Signal:
    """Hold samples (t, a), their integral v, and slopes s of the pieces; `window` is the longest."""

    t: Array
    a: Array
    v: Array
    s: Array
    window: float
    best: Measure

    def offer(self, t1: Array, t2: Array) -> None:
        """Keep the best of some windows."""
        good = (t2 - t1 > 0.0) & (t2 - t1 <= self.window * SLACK)
        t1, t2 = t1[good], t2[good]
        if len(t1):
            gain = np.maximum(self.at(t2) - self.at(t1), 0.0)
            value = gain**2.5 / (t2 - t1) ** 1.5
            k = int(np.argmax(value))
            if value[k] > self.best.value:
                self.best = Measure(float(value[k]), float(t1[k]), float(t2[k]))

    def at(self, time: Array) -> Array:
        """The integral at any time."""
        k = np.clip(np.searchsorted(self.t, time, "right") - 1, 0, len(self.s) - 1)
        u = time - self.t[k]
        out: Array = self.v[k] + u * (self.a[k] + 0.5 * u * self.s[k])
        return out


def hic(time: ArrayLike, acceleration_g: ArrayLike, window: float | None = None) -> Measure:
    """The head injury criterion of a resultant acceleration (g), windows up to `window` (s)."""
    t, a = _with_zeros(*series(time, acceleration_g))
    start = float(t[0])
    t = t - start
    v = np.concatenate([[0.0], np.cumsum(0.5 * (a[1:] + a[:-1]) * np.diff(t))])
    longest = float(t[-1]) if window is None else min(float(window), float(t[-1]))
    signal = _Signal(t, a, v, np.diff(a) / np.diff(t), longest, Measure(0.0, 0.0, 0.0))
    _longest_windows(signal)
    _from_an_end(signal)
    _both_ends_free(signal)
    best = signal.best
    return Measure(best.value, best.t1 + start, best.t2 + start)


def gsi(time: ArrayLike, acceleration_g: ArrayLike) -> float:
    """The severity index of Gadd: the integral of a^2.5 (HSI of the head, CSI of the chest)."""
    t, a = _with_zeros(*series(time, acceleration_g))
    b = np.abs(a)
    h, low, rise = np.diff(t), b[:-1], np.diff(b)
    # where a piece is nearly level the closed form would lose its digits
    level = np.abs(rise) <= 1e-3 * np.maximum(b[1:], low)
    steep = np.where(level, 1.0, rise)
    closed = (b[1:] ** 3.5 - low**3.5) / (3.5 * steep)
    simpson = (low**2.5 + 4.0 * (low + 0.5 * rise) ** 2.5 + b[1:] ** 2.5) / 6.0
    return float(np.sum(h * np.where(level, simpson, closed)))


def _with_zeros(t: Array, a: Array) -> tuple[Array, Array]:
    """Put a sample wherever the signal changes its sign: between samples it then keeps it."""
    k = np.flatnonzero(a[1:] * a[:-1] < 0.0)
    if len(k) == 0:
        return t, a
    zero = t[k] - a[k] * (t[k + 1] - t[k]) / (a[k + 1] - a[k])
    inside = (zero > t[k]) & (zero < t[k + 1])
    k, zero = k[inside], zero[inside]
    return np.insert(t, k + 1, zero), np.insert(a, k + 1, 0.0)


def _longest_windows(signal: _Signal) -> None:
    """Look at all windows of the greatest length: the gain is quadratic between samples of its ends."""
    t, w = signal.t, signal.window
    begins = np.unique(np.concatenate([t, t - w]))
    begins = begins[(begins >= 0.0) & (begins <= t[-1] - w)]
    begins = np.unique(np.concatenate([begins, [0.0, max(t[-1] - w, 0.0)]]))
    middle = 0.5 * (begins[1:] + begins[:-1])
    slopes = len(signal.s) - 1

    def piece(time: Array) -> Array:
        out: Array = np.clip(np.searchsorted(t, time, "right") - 1, 0, slopes)
        return out

    i, j = piece(middle), piece(middle + w)
    turn = signal.s[j] - signal.s[i]
    x = begins[:-1]
    gap = (signal.a[j] + signal.s[j] * (x + w - t[j])) - (signal.a[i] + signal.s[i] * (x - t[i]))
    falls = turn < 0.0
    inside = x[falls] - gap[falls] / turn[falls]
    kept = (inside > x[falls]) & (inside < begins[1:][falls])
    starts = np.concatenate([begins, inside[kept]])
    signal.offer(starts, starts + w)


def _from_an_end(signal: _Signal) -> None:
    """Look at windows that begin or end with the signal: a (t2 - t1) = 0.6 (V2 - V1) at the other."""
    for mirrored in (False, True):
        t, a, s, v = signal.t, signal.a, signal.s, signal.v
        if mirrored:
            t, a, s = t[-1] - t[::-1], a[::-1], -s[::-1]
            v = v[-1] - v[::-1]
        # in a piece, with u from its begin: 0.7 s u^2 + (0.4 a + s t) u + a t - 0.6 v = 0
        u = _roots(0.7 * s, 0.4 * a[:-1] + s * t[:-1], a[:-1] * t[:-1] - 0.6 * v[:-1])
        inside = (u >= 0.0) & (u <= np.diff(t))
        end = np.concatenate([(t[:-1] + u)[inside], t[1:]])
        if mirrored:
            signal.offer(signal.t[-1] - end, np.full(len(end), signal.t[-1]))
        else:
            signal.offer(np.zeros(len(end)), end)


def _roots(a: Array, b: Array, c: Array) -> Array:
    """Both roots (2, ...) of a x^2 + b x + c = 0; no number where there is none."""
    with np.errstate(all="ignore"):
        q = -0.5 * (b + np.copysign(np.sqrt(b * b - 4.0 * a * c), b))
        out: Array = np.stack([q / a, c / q])
    return out


def _both_ends_free(signal: _Signal) -> None:
    """Halve pairs of stretches, first the whole signal, until single pieces are left."""
    levels = _levels(signal)
    i, j = np.zeros(1, int), np.zeros(1, int)
    for depth in range(len(levels) - 1, -1, -1):
        step, last = levels[depth][3], len(signal.t) - 1
        begin, end = np.minimum(i * step, last), np.minimum((j + 1) * step, last)
        signal.offer(signal.t[begin], signal.t[end])
        keep = _promise(signal, levels[depth], i, j) > signal.best.value * SLACK
        i, j = i[keep], j[keep]
        if depth and len(i):
            i, j = (
                np.concatenate([2 * i, 2 * i, 2 * i + 1, 2 * i + 1]),
                np.concatenate([2 * j, 2 * j + 1, 2 * j, 2 * j + 1]),
            )
            count = len(levels[depth - 1][0])
            real = (i <= j) & (i < count) & (j < count)
            i, j = i[real], j[real]
    _offer_pieces(signal, i, j)


def _levels(signal: _Signal) -> list[tuple[Array, Array, Array, int]]:
    """Give, for stretches of 1, 2, 4 ... pieces: least and greatest integral, greatest acceleration."""
    low, high = np.minimum(signal.v[1:], signal.v[:-1]), np.maximum(signal.v[1:], signal.v[:-1])
    peak, step = np.maximum(signal.a[1:], signal.a[:-1]), 1
    out = [(low, high, peak, step)]
    while len(low) > 1:
        at = np.arange(0, len(low), 2)
        low, high = np.minimum.reduceat(low, at), np.maximum.reduceat(high, at)
        peak, step = np.maximum.reduceat(peak, at), 2 * step
        out.append((low, high, peak, step))
    return out


def _promise(signal: _Signal, level: tuple[Array, Array, Array, int], i: Array, j: Array) -> Array:
    """What no window from stretch i to stretch j exceeds."""
    low, high, peak, step = level
    last = len(signal.t) - 1
    gain = np.maximum(high[j] - low[i], 0.0)
    apart = np.maximum(
        signal.t[np.minimum(j * step, last)] - signal.t[np.minimum((i + 1) * step, last)], 0.0
    )
    largest = np.where(j <= i + 1, np.maximum(peak[i], peak[j]), float(peak.max()))
    # a window of gain V is not shorter than V / a_max
    by_peak = gain * np.maximum(largest, 0.0) ** 1.5
    far = apart > 0.0
    by_length = np.where(far, gain**2.5 / np.where(far, apart, 1.0) ** 1.5, np.inf)
    out: Array = np.where(apart > signal.window, 0.0, np.minimum(by_peak, by_length))
    return out


def _offer_pieces(signal: _Signal, i: Array, j: Array) -> None:
    """Solve for both ends inside pairs of pieces.

    With p the acceleration at both ends, t = t0 + (p - a0) / s and V = V0 + (p^2 - a0^2) / (2 s):
    p (t2 - t1) = 0.6 (V2 - V1) is 0.7 c p^2 + d p - 0.6 e = 0.
    """
    t, a, v, s = signal.t, signal.a, signal.v, signal.s
    good = (s[i] > 0.0) & (s[j] < 0.0)
    i, j = i[good], j[good]
    c = 1.0 / s[j] - 1.0 / s[i]
    d = t[j] - t[i] - (a[j] / s[j] - a[i] / s[i])
    e = v[j] - v[i] - 0.5 * (a[j] ** 2 / s[j] - a[i] ** 2 / s[i])
    for p in _roots(0.7 * c, d, -0.6 * e):
        t1, t2 = t[i] + (p - a[i]) / s[i], t[j] + (p - a[j]) / s[j]
        edge = 1e-9 * (t[i + 1] - t[i])
        inside = (t1 >= t[i] - edge) & (t1 <= t[i + 1] + edge)
        inside &= (t2 >= t[j] - edge) & (t2 <= t[j + 1] + edge)
        signal.offer(np.clip(t1[inside], 0.0, t[-1]), np.clip(t2[inside], 0.0, t[-1]))


# Criteria of the head beside HIC: turning, and turning together with acceleration.

CRITICAL_RATES = np.array([66.25, 56.45, 42.87])
"""Critical angular velocities about x, y, z of BrIC (rad/s; Takhounts 2013)."""

GAMBIT_G, GAMBIT_ALPHA = 250.0, 10_000.0
"""Acceleration (g) and angular acceleration (rad/s2) of GAMBIT one (Newman 1986, in squares)."""

DAMAGE_K = np.array([32142.0, 23493.0, 16935.0])
DAMAGE_KXZ = 1636.3
DAMAGE_TIME = 5.9148e-3
DAMAGE_SCALE = 2.9903
"""Stiffness of unit masses about x, y, z and between x and z, C/K (s), 1/m (Gabler 2019)."""

HIP_MASS = 4.5
HIP_INERTIA = np.array([0.016, 0.024, 0.022])
"""Mass (kg) and moments of inertia about x, y, z (kg m2) of the head in impact power (Newman 2000)."""

UBRIC_RATES = np.array([211.0, 171.0, 115.0])
UBRIC_ACCELERATIONS = np.array([20_000.0, 10_300.0, 7_760.0])
"""Critical ranges about x, y, z of rate (rad/s) and acceleration (rad/s2), for strain (Gabler 2018)."""


def bric(time: Array, rate: Array) -> Measure:
    """The brain injury criterion of the head's angular velocity (3, T) along its axes (rad/s).

    The three largest rates count, whenever they come; the window goes from the first to the last.
    """
    at = np.argmax(np.abs(rate), axis=1)
    parts = np.abs(rate[np.arange(3), at]) / CRITICAL_RATES
    note = Sentence("x {x:.3g}, y {y:.3g}, z {z:.3g}", **dict(zip("xyz", parts, strict=True)))
    value = float(np.linalg.norm(parts))
    return Measure(value, float(time[at.min()]), float(time[at.max()]), note)


def gambit(time: Array, acceleration: Array, angular: Array) -> Measure:
    """The largest sqrt((a / 250 g)^2 + (alpha / 10000)^2); arrays (3, T) in m/s2 and rad/s2."""
    a = np.linalg.norm(acceleration, axis=0) / (GAMBIT_G * G)
    alpha = np.linalg.norm(angular, axis=0) / GAMBIT_ALPHA
    return peak(time, np.hypot(a, alpha))


def damage_stiffness() -> Array:
    """The stiffness of the three coupled masses."""
    k = np.diag(DAMAGE_K)
    k[0, 0] += DAMAGE_KXZ
    k[2, 2] += DAMAGE_KXZ
    k[0, 2] = k[2, 0] = -DAMAGE_KXZ
    return k


def damage(time: Array, angular: Array) -> Measure:
    """Give DAMAGE of the head's angular acceleration (3, T) along its axes (rad/s2)."""
    x = coupled(time, angular, damage_stiffness(), DAMAGE_TIME)
    return peak(time, DAMAGE_SCALE * np.linalg.norm(x, axis=0))


def impact_power(time: Array, acceleration: Array, angular: Array) -> Measure:
    """The largest head impact power (W), of an adult of middle size (Newman 2000).

    m sum(a_i int a_i dt) + sum(I_i alpha_i int alpha_i dt), arrays (3, T) in m/s2 and rad/s2, from rest.
    """
    power = np.zeros(len(time))
    for row, turned, inertia in zip(acceleration, angular, HIP_INERTIA, strict=True):
        power += HIP_MASS * row * integrated(time, row)
        power += inertia * turned * integrated(time, turned)
    return peak(time, power)


def ubric(time: Array, rate: Array, angular: Array) -> Measure:
    """The universal brain injury criterion of a head's turning (3, T), in its MPS form (Gabler 2018).

    With w and a the ranges, from least to greatest, of rate (rad/s) and acceleration (rad/s2) over their
    critical values, an axis counts w + (a - w) exp(-a / w).
    """
    w, a = (np.ptp(row, axis=1) for row in (rate, angular))
    w, a = w / UBRIC_RATES, a / UBRIC_ACCELERATIONS
    turning = w > 0.0
    shape = np.exp(-np.divide(a, w, out=np.full(3, np.inf), where=turning))
    parts = np.where(turning, w + (a - w) * shape, 0.0)
    note = Sentence("x {x:.3g}, y {y:.3g}, z {z:.3g}", **dict(zip("xyz", parts, strict=True)))
    return Measure(float(np.linalg.norm(parts)), float(time[0]), float(time[-1]), note)


# Criteria of the neck, of the load that it puts on the head, along the head's axes.

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
    """The moment about y at the occipital condyles, the load being taken `lever` (m) above."""
    out: Array = moment[1] - lever * force[0]
    return out


def nij(
    time: Array, force: Array, moment: Array, lever: float, limits: Mapping[str, float]
) -> Measure:
    """The largest of the four: tension or compression with flexion or extension (FMVSS 208, S6.6)."""
    turning = occipital(force, moment, lever)
    best = Measure(-1.0, 0.0, 0.0)
    lines = []
    for along, pull in (("tension", force[2]), ("compression", -force[2])):
        for about, bend in (("flexion", turning), ("extension", -turning)):
            # a mode counts only while both its loads act
            both = (pull >= 0.0) & (bend >= 0.0)
            value = np.where(both, pull / limits[along] + bend / limits[about], 0.0)
            one = peak(time, value)
            lines.append(Sentence(_NIJ[along, about], value=one.value))
            if one.value > best.value:
                best = one
    return best._replace(note=joined(", ", lines))


def nkm(time: Array, force: Array, moment: Array, lever: float) -> Measure:
    """The largest of shear forward or rearward with flexion or extension (Schmitt 2001)."""
    turning = occipital(force, moment, lever)
    bend = np.where(turning > 0.0, turning / NKM["flexion"], -turning / NKM["extension"])
    value = np.abs(force[0]) / NKM["shear"] + bend
    one = peak(time, value)
    k = int(np.argmax(value))
    way = Sentence("forward" if force[0, k] > 0.0 else "rearward")
    turn = Sentence("flexion" if turning[k] > 0.0 else "extension")
    return one._replace(note=joined(", ", (way, turn)))


def nic(time: Array, lower: Array, upper: Array) -> Measure:
    """The largest 0.2 a + v^2, a and v of T1 relative to the head along x (Bostroem 1996).

    The accelerations (T) are along the axes of chest and head; v is the integral of a from rest.
    """
    a = lower - upper
    v = integrated(time, a)
    return peak(time, NIC_LENGTH * a + v**2)


def lower_load(time: Array, force: Array, moment: Array) -> Measure:
    """The largest lower neck load index (Heitplatz 2003), loads (3, T) at the neck's lower end.

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
    """The largest s V C: rate of deflection (m/s) times deflection over depth (ECE R94, annex 4)."""
    return peak(time, scale * differentiated(time, deflection) * deflection / depth)


def combined(clip_g: Measure, deflection: Measure) -> Measure:
    """The combined thoracic index A/85 + D/102 of 3 ms acceleration (g) and deflection (m)."""
    value = clip_g.value / CTI_G + 1e3 * deflection.value / CTI_MM
    times = (clip_g.t1, clip_g.t2, deflection.t1)
    note = Sentence(
        "{clip:.4g} g, {deflection:.4g} mm", clip=clip_g.value, deflection=1e3 * deflection.value
    )
    return Measure(value, min(times), max(times), note)


def fir100() -> Array:
    """The symmetrical taps at 1600 Hz that keep the pass and stop bands of 49 CFR 572.

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
    """A signal at 1600 Hz through FIR100, without delay, from its own 1600 Hz grid on."""
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
    """The dynamic response index of an acceleration (m/s2), along z of what presses the spine."""
    omega, ratio = DRI[axis]
    index = response_index(time, acceleration, omega, ratio) / G
    return peak(time, index if axis == "z" else np.abs(index))


def multiaxial(time: Array, acceleration: Array, level: str) -> Measure:
    """The largest sqrt(sum((DR / limit)^2)) of a seat's acceleration (3, T), x forward, z down.

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
