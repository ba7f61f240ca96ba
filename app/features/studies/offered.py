"""Numbers that a study may vary without a search for them: what is chosen of belts and bags, and what is assumed, each with a range."""

from __future__ import annotations

from collections.abc import Iterator

from app.forms.places import number_at, unit_of_field, words
from app.forms.units import Units
from solver.project import Project
from solver.project.airbags import MassFlowInflator
from solver.project.belts import StrapEnd, TimeTrigger
from solver.project.functions import Table
from solver.project.studies import assumed_parameters
from solver.project.study_parts import StudyParameter, Uniform, ends_of

LIMITER, PULL, SLACK, VENTS, SIZE, GAS = (0.5, 1.5), (0.67, 1.33), (0.25, 2.0), (0.5, 1.5), (0.87, 1.1), (0.8, 1.25)  # fmt: skip
"""Between which parts of what they are the numbers of a design lie, *assumed*: those of docs/studies.md."""
FIRES = (0.5, 2.0)
"""Of times at which a device fires, *assumed*: a designer has more choice than a sensor has scatter."""
_ENDS = ("start_device", "end_device")


def design_numbers(project: Project) -> tuple[StudyParameter, ...]:
    """What is chosen of belts and bags: limiter, pretensioner, slack; when a bag fires, its vents, size and gas."""
    found: dict[str, StudyParameter] = {}
    for path, part in (*_of_belts(project), *_of_bags(project)):
        value = number_at(project, path)
        if value == 0.0 or path in found:
            continue
        spread = Uniform(low=part[0], high=part[1])
        if value is not None:
            spread = Uniform(low=part[0] * value, high=part[1] * value)
        found[path] = StudyParameter(id=f"n_{len(found) + 1}", path=path, spread=spread, is_factor=value is None)  # fmt: skip
    return tuple(found.values())


def other_assumed(project: Project) -> tuple[StudyParameter, ...]:
    """What is assumed of the rest, between the ends of its range."""
    ours = {one.path for one in design_numbers(project)}
    return tuple(one for one in assumed_parameters(project.assumed) if one.path not in ours)


Ranged = Iterator[tuple[str, tuple[float, float]]]
"""A path, and between which parts of what stands there it may be."""


def _of_belts(project: Project) -> Ranged:
    for harness in project.harnesses:
        for strap in harness.straps:
            at = f"harnesses/{harness.id}/straps/{strap.id}"
            for end in _ENDS:
                devices: StrapEnd | None = getattr(strap, end)
                limiter = None if devices is None else devices.load_limiter
                if limiter is not None:
                    yield from _curve(project, limiter.force, LIMITER)
                pull = None if devices is None else devices.pretensioner
                if pull is not None:
                    if isinstance(pull.trigger, TimeTrigger):
                        yield f"{at}/{end}/pretensioner/trigger/time_s", FIRES
                    yield f"{at}/{end}/pretensioner/force_limit_n", PULL
            yield f"{at}/slack_m", SLACK


def _of_bags(project: Project) -> Ranged:
    for bag in project.airbags:
        at = f"airbags/{bag.id}"
        if isinstance(bag.trigger, TimeTrigger):
            yield f"{at}/trigger/time_s", FIRES
        for n in range(len(bag.vents)):
            yield f"{at}/vents/{n}/area_m2", VENTS
        yield f"{at}/semi_axes_m", SIZE
        if isinstance(bag.inflator, MassFlowInflator):
            yield from _curve(project, bag.inflator.flow, GAS)
        else:
            yield f"{at}/inflator/pressure_pa", GAS


def _curve(project: Project, id_: str, part: tuple[float, float]) -> Ranged:
    one = next((f for f in project.functions if f.id == id_), None)
    if one is not None and isinstance(one.form, Table):
        yield f"functions/{id_}/form/y", part


def offered_words(project: Project, one: StudyParameter, units: Units) -> str:
    """Say what may be varied, and between what."""
    low, high = ends_of(one.spread) or (0.0, 0.0)
    unit = unit_of_field(project, one.path)
    ends = (
        (f"× {low:.3g}", f"{high:.3g}") if one.is_factor
        else (units.short(low, unit), units.with_unit(units.short(high, unit), unit))
    )  # fmt: skip
    return f"{_briefly(words(project, one.path))}, {' – '.join(ends)}"


_LONG, _KEPT = 60, 3


def _briefly(whole: str) -> str:
    """Name a field in a menu: what it is of is cut where all is long, its last words stay."""
    first, *rest = whole.split(" › ")
    if len(whole) <= _LONG or not rest:
        return whole
    first = first if len(first) <= _LONG // 2 else f"{first[: _LONG // 2].rstrip()}…"
    return " › ".join((first, *rest[-_KEPT:]))
