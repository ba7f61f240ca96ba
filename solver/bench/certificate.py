"""The certificate of a dummy: verdict, figures beside their corridors, curves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from solver.bench.running import Result, Verdict
from solver.bench.table import TITLES
from solver.bodies import library_body
from solver.plots import Band, Curve
from solver.report.content import Cell, Content, Panel, Table, text
from solver.report.content import Verdict as Sentence
from solver.report.make import Report
from solver.units import pretty
from solver.version import __version__
from solver.words import msgid, tr

FIGURES = {
    "peak": msgid("Peak acceleration"),
    "second_peak": msgid("Largest peak after the main one"),
    "lateral": msgid("Lateral acceleration"),
    "rotation": msgid("Rotation of the D plane"),
    "rotation_time": msgid("Time of the largest rotation"),
    "rotation_back": msgid("Rotation is back at zero"),
    "moment": msgid("Moment at the condyles"),
    "moment_time": msgid("Time of the largest moment"),
    "moment_back": msgid("Moment is back at {at:g} N·m"),
    "pulse_g": msgid("Pendulum at {at:g} ms"),
    "pulse_later": msgid("Pendulum after {at:g} ms, at most"),
    "pulse_falls": msgid("Pendulum falls to {at:g} g"),
    "speed_loss": msgid("Pendulum's loss of speed at {at:g} ms"),
    "force": msgid("Force of the probe"),
    "force_between": msgid("Force between {at:g} and {until:g} mm, at most"),
    "deflection": msgid("Deflection of the sternum"),
    "hysteresis": msgid("Hysteresis"),
    "torque_at": msgid("Load at {at:g}°"),
    "angle_at": msgid("Angle at {at:g} N·m"),
    "start": msgid("Lean at the start"),
    "returns": msgid("Angle left when let go"),
}
"""What figures are called."""

SHOWN = {
    "head_drop": (("head", "m/s2", 1 / 9.80665, "g", msgid("Head acceleration"), "peak", ""),),
    "neck_flexion": (
        ("rotation", "rad", 57.29577951308232, "°", msgid("Rotation of the D plane"), "rotation", "rotation_time"),
        ("moment", "N*m", 1.0, "N*m", msgid("Moment at the condyles"), "moment", "moment_time"),
        ("pulse", "m/s2", 1 / 9.80665, "g", msgid("Deceleration of the pendulum"), "", ""),
    ),
    "thorax": (
        ("force", "N", 1.0, "N", msgid("Force of the probe"), "force", ""),
        ("deflection", "m", 1e3, "mm", msgid("Deflection of the sternum"), "deflection", ""),
    ),
    "knee": (("force", "N", 1.0, "N", msgid("Force of the probe"), "force", ""),),
    "hip": (("angle", "rad", 57.29577951308232, "°", msgid("Angle above level"), "", ""),),
    "torso_flexion": (("angle", "rad", 57.29577951308232, "°", msgid("Lean of the torso"), "", ""),),
}  # fmt: skip
"""Curves of a test: name, factor to the shown unit, title, and the figures that make a corridor of peak and time."""


def said(verdict: Verdict) -> str:
    """Name a figure."""
    asked = verdict.asked
    return tr(FIGURES[asked.figure], at=abs(asked.at or 0.0), until=asked.until or 0.0)


def corridor(verdict: Verdict) -> str:
    """Say what is asked."""
    low, high, unit = verdict.asked.low, verdict.asked.high, pretty(verdict.asked.unit)
    if low is None:
        return tr("at most {high:g} {unit}", high=high, unit=unit)
    if high is None:
        return tr("at least {low:g} {unit}", low=low, unit=unit)
    return tr("{low:g} to {high:g} {unit}", low=low, high=high, unit=unit)


def value(verdict: Verdict) -> str:
    """Say what came out."""
    if verdict.value is None:
        return tr("none: {reason}", reason=verdict.reason)
    shown = 0.0 if abs(verdict.value) < 1e-9 else verdict.value
    return f"{shown:.4g} {pretty(verdict.asked.unit)}"


def certificate(name: str, results: Sequence[Result]) -> Report:
    """Give the certificate of a dummy as a report, to be written as HTML or PDF."""
    body = library_body(name)
    passed = sum(r.passed for r in results)
    verdicts = [
        Sentence(
            "good" if passed == len(results) else "bad",
            tr("{passed} of {count} tests are passed.", passed=passed, count=len(results)),
        )
    ]
    for r in results:
        bad = [v for v in r.verdicts if not v.passed]
        told = "; ".join(f"{said(v)}: {value(v)} ({corridor(v)})" for v in bad)
        verdicts.append(
            Sentence(
                "bad" if bad else "good",
                tr("{test}: {verdict}", test=tr(TITLES[r.test.kind]), verdict=told or tr("passed")),
            )
        )
    empty = Table(tr("Engine"), (tr("Manikin"),), ((text(__version__),),), (1.0,))
    return Report(
        Content(
            title=tr("Certificate: {body}", body=body.title),
            subtitle=body.source,
            runs=(),
            verdicts=tuple(verdicts),
            pictures=(),
            pulse=None,
            injury=_table(results[0]),
            tables=tuple(_table(r) for r in results[1:]),
            settings=empty,
            panels=tuple(panel for r in results for panel in _panels(r)),
            lists=((tr("What this says"), (tr(VALID),)),),
        )
    )


VALID = msgid(
    "Each part answers in its bench test as the standard asks of a dummy's. What is marked as assumed in the dummy's "
    "file is not tested by it, and corridors leave room: whole curves at other speeds may differ."
)


def _table(result: Result) -> Table:
    rows = tuple(
        (
            text(said(v)),
            text(corridor(v), "muted"),
            Cell(value(v), "good" if v.passed else "bad", number=True),
            Cell("–" if v.margin is None else f"{100.0 * v.margin:.0f} %", number=True),
        )
        for v in result.verdicts
    )
    test = result.test
    return Table(
        f"{tr(TITLES[test.kind])}: {test.paragraph}",
        (tr("Figure"), tr("Asked"), tr("Found"), tr("Margin")),
        rows,
        (0.42, 0.26, 0.2, 0.12),
        (test.conditions,) if test.conditions else (),
    )


def _panels(result: Result) -> Iterator[Panel]:
    kind = result.test.kind.replace("extension", "flexion")
    title = tr(TITLES[result.test.kind])
    for name, _, size, unit, what, figure, when in SHOWN[kind]:
        time, y = result.curves[name]
        whole = Curve(1e3 * time, size * y, unit, tr(what))
        yield Panel(
            f"{title}: {tr(what)}",
            (whole,),
            tr("time [ms]"),
            bands=tuple(_bands(result, figure, when, 1e3 * time)),
        )
    if "deflection" in result.curves.of:
        time, way = result.curves["deflection"]
        force = np.interp(time, *result.curves["force"])
        label = tr("Force of the probe")
        curve = Curve(1e3 * way, force, "N", label)
        yield Panel(f"{title}: {label}", (curve,), tr("deflection [mm]"))


def _bands(result: Result, figure: str, when: str, time: np.ndarray) -> Iterator[Band]:
    by = {v.asked.figure: v.asked for v in result.verdicts}
    peak = by.get(figure)
    if peak is None or peak.low is None or peak.high is None:
        return
    at = by.get(when)
    ends = (float(time[0]), float(time[-1]))
    if at is not None and at.low is not None and at.high is not None:
        ends = (at.low, at.high)
    low, high = np.full(2, peak.low), np.full(2, peak.high)
    yield Band(np.array(ends), low, high, peak.unit, tr("corridor of the peak"))
