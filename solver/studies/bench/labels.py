"""What the figures of bench tests are called, what is asked of them, and what came out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from solver.base.units import pretty
from solver.base.words import msgid, tr
from solver.project.study_parts import Asked
from solver.studies.bench.table import CONDITIONS, BenchTest

if TYPE_CHECKING:
    # it takes the solver with it
    from solver.studies.bench.running import Verdict

FIGURES = {
    "peak": msgid("Peak acceleration"),
    "second_peak": msgid("Largest peak after the main one"),
    "lateral": msgid("Lateral acceleration"),
    "rotation": msgid("Rotation of the D plane"),
    "rotation_time": msgid("Time of the largest rotation"),
    "rotation_back": msgid("Rotation is back at zero"),
    "moment": msgid("Moment at the condyles"),
    "moment_at": msgid("Moment at the condyles at {at:g}°"),
    "moment_within": msgid("Moment while the rotation is in its corridor"),
    "moment_time": msgid("Time of the largest moment"),
    "moment_back": msgid("Moment is back at {at:g} N·m"),
    "pulse_g": msgid("Pendulum at {at:g} ms"),
    "pulse_later": msgid("Largest deceleration after {at:g} ms"),
    "pulse_falls": msgid("Pendulum falls to {at:g} g"),
    "speed_loss": msgid("Pendulum's loss of speed at {at:g} ms"),
    "force": msgid("Force of the probe"),
    "force_between": msgid("Largest force between {at:g} and {until:g} mm"),
    "deflection": msgid("Deflection of the sternum"),
    "hysteresis": msgid("Hysteresis"),
    "load_at": msgid("Load at {at:g} mm"),
    "torque_at": msgid("Load at {at:g}°"),
    "angle_at": msgid("Angle at {at:g} N·m"),
    "rotation_after": msgid("Rotation is back at zero, after its largest"),
    "start": msgid("Lean at the start"),
    "returns": msgid("Angle left when let go"),
}
"""What figures are called."""


CURVES: Mapping[str, str] = {
    "force": msgid("Force of the probe"),
    "probe": msgid("Acceleration of the probe"),
    "load": msgid("Load of the cells"),
    "shoulder": msgid("Way of the shoulder"),
    "upper_rib": msgid("Deflection of the upper rib"),
    "middle_rib": msgid("Deflection of the middle rib"),
    "lower_rib": msgid("Deflection of the lower rib"),
    "upper_belly": msgid("Deflection of the upper abdominal rib"),
    "lower_belly": msgid("Deflection of the lower abdominal rib"),
    "T1": msgid("Acceleration of T1 to the side"),
    "T12": msgid("Acceleration of T12 to the side"),
    "pelvis": msgid("Acceleration of the pelvis to the side"),
}
"""What the curves of tests from the side are called."""


def figure_label(asked: Asked) -> str:
    """Name a figure."""
    if asked.of:
        what = tr(CURVES[asked.of])
        if asked.figure == "peak_time":
            return tr("{what}: when it is largest", what=what)
        return tr("{what} after {at:g} ms", what=what, at=asked.at) if asked.at else what
    return tr(FIGURES[asked.figure], at=abs(asked.at or 0.0), until=asked.until or 0.0)


def corridor(asked: Asked) -> str:
    """Say what is asked."""
    low, high, unit = asked.low, asked.high, pretty(asked.unit)
    if low is None:
        return _close(tr("at most {high:g} {unit}", high=high, unit=unit))
    if high is None:
        return _close(tr("at least {low:g} {unit}", low=low, unit=unit))
    return _close(tr("{low:g} to {high:g} {unit}", low=low, high=high, unit=unit))


def conditions(test: BenchTest) -> str:
    """Say how a test is done; nothing where its paragraph says all."""
    words = CONDITIONS.get(test.kind)
    return tr(words) if words else ""


def _close(words: str) -> str:
    """Write degrees without a gap."""
    return words.replace(" °", "°")


def value(verdict: Verdict) -> str:
    """Say what came out."""
    if verdict.value is None:
        return tr("none: {reason}", reason=verdict.reason)
    return _close(f"{round(verdict.value, 3) + 0.0:.4g} {pretty(verdict.asked.unit)}")


def margin(verdict: Verdict) -> str:
    """Say how far a figure is from the nearer end of its corridor, in parts of half of it."""
    return "–" if verdict.margin is None else f"{100.0 * verdict.margin:.0f} %"


LAWS: Mapping[str, tuple[str, str]] = {
    "disc_flexion": (msgid("Neck discs in flexion, at first"), "N*m/rad"),
    "disc_flexion3": (msgid("Neck discs in flexion, farther on"), "N*m/rad3"),
    "disc_extension": (msgid("Neck discs in extension, at first"), "N*m/rad"),
    "disc_extension3": (msgid("Neck discs in extension, farther on"), "N*m/rad3"),
    "disc_damping": (msgid("Damping of the neck discs"), "N*m*s/rad"),
    "nod_flexion": (msgid("Nodding blocks in flexion, at first"), "N*m/rad"),
    "nod_flexion3": (msgid("Nodding blocks in flexion, farther on"), "N*m/rad3"),
    "nod_extension": (msgid("Nodding blocks in extension, at first"), "N*m/rad"),
    "nod_extension3": (msgid("Nodding blocks in extension, farther on"), "N*m/rad3"),
    "nod_damping": (msgid("Damping of the nodding joint"), "N*m*s/rad"),
    "skin": (msgid("Skin of the head"), "N/m^1.5"),
    "ribs": (msgid("Ribs, at first"), "N/m"),
    "ribs_beyond": (msgid("Ribs, beyond their knee"), "N/m"),
    "ribs_series": (msgid("Ribs, spring in a row with its damper"), "N/m"),
    "ribs_series_damping": (msgid("Ribs, that damper"), "N*s/m"),
    "ribs_damping_in": (msgid("Damping of the ribs, inwards"), "N*s/m"),
    "ribs_damping_out": (msgid("Damping of the ribs, outwards"), "N*s/m"),
    "knee_skin": (msgid("Skin of the knee"), "N/m^1.5"),
    "lumbar": (msgid("Lumbar spine, each half"), "N*m/rad"),
}
"""What the fitted numbers are called, and their units."""
