"""All criteria by name: their unit, the filter classes of their signals, and how they are computed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from solver.base.words import Sentence, joined, msgid
from solver.engine.signals import clip_in_one, clip_summed
from solver.injury.head import bric, damage, gambit, gsi, hic, impact_power, ubric
from solver.injury.measure import Array, G, Measure, by_duration, peak
from solver.injury.reference import reference
from solver.injury.trunk import (
    combined,
    dynamic_response,
    lower_load,
    multiaxial,
    nic,
    nij,
    nkm,
    occipital,
    thoracic_trauma,
    viscous,
)
from solver.project.outputs import InjuryOutput

CLIP = 0.003
"""Duration of the 3 ms criteria (s)."""


@dataclass(frozen=True, slots=True)
class Signal:
    """Hold what a sensor gave: vectors (3, T) or a deflection (T), SI, filtered to a class (0: not).

    `on_child` says of a joint's load on which of its segments it acts.
    """

    time: Array
    value: Array
    cfc: int
    on_child: bool = True


Compute = Callable[[Sequence[Signal], InjuryOutput], Measure]


@dataclass(frozen=True, slots=True)
class CriterionInfo:
    """Describe a criterion; a class of 0 is that of the body part (head 1000, else 180)."""

    title: str
    unit: str
    classes: tuple[int, ...]
    compute: Compute


def _g(signal: Signal) -> Array:
    """Give the resultant in g."""
    out: Array = np.linalg.norm(signal.value, axis=0) / G
    return out


def _hic(window: float | None) -> Compute:
    return lambda given, options: hic(given[0].time, _g(given[0]), window)


def _contact_hic(window: float | None) -> Compute:
    """Give HIC of windows between the first touch and the last."""

    def compute(given: Sequence[Signal], options: InjuryOutput) -> Measure:
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

    return compute


def _severity(given: Sequence[Signal], options: InjuryOutput) -> Measure:
    time = given[0].time
    return Measure(gsi(time, _g(given[0])), float(time[0]), float(time[-1]))


def _clip(given: Sequence[Signal], options: InjuryOutput) -> Measure:
    in_one = options.criterion == "3ms_in_one"
    size = _g(given[0])
    kept = (clip_in_one if in_one else clip_summed)(given[0].time, size, CLIP)
    return Measure(*kept, Sentence("peak {size:.4g} g", size=float(size.max())))


def _nij(given: Sequence[Signal], options: InjuryOutput) -> Measure:
    force, moment = given
    known = reference()
    found = nij(force.time, force.value, moment.value, options.lever_m, known.necks[options.neck])
    said = msgid("intercepts of {neck}")
    if options.neck in known.assumed_necks:
        said = msgid("intercepts of {neck} assumed")
    whose = Sentence(said, neck=known.bodies[options.neck].name)
    return found._replace(note=joined("; ", (found.note, whose)))


def _tibia(given: Sequence[Signal], options: InjuryOutput) -> Measure:
    force, moment = given
    known, body = reference(), options.compared_with or "hybrid_iii_50"
    whose = Sentence("intercepts of {neck}", neck=known.bodies[body].name)
    found = tibia_index(force.time, force.value, moment.value, known.tibias[body])
    return found._replace(note=whose)


def _nkm(given: Sequence[Signal], options: InjuryOutput) -> Measure:
    force, moment = given
    return nkm(force.time, force.value, moment.value, options.lever_m)


def _along(axis: int, sign: float) -> Compute:
    def compute(given: Sequence[Signal], options: InjuryOutput) -> Measure:
        return peak(given[0].time, sign * given[0].value[axis])

    return compute


def _pressed_from_joint(child_above: bool) -> Compute:
    """Give the axial compression of a bone whose load is known at a joint.

    A joint's child lies further from the pelvis: at its upper end a thigh is pressed along +z, at
    its lower end along -z; a spine the other way round.
    """

    def compute(given: Sequence[Signal], options: InjuryOutput) -> Measure:
        sign = -1.0 if given[0].on_child == child_above else 1.0
        return peak(given[0].time, sign * given[0].value[2])

    return compute


def _bent(sign: float) -> Compute:
    """Give the moment at the condyles in flexion or, against it, in extension."""

    def compute(given: Sequence[Signal], options: InjuryOutput) -> Measure:
        force, moment = given
        turning = occipital(force.value, moment.value, options.lever_m)
        return peak(force.time, sign * turning)

    return compute


def _pressed(signal: Signal) -> Array:
    """Give the compression of a thigh whose load is known at its upper end, as `_pressed_from_joint`."""
    out: Array = (1.0 if signal.on_child else -1.0) * signal.value[2]
    return out


LASTING: Mapping[str, Callable[[Signal], Array]] = MappingProxyType(
    {
        "neck_tension_by_duration": lambda one: np.maximum(one.value[2], 0.0),
        "neck_shear_by_duration": lambda one: np.abs(one.value[0]),
        "femur_by_duration": lambda one: np.maximum(_pressed(one), 0.0),
    }
)
"""Loads that are limited by how long they last."""


def _lasting(given: Sequence[Signal], options: InjuryOutput) -> Measure:
    """Give a load as a part of the limit for as long as it lasts."""
    load = LASTING[options.criterion](given[0])
    return by_duration(given[0].time, load, reference().durations[options.criterion])


def _sideways(given: Sequence[Signal], options: InjuryOutput) -> Measure:
    return peak(given[0].time, np.abs(given[0].value[1]))


def _symphysis(given: Sequence[Signal], options: InjuryOutput) -> Measure:
    """Give the push at the pubic symphysis that bears the moment of a half of the pelvis about z, at its cut."""
    return peak(given[0].time, np.abs(given[0].value[2]) / options.lever_m)


def _axial(given: Sequence[Signal], options: InjuryOutput) -> Measure:
    return peak(given[0].time, np.abs(given[0].value[2]))


def _bending(given: Sequence[Signal], options: InjuryOutput) -> Measure:
    return peak(given[0].time, np.hypot(given[0].value[0], given[0].value[1]))


def _strap(given: Sequence[Signal], options: InjuryOutput) -> Measure:
    """Give the largest tension, of two straps that of both at once."""
    return peak(given[0].time, np.sum([one.value for one in given], axis=0))


def _shear(given: Sequence[Signal], options: InjuryOutput) -> Measure:
    return peak(given[0].time, np.abs(given[0].value[0]))


def _deflection(given: Sequence[Signal], options: InjuryOutput) -> Measure:
    return peak(given[0].time, given[0].value)


def _slide(given: Sequence[Signal], options: InjuryOutput) -> Measure:
    """Give the largest way to either side."""
    return peak(given[0].time, np.abs(given[0].value))


def _elongation(given: Sequence[Signal], options: InjuryOutput) -> Measure:
    """Give the largest lengthening since the start."""
    return peak(given[0].time, -given[0].value)


def _combined(given: Sequence[Signal], options: InjuryOutput) -> Measure:
    kept = clip_summed(given[0].time, _g(given[0]), CLIP)
    return combined(Measure(*kept), peak(given[1].time, given[1].value))


def _viscous(given: Sequence[Signal], options: InjuryOutput) -> Measure:
    one = viscous(given[0].time, given[0].value, options.scale, options.depth_m)
    made = Sentence(
        "depth {depth:.4g} m, scale {scale:.4g}", depth=options.depth_m, scale=options.scale
    )
    return one._replace(note=made)


def _response(axis: str) -> Compute:
    row, sign = {"x": (0, 1.0), "y": (1, 1.0), "z": (2, -1.0)}[axis]

    def compute(given: Sequence[Signal], options: InjuryOutput) -> Measure:
        # z points down, and what is accelerated upwards presses the spine
        return dynamic_response(given[0].time, sign * given[0].value[row], axis)

    return compute


def _multiaxial(level: str) -> Compute:
    return lambda given, options: multiaxial(given[0].time, given[0].value, level)


def _info(title: str, unit: str, classes: tuple[int, ...], compute: Compute) -> CriterionInfo:
    return CriterionInfo(title, unit, classes, compute)


CRITERIA: Mapping[str, CriterionInfo] = MappingProxyType(
    {
        "HIC": _info("Head injury criterion, any window", "1", (1000,), _hic(None)),
        "HIC15": _info("Head injury criterion, windows up to 15 ms", "1", (1000,), _hic(0.015)),
        "HIC36": _info("Head injury criterion, windows up to 36 ms", "1", (1000,), _hic(0.036)),
        "contact_HIC": _info("HIC between the first touch of the head and the last", "1",
                             (1000, 0), _contact_hic(None)),
        "contact_HIC15": _info("HIC15 between the first touch of the head and the last", "1",
                               (1000, 0), _contact_hic(0.015)),
        "contact_HIC36": _info("HIC36 between the first touch of the head and the last", "1",
                               (1000, 0), _contact_hic(0.036)),
        "HSI": _info("Head severity index", "1", (1000,), _severity),
        "CSI": _info("Chest severity index", "1", (180,), _severity),
        "3ms": _info("Acceleration exceeded for 3 ms in all", "g", (0,), _clip),
        "3ms_in_one": _info("Acceleration kept for 3 ms in one peak", "g", (0,), _clip),
        "BrIC": _info("Brain injury criterion", "1", (60,),
                      lambda given, _: bric(given[0].time, given[0].value)),
        "DAMAGE": _info("Brain strain by a second-order system", "1", (60,),
                        lambda given, _: damage(given[0].time, given[0].value)),
        "GAMBIT": _info("Acceleration and angular acceleration", "1", (1000, 1000),
                        lambda given, _: gambit(given[0].time, given[0].value, given[1].value)),
        "HIP": _info("Head impact power", "W", (1000, 1000),
                     lambda given, _: impact_power(
                         given[0].time, given[0].value, given[1].value)),
        "UBrIC": _info("Universal brain injury criterion, for strain", "1", (60, 60),
                       lambda given, _: ubric(given[0].time, given[0].value, given[1].value)),
        "Nij": _info("Neck, axial force and bending", "1", (600, 600), _nij),
        "Nkm": _info("Neck, shear and bending", "1", (600, 600), _nkm),
        "NIC": _info("Neck, relative acceleration and velocity", "m2/s2", (180, 180),
                     lambda given, _: nic(given[0].time, given[0].value[0], given[1].value[0])),
        "neck_tension": _info("Neck tension", "N", (1000,), _along(2, 1.0)),
        "neck_compression": _info("Neck compression", "N", (1000,), _along(2, -1.0)),
        "neck_shear": _info("Neck shear, forward or rearward", "N", (1000,), _shear),
        "LNL": _info("Lower neck load index", "1", (600, 600),
                     lambda given, _: lower_load(
                         given[0].time, given[0].value, given[1].value)),
        "neck_flexion": _info("Neck flexion at the condyles", "N*m", (600, 600), _bent(1.0)),
        "neck_extension": _info("Neck extension at the condyles", "N*m", (600, 600), _bent(-1.0)),
        "neck_tension_by_duration": _info("Neck tension as a part of the limit for its duration",
                                          "1", (1000,), _lasting),
        "neck_shear_by_duration": _info("Neck shear as a part of the limit for its duration",
                                        "1", (1000,), _lasting),
        "lumbar_compression": _info("Lumbar compression", "N", (600,), _pressed_from_joint(True)),
        "chest_deflection": _info("Chest deflection", "m", (180,), _deflection),
        "rib_deflection": _info("Rib deflection", "m", (180,), _deflection),
        "abdomen_deflection": _info("Abdomen deflection", "m", (180,), _deflection),
        "VC": _info("Viscous criterion", "m/s", (180,), _viscous),
        "CTI": _info("Combined thoracic index", "1", (180, 180), _combined),
        "TTI": _info("Thoracic trauma index, with FIR100", "g", (180, 180),
                     lambda given, _: thoracic_trauma(
                         given[0].time, given[0].value[1], given[1].value[1])),
        "DRI": _info("Dynamic response index of the spine", "1", (180,), _response("z")),
        "DRI_x": _info("Dynamic response index along x", "1", (180,), _response("x")),
        "DRI_y": _info("Dynamic response index along y", "1", (180,), _response("y")),
        "Brinkley_low": _info("Dynamic responses along all axes, low risk", "1", (180,),
                              _multiaxial("low")),
        "Brinkley_moderate": _info("Dynamic responses along all axes, moderate risk", "1", (180,),
                                   _multiaxial("moderate")),
        "Brinkley_high": _info("Dynamic responses along all axes, high risk", "1", (180,),
                               _multiaxial("high")),
        "T12_3ms": _info("Acceleration of T12 exceeded for 3 ms in all", "g", (180,), _clip),
        "shoulder_force": _info("Shoulder force sideways", "N", (600,), _sideways),
        "abdomen_force": _info("Abdomen force sideways", "N", (600,), _sideways),
        "pubic_force": _info("Pubic force sideways", "N", (600,), _sideways),
        "pubic_load": _info("Pubic load that bears the moment of a half of the pelvis", "N", (600,),
                            _symphysis),
        "femur_compression": _info("Femur compression", "N", (600,), _pressed_from_joint(False)),
        "femur_by_duration": _info("Femur compression as a part of the limit for its duration", "1",
                                   (600,), _lasting),
        "knee_slide": _info("Slide of the knee", "m", (180,), _slide),
        "tibia_index": _info("Tibia index", "1", (600, 600), _tibia),
        "tibia_compression": _info("Tibia force along it, either way", "N", (600,), _axial),
        "tibia_bending": _info("Tibia bending moment", "N*m", (180,), _bending),
        "MCL_elongation": _info("Elongation of the medial collateral ligament", "m", (180,),
                                _elongation),
        "ACL_elongation": _info("Elongation of a cruciate ligament", "m", (180,), _elongation),
        "strap_tension": _info("Tension of a strap", "N", (60,), _strap),
        "strap_tension_total": _info("Tension of two straps together", "N", (60, 60), _strap),
    }
)  # fmt: skip


def tibia_index(time: Array, force: Array, moment: Array, limits: Mapping[str, float]) -> Measure:
    """Give the largest |M / Mc| + |F / Fc|, M across and F along the shank (3, T; ECE R94, annex 4)."""
    bending = np.hypot(moment[0], moment[1])
    return peak(time, bending / limits["moment"] + np.abs(force[2]) / limits["force"])
