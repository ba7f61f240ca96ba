"""Criteria of the neck, of the load that it puts on the head, along the head's axes.

With x forward, y right, z down this is the sign of SAE J211: tension, flexion and shear that pushes
the head forward are positive.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from solver.base.words import Sentence, joined, msgid
from solver.engine.signals import integrated
from solver.injury.measure import Array, Measure, peak

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
