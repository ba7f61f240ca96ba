"""Check that prescribed motions move steadily (third pass)."""

from __future__ import annotations

from collections.abc import Iterator

from solver.base.words import Sentence
from solver.project.checks.index import Index
from solver.project.checks.registry import PHYSICS, finds, problem
from solver.project.forms import last_argument, value_at
from solver.project.functions import Table
from solver.project.motions import ConstantHistory, History, Prescribed, Trapezoid
from solver.project.problems import Problem


@finds(
    PHYSICS,
    error={"motion-jumps": "A prescribed place or speed jumps while a run goes on."},
)
def steady_motions(index: Index) -> Iterator[Problem]:
    """Find motions whose place or speed jumps before the longest run ends: no finite force does that."""
    given = [
        (motion.id, component.component, f"{path}/components/{i}", component)
        for motion, path in index.elements("motions")
        for i, component in enumerate(motion.components)
    ]
    for name in ("drivers", "frame_drivers"):
        given += [(one.id, one.coordinate, path, one) for one, path in index.elements(name)]
    given = [row for row in given if _may_jump(row[-1])]
    if not index.project.runs or not given:
        return
    # the kernels are loaded only where they are needed
    from solver.project.histories import curve_of, jumps

    for name, coordinate, path, component in given:
        pulse, functions = component.pulse, {}
        if isinstance(pulse, Trapezoid) and pulse.rise_ratio + pulse.fall_ratio > 1.0 + 1e-9:
            continue
        if isinstance(pulse, History):
            if value_at(index.functions[pulse.function].form, 0.0) is None:
                continue
            functions = {pulse.function: curve_of(index.functions[pulse.function])}
        found = jumps(index.project, component, functions)
        if found:
            t, what = found[0]
            sentence = Sentence(
                "The {component} of '{motion}' jumps in {what} at {t:g} s; no finite force moves a body so.",
                component=coordinate,
                motion=name,
                what=Sentence(what),
                t=t,
            )
            yield problem("motion-jumps", f"{path}/pulse", sentence, _remedy(index, component, t))


def _may_jump(component: Prescribed) -> bool:
    return component.quantity != "acceleration" and not isinstance(component.pulse, ConstantHistory)


def _remedy(index: Index, component: Prescribed, t: float) -> Sentence:
    """Say how to move steadily instead."""
    pulse = component.pulse
    if not isinstance(pulse, History):
        if component.quantity == "velocity":
            return Sentence(
                "Let it rise and fall over a part of its duration, or give the acceleration."
            )
        return Sentence(
            "Take a haversine or a table with a spline, or give the velocity or the acceleration."
        )
    form = index.functions[pulse.function].form
    if isinstance(form, Table):
        if t >= (last_argument(form) or 0.0) * (1.0 - 1e-9) or t <= form.x[0]:
            return Sentence(
                "Beyond its ends a table stays at its end value: let it reach over the whole run, "
                "or join its points by a spline_at_rest."
            )
        if component.quantity == "position":
            return Sentence(
                "Join its points by a spline, or give the velocity or the acceleration."
            )
    return Sentence("Give a function without a jump there, or the acceleration.")
