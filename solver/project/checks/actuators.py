"""Check what goes by what it senses: actuators, their switches and sensors, and reflexes of muscles."""

from __future__ import annotations

from collections.abc import Iterator

from solver.base.words import Sentence
from solver.project.actuators import Actuator, Reflex, Switch
from solver.project.checks.index import Index
from solver.project.checks.registry import TOPOLOGY, finds, problem
from solver.project.problems import Problem


@finds(
    TOPOLOGY,
    error={
        "sensor-kind": "An actuator senses an angle and acts along a way, or the other way round.",
        "switch-limits": "A switch has no hysteresis, or its limits stand the wrong way round.",
    },
    warning={
        "actuator-swings": "An actuator senses so late that its damping drives.",
        "reflex-nothing": "A reflex adds nothing.",
    },
    note={"actuator-unused": "An actuator or a reflex has a number that is not used."},
)
def actuators(index: Index) -> Iterator[Problem]:
    """Find sensors of another kind, switches without end, gains that swing up, and reflexes without gain."""
    for element, where in index.elements("coordinate_forces"):
        for i, law in enumerate(element.laws):
            if isinstance(law, Actuator):
                yield from _actuator(law, element.coordinate.turns, f"{where}/laws/{i}")
    for reflex, path in index.of(Reflex):
        if reflex.proportional == 0.0 == reflex.derivative:
            sentence = Sentence("This reflex has no gain: it adds nothing.")
            yield problem("reflex-nothing", path, sentence, "Give it a gain, or remove it.")


def _actuator(law: Actuator, turns: bool, path: str) -> Iterator[Problem]:
    if law.senses is not None and law.senses.coordinate.turns != turns:
        sentence = Sentence("It senses an angle, and acts along a way.")
        if turns:
            sentence = Sentence("It senses a way, and acts about an angle.")
        hint = "Sense what is of the kind that it acts on."
        yield problem("sensor-kind", f"{path}/senses/coordinate", sentence, hint)
    if law.switch is not None:
        yield from _switch(law, law.switch, f"{path}/switch")
    p, d, late = law.proportional, law.derivative, law.reflex_s + 0.5 * law.period_s
    if isinstance(p, str) or isinstance(d, str) or law.by_rate is not None:
        return
    if late > 0.0 and d > 0.0 and p * late >= d:
        sentence = Sentence(
            "It acts {late:.3g} s late on average: P times this is {drive:.3g}, no less than D, {damping:.3g}. On its own it makes every swing grow.",
            late=late,
            drive=p * late,
            damping=d,
        )
        hint = "Raise D, lower P, or let it sense sooner."
        yield problem("actuator-swings", f"{path}/derivative", sentence, hint)


def _switch(law: Actuator, switch: Switch, path: str) -> Iterator[Problem]:
    waits = law.reflex_s > 0.0 or law.period_s > 0.0
    if switch.off > switch.on:
        sentence = Sentence("It switches off above where it switches on.")
        yield problem("switch-limits", f"{path}/off", sentence, "Let it switch off below.")
    elif switch.off < -switch.on:
        sentence = Sentence("The other side switches on before this one is off.")
        least = Sentence("Take {least:g} or more.", least=-switch.on)
        yield problem("switch-limits", f"{path}/off", sentence, least)
    elif switch.off == switch.on and not waits:
        sentence = Sentence(
            "It switches on and off at the same place, again and again without end."
        )
        hint = "Let it switch off below, or give a reflex time or a period."
        yield problem("switch-limits", f"{path}/off", sentence, hint)
    if switch.size == 0.0:
        sentence = Sentence("The switch turns on nothing.")
        yield problem("actuator-unused", path, sentence, "Give it a size, or remove it.")
