"""What the end of a run leaves open: figures that are largest there, and pulses that are not over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from solver.base.words import NOTHING, Sentence
from solver.injury.criteria import CRITERIA, Signal
from solver.injury.measure import Measure
from solver.project.document import Project
from solver.project.injury import InjuryOutput
from solver.results.trajectory import Trajectory

CUT_OFF_HZ = 1.65
"""Cut-off frequency (3 dB) of a filter by its class (SAE J211-1)."""
EARLIER = 0.01
"""So long (s) before the end a figure must have been less, else it is steady: what filters add at an end (*assumed*)."""
GROWN = 0.98
"""Part of a figure that a steady one was by then at least (*assumed*)."""
FALLEN = 0.9
"""Part of its peak below which a load at the end of the run has fallen (*assumed*)."""
SMOOTH = 0.005
"""Time (s) over which the acceleration of a vehicle is averaged (*assumed*)."""
OVER = 0.2
"""Part of its largest mean from which on a vehicle is still being decelerated (*assumed*)."""
_LASTING = {
    "HIC", "HIC15", "HIC36", "contact_HIC", "contact_HIC15", "contact_HIC36", "HSI", "CSI", "3ms", "3ms_in_one",
    "T12_3ms", "BrIC", "DAMAGE", "UBrIC", "HIP", "NIC", "VC", "CTI", "TTI", "DRI", "DRI_x", "DRI_y", "Brinkley_low",
    "Brinkley_moderate", "Brinkley_high", "neck_tension_by_duration", "neck_shear_by_duration", "femur_by_duration",
}  # fmt: skip
"""Criteria that remember what was: their last samples alone do not tell what they are at the end."""


def cut_off(options: InjuryOutput, given: Sequence[Signal], measure: Measure) -> Sentence:
    """Say of a figure that it is largest where the run ends while it still rises, so that a longer run may have more.

    At the end is what lies no farther from it than a sample; of loads, a period of the filter's cut-off. What is
    steady, or has fallen by then, is not told of.
    """
    time = given[0].time
    end, step = float(time[-1]), float(time[-1] - time[-2])
    remembers = options.criterion in _LASTING
    periods = [0.0 if remembers or not one.cfc else 1.0 / (CUT_OFF_HZ * one.cfc) for one in given]
    if measure.t2 < end - max(step, *periods) - 0.5 * step:
        return NOTHING
    if not measure.t1 > time[0] or not measure.value > 0.0:
        return NOTHING

    def within(part: slice) -> float:
        """Give the figure of a part of the run, as a part of the whole one."""
        pieces = [_part(one, part) for one in given]
        return CRITERIA[options.criterion].compute(pieces, options).value / measure.value

    before = max(int(np.searchsorted(time, end - EARLIER)), 2)
    if remembers:
        is_steady = within(slice(before)) >= GROWN
    else:
        ago = (before, (before + len(time)) // 2)
        is_steady = all(within(slice(n - 2, n)) >= GROWN for n in ago)
        is_steady = is_steady or within(slice(-2, None)) < FALLEN
    if is_steady:
        return NOTHING
    return Sentence(
        "at the end of the run, {time:.4g} ms: it may not be its largest", time=1e3 * end
    )


def _part(signal: Signal, part: slice) -> Signal:
    return replace(signal, time=signal.time[part], value=signal.value[..., part])


def pulse_goes_on(run: Trajectory, project: Project) -> Sentence:
    """Say that a run ends while a prescribed motion still decelerates what it moves; empty where none does."""
    time = np.asarray(run.time)
    if len(time) < 3:
        return NOTHING
    width = max(round(SMOOTH / float(np.median(np.diff(time)))), 1)
    moved = {one.segment for one in project.motions} & set(run.segment_ids)
    for segment in sorted(moved):
        rate = run.segment(segment).acceleration
        if len(rate) <= width:
            continue
        sums = np.cumsum(np.concatenate([np.zeros((1, 3)), rate]), axis=0)
        mean = np.linalg.norm(sums[width:] - sums[:-width], axis=1)
        if mean[-1] > OVER * mean.max() > 0.0:
            return Sentence(
                "the run ends at {time:.4g} ms, while '{segment}' is still being decelerated",
                time=1e3 * float(time[-1]),
                segment=segment,
            )
    return NOTHING
