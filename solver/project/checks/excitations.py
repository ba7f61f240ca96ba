"""Check sweeps and random signals (third pass)."""

from __future__ import annotations

from collections.abc import Iterator

from solver.base.words import Sentence
from solver.project.checks.index import Index
from solver.project.checks.registry import PHYSICS, finds, problem
from solver.project.excitations import (
    CREST_SEEN,
    MOST_LINES,
    MOST_PIECES,
    crest_found,
    density_is_sound,
    highest_hz,
    is_sound,
    lines,
    pieces,
)
from solver.project.functions import Excitation, Random, Sweep
from solver.project.problems import Problem


@finds(
    PHYSICS,
    error={
        "excitation-of-time": "A sweep or a random signal does not go over time.",
        "excitation-long": "A sweep or a random signal has too many cycles.",
        "excitation-ease": "A signal is still growing when it has to die away.",
        "random-density": "The density of a random signal is none.",
        "random-band": "No line of a random signal lies in its band, or too many do.",
        "random-crest": "The crest factor of a random signal cannot be met.",
    },
)
def excitations(index: Index) -> Iterator[Problem]:
    """Find signals over time that cannot be made."""
    for fn, path in index.elements("functions"):
        if not isinstance(fn.form, Sweep | Random):
            continue
        if fn.x_unit != "s":
            sentence = Sentence("It swings over time; its argument is in {unit}.", unit=fn.x_unit)
            yield problem("excitation-of-time", f"{path}/x_unit", sentence, "Let it be s.")
        yield from _common(fn.form, f"{path}/form")
        if isinstance(fn.form, Random):
            yield from _random(fn.form, f"{path}/form")


def _common(form: Sweep | Random, path: str) -> Iterator[Problem]:
    assert isinstance(form, Excitation)
    if pieces(form) > MOST_PIECES:
        sentence = Sentence(
            "{duration:g} s at up to {hz:g} Hz are {cycles:.0f} cycles; at most {most:.0f} are followed.",
            duration=form.duration_s,
            hz=highest_hz(form),
            cycles=form.duration_s * highest_hz(form),
            most=MOST_PIECES * form.duration_s * highest_hz(form) / pieces(form),
        )
        yield problem("excitation-long", f"{path}/duration_s", sentence, "Let it be shorter.")
    if 2.0 * form.ease_s > form.duration_s:
        sentence = Sentence(
            "It grows and dies away within {ease:g} s each, and lasts {duration:g} s.",
            ease=form.ease_s,
            duration=form.duration_s,
        )
        yield problem("excitation-ease", f"{path}/ease_s", sentence, "Ease it in less time.")


def _random(form: Random, path: str) -> Iterator[Problem]:
    if not density_is_sound(form):
        sentence = Sentence(
            "A density needs one value, not below zero, for each of its frequencies, and these increase."
        )
        yield problem("random-density", f"{path}/density", sentence)
        return
    if form.high_hz / form.line_hz > MOST_LINES:
        sentence = Sentence(
            "Lines {line:g} Hz apart up to {high:g} Hz are more than {most}.",
            line=form.line_hz,
            high=form.high_hz,
            most=MOST_LINES,
        )
        yield problem("random-band", f"{path}/line_hz", sentence, "Set them further apart.")
        return
    if not lines(form)[1].any():
        sentence = Sentence(
            "No multiple of {line:g} Hz lies between {low:g} and {high:g} Hz where the density is above zero.",
            line=form.line_hz,
            low=form.low_hz,
            high=form.high_hz,
        )
        yield problem("random-band", f"{path}/line_hz", sentence, "Widen the band.")
        return
    if form.crest is not None and is_sound(form):
        found = crest_found(form)
        if abs(found - form.crest) > CREST_SEEN:
            sentence = Sentence(
                "A crest factor of {crest:g} is not met: with these lines and this seed it comes to {found:.4g}.",
                crest=form.crest,
                found=found,
            )
            yield problem("random-crest", f"{path}/crest", sentence, "Try another seed or value.")
