"""How criteria of injury are computed of what their sensors gave; `solver/project/criteria.py` lists them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from solver.base.words import Sentence, joined, msgid
from solver.engine.signals import clip_in_one, clip_summed
from solver.injury.added import criterion_named
from solver.injury.head import (
    bric,
    combined,
    damage,
    dynamic_response,
    gambit,
    gsi,
    hic,
    impact_power,
    lower_load,
    multiaxial,
    nic,
    nij,
    nkm,
    occipital,
    thoracic_trauma,
    ubric,
    viscous,
)
from solver.injury.reference import reference
from solver.injury.scores import Array, G, Measure, Signal, by_duration, peak
from solver.project.outputs import InjuryOutput

CLIP = 0.003
"""Duration of the 3 ms criteria (s)."""


_MEASURES: dict[str, Callable[..., Measure]] = {}
"""Functions that compute criteria, by the name in `solver/project/criteria.py`."""


def _measure(function: Callable[..., Measure]) -> Callable[..., Measure]:
    """Let criteria name a function of what sensors gave, an injury output, and the criterion's own numbers."""
    _MEASURES[function.__name__.removeprefix("_")] = function
    return function


def compute(given: Sequence[Signal], options: InjuryOutput, criterion: str = "") -> Measure:
    """Compute an injury output from what its sensors gave, or another criterion with its options."""
    function, *numbers = criterion_named(criterion or options.criterion).measure
    if not callable(function):
        function = _MEASURES[function]
    measure: Measure = function(given, options, *numbers)
    return measure


def _g(signal: Signal) -> Array:
    """The resultant in g."""
    out: Array = np.linalg.norm(signal.value, axis=0) / G
    return out


@_measure
def _hic(given: Sequence[Signal], _: InjuryOutput, window: float | None = None) -> Measure:
    return hic(given[0].time, _g(given[0]), window)


@_measure
def _contact_hic(given: Sequence[Signal], _: InjuryOutput, window: float | None = None) -> Measure:
    """Give HIC of windows between the first touch and the last."""
    moved, touch = given
    at = np.flatnonzero(touch.value > 0.0)
    if len(at) == 0:
        return Measure(
            0.0, float(moved.time[0]), float(moved.time[0]), Sentence("touched by nothing")
        )
    # it begins and ends between two samples
    part = slice(max(int(at[0]) - 1, 0), int(at[-1]) + 2)
    time = moved.time[part]
    one = hic(time, _g(moved)[part], window)
    return one._replace(
        note=Sentence(
            "touched from {first:.4g} to {last:.4g} ms",
            first=1e3 * time[0],
            last=1e3 * time[-1],
        )
    )


@_measure
def _severity(given: Sequence[Signal], options: InjuryOutput) -> Measure:
    time = given[0].time
    return Measure(gsi(time, _g(given[0])), float(time[0]), float(time[-1]))


@_measure
def _clip(given: Sequence[Signal], _: InjuryOutput, in_one: bool = False) -> Measure:
    size = _g(given[0])
    kept = (clip_in_one if in_one else clip_summed)(given[0].time, size, CLIP)
    return Measure(*kept, Sentence("peak {size:.4g} g", size=float(size.max())))


@_measure
def _nij(given: Sequence[Signal], options: InjuryOutput) -> Measure:
    force, moment = given
    known = reference()
    found = nij(force.time, force.value, moment.value, options.lever_m, known.necks[options.neck])
    text = msgid("intercepts of {neck}")
    if options.neck in known.assumed_necks:
        text = msgid("intercepts of {neck} assumed")
    whose = Sentence(text, neck=known.bodies[options.neck].name)
    return found._replace(note=joined("; ", (found.note, whose)))


@_measure
def _tibia(given: Sequence[Signal], options: InjuryOutput) -> Measure:
    force, moment = given
    known = reference()
    body = options.compared_with or known.mid_size
    whose = Sentence("intercepts of {neck}", neck=known.bodies[body].name)
    found = tibia_index(force.time, force.value, moment.value, known.tibias[body])
    return found._replace(note=whose)


@_measure
def _nkm(given: Sequence[Signal], options: InjuryOutput) -> Measure:
    force, moment = given
    return nkm(force.time, force.value, moment.value, options.lever_m)


@_measure
def _along(given: Sequence[Signal], _: InjuryOutput, axis: int, sign: float = 1.0) -> Measure:
    return peak(given[0].time, sign * given[0].value[axis])


@_measure
def _either_way(given: Sequence[Signal], _: InjuryOutput, axis: int) -> Measure:
    return peak(given[0].time, np.abs(given[0].value[axis]))


@_measure
def _largest(given: Sequence[Signal], _: InjuryOutput) -> Measure:
    return peak(given[0].time, _g(given[0]))


@_measure
def _forward(given: Sequence[Signal], _: InjuryOutput) -> Measure:
    """Give the largest acceleration along x in g."""
    return peak(given[0].time, given[0].value[0] / G)


@_measure
def _first_touch(given: Sequence[Signal], _: InjuryOutput) -> Measure:
    """Give the instant of the first touch, the last of the run where there is none."""
    time, at = given[0].time, np.flatnonzero(given[0].value > 0.0)
    if len(at) == 0:
        end = float(time[-1])
        return Measure(end, end, end, Sentence("touched by nothing"))
    first = float(time[at[0]])
    return Measure(first, first, first)


@_measure
def _together(given: Sequence[Signal], _: InjuryOutput, axis: int) -> Measure:
    """Give the largest sum, instant by instant, of two loads."""
    return peak(given[0].time, np.abs(given[0].value[axis] + given[1].value[axis]))


def _compression(signal: Signal, child_above: bool) -> Array:
    """The axial compression of a bone whose load is known at a joint.

    A joint's child lies further from the pelvis: at its upper end a thigh is pressed along +z, at
    its lower end along -z; a spine the other way round.
    """
    out: Array = (-1.0 if signal.on_child == child_above else 1.0) * signal.value[2]
    return out


@_measure
def _pressed(given: Sequence[Signal], _: InjuryOutput, child_above: bool) -> Measure:
    return peak(given[0].time, _compression(given[0], child_above))


@_measure
def _bent(given: Sequence[Signal], options: InjuryOutput, sign: float = 1.0) -> Measure:
    """The moment at the condyles in flexion or, against it, in extension."""
    force, moment = given
    return peak(force.time, sign * occipital(force.value, moment.value, options.lever_m))


LASTING: Mapping[str, Callable[[Signal], Array]] = MappingProxyType(
    {
        "neck_tension_by_duration": lambda one: np.maximum(one.value[2], 0.0),
        "neck_shear_by_duration": lambda one: np.abs(one.value[0]),
        "femur_by_duration": lambda one: np.maximum(_compression(one, False), 0.0),
    }
)
"""Loads that are limited by how long they last."""


@_measure
def _lasting(given: Sequence[Signal], options: InjuryOutput) -> Measure:
    """A load as a part of the limit for as long as it lasts."""
    load = LASTING[options.criterion](given[0])
    return by_duration(given[0].time, load, reference().durations[options.criterion])


@_measure
def _symphysis(given: Sequence[Signal], options: InjuryOutput) -> Measure:
    """The push at the pubic symphysis that bears the moment of a half of the pelvis about z, at its cut."""
    return peak(given[0].time, np.abs(given[0].value[2]) / options.lever_m)


@_measure
def _bending(given: Sequence[Signal], options: InjuryOutput) -> Measure:
    return peak(given[0].time, np.hypot(given[0].value[0], given[0].value[1]))


@_measure
def _strap(given: Sequence[Signal], options: InjuryOutput) -> Measure:
    """The largest tension, of two straps that of both at once."""
    return peak(given[0].time, np.sum([one.value for one in given], axis=0))


@_measure
def _deflection(given: Sequence[Signal], options: InjuryOutput) -> Measure:
    return peak(given[0].time, given[0].value)


@_measure
def _slide(given: Sequence[Signal], options: InjuryOutput) -> Measure:
    """The largest way to either side."""
    return peak(given[0].time, np.abs(given[0].value))


@_measure
def _elongation(given: Sequence[Signal], options: InjuryOutput) -> Measure:
    """The largest lengthening since the start."""
    return peak(given[0].time, -given[0].value)


@_measure
def _combined(given: Sequence[Signal], options: InjuryOutput) -> Measure:
    kept = clip_summed(given[0].time, _g(given[0]), CLIP)
    return combined(Measure(*kept), peak(given[1].time, given[1].value))


@_measure
def _viscous(given: Sequence[Signal], options: InjuryOutput) -> Measure:
    one = viscous(given[0].time, given[0].value, options.scale, options.depth_m)
    made = Sentence(
        "depth {depth:.4g} m, scale {scale:.4g}", depth=options.depth_m, scale=options.scale
    )
    return one._replace(note=made)


@_measure
def _response(given: Sequence[Signal], _: InjuryOutput, axis: str) -> Measure:
    # z points down, and what is accelerated upwards presses the spine
    row, sign = {"x": (0, 1.0), "y": (1, 1.0), "z": (2, -1.0)}[axis]
    return dynamic_response(given[0].time, sign * given[0].value[row], axis)


@_measure
def _nic(given: Sequence[Signal], _: InjuryOutput) -> Measure:
    return nic(given[0].time, given[0].value[0], given[1].value[0])


@_measure
def _thoracic_trauma(given: Sequence[Signal], _: InjuryOutput) -> Measure:
    return thoracic_trauma(given[0].time, given[0].value[1], given[1].value[1])


def _of_values(function: Callable[..., Measure]) -> None:
    """Let criteria name a function of time and of what each sensor gave."""
    _MEASURES[function.__name__] = lambda given, _, *numbers: function(
        given[0].time, *(one.value for one in given), *numbers
    )


for _one in (bric, damage, gambit, impact_power, lower_load, multiaxial, ubric):
    _of_values(_one)


def tibia_index(time: Array, force: Array, moment: Array, limits: Mapping[str, float]) -> Measure:
    """The largest |M / Mc| + |F / Fc|, M across and F along the shank (3, T; ECE R94, annex 4)."""
    bending = np.hypot(moment[0], moment[1])
    return peak(time, bending / limits["moment"] + np.abs(force[2]) / limits["force"])
